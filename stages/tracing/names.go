package tracing

import (
	"time"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0" // the last version that has the gen_ai attributes too

	"hopstream/messages"
)

// SchemaURL says of which version of the semantic conventions the names are.
const SchemaURL = semconv.SchemaURL

// The names of spans, or their first words.
const (
	NameQuestion = "question" // from stored to answered
	nameSend     = "send "    // and the kind of message
	nameProcess  = "process " // and the stage
	nameSearch   = "search "  // and the searcher
)

// The events of a delivery's span: its message was stored, before the span began; the
// stage's logic has ended, and its outputs are to be stored.
const (
	EventStored  = "message stored"
	EventHandled = "handled"
)

// The attributes that the conventions have no name for.
const (
	keyQuestion   = attribute.Key("hopstream.question.id")
	keyClass      = attribute.Key("hopstream.question.class")
	keyStatus     = attribute.Key("hopstream.question.status")
	keySteps      = attribute.Key("hopstream.question.steps")
	keyHops       = attribute.Key("hopstream.question.hops")
	keyStage      = attribute.Key("hopstream.stage")
	keyRound      = attribute.Key("hopstream.round")
	keyBranch     = attribute.Key("hopstream.branch")
	keyDeliveries = attribute.Key("messaging.nats.delivery_count") // as the other systems' in the conventions
	keyQueue      = attribute.Key("hopstream.queue_seconds")
	keyRebuilt    = attribute.Key("hopstream.rebuilt")
	keySearcher   = attribute.Key("hopstream.searcher")
	keyRole       = attribute.Key("hopstream.role")
	keyOutcome    = attribute.Key("hopstream.outcome")
	keyShared     = attribute.Key("hopstream.shared_with")
)

// ServiceName and ServiceVersion name a process in what it exports.
func ServiceName(name string) attribute.KeyValue { return semconv.ServiceName(name) }

// ServiceVersion is the version of a process.
func ServiceVersion(version string) attribute.KeyValue { return semconv.ServiceVersion(version) }

// ServiceInstance tells a process from others of its name.
func ServiceInstance(id string) attribute.KeyValue { return semconv.ServiceInstanceID(id) }

// Sent names the span of a message that a client stores, and says what it is.
func Sent(n messages.Names, k messages.Kind, key messages.Key) (name string, a []attribute.KeyValue) {
	return nameSend + string(k), append(message(n, k, n.Subject(k, key), key), semconv.MessagingOperationTypeSend, semconv.MessagingOperationName("publish"))
}

// Delivered says what a stage was delivered.
type Delivered struct {
	Stage      string
	Subject    string
	Kind       messages.Kind
	Key        messages.Key
	Deliveries int           // of the message, this one included; 0: not known
	Queue      time.Duration // from stored, or handed back, to delivered; negative: not known
	Rebuilt    bool          // from the log, which does not tell when it was delivered
	Shared     string        // whose work it took over, see messages.Pair
}

// Processed names the span of a delivery, and says what it was.
func Processed(n messages.Names, d *Delivered) (name string, a []attribute.KeyValue) {
	a = append(message(n, d.Kind, d.Subject, d.Key),
		semconv.MessagingOperationTypeProcess, semconv.MessagingOperationName("process"),
		semconv.MessagingConsumerGroupName(d.Stage), keyStage.String(d.Stage))
	if d.Deliveries > 0 {
		a = append(a, keyDeliveries.Int(d.Deliveries))
	}
	if d.Queue >= 0 && !d.Rebuilt {
		a = append(a, keyQueue.Float64(d.Queue.Seconds()))
	}
	if d.Rebuilt {
		a = append(a, keyRebuilt.Bool(true))
	}
	if d.Shared != "" {
		a = append(a, keyShared.String(d.Shared))
	}
	return nameProcess + d.Stage, a
}

// message are the attributes of a message. A stream has one kind of message, and
// the destination is the stream's.
func message(n messages.Names, k messages.Kind, subject string, key messages.Key) []attribute.KeyValue {
	a := make([]attribute.KeyValue, 0, 14)
	a = append(a, semconv.MessagingSystemKey.String("nats"),
		semconv.MessagingDestinationName(n.Stream(k)),
		semconv.MessagingMessageID(subject),
		keyQuestion.String(key.ID))
	if key.Round > 0 {
		a = append(a, keyRound.Int(key.Round))
	}
	if key.Branch > 0 {
		a = append(a, keyBranch.Int(key.Branch))
	}
	return a
}

// Answered says what became of a question.
func Answered(a *messages.Answer) []attribute.KeyValue {
	return []attribute.KeyValue{
		keyQuestion.String(a.ID), keyClass.String(string(a.Class)), keyStatus.String(string(a.Status)),
		keySteps.Int(a.Steps), keyHops.Int(len(a.Hops)),
		semconv.GenAIUsageInputTokens(a.Usage.PromptTokens), semconv.GenAIUsageOutputTokens(a.Usage.CompletionTokens),
	}
}

// Searched names the span of a search by one searcher, and says what became of it.
func Searched(question, searcher, outcome string) (name string, a []attribute.KeyValue) {
	return nameSearch + searcher, []attribute.KeyValue{
		keyQuestion.String(question), semconv.GenAIOperationNameRetrieval, keySearcher.String(searcher), keyOutcome.String(outcome),
	}
}

// Asked says what a model was asked.
type Asked struct {
	Question, Role, Model  string
	Server                 string // its URL
	Embeds                 bool   // texts into vectors, rather than a chat
	Outcome                string
	Queue                  time.Duration // waiting for a free slot
	PromptTokens, Answered int           // tokens
}

// Called names the span of a call of a model, and says what it was.
func Called(c *Asked) (name string, a []attribute.KeyValue) {
	operation := semconv.GenAIOperationNameChat
	if c.Embeds {
		operation = semconv.GenAIOperationNameEmbeddings
	}
	a = append(make([]attribute.KeyValue, 0, 10), operation, semconv.GenAIRequestModel(c.Model),
		keyQuestion.String(c.Question), keyRole.String(c.Role), keyOutcome.String(c.Outcome), keyQueue.Float64(c.Queue.Seconds()))
	if c.Server != "" {
		a = append(a, semconv.ServerAddress(c.Server))
	}
	if c.PromptTokens > 0 {
		a = append(a, semconv.GenAIUsageInputTokens(c.PromptTokens))
	}
	if !c.Embeds && c.Answered > 0 {
		a = append(a, semconv.GenAIUsageOutputTokens(c.Answered))
	}
	return operation.Value.AsString() + " " + c.Model, a
}
