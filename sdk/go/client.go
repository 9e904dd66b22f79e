// Package tonwerk is a client of a Tonwerk server: songs, instrumentals, samples, effects, remixes, stems, cuts, loudness
// and ducking.
package tonwerk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	Files      Files
	Operations Operations
	Batches    Batches
	transport  *transport
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
	return &Client{
		Resources:  resourcesOf(t),
		Files:      Files{filesRoutes{t}},
		Operations: Operations{operationsRoutes{t}},
		Batches:    Batches{t},
		transport:  t,
	}, nil
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

// CallOption is an option of what is sent under an idempotency key: Create, uploads and redelivery.
type CallOption func(*callOptions)

type callOptions struct {
	key, name string
	headers   map[string]string
}

func chosen(options []CallOption) callOptions {
	all := callOptions{key: newKey(), headers: map[string]string{}}
	for _, option := range options {
		option(&all)
	}
	return all
}

// WithIdempotencyKey gives the key of a request, a UUID; without it each has a new one. The same request under the same key
// is accepted and charged once, however often it is sent.
func WithIdempotencyKey(key string) CallOption {
	return func(options *callOptions) { options.key = key }
}

// WithTestOutcome says how Create ends with a test key: ready, or a FailureCode.
func WithTestOutcome(code string) CallOption {
	return func(options *callOptions) { options.headers["Test-Outcome"] = code }
}

// WithName says what lists call an upload.
func WithName(name string) CallOption {
	return func(options *callOptions) { options.name = name }
}

// Create submits. Its errors are *APIError and *ConnectionError.
func (r Resource[Request, Op]) Create(ctx context.Context, request Request, options ...CallOption) (*Op, error) {
	how := chosen(options)
	c := r.put("", request, how.key)
	c.headers = how.headers
	return readOperation[Op](ctx, r.transport, r.action, c)
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

// keyed is a request about one operation.
func keyed(path, id string) call {
	key := newKey()
	return call{method: http.MethodPut, path: path, json: withKey{key, map[string]string{"id": id}}, key: key}
}
