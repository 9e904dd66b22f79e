import { pitchClass } from "../../../notes.ts";
import { type ChordGroove, grooveOf, type HandGroove } from "../../../packs/mod.ts";
import { clamp } from "../../../signal/dsp/numbers.ts";
import { beatsIn } from "../clock.ts";
import { type VoicingOptions, voiceLead } from "../form/voicing.ts";
import { instrumentOf } from "../instruments.ts";
import type { Seat } from "../plan.ts";
import type { Articulation, Note, Role, ScoreChord } from "../score.ts";
import { cutAtChords, joined, nearest } from "./bass.ts";
import { marksOf } from "./cells.ts";
import forces from "./force.json" with { type: "json" };
import { type Bar, chordIndexAt } from "./frame.ts";
import { factsOf } from "./instrument_facts.ts";
import {
  choiceOf,
  Hand,
  type Intensity,
  intensityOf,
  nameFrom,
  rateOf,
  type Setting,
  semiquaverDelay,
  strengthOf,
  styleFor,
  turnedPatternOf,
} from "./player.ts";
import type { Style } from "./styles.ts";
import { turned } from "./turns.ts";

const FORCE: Readonly<Record<string, number>> = forces.hands;

/** Chords as hands play them: rhythm of the genre, voicings that lead into each other. */
export function comping(setting: Setting, seat: Seat, nth: number): Note[] {
  const family = handOf(setting, seat, nth);
  return hands(setting, seat, family.family, `comp ${seat.name} ${family.name}`);
}

/** Broken chords that do not lie well on a guitar. */
const NOT_ON_FRETS: ReadonlySet<string> = new Set(["harp", "up16", "ostinato"]);

/** Broken chords, gated synths, ostinati. */
export function arpeggio(setting: Setting, seat: Seat, nth: number): Note[] {
  const { plan } = setting;
  const choice = choiceOf(plan, `arpeggio ${nth}`);
  const style = styleFor(setting, seat);
  const { family } = factsOf(seat.instrument);
  let names: readonly string[] = style.arpeggio;
  if (family === "strings" && style.scene !== "orchestral") names = ["ostinato", "pizz"];
  names = habitOf(seat, "arpeggio", style) ?? names;
  if (family === "guitar" && names.some((name) => NOT_ON_FRETS.has(name))) names = ["picked"];
  if (instrumentOf(seat.instrument).even_arpeggios === true)
    names = names.map((name) => (name === "picked" ? "up8" : name));
  if (setting.traits.has("ostinato") && family !== "guitar") names = ["ostinato"];
  const name = nameFrom(names, choice);
  return hands(setting, seat, grooveOf(name).arpeggio!, `arpeggio ${seat.name}`);
}

function handOf(setting: Setting, seat: Seat, nth: number): { name: string; family: HandGroove } {
  const style = styleFor(setting, seat);
  const list = namesFor(style, seat);
  // Two players of chords do not play the same thing.
  const choice = (choiceOf(setting.plan, "comp") >>> 3) + nth;
  let name = list[choice % list.length]!;
  const triple = setting.plan.brief.metre.beats_per_bar === 3 && setting.plan.brief.metre.division === 2;
  if (triple && style.scene === "acoustic") name = chordGroove(name).in_three_play ?? name;
  return { name, family: chordGroove(name) };
}

function chordGroove(name: string): ChordGroove {
  return grooveOf(name).chords!;
}

/** Patterns that a player of this instrument has in place of the style's. */
function habitOf({ instrument }: Seat, role: Role, style: Style): readonly string[] | undefined {
  return instrumentOf(instrument).habits?.find(
    (habit) =>
      habit.role === role &&
      (habit.in ?? style.scene) === style.scene &&
      habit.not_in !== style.scene &&
      (habit.where_keys_play === undefined || style.keys.includes(habit.where_keys_play)),
  )?.patterns;
}

