package tonwerk

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	mathrand "math/rand/v2"
	"net/http"
	"strings"
	"time"
)

const (
	firstPause   = 250 * time.Millisecond
	longestPause = 8 * time.Second
	// longestRetryAfter: a server that wants to be left alone for longer tells its limit, not its state. Who called should know.
	longestRetryAfter = time.Minute
)

// transport is everything between a method of the client and net/http: the key, retries and errors.
type transport struct {
	baseURL string
	apiKey  string
	retries int
	timeout time.Duration
	http    *http.Client
}

type call struct {
	method string
	path   string
	json   any
	// body opens what is uploaded, and says how long it is (-1: unknown); nil: it was read already.
	body    func() (io.Reader, int64, error)
	key     string
	headers map[string]string
	timeout time.Duration
	// once: it may have been done where no answer came.
	once bool
}

// json reads the answer of a request into `into`. Answers that ask for another try, and connections that break, are tried
// again: after what Retry-After says, else after pauses that double, each between half and all of its length so that many
// clients do not come back at once.
func (t *transport) json(ctx context.Context, c call, into any) error {
	var body []byte
	if c.json != nil {
		var err error
		if body, err = json.Marshal(c.json); err != nil {
			return err
		}
	}
	for tried := 0; ; tried++ {
		err := t.tryOnce(ctx, c, body, into)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		pause := pauseAfter(tried)
		var refused *APIError
		var unreadable *sourceError
		switch {
		case errors.As(err, &unreadable):
			return unreadable.err
		case errors.As(err, &refused):
			if tried >= t.retries || !refused.isTransient() || refused.RetryAfter > longestRetryAfter {
				return refused
			}
			pause = max(pause, refused.RetryAfter)
		case tried >= t.retries || c.once:
			return &ConnectionError{IdempotencyKey: c.key, Err: fmt.Errorf("no answer from %s: %w", t.baseURL, err)}
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

func (t *transport) tryOnce(ctx context.Context, c call, body []byte, into any) error {
	timeout := t.timeout
	if c.timeout != 0 {
		timeout = c.timeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := t.request(ctx, c, body)
	if err != nil {
		return &sourceError{err}
	}
	if c.body != nil {
		reader, length, err := c.body()
		if err != nil {
			return &sourceError{err}
		}
		// Without it the client would close what is not its own.
		request.Body, request.ContentLength, request.GetBody = io.NopCloser(reader), length, nil
	}
	response, err := t.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return newAPIError(response, answer)
	}
	return json.Unmarshal(answer, into)
}

// request has the key. A path is of the server; a URL is signed, and gets none.
func (t *transport) request(ctx context.Context, c call, body []byte) (*http.Request, error) {
	is_signed := strings.Contains(c.path, "://")
	url := c.path
	if !is_signed {
		url = t.baseURL + c.path
	}
	request, err := http.NewRequestWithContext(ctx, c.method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if !is_signed {
		request.Header.Set("Authorization", "Bearer "+t.apiKey)
	}
	if c.json != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, value := range c.headers {
		request.Header.Set(name, value)
	}
	return request, nil
}

// pauseAfter doubles, between half and all of its length.
func pauseAfter(tried int) time.Duration {
	pause := time.Duration(math.Min(float64(firstPause)*math.Pow(2, float64(tried)), float64(longestPause)))
	return pause/2 + mathrand.N(pause/2)
}

// sourceError is a fault on this side, which another try does not mend.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return e.err.Error() }

// sleep returns the context's cause where that comes first.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// newKey is a UUID of version 4.
func newKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
