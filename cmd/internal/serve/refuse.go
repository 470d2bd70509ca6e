package serve

import "github.com/nats-io/nats.go/micro"

// refuse replies with an error, by the headers that NATS services have for it. It may
// be called after the handler has returned, which Request.Error may not: the service
// reads what that notes in the request, for its count of errors, without a lock.
func refuse(req micro.Request, code, description string) {
	_ = req.Respond(nil, micro.WithHeaders(micro.Headers{
		micro.ErrorHeader:     {description},
		micro.ErrorCodeHeader: {code},
	}))
}
