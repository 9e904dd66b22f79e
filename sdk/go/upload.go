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

// UploadedFile works as a source, and lives 24 hours after its last use.
type UploadedFile struct {
	ID        string    `json:"id"`
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expires_at"`
	// Duration in seconds.
	Duration float64 `json:"duration"`
}

// Source is the upload as the source of a request.
func (f *UploadedFile) Source() AudioSource { return AudioSource{URL: f.URL} }

// Upload uploads WAV, MP3 or FLAC from where the reader stands. A reader that can seek is sent again where the connection
// breaks, others are not.
func (c *Client) Upload(ctx context.Context, audio io.Reader) (*UploadedFile, error) {
	body, err := bodyOf(audio)
	if err != nil {
		return nil, err
	}
	return c.file(ctx, call{method: http.MethodPut, path: "/v1/files", body: body, timeout: uploadTimeout})
}

// UploadPath uploads a file.
func (c *Client) UploadPath(ctx context.Context, path string) (*UploadedFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return c.Upload(ctx, file)
}

// File reads an upload, with a URL that works.
func (c *Client) File(ctx context.Context, id string) (*UploadedFile, error) {
	return c.file(ctx, call{method: http.MethodGet, path: "/v1/files?id=" + url.QueryEscape(id)})
}

func (c *Client) file(ctx context.Context, request call) (*UploadedFile, error) {
	var answer struct {
		File UploadedFile `json:"file"`
	}
	if err := c.transport.json(ctx, request, &answer); err != nil {
		return nil, err
	}
	return &answer.File, nil
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
