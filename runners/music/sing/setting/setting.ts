/** Lyrics onto notes: lines into the bars of their sections, syllables onto beats by stress, pitches by chords and motifs. */

import { musicOf } from "../../../packs/mod.ts";
import { hash32 } from "../../../signal/dsp/random.ts";
import type { SectionKind } from "../../compose/mod.ts";
import type { LyricLine, LyricSection, Lyrics } from "../lyrics/lyrics.ts";
import type { Syllable } from "../lyrics/syllables.ts";
import type { Voice } from "../voice/voices.ts";
import { type Frame, isSpoken, type SetLine, type SetSyllable, type Setting } from "./frame.ts";
import { melodyOf, neighbour } from "./melody.ts";
import { partsOf } from "./parts.ts";
import { type Beat, rhythmOf } from "./rhythm.ts";

/** Every line of `lyrics`, in order, within the frame's sections. Any number of lines fits any frame that has a section; a frame without one gets an empty setting. */
export function setLyrics(lyrics: Lyrics, frame: Frame, voice: Voice, seed: number): Setting {
  const lines: SetLine[] = [];
  const sung = lyrics.sections.filter((section) => section.lines.length > 0);
  const seats = seatsOf(frame);
  if (seats.length === 0) return { lines };
  let earliest = 0;
  seats.forEach((section, k) => {
    const here = sung.filter((_, n) => seatOf(n, sung.length, seats.length) === k);
    const texts = here.flatMap((part) =>
      part.lines.flatMap((line) => partsOf(line).map((own, n) => ({ line: own, part, goes_on: n > 0 }))),
    );
    const slots = slotsOf(texts.length, frame.sections[section]!, frame);
    texts.forEach(({ line, part, goes_on }, n) => {
      const set = setLine(line, part, n, texts.length, section, slots[n]!, earliest, frame, voice, seed);
      const before = goes_on ? lines.pop() : undefined;
      lines.push(before === undefined ? set : { ...set, syllables: [...before.syllables, ...set.syllables] });
      const last = set.syllables.at(-1)!;
      earliest = last.beat + last.beats;
    });
  });
  return { lines };
}

/** Sections that are sung in: where lines are planned, else by kind, else all. */
function seatsOf({ sections }: Frame): number[] {
  const all = sections.map((_, n) => n);
  const planned = all.filter((n) => (sections[n]!.lines ?? 0) > 0);
  if (planned.length > 0) return planned;
  const vocal: ReadonlySet<SectionKind> = new Set(["verse", "prechorus", "chorus", "bridge", "theme", "drop", "loop"]);
  const kinds = all.filter((n) => vocal.has(sections[n]!.kind));
  return kinds.length > 0 ? kinds : all;
}

/** The seat of the nth of `count` lyric sections: one each where the numbers agree, else in order, as evenly as can be. */
function seatOf(n: number, count: number, seats: number): number {
  return count <= seats ? n : Math.floor((n * seats) / count);
}

interface LineSlot {
  readonly beat: number;
  readonly beats: number;
}

/** Equal room for every line, in whole or half bars where they suffice. */
function slotsOf(count: number, section: Frame["sections"][number], { metre }: Frame): LineSlot[] {
  const bar = metre.beats_per_bar;
  const unit =
    [2 * bar, bar, bar / 2].find((size) => Math.floor(section.beats / size + 1e-6) >= count) ??
    section.beats / Math.max(1, count);
  // Lines have equal units; what is over is rest at the end, unless it makes every line longer.
  const each = Math.max(unit, Math.floor(section.beats / unit / Math.max(1, count) + 1e-6) * unit);
  return Array.from({ length: count }, (_, n) => ({ beat: section.beat + n * each, beats: each }));
}

/** Lines of a section by their place: the first and the third begin alike, the second and the fourth answer. */
const LETTERS = [0, 1, 0, 2];
/** A line has at most this many bars of a long slot, so that words do not crawl. */
const BARS_MAX = 4;

