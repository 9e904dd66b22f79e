package tonwerk

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
)

// ask reads an answer, or the one field of it that is not empty.
func ask[Answer any](ctx context.Context, t *transport, c call, unwrap string) (answer Answer, err error) {
	if unwrap == "" {
		return answer, t.json(ctx, c, &answer)
	}
	var fields map[string]json.RawMessage
	if err := t.json(ctx, c, &fields); err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(fields[unwrap], &answer)
}

// pages yields the entries of all pages of a list.
func pages[Entry any](ctx context.Context, t *transport, path string, filters any, field string) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		query, err := queryOf(filters)
		for err == nil {
			var page map[string]json.RawMessage
			c := call{method: http.MethodGet, path: path + "?" + query.Encode()}
			if err = t.json(ctx, c, &page); err != nil {
				break
			}
			var entries []*Entry
			if err = json.Unmarshal(page[field], &entries); err != nil {
				break
			}
			for _, entry := range entries {
				if !yield(entry, nil) {
					return
				}
			}
			var cursor string
			if err = json.Unmarshal(page["next_cursor"], &cursor); err == nil && cursor == "" {
				return
			}
			query.Set("cursor", cursor)
		}
		yield(nil, err)
	}
}

// queryOf is a struct as a query: several values stand in one, and a map is a pair each.
func queryOf(filters any) (url.Values, error) {
	query := url.Values{}
	data, err := json.Marshal(filters)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	numbers := json.NewDecoder(bytes.NewReader(data))
	numbers.UseNumber()
	if err := numbers.Decode(&fields); err != nil {
		return nil, err
	}
	for name, value := range fields {
		switch value := value.(type) {
		case map[string]any:
			for key, one := range value {
				query.Set(name+"["+key+"]", fmt.Sprint(one))
			}
		case []any:
			var all []string
			for _, one := range value {
				all = append(all, fmt.Sprint(one))
			}
			query.Set(name, strings.Join(all, ","))
		default:
			query.Set(name, fmt.Sprint(value))
		}
	}
	return query, nil
}
