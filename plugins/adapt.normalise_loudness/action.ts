import { defineAction, LONG_TRACK, TRACKS, Type } from "../../packages/plugin/mod.ts";
import { withoutOffset } from "./offset.ts";

/** Three decimals, as in the loudness of every output. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

export default defineAction({
  name: "adapt.normalise_loudness",
  wrapper: "normalised_audio",
  resource: "normalisations",
  command: "normalise",
  summary: "Normalise a track to a target integrated loudness, with true peaks at or below -1 dBTP",
  request: Type.Object({}),
  sources: { source: { ...LONG_TRACK, optional: true }, album: TRACKS },
  exactly_one_of: ["source", "album"],
  echo: [],
  output: "single",
  outputs_of: "album",
  work: "dsp",
  seeded: false,
  level: "loudness",
  engine: "master",
  loudness: "always",
  failures: [],
  examples: [
    { source: { url: "https://example.com/song.flac" } },
    { source: { url: "https://example.com/song.wav" }, loudness: { preset: "podcast" } },
    { source: { url: "https://example.com/song.mp3" }, loudness: { target_lufs: -18.5, allow_compression: false } },
    { album: [{ url: "https://example.com/1.flac" }, { url: "https://example.com/2.flac" }], loudness: {} },
  ],
  cost: (request) => request.album?.length ?? 1,
  async process({ sources, loudness, engines }) {
    // A single output is mastered to its loudness target by core. Where one gain alone is wanted, nothing else is done.
    const { source } = sources;
    if (source !== undefined) {
      const freed = loudness?.allow_compression === false ? null : withoutOffset(source);
      if (freed === null) return { audio: source };
      return { audio: freed.audio, report: { offset_removed: freed.offsets.map(rounded) } };
    }
    const { album: tracks = [] } = sources;
    const { target_lufs } = loudness!;
    const level = await engines.levelAlbum(tracks, { target_lufs });
    const report = { album: Object.fromEntries(Object.entries(level).map(([name, value]) => [name, rounded(value)])) };
    return tracks.map((audio) => ({ audio, gain_db: level.gain_db, report }));
  },
});
