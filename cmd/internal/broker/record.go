package broker

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// recordFile tells other commands where the data folder's server listens.
const recordFile = "server.json"

type serverRecord struct {
	URL string `json:"url"`
	PID int    `json:"pid"`
}

func writeRecord(path, url string) error {
	b, err := json.Marshal(serverRecord{url, os.Getpid()})
	if err != nil {
		return err
	}
	tmp := path + ".tmp"
	return errors.Join(os.WriteFile(tmp, append(b, '\n'), 0o644), os.Rename(tmp, path))
}

func recorded(data string) (string, bool) {
	b, err := os.ReadFile(filepath.Join(data, recordFile))
	if err != nil {
		return "", false
	}
	var r serverRecord
	if json.Unmarshal(b, &r) != nil || r.URL == "" {
		return "", false
	}
	return r.URL, true
}
