package tonwerk

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"
)

// Event is something that became of an operation.
type Event struct {
	// Type is progress, ready or failed.
	Type string
	// ID is of ends: what Events goes on after.
	ID          string
	Action      string
	OperationID string
	Progress    Progress
	// Operation is there at its end, without reports.
	Operation *AnyOperation
}

var errEventsBroke = errors.New("the events broke off")

// events reads server-sent events, and goes on after the last one that has an id where the connection breaks. It ends where
// there is nothing more to tell, and after the error that no other try mends.
func (t *transport) events(ctx context.Context, path, last string, retries int) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for failed := 0; ; failed++ {
			is_wanted := true
			err := t.readEvents(ctx, path, last, func(event *Event) bool {
				failed = 0
				if event.ID != "" {
					last = event.ID
				}
				is_wanted = yield(event, nil)
				return is_wanted
			})
			if err == nil || !is_wanted {
				return
			}
			var refused *APIError
			pause := pauseAfter(failed)
			if errors.As(err, &refused) {
				pause = max(pause, refused.RetryAfter)
			}
			is_final := refused != nil && (!refused.isTransient() || refused.RetryAfter > longestRetryAfter)
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			} else if !is_final && failed < retries {
				if err = sleep(ctx, pause); err == nil {
					continue
				}
			} else if refused == nil {
				err = &ConnectionError{Err: err}
			}
			yield(nil, err)
			return
		}
	}
}

// readEvents reads one connection; it returns nil where there is nothing more to tell.
func (t *transport) readEvents(ctx context.Context, path, last string, tell func(*Event) bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// The server shows every 15 s that it lives.
	silence := time.AfterFunc(t.timeout, func() { cancel(errEventsBroke) })
	defer silence.Stop()
	request, err := t.request(ctx, call{method: http.MethodGet, path: path}, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Accept-Encoding", "identity")
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	response, err := t.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNoContent {
		return nil
	}
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(response.Body)
		return newAPIError(response, body)
	}
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		return errors.New("the answer is no stream of events")
	}
	fields := map[string]string{}
	for lines := bufio.NewReader(response.Body); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return fmt.Errorf("%w: %w", errEventsBroke, err)
		}
		silence.Reset(t.timeout)
		// Lines that begin with a colon are comments.
		if name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ": "); name != "" {
			fields[name] = value
			continue
		}
		if fields["data"] != "" {
			event, err := t.event(fields)
			if err != nil {
				return err
			}
			if !tell(event) {
				return nil
			}
		}
		fields = map[string]string{}
	}
}

func (t *transport) event(fields map[string]string) (*Event, error) {
	data := []byte(fields["data"])
	var named struct {
		Action string `json:"action"`
	}
	if err := json.Unmarshal(data, &named); err != nil {
		return nil, err
	}
	operation, err := decodeOperation[AnyOperation](t, named.Action, data)
	if err != nil {
		return nil, err
	}
	event := &Event{fields["event"], fields["id"], named.Action, operation.ID, operation.now(), nil}
	if event.Type != "progress" {
		event.Operation = operation
	}
	return event, nil
}
