package tonwerk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	downloadTries = 5
	// formTries: a form that is still being made is a 503 after 20 s.
	formTries = 30
)

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

// place is where an output stands, to sign its URL again. `asked` stands behind the signature.
type place struct {
	link
	operation string
	index     int
	asked     string
}

// archiveIndex is all outputs as one file, which does not go on where it broke off.
const archiveIndex = -1

// Form is another form of an output.
type Form struct {
	// Format is flac, wav, mp3 or opus; flac where it is empty.
	Format string
	// Bits of flac and wav, 16 or 24; as they are where it is 0.
	Bits int
	// Preview: the 30 seconds that tell most.
	Preview bool
}

// In is the file in another form, which may have to be made first. Its Bytes and SHA256 are not known before.
func (f *OutputFile) In(form Form) *OutputFile {
	other := *f
	other.Bytes, other.SHA256 = -1, ""
	if form.Format != "" {
		other.place.asked += "&format=" + form.Format
	}
	if form.Bits != 0 {
		other.place.asked += "&bits=" + strconv.Itoa(form.Bits)
	}
	if form.Preview {
		other.place.asked += "&preview=true"
	}
	return &other
}

// Peaks is a waveform to be drawn: the smallest and largest sample of each bin, -1 to 1.
type Peaks struct {
	// Duration in seconds.
	Duration float64   `json:"duration"`
	Bins     int       `json:"bins"`
	Min      []float64 `json:"min"`
	Max      []float64 `json:"max"`
}

// Peaks reads a waveform of 1 to 8,000 bins.
func (f *OutputFile) Peaks(ctx context.Context, bins int) (*Peaks, error) {
	if f.place.transport == nil {
		return nil, errNoClient
	}
	asked := "&peaks=" + strconv.Itoa(bins)
	peaks, err := ask[*Peaks](ctx, f.place.transport, call{method: http.MethodGet, path: f.URL + asked}, "")
	if !isExpired(err) {
		return peaks, err
	}
	url, err := f.place.sign(ctx)
	if err != nil {
		return nil, err
	}
	return ask[*Peaks](ctx, f.place.transport, call{method: http.MethodGet, path: url + asked}, "")
}

var errNoClient = errors.New("tonwerk: it came without a client; get the operation")

func isExpired(err error) bool {
	var refused *APIError
	return errors.As(err, &refused) && refused.Status == http.StatusForbidden
}

// downloadArchive saves all outputs of an operation as one ZIP.
func (s *OperationState) downloadArchive(ctx context.Context, archive *Archive, path string) (err error) {
	if archive == nil {
		return fmt.Errorf("tonwerk: %s has no archive: it is %s", s.ID, s.Status)
	}
	file := OutputFile{URL: archive.URL, Bytes: -1, place: place{link: s.link, operation: s.ID, index: archiveIndex}}
	for range downloadTries {
		var broken *ConnectionError
		if err = file.Download(ctx, path); !errors.As(err, &broken) {
			break
		}
	}
	return err
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
	return &download{ctx: ctx, file: f, url: f.URL + f.place.asked, total: f.Bytes, hash: sha256.New()}
}

type download struct {
	ctx   context.Context
	file  *OutputFile
	url   string
	hash  hash.Hash
	bytes int64
	// total is -1 until the answer says it; etag is of a form, which may be made anew.
	total  int64
	etag   string
	failed int
	body   io.ReadCloser
}

func (d *download) Read(into []byte) (int, error) {
	if len(into) == 0 {
		return 0, nil
	}
	for d.total < 0 || d.bytes < d.total {
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
	is_known := d.file.SHA256 != ""
	if d.bytes != d.total || is_known && hex.EncodeToString(d.hash.Sum(nil)) != d.file.SHA256 {
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
			if d.etag != "" {
				request.Header.Set("If-Range", d.etag)
			}
		}
		response, err := d.file.place.client().Do(request)
		if err != nil {
			return 0, err
		}
		d.body = response.Body
		if response.StatusCode < 200 || response.StatusCode > 299 {
			said, _ := io.ReadAll(response.Body)
			return 0, newAPIError(response, said)
		}
		if d.bytes > 0 && response.StatusCode != http.StatusPartialContent {
			return 0, errors.New("the server does not continue downloads")
		}
		if d.total < 0 {
			if d.total = response.ContentLength; d.total < 0 {
				return 0, errors.New("the server does not say how long it is")
			}
			d.etag = response.Header.Get("ETag")
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
	if is_refused && !isExpired(err) && !refused.isTransient() {
		return refused
	}
	tries := downloadTries
	if is_refused && refused.Status == http.StatusServiceUnavailable && d.file.place.asked != "" {
		tries = formTries
	}
	if d.failed >= tries || d.bytes > 0 && d.file.place.index == archiveIndex {
		return &ConnectionError{Err: fmt.Errorf("the download broke off: %w", err)}
	}
	if isExpired(err) {
		d.url, err = d.file.place.sign(d.ctx)
		d.url += d.file.place.asked
		return err
	}
	pause := pauseAfter(d.failed)
	if is_refused {
		pause = max(pause, min(refused.RetryAfter, longestRetryAfter))
	}
	return sleep(d.ctx, pause)
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
		return "", errNoClient
	}
	resource := Resource[map[string]any, AnyOperation]{p.transport, p.action}
	o, err := resource.Get(ctx, p.operation)
	if err != nil {
		return "", err
	}
	if p.index == archiveIndex {
		var said struct {
			Archive *Archive `json:"archive"`
		}
		if err := json.Unmarshal(o.Raw, &said); err != nil || said.Archive == nil {
			return "", fmt.Errorf("tonwerk: %s has no archive any more", p.operation)
		}
		return said.Archive.URL, nil
	}
	files := o.files()
	if p.index >= len(files) {
		return "", fmt.Errorf("tonwerk: %s has no such output any more", p.operation)
	}
	return files[p.index].URL, nil
}
