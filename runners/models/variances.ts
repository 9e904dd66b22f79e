/**
 * What acoustic models that take them are told of a voice beside its pitch: energy, breath and voicing in dB, tension as the logarithm of a ratio. A
 * voice's own predictor would know better; these are the same for all, by the kind of a sound, and a manifest's `variances` move them.
 */
import table from "./variances.json" with { type: "json" };

export type Variance = keyof typeof table.curves;
export const VARIANCES = Object.keys(table.curves) as Variance[];

type Kind = keyof typeof table.sounds | "vowel";

const KINDS = new Map(
  Object.entries(table.sounds).flatMap(([kind, sounds]) => sounds.map((sound) => [sound, kind as Kind] as const)),
);
/** Frames over which a curve goes from one sound's value to the next one's: models were trained on smooth ones. */
const GLIDE = 8;

/**
 * @param sounds ours, one for each of `lengths`, which are in frames
 * @param vowel the curve's value in vowels, where it is not the usual one; what sounds follows it
 */
export function varianceOf(
  variance: Variance,
  sounds: readonly string[],
  lengths: readonly number[],
  vowel: number | undefined,
): Float32Array {
  const values: Readonly<Record<Kind, number>> = table.curves[variance];
  const shift = vowel === undefined ? 0 : vowel - values.vowel;
  const steps: number[] = [];
  for (const [index, sound] of sounds.entries()) {
    const kind = KINDS.get(sound) ?? "vowel";
    const value = values[kind] + (kind === "silence" ? 0 : shift);
    for (let n = 0; n < lengths[index]!; n++) steps.push(value);
  }
  return Float32Array.from(steps, (_, frame) => {
    let sum = 0;
    for (let n = 0; n <= GLIDE; n++) sum += steps[Math.min(steps.length - 1, Math.max(0, frame + n - GLIDE / 2))]!;
    return sum / (GLIDE + 1);
  });
}
