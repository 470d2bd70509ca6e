// Package seeds keeps the secret halves of users' nkeys, a file each, in a folder that
// only its owner reads. The NATS server is told the public halves alone.
//
// NAME.nk is a user's seed. While it is replaced, NAME.next.nk is the one to come: the
// server knows both, so that connections may change over one after the other.
package seeds

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nats-io/nkeys"

	"hopstream/cmd/internal/secret"
)

// Ext is the ending of a seed's file.
const Ext = ".nk"

// Folder is where the seeds are.
type Folder string

// Keys returns the public keys of a user: that of its seed, which is made if there is
// none, and of the next one, if there is one. It fails where a file cannot be read or
// written, and on one that holds no seed; no error tells a seed.
func (d Folder) Keys(user string) (public []string, err error) {
	for _, path := range []string{d.path(user), d.next(user)} {
		key, err := publicKey(path)
		switch {
		case err == nil:
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case path == d.next(user):
			return public, nil
		default:
			if key, err = d.create(path); err != nil {
				return nil, err
			}
		}
		public = append(public, key)
	}
	return public, nil
}

// Next makes the seed that is to replace the user's, unless it is there.
func (d Folder) Next(user string) error {
	if _, err := publicKey(d.path(user)); err != nil {
		return fmt.Errorf("there is no seed to replace: %w", err)
	}
	_, err := publicKey(d.next(user))
	if errors.Is(err, fs.ErrNotExist) {
		_, err = d.create(d.next(user))
	}
	return err
}

// Replace puts the next seed in place of the user's.
func (d Folder) Replace(user string) error {
	if _, err := publicKey(d.next(user)); err != nil {
		return fmt.Errorf("there is no next seed (hopstream nats rotate %s makes it): %w", user, err)
	}
	return os.Rename(d.next(user), d.path(user))
}

func (d Folder) path(user string) string { return filepath.Join(string(d), user+Ext) }
func (d Folder) next(user string) string { return filepath.Join(string(d), user+".next"+Ext) }

// create writes a new seed, which nobody but the owner reads; a file that is there
// stays. It returns the public key.
func (d Folder) create(path string) (string, error) {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return "", err
	}
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", err
	}
	seed, err := pair.Seed()
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(append(seed, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path)) // half a seed is none
	}
	return pair.PublicKey()
}

// publicKey reads the seed in a file.
func publicKey(path string) (string, error) {
	seed, err := secret.Read(path)
	if err != nil {
		return "", err
	}
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return "", fmt.Errorf("%s holds no seed of an nkey", path)
	}
	return pair.PublicKey()
}
