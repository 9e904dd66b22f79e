/**
 * The ratios that must not fall, and how far they may. Each says how many times as fast (or as much a second) the first is as the second;
 * more is better. Bounds are about two thirds of the lower of the last two recorded runs (`history.jsonl`), less where the disk has a say, so that only a
 * change of the code, and a bad one, goes below. Raise a bound when what it guards has become faster.
 */
export const BOUNDS = {
  "submit, a second: kernel / peer": 2.5,
  "submit, processor time: kernel / peer": 1.6,
  "replay, processor time: kernel / peer": 2.6,
  "status, processor time: kernel / peer": 7,
  "submit, processor time: Deno / Bun": 0.5,
  "store: shared commits / one by one": 3.5,
  "normalise: ours / two-pass loudnorm": 6,
  "normalise: Deno / Bun": 0.5,
  "loudness and true peak: ours / ffmpeg": 10,
  "limiter / plain gain": 0.1,
  "resample 48 to 44.1 kHz: ours / sox": 1,
  "FLAC encode: ours / flac -5": 1.2,
  "FLAC encode: ours / ffmpeg": 1.4,
  "FLAC decode: ours / flac -d": 0.65,
  "FLAC decode: ours / ffmpeg": 1.2,
  "MP3 decode: ours / ffmpeg": 0.5,
} as const satisfies Readonly<Record<string, number>>;

export type RatioName = keyof typeof BOUNDS;
export const NAMES = Object.keys(BOUNDS) as readonly RatioName[];
/** The medians that were measured. */
export type Ratios = Readonly<Partial<Record<RatioName, number>>>;

export interface Verdict {
  readonly name: RatioName;
  readonly at_least: number;
  /** Null where it was not measured, which is no better than a ratio that fell. */
  readonly ratio: number | null;
  readonly ok: boolean;
}

/** In the order of the bounds; only of the ratios that were asked for. */
export function judge(measured: Ratios, asked: readonly RatioName[] = NAMES): readonly Verdict[] {
  return asked.map((name) => {
    const ratio = measured[name] ?? null;
    // Written as "at least", so that NaN fails.
    return { name, at_least: BOUNDS[name], ratio, ok: ratio !== null && ratio >= BOUNDS[name] };
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
