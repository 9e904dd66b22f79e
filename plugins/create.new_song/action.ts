import {
  Duration,
  defineAction,
  Lyrics,
  lyricsIssues,
  Prompt,
  STUDIO_ENGINE,
  Type,
  Understood,
} from "../../packages/plugin/mod.ts";

export default defineAction({
  name: "create.new_song",
  wrapper: "song",
  resource: "songs",
  command: "song",
  summary: "Compose, play and sing a song from lyrics, in words or like a reference",
  request: Type.Object({ lyrics: Lyrics, prompt: Type.Optional(Prompt), duration: Type.Optional(Duration) }),
  sources: {
    reference: { seconds_min: 10, seconds_max: 300, bytes_max: 50_000_000, optional: true, whole_seconds: 60 },
  },
  exactly_one_of: ["prompt", "reference"],
  echo: ["lyrics", "prompt", "reference"],
  echo_sent: ["duration"],
  output: "variations",
  side_by_side: true,
  work: "generation",
  seeded: true,
  level: "loudness",
  task: ["song", "sing"],
  engine: STUDIO_ENGINE,
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
  // Ten times real time, and what songs of the genre last where nobody says.
  work_seconds: ({ n_variations, duration = 150 }) => (n_variations * duration) / 10,
  check: ({ lyrics, duration }) => lyricsIssues(lyrics, duration),
  understand: {
    schema: Understood,
    read: ({ request: { prompt }, engines }) => engines.understand({ for: "song", prompt }),
  },
  process: ({ request, sources, seeds, engines }) =>
    engines.makeSongs({
      lyrics: request.lyrics,
      prompt: request.prompt,
      seconds: request.duration,
      reference: sources.reference,
      seeds,
    }),
});
