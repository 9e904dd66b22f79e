import { defineAction, Type, WHOLE_TRACK } from "@tonwerk/plugin";

export default defineAction({
  name: "acme.echo",
  wrapper: "acme_echo",
  summary: "Repeat a track below itself, softer each time",
  request: Type.Object({
    delay_seconds: Type.Optional(Type.Number({ minimum: 0.01, maximum: 2, default: 0.3 })),
    decay: Type.Optional(Type.Number({ minimum: 0, maximum: 0.9, default: 0.5, description: "Of each repetition" })),
  }),
  sources: { source: WHOLE_TRACK },
  echo: ["delay_seconds", "decay"],
  output: "single",
  work: "dsp",
  seeded: false,
  level: "source",
  engine: "echo",
  loudness: "optional",
  failures: [],
  examples: [{ source: { url: "https://example.com/song.flac" } }],
  cost: () => 1,
  process: ({ request: { delay_seconds = 0.3, decay = 0.5 }, sources: { source }, progress }) => {
    const delay = Math.round(delay_seconds * source.sample_rate);
    progress(0.1, "repeating");
    // Sources are never written to: slice() copies.
    const channels = source.channels.map((channel) => {
      const made = channel.slice();
      for (let at = delay; at < made.length; at++) made[at] = made[at]! + decay * made[at - delay]!;
      return made;
    });
    return { audio: { ...source, channels } };
  },
});
