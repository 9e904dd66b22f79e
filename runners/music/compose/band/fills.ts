import { random } from "../../../signal/dsp/random.ts";
import { pick } from "../stream.ts";
import { compound } from "./cells.ts";
import type { Bar } from "./frame.ts";
import type { Hand, Setting } from "./player.ts";
import type { FillKind } from "./styles.ts";

export interface Fill {
  /** Of the bar's end that it takes. */
  readonly beats: number;
  play(hand: Hand, beat: number, strength: number): void;
}

type Line = readonly [key: number, signs: string];
/** A beat of fill: lines of one beat each, equal steps. Longer fills string beats together. */
type FillBeat = readonly Line[];

const beat = (text: string): FillBeat =>
  text.split(";").map((line) => {
    const [key, signs] = line.split(":") as [string, string];
    return [Number(key), signs];
  });

/** For each kind beginnings, middles and ends of a fill; the last beat leads into the next bar. */
const BEATS: Readonly<Record<Exclude<FillKind, "none">, readonly (readonly FillBeat[])[]>> = {
  rock: [
    ["38:X.xx;36:x...", "38:xxxx", "38:X..x;36:..x.", "50:x.x.;36:x..."].map(beat),
    ["50:xx..;48:..xx", "38:x.xx;50:.x..", "48:xxxx", "50:X..;48:.x.;45:..x"].map(beat),
    ["45:xx..;41:..XX", "41:xxxx;36:x.x.", "38:XxxX", "41:x.x.;36:.x.x", "38:X...;41:..xX"].map(beat),
  ],
  snare: [
    ["38:X.xx", "38:xgxg", "38:X..x"].map(beat),
    ["38:xxxx", "38:x.xx", "38:gxgx"].map(beat),
    ["38:xxXX", "38:xxxX;36:x...", "38:X.X.;46:...x"].map(beat),
  ],
  electronic: [
    ["38:x.x.;39:x...", "36:x..x;39:..x.", "38:x..x"].map(beat),
    ["38:xxxx", "39:x.xx", "45:x.x.;38:.x.x"].map(beat),
    ["38:xxxxxxxx", "39:xxXX", "38:x.XX", "42:xxxxxx;39:..x..x"].map(beat),
  ],
  jazz: [
    ["38:x.o;36:..o", "38:oxo", "50:x.o;51:x.."].map(beat),
    ["50:xo.;45:..x", "38:xoo", "38:x.x;36:.x."].map(beat),
    ["45:xo.;41:..x", "38:oox;36:..x", "38:X..;36:..x", "41:x.x;38:.o."].map(beat),
  ],
  latin: [
    ["65:x.xx", "65:X.x.;66:...x", "63:x.xx"].map(beat),
    ["65:xx..;66:..xx", "65:x.x;66:.x.", "63:xx..;64:..xx"].map(beat),
    ["65:xxxX", "66:x.XX", "65:x.x.;38:..xX", "63:xx..;64:..XX"].map(beat),
  ],
  break: [
    ["36:X.x.;38:...g", "38:X..x;42:x.x.", "36:x..x;38:..x."].map(beat),
    ["38:x.xx;42:x.x.", "36:x...;38:.xx.", "38:xgxg"].map(beat),
    ["38:x.xX;46:..x.", "36:x.x.;38:.x.X", "38:xxXX", "36:xx..;38:..xX"].map(beat),
  ],
  march: [
    ["38:xooo", "38:x.rr", "38:xrxr"].map(beat),
    ["38:xoxo;36:x...", "38:rrrr", "38:xrrr"].map(beat),
    ["38:rrrX;36:x..x", "38:x.XX;36:x...", "38:rrxX;49:...x"].map(beat),
  ],
  soft: [
    ["38:..oo", "41:..o.", "38:o..g"].map(beat),
    ["38:o.og", "45:..oo", "50:o...;45:..o."].map(beat),
    ["38:..ox", "41:..xx", "45:o...;41:..x.", "38:ogox"].map(beat),
  ],
  metal: [
    ["38:xxxx;36:xxxx", "50:xxxx;36:xxxx", "38:X.xx;36:xxxx"].map(beat),
    ["50:xx..;48:..xx;36:xxxx", "48:xxx;36:xxx", "45:xxxx;36:xxxx"].map(beat),
    ["45:xx..;41:..xx;36:xxxx", "41:xxxxxx;36:x.x.x.", "38:XxXX;36:xxxx;49:...x"].map(beat),
  ],
  reggae: [
    ["38:x.x;50:.x.", "65:x.xx", "38:X..x"].map(beat),
    ["38:xxx", "65:xx..;66:..xx", "50:x..x;45:..x."].map(beat),
    ["41:x.x;38:.x.", "65:x.X.", "38:x.xX", "45:xxx"].map(beat),
  ],
};

const FORCES: Readonly<Record<string, number>> = { X: 0.95, x: 0.74, o: 0.54, g: 0.28, r: 0.5 };

/** The fill that ends `bar`, if any: a beat at the end of a phrase, two or a whole bar where a section ends and the next has more to say. */
export function fillOf(
  setting: Setting,
  bar: Bar,
  next: Bar | undefined,
  choice: number,
  playing: ReadonlySet<number>,
): Fill | null {
  const { style, plan } = setting;
  if (style.fills === "none" || !bar.ends_phrase || bar.beats < 2) return null;
  const loops = plan.ring && bar.ends_section && next === undefined;
  if (!next && !loops) return null;
  const into = next ?? setting.bars[0]!;
  const kinds = BEATS[style.fills];
  const { division } = plan.brief.metre;
  const rng = random(choice + bar.section_index * 131 + (bar.ends_section ? 7 : 0) + bar.index);
  let beats: number;
  if (bar.ends_section) {
    const rise = into.section.energy - bar.section.energy;
    beats = rise > 0.1 ? (rng() < 0.55 && bar.beats >= 4 ? bar.beats : 2) : rise < -0.15 ? 1 : 2;
    if (style.scene === "dance" || style.scene === "beat") beats = Math.min(beats, 2);
    if (style.fills === "soft" || style.fills === "jazz") beats = Math.min(beats, 2);
    if (!playing.has(into.section_index)) beats = Math.min(beats, 1);
  } else {
    if (bar.section.phrase_bars < 4 && rng() < 0.5) return null;
    if (rng() < (style.scene === "beat" ? 0.5 : 0.25)) return null;
    beats = 1;
  }
  const chosen = Array.from({ length: beats }, (_, n) => pick(kinds[n === beats - 1 ? 2 : n === 0 ? 0 : 1]!, rng));
  return {
    beats,
    play(hand, start, strength) {
      chosen.forEach((lines, n) => {
        for (const [key, written] of lines) {
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
      if (beats >= 2)
        for (let n = 0; n < beats; n++) hand.play(start + n, 0.5, style.fills === "metal" ? 44 : 36, 0.55 * strength);
    },
  };
}
