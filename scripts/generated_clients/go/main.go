// A client as oapi-codegen makes it.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/client/tonwerk"
	"github.com/google/uuid"
)

func main() {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TONWERK_KEY"))
		return nil
	}
	client, err := tonwerk.NewClientWithResponses(os.Getenv("TONWERK_URL"), tonwerk.WithRequestEditorFn(withKey))
	check(err)

	song, err := os.Open(os.Getenv("TONWERK_SONG"))
	check(err)
	uploaded, err := client.FilesUploadWithBodyWithResponse(ctx, &tonwerk.FilesUploadParams{}, "audio/flac", song)
	check(err)
	if uploaded.JSON200 == nil {
		panic(string(uploaded.Body))
	}

	dry := true
	prompt := "indie folk"
	price, err := client.SongsCreateWithResponse(ctx, &tonwerk.SongsCreateParams{DryRun: &dry}, tonwerk.SongRequest{
		IdempotencyKey: uuid.New(), Lyrics: "[Verse]\nMorning on the river", Prompt: &prompt,
	})
	check(err)
	if price.JSON200 == nil || *price.JSON200.Cost != 3 {
		panic(string(price.Body))
	}

	// What was not asked for is not sent: a false allow_compression would change the result.
	cut, err := client.CutsCreateWithResponse(ctx, &tonwerk.CutsCreateParams{}, tonwerk.CutRequest{
		IdempotencyKey: uuid.New(), Source: tonwerk.AudioSource{Url: uploaded.JSON200.File.Url}, TargetDuration: 6,
		Loudness: &tonwerk.LoudnessSettings{},
	})
	check(err)
	if cut.JSON200 == nil || !cut.JSON200.AutoCut.Loudness.AllowCompression {
		panic(string(cut.Body))
	}
	wait := true
	read, err := client.CutsReadWithResponse(ctx, &tonwerk.CutsReadParams{Id: cut.JSON200.AutoCut.Id, Wait: &wait})
	check(err)
	if read.JSON200 == nil || read.JSON200.AutoCut.Output == nil {
		panic(string(read.Body))
	}
	output := read.JSON200.AutoCut.Output
	fmt.Printf("%s: %.2f s at %.1f LUFS\n", read.JSON200.AutoCut.Status, output.Duration, *output.Loudness.Lufs)

	listed, err := client.OperationsListWithResponse(ctx, &tonwerk.OperationsListParams{})
	check(err)
	if newest, err := listed.JSON200.Operations[0].AsListedCut(); err != nil || newest.Id != cut.JSON200.AutoCut.Id {
		panic(string(listed.Body))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
