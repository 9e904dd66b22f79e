import { pitchClass } from "../../../notes.ts";
import { grooveOf } from "../../../packs/mod.ts";
import { clamp } from "../../../signal/dsp/numbers.ts";
import { instrumentOf } from "../instruments.ts";
import type { Seat } from "../plan.ts";
import type { Articulation, Note, ScoreChord } from "../score.ts";
import { type Mark, marksOf } from "./cells.ts";
import { type Bar, chordIndexAt } from "./frame.ts";
import {
  choiceOf,
  Hand,
  intensityOf,
  nameFrom,
  rateOf,
  type Setting,
  semiquaverDelay,
  strengthOf,
  styleFor,
  turnedPatternOf,
} from "./player.ts";
import { turned } from "./turns.ts";

/** A pattern that is none: the bass plays where the bass drum falls. */
const WITH_THE_KICK = "with the kick";

/** A note before it has a pitch. */
interface Stroke {
  readonly sign: string;
  readonly beat: number;
  beats: number;
  readonly odd16: boolean;
}

/**
 * One note at a time, under everything: the genre's pattern on the chords, led into changes of chord by step, with the
 * bass drum where the style says so.
 */
export function bass(setting: Setting, seat: Seat): Note[] {
  const { plan, bars } = setting;
  const { chords } = plan;
  if (chords.length === 0) return [];
  const { metre, swing } = plan.brief;
  const style = styleFor(setting, seat);
  const choice = choiceOf(plan, `bass ${seat.name}`);
  const name = setting.traits.has("walking bass") ? "walking" : nameFrom(style.bass, choice);
  const family = grooveOf(name).bass!;
  const rate = rateOf(plan, family.written_for_bpm);
  const hand = new Hand(setting, seat);
  const playing = new Set(seat.sections);
  const delay = semiquaverDelay(setting);
  const [low, high] = seat.range;
  const held =
    instrumentOf(seat.instrument).holds_root === true || (seat.role === "bass" && style.scene === "floating");
  let last = clamp(36, low, high);

  for (const bar of bars) {
    if (!playing.has(bar.section_index)) continue;
    const strength = strengthOf(setting, bar);
    const intensity = intensityOf(setting, bar);
    const strokes = strokesOf();
    for (let n = 0; n < strokes.length; n++) {
      const stroke = strokes[n]!;
      const chord = chords[chordIndexAt(chords, stroke.beat)]!;
      const after = strokes[n + 1];
      const next_beat = after ? after.beat : bar.beat + bar.beats;
      // What leads on knows the chord to come; `n` takes it before its time, by a beat of the pattern and a half at most.
      const ahead = stroke.sign === "n" ? Math.max(next_beat, stroke.beat + 1.5 / rate) : next_beat;
      const next = chords[chordIndexAt(chords, Math.min(ahead, plan.beats - 1e-3))]!;
      const root = nearest(chord.bass, last, low, high);
      const pitch = pitchOf(stroke.sign, chord, next, root, last, bar, stroke.beat, low, high, hand.rng);
      const ghost = stroke.sign === "g";
      const strong = stroke.sign === "R" || stroke.sign === "s";
      const velocity = (ghost ? 0.32 : strong ? 0.88 : stroke.sign === "a" ? 0.68 : 0.76) * strength;
      const articulation: Articulation | undefined = ghost ? "mute" : stroke.sign === "s" ? "slide" : undefined;
      const beats = ghost ? Math.min(stroke.beats, 0.15) : Math.max(0.1, stroke.beats * (articulation ? 1 : 0.96));
      hand.play(stroke.beat, beats, pitch, velocity, stroke.odd16 ? delay : 0, articulation);
      if (!ghost) last = pitch;
    }

    function strokesOf(): Stroke[] {
      if (bar.ends_piece && bar.index > 0)
        return cutAtChords([{ sign: "R", beat: bar.beat, beats: bar.beats, odd16: false }], chords);
      if (held) return cutAtChords([{ sign: "R", beat: bar.beat, beats: bar.beats, odd16: false }], chords);
      const pattern = turnedPatternOf(setting, family, intensity, choice, bar);
      const marks =
        pattern === WITH_THE_KICK
          ? fromKicks(setting.kicks, bar)
          : marksOf(pattern, bar.index, bar.beats, metre.division, rate, swing);
      return cutAtChords(joined(turned(setting, marks, "bass", choice, bar), bar), chords);
    }
  }
  return onlyOneAtATime(hand.finished());
}

/** Where the bass drum fell in the bar; the downbeat always, and the last quaver leads on. */
function fromKicks(kicks: readonly number[], bar: Bar): Mark[] {
  const places = new Set<number>([0]);
  for (const beat of kicks)
    if (beat >= bar.beat - 1e-6 && beat < bar.beat + bar.beats - 1e-6) places.add(beat - bar.beat);
  const sorted = [...places].sort((a, b) => a - b).filter((at, n, all) => n === 0 || at - all[n - 1]! > 0.2);
  if (sorted.length < 2 && bar.beats >= 4) sorted.push(bar.beats / 2 + 0.5);
  return sorted.map((at, n) => ({
    sign: n === 0 ? "R" : at > bar.beats - 0.6 ? "a" : "r",
    at,
    length: Math.min((sorted[n + 1] ?? bar.beats) - at, 2),
    odd16: false,
  }));
}

