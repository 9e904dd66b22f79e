package tonwerk

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strings"
)

// idsAtOnce is how many operations one request may name.
const idsAtOnce = 100

// Operations are those of all actions.
type Operations struct{ operationsRoutes }

// List yields the account's operations that fit all filters, newest first, of all pages. After an error there are no more.
func (r Operations) List(ctx context.Context, filters OperationFilters) iter.Seq2[*AnyOperation, error] {
	return func(yield func(*AnyOperation, error) bool) {
		for data, err := range pages[json.RawMessage](ctx, r.transport, "/v1/operations", filters, "operations") {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(listedOperation(r.transport, *data)) {
				return
			}
		}
	}
}

// Get reads an operation, whatever its action.
func (r Operations) Get(ctx context.Context, id string) (*AnyOperation, error) {
	c := call{method: http.MethodGet, path: "/v1/operations/" + url.PathEscape(id)}
	data, err := ask[json.RawMessage](ctx, r.transport, c, "operation")
	if err != nil {
		return nil, err
	}
	return listedOperation(r.transport, data)
}

// GetMany reads these, in this order; nil where there is no such operation.
func (r Operations) GetMany(ctx context.Context, ids ...string) ([]*AnyOperation, error) {
	return r.readMany(ctx, ids, false)
}

// WaitMany is GetMany when all of them have ended. Those that failed have an Error.
func (r Operations) WaitMany(ctx context.Context, ids ...string) ([]*AnyOperation, error) {
	return r.readMany(ctx, ids, true)
}

func (r Operations) readMany(ctx context.Context, ids []string, is_long bool) ([]*AnyOperation, error) {
	found := map[string]*AnyOperation{}
	for left := unique(ids); len(left) > 0; {
		some := left[:min(len(left), idsAtOnce)]
		c := call{method: http.MethodGet, path: "/v1/operations?ids=" + url.QueryEscape(strings.Join(some, ","))}
		if is_long {
			c.path += "&wait=true"
			c.timeout = r.transport.timeout + longPoll
		}
		read, err := ask[[]json.RawMessage](ctx, r.transport, c, "operations")
		if err != nil {
			return nil, err
		}
		has_all_ended := true
		for _, data := range read {
			one, err := listedOperation(r.transport, data)
			if err != nil {
				return nil, err
			}
			found[one.ID] = one
			has_all_ended = has_all_ended && one.Status != OperationStatusProcessing
		}
		if has_all_ended || !is_long {
			left = left[len(some):]
		}
	}
	all := make([]*AnyOperation, len(ids))
	for index, id := range ids {
		all[index] = found[id]
	}
	return all, nil
}

func unique(ids []string) []string {
	var all []string
	seen := map[string]bool{}
	for _, id := range ids {
		if !seen[id] {
			all = append(all, id)
		}
		seen[id] = true
	}
	return all
}

// Cancel cancels it; its credits come back where no work has begun. What has ended stays as it is.
func (r Operations) Cancel(ctx context.Context, id string) (*AnyOperation, error) {
	operation, err := r.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return operation.Cancel(ctx)
}

// Redeliver sends the webhook of an operation that has ended again.
func (r Operations) Redeliver(ctx context.Context, id string) error {
	return r.transport.json(ctx, keyed("/v1/operations.redeliver", id), &struct{}{})
}

// Events yields what becomes of all operations of the account: from now on, or since the event of the id where it is not empty.
// They have no end but that of the context. Ends are told at least once: after a broken connection those of the last seconds
// may come again.
func (r Operations) Events(ctx context.Context, lastEventID string) iter.Seq2[*Event, error] {
	return r.transport.events(ctx, "/v1/events", lastEventID, r.transport.retries)
}

// listedOperation is one as lists hold it.
func listedOperation(t *transport, data json.RawMessage) (*AnyOperation, error) {
	var named struct {
		Action string `json:"action"`
	}
	if err := json.Unmarshal(data, &named); err != nil {
		return nil, err
	}
	return decodeOperation[AnyOperation](t, named.Action, data)
}

// Batches are many submissions in one call.
type Batches struct{ transport *transport }

// Submission is a request of a batch.
type Submission struct {
	// Action is its name, as create.new_song.
	Action string
	// Request is a SongRequest and the like, or a map.
	Request any
	// IdempotencyKey is a new one where it is empty.
	IdempotencyKey string
}

// SubmissionResult is what became of one: an operation, or an *APIError.
type SubmissionResult struct {
	Operation *AnyOperation
	Err       error
}

// Create submits up to 100 requests. Each is accepted or refused by itself.
func (b Batches) Create(ctx context.Context, submissions ...Submission) ([]SubmissionResult, error) {
	type entry struct {
		Action  string  `json:"action"`
		Request withKey `json:"request"`
	}
	var sent struct {
		Submissions []entry `json:"submissions"`
	}
	for _, one := range submissions {
		key := first(one.IdempotencyKey, newKey())
		sent.Submissions = append(sent.Submissions, entry{one.Action, withKey{key, one.Request}})
	}
	var answer struct {
		Submissions []struct {
			Status     int             `json:"status"`
			RetryAfter float64         `json:"retry_after"`
			Body       json.RawMessage `json:"body"`
		} `json:"submissions"`
	}
	// Each has its key: sent again, all are what they were.
	if err := b.transport.json(ctx, call{method: http.MethodPost, path: "/v1/batches", json: sent}, &answer); err != nil {
		return nil, err
	}
	results := make([]SubmissionResult, len(answer.Submissions))
	for index, one := range answer.Submissions {
		if one.Status != http.StatusOK {
			refused := newAPIError(&http.Response{StatusCode: one.Status, Header: http.Header{}}, one.Body)
			refused.RetryAfter = seconds(one.RetryAfter)
			results[index].Err = refused
			continue
		}
		results[index].Operation, results[index].Err = operationIn[AnyOperation](b.transport, submissions[index].Action, one.Body)
	}
	return results, nil
}
