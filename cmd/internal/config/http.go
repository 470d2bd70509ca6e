package config

// HTTPConfig guards what a process serves by HTTP.
type HTTPConfig struct {
	TokenFile string `koanf:"token_file" about:"A file with a token that every request but the probes' (/healthz, /readyz) has to send as Authorization: Bearer TOKEN; read again at every request. An address that is not loopback needs one, or open."`
	Open      bool   `koanf:"open" about:"Serve on an address that is not loopback without a token: where the network lets in nobody who should not ask."`
}
