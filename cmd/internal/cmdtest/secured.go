package cmdtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"hopstream/cmd/internal/seeds"
	"hopstream/stages/grants"
)

// Admin is a user of a Secured server that may do everything: a test's own.
const Admin = "admin"

// Secured is a NATS server that knows users, and notes what each of them does.
type Secured struct {
	t      *testing.T
	dir    string
	Seeds  seeds.Folder
	URL    string
	Extra  string // further settings of the clients' section nats, as ", prefix: acme"
	server *server.Server
	log    *serverTrace
}

// NewSecured starts a server with the given users, and Admin, in this process; head
// is further configuration. It ends with the test.
func NewSecured(t *testing.T, head string, users []grants.User) *Secured {
	t.Helper()
	s := &Secured{t: t, dir: t.TempDir(), log: &serverTrace{names: map[string]string{}}}
	s.Seeds = seeds.Folder(filepath.Join(s.dir, "seeds"))
	head = fmt.Sprintf("listen: 127.0.0.1:-1\nserver_name: secured\njetstream { store_dir: %q }\n%s\ninclude users.conf\n", filepath.Join(s.dir, "store"), head)
	WriteFile(t, filepath.Join(s.dir, "server.conf"), head)
	s.write(users)
	opts, err := server.ProcessConfigFile(filepath.Join(s.dir, "server.conf"))
	if err != nil {
		t.Fatal(err)
	}
	opts.NoSigs = true
	if s.server, err = server.NewServer(opts); err != nil {
		t.Fatal(err)
	}
	s.server.SetLoggerV2(s.log, false, true, false)
	s.server.Start()
	if !s.server.ReadyForConnections(10 * time.Second) {
		t.Fatalf("the NATS server did not come up: %s", s.log.errors())
	}
	t.Cleanup(func() {
		s.server.Shutdown()
		s.server.WaitForShutdown()
	})
	s.URL = s.server.ClientURL()
	return s
}

// write writes the users, with all keys that their seeds' folder has.
func (s *Secured) write(users []grants.User) {
	s.t.Helper()
	users = append(users[:len(users):len(users)], grants.User{Name: Admin, Grants: []grants.Grant{
		{Allow: grants.Publish, Subject: ">"}, {Allow: grants.Subscribe, Subject: ">"}}})
	keyed := make([]grants.Keyed, len(users))
	for i, u := range users {
		keys, err := s.Seeds.Keys(u.Name)
		if err != nil {
			s.t.Fatal(err)
		}
		keyed[i] = grants.Keyed{User: u, Keys: keys}
		s.log.mu.Lock()
		for _, k := range keys {
			s.log.names[k] = u.Name
		}
		s.log.mu.Unlock()
	}
	var b strings.Builder
	if err := grants.WriteConf(&b, "", keyed); err != nil {
		s.t.Fatal(err)
	}
	WriteFile(s.t, filepath.Join(s.dir, "users.conf"), b.String())
}

// Reload has the running server know these users, as a signal would.
func (s *Secured) Reload(users []grants.User) {
	s.t.Helper()
	s.write(users)
	if err := s.server.Reload(); err != nil {
		s.t.Fatal(err)
	}
}

// As returns the arguments by which a command comes as a user.
func (s *Secured) As(user string, settings ...string) []string {
	s.t.Helper()
	return []string{"--config", s.Config(user, settings...)}
}

// Config writes a configuration file of a user; settings are further lines.
func (s *Secured) Config(user string, settings ...string) string {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), user+".yaml")
	text := fmt.Sprintf("nats: {url: %q, nkey: %q%s}\n%s\n", s.URL, s.Seed(user), s.Extra, strings.Join(settings, "\n"))
	WriteFile(s.t, path, text)
	return path
}

// Seed is the file of a user's seed.
func (s *Secured) Seed(user string) string { return filepath.Join(string(s.Seeds), user+seeds.Ext) }

// Did returns what a user has done since the server started: subjects by direction.
func (s *Secured) Did(user string) map[grants.Direction][]string {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	all := map[grants.Direction][]string{}
	for act := range s.log.acts {
		if act.user == user {
			all[act.to] = append(all[act.to], act.subject)
		}
	}
	return all
}

// Refused returns what the server has refused so far, a line each.
func (s *Secured) Refused() []string {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return append([]string(nil), s.log.refused...)
}

// Stored returns everything that the server has on its disk.
func (s *Secured) Stored() string {
	s.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(filepath.Join(s.dir, "store"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, rerr := os.ReadFile(path)
			b.Write(text)
			err = rerr
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return b.String()
}

// act is something that a user did.
type act struct {
	user    string
	to      grants.Direction
	subject string
}

// serverTrace is a server's log that keeps what users did and what was refused.
type serverTrace struct {
	mu      sync.Mutex
	names   map[string]string // of users, by public key
	acts    map[act]bool
	refused []string
	other   []string
}

// operation matches a line of the server's trace: who, what, on which subject.
var operation = regexp.MustCompile(`/nkey:([A-Z0-9]+)" - <<- .*?\[(PUB|HPUB|SUB) (\S+)`)

var who = regexp.MustCompile(`/nkey:([A-Z0-9]+)"`)

// Tracef keeps what clients publish and subscribe to.
func (l *serverTrace) Tracef(format string, v ...any) {
	m := operation.FindStringSubmatch(fmt.Sprintf(format, v...))
	if m == nil {
		return
	}
	to := grants.Publish
	if m[2] == "SUB" {
		to = grants.Subscribe
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.acts == nil {
		l.acts = map[act]bool{}
	}
	l.acts[act{l.names[m[1]], to, m[3]}] = true
}

// Errorf keeps what the server refuses.
func (l *serverTrace) Errorf(format string, v ...any) {
	line := fmt.Sprintf(format, v...)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !strings.Contains(line, "Violation") {
		l.other = append(l.other, line)
		return
	}
	user := "?"
	if m := who.FindStringSubmatch(line); m != nil {
		user = l.names[m[1]]
	}
	_, what, _ := strings.Cut(line, `" - `)
	if i := strings.LastIndex(what, `" - `); i >= 0 {
		what = what[i+len(`" - `):]
	}
	l.refused = append(l.refused, user+": "+what)
}

func (l *serverTrace) errors() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.other, "; ")
}

// Noticef drops what the server tells of itself.
func (l *serverTrace) Noticef(string, ...any) {}

// Warnf keeps warnings, for a server that does not start.
func (l *serverTrace) Warnf(format string, v ...any) { l.keep(format, v) }

// Fatalf keeps why the server does not start.
func (l *serverTrace) Fatalf(format string, v ...any) { l.keep(format, v) }

// Debugf drops debugging.
func (l *serverTrace) Debugf(string, ...any) {}

func (l *serverTrace) keep(format string, v []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.other = append(l.other, fmt.Sprintf(format, v...))
}
