/** A tune that is known already, in a player's register: a source's, or what of a song's own is played where nobody sings. */
import { pitchClass } from "../../../notes.ts";
import type { GivenNote, Plan, PlanSection, Seat } from "../plan.ts";
import type { VoiceLine } from "../score.ts";
import { stream } from "../stream.ts";
import type { Themes } from "./lead.ts";
import type { Sketch } from "./phrase.ts";
import { pitched, scaleOf } from "./pitch.ts";
import type { Tone } from "./touch.ts";
import { slotsOf, sourceOf, titleOf } from "./words.ts";

/** Bars that may pass without a note of the tune before something is composed for them. */
const SILENT_BARS = 2;

/**
 * What a section has of the tune, in the octave that suits the seat, with what `composed` gives in phrases where it is silent; null where
 * the plan knows no tune for the section.
 */
export function quoted(plan: Plan, seat: Seat, section: PlanSection, composed: () => readonly Tone[]): Tone[] | null {
  if (plan.tune === undefined) return null;
  const end = section.beat + section.beats;
  const here = plan.tune.filter(({ beat, into = beat }) => into >= section.beat && into < end);
  if (here.length === 0) return null;
  const shift = octaveFor(plan.tune, seat);
  const tones = phrasesOf(here).flatMap((phrase): Tone[] => {
    const pitches = folded(
      phrase.map(({ pitch }) => pitch + shift),
      seat,
    );
    return phrase.map(({ beat, beats }, n) => ({
      beat,
      beats: Math.min(beats, end - beat),
      pitch: pitches[n]!,
      cadence: null,
    }));
  });
  const span = Math.max(1, Math.min(SILENT_BARS, section.phrase_bars)) * plan.brief.metre.beats_per_bar;
  const sounds = (from: number): boolean =>
    tones.some(({ beat, beats }) => beat < from + span && beat + beats > from + 1e-6);
  const silent = new Set<number>();
  for (let from = section.beat; from < end - 1e-6; from += span) if (!sounds(from)) silent.add(from);
  if (silent.size === 0) return tones;
  const spanOf = (beat: number): number => section.beat + Math.floor((beat - section.beat) / span + 1e-6) * span;
  const fill = composed().filter(({ beat }) => silent.has(spanOf(beat)));
  const joined = fill.map((tone) => ({ ...tone, beats: Math.min(tone.beats, spanOf(tone.beat) + span - tone.beat) }));
  return [...tones, ...joined].sort((a, b) => a.beat - b.beat);
}

/** Semitones, whole octaves, that bring the tune nearest to the middle of the register. */
function octaveFor(tune: readonly GivenNote[], { range: [low, high] }: Seat): number {
  const pitches = tune.map(({ pitch }) => pitch).sort((a, b) => a - b);
  const middle = pitches[pitches.length >> 1]!;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let octave = -48; octave <= 48; octave += 12) {
    let outside = 0;
    for (const pitch of pitches) if (pitch + octave < low || pitch + octave > high) outside++;
    // Staying where it was is worth a few notes at the edges.
    const cost =
      (8 * outside) / pitches.length + Math.abs(middle + octave - (low + high) / 2) / 12 + Math.abs(octave) / 24;
    if (cost < least) [least, best] = [cost, octave];
  }
  return best;
}

/** A rest that parts two phrases, beats. */
const REST = 0.4;

function phrasesOf(notes: readonly GivenNote[]): GivenNote[][] {
  const phrases: GivenNote[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const note of notes) {
    if (note.beat - until >= REST) phrases.push([]);
    phrases.at(-1)!.push(note);
    until = note.beat + note.beats;
  }
  return phrases;
}

/**
 * A phrase in the octave that the seat can play whole, for a leap in its middle makes another tune of it; note by note
 * where there is none.
 */
function folded(phrase: readonly number[], { range: [low, high] }: Seat): readonly number[] {
  const [least, most] = [Math.min(...phrase), Math.max(...phrase)];
  const fits = [0, -12, 12].find((octave) => least + octave >= low && most + octave <= high);
  if (fits !== undefined) return phrase.map((pitch) => pitch + fits);
  return phrase.map((pitch) => {
    let out = pitch;
    while (out > high) out -= 12;
    while (out < low) out += 12;
    return out;
  });
}

