/** What a drummer changes from section to section on top of the groove: another keeper in choruses, something more in each later verse. */
import { DRUM_KEYS, type Drum } from "../../../packs/mod.ts";
import moves from "./drum_moves.json" with { type: "json" };
import type { Bar } from "./frame.ts";
import type { Intensity, Setting } from "./player.ts";

type Pattern = Readonly<Record<string, string>>;

/** Beats of the additions. */
const BEATS = 4;
/** A drummer has two hands: no verse adds more. */
const ADDED_MAX = 2;

/**
 * A bar's pattern with the section's changes.
 *
 * @param verse the pattern that the piece's verses have
 */
export function changed(
  setting: Setting,
  pattern: Pattern,
  verse: Pattern,
  bar: Bar,
  intensity: Intensity,
  choice: number,
): Pattern {
  const { style, plan } = setting;
  const { kind, turn } = bar.section;
  if (intensity === "lift") return withKeeper(pattern, verse, style.scene);
  const { beats_per_bar, division } = plan.brief.metre;
  const comes_again = turn > 0 && (kind === "verse" || kind === "theme");
  if (!comes_again || intensity !== "base" || beats_per_bar !== BEATS || division !== 2) return pattern;
  const list: readonly Pattern[] = moves.later_verses[style.sequenced ? "machine" : "hand"];
  let result = pattern;
  for (let n = 0; n < Math.min(ADDED_MAX, turn); n++) result = withStrokes(result, list[(choice + n) % list.length]!);
  return result;
}

/** Time is kept on another drum than in the verses. */
function withKeeper(pattern: Pattern, verse: Pattern, scene: string): Pattern {
  const others = (moves.chorus_keeper as Readonly<Record<string, Pattern>>)[scene] ?? {};
  const lanes = Object.entries(pattern).map(([drum, signs]): [string, string] => {
    const other = others[drum];
    const same = other !== undefined && verse[drum] !== undefined && pattern[other] === undefined;
    return [same ? other : drum, signs];
  });
  return Object.fromEntries(lanes);
}

/** Strokes are added where a drum is silent; a drum that the groove lacks comes in, save a snare, whose ghosts want a backbeat. */
function withStrokes(pattern: Pattern, added: Pattern): Pattern {
  const result: Record<string, string> = { ...pattern };
  for (const [drum, signs] of Object.entries(added)) {
    const own = pattern[drum];
    if (own === undefined) {
      if (DRUM_KEYS[drum as Drum] !== DRUM_KEYS.snare) result[drum] = signs;
      continue;
    }
    const more = signs.split("|");
    const cells = own.split("|");
    if (cells.length % BEATS !== 0) continue;
    result[drum] = cells.map((cell, n) => merged(cell, more[n % BEATS]!)).join("|");
  }
  return result;
}

function merged(cell: string, more: string): string {
  if (cell.length !== more.length) return cell;
  return [...cell].map((sign, n) => (sign === "." ? more[n]! : sign)).join("");
}
