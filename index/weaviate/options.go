package weaviate

import (
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// DefaultClass is the class of passages under the default prefix.
const DefaultClass = "HopstreamPassage"

// Mode is how Search finds passages.
type Mode string

// The modes. Vector and Hybrid need an Embedder.
const (
	BM25   Mode = "bm25"   // by words
	Vector Mode = "vector" // by meaning
	Hybrid Mode = "hybrid" // by both, weighed by Alpha
)

// Options says where the server is and how passages are stored. URL is all
// that must be given.
type Options struct {
	// URL is the server's, http or https, with host and port alone.
	URL string
	// APIKey is sent with every request; empty means that the server asks for
	// none.
	APIKey string
	// Headers are sent with every request, as for a proxy.
	Headers map[string]string
	// CAFile is a PEM file of the authorities that an https server is checked
	// against; empty means the system's.
	CAFile string
	// HTTP makes the requests; nil means a client of the store's own. With it,
	// CAFile and Timeout are the client's affair, and must be empty here.
	HTTP *http.Client
	// Timeout bounds each request; 0 means a minute.
	Timeout time.Duration

	// Class is the class of passages; empty means DefaultClass. See ClassFor.
	Class string
	// Reset empties the store as it is opened, of whatever shape its class is.
	Reset bool
	// Batch is how many passages are embedded and sent at once; 0 means 500.
	Batch int
	// BM25 are the parameters of the scores by words.
	BM25 index.BM25
	// Chunk is how documents are cut.
	Chunk document.ChunkOptions

	// Embedder makes the vectors of passages, from title and text, and of
	// queries; nil means that passages have none.
	Embedder searcher.Embedder
	// EmbedderName says which embedder that is. It is stored with the first
	// vectors, and another name is an error from then on; empty means that
	// only the length of vectors is compared.
	EmbedderName string
	// Mode is how Search searches; empty means BM25.
	Mode Mode
	// Alpha is the weight of meaning in a hybrid search, up to 1; 0 means 0.5,
	// and a negative value means zero.
	Alpha float64

	// Logger is told what happens to the store as a whole; nil means nobody is.
	Logger *slog.Logger
}

var classNames = regexp.MustCompile(`^[A-Z][_0-9A-Za-z]{0,200}$`)

// check completes o, and takes its URL apart.
func (o Options) check() (Options, *url.URL, error) {
	u, err := o.base()
	if err != nil {
		return o, nil, err
	}
	if o.Class == "" {
		o.Class = DefaultClass
	}
	if o.Mode == "" {
		o.Mode = BM25
	}
	if err := o.valid(); err != nil {
		return o, nil, err
	}
	if o.Alpha == 0 {
		o.Alpha = 0.5
	}
	o.Alpha = max(o.Alpha, 0)
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	if o.Batch <= 0 {
		o.Batch = 500
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return o, u, nil
}

// base is the server's URL, taken apart.
func (o *Options) base() (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(o.URL))
	switch {
	case o.URL == "":
		return nil, fault.Permanentf("no URL of a Weaviate server given, like http://localhost:8080")
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fault.Permanentf("%q is no URL of a Weaviate server, like http://localhost:8080", o.URL)
	case u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return nil, fault.Permanentf("%q: of a Weaviate server's URL only scheme, host and port are used; give a key as such", u.Redacted())
	}
	return u, nil
}

// valid says what is wrong with the options, once class and mode are set.
func (o *Options) valid() error {
	switch {
	case !classNames.MatchString(o.Class):
		return fault.Permanentf("%q is no name of a Weaviate class: use a capital letter, then letters, digits and _", o.Class)
	case o.Mode != BM25 && o.Mode != Vector && o.Mode != Hybrid:
		return fault.Permanentf("unknown search mode %q: use %s, %s or %s", o.Mode, BM25, Vector, Hybrid)
	case o.Mode != BM25 && o.Embedder == nil:
		return fault.Permanentf("search mode %s needs an embedder", o.Mode)
	case o.Alpha > 1 || math.IsNaN(o.Alpha):
		return fault.Permanentf("alpha is %v; the most is 1", o.Alpha)
	case o.HTTP != nil && (o.CAFile != "" || o.Timeout != 0):
		return fault.Permanentf("CA file and timeout are those of the HTTP client given")
	case strings.ContainsFunc(o.APIKey, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return fault.Permanentf("the Weaviate API key contains white space")
	}
	return nil
}

// ClassFor returns the name of the class for a prefix of subjects and streams
// (messages.NewNames), so that deployments can share a server. No two prefixes
// share a class.
func ClassFor(prefix string) string {
	if prefix == "" || prefix == messages.DefaultPrefix {
		return DefaultClass
	}
	// A prefix has no other characters than these and letters and digits.
	return DefaultClass + "_" + strings.NewReplacer("_", "__", "-", "_0").Replace(prefix)
}
