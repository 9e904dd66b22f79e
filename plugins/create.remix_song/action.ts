import {
  defineAction,
  Lyrics,
  lyricsIssues,
  Prompt,
  REMIX_ENGINE,
  RemixDuration,
  Type,
  Understood,
} from "../../packages/plugin/mod.ts";

export default defineAction({
  name: "create.remix_song",
  wrapper: "remixed_song",
  resource: "song_remixes",
  summary: "Sing new lyrics on a song's tempo, key, chords and tune, with another band",
  request: Type.Object({ lyrics: Lyrics, prompt: Prompt, duration: Type.Optional(RemixDuration) }),
  sources: { source: { seconds_min: 10, seconds_max: 300, bytes_max: 50_000_000, whole_seconds: 60 } },
  echo: ["lyrics", "prompt"],
  echo_sent: ["duration"],
  output: "variations",
  work: "generation",
  seeded: true,
  level: "loudness",
  task: ["remix_song", "sing"],
  engine: REMIX_ENGINE,
  policy: { fields: ["lyrics", "prompt"], code: "content_policy" },
  loudness: "optional",
  failures: [],
  examples: [
    {
      source: { url: "https://example.com/song.flac" },
      lyrics:
        "[Verse]\nNew words upon an old refrain\nThe summer washes off the rain\n[Chorus]\nTurn it around, turn it around again",
      prompt: "warm soul with horns, female voice",
    },
    {
      source: { url: "https://example.com/song.mp3" },
      lyrics: "Hold the line until the morning",
      prompt: "dark synthwave",
      duration: 90,
      n_variations: 2,
      seed: 5,
      loudness: { preset: "streaming" },
    },
  ],
  cost: ({ n_variations }) => 3 * n_variations,
  // Six times real time: the source is taken apart first.
  work_seconds: ({ n_variations, duration = 150 }) => (n_variations * duration) / 6,
  check: ({ lyrics, duration }) => lyricsIssues(lyrics, duration),
  understand: {
    schema: Understood,
    read: ({ request: { prompt }, engines }) => engines.understand({ for: "remixed_song", prompt }),
  },
  process: ({ request, sources, seeds, engines }) =>
    engines.remixSong({
      source: sources.source,
      lyrics: request.lyrics,
      prompt: request.prompt,
      seconds: request.duration,
      seeds,
    }),
});