/** A quote is as sung, save where a held note would grind. */
const KEPT = 3;
/** What goes on as long as its section does. */
const ROUND: ReadonlySet<PlanSection["kind"]> = new Set(["drop", "theme"]);

/**
 * What the band plays of what is sung: sections that nobody sings in have the tune of the words that their label is
 * sung to elsewhere, else the song's hook. A solo begins with it, of several in a row the first.
 *
 * @param voice written straight
 */
export function quotesOf(plan: Plan, voice: readonly VoiceLine[], themes: Themes): GivenNote[] {
  const { sections } = plan;
  return sections.flatMap((section, at) => {
    // Of several solos in a row the first begins with the tune.
    if (section.kind === "solo" && sections[at - 1]?.kind === "solo") return [];
    const source = sourceOf(section, sections);
    const lines = voice.filter(({ section: at, spoken }) => !spoken && sections[at] === source);
    return source === undefined || lines.length === 0 ? [] : quoteOf(plan, section, source, lines, themes);
  });
}

/** As many lines of the source as there is room for, the title among them, on the section's own chords. */
function quoteOf(
  plan: Plan,
  section: PlanSection,
  source: PlanSection,
  lines: readonly VoiceLine[],
  themes: Themes,
): GivenNote[] {
  const { brief, chords, seed } = plan;
  const slots = slotsOf(source, brief.metre.beats_per_bar);
  const line_beats = slots[0]!.beats;
  const room = section.kind === "solo" ? Math.max(line_beats, section.beats / 2) : section.beats;
  const count = Math.floor(room / line_beats + 1e-6);
  const title = titleOf(source.words!);
  const first = title < count ? 0 : title;
  const end = section.beat + section.beats;
  // A tune without its pick-up begins in the middle; only before the piece there is no time for one, and none over
  // players who are to be alone.
  const before = plan.sections[plan.sections.indexOf(section) - 1];
  const begin =
    before === undefined || before.lead !== undefined ? section.beat : section.beat - brief.metre.beats_per_bar;
  const notes: GivenNote[] = [];
  for (let n = 0; n < count; n++) {
    const line = lines[ROUND.has(section.kind) ? (first + n) % lines.length : first + n];
    if (line === undefined) break;
    const shift = section.beat + n * line_beats - slots[lines.indexOf(line)]!.beat;
    for (const { beat, beats, pitches, backing } of line.notes)
      if (!backing)
        for (const [k, one] of pitches.entries()) {
          const at = beat + shift + one.beat;
          const long = (pitches[k + 1]?.beat ?? beats) - one.beat;
          if (at >= begin - 1e-6 && at < end - 0.25)
            notes.push({
              beat: at,
              ...(at < section.beat - 1e-6 ? { into: section.beat } : {}),
              beats: Math.min(long, end - at),
              pitch: one.pitch,
            });
        }
  }
  if (notes.length === 0) return [];
  const { all } = scaleOf(brief.key, themes.idiom.scale);
  const sketch = notes.map(({ beat, beats, pitch }, n): Sketch => {
    const want = n === 0 ? null : stepsBetween(notes[n - 1]!.pitch, pitch, all);
    // A push has the chord of the beat that it is held over.
    const early = Math.ceil(beat - 1e-6) - beat;
    const on = early <= 0.5 && beats > early + 0.25 ? early : 0;
    return { beat: beat + on, beats: beats - on, want, height: 0, cadence: null, like: pitch };
  });
  const own = notes.map(({ pitch }) => pitch);
  const [low, high] = [Math.min(...own) - 5, Math.max(...own) + 5];
  const pitches = pitched(sketch, {
    chords,
    key: brief.key,
    scale: themes.idiom.scale,
    leap: themes.idiom.leaps,
    range: [low, high],
    centre: (low + high) / 2,
    beats_per_bar: brief.metre.beats_per_bar,
    like: KEPT,
    next: stream(seed, "quotes"),
  });
  return notes.map((note, n) => ({ ...note, pitch: pitches[n]! }));
}

/** Steps of the scale from one pitch up to another; negative down. */
function stepsBetween(from: number, to: number, scale: ReadonlySet<number>): number {
  let steps = 0;
  for (let pitch = Math.min(from, to) + 1; pitch <= Math.max(from, to); pitch++)
    if (scale.has(pitchClass(pitch))) steps++;
  return to < from ? -steps : steps;
}