function namesFor(style: Style, seat: Seat): readonly string[] {
  const habit = habitOf(seat, "chords", style);
  if (habit !== undefined) return habit;
  const { family, acoustic } = factsOf(seat.instrument);
  const { guitar } = instrumentOf(seat.instrument);
  switch (family) {
    case "guitar":
      if (guitar === "driven" && !style.guitar.some((name) => chordGroove(name).distorted))
        return [...style.guitar, "power"];
      if (guitar === "clean") {
        const [only, ...others] = style.guitar.map((name) => chordGroove(name).clean_guitar_plays);
        if (only !== undefined && others.length === 0) return [only];
      }
      if (acoustic) return style.guitar.map((name) => chordGroove(name).acoustic_guitar_plays ?? name);
      return style.guitar;
    case "plucked":
      return style.guitar;
    case "organ":
      return style.keys.some((name) => chordGroove(name).suits_organ) ? style.keys : ["organ", "hold"];
    case "brass":
      return style.winds;
    case "winds":
    case "choir":
      return ["hold"];
    case "strings":
      return style.strings;
    case "lead_synth":
    case "pad_synth":
    case "pluck_synth":
      return style.synth;
    default:
      return style.keys;
  }
}

/** Voicings by what is asked of them; kept while one piece is written, since searching for them is the dear part. */
const VOICED = new WeakMap<object, Map<string, number[][]>>();

function voicings(setting: Setting, seat: Seat, family: HandGroove): number[][] {
  const { plan } = setting;
  const options = voicingOptions(seat, family);
  // E minor 7 without its root is G major to whoever listens for chords, and a bass that walks names the root only now and then.
  const rootless =
    family.voicing === "rootless" &&
    plan.known_chords !== true &&
    plan.brief.progression === undefined &&
    setting.cast.seats.some(({ role }) => role === "bass");
  const key = `${options.voices} ${options.range.join()} ${options.centre} ${options.spread} ${options.with_bass} ${rootless} ${family.voicing}`;
  const kept = VOICED.get(plan) ?? new Map<string, number[][]>();
  VOICED.set(plan, kept);
  const found = kept.get(key);
  if (found) return found;
  const chords = plan.chords.map((chord): ScoreChord => {
    if (family.voicing === "power") return { ...chord, tones: [chord.root, fifthOf(chord)] };
    return rootless && chord.tones.length >= 4
      ? { ...chord, tones: chord.tones.filter((tone) => tone !== chord.root) }
      : chord;
  });
  const voiced =
    family.voicing === "power"
      ? chords.map((chord) => powerOf(chord, options.range))
      : voiceLead(chords, { ...options, ...(plan.ring ? { ring: true } : {}) });
  kept.set(key, voiced);
  return voiced;
}

function fifthOf(chord: ScoreChord): number {
  return (
    [7, 6, 8].map((step) => (chord.root + step) % 12).find((tone) => chord.tones.includes(tone)) ??
    (chord.root + 7) % 12
  );
}

/** Root, fifth and octave, low on the neck. */
function powerOf(chord: ScoreChord, [low, high]: readonly [number, number]): number[] {
  const root = low + pitchClass(chord.root - low);
  const fifth = root + ((((fifthOf(chord) - root) % 12) + 12) % 12);
  return [root, fifth, root + 12].filter((pitch) => pitch <= high);
}

function voicingOptions(seat: Seat, family: HandGroove): VoicingOptions {
  const { low, high, family: kind } = factsOf(seat.instrument);
  const range = seat.range;
  if (family.voicing === "power") return { voices: 3, range: [Math.max(low, 38), Math.min(high, 64)] };
  if (family.voicing === "guitar" && (kind === "guitar" || kind === "plucked")) {
    const bottom = Math.max(low, seat.role === "chords" || seat.role === "arpeggio" ? 43 : range[0]);
    return {
      voices: 5,
      range: [bottom, Math.min(high, Math.max(bottom + 19, 74))],
      spread: 19,
      centre: Math.min(high - 6, 57 + Math.max(0, bottom - 46)),
    };
  }
  // One player of a bowed string has two at once; horns in chords are a section.
  const alone = !factsOf(seat.instrument).polyphonic && (kind === "strings" || kind === "winds");
  const voices =
    seat.role === "arpeggio" ? 4 : alone ? 2 : kind === "brass" || kind === "strings" || kind === "choir" ? 3 : 4;
  const wide = family.voicing === "wide" && range[1] - range[0] >= 20;
  return wide
    ? { voices, range, spread: 15 }
    : { voices: seat.role === "chords" && kind === "organ" ? 3 : voices, range };
}

