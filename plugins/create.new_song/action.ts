import { defineAction, Type } from "../../packages/plugin/mod.ts";
import { Understood } from "../../runners/language/mod.ts";
import { ENGINE, song, understandPiece } from "../../runners/music/studio/mod.ts";
import { Duration, Lyrics, lyricsIssues, Prompt } from "../fields.ts";

export default defineAction({
  name: "create.new_song",
  wrapper: "song",
  resource: "songs",
  command: "song",
  summary: "Compose, play and sing a song from lyrics, in words or like a reference",
  request: Type.Object({ lyrics: Lyrics, prompt: Type.Optional(Prompt), duration: Type.Optional(Duration) }),
  sources: { reference: { seconds_min: 1, seconds_max: 300, bytes_max: 50_000_000, optional: true } },
  exactly_one_of: ["prompt", "reference"],
  echo: ["lyrics", "prompt", "reference"],
  echo_sent: ["duration"],
  output: "variations",
  side_by_side: true,
  work: "generation",
  seeded: true,
  level: "loudness",
  task: "sing",
  engine: ENGINE,
  policy: { fields: ["lyrics", "prompt"], code: "content_policy" },
  loudness: "optional",
  failures: [],
  examples: [
    {
      lyrics:
        "[Verse]\nMorning on the river, silver on the stone\nEvery road I wander leads me back to home\n[Chorus]\nCarry me over, carry me on\nSing till the night is gone",
      prompt: "indie folk, warm, acoustic guitar, female voice, 96 bpm",
      duration: 30,
    },
    {
      lyrics: "[Chorus]\nWe are the lights in the city tonight",
      prompt: "80s synthpop, bright",
      n_variations: 2,
      seed: 11,
    },
    { lyrics: "Hold on to the morning", reference: { url: "https://example.com/song.flac" } },
  ],
  cost: ({ n_variations }) => 3 * n_variations,
  check: ({ lyrics, duration }) => lyricsIssues(lyrics, duration),
  understand: {
    schema: Understood,
    read: ({ request: { prompt }, run }) => run(understandPiece, { prompt, sung: true }),
  },
  process: ({ request, sources, seeds, run }) =>
    run(song, {
      lyrics: request.lyrics,
      prompt: request.prompt,
      seconds: request.duration,
      reference: sources.reference,
      seeds,
    }),
});
