import { musicOf, type Progressions, packs, type Shelf } from "../../../packs/mod.ts";
import { numeralsOf } from "../brief/progression.ts";
import type { Brief } from "../brief.ts";
import { beatSeconds } from "../clock.ts";
import { sourceOf } from "../melody/words.ts";
import type { PlanSection } from "../plan.ts";
import type { Key, ScoreChord } from "../score.ts";
import { pick, stream, weighted } from "../stream.ts";
import { plainness } from "./clarity.ts";
import { cadenceOf, endingOf } from "./endings.ts";
import { alike, mended } from "./mend.ts";
import { chordOf } from "./numerals.ts";
import { isBright } from "./scales.ts";

/** Numerals, bar by bar. */
type Bars = readonly (readonly string[])[];

/**
 * Progressions are drawn until one is clear enough; the clearest is taken, and mended, where none is. Where the key was
 * asked for by name it must be plainer.
 */
const DRAWS = 16;
const CLEAR = { asked: 0.15, free: 0.1 };
/** What sections of different labels cost that begin with the same chords. */
const ALIKE = 0.08;
const MENDS = { asked: 4, free: 1 };

/** The chords of all sections, in order, without gaps. */
export function harmonise(
  brief: Brief,
  sections: readonly PlanSection[],
  ring: boolean,
  bpm: number,
  seed: number,
): ScoreChord[] {
  if (brief.progression !== undefined || sections.some(({ chords }) => chords !== undefined))
    return asAsked(brief, sections, ring);
  const { progressions: bank, styles } = musicOf(brief.genre);
  const driven = styles.power_chords === true;
  const asked = brief.explicit.includes("key") ? "asked" : "free";
  let best: ScoreChord[] = [];
  let clearest = Number.NEGATIVE_INFINITY;
  for (let draw = 0; draw < DRAWS && clearest < CLEAR[asked]; draw++) {
    const chords = drawn(brief, sections, ring, bpm, stream(seed ^ brief.colour, "harmony", draw), seed);
    const clear = plainness(chords, brief.key, driven) - ALIKE * alike(chords, sections);
    if (clear > clearest) [best, clearest] = [chords, clear];
  }
  if (clearest >= CLEAR[asked] || bank.as_written) return best;
  const dress = pick(bank.dress, stream(seed, "mend"));
  const around = { major: ["IV", "V"], minor: ["iv", "V"], dorian: [], phrygian: [], lydian: [], mixolydian: [] };
  const pillars = [home(brief.key, bank), ...around[brief.key.mode]];
  return mended(
    best,
    sections,
    brief,
    pillars.map((numeral) => chordOf(numeral, brief.key, dress, 0.6)),
    { enough: CLEAR[asked], most: MENDS[asked], driven },
  );
}

/**
 * What was asked for: in every section the prompt's chords, or those that the words are written with. A piece that goes
 * through them comes home at its end.
 */
function asAsked(brief: Brief, sections: readonly PlanSection[], ring: boolean): ScoreChord[] {
  const { key, metre, genre } = brief;
  const { progressions: bank, styles } = musicOf(genre);
  const beats = metre.beats_per_bar;
  // Whoever names triads wants no sevenths; a wall of guitars has no thirds all the same.
  const dress = styles.power_chords === true ? "power" : "triad";
  const asked = sections.map((section, at) => {
    const own = sheetFor(sections, at);
    return own === undefined ? spread(brief.progression!, section.bars, beats) : written(own, section, key, beats);
  });
  const longest = Math.max(...asked.map(({ length }) => length));
  const ends = !ring && sections.reduce((sum, { bars }) => sum + bars, 0) > longest;
  return sections.flatMap((section, at) => {
    const bars = [...filled(asked[at]!, section.bars)];
    if (ends && section.leaves_by === "end") bars[bars.length - 1] = [home(key, bank)];
    return laid(bars, section, beats, (numeral) => chordOf(numeral, key, dress));
  });
}

type Sheet = NonNullable<PlanSection["chords"]>;

/** The chords of a sheet for a section: its own, those of the same label, else those of whom it belongs to. */
function sheetFor(sections: readonly PlanSection[], at: number): Sheet | undefined {
  const { label, chords } = sections[at]!;
  return (
    chords ??
    sections.find((other) => other.label === label && other.chords !== undefined)?.chords ??
    lender(sections, at).chords ??
    (sections[at]!.lines === 0 ? sections.slice(at).find((other) => other.chords !== undefined)?.chords : undefined) ??
    sections.findLast((other) => other.chords !== undefined)?.chords
  );
}