function setLine(
  line: LyricLine,
  part: LyricSection,
  index: number,
  count: number,
  section: number,
  slot: LineSlot,
  earliest: number,
  frame: Frame,
  voice: Voice,
  seed: number,
): SetLine {
  const { kind, label, energy } = frame.sections[section]!;
  const bar = frame.metre.beats_per_bar;
  const seconds = 60 / frame.bpm;
  const spoken = isSpoken(frame.genre, kind);
  const syllables = flat(line);
  const letter = LETTERS[index % LETTERS.length]!;
  const motif = hash32(seed, hashText(`${part.label || label}/${letter}`));
  const rhythm = hash32(seed, hashText(`${part.label || label}/rhythm/${letter % 2}`));
  const beats = Math.min(slot.beats, BARS_MAX * bar);
  // A rest to breathe in: about a beat, less where the slot is short.
  const breath = Math.min(Math.max(0.5, 0.4 / seconds), 0.2 * beats);
  const pickup = Math.min(1, 0.15 * beats, Math.max(0, slot.beat - earliest - 0.35 / seconds));
  const onsets = rhythmOf(syllables, {
    from: spoken ? 0 : -pickup,
    to: beats - breath - (slot.beats > 6 ? 0.5 : 0),
    beats_per_bar: bar,
    parts: frame.metre.division === 3 ? 6 : 4,
    seconds,
    motif: rhythm,
    spoken,
  });
  const pace = syllables.length < 2 ? 1 : (onsets.at(-1)! - onsets[0]!) / (syllables.length - 1);
  const lengths = onsets.map((at, n) => {
    const end = onsets[n + 1] ?? Math.min(beats - breath * 0.6, at + Math.max(1.5, Math.min(3, 1.1 / seconds)));
    const held = Math.min(end - at, Math.max(2 * pace, 1.2));
    const next = syllables[n + 1];
    if (next === undefined) return Math.max(0.2, end - at);
    return next.pause && held > 0.75 ? held - Math.min(0.25, 0.2 * held) : held;
  });
  const tones = onsets.map((at, n) => ({ beat: slot.beat + at, beats: lengths[n]!, stress: syllables[n]!.stress }));
  const closes = index === count - 1;
  const range = rangeOf(voice, kind);
  const pitches = spoken
    ? speechOf(syllables, voice, motif)
    : melodyOf(tones, {
        key: frame.key,
        chords: frame.chords,
        ...range,
        motif,
        closes,
        beats_per_bar: bar,
        ...(frame.tune === undefined ? {} : { like: frame.tune }),
      });
  return {
    section,
    text: line.text,
    syllables: syllables.map((syllable, n): SetSyllable => {
      const at = swung(slot.beat + onsets[n]!, frame);
      const end = swung(slot.beat + onsets[n]! + lengths[n]!, frame);
      const pitch = pitches[n]!;
      const last = n === syllables.length - 1;
      const on = onsets[n]! - Math.floor(onsets[n]! + 1e-6) < 0.02 ? 0.05 : 0;
      return {
        word: syllable.word,
        begins: syllable.begins,
        phonemes: syllable.syllable.phonemes,
        nucleus: syllable.syllable.nucleus,
        stress: syllable.stress,
        backing: syllable.backing,
        beat: at,
        beats: end - at,
        pitches: spoken
          ? [
              { beat: 0, pitch: pitch + 0.6 },
              { beat: 0.55 * (end - at), pitch: pitch - 0.7 },
            ]
          : last
            ? melisma(pitch, end - at, seconds, frame, motif, range)
            : [{ beat: 0, pitch }],
        velocity: Math.min(1, 0.64 + 0.1 * syllable.stress * (syllable.stress === 1 ? 1 : 0.25) + on + 0.16 * energy),
      };
    }),
  };
}

interface FlatSyllable extends Beat {
  readonly syllable: Syllable;
  readonly word: string;
  readonly backing: boolean;
}

/** Words of one syllable that carry no stress in a sentence. */
const LIGHT: ReadonlySet<string> = new Set(
  "a an the and or but of to in on at as for from by with my your his her its our their i'm is are was were be been am it if so than that this do does did has have had will would can could should i you he she we they me him us them de la le el un une il lo die der das und ein que et y e o".split(
    " ",
  ),
);

function flat({ words }: LyricLine): FlatSyllable[] {
  return words.flatMap(({ text, syllables, backing, goes_on }, n) =>
    syllables.map((syllable, k) => ({
      syllable,
      word: text,
      backing,
      stress: syllables.length === 1 && LIGHT.has(text.toLowerCase()) ? (0 as const) : syllable.stress,
      begins: k === 0 && goes_on === undefined,
      pause: k === 0 && n > 0 && (words[n - 1]!.pause || words[n - 1]!.backing !== backing),
    })),
  );
}

/** Verses lie low in the voice, choruses a third or so higher; all below the height where words are lost. */
function rangeOf({ range: [low, high] }: Voice, kind: SectionKind): { low: number; high: number; home: number } {
  const width = high - low;
  const lift = kind === "chorus" || kind === "drop" ? 0.56 : kind === "prechorus" || kind === "bridge" ? 0.48 : 0.36;
  const home = Math.round(low + lift * width);
  return { low: Math.max(low, home - 7), high: Math.min(high, home + 7), home };
}

/** Speech: stressed syllables a little higher, the whole falling to its end. */
function speechOf(syllables: readonly FlatSyllable[], { range: [low, high] }: Voice, motif: number): number[] {
  const base = low + 0.3 * (high - low);
  return syllables.map(({ stress }, n) => {
    const place = n / Math.max(1, syllables.length - 1);
    const chance = (hash32(motif, n) / 0x1_0000_0000 - 0.5) * 1.4;
    return base + (stress === 1 ? 2.2 : stress === 2 ? 1.2 : 0) + chance - 1.6 * place;
  });
}

/** A long last syllable may turn through the note above it, or fall to its pitch by a step. */
function melisma(
  pitch: number,
  beats: number,
  seconds: number,
  { key, genre }: Frame,
  motif: number,
  { low, high }: { readonly low: number; readonly high: number },
): SetSyllable["pitches"] {
  const plain = [{ beat: 0, pitch }];
  if (beats * seconds < 0.75) return plain;
  const draw = hash32(motif, 77) % 100;
  if (draw >= (musicOf(genre).singing.melismas ? 70 : 30)) return plain;
  const step = Math.min(0.5, 0.3 * beats);
  const above = neighbour(pitch, key, 1);
  const below = neighbour(pitch, key, -1);
  if (draw % 2 === 0 && above <= high)
    return [
      { beat: 0, pitch: above },
      { beat: step, pitch },
    ];
  if (below < low || above > high) return plain;
  return [
    { beat: 0, pitch },
    { beat: step, pitch: above },
    { beat: 2 * step, pitch },
  ];
}

/** Off-beats where the band has them. */
function swung(beat: number, { swing, metre }: Frame): number {
  if (metre.division === 3 || swing === 0.5) return beat;
  const whole = Math.floor(beat + 1e-9);
  const share = beat - whole;
  return whole + (share <= 0.5 ? share * 2 * swing : swing + (share - 0.5) * 2 * (1 - swing));
}

function hashText(text: string): number {
  let hash = 2166136261;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 16777619);
  return hash >>> 0;
}
