import type { SectionKind } from "../score.ts";
import type { Slot } from "./templates.ts";

/** A section whose bars may still change. */
type Open = { -readonly [K in keyof Slot]: Slot[K] };

/** Sections that may be stretched by two bars without anyone missing the period. */
const ELASTIC: readonly SectionKind[] = ["outro", "intro", "break", "build", "bridge", "solo"];

/**
 * A form of exactly `bars` bars: what can be spared is left out, sections are halved, doubled or come again, and what
 * is left over goes to the edges. Every section has an even number of bars, save the last, which takes an odd one.
 *
 * @param bars at least 1
 */
export function fitted<S extends Slot>(form: readonly S[], bars: number): S[] {
  const fitting = form.map((slot) => ({ ...slot }));
  const slots: Open[] = fitting;
  const total = (): number => slots.reduce((sum, slot) => sum + slot.bars, 0);
  while (total() > bars + 2 && shrink(slots, total() - bars));
  while (total() < bars - 8) grow(slots, bars - total());
  for (let left = bars - total(); left <= -1; left = bars - total()) {
    const at = elastic(slots, (slot) => slot.bars > 2) ?? slots.findIndex((slot) => slot.bars > 2);
    if (at >= 0) slots[at]!.bars -= 2;
    else if (slots.length > 1) slots.splice(leastOf(slots), 1);
    else slots[0]!.bars = bars;
  }
  for (let left = bars - total(); left >= 2; left = bars - total()) {
    const at = elastic(slots, (slot) => slot.bars < 8) ?? slots.length - 1;
    slots[at]!.bars += 2;
  }
  if (bars > total()) slots.at(-1)!.bars += bars - total();
  return fitting;
}

function elastic(slots: readonly Slot[], may: (slot: Slot) => boolean): number | undefined {
  for (const kind of ELASTIC) {
    const at = slots.findLastIndex((slot) => slot.kind === kind && may(slot));
    if (at >= 0) return at;
  }
  return undefined;
}

/** The section that a piece reduced to its least would miss least. */
function leastOf(slots: readonly Slot[]): number {
  let least = 0;
  for (const [at, slot] of slots.entries()) {
    const worth = (one: Slot): number => 10 * Number(one.spare === 0) - one.spare + one.bars / 16;
    if (worth(slot) < worth(slots[least]!)) least = at;
  }
  return least;
}

/** Takes the cheapest way to lose some of `excess` bars; false where there is none. */
function shrink(slots: Open[], excess: number): boolean {
  let [least, todo]: [number, (() => void) | null] = [Number.POSITIVE_INFINITY, null];
  const offer = (price: number, lost: number, act: () => void): void => {
    const cost = price + 0.35 * Math.max(0, lost - excess) - 0.02 * lost;
    if (cost < least) [least, todo] = [cost, act];
  };
  for (const [at, slot] of slots.entries()) {
    if (slots.length > 1) {
      const edge = slot.kind === "intro" || slot.kind === "outro" || slot.bars <= 2;
      const price = edge ? 9 : ([14, 4, 2, 1][slot.spare] ?? 1);
      offer(price, slot.bars, () => slots.splice(at, 1));
    }
    if (slot.bars % 12 === 0) continue;
    // An odd bar left by an earlier fit is not halved into.
    if (slot.bars >= 4 && slot.bars % 4 === 0)
      offer(slot.bars >= 16 ? 3 : slot.bars >= 8 ? 5 : 8, slot.bars / 2, () => {
        slot.bars /= 2;
      });
  }
  const act = todo as (() => void) | null;
  act?.();
  return act !== null;
}

/** Doubles a section, or lets the way to the last climax come once more. */
function grow(slots: Open[], lack: number): void {
  const core = slots.findLastIndex((slot) => slot.spare === 0 && slot.kind !== "outro");
  const from = Math.max(slots[0]?.kind === "intro" ? 1 : 0, core - 2);
  const again = slots.slice(from, core + 1);
  const length = again.reduce((sum, slot) => sum + slot.bars, 0);
  const small = slots.find((slot) => slot.bars === 8 && slot.kind !== "intro" && slot.kind !== "outro");
  if (length <= lack && length > 0) slots.splice(core + 1, 0, ...again.map((slot) => ({ ...slot })));
  else if (small !== undefined) small.bars = 16;
  else {
    const at = Math.max(0, core);
    slots[at]!.bars += 4;
  }
}
