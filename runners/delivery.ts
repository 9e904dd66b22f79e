import type { Audio } from "../contract/mod.ts";
import type { LoudnessReport, Studio } from "../core/ports/mod.ts";
import { master } from "./signal/master/master.ts";
import { StemRendering } from "./signal/master/stem_rendering.ts";
import { checkHead, decode, probe } from "./signal/media/decode.ts";
import { decodeLong, decodeToDisk } from "./signal/media/decode_long.ts";
import { encodeFlac, encodeFlacs } from "./signal/media/encode.ts";
import { deliverable } from "./signal/media/lossy.ts";
import { codecs } from "./signal/media/readers.ts";
import { readTags } from "./signal/media/tags.ts";

/** For engines that look at audio as it is decoded and keep none of it. */
export { type Blocks, decodeTo } from "./signal/media/decode.ts";

/** Sources are decoded to this, and core lets nothing else through. Hz. */
const SAMPLE_RATE = 44_100;

/** Joins media and master behind core's port. Loaded inside pool threads only. */
export const studio: Studio = {
  probe,
  checkHead,
  decode,
  decodeLong,
  decodeToDisk,
  tags: readTags,
  async finish(output, level, file, signal) {
    const { audio } = output;
    const mastered = await master(
      audio,
      level,
      { bits: file.bits, ring: "loop" in output && output.loop === true },
      signal,
    );
    file.onEncode?.();
    const written = await encodeFlac(mastered.rendering, audio.sample_rate, file.path, file.tags, signal);
    return {
      ...written,
      seconds: mastered.rendering.frames / audio.sample_rate,
      loudness: readable(mastered.loudness),
    };
  },
  async finishStems(stems, files, signal) {
    const peak = Math.max(...stems.map(({ audio }) => ("samples" in audio ? audio.peak : largestSample(audio))));
    const gain_db = peak > 1 ? -20 * Math.log10(peak) : 0;
    const renderings = stems.map(({ audio }, index) => new StemRendering(audio, gain_db, files[index]!.bits));
    const written = await encodeFlacs(
      renderings.map((source, index) => ({ source, path: files[index]!.path, tags: files[index]!.tags })),
      SAMPLE_RATE,
      signal,
    );
    return written.map((file, index) => ({
      ...file,
      seconds: renderings[index]!.frames / SAMPLE_RATE,
      gain_db: decimals(gain_db),
    }));
  },
  async codec() {
    const { mp3, fallback } = await codecs();
    // WAV and FLAC need nothing that has a version of its own.
    const [name, version] = (mp3 ?? "none built-in").split(" ");
    const others = fallback === null || fallback === mp3 ? "" : `, ${fallback}`;
    return { name: `wav, flac: built-in; mp3: ${name}`, version: `${version}${others}`, formats: await deliverable() };
  },
};

const readable = ({ lufs, true_peak_dbtp, compressed }: LoudnessReport): LoudnessReport => ({
  lufs: lufs === null ? null : decimals(lufs),
  true_peak_dbtp: true_peak_dbtp === null ? null : decimals(true_peak_dbtp),
  compressed,
});

/** Three decimals: a hundredth of what the best meters agree on. */
const decimals = (value: number): number => Math.round(value * 1000) / 1000;

function largestSample(audio: Audio): number {
  let peak = 0;
  for (const channel of audio.channels) {
    for (let n = 0; n < channel.length; n++) {
      const value = Math.abs(channel[n]!);
      // Written as "not at most", so that NaN is seen.
      if (!(value <= peak)) peak = value;
    }
  }
  return peak;
}
