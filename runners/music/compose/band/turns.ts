/** What basses and hands play at the ends of phrases and sections in place of their pattern's last beats. */
import { hash32 } from "../../../signal/dsp/random.ts";
import { type Mark, marksOf } from "./cells.ts";
import fills from "./fills.json" with { type: "json" };
import type { Bar } from "./frame.ts";
import { closesPhrase, type Setting } from "./player.ts";

/** A piece keeps to so many of its genre's figures. */
const KEPT = 4;
const PHRASE_BARS = 4;

/** The marks of a bar, its last two beats turned where a phrase or a section ends; the same in all turns of a section but the last of its bars. */
export function turned(setting: Setting, marks: readonly Mark[], who: "bass" | "hands", choice: number, bar: Bar) {
  const { style, plan } = setting;
  const { division } = plan.brief.metre;
  const { section, phrase: at_phrase, hands } = fills.chance;
  const figures: readonly string[] = fills[who][style.scene];
  const ends = bar.ends_section || closesPhrase(bar, PHRASE_BARS);
  if (figures.length === 0 || !ends || bar.beats < 3 || bar.ends_piece || bar.section.kind === "intro") return marks;
  // Sections of one name end alike, save that each time the figure is another.
  const place = hash32(choice, setting.labels.indexOf(bar.section.label) * 64 + bar.index);
  const chance = bar.ends_section ? section : at_phrase;
  if ((place % 1000) / 1000 >= (who === "hands" ? hands * chance : chance)) return marks;
  const nth = (choice % figures.length) + ((place >>> 10) % KEPT) + (bar.ends_section ? bar.section.turn : 0);
  const from = bar.beats - 2;
  const kept = marks
    .filter(({ at }) => at < from - 1e-6)
    .map((mark) => ({ ...mark, length: Math.min(mark.length, from - mark.at) }));
  const figure = marksOf(figures[nth % figures.length]!, 0, 2, division, 1, plan.brief.swing);
  return [...kept, ...figure.map((mark) => ({ ...mark, at: mark.at + from }))];
}
