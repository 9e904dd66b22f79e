package tonwerk

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// webhookTolerance is how far the delivery's clock and this one may differ.
const webhookTolerance = 5 * time.Minute

// WebhookEvent is a delivery whose sender and age are certain.
type WebhookEvent struct {
	// ID is the same on every attempt: drop what you have seen.
	ID string
	// Type is <action>.started, <action>.ready, <action>.failed, or ping, which is what an endpoint gets for a test.
	Type string
	// Action is that of the operation; empty of a ping.
	Action string
	// Operation is as the matching GET answered then; nil of a ping. URLs in a late delivery may have expired.
	Operation *AnyOperation
	// EndpointID is whom a ping is for; else empty.
	EndpointID string
}

// VerifyWebhook reads a delivery: Standard Webhooks 1.0, signature v1. The body is as it came, before any parsing. The secrets
// are the account's whsec_…; several while one replaces another. Its errors are ErrWebhook.
func VerifyWebhook(body []byte, header http.Header, secrets ...string) (*WebhookEvent, error) {
	id, timestamp, kind := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"), header.Get("Webhook-Type")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || id == "" || kind == "" {
		return nil, fmt.Errorf("%w: a header is missing", ErrWebhook)
	}
	if age := time.Since(time.Unix(seconds, 0)); age.Abs() > webhookTolerance {
		return nil, fmt.Errorf("%w: it is too old, or a clock is wrong", ErrWebhook)
	}
	signed := append([]byte(id+"."+timestamp+"."), body...)
	if !isSigned(signed, header.Get("Webhook-Signature"), secrets) {
		return nil, fmt.Errorf("%w: the signature does not fit", ErrWebhook)
	}
	var sent map[string]json.RawMessage
	if err := json.Unmarshal(body, &sent); err != nil {
		return nil, err
	}
	// Accounts may choose the older envelope.
	if data, is_envelope := sent["data"]; is_envelope && sent["type"] != nil {
		sent = nil
		if err := json.Unmarshal(data, &sent); err != nil {
			return nil, err
		}
	}
	action := kind[:max(strings.LastIndex(kind, "."), 0)]
	for _, data := range sent {
		if kind == "ping" {
			var endpoint struct {
				ID string `json:"id"`
			}
			err := json.Unmarshal(data, &endpoint)
			return &WebhookEvent{ID: id, Type: kind, EndpointID: endpoint.ID}, err
		}
		operation, err := decodeOperation[AnyOperation](nil, action, data)
		return &WebhookEvent{ID: id, Type: kind, Action: action, Operation: operation}, err
	}
	return nil, fmt.Errorf("%w: it has no operation", ErrWebhook)
}

func isSigned(signed []byte, signatures string, secrets []string) bool {
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			continue
		}
		mac := hmac.New(sha256.New, key)
		mac.Write(signed)
		made := mac.Sum(nil)
		for _, entry := range strings.Fields(signatures) {
			given, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(entry, "v1,"))
			if err == nil && strings.HasPrefix(entry, "v1,") && hmac.Equal(made, given) {
				return true
			}
		}
	}
	return false
}
