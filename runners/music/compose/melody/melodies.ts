import type { Cast, Plan, PlanSection, Seat } from "../plan.ts";
import type { Note, Part } from "../score.ts";
import { stream } from "../stream.ts";
import { clearOf, type Gap, gapsBetween, mannerOf, second } from "./counter.ts";
import { Themes, tune } from "./lead.ts";
import { quoted, quotesOf } from "./quoted.ts";
import { type Tone, touched } from "./touch.ts";
import { voiceOf } from "./voice.ts";

/** The plan with what is sung, and with what the band plays of it where no other tune is known. */
export function withVoice(plan: Plan): Plan {
  if (plan.singer === undefined) return plan;
  const voice = voiceOf(plan);
  const tune = plan.tune ?? quotesOf(plan, voice, new Themes(plan));
  return { ...plan, voice, ...(tune.length === 0 ? {} : { tune }) };
}

/**
 * Parts for every seat of role lead and counter. In each section the first lead that plays there has the tune; further
 * leads double it where the piece is strongest and answer it elsewhere; counters fill its rests, run along or sing
 * against it. Where words are sung all of them have the gaps between the lines, in turn. Sections of equal label have
 * the same tune, changed a little on later turns.
 */
export function melodies(plan: Plan, cast: Cast): Part[] {
  const themes = new Themes(plan);
  const leads = cast.seats.filter(({ role }) => role === "lead");
  const counters = cast.seats.filter(({ role }) => role === "counter");
  const notes = new Map<Seat, Note[]>([...leads, ...counters].map((seat) => [seat, []]));
  const words = (plan.voice ?? []).map(({ notes: sung }): Gap => {
    const last = sung.at(-1)!;
    return { beat: sung[0]!.beat, beats: last.beat + last.beats - sung[0]!.beat };
  });
  for (const [at, section] of plan.sections.entries()) {
    const here = (seat: Seat): boolean => seat.sections.includes(at);
    if (plan.voice?.some((line) => line.section === at) === true) {
      const players = [...leads, ...counters].filter(here);
      const gaps = gapsBetween(words, section);
      for (const [n, seat] of players.entries()) {
        const own = gaps.filter((_, gap) => gap % players.length === n);
        // Of a piece that exists it is the source's tune that is heard between the lines.
        const known = seat.role === "lead" ? quoted(plan, seat, section, () => []) : null;
        add(seat, known ?? second(plan, seat, at, [], themes, "answer", own), section, -0.2);
      }
      continue;
    }
    const [first, ...others] = leads.filter(here);
    if (section.trades === true && others.length > 0) {
      const players = [first!, ...others];
      for (const [n, seat] of players.entries())
        add(seat, phrasesOf(plan, seat, at, themes, n, players.length), section, 0.3);
      for (const seat of counters.filter(here)) add(seat, second(plan, seat, at, [], themes, "line"), section, -0.5);
      continue;
    }
    const composed = (): Tone[] => (first === undefined ? [] : tune(plan, first, at, themes));
    const tones = (first === undefined ? null : quoted(plan, first, section, composed)) ?? composed();
    if (first !== undefined) add(first, tones, section, 0.3);
    for (const seat of others) {
      const strong = section.energy > 0.84 && section.kind !== "solo";
      const doubled = strong ? doubling(tones, seat) : null;
      add(seat, doubled ?? second(plan, seat, at, tones, themes, "answer"), section, doubled === null ? 0 : -0.4);
    }
    for (const seat of counters.filter(here))
      add(seat, second(plan, seat, at, tones, themes, mannerOf(plan, section, tones)), section, -0.5);
  }
  return [...notes].map(([seat, played]) => ({
    name: seat.name,
    role: seat.role,
    instrument: seat.instrument,
    notes: inOrder(played, plan),
    pan: seat.pan,
    level_db: seat.level_db,
  }));

  function add(seat: Seat, tones: readonly Tone[], section: PlanSection, weight: number): void {
    const { brief, bpm, chords } = plan;
    const next = stream(plan.seed ^ brief.colour, `touch ${seat.name}`, section.bar);
    const played = touched(clearOf(tones, words), {
      brief,
      section,
      seat,
      idiom: themes.idiom,
      chords,
      beat_seconds: 60 / bpm,
      weight,
      next,
    });
    for (const note of played) notes.get(seat)!.push(note);
  }
}

/** Bars of a phrase where soloists trade. */
const TRADED_BARS = 4;

/** Of a seat's tune in a section, every so many phrases, beginning with the `nth`. */
function phrasesOf(plan: Plan, seat: Seat, at: number, themes: Themes, nth: number, players: number): Tone[] {
  const { beat } = plan.sections[at]!;
  const phrase = TRADED_BARS * plan.brief.metre.beats_per_bar;
  const turn = (tone: Tone): number => Math.floor((tone.beat - beat) / phrase + 1e-6);
  return tune(plan, seat, at, themes)
    .filter((tone) => turn(tone) % players === nth)
    .map((tone) => ({ ...tone, beats: Math.min(tone.beats, beat + (turn(tone) + 1) * phrase - tone.beat) }));
}

/** The same tune in the octave that suits the seat; null where no octave does. */
function doubling(tones: readonly Tone[], { range: [low, high] }: Seat): Tone[] | null {
  if (tones.length === 0) return null;
  const pitches = tones.map(({ pitch }) => pitch);
  const [least, most] = [Math.min(...pitches), Math.max(...pitches)];
  for (const octave of [0, 12, -12, 24, -24])
    if (least + octave >= low && most + octave <= high)
      return tones.map((tone) => ({ ...tone, pitch: tone.pitch + octave }));
  return null;
}

/** In order, within the piece, and no note of one voice into the next of the same pitch. */
function inOrder(notes: readonly Note[], { beats, ring }: Plan): Note[] {
  const sorted = notes
    .filter(({ beat }) => beat >= 0 && beat < beats)
    .sort((a, b) => a.beat - b.beat || a.pitch - b.pitch);
  return sorted.map((note, n) => {
    const until = sorted[n + 1]?.beat ?? (ring ? beats + (sorted[0]?.beat ?? 0) : Number.POSITIVE_INFINITY);
    return note.beat + note.beats > until && until > note.beat ? { ...note, beats: until - note.beat } : note;
  });
}
