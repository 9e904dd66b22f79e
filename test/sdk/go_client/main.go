// Command test is what sdk/go has to hold: `test <name>`, with a server and control port in its environment.
package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tonwerk"
)

var (
	client = must(tonwerk.New(tonwerk.Options{}))
	trial  = must(tonwerk.New(tonwerk.Options{APIKey: os.Getenv("TEST_KEY")}))
	ctx    = context.Background()
	tests  = map[string]func(){
		"actions": actions, "typed": typed, "noAnswer": noAnswer, "refusals": refusals, "downloads": downloads,
		"uploads": uploads, "cancelling": cancelling, "deliveries": deliveries,
		"forms": forms, "events": events, "lists": lists, "endpoints": endpoints,
	}
)

func main() {
	for _, name := range os.Args[1:] {
		tests[name]()
	}
}

func must[Value any](value Value, err error) Value {
	check(err == nil, err)
	return value
}

func check(holds bool, why ...any) {
	if !holds {
		panic(fmt.Sprintln(why...))
	}
}

// control asks the test for what a program cannot do itself.
func control(verb string, rule any, into any) {
	body := must(json.Marshal(rule))
	response := must(http.Post(os.Getenv("CONTROL")+"/"+verb, "application/json", bytes.NewReader(body)))
	defer response.Body.Close()
	check(json.Unmarshal(must(io.ReadAll(response.Body)), into) == nil)
}