/** Holds lengthen what they follow; what holds over the bar line begins anew. */
export function joined(marks: readonly Mark[], bar: Bar): Stroke[] {
  const strokes: Stroke[] = [];
  for (const mark of marks) {
    const before = strokes.at(-1);
    if (mark.sign === "-") {
      if (before && Math.abs(before.beat + before.beats - (bar.beat + mark.at)) < 0.02) before.beats += mark.length;
      continue;
    }
    strokes.push({ sign: mark.sign, beat: bar.beat + mark.at, beats: mark.length, odd16: mark.odd16 });
  }
  // A pattern of several bars may begin with a hold.
  const first = strokes[0];
  if (marks[0]?.sign === "-" && (!first || first.beat > bar.beat + 0.01)) {
    let end = bar.beat;
    for (const mark of marks) {
      if (mark.sign !== "-") break;
      end = bar.beat + mark.at + mark.length;
    }
    strokes.unshift({ sign: "-", beat: bar.beat, beats: end - bar.beat, odd16: false });
  }
  return strokes;
}

/** What holds into a new chord is struck again with it. */
export function cutAtChords(strokes: readonly Stroke[], chords: readonly ScoreChord[]): Stroke[] {
  const result: Stroke[] = [];
  for (const stroke of strokes) {
    let from = stroke.beat;
    const end = stroke.beat + stroke.beats;
    let index = chordIndexAt(chords, from);
    let sign = stroke.sign;
    while (true) {
      const chord = chords[index]!;
      const change = chord.beat + chord.beats;
      if (change >= end - 0.05 || index === chords.length - 1) {
        result.push({ ...stroke, sign, beat: from, beats: end - from });
        break;
      }
      if (change > from + 1e-6) result.push({ ...stroke, sign, beat: from, beats: change - from });
      from = change;
      index++;
      if (!"Rr-xXodDuUhPp".includes(sign)) sign = "r";
    }
  }
  return result;
}

/** The pitch of class `pc` nearest to `near` within the range. */
export function nearest(pc: number, near: number, low: number, high: number): number {
  let best = -1;
  for (let pitch = low + pitchClass(pc - low); pitch <= high; pitch += 12)
    if (best < 0 || Math.abs(pitch - near) < Math.abs(best - near)) best = pitch;
  return best < 0 ? clamp(near, low, high) : best;
}

function pitchOf(
  sign: string,
  chord: ScoreChord,
  next: ScoreChord,
  near_root: number,
  last: number,
  bar: Bar,
  beat: number,
  low: number,
  high: number,
  rng: () => number,
): number {
  // Roots stay deep: in the lower octave where it is in range.
  const root = near_root - 12 >= low && near_root > low + 14 ? near_root - 12 : near_root;
  const fit = (pitch: number): number => (pitch > high ? pitch - 12 : pitch < low ? pitch + 12 : pitch);
  const tone = (interval: readonly number[]): number => {
    const found = interval.find((step) => chord.tones.includes((chord.root + step) % 12));
    return found === undefined ? chord.root : (chord.root + found) % 12;
  };
  switch (sign) {
    case "8":
      return fit(root + 12);
    case "5":
      return above(tone([7, 6, 8]), root, high);
    case "l":
      return fit(below(tone([7, 6, 8]), root, low));
    case "3":
      return above(tone([4, 3, 5, 2]), root, high);
    case "6":
      return above(
        chord.tones.includes((chord.root + 9) % 12) || chord.tones.includes((chord.root + 4) % 12)
          ? (chord.root + 9) % 12
          : tone([7, 6, 8]),
        root,
        high,
      );
    case "7":
      return above(tone([10, 11, 9, 7]), root, high);
    case "g":
      return last;
    case "s":
      // Slides go somewhere: to the octave, or the fifth.
      return rng() < 0.5 ? fit(root + 12) : above(tone([7, 6, 8]), root, high);
    case "n":
      return nearest(next.bass, root, low, high);
    case "a": {
      const target = nearest(next.bass, last, low, high);
      if (next === chord) return above(tone([7, 6, 8]), root, high);
      const from_below = last < target || (last === target && rng() < 0.5);
      const step = rng() < 0.55 ? 1 : 2;
      const led = fit(clamp(from_below ? target - step : target + step, low, high));
      // A note is not led to by itself.
      return led === last ? fit(clamp(from_below ? target + step : target - step, low, high)) : led;
    }
    case "w": {
      // Beats one and wherever the chord begins have the root; between them tones of the chord, on the way to the next.
      if (Math.abs(beat - Math.max(bar.beat, chord.beat)) < 0.05) return near_root;
      const up = last < (low + high) / 2 ? 0.72 : 0.3;
      const tones = chord.tones.length > 0 ? chord.tones : [chord.root];
      const options: number[] = [];
      for (let pitch = Math.max(low, last - 5); pitch <= Math.min(high, last + 5); pitch++)
        if (pitch !== last && tones.includes(pitch % 12)) options.push(pitch);
      const ups = options.filter((pitch) => pitch > last);
      const downs = options.filter((pitch) => pitch < last).reverse();
      const side = rng() < up && ups.length > 0 ? ups : downs.length > 0 ? downs : ups;
      if (side.length === 0) return near_root;
      return rng() < 0.8 ? side[0]! : side.at(-1)!;
    }
    default:
      return root;
  }
}

function above(pc: number, root: number, high: number): number {
  const pitch = root + pitchClass(pc - root);
  return pitch > high ? pitch - 12 : pitch;
}

function below(pc: number, root: number, low: number): number {
  const pitch = root - pitchClass(root - pc);
  return pitch < low ? pitch + 12 : pitch;
}

/** A bass has one voice: each note ends where the next begins. */
function onlyOneAtATime(notes: readonly Note[]): Note[] {
  const result: Note[] = [];
  for (let n = 0; n < notes.length; n++) {
    const [note, next] = [notes[n]!, notes[n + 1]];
    if (next && next.beat - note.beat < 0.01) continue;
    result.push(next && note.beat + note.beats > next.beat ? { ...note, beats: next.beat - note.beat } : note);
  }
  return result;
}
