package tonwerk

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"time"
)

const (
	progressEvery = time.Second
	// longPoll is when a long-poll is answered at the latest.
	longPoll = 20 * time.Second
	// cancelTimeout: who is about to end has no time for more.
	cancelTimeout = 10 * time.Second
)

// OperationError says why an operation failed.
type OperationError struct {
	Code    FailureCode `json:"code"`
	Message string      `json:"message"`
	// Source is the input that it concerns, where there are several.
	Source string `json:"source"`
}

// OperationState is what the operations of all actions share.
type OperationState struct {
	ID string `json:"id"`
	// Status: ready and failed stay.
	Status         OperationStatus `json:"status"`
	CreatedAt      time.Time       `json:"created_at"`
	IdempotencyKey string          `json:"idempotency_key"`
	// Error is nil unless it failed.
	Error *OperationError `json:"error"`
	// Progress is 0 to 1.
	Progress float64 `json:"progress"`
	// Stage is what is being done; empty once it has ended.
	Stage string `json:"stage"`
	// QueuePosition counts jobs before this one; nil once work has begun.
	QueuePosition *int       `json:"queue_position"`
	StartedAt     *time.Time `json:"started_at"`
	CompletedAt   *time.Time `json:"completed_at"`
	// Metadata are notes of the client's own.
	Metadata map[string]string `json:"metadata"`
	// Webhook is how the one that tells the end fares; nil without a callback URL, and in lists.
	Webhook *WebhookFate `json:"webhook"`
	// Test: a test key submitted it, and the result is made up.
	Test bool `json:"test"`
	// Cost in credits.
	Cost int `json:"cost"`
	// CostMax is what was debited at first, where the price goes by sources that were still to be measured; else 0.
	CostMax int `json:"cost_max"`
	// Rebated is what the measured sources cost less than CostMax, and was given back.
	Rebated int `json:"rebated"`
	// Refunded are credits that came back: all where it failed, none where it was cancelled after work had begun.
	Refunded int `json:"refunded"`
	link     link
}

// link is where an operation came from.
type link struct {
	transport *transport
	action    string
}

func (s *OperationState) state() *OperationState { return s }

func (s *OperationState) now() Progress {
	news := Progress{s.Progress, s.Stage, -1}
	if s.QueuePosition != nil {
		news.QueuePosition = *s.QueuePosition
	}
	return news
}

// Events yields what becomes of it: progress, then its end.
func (s *OperationState) Events(ctx context.Context) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for event, err := range s.events(ctx, s.link.transport.retries) {
			if !yield(event, err) || err != nil || event.Operation != nil {
				return
			}
		}
	}
}

func (s *OperationState) events(ctx context.Context, retries int) iter.Seq2[*Event, error] {
	return s.link.transport.events(ctx, "/v1/operations/"+s.ID+"/events", "", retries)
}

// Action is the operation's, as create.new_song.
func (s *OperationState) Action() string { return s.link.action }

// operation is any of them.
type operation interface {
	state() *OperationState
	files() []*OutputFile
}

// AnyOperation is the operation of any action. Raw has what this version does not know.
type AnyOperation struct {
	OperationState
	// Output is of actions with one; nil until it is ready.
	Output *OutputFile `json:"output"`
	// Outputs are of actions with several; nil until it is ready.
	Outputs []OutputFile    `json:"outputs"`
	Raw     json.RawMessage `json:"-"`
}

func (o *AnyOperation) files() []*OutputFile {
	if o.Output != nil {
		return []*OutputFile{o.Output}
	}
	return pointers(o.Outputs)
}

// UnmarshalJSON keeps the JSON as it came.
func (o *AnyOperation) UnmarshalJSON(data []byte) error {
	type plain AnyOperation
	o.Raw = append([]byte(nil), data...)
	return json.Unmarshal(data, (*plain)(o))
}

// Wait waits for the end, as the waits of all operations.
func (o *AnyOperation) Wait(ctx context.Context, options ...WaitOption) (*AnyOperation, error) {
	return wait(ctx, o, options)
}

// Refresh reads it as the server sees it now, with URLs that work.
func (o *AnyOperation) Refresh(ctx context.Context) (*AnyOperation, error) {
	return refresh(ctx, o, false)
}

// Cancel cancels it; its credits come back where no work has begun. What has ended stays as it is.
func (o *AnyOperation) Cancel(ctx context.Context) (*AnyOperation, error) { return cancel(ctx, o) }

