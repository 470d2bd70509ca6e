package deploy

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/dotenv"
	"go.yaml.in/yaml/v4"
)

// images are the images of .env: its name and what it is pinned to, which is a tag,
// and a digest where there is one.
func images(t *testing.T) map[string]string {
	t.Helper()
	env, err := dotenv.Read(".env")
	if err != nil {
		t.Fatal(err)
	}
	pinned := map[string]string{}
	for key, image := range env {
		name, tag, ok := strings.Cut(image, ":")
		if !strings.HasSuffix(key, "_IMAGE") || !ok || tag == "latest" || !regexp.MustCompile(`^[\w.-]+(@sha256:[0-9a-f]{64})?$`).MatchString(tag) {
			t.Errorf("%s=%s is no image with a tag", key, image)
		}
		pinned[name] = tag
	}
	return pinned
}

// kustomization is where kustomize says which tags the images of its resources have.
type kustomization struct {
	Images []struct {
		Name    string
		NewName string `yaml:"newName"`
		NewTag  string `yaml:"newTag"`
		Digest  string
	}
}

// TestImagesArePinnedInOnePlace holds that no file of this folder names an image with
// a tag but .env, and kustomizations, which say the same.
func TestImagesArePinnedInOnePlace(t *testing.T) {
	pinned, seen := images(t), 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		base := filepath.Base(path)
		if base == ".env" || base == "go.sum" || strings.HasSuffix(base, "_test.go") || strings.Contains(path, "testdata") {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seen++
		b = bytes.ReplaceAll(b, []byte("registry.example.com/you/"), nil) // stands for the reader's own
		for name := range pinned {
			short := name[strings.LastIndex(name, "/")+1:]
			if m := regexp.MustCompile(`(?m)(?:image:\s*"?|FROM |[a-z]/)` + regexp.QuoteMeta(short) + `[:@][\w.-]+`).Find(b); m != nil {
				t.Errorf("%s names %q: the tag belongs into .env", path, m)
			}
		}
		if base == "kustomization.yaml" {
			checkKustomization(t, path, b, pinned)
		}
		return nil
	})
	if err != nil || seen < 8 {
		t.Fatalf("looked at %d files: %v", seen, err)
	}
}

// checkKustomization asserts that its images have the tags of .env.
func checkKustomization(t *testing.T, path string, data []byte, pinned map[string]string) {
	t.Helper()
	var k kustomization
	if err := yaml.Unmarshal(data, &k); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, i := range k.Images {
		name, tag := i.Name, i.NewTag
		if i.NewName != "" {
			name = i.NewName
		}
		if i.Digest != "" {
			tag += "@" + i.Digest
		}
		if want, ok := pinned[name]; !ok || want != tag {
			t.Errorf("%s: %s:%s; .env has %q", path, name, tag, want)
		}
	}
}

// TestPinImages runs the command that looks up digests, with a docker that knows one,
// over a copy of .env.
func TestPinImages(t *testing.T) {
	dir := t.TempDir()
	digest := "sha256:" + strings.Repeat("0a", 32)
	for name, text := range map[string]string{
		"docker": "#!/bin/sh\nfor last; do :; done\ncase $last in *@*) exit 1;; esac\necho " + digest + "\n",
		".env":   "# a comment\nA_IMAGE=docker.io/library/a:1\nB_IMAGE=example.com/b:2@sha256:old\nOWN_IMAGE=own:local\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script, err := os.ReadFile("pin-images")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "pin-images"), script, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "pin-images"))
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, ".env"))
	if err != nil {
		t.Fatal(err)
	}
	want := "# a comment\nA_IMAGE=docker.io/library/a:1@" + digest + "\nB_IMAGE=example.com/b:2@" + digest + "\nOWN_IMAGE=own:local\n"
	if string(got) != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
