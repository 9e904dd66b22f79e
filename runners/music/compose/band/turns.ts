/** What basses and hands play at the ends of phrases and sections in place of their pattern's last beats. */
import { hash32 } from "../../../signal/dsp/random.ts";
import { type Mark, marksOf } from "./cells.ts";
import fills from "./fills.json" with { type: "json" };
import type { Bar } from "./frame.ts";
import { choiceOf, closesPhrase, type Setting } from "./player.ts";

/** A piece keeps to so many of its genre's figures. */
const KEPT = 4;
const PHRASE_BARS = 4;

/** Whether the band turns at the end of a bar: one decision for drums, bass and hands, the same in all turns of a section. */
export function turnsAt(setting: Setting, bar: Bar): boolean {
  const { ends_section, ends_piece, beats, index, section } = bar;
  const ends = ends_section || (closesPhrase(bar, PHRASE_BARS) && section.kind !== "intro");
  if (!ends || ends_piece || beats < 2) return false;
  const place = hash32(choiceOf(setting.plan, "turns"), setting.labels.indexOf(section.label) * 64 + index);
  return (place % 1000) / 1000 < (ends_section ? fills.chance.section : fills.chance.phrase);
}

/**
 * The marks of a bar, its last two beats turned where the band turns; each time that a section comes the last of its
 * figures is another.
 */
export function turned(setting: Setting, marks: readonly Mark[], who: "bass" | "hands", choice: number, bar: Bar) {
  const { style, plan } = setting;
  const { division } = plan.brief.metre;
  const figures: readonly string[] = fills[who][style.scene];
  if (figures.length === 0 || bar.beats < 3 || !turnsAt(setting, bar)) return marks;
  const place = hash32(choice, setting.labels.indexOf(bar.section.label) * 64 + bar.index);
  if (who === "hands" && (place % 1000) / 1000 >= fills.chance.hands) return marks;
  const nth = (choice % figures.length) + ((place >>> 10) % KEPT) + (bar.ends_section ? bar.section.turn : 0);
  const from = bar.beats - 2;
  const kept = marks
    .filter(({ at }) => at < from - 1e-6)
    .map((mark) => ({ ...mark, length: Math.min(mark.length, from - mark.at) }));
  const figure = marksOf(figures[nth % figures.length]!, 0, 2, division, 1, plan.brief.swing);
  return [...kept, ...figure.map((mark) => ({ ...mark, at: mark.at + from }))];
}
