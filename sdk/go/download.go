package tonwerk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

const downloadTries = 5

// OutputFile is one piece of audio, as far as all actions share it.
type OutputFile struct {
	// URL is signed and time-limited; what downloads here signs it again.
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expires_at"`
	// Duration in seconds.
	Duration float64 `json:"duration"`
	// Bytes is the file's length.
	Bytes int64 `json:"bytes"`
	// SHA256 of the file, hexadecimal.
	SHA256 string `json:"sha256"`
	// Engine is what made it.
	Engine string `json:"engine"`
	place  place
}

// place is where an output stands, to sign its URL again.
type place struct {
	link
	operation string
	index     int
}

// Source is the file as the source of another request.
func (f *OutputFile) Source() AudioSource { return AudioSource{URL: f.URL} }

// Download saves the file; path appears when it is whole.
func (f *OutputFile) Download(ctx context.Context, path string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	reader := f.Open(ctx)
	defer reader.Close()
	if _, err = io.Copy(file, reader); err != nil {
		return err
	}
	// Temporary files are their owner's alone.
	if err = file.Chmod(0o644); err != nil {
		return err
	}
	if err = file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// Open reads the file's bytes as they come: going on where the connection broke, signed again where the URL expired. What
// ends with io.EOF is the file; what is not ends with ErrChecksum.
func (f *OutputFile) Open(ctx context.Context) io.ReadCloser {
	return &download{ctx: ctx, file: f, url: f.URL, hash: sha256.New()}
}

type download struct {
	ctx    context.Context
	file   *OutputFile
	url    string
	hash   hash.Hash
	bytes  int64
	failed int
	body   io.ReadCloser
}

func (d *download) Read(into []byte) (int, error) {
	if len(into) == 0 {
		return 0, nil
	}
	for d.bytes < d.file.Bytes {
		n, err := d.readOnce(into)
		if n > 0 {
			d.failed = 0
			d.bytes += int64(n)
			d.hash.Write(into[:n])
			return n, nil
		}
		_ = d.Close()
		if err := d.recover(err); err != nil {
			return 0, err
		}
	}
	if d.bytes != d.file.Bytes || hex.EncodeToString(d.hash.Sum(nil)) != d.file.SHA256 {
		return 0, ErrChecksum
	}
	return 0, io.EOF
}

func (d *download) readOnce(into []byte) (int, error) {
	if d.body == nil {
		request, err := http.NewRequestWithContext(d.ctx, http.MethodGet, d.url, nil)
		if err != nil {
			return 0, err
		}
		request.Header.Set("Accept-Encoding", "identity")
		if d.bytes > 0 {
			request.Header.Set("Range", fmt.Sprintf("bytes=%d-", d.bytes))
		}
		response, err := d.file.place.client().Do(request)
		if err != nil {
			return 0, err
		}
		d.body = response.Body
		if response.StatusCode < 200 || response.StatusCode > 299 {
			return 0, newAPIError(response, nil)
		}
		if d.bytes > 0 && response.StatusCode != http.StatusPartialContent {
			return 0, errors.New("the server does not continue downloads")
		}
	}
	return d.body.Read(into)
}

// recover makes another try possible, or returns why there is none.
func (d *download) recover(err error) error {
	if d.ctx.Err() != nil {
		return context.Cause(d.ctx)
	}
	d.failed++
	var refused *APIError
	is_refused := errors.As(err, &refused)
	is_expired := is_refused && refused.Status == http.StatusForbidden
	if is_refused && !is_expired && !refused.isTransient() {
		return refused
	}
	if d.failed >= downloadTries {
		return &ConnectionError{Err: fmt.Errorf("the download broke off: %w", err)}
	}
	if is_expired {
		d.url, err = d.file.place.sign(d.ctx)
		return err
	}
	pause := firstPause << d.failed
	return sleep(d.ctx, pause/2+pause/4)
}

func (d *download) Close() error {
	if d.body == nil {
		return nil
	}
	body := d.body
	d.body = nil
	return body.Close()
}

func (p place) client() *http.Client {
	if p.transport == nil {
		return http.DefaultClient
	}
	return p.transport.http
}

func (p place) sign(ctx context.Context) (string, error) {
	if p.transport == nil {
		return "", errors.New("tonwerk: the URL has expired; get the operation anew")
	}
	resource := Resource[map[string]any, AnyOperation]{p.transport, p.action}
	o, err := resource.Get(ctx, p.operation)
	if err != nil {
		return "", err
	}
	files := o.files()
	if p.index >= len(files) {
		return "", fmt.Errorf("tonwerk: %s has no such output any more", p.operation)
	}
	return files[p.index].URL, nil
}
