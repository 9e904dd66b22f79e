package main

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tonwerk"
)

func forms() {
	louder := must(client.Normalisations.Create(ctx, tonwerk.NormalisationRequest{Source: voice()}))
	output := must(louder.Wait(ctx)).Output
	folder := must(os.MkdirTemp("", "tonwerk-go-"))
	defer os.RemoveAll(folder)
	wav := output.In(tonwerk.Form{Format: "wav", Bits: 16})
	whole := must(io.ReadAll(wav.Open(ctx)))
	check(string(whole[:4]) == "RIFF")
	disturb(rule{How: "cut", Times: 1, Only: "signed"})
	path := filepath.Join(folder, "form")
	check(wav.Download(ctx, path) == nil)
	check(len(calm()) == 2 && string(must(os.ReadFile(path))) == string(whole))
	disturb(rule{How: "answer", Times: 1, Only: "signed", Status: 403})
	check(len(must(io.ReadAll(wav.In(tonwerk.Form{Preview: true}).Open(ctx)))) == len(whole))
	disturb(rule{How: "answer", Times: 1, Only: "signed", Status: 403})
	peaks := must(output.Peaks(ctx, 64))
	check(peaks.Bins == 64 && len(peaks.Min) == 64 && len(peaks.Max) == 64)
	calm()
	_, err := io.ReadAll(output.In(tonwerk.Form{Bits: 12}).Open(ctx))
	check(errors.Is(err, tonwerk.ErrorInvalidRequest), err)
	stems := must(client.Stems.Create(ctx, tonwerk.StemRequest{Source: output.Source()}))
	check(stems.DownloadArchive(ctx, path) != nil, "there is none yet")
	stems = must(stems.Wait(ctx))
	disturb(rule{How: "cut", Times: 1, Only: "signed"})
	check(stems.DownloadArchive(ctx, path) == nil)
	check(len(calm()) == 2)
	archive := must(zip.OpenReader(path))
	defer archive.Close()
	check(len(archive.File) == len(stems.Outputs) && archive.File[0].Name == string(stems.Outputs[0].Kind)+".flac")
}

func events() {
	told := 0
	tell := tonwerk.OnProgress(func(tonwerk.Progress) { told++ })
	disturb(rule{How: "answer"})
	stems := must(must(client.Stems.Create(ctx, tonwerk.StemRequest{Source: voice()})).Wait(ctx, tell))
	paths := calm()
	check(len(paths) == 3 && strings.HasSuffix(paths[1].Path, "/events") && told > 1, paths, told)
	for _, how := range []string{"answer", "cut"} {
		disturb(rule{How: how, Times: 1, Only: "events", Status: 429})
		told = 0
		sample := must(client.Samples.Create(ctx, tonwerk.SampleRequest{Prompt: "kick", Duration: 0.5}))
		must(sample.Wait(ctx, tell))
		check(told > 0 && len(calm()) == 1)
	}
	var end *tonwerk.Event
	for event, err := range stems.Events(ctx) {
		check(err == nil, err)
		end = event
	}
	check(end.Type == "ready" && end.OperationID == stems.ID && len(end.Operation.Outputs) >= 4)
	must(end.Operation.Outputs[0].Peaks(ctx, 4))
	// A connection that breaks goes on after the last end that was read.
	disturb(rule{How: "cut", Times: 1, Only: "events"})
	sample := must(client.Samples.Create(ctx, tonwerk.SampleRequest{Prompt: "kick", Duration: 0.5}))
	for event, err := range client.Operations.Events(ctx, end.ID) {
		check(err == nil, err)
		if event.OperationID == sample.ID && event.Operation != nil {
			break
		}
	}
	calm()
}

func lists() {
	mark := map[string]string{"job": "7"}
	before := time.Now()
	request := tonwerk.SampleRequest{Prompt: "kick", Duration: 0.5, Metadata: mark}
	made := must(client.Batches.Create(ctx,
		tonwerk.Submission{Action: "create.new_sample", Request: request},
		tonwerk.Submission{Action: "create.new_sample", Request: tonwerk.SampleRequest{Prompt: "kick", Duration: -1}},
	))
	var refused *tonwerk.APIError
	check(made[0].Err == nil && made[0].Operation.Metadata["job"] == "7")
	check(errors.As(made[1].Err, &refused) && refused.Issues[0].Loc[1] == "duration", made[1].Err)
	second := must(client.Samples.Create(ctx, request))
	ids := []string{second.ID, "op_00000000000000000000000000", made[0].Operation.ID}
	ended := must(client.Operations.WaitMany(ctx, ids...))
	check(ended[0].Status == tonwerk.OperationStatusReady && ended[1] == nil && ended[2].ID == ids[2])
	check(must(client.Operations.GetMany(ctx, ids...))[0].ID == ids[0])
	check(must(client.Operations.Get(ctx, ids[0])).Action() == "create.new_sample")
	check(must(client.Operations.Cancel(ctx, ids[0])).Status == tonwerk.OperationStatusReady)
	filters := tonwerk.OperationFilters{
		Limit: tonwerk.Ptr[int64](1), Metadata: mark, CreatedAfter: &before,
		Action: []string{"create.new_sample", "create.new_fx"}, Status: []tonwerk.OperationStatus{"ready", "failed"},
	}
	var listed []string
	for one, err := range client.Operations.List(ctx, filters) {
		check(err == nil, err)
		listed = append(listed, one.ID)
	}
	check(len(listed) == 2 && listed[0] == ids[0] && listed[1] == ids[2], listed)
	_, err := client.Samples.Create(ctx, request, tonwerk.WithTestOutcome("ready"))
	check(err != nil && strings.Contains(err.Error(), "test keys"), err)
	check(len(must(client.Changelog(ctx))) > 0)
}

func endpoints() {
	made := must(client.WebhookEndpoints.Create(ctx, tonwerk.NewWebhookEndpoint{URL: os.Getenv("CONTROL") + "/hook"}))
	id := made.WebhookEndpoint.ID
	var arrived struct{ Headers map[string]string }
	ping := must(client.WebhookEndpoints.Ping(ctx, id))
	control("delivery", nil, &arrived)
	check(arrived.Headers["webhook-id"] == ping)
	rotated := must(client.WebhookEndpoints.RotateSecret(ctx, id, tonwerk.SecretRotation{}))
	check(rotated.Secret != made.Secret)
	changed := must(client.WebhookEndpoints.Update(ctx, id, tonwerk.WebhookEndpointChanges{Enabled: tonwerk.Ptr(false)}))
	check(!changed.Enabled && changed.Disabled.Reason == "request")
	check(len(must(client.WebhookEndpoints.List(ctx))) == 1 && must(client.WebhookEndpoints.Get(ctx, id)).ID == id)
	none := must(client.Operations.RedeliverFailed(ctx, tonwerk.BulkRedelivery{Endpoint: id}))
	check(none.Redelivered == 0)
	check(must(client.WebhookEndpoints.Delete(ctx, id)).Deleted)
}
