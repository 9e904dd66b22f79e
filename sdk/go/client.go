// Package tonwerk is a client of a Tonwerk server: songs, instrumentals, samples, effects, remixes, stems, cuts, loudness
// and ducking.
package tonwerk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// Options of a client; the zero value reads the environment.
type Options struct {
	// BaseURL is where the server is; TONWERK_URL in the environment, else http://127.0.0.1:8787.
	BaseURL string
	// APIKey is TONWERK_KEY in the environment.
	APIKey string
	// Retries counts tries after the first, of requests that may be sent again; 6 where it is 0, none where it is negative.
	Retries int
	// Timeout of one try to be answered; a minute where it is 0.
	Timeout time.Duration
	// HTTP is http.DefaultClient where it is nil.
	HTTP *http.Client
}

// Client of a Tonwerk server. Its fields are the actions that this version knows; Action is any. Goroutines may share it.
type Client struct {
	Resources
	transport *transport
}

// New makes a client. It fails where there is no key.
func New(options Options) (*Client, error) {
	t := &transport{
		baseURL: strings.TrimRight(first(options.BaseURL, os.Getenv("TONWERK_URL"), "http://127.0.0.1:8787"), "/"),
		apiKey:  first(options.APIKey, os.Getenv("TONWERK_KEY")),
		retries: max(options.Retries, 0),
		timeout: options.Timeout,
		http:    options.HTTP,
	}
	if t.apiKey == "" {
		return nil, errors.New("tonwerk: no API key: give Options.APIKey, or set TONWERK_KEY")
	}
	if options.Retries == 0 {
		t.retries = 6
	}
	if t.timeout == 0 {
		t.timeout = time.Minute
	}
	if t.http == nil {
		t.http = http.DefaultClient
	}
	return &Client{Resources: resourcesOf(t), transport: t}, nil
}

func first(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}

// Ptr returns a pointer to its argument, for optional fields of requests.
func Ptr[Value any](value Value) *Value { return &value }

// Resource is one action: what it takes, and the operation that it answers.
type Resource[Request, Op any] struct {
	transport *transport
	action    string
}

// CallOption is an option of Create.
type CallOption func(*callOptions)

type callOptions struct{ key string }

// WithIdempotencyKey gives the key of a request, a UUID; without it each has a new one. The same request under the same key
// is accepted and charged once, however often it is sent.
func WithIdempotencyKey(key string) CallOption {
	return func(options *callOptions) { options.key = key }
}

// Create submits. Its errors are *APIError and *ConnectionError.
func (r Resource[Request, Op]) Create(ctx context.Context, request Request, options ...CallOption) (*Op, error) {
	chosen := callOptions{key: newKey()}
	for _, option := range options {
		option(&chosen)
	}
	return readOperation[Op](ctx, r.transport, r.action, r.put("", request, chosen.key))
}

// DryRun tells what Create would cost; nothing is made.
func (r Resource[Request, Op]) DryRun(ctx context.Context, request Request) (*DryRun, error) {
	answer := new(DryRun)
	return answer, r.transport.json(ctx, r.put("?dry_run=true", request, newKey()), answer)
}

// Get reads an operation.
func (r Resource[Request, Op]) Get(ctx context.Context, id string) (*Op, error) {
	path := "/v1/" + r.action + "?id=" + url.QueryEscape(id)
	return readOperation[Op](ctx, r.transport, r.action, call{method: http.MethodGet, path: path})
}

func (r Resource[Request, Op]) put(query string, request any, key string) call {
	return call{method: http.MethodPut, path: "/v1/" + r.action + query, json: withKey{key, request}, key: key}
}

// withKey is a request with its idempotency key, which stands in the same object.
type withKey struct {
	key     string
	request any
}

func (w withKey) MarshalJSON() ([]byte, error) {
	body, err := json.Marshal(w.request)
	if err != nil {
		return nil, err
	}
	if len(body) < 2 || body[0] != '{' {
		return nil, fmt.Errorf("tonwerk: a request is an object, not %s", body)
	}
	head := []byte(`{"idempotency_key":` + strconv.Quote(w.key))
	if !bytes.Equal(body, []byte("{}")) {
		head = append(head, ',')
	}
	return append(head, body[1:]...), nil
}

// Action is any action by name: one that a plugin of the server brings, too.
func (c *Client) Action(name string) Resource[map[string]any, AnyOperation] {
	return Resource[map[string]any, AnyOperation]{c.transport, name}
}

// ListOptions say which operations are listed.
type ListOptions struct {
	Action string
	Status OperationStatus
	// Limit is the number of operations of a page, 1 to 100; 50 where it is 0.
	Limit int
}

// Operations are the account's, newest first, of all pages. After an error there are no more.
func (c *Client) Operations(ctx context.Context, options ListOptions) iter.Seq2[*AnyOperation, error] {
	return func(yield func(*AnyOperation, error) bool) {
		query := url.Values{}
		for name, value := range map[string]string{"action": options.Action, "status": string(options.Status)} {
			if value != "" {
				query.Set(name, value)
			}
		}
		if options.Limit != 0 {
			query.Set("limit", strconv.Itoa(options.Limit))
		}
		for {
			var page struct {
				Operations []json.RawMessage `json:"operations"`
				NextCursor *string           `json:"next_cursor"`
			}
			err := c.transport.json(ctx, call{method: http.MethodGet, path: "/v1/operations?" + query.Encode()}, &page)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, data := range page.Operations {
				if !yield(listedOperation(c.transport, data)) {
					return
				}
			}
			if page.NextCursor == nil {
				return
			}
			query.Set("cursor", *page.NextCursor)
		}
	}
}

func listedOperation(t *transport, data json.RawMessage) (*AnyOperation, error) {
	var named struct {
		Action string `json:"action"`
	}
	if err := json.Unmarshal(data, &named); err != nil {
		return nil, err
	}
	return decodeOperation[AnyOperation](t, named.Action, data)
}

// Redeliver sends the webhook of an operation that has ended again.
func (c *Client) Redeliver(ctx context.Context, id string) error {
	return c.transport.json(ctx, keyed("/v1/operations.redeliver", id), &struct{}{})
}

// Account tells credits and limits.
func (c *Client) Account(ctx context.Context) (*Account, error) {
	var answer struct {
		Account Account `json:"account"`
	}
	return &answer.Account, c.transport.json(ctx, call{method: http.MethodGet, path: "/v1/account"}, &answer)
}

// Capabilities tells what the server can do: actions, engines, models.
func (c *Client) Capabilities(ctx context.Context) (*Capabilities, error) {
	answer := new(Capabilities)
	return answer, c.transport.json(ctx, call{method: http.MethodGet, path: "/v1/capabilities"}, answer)
}

// keyed is a request about one operation.
func keyed(path, id string) call {
	key := newKey()
	return call{method: http.MethodPut, path: path, json: withKey{key, map[string]string{"id": id}}, key: key}
}
