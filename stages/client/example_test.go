package client_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/client"
	"hopstream/stages/engine/roles"
	"hopstream/stages/log"
	"hopstream/stages/runner"
)

// A question is asked over NATS and answered by a runner in the same process.
// The runner takes every stage; its engine answers all questions without
// documents. What is not scripted is as in a deployment: the server, the
// streams, the stages and the client.
func Example() {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	js, shutdown, err := embedded()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer shutdown()
	questions := log.New(js, messages.DefaultNames())
	defer questions.Close()

	logics := stages.Assemble(stages.Pipeline(), stages.Parts{Branches: questions, Engine: &roles.Set{
		ClassifyFunc: func(context.Context, string) (messages.Class, error) { return messages.Straightforward, nil },
		DirectFunc:   func(context.Context, string) (messages.Finding, error) { return messages.Finding{Text: "42"}, nil },
	}})
	ready, ended := make(chan struct{}), make(chan error, 1)
	working, leave := context.WithCancel(ctx)
	go func() {
		ended <- runner.New(questions, runner.Options{}).Run(working, logics, func() { close(ready) })
	}()
	select {
	case <-ready: // the streams are there, and every stage takes messages
	case err := <-ended:
		fmt.Println(err)
		leave()
		return
	}

	c := client.New(questions)
	answers, err := c.Follow(ctx, nil)
	if err != nil {
		fmt.Println(err)
		leave()
		return
	}
	for range 2 { // the second time the stored answer is returned, and no stage works
		a, err := answers.Ask(ctx, c, &messages.Question{ID: "q-1", Question: "What is six times seven?"})
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(a.ID, a.Status, a.Class, a.Answer)
	}
	answers.Close()
	leave()
	fmt.Println(<-ended) // what was in flight is finished
	// Output:
	// q-1 answered straightforward 42
	// q-1 answered straightforward 42
	// <nil>
}

// embedded starts a NATS server in this process, on a temporary store and a
// free port, and connects to it.
func embedded() (js jetstream.JetStream, shutdown func(), err error) {
	dir, err := os.MkdirTemp("", "hopstream-example-")
	if err != nil {
		return nil, nil, err
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true,
	})
	if err != nil {
		return nil, nil, err
	}
	s.Start()
	s.ReadyForConnections(10 * time.Second)
	nc, err := nats.Connect(s.ClientURL())
	if err != nil {
		return nil, nil, err
	}
	js, err = jetstream.New(nc)
	return js, func() {
		nc.Close()
		s.Shutdown()
		s.WaitForShutdown()
		_ = os.RemoveAll(dir)
	}, err
}
