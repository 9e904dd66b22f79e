package tonwerk

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrorCode tells refusals apart: errors.Is(err, tonwerk.ErrorInsufficientCredits). A newer server or a plugin may bring more.
type ErrorCode string

// Error is there for errors.Is.
func (c ErrorCode) Error() string { return string(c) }

// FailureCode tells apart why operations failed: errors.Is(err, tonwerk.FailureSourceTooShort).
type FailureCode string

// Error is there for errors.Is.
func (c FailureCode) Error() string { return string(c) }

// Issue is one field that a request got wrong.
type Issue struct {
	// Loc is where it stands: names, and numbers of entries.
	Loc []any `json:"loc"`
	// Msg is what is wrong.
	Msg string `json:"msg"`
	// Type is stable.
	Type string `json:"type"`
}

// place: where in the body, as duration or album.3.url.
func (i Issue) place() string {
	loc := i.Loc
	if len(loc) > 1 {
		loc = loc[1:]
	}
	var names []string
	for _, name := range loc {
		names = append(names, fmt.Sprint(name))
	}
	return strings.Join(names, ".")
}

// APIError is a refusal. Nothing was created and nothing was charged.
type APIError struct {
	// Status of HTTP.
	Status int
	// Code is http_<status> where an answer has none, as those of proxies.
	Code ErrorCode
	// Detail says it in words.
	Detail string
	// DocURL is a page that tells cause and cure.
	DocURL string
	// RequestID is what to give to who runs the server.
	RequestID string
	// RetryAfter is when the server wants the request again; 0: it did not say.
	RetryAfter time.Duration
	// Issues are the fields that are wrong, of a 422.
	Issues []Issue
	// Required and Available are credits, of a 402.
	Required, Available int
	// Body is the answer.
	Body []byte
}

func (e *APIError) Error() string { return fmt.Sprintf("tonwerk: %d %s", e.Status, e.Detail) }

// Is compares codes.
func (e *APIError) Is(target error) bool { return target == error(e.Code) }

func (e *APIError) isTransient() bool {
	return slices.Contains([]int{408, 425, 429, 500, 502, 503, 504, 507}, e.Status)
}

func newAPIError(response *http.Response, body []byte) *APIError {
	e := &APIError{
		Status:     response.StatusCode,
		Code:       ErrorCode("http_" + strconv.Itoa(response.StatusCode)),
		Detail:     http.StatusText(response.StatusCode),
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: retryAfter(response.Header.Get("Retry-After")),
		Body:       body,
	}
	var said struct {
		Detail    json.RawMessage `json:"detail"`
		Code      ErrorCode       `json:"code"`
		DocURL    string          `json:"doc_url"`
		Required  int             `json:"required"`
		Available int             `json:"available"`
	}
	if json.Unmarshal(body, &said) != nil {
		return e
	}
	e.DocURL, e.Required, e.Available = said.DocURL, said.Required, said.Available
	if said.Code != "" {
		e.Code = said.Code
	}
	if json.Unmarshal(said.Detail, &e.Issues) == nil {
		var wrong []string
		for _, issue := range e.Issues {
			wrong = append(wrong, issue.place()+": "+issue.Msg)
		}
		e.Detail = strings.Join(wrong, "; ")
	} else {
		_ = json.Unmarshal(said.Detail, &e.Detail)
	}
	return e
}

// retryAfter: the server sends seconds, proxies may send a date.
func retryAfter(header string) time.Duration {
	if number, err := strconv.ParseFloat(header, 64); err == nil {
		return seconds(number)
	}
	if date, err := http.ParseTime(header); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}

func seconds(number float64) time.Duration { return max(0, time.Duration(number*float64(time.Second))) }

// ConnectionError means no answer, after all retries. The server may have accepted the request all the same: send it again
// under the same key, at any later time, and you get the one operation that it made, charged once.
type ConnectionError struct {
	IdempotencyKey string
	Err            error
}

func (e *ConnectionError) Error() string { return "tonwerk: " + e.Err.Error() }

func (e *ConnectionError) Unwrap() error { return e.Err }

// OperationFailedError is an operation that ended as failed. Its credits came back, unless it was cancelled after work had
// begun.
type OperationFailedError struct {
	OperationID string
	OperationError
}

func (e *OperationFailedError) Error() string {
	return fmt.Sprintf("tonwerk: %s: %s: %s", e.OperationID, e.Code, e.Message)
}

// Is compares codes.
func (e *OperationFailedError) Is(target error) bool { return target == error(e.Code) }

// ErrChecksum is a download that is not the file that was made.
var ErrChecksum = errors.New("tonwerk: the download is not the file that was made")

// ErrWebhook is a delivery that nobody with your secret sent, or an old one.
var ErrWebhook = errors.New("tonwerk: the delivery is not to be trusted")