function hands(setting: Setting, seat: Seat, family: HandGroove, purpose: string): Note[] {
  const { plan, bars } = setting;
  const { chords } = plan;
  if (chords.length === 0) return [];
  const choice = choiceOf(plan, purpose);
  const rate = rateOf(plan, family.written_for_bpm);
  const voiced = voicings(setting, seat, family);
  const hand = new Hand(setting, seat);
  const delay = semiquaverDelay(setting);
  const playing = new Set(seat.sections);
  const { metre, swing } = plan.brief;
  // Broken chords, and what is held, go on as they are.
  const broken = seat.role === "arpeggio" || family.base.some((pattern) => !/[xXdDuU].*[xXdDuU]/u.test(pattern));
  for (const bar of bars) {
    if (!playing.has(bar.section_index)) continue;
    const strength = strengthOf(setting, bar);
    const intensity: Intensity = intensityOf(setting, bar);
    const pattern =
      bar.ends_piece && bar.index > 0
        ? "r---|----|----|----"
        : turnedPatternOf(setting, family, intensity, choice, bar, family.restless);
    const written = marksOf(pattern, bar.index, bar.beats, metre.division, rate, swing);
    const marks = broken || bar.ends_piece ? written : turned(setting, written, "hands", choice, bar);
    const strokes = cutAtChords(joined(marks, bar), chords);
    for (let n = 0; n < strokes.length; n++) {
      const stroke = strokes[n]!;
      const index = chordIndexAt(chords, stroke.beat);
      const chord = chords[index]!;
      const until = family.pedal ? pedalEnd(chord, bar, stroke.beat) : 0;
      const beats = Math.max(stroke.beats, until);
      gesture(
        hand,
        plan.bpm,
        seat,
        chord,
        voiced[index]!,
        stroke.sign === "-" ? "x" : stroke.sign,
        stroke.beat,
        beats,
        strength,
        stroke.odd16 ? delay : 0,
      );
    }
  }
  return hand.finished();
}

function pedalEnd(chord: ScoreChord, bar: Bar, beat: number): number {
  return Math.min(chord.beat + chord.beats, bar.beat + bar.beats) - beat;
}

/** Lowest note that hands on chords may add under the voicing. */
const DEEPEST = 36;

