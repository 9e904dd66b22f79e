import type { Audio } from "../../../contract/mod.ts";
import { type Sound, stretchOf, type Views, viewsOf } from "../../samples.ts";
import type { Seam } from "./align.ts";

export interface Layout {
  /** First sample of the source that is played. */
  readonly start: number;
  /** One past the last sample; above the source's length where silence is added. */
  readonly end: number;
  /** Length of the fade before `end`, samples. */
  readonly fade: number;
  /** In the order of the output. */
  readonly seams: readonly Seam[];
}

/** Length of the output in samples. */
export function lengthOf({ start, end, seams }: Layout): number {
  return seams.reduce((sum, { leave, enter }) => sum + leave - enter, end - start);
}

/** Copies the source piece by piece and crossfades at the seams. Never writes to the source. */
export async function render(audio: Sound, layout: Layout, breathe: () => Promise<void>): Promise<Audio> {
  const sound = viewsOf(audio);
  const frames = lengthOf(layout);
  const channels = Array.from({ length: sound.channels }, () => new Float32Array(frames));
  // Where in the output the source's sample 0 would lie, stretch by stretch.
  let from = layout.start;
  let at = 0;
  await copy(sound, channels, from, layout.seams[0]?.leave ?? layout.end, at, breathe);
  for (const [index, seam] of layout.seams.entries()) {
    at += seam.leave - from;
    from = seam.enter;
    await copy(sound, channels, from, layout.seams[index + 1]?.leave ?? layout.end, at, breathe);
    crossfade(sound, channels, seam, at);
  }
  for (const channel of channels) fadeEdges(channel, layout, sound.frames);
  return { sample_rate: sound.sample_rate, channels };
}

/** Frames that are copied between two looks at the signal. */
const BLOCK = 1 << 18;

async function copy(
  sound: Views,
  out: readonly Float32Array[],
  from: number,
  to: number,
  at: number,
  breathe: () => Promise<void>,
): Promise<void> {
  for (let first = from; first < to; first += BLOCK) {
    const piece = stretchOf(sound, first, Math.min(to, first + BLOCK));
    for (const [c, channel] of piece.entries()) out[c]!.set(channel, at + first - from);
    await breathe();
  }
}

/**
 * Both sides over `fade` samples around `at`, at constant power whatever their correlation r: with the weights a = cos and b = sin of
 * the same angle the power is 1 + 2abr, so both are divided by its root. Equal signals give a² + b² + 2ab and so a sum of 1.
 */
function crossfade(sound: Views, out: readonly Float32Array[], seam: Seam, at: number): void {
  const { leave, enter, fade, correlation } = seam;
  const half = fade >> 1;
  // Copied, for a view lasts until the next.
  const leaving = around(sound, leave - half, fade);
  const entering = around(sound, enter - half, fade);
  // Signals that cancel would be raised without bound.
  const r = Math.max(-0.5, correlation);
  for (const [c, channel] of out.entries()) {
    const [one, two] = [leaving.channels[c]!, entering.channels[c]!];
    for (let n = -half; n < fade - half; n++) {
      const to = at + n;
      if (to < 0 || to >= channel.length) continue;
      const angle = ((n + half + 0.5) / fade) * (Math.PI / 2);
      const a = Math.cos(angle);
      const b = Math.sin(angle);
      const scale = 1 / Math.sqrt(1 + 2 * a * b * r);
      const left = one[within(leave + n - leaving.first, one.length)]!;
      const entered = two[within(enter + n - entering.first, two.length)]!;
      channel[to] = scale * (a * left + b * entered);
    }
  }
}

/** A copy of `count` frames from `from` on, as far as there are any; at least one. */
function around(sound: Views, from: number, count: number) {
  const first = within(from, sound.frames);
  const channels = stretchOf(sound, first, Math.max(first + 1, from + count)).map((channel) => channel.slice());
  return { first, channels };
}

/** Beyond the edges the first and the last sample stand. */
function within(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index));
}

/** A fade before the end, and 3 ms at either edge where the source is not played from its first or to its last sample. */
function fadeEdges(out: Float32Array, { start, end, fade }: Layout, length: number): void {
  const edge = Math.min(132, out.length >> 1);
  if (start > 0) for (let n = 0; n < edge; n++) out[n]! *= (n + 0.5) / edge;
  // Silence that is added must not begin with a step.
  const sounding = out.length - Math.max(0, end - length);
  if (sounding < out.length) for (let n = 0; n < edge && n < sounding; n++) out[sounding - 1 - n]! *= (n + 0.5) / edge;
  const closing = Math.min(out.length, fade > 0 ? fade : end < length ? edge : 0);
  for (let n = 0; n < closing; n++) {
    // Raised cosine: begins and ends without a corner.
    out[out.length - 1 - n]! *= 0.5 - 0.5 * Math.cos((Math.PI * (n + 0.5)) / closing);
  }
}
