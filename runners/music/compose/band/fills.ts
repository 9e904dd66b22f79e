import { DRUM_KEYS, type Drum, type FillGroove, grooveOf } from "../../../packs/mod.ts";
import { random } from "../../../signal/dsp/random.ts";
import { pick } from "../stream.ts";
import { compound } from "./cells.ts";
import type { Bar } from "./frame.ts";
import type { Hand, Setting } from "./player.ts";
import { turnsAt } from "./turns.ts";

export interface Fill {
  /** Of the bar's end that it takes. */
  readonly beats: number;
  play(hand: Hand, beat: number, strength: number): void;
}

const FORCES: Readonly<Record<string, number>> = { X: 0.95, x: 0.74, o: 0.54, g: 0.28, r: 0.5 };

/** What the genre's fills are made of; undefined where drummers play none. */
export function fillsOf({ style }: Setting): FillGroove | undefined {
  return style.fills === "none" ? undefined : grooveOf(style.fills).fill;
}

/**
 * The fill that ends `bar`, if any: a beat at the end of a phrase, two or a whole bar where a section ends and the next
 * has more to say.
 */
export function fillOf(
  setting: Setting,
  bar: Bar,
  next: Bar | undefined,
  choice: number,
  playing: ReadonlySet<number>,
): Fill | null {
  const { style, plan } = setting;
  const fills = fillsOf(setting);
  if (fills === undefined || !turnsAt(setting, bar)) return null;
  const loops = plan.ring && bar.ends_section && next === undefined;
  if (!next && !loops) return null;
  const into = next ?? setting.bars[0]!;
  const { division } = plan.brief.metre;
  const rng = random(choice + bar.section_index * 131 + (bar.ends_section ? 7 : 0) + bar.index);
  let beats: number;
  if (bar.ends_section) {
    const rise = into.section.energy - bar.section.energy;
    beats = rise > 0.1 ? (rng() < 0.55 && bar.beats >= 4 ? bar.beats : 2) : rise < -0.15 ? 1 : 2;
    if (style.scene === "dance" || style.scene === "beat") beats = Math.min(beats, 2);
    if (fills.short) beats = Math.min(beats, 2);
    if (!playing.has(into.section_index)) beats = Math.min(beats, 1);
  } else beats = 1;
  const chosen = Array.from({ length: beats }, (_, n) =>
    pick(n === beats - 1 ? fills.ends : n === 0 ? fills.begins : fills.goes_on, rng),
  );
  const time = DRUM_KEYS[fills.keeps_time_on ?? "kick"];
  return {
    beats,
    play(hand, start, strength) {
      chosen.forEach((rows, n) => {
        for (const [drum, written] of Object.entries(rows)) {
          const key = DRUM_KEYS[drum as Drum];
          const signs = compound(written, division, false);
          for (let k = 0; k < signs.length; k++) {
            const sign = signs[k]!;
            if (sign === ".") continue;
            const growth = 0.82 + (0.18 * (n + k / signs.length)) / beats;
            const force = (FORCES[sign] ?? 0.7) * growth * strength;
            const at = start + n + k / signs.length;
            if (sign === "r") {
              hand.play(at, 0.5 / signs.length, key, force);
              hand.play(at + 0.5 / signs.length, 0.5 / signs.length, key, force * 0.85);
            } else hand.play(at, 1 / signs.length, key, force);
          }
        }
      });
      // Someone keeps the time underneath.
      if (beats >= 2) for (let n = 0; n < beats; n++) hand.play(start + n, 0.5, time, 0.55 * strength);
    },
  };
}