/** Chords over the bars of their lines; where they were written for other lines, as many bars as there are. */
function written(sheet: Sheet, { lines, bars, phrase_bars }: PlanSection, key: Key, beats: number): Bars {
  const numerals = numeralsOf({ bars: sheet }, key);
  const apart = (chords: readonly string[]): Bars => chords.map((chord) => [chord]);
  if (lines === 0 || sheet.length !== lines || lines * phrase_bars > bars)
    return spread(apart(numerals.flat()), bars, beats);
  let before = numerals.flat()[0]!;
  return numerals.flatMap((line) => {
    const chords = line.length === 0 ? [before] : line;
    before = chords.at(-1)!;
    if (chords.length > phrase_bars) return spread(apart(chords), phrase_bars, beats);
    return Array.from({ length: phrase_bars }, (_, bar) => [chords[Math.floor((bar * chords.length) / phrase_bars)]!]);
  });
}

/** The last chord of an odd number of bars is held until fours come out; where there are too few bars, chords share them. */
function spread(asked: Bars, bars: number, beats: number): Bars {
  const { length } = asked;
  const fits = length <= bars && asked.every((bar) => bar.length <= beats);
  if (fits) {
    const whole = length <= 2 || length % 4 === 0 ? length : Math.ceil(length / 4) * 4;
    return Array.from({ length: whole }, (_, k) => asked[k] ?? [asked[length - 1]!.at(-1)!]);
  }
  const all = asked.flat();
  const share = Math.min(beats, Math.ceil(all.length / bars));
  return Array.from({ length: bars }, (_, k) => all.slice(k * share, (k + 1) * share)).filter((bar) => bar.length > 0);
}

function drawn(
  brief: Brief,
  sections: readonly PlanSection[],
  ring: boolean,
  bpm: number,
  next: () => number,
  seed: number,
): ScoreChord[] {
  const bank = musicOf(brief.genre).progressions;
  const beats = brief.metre.beats_per_bar;
  const dress = pick(bank.dress, next);
  const shelf = shelfOf(brief, bank, next);
  const pace = paceOf(brief, beats * beatSeconds(bpm), next);
  const ending = cadenceOf(endingOf(brief, seed), brief.key);
  const songs = new Map<string, Bars>();
  const taken = new Set<string>();
  const material = sections.map((_, at) => {
    const from = lender(sections, at);
    const known = songs.get(from.label);
    if (known !== undefined) return known;
    const drawn_bars = progression(shelf[drawerOf(from)], from.bars, beats, pace, taken, next);
    songs.set(from.label, drawn_bars);
    return drawn_bars;
  });
  const draws = new Map<string, number>();
  return sections.flatMap((section, at) => {
    let bars = filled(material[at]!, section.bars);
    // A loop of less than a bar has no time to go anywhere.
    if (ring && section.beats < 3) bars = [["home"]];
    const after = at + 1 < sections.length ? filled(material[at + 1]!, 1)[0]![0]! : null;
    bars = embellished(bars, section, bank, stream(seed ^ brief.colour, "embellish", at), beats);
    if (!ring) bars = closed(bars, section, after, bank, brief.key, beats, next, ending);
    const turn_dress = dress;
    return laid(bars, section, beats, (numeral) => {
      if (!draws.has(numeral)) draws.set(numeral, next());
      if (numeral === "home") return chordOf(home(brief.key, bank), brief.key, turn_dress, 0.6);
      return chordOf(numeral, brief.key, turn_dress, draws.get(numeral)!);
    });
  });
}

/** Whose chords a section plays: its own label's, or, on the way in, out or up, those of the section it belongs to. */
function lender(sections: readonly PlanSection[], at: number): PlanSection {
  const section = sections[at]!;
  const source = sourceOf(section, sections);
  if (source !== undefined) return source;
  if (section.kind === "intro")
    return sections.slice(at + 1).find(({ kind }) => kind !== "build" && kind !== "break") ?? section;
  if (section.kind === "outro") return sections.slice(0, at).findLast(({ kind }) => kind !== "break") ?? section;
  if (section.kind === "build" && section.label === "build") return sections[at + 1] ?? section;
  return sections.find(({ label }) => label === section.label) ?? section;
}

