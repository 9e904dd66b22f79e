/**
 * What must not fall, and how far it may. A ratio says how many times as fast (or as much a second) the first is as the
 * second; a figure of quality is a share, or decibels, and the same on every machine. More is better. Bounds are about
 * two thirds of the lower of the last two recorded runs (`history.jsonl`), less where the disk has a say, so that only
 * a change of the code, and a bad one, goes below. Raise a bound when what it guards has become faster.
 */
export const BOUNDS = {
  "submit, a second: kernel / peer": 3.5,
  "submit, processor time: kernel / peer": 2.2,
  "replay, processor time: kernel / peer": 4,
  "status, processor time: kernel / peer": 18,
  "submit, processor time: Deno / Bun": 0.5,
  "store: shared commits / one by one": 3.5,
  "normalise: ours / two-pass loudnorm": 8,
  "normalise: Deno / Bun": 0.5,
  "loudness and true peak: ours / ffmpeg": 11.5,
  "limiter / plain gain": 0.1,
  "resample 48 to 44.1 kHz: ours / sox": 1.3,
  "FLAC encode: ours / flac -5": 1.2,
  "FLAC encode: ours / ffmpeg": 1.5,
  "FLAC decode: ours / flac -d": 0.7,
  "FLAC decode: ours / ffmpeg": 1.8,
  "MP3 decode: ours / ffmpeg": 0.75,
  // A second of sound made, and a second measured twice and turned by ffmpeg.
  "new instrumental: ours / two-pass loudnorm": 1.2,
  // Beside a load of 20 on two cores 0.59 to 0.69.
  "new song: ours / two-pass loudnorm": 0.48,
  "separate stems: ours / two-pass loudnorm": 0.5,
  "quality: the song's hook in the band, share": 0.82,
  "quality: stressed syllables on a beat, share": 0.92,
  "quality: sample prompts read as meant, share": 0.85,
  "quality: stems nearer to the truth than the mix, dB": 8,
} as const satisfies Readonly<Record<string, number>>;

export type RatioName = keyof typeof BOUNDS;
export const NAMES = Object.keys(BOUNDS) as readonly RatioName[];
/** What `--short` measures: 45 s of processor time, with ffmpeg as the only outside tool, and no rate, which a busy machine would halve. */
export const SHORT: readonly RatioName[] = [
  "normalise: ours / two-pass loudnorm",
  "new song: ours / two-pass loudnorm",
  "separate stems: ours / two-pass loudnorm",
  "quality: the song's hook in the band, share",
  "quality: stressed syllables on a beat, share",
  "quality: sample prompts read as meant, share",
];

/** The medians that were measured. */
export type Ratios = Readonly<Partial<Record<RatioName, number>>>;

export interface Verdict {
  readonly name: RatioName;
  readonly at_least: number;
  /** Null where it was not measured, which is no better than a ratio that fell. */
  readonly ratio: number | null;
  readonly ok: boolean;
}

/** In the order of the bounds; only of what was asked for. */
export function judge(measured: Ratios, asked: readonly RatioName[] = NAMES): readonly Verdict[] {
  return asked.map((name) => {
    const ratio = measured[name] ?? null;
    const at_least = BOUNDS[name];
    // Written as "at least", so that NaN fails.
    return { name, at_least, ratio, ok: ratio !== null && ratio >= at_least };
  });
}

/** One sentence for each ratio that fell, empty where none did. */
export function complaints(verdicts: readonly Verdict[]): readonly string[] {
  return verdicts.flatMap(({ name, ratio, at_least, ok }) => {
    if (ok) return [];
    return [
      ratio === null
        ? `"${name}" was not measured`
        : `"${name}" is ${ratio.toPrecision(3)}, expected at least ${at_least}`,
    ];
  });
}
