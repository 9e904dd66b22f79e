/** What a producer would name of a band, from scores: whether verses differ, drums change, players turn together, soloists take turns. */

import type { Part, Score, ScoreSection } from "../../runners/music/compose/mod.ts";
import { DRUM_KEYS } from "../../runners/packs/mod.ts";

type Notes = Part["notes"];

const within = (notes: Notes, { beat, beats }: { readonly beat: number; readonly beats: number }): Notes =>
  notes.filter((note) => note.beat >= beat - 1e-6 && note.beat < beat + beats - 1e-6);
const mean = (some: readonly number[]): number | undefined =>
  some.length === 0 ? undefined : some.reduce((sum, one) => sum + one, 0) / some.length;

export interface Verses {
  /** Share of the later verses' syllables that the first has at the same place on the same pitch. */
  readonly same: number;
  /** Share of quavers with a contour in both on which they are no more than a tone apart. */
  readonly alike: number;
  /** Semitones by which the highest of the later verses lies over the first's. */
  readonly peak: number;
  /** Share of lines that end elsewhere than the first verse's. */
  readonly ends: number;
}

/** Sung verses against the first of their label; undefined where there is but one. */
function versesOf({ sections, voice = [], key, key_change }: Score): Verses | undefined {
  const up = key_change === undefined ? 0 : (key_change.key.tonic - key.tonic + 12) % 12;
  const sung = sections.flatMap(({ kind, label, beat }, at) => {
    if (kind !== "verse") return [];
    const lines = voice
      .filter(({ section, spoken }) => section === at && !spoken)
      .map(({ notes }) =>
        notes
          .filter(({ backing }) => !backing)
          .map((note) => ({
            from: Math.round(4 * (note.beat - beat)),
            to: Math.round(4 * (note.beat + note.beats - beat)),
            pitch:
              note.pitches.at(-1)!.pitch - (key_change !== undefined && note.beat >= key_change.beat - 1e-6 ? up : 0),
          })),
      )
      .filter((line) => line.length > 0);
    return lines.length === 0 ? [] : [{ label, lines }];
  });
  const told = sung.flatMap(({ label, lines }, n) => {
    const first = sung.findIndex((one) => one.label === label);
    return first === n ? [] : [compared(sung[first]!.lines, lines)];
  });
  if (told.length === 0) return undefined;
  const of = (name: keyof Verses): number => mean(told.map((one) => one[name]))!;
  return { same: of("same"), alike: of("alike"), peak: of("peak"), ends: of("ends") };
}

type Line = readonly { readonly from: number; readonly to: number; readonly pitch: number }[];

function compared(first: readonly Line[], later: readonly Line[]): Verses {
  const places = new Map(first.flat().map(({ from, pitch }) => [from, pitch]));
  const all = later.flat();
  const contour = (lines: readonly Line[], at: number): number | undefined =>
    lines.flat().find(({ from, to }) => from <= at && at < to)?.pitch;
  const end = Math.max(...all.map(({ to }) => to));
  const both = Array.from({ length: Math.ceil(end / 2) }, (_, n) => [contour(first, 2 * n), contour(later, 2 * n)]);
  const heard = both.filter(([one, other]) => one !== undefined && other !== undefined);
  const pairs = later.flatMap((line, n) => (first[n] === undefined ? [] : [[first[n], line] as const]));
  return {
    same: mean(all.map(({ from, pitch }) => Number(places.get(from) === pitch)))!,
    alike: mean(heard.map(([one, other]) => Number(Math.abs(one! - other!) <= 2))) ?? Number.NaN,
    peak: Math.max(...all.map(({ pitch }) => pitch)) - Math.max(...first.flat().map(({ pitch }) => pitch)),
    ends: mean(pairs.map(([one, other]) => Number(one.at(-1)!.pitch !== other.at(-1)!.pitch)))!,
  };
}

const KEEPERS = new Set<number>([
  DRUM_KEYS.closed_hat,
  DRUM_KEYS.pedal_hat,
  DRUM_KEYS.open_hat,
  DRUM_KEYS.ride,
  DRUM_KEYS.ride_bell,
  DRUM_KEYS.crash,
  DRUM_KEYS.side_stick,
  DRUM_KEYS.tambourine,
  DRUM_KEYS.maracas,
  DRUM_KEYS.cabasa,
]);

export interface Kit {
  /** Of the bars of later verses, those whose strokes no bar of the first verse has. */
  readonly fresh: number | undefined;
  /** Whether choruses keep time on something else than verses. */
  readonly keeper: boolean | undefined;
  /** Strokes a bar of later verses for each of the first's. */
  readonly denser: number | undefined;
}