function drawerOf({ kind, label }: PlanSection): keyof Shelf {
  if (kind === "chorus" || kind === "drop")
    return label === "B" || label === kind || label === "A" ? "chorus" : "bridge";
  if (kind === "bridge" || kind === "break" || kind === "prechorus") return "bridge";
  if (label === "B") return "chorus";
  if (label === "C" || label === "D") return "bridge";
  return "verse";
}

function shelfOf(brief: Brief, bank: Progressions, next: () => number): Shelf {
  const { mode } = brief.key;
  const own = isBright(mode) ? bank.major : bank.minor;
  // Twelve bars of blues rest on dominant sevenths, which is why their scale is mixolydian.
  if (mode === "major" || mode === "minor" || (mode === "mixolydian" && bank.as_written)) return own;
  if (mode === "phrygian" && bank.phrygian_rests_on_major) return bank.major;
  const modal = packs("modes").get(mode)!.progressions;
  if (mode !== "dorian" || bank.cadence === "modal") return modal;
  // Dorian genres know minor progressions too, coloured here and there.
  return next() < 0.75 ? modal : own;
}

/** Bars that a written bar takes: 2 stretches, 0.5 packs two into one. */
function paceOf(brief: Brief, bar_seconds: number, next: () => number): number {
  const draw = next();
  const { as_written, slow } = musicOf(brief.genre).progressions;
  if (as_written) return 1;
  if (slow) return bar_seconds > 5 ? 1 : draw < 0.65 ? 2 : 1;
  if (bar_seconds < 1.1) return 2;
  if (bar_seconds < 1.6) return draw < 0.6 ? 2 : 1;
  if (bar_seconds > 2.9 && brief.metre.beats_per_bar % 2 === 0 && brief.metre.beats_per_bar >= 4)
    return draw < 0.35 ? 0.5 : 1;
  return 1;
}

/** One progression off a shelf, such that it comes out with the section, and none twice where there is a choice. */
function progression(
  shelf: readonly string[],
  bars: number,
  beats: number,
  pace: number,
  taken: Set<string>,
  next: () => number,
): Bars {
  const read = shelf.map((line) => ({ line, bars: paced(parse(line), pace, beats) }));
  const fits = read.filter(({ bars: { length } }) => length <= bars && bars % length === 0);
  const able = fits.length > 0 ? fits : read.filter(({ bars: { length } }) => length >= bars);
  const choice = able.length > 0 ? able : read;
  // Longer progressions say more; on equal terms they come a little more often.
  const found = weighted(
    choice,
    ({ line, bars: { length } }) => (taken.has(line) ? 0.02 : 1) * (length >= 8 ? 1.4 : 1),
    next,
  );
  taken.add(found.line);
  return found.bars;
}

export function parse(line: string): string[][] {
  return line.split("|").map((bar) => bar.split(" ").filter((numeral) => numeral !== ""));
}

function paced(bars: string[][], pace: number, beats: number): string[][] {
  if (pace === 2) return bars.flatMap((bar) => (bar.length === 2 ? [[bar[0]!], [bar[1]!]] : [bar, bar]));
  if (pace === 0.5 && beats % 2 === 0 && bars.length % 2 === 0 && bars.every(({ length }) => length === 1))
    return Array.from({ length: bars.length / 2 }, (_, k) => [bars[2 * k]![0]!, bars[2 * k + 1]![0]!]);
  return bars;
}

/** The progression over a section: again and again, or as much of it as there is room for. */
function filled(bars: Bars, count: number): Bars {
  return Array.from({ length: count }, (_, k) => bars[k % bars.length]!);
}

const MAJOR_PLAIN = /^(?:I|IV|V)$/u;

