/** Sections of a source on its grid. */
import type { Analysis } from "../../signal/analyse/mod.ts";
import type { GivenSection, OutlineSection } from "../compose/mod.ts";
import type { BeatGrid } from "./grid.ts";

/** Longer sections are played in parts of equal name, so that players come and go. */
const BARS_MAX = 16;
/** A section shorter than this belongs to the one before. */
const BARS_MIN = 2;

/**
 * @param outline what kind each of the analysis's sections is; empty where that is not known
 */
export function sectionsOn(
  { form }: Analysis,
  { times, metre, bars }: BeatGrid,
  outline: readonly OutlineSection[],
): GivenSection[] {
  const count = metre.beats_per_bar;
  const barOf = (time: number): number => {
    let best = 0;
    for (let bar = 1; bar <= bars; bar++)
      if (Math.abs(times[bar * count]! - time) < Math.abs(times[best * count]! - time)) best = bar;
    return best;
  };
  const named = outline.length === form.sections.length;
  const drafts: { kind: GivenSection["kind"]; label: string; from: number }[] = [];
  for (const [index, section] of form.sections.entries()) {
    const from = drafts.length === 0 ? 0 : barOf(section.start);
    const before = drafts.at(-1);
    if (before !== undefined && from - before.from < BARS_MIN) continue;
    if (bars - from < BARS_MIN && before !== undefined) continue;
    drafts.push({ kind: named ? outline[index]!.kind : "theme", label: section.label, from });
  }
  if (drafts.length === 0) drafts.push({ kind: "theme", label: "A", from: 0 });
  return drafts.flatMap(({ kind, label, from }, index) => {
    const until = drafts[index + 1]?.from ?? bars;
    return parted(until - from).map((length, part, parts) => {
      const begin = from + parts.slice(0, part).reduce((sum, one) => sum + one, 0);
      const energy = energyBetween(form.energy, times[begin * count]!, times[(begin + length) * count]!);
      // Only the first part of an intro opens, and only the last of an outro closes.
      const own = (kind === "intro" && part > 0) || (kind === "outro" && part < parts.length - 1) ? "verse" : kind;
      return { kind: own, label, bars: length, energy };
    });
  });
}

/** Bars in parts of eight to sixteen, whole phrases first. */
function parted(bars: number): number[] {
  const parts: number[] = [];
  let left = bars;
  while (left > BARS_MAX) {
    parts.push(8);
    left -= 8;
  }
  parts.push(left);
  return parts;
}

function energyBetween({ hop_seconds, values }: Analysis["form"]["energy"], start: number, end: number): number {
  const from = Math.max(0, Math.min(values.length - 1, Math.floor(start / hop_seconds)));
  const to = Math.max(from + 1, Math.min(values.length, Math.ceil(end / hop_seconds)));
  let sum = 0;
  for (let n = from; n < to; n++) sum += values[n]!;
  const mean = sum / (to - from);
  return Number.isFinite(mean) ? Math.round(100 * Math.min(1, Math.max(0.1, mean))) / 100 : 0.6;
}
