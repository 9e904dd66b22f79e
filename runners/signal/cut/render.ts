import type { Audio } from "../../../contract/mod.ts";
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
export async function render(source: Audio, layout: Layout, breathe: () => Promise<void>): Promise<Audio> {
  const frames = lengthOf(layout);
  const channels: Float32Array[] = [];
  for (const channel of source.channels) {
    const out = new Float32Array(frames);
    // Where in the output the source's sample 0 would lie, stretch by stretch.
    let from = layout.start;
    let at = 0;
    for (const { leave } of layout.seams.slice(0, 1)) copy(channel, out, from, leave, at);
    for (const [index, seam] of layout.seams.entries()) {
      at += seam.leave - from;
      from = seam.enter;
      const until = layout.seams[index + 1]?.leave ?? layout.end;
      copy(channel, out, from, until, at);
      crossfade(channel, out, seam, at);
      await breathe();
    }
    if (layout.seams.length === 0) copy(channel, out, layout.start, layout.end, 0);
    fadeEdges(out, layout, channel.length);
    channels.push(out);
  }
  return { sample_rate: source.sample_rate, channels };
}

function copy(channel: Float32Array, out: Float32Array, from: number, to: number, at: number): void {
  const end = Math.min(to, channel.length);
  if (end > from) out.set(channel.subarray(from, end), at);
}

/**
 * Both sides over `fade` samples around `at`, at constant power whatever their correlation r: with the weights a = cos and b = sin of
 * the same angle the power is 1 + 2abr, so both are divided by its root. Equal signals give a² + b² + 2ab and so a sum of 1.
 */
function crossfade(channel: Float32Array, out: Float32Array, seam: Seam, at: number): void {
  const { leave, enter, fade, correlation } = seam;
  const half = fade >> 1;
  const last = channel.length - 1;
  // Signals that cancel would be raised without bound.
  const r = Math.max(-0.5, correlation);
  for (let n = -half; n < fade - half; n++) {
    const to = at + n;
    if (to < 0 || to >= out.length) continue;
    const angle = ((n + half + 0.5) / fade) * (Math.PI / 2);
    const a = Math.cos(angle);
    const b = Math.sin(angle);
    const scale = 1 / Math.sqrt(1 + 2 * a * b * r);
    const leaving = channel[Math.max(0, Math.min(last, leave + n))]!;
    const entering = channel[Math.max(0, Math.min(last, enter + n))]!;
    out[to] = scale * (a * leaving + b * entering);
  }
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