/** How the kit changes from verse to verse and into the chorus. */
function kitOf(score: Score): Kit | undefined {
  const drums = score.parts.filter(({ role }) => role === "drums").flatMap(({ notes }) => notes);
  const verses = sectionsOf(score, ["verse", "theme"]).filter((one) => within(drums, one).length > 0);
  if (drums.length === 0) return undefined;
  const [first, ...later] = verses.filter(({ label }) => label === verses[0]?.label);
  const bars = (section: ScoreSection): string[] => barsOf(score, section).map((bar) => print(within(drums, bar), bar));
  const known = new Set(first === undefined ? [] : bars(first));
  const perBar = (some: ScoreSection): number => within(drums, some).length / some.beats;
  const chorus = sectionsOf(score, ["chorus", "drop"]).filter((one) => within(drums, one).length > 0);
  const keepers = (some: readonly ScoreSection[]): number | undefined => {
    const counts = new Map<number, number>();
    for (const { pitch } of some.flatMap((one) => within(drums, one)))
      if (KEEPERS.has(pitch)) counts.set(pitch, (counts.get(pitch) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  };
  return {
    fresh: mean(later.flatMap(bars).map((bar) => Number(!known.has(bar)))),
    denser: first === undefined ? undefined : mean(later.map((one) => perBar(one) / perBar(first))),
    keeper: chorus.length === 0 || first === undefined ? undefined : keepers(chorus) !== keepers([first]),
  };
}

const sectionsOf = ({ sections }: Score, kinds: readonly string[]): ScoreSection[] =>
  sections.filter(({ kind }) => kinds.includes(kind));

function barsOf({ metre }: Score, { beat, beats }: ScoreSection): { beat: number; beats: number }[] {
  const bar = metre.beats_per_bar;
  return Array.from({ length: Math.floor(beats / bar + 1e-6) }, (_, n) => ({ beat: beat + n * bar, beats: bar }));
}

const print = (notes: Notes, { beat }: { readonly beat: number }, pitched = true): string =>
  notes
    .map((note) => `${Math.round(12 * (note.beat - beat))}${pitched ? `:${Math.round(note.pitch)}` : ""}`)
    .sort()
    .join(" ");

/**
 * Bars in which a player turns: the last two beats are played otherwise than in most bars of the section. Of bars in
 * which drums turn, the share in which others who play there turn too; and the other way round.
 */
function turnsOf(score: Score): { readonly bass: number; readonly hands: number; readonly drums: number } {
  const of = (role: string): Set<number> => {
    // Ghosts come and go, and a hat that opens is no turn.
    const notes = score.parts
      .filter((part) => part.role === role)
      .flatMap((part) => part.notes)
      .filter(({ pitch, velocity }) => role !== "drums" || (velocity >= 0.35 && !KEEPERS.has(pitch)));
    const found = new Set<number>();
    for (const section of score.sections) {
      const halves = barsOf(score, section).map(({ beat, beats }) => {
        const half = { beat: beat + beats - 2, beats: 2 };
        return { beat, print: print(within(notes, half), half, role === "drums") };
      });
      const counts = new Map<string, number>();
      for (const half of halves) counts.set(half.print, (counts.get(half.print) ?? 0) + 1);
      const [usual] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
      if (within(notes, section).length > 0)
        for (const half of halves)
          if (half.print !== usual && (counts.get(half.print) ?? 0) <= halves.length / 4) found.add(half.beat);
    }
    return found;
  };
  const [drums, bass, hands] = [of("drums"), of("bass"), of("chords")];
  const shared = (some: ReadonlySet<number>, others: ReadonlySet<number>): number =>
    some.size === 0 || others.size === 0 ? Number.NaN : [...some].filter((beat) => others.has(beat)).length / some.size;
  return { bass: shared(drums, bass), hands: shared(drums, hands), drums: shared(bass, drums) };
}

/**
 * Of solos: how many there are, how many instruments have the tune in them, in how many two of them trade phrases, and
 * the share of the later ones' notes that an earlier one has at the same place, whoever plays it.
 */
function solosOf(score: Score): { solos: number; soloists: number; traded: number; again: number } {
  const solos = sectionsOf(score, ["solo"]);
  const names = new Set<string>();
  let traded = 0;
  for (const solo of solos) {
    const players = score.parts.filter(({ role, notes }) => role === "lead" && within(notes, solo).length > 3);
    for (const { name, instrument } of players) names.add(`${instrument} ${name}`);
    const phrases = new Map<string, number>();
    const bar = score.metre.beats_per_bar;
    for (let beat = solo.beat; beat < solo.beat + solo.beats - 1e-6; beat += 4 * bar) {
      const alone = players.filter(({ notes }) => within(notes, { beat, beats: 4 * bar }).length > 2);
      if (alone.length === 1) phrases.set(alone[0]!.name, (phrases.get(alone[0]!.name) ?? 0) + 1);
    }
    if (phrases.size > 1) traded++;
  }
  const known = new Set<string>();
  const again: number[] = [];
  for (const [n, solo] of solos.entries()) {
    const notes = score.parts.filter(({ role }) => role === "lead").flatMap((part) => within(part.notes, solo));
    const prints = notes.map(({ beat, pitch }) => `${Math.round(4 * (beat - solo.beat))} ${Math.round(pitch) % 12}`);
    if (n > 0) again.push(...prints.map((one) => Number(known.has(one))));
    for (const one of prints) known.add(one);
  }
  return { solos: solos.length, soloists: names.size, traded, again: mean(again) ?? 0 };
}

/** Of what is sung, syllables over two beats that are not their line's last. */
function heldInside({ voice = [] }: Score): number {
  return voice
    .filter(({ spoken }) => !spoken)
    .flatMap(({ notes }) => notes.filter(({ backing }) => !backing).slice(0, -1))
    .filter(({ beats }) => beats >= 2).length;
}

/** Players with two notes or more in the first chorus, less those in the first verse. */
function firstChorus(score: Score): number | undefined {
  const players = (one: ScoreSection): number =>
    score.parts.filter(
      ({ role, notes }) => role !== "texture" && role !== "transition" && within(notes, one).length > 1,
    ).length;
  const [verse, chorus] = [sectionsOf(score, ["verse"])[0], sectionsOf(score, ["chorus"])[0]];
  return verse === undefined || chorus === undefined ? undefined : players(chorus) - players(verse);
}

export const bandOf = (score: Score) => ({
  first_chorus: firstChorus(score),
  verses: versesOf(score),
  kit: kitOf(score),
  turns: turnsOf(score),
  solos: solosOf(score),
  held_inside: heldInside(score),
});

export type Band = ReturnType<typeof bandOf>;

/** Medians and shares over pieces. */
export function describeBands(all: readonly Band[]): string {
  const median = (some: readonly (number | undefined)[], digits = 2): string => {
    const sorted = some.flatMap((one) => (one === undefined || Number.isNaN(one) ? [] : [one])).sort((a, b) => a - b);
    return `${(sorted[sorted.length >> 1] ?? Number.NaN).toFixed(digits)} (${sorted.length})`;
  };
  const verses = all.map((one) => one.verses);
  const kits = all.map(({ kit }) => kit);
  const keepers = kits.flatMap((kit) => kit?.keeper ?? []);
  const solos = all.map((one) => one.solos).filter((one) => one.solos > 1);
  const inside = all.map(({ held_inside }) => held_inside);
  return `later verses: syllables as in the first ${median(verses.map((one) => one?.same))}, contour within a tone ${median(verses.map((one) => one?.alike))}, peak over the first's ${median(
    verses.map((one) => one?.peak),
    0,
  )}, lines that end elsewhere ${median(verses.map((one) => one?.ends))}
kit: bars of later verses that the first has not ${median(kits.map((kit) => kit?.fresh))}, their strokes x${median(kits.map((kit) => kit?.denser))}, choruses on another keeper in ${keepers.filter(Boolean).length} of ${keepers.length}
turns: where drums turn, bass does in ${median(all.map(({ turns }) => turns.bass))}, hands in ${median(all.map(({ turns }) => turns.hands))}; where the bass turns, drums do in ${median(all.map(({ turns }) => turns.drums))}
solos: pieces with two or more ${solos.length}, their soloists ${solos.map(({ soloists, solos: count, traded }) => `${soloists}/${count}${traded > 0 ? "t" : ""}`).join(" ")}, notes as in an earlier solo ${median(solos.map(({ again }) => again))}
first choruses: players over the first verse ${median(
    all.map(({ first_chorus }) => first_chorus),
    0,
  )}, two or more in ${all.filter(({ first_chorus }) => (first_chorus ?? 0) > 1).length}
syllables of two beats inside lines: in ${inside.filter((count) => count > 0).length} of ${inside.length}, median ${median(inside, 0)}`;
}