function gesture(
  hand: Hand,
  bpm: number,
  seat: Seat,
  chord: ScoreChord,
  voicing: readonly number[],
  sign: string,
  beat: number,
  beats: number,
  strength: number,
  late: number,
): void {
  const { low, high, family } = factsOf(seat.instrument);
  const force = (FORCE[sign] ?? 0.66) * strength;
  const digit = sign >= "0" && sign <= "9" ? Number(sign) : -1;
  const [bottom, top] = [
    Math.max(low, Math.min(seat.range[0], voicing[0]!)),
    Math.min(high, Math.max(seat.range[1], voicing.at(-1)!)),
  ];
  // Bows and lips cut short what is short.
  const clipped: Articulation | undefined =
    (family === "strings" || family === "brass") && beats <= 0.6 ? "staccato" : undefined;
  if (digit >= 0) {
    const octave = Math.floor(digit / voicing.length);
    let pitch = voicing[digit % voicing.length]! + 12 * octave;
    while (pitch > top) pitch -= 12;
    hand.play(beat, beats, Math.max(bottom, pitch), (digit === 0 ? 0.74 : 0.62) * strength, late, clipped);
    return;
  }
  if (sign === "b" || sign === "f") {
    const floor = Math.max(low, Math.min(DEEPEST, bottom), bottom - 12);
    const pc = sign === "b" ? chord.bass : fifthOf(chord);
    hand.play(
      beat,
      beats,
      nearest(pc, sign === "b" ? floor + 5 : floor + 3, floor, Math.min(high, floor + 14)),
      force,
      late,
    );
    return;
  }
  const notes = sign === "h" && voicing.length > 2 ? voicing.slice(1) : voicing;
  const down = sign === "d" || sign === "D";
  const up = sign === "u" || sign === "U";
  const muted: Articulation | undefined =
    sign === "m" || sign === "p" ? "mute" : sign === "X" || sign === "P" || sign === "D" ? "accent" : undefined;
  // Strings are met one after the other: 12 to 25 ms from first to last in time, 60 to 120 ms where the chord is rolled.
  const span_s = sign === "r" ? 0.09 : down || up ? (family === "guitar" || family === "plucked" ? 0.018 : 0.008) : 0;
  const step = notes.length > 1 ? beatsIn(bpm, span_s) / (notes.length - 1) : 0;
  const sounding =
    sign === "m" ? Math.min(beats, 0.12) : sign === "p" ? Math.min(beats, 0.4) : beats * (beats < 0.6 ? 0.85 : 0.98);
  const strung = up ? [...notes].reverse().slice(0, Math.max(2, notes.length - 1)) : notes;
  strung.forEach((pitch, n) => {
    const offset = Math.min(step * n, beats * 0.5);
    const weight = up || down ? 1 - 0.05 * n : n === notes.length - 1 ? 1.04 : 0.96;
    hand.play(beat + offset, Math.max(0.06, sounding - offset), clamp(pitch, low, high), force * weight, late, muted);
  });
}

/** Long chords that swell and lead: one voicing a chord, held through where it stays. */
export function pad(setting: Setting, seat: Seat, nth: number): Note[] {
  const { plan, bars } = setting;
  const { chords } = plan;
  if (chords.length === 0) return [];
  const { family, low, high, polyphonic } = factsOf(seat.instrument);
  const playing = new Set(seat.sections);
  const [bottom, top] = seat.range;
  const centre = clamp((nth === 0 ? 62 : 67) + (family === "choir" ? 1 : 0), bottom + 6, top - 5);
  const voices = polyphonic ? (family === "choir" ? 3 : 4) : 1;
  const voiced = polyphonic
    ? voiceLead(chords, {
        voices,
        range: [bottom, top],
        centre,
        spread: nth === 0 ? 14 : 9,
        ...(plan.ring ? { ring: true } : {}),
      })
    : chords.map((chord) => [nearest(chord.bass, low + 7, low, high)]);
  const hand = new Hand(setting, seat);
  const { pad_articulation = "legato", holds_root } = instrumentOf(seat.instrument);
  for (const [n, chord] of chords.entries()) {
    const bar = bars.find(
      (candidate) => chord.beat >= candidate.beat - 1e-6 && chord.beat < candidate.beat + candidate.beats - 1e-6,
    );
    if (!bar || !playing.has(bar.section_index)) continue;
    const strength = strengthOf(setting, bar);
    const swell = 0.86 + (0.14 * bar.phrase_index) / Math.max(1, bar.section.phrase_bars);
    for (const pitch of holds_root === true ? [nearest(chord.bass, 38, low, high)] : voiced[n]!)
      hand.play(chord.beat, chord.beats, pitch, 0.62 * strength * swell, 0, pad_articulation);
  }
  return tied(hand.finished());
}

/** What is common to two chords is held, not struck again. */
function tied(notes: readonly Note[]): Note[] {
  const result: Note[] = [];
  const open = new Map<number, number>();
  for (const note of notes) {
    const at = open.get(note.pitch);
    const before = at === undefined ? undefined : result[at];
    if (before && Math.abs(before.beat + before.beats - note.beat) < 0.02 && before.beats < 16) {
      result[at!] = { ...before, beats: note.beat + note.beats - before.beat };
      continue;
    }
    open.set(note.pitch, result.length);
    result.push(note);
  }
  return result;
}