/** Later turns of a section are not played quite alike: a chord on the way, a suspension, a dominant of what comes. */
function embellished(bars: Bars, section: PlanSection, bank: Progressions, next: () => number, beats: number): Bars {
  if (section.turn === 0 || bank.cadence === "loop" || beats < 3) return bars;
  const result = bars.map((bar) => [...bar]);
  for (let at = 1; at < result.length - 1; at++) {
    const [here, then] = [result[at]!, result[at + 1]![0]!];
    if (here.length > 1 || next() > 0.22) continue;
    const only = here[0]!;
    if (only === "I" && then === "vi") here.push("V/3");
    else if (only === "I" && then === "IV") here.push("I7/3");
    else if (only === "i" && then === "bVI") here.push("v/3");
    else if (only === "IV" && then === "I" && bank.minor_fourth !== false) here.push("iv");
    else if (only === "V" && MAJOR_PLAIN.test(then)) here.splice(0, 1, "Vsus4", "V");
    else if ((then === "vi" || then === "ii") && only !== then && only !== "V") here.push(`V7>${then}`);
    else if (then === "iv" && only === "i") here.push("V7>iv");
  }
  return result;
}

/** The way on, written into the last bars: a half cadence before what is higher, the tonic at the end. */
function closed(
  bars: Bars,
  section: PlanSection,
  after: string | null,
  bank: Progressions,
  key: Key,
  beats: number,
  next: () => number,
  ending: Bars,
): Bars {
  const result = bars.map((bar) => [...bar]);
  const last = result.length - 1;
  if (section.leaves_by === "end") {
    const extra = section.bars > 2 && section.bars % section.phrase_bars === 1;
    result[last] = ["home"];
    if (extra && last > 0) result[last - 1] = ["home"];
    const before = extra ? last - 2 : last - 1;
    if (ending.length > 0 && before >= 0 && beats >= 2) {
      const taken = ending.slice(-(before + 1));
      for (const [n, bar] of taken.entries()) result[before + 1 - taken.length + n] = [...bar];
      return result;
    }
    if (before > 0 && bank.cadence !== "loop") result[before] = [lead(key, bank)];
    return result;
  }
  const draw = next();
  if (after === null || bank.as_written || section.bars < 4) return result;
  const starts_home = /^[iI]/u.test(after) && !/^(?:iv|IV|ii|II|iii|III)/u.test(after);
  // In minor the dominant is what tells it from its relative major, in loops too.
  const loops = isBright(key.mode) ? [0.3, 0.1] : [0.5, 0.3];
  const [up, level] = bank.cadence === "functional" ? [0.75, 0.35] : loops;
  const likely = section.leaves_by === "lift" ? up! : level!;
  if (starts_home && draw < likely) {
    const dominant = lead(key, bank);
    result[last] = dominant === "V" && beats >= 4 && draw < likely / 2 ? ["Vsus4", "V"] : [dominant];
  }
  return result;
}

/** The chord that leads home: the dominant, or what the mode has in its place. */
function lead(key: Key, bank: Progressions): string {
  if (key.mode === "phrygian") return "bII";
  if (key.mode === "mixolydian") return "bVII";
  if (key.mode === "dorian") return "bVII";
  if (key.mode === "lydian") return "V";
  return bank.leads_home?.[key.mode] ?? "V";
}

/** The chord that a piece rests on. */
function home(key: Key, bank: Progressions): string {
  const { home: named = { major: "I", minor: "i" } } = bank;
  const major = isBright(key.mode) || (key.mode === "phrygian" && bank.phrygian_rests_on_major);
  return major ? named.major : named.minor;
}

function laid(
  bars: Bars,
  section: PlanSection,
  beats: number,
  read: (numeral: string) => Omit<ScoreChord, "beat" | "beats">,
): ScoreChord[] {
  const chords: ScoreChord[] = [];
  for (const [bar, numerals] of bars.entries()) {
    const shares = sharesOf(Math.min(numerals.length, beats), beats);
    let beat = section.beat + bar * beats;
    for (const [at, share] of shares.entries()) {
      const harmony = read(numerals[at]!);
      const before = chords.at(-1);
      // What goes on is one chord, though not across phrases.
      if (before !== undefined && before.symbol === harmony.symbol && !(at === 0 && bar % section.phrase_bars === 0))
        chords[chords.length - 1] = { ...before, beats: before.beats + share };
      else chords.push({ beat, beats: share, ...harmony });
      beat += share;
    }
  }
  return chords;
}

/** Beats of each of `count` chords in a bar: as even as it goes, the longer first. */
function sharesOf(count: number, beats: number): number[] {
  const least = Math.floor(beats / count);
  return Array.from({ length: count }, (_, k) => least + (k < beats - least * count ? 1 : 0));
}