type rule struct {
	How     string            `json:"how"`
	Times   int               `json:"times"`
	Only    string            `json:"only,omitempty"`
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`
}

type seen struct {
	Ms    float64
	Range *string
	Path  string
}

func disturb(r rule) { control("disturb", r, &struct{}{}) }

func calm() []seen {
	var answer struct{ Seen []seen }
	control("calm", nil, &answer)
	return answer.Seen
}

func requests() map[string]map[string]any {
	var all map[string]map[string]any
	check(json.Unmarshal([]byte(os.Getenv("REQUESTS")), &all) == nil)
	return all
}

// What takes seconds is tried with a test key: all is as ever, but nothing is made, nor charged.
func isLong(name string) bool {
	return slices.Contains(strings.Split(os.Getenv("LONG"), ","), name)
}

func voice() tonwerk.AudioSource {
	return tonwerk.AudioSource{URL: requests()["adapt.auto_duck"]["voice"].(map[string]any)["url"].(string)}
}

// All ten, side by side; the server dies with their submissions. Nothing is charged twice.
func actions() {
	all := requests()
	prices := map[string]int64{}
	for name, body := range all {
		price := must(client.Action(name).DryRun(ctx, body))
		check(price.Sufficient && price.Cost >= 1, name)
		prices[name] = price.Cost
	}
	credits := must(client.Account(ctx)).Credits
	disturb(rule{How: "kill", Times: len(all), Only: "PUT"})
	var group sync.WaitGroup
	var toldOf atomic.Int64
	for name, body := range all {
		group.Add(1)
		go func() {
			defer group.Done()
			its, cost := client, prices[name]
			if isLong(name) {
				its, cost = trial, 0
			}
			accepted := must(its.Action(name).Create(ctx, body))
			ended := must(accepted.Wait(ctx, tonwerk.OnProgress(func(tonwerk.Progress) { toldOf.Add(1) })))
			check(ended.Status == tonwerk.OperationStatusReady && int64(ended.Cost) == cost, name)
			file := ended.Output
			if file == nil {
				file = &ended.Outputs[0]
			}
			data := must(io.ReadAll(file.Open(ctx)))
			check(string(data[:4]) == "fLaC" && int64(len(data)) == file.Bytes, name)
			same := 0
			for one, err := range its.Operations.List(ctx, tonwerk.OperationFilters{Action: []string{name}, Limit: tonwerk.Ptr[int64](1)}) {
				check(err == nil, err)
				if one.IdempotencyKey == ended.IdempotencyKey {
					same++
				}
			}
			check(same == 1, name, same)
		}()
	}
	group.Wait()
	// What ends before anybody looks has none.
	check(toldOf.Load() > 0, "no action told its progress")
	calm()
	for name, price := range prices {
		if !isLong(name) {
			credits -= price
		}
	}
	check(must(client.Account(ctx)).Credits == credits, "charged otherwise")
}

func typed() {
	sample := must(client.Samples.Create(ctx, tonwerk.SampleRequest{Prompt: "kick", Duration: 0.5, Seed: tonwerk.Ptr[int64](0)}))
	check(sample.Action() == "create.new_sample" && sample.Seed == 0 && sample.Output == nil)
	sample = must(sample.Wait(ctx))
	check(sample.Output.Duration == 0.5 && sample.Output.Seed == 0)
	louder := must(client.Normalisations.Create(ctx, tonwerk.NormalisationRequest{
		Source:   sample.Output.Source(),
		Loudness: &tonwerk.LoudnessSettings{Preset: tonwerk.LoudnessPresetPodcast},
	}))
	check(louder.Loudness.TargetLufs == -16 && louder.Loudness.AllowCompression)
	check(must(client.Normalisations.Get(ctx, louder.ID)).ID == louder.ID)
	sent := string(must(json.Marshal(tonwerk.SongRequest{Lyrics: "la", Loudness: &tonwerk.LoudnessSettings{}})))
	check(sent == `{"lyrics":"la","loudness":{}}`, sent)
	check(must(client.Capabilities(ctx)).Actions[0].Name == "adapt.auto_cut_down")
}

func noAnswer() {
	hasty := must(tonwerk.New(tonwerk.Options{Retries: 1}))
	disturb(rule{How: "lose", Times: 99})
	request := tonwerk.SampleRequest{Prompt: "snare", Duration: 0.5}
	_, err := hasty.Samples.Create(ctx, request)
	var lost *tonwerk.ConnectionError
	check(errors.As(err, &lost) && lost.IdempotencyKey != "", err)
	calm()
	credits := must(client.Account(ctx)).Credits
	made := must(client.Samples.Create(ctx, request, tonwerk.WithIdempotencyKey(lost.IdempotencyKey)))
	check(made.IdempotencyKey == lost.IdempotencyKey)
	check(must(client.Account(ctx)).Credits == credits, "it was charged when it was first sent")
}

func refusals() {
	disturb(rule{How: "answer", Times: 2, Status: 429, Headers: map[string]string{"retry-after": "1"}})
	must(client.Account(ctx))
	at := calm()
	check(len(at) == 3 && at[1].Ms-at[0].Ms >= 990 && at[2].Ms-at[1].Ms >= 990, at)
	disturb(rule{How: "answer", Times: 0})
	_, err := client.Cuts.Create(ctx, tonwerk.CutRequest{Source: voice(), TargetDuration: 4})
	var refused *tonwerk.APIError
	check(errors.Is(err, tonwerk.ErrorInvalidRequest) && errors.As(err, &refused) && refused.Status == 422, err)
	check(strings.HasPrefix(refused.Detail, "target_duration: Must be at least "), err)
	check(refused.Issues[0].Loc[1] == "target_duration" && refused.RequestID != "" && refused.DocURL != "", err)
	check(len(calm()) == 1)
	_, err = client.Samples.Get(ctx, "op_00000000000000000000000000")
	check(errors.Is(err, tonwerk.ErrorOperationNotFound) && !errors.Is(err, tonwerk.ErrorNotFound), err)
	disturb(rule{How: "answer", Times: 1, Status: 402, Body: `{"detail":"Poor","required":3,"available":1}`})
	_, err = client.Samples.Create(ctx, tonwerk.SampleRequest{Prompt: "kick", Duration: 1})
	check(errors.As(err, &refused) && refused.Required == 3 && refused.Available == 1, err)
	calm()
	cut := must(client.Cuts.Create(ctx, tonwerk.CutRequest{Source: voice(), TargetDuration: 300}))
	_, err = cut.Wait(ctx)
	var failed *tonwerk.OperationFailedError
	check(errors.As(err, &failed) && errors.Is(err, failed.Code) && failed.OperationID == cut.ID, err)
}

func downloads() {
	louder := must(client.Normalisations.Create(ctx, tonwerk.NormalisationRequest{Source: voice()}))
	output := must(louder.Wait(ctx)).Output
	folder := must(os.MkdirTemp("", "tonwerk-go-"))
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "whole.flac")
	disturb(rule{How: "cut", Times: 2, Only: "signed"})
	check(output.Download(ctx, path) == nil)
	ranges := calm()
	check(len(ranges) == 3 && ranges[0].Range == nil && *ranges[1].Range != *ranges[2].Range, ranges)
	check(int64(len(must(os.ReadFile(path)))) == output.Bytes)
	disturb(rule{How: "answer", Times: 9, Only: "signed", Status: 200, Body: strings.Repeat("x", int(output.Bytes))})
	err := output.Download(ctx, filepath.Join(folder, "false.flac"))
	check(errors.Is(err, tonwerk.ErrChecksum), err)
	check(len(must(os.ReadDir(folder))) == 1)
	disturb(rule{How: "answer", Times: 1, Only: "signed", Status: 403})
	check(int64(len(must(io.ReadAll(output.Open(ctx))))) == output.Bytes)
	calm()
}

func uploads() {
	path := os.Getenv("SONG")
	data := must(os.ReadFile(path))
	disturb(rule{How: "lose", Times: 1, Only: "PUT"})
	uploaded := must(client.Files.UploadPath(ctx, path, tonwerk.WithName("Morning")))
	check(len(calm()) == 2, "it was not sent again")
	check(must(client.Files.Get(ctx, uploaded.ID)).ID == uploaded.ID)
	key := "9d3c2b1a-0000-4000-8000-000000000001"
	whole := must(client.Files.Upload(ctx, bytes.NewReader(data), tonwerk.WithIdempotencyKey(key)))
	again := must(client.Files.Upload(ctx, io.MultiReader(bytes.NewReader(data)), tonwerk.WithIdempotencyKey(key)))
	check(whole.ID == again.ID, "one key made two uploads")
	var listed []string
	for file, err := range client.Files.List(ctx, tonwerk.FilesListFilters{Limit: tonwerk.Ptr[int64](1)}) {
		check(err == nil, err)
		listed = append(listed, file.ID)
	}
	// The first was sent twice, too, and is there once; the song and the voice for all tests are older.
	check(len(listed) == 4 && listed[0] == whole.ID && listed[1] == uploaded.ID, listed)
	check(must(client.Files.Delete(ctx, whole.ID)).Deleted)
	token := must(client.UploadTokens.Create(ctx, tonwerk.UploadTokensCreateRequest{Uploads: tonwerk.Ptr[int64](1)}))
	page := must(tonwerk.New(tonwerk.Options{APIKey: token.Token}))
	must(page.Files.UploadPath(ctx, path))
	disturb(rule{How: "lose", Times: 1, Only: "PUT"})
	_, err := client.Files.Upload(ctx, io.MultiReader(bytes.NewReader(data)))
	var lost *tonwerk.ConnectionError
	check(errors.As(err, &lost), err)
	calm()
	_, err = client.Files.Upload(ctx, strings.NewReader("no audio"))
	check(errors.Is(err, tonwerk.ErrorAudioInvalid), err)
}

func cancelling() {
	source := tonwerk.AudioSource{URL: requests()["adapt.separate_stems"]["source"].(map[string]any)["url"].(string)}
	for _, options := range [][]tonwerk.WaitOption{nil, {tonwerk.Keep()}} {
		stems := must(client.Stems.Create(ctx, tonwerk.StemRequest{Source: source}))
		soon, done := context.WithTimeout(ctx, 50*time.Millisecond)
		_, err := stems.Wait(soon, options...)
		done()
		check(errors.Is(err, context.DeadlineExceeded), err)
		ended, err := stems.Wait(ctx)
		if options == nil {
			check(errors.Is(err, tonwerk.FailureCanceled), err)
		} else {
			check(err == nil && len(ended.Outputs) >= 4, err)
		}
	}
}

func deliveries() {
	sample := must(client.Samples.Create(ctx, tonwerk.SampleRequest{
		Prompt: "kick", Duration: 0.5, CallbackURL: os.Getenv("CONTROL") + "/hook",
	}))
	var arrived struct {
		Headers map[string]string
		Body    string
	}
	control("delivery", nil, &arrived)
	secret := os.Getenv("SECRET")
	header := http.Header{}
	for name, value := range arrived.Headers {
		header.Set(name, value)
	}
	body := []byte(arrived.Body)
	event := must(tonwerk.VerifyWebhook(body, header, "whsec_AAAA", secret))
	check(event.Type == "create.new_sample.ready" && event.Action == "create.new_sample")
	check(event.Operation.ID == sample.ID && event.Operation.Output.Bytes > 0)
	sign := func(signed string) string {
		mac := hmac.New(sha256.New, must(base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))))
		mac.Write([]byte(signed))
		return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	// A test event has an endpoint where others have an operation.
	ping := `{"webhook_endpoint":{"id":"hook_1"}}`
	tried := header.Clone()
	tried.Set("Webhook-Type", "ping")
	tried.Set("Webhook-Signature", sign(header.Get("Webhook-Id")+"."+header.Get("Webhook-Timestamp")+"."+ping))
	event = must(tonwerk.VerifyWebhook([]byte(ping), tried, secret))
	check(event.Type == "ping" && event.Operation == nil && event.Action == "" && event.EndpointID == "hook_1", event)
	refused := func(body []byte, secret string) {
		_, err := tonwerk.VerifyWebhook(body, header, secret)
		check(errors.Is(err, tonwerk.ErrWebhook), err)
	}
	refused(append(body, ' '), secret)
	refused(body, "whsec_"+base64.StdEncoding.EncodeToString(make([]byte, 32)))
	// An old one, signed as it should be.
	header.Set("Webhook-Timestamp", fmt.Sprint(time.Now().Add(-301*time.Second).Unix()))
	header.Set("Webhook-Signature", sign(header.Get("Webhook-Id")+"."+header.Get("Webhook-Timestamp")+"."+arrived.Body))
	refused(body, secret)
	check(client.Operations.Redeliver(ctx, sample.ID) == nil)
	control("delivery", nil, &arrived)
}
