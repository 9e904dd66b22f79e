package tonwerk

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"
)

const uploadTimeout = 10 * time.Minute

// Files are uploads, which work as sources.
type Files struct{ filesRoutes }

// Source is the upload as the source of a request.
func (f *UploadedFile) Source() AudioSource { return AudioSource{URL: f.URL} }

// Upload uploads WAV, MP3 or FLAC from where the reader stands. The same bytes under the same key are one upload. A reader that
// can seek is sent again where the connection breaks, others are not.
func (r Files) Upload(ctx context.Context, audio io.Reader, options ...CallOption) (*UploadedFile, error) {
	body, err := bodyOf(audio)
	if err != nil {
		return nil, err
	}
	how := chosen(options)
	how.headers["Idempotency-Key"] = how.key
	c := call{method: http.MethodPut, path: "/v1/files", body: body, key: how.key, headers: how.headers, timeout: uploadTimeout}
	if how.name != "" {
		c.path += "?name=" + url.QueryEscape(how.name)
	}
	return ask[*UploadedFile](ctx, r.transport, c, "file")
}

// UploadPath uploads a file.
func (r Files) UploadPath(ctx context.Context, path string, options ...CallOption) (*UploadedFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return r.Upload(ctx, file, options...)
}

var errReadAlready = errors.New("tonwerk: the upload broke off; its reader was read already")

func bodyOf(audio io.Reader) (func() (io.Reader, int64, error), error) {
	seeker, can_seek := audio.(io.Seeker)
	start := int64(0)
	if can_seek {
		var err error
		// A pipe is a file that cannot seek.
		if start, err = seeker.Seek(0, io.SeekCurrent); err != nil {
			can_seek = false
		}
	}
	if !can_seek {
		is_read := false
		return func() (io.Reader, int64, error) {
			if is_read {
				return nil, 0, &ConnectionError{Err: errReadAlready}
			}
			is_read = true
			return audio, -1, nil
		}, nil
	}
	end, err := seeker.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	var before *guardedReader
	return func() (io.Reader, int64, error) {
		before.stop()
		if _, err := seeker.Seek(start, io.SeekStart); err != nil {
			return nil, 0, err
		}
		before = &guardedReader{reader: io.LimitReader(audio, end-start)}
		return before, end - start, nil
	}, nil
}

// guardedReader can be stopped: net/http may still read a body when its request has ended.
type guardedReader struct {
	lock   sync.Mutex
	reader io.Reader
}

func (g *guardedReader) Read(into []byte) (int, error) {
	g.lock.Lock()
	defer g.lock.Unlock()
	if g.reader == nil {
		return 0, io.ErrClosedPipe
	}
	return g.reader.Read(into)
}

func (g *guardedReader) stop() {
	if g == nil {
		return
	}
	g.lock.Lock()
	defer g.lock.Unlock()
	g.reader = nil
}