// Progress of an operation.
type Progress struct {
	Progress float64
	Stage    string
	// QueuePosition is -1 once work has begun.
	QueuePosition int
}

// WaitOption is an option of Wait.
type WaitOption func(*waitOptions)

type waitOptions struct {
	onProgress func(Progress)
	keep       bool
}

// OnProgress is called with each change, as the server tells it.
func OnProgress(tell func(Progress)) WaitOption {
	return func(options *waitOptions) { options.onProgress = tell }
}

// Keep lets the work go on when the context of Wait ends; else that cancels the operation.
func Keep() WaitOption { return func(options *waitOptions) { options.keep = true } }

// pointerTo is a pointer to a type of operation.
type pointerTo[Op any] interface {
	*Op
	operation
}

func wait[Op any, Pointer pointerTo[Op]](ctx context.Context, now Pointer, given []WaitOption) (*Op, error) {
	var options waitOptions
	for _, option := range given {
		option(&options)
	}
	ended, err := waitOn[Op](ctx, now, options)
	if ctx.Err() != nil && !options.keep {
		last, done := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
		defer done()
		_, _ = cancel[Op](last, now)
	}
	return ended, err
}

func waitOn[Op any, Pointer pointerTo[Op]](ctx context.Context, now Pointer, options waitOptions) (*Op, error) {
	seen := Progress{QueuePosition: -2}
	tell := func(news Progress) {
		if news != seen {
			options.onProgress(news)
		}
		seen = news
	}
	is_long := options.onProgress == nil
	if !is_long && now.state().Status == OperationStatusProcessing {
		// Where events are refused or break off, whoever waits asks instead.
		for event, err := range now.state().events(ctx, 0) {
			if err != nil || event.Operation != nil {
				break
			}
			tell(event.Progress)
		}
		next, err := refresh[Op](ctx, now, false)
		if err != nil {
			return nil, err
		}
		now = next
	}
	for now.state().Status == OperationStatusProcessing {
		if !is_long {
			tell(now.state().now())
			if err := sleep(ctx, progressEvery); err != nil {
				return nil, err
			}
		}
		next, err := refresh[Op](ctx, now, is_long)
		if err != nil {
			return nil, err
		}
		now = next
	}
	if failed := now.state().Error; failed != nil {
		return now, &OperationFailedError{now.state().ID, *failed}
	}
	return now, nil
}

func refresh[Op any, Pointer pointerTo[Op]](ctx context.Context, o Pointer, is_long bool) (*Op, error) {
	link := o.state().link
	c := call{method: http.MethodGet, path: "/v1/" + link.action + "?id=" + o.state().ID}
	if is_long {
		c.path += "&wait=true"
		c.timeout = link.transport.timeout + longPoll
	}
	return readOperation[Op](ctx, link.transport, link.action, c)
}

func cancel[Op any, Pointer pointerTo[Op]](ctx context.Context, o Pointer) (*Op, error) {
	link := o.state().link
	return readOperation[Op](ctx, link.transport, link.action, keyed("/v1/operations.cancel", o.state().ID))
}

func readOperation[Op any](ctx context.Context, t *transport, action string, c call) (*Op, error) {
	answer, err := ask[json.RawMessage](ctx, t, c, "")
	if err != nil {
		return nil, err
	}
	return operationIn[Op](t, action, answer)
}

// operationIn reads the operation in an answer, which holds it under one key.
func operationIn[Op any](t *transport, action string, answer []byte) (*Op, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(answer, &fields); err != nil {
		return nil, err
	}
	for _, data := range fields {
		return decodeOperation[Op](t, action, data)
	}
	return decodeOperation[Op](t, action, []byte("null"))
}

func decodeOperation[Op any](t *transport, action string, data []byte) (*Op, error) {
	o := new(Op)
	if err := json.Unmarshal(data, o); err != nil {
		return nil, err
	}
	typed := any(o).(operation)
	state := typed.state()
	state.link = link{t, action}
	for index, file := range typed.files() {
		file.place = place{link: state.link, operation: state.ID, index: index}
	}
	return o, nil
}

func pointers[Value any](values []Value) []*Value {
	all := make([]*Value, len(values))
	for index := range values {
		all[index] = &values[index]
	}
	return all
}
