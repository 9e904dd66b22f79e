/** Composes a piece of a style with everything known about it: what is played when, and the truth that an analysis should find. */
import { random } from "../../runners/signal/dsp/random.ts";
import { DRUM_KEYS, STYLES, type Style } from "./styles.ts";

export interface Note {
  /** Seconds. */
  readonly at: number;
  readonly until: number;
  /** MIDI key. */
  readonly key: number;
  /** 1 to 127. */
  readonly velocity: number;
}

export interface Part {
  readonly stem: "drums" | "bass" | "other" | "vocals";
  /** General-MIDI programme; -1 for the drum kit, -2 for the singer. */
  readonly program: number;
  /** -1 to 1. */
  readonly pan: number;
  readonly level_db: number;
  readonly notes: readonly Note[];
}

export interface Truth {
  readonly genre: string;
  readonly seed: number;
  /** Beats a minute, the median. */
  readonly tempo: number;
  /** Beats a bar. */
  readonly meter: number;
  /** 2, or 3 where the beat is a dotted crotchet. */
  readonly division: 2 | 3;
  readonly swing: number;
  readonly key: string;
  readonly duration: number;
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly sections: readonly {
    readonly label: string;
    readonly start: number;
    readonly end: number;
    readonly bars: number;
  }[];
  readonly chords: readonly {
    readonly start: number;
    readonly root: string;
    readonly quality: string;
    readonly degree: number;
  }[];
  readonly vocal_intervals: readonly (readonly [number, number])[];
  /** The final chord's attack; null where the excerpt is cut before. */
  readonly ending: number | null;
}

export interface Piece {
  readonly parts: readonly Part[];
  readonly truth: Truth;
}

/** What a piece is made to; all drawn from the seed where absent. */
export interface Wish {
  /** Cut here, seconds; absent: the whole form with its ending. */
  readonly seconds?: number;
  readonly tempo?: number;
  readonly drums?: boolean;
  /** In place of the genre's own style. */
  readonly style?: Style;
}

const NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];
const MAJOR = [0, 2, 4, 5, 7, 9, 11];
const MINOR = [0, 2, 3, 5, 7, 8, 10];
const LOOPS_MAJOR = [
  [1, 5, 6, 4],
  [1, 4, 5, 1],
  [1, 6, 4, 5],
  [6, 4, 1, 5],
  [1, 4, 1, 5],
  [2, 5, 1, 6],
  [4, 5, 3, 6],
  [1, 3, 4, 5],
];
const LOOPS_MINOR = [
  [1, 6, 3, 7],
  [1, 7, 6, 5],
  [1, 4, 1, 5],
  [1, 6, 4, 5],
  [1, 4, 7, 3],
  [6, 7, 1, 1],
];
const SEVENTHS = new Set(["jazz", "bossa", "soul", "funk", "house", "hiphop", "disco"]);

interface Slot {
  readonly label: string;
  readonly bars: number;
  readonly first: number;
  readonly loop: readonly number[];
  readonly has_drums: boolean;
  readonly layers: number;
  readonly loud: number;
}

export function compose(genre: string, seed: number, wish: Wish = {}): Piece {
  const style = wish.style ?? STYLES[genre];
  if (style === undefined)
    throw new RangeError(`Cannot compose "${genre}": known are ${Object.keys(STYLES).join(", ")}`);
  const next = random(Math.imul(seed + 1, 0x9e3779b1) ^ hash(genre));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const between = (low: number, high: number): number => low + (high - low) * next();
  const normal = (): number => next() + next() + next() + next() - 2;

  const tempo = wish.tempo ?? between(...style.tempo);
  const swing = between(...style.swing);
  const minor = next() < style.minor;
  const tonic = Math.floor(next() * 12);
  const scale = minor ? MINOR : MAJOR;
  const beats_per_bar = style.beats_per_bar;
  const steps_per_bar = beats_per_bar * style.steps;
  const bars_per_chord = pick(style.bars_per_chord);
  const loops = minor ? LOOPS_MINOR : LOOPS_MAJOR;
  const verse_loop = pick(loops);
  const chorus_loop = pick(loops);
  const kits = style.drums.filter((kit) => wish.drums !== true || Object.keys(kit).length > 0);
  const kit = wish.drums === false ? {} : pick(kits);
  const chorus_kit = wish.drums === false ? {} : next() < 0.6 || Object.keys(kit).length === 0 ? kit : pick(kits);
  const bare_intro = next() < 0.5;
  // Music does not begin on the first sample; sometimes an upbeat comes before the first bar.
  const start = next() < 0.3 ? 0.35 : between(0.02, 1.5);
  const pickup = next() < 0.25 ? 1 + Math.floor(next() * (beats_per_bar - 1)) : 0;

  const plan: [string, number][] = [
    ["intro", next() < 0.7 ? 4 : 8],
    ["verse", 8],
    ["chorus", 8],
    ["verse", 8],
    ...(next() < 0.5 ? [["bridge", next() < 0.5 ? 4 : 8] as [string, number]] : []),
    ["chorus", 8],
    ["outro", 4],
  ];
  let bar = 0;
  const slots: Slot[] = plan.map(([label, bars]) => {
    const slot: Slot = {
      label,
      bars,
      first: bar,
      loop: label === "chorus" ? chorus_loop : label === "bridge" ? pick(loops) : verse_loop,
      has_drums: label === "intro" ? !bare_intro : label === "bridge" ? next() < 0.5 : true,
      layers: label === "intro" ? 0.5 : label === "verse" ? 0.75 : 1,
      loud: label === "chorus" ? 1.12 : label === "intro" || label === "bridge" ? 0.85 : 1,
    };
    bar += bars;
    return slot;
  });
  const bars = bar;
  const total_beats = pickup + bars * beats_per_bar + 4;
  const times = beatTimes(style, tempo, total_beats + 2, start, beats_per_bar, pickup, between, normal);
  /** Seconds of a place in bars and steps, swing and all. */
  const when = (of_bar: number, step: number): number => {
    const beat = step / style.steps;
    const whole = Math.floor(beat);
    const place = pickup + of_bar * beats_per_bar + whole + swung(beat - whole, swing, style);
    const before = Math.max(0, Math.floor(place));
    return times[before]! + (place - before) * (times[before + 1]! - times[before]!);
  };
  const slotOf = (of_bar: number): Slot => slots.findLast((slot) => slot.first <= of_bar)!;

  // Chords, one or two a bar or one for several bars.
  const sevenths = SEVENTHS.has(genre) && next() < 0.7;
  const chords: { bar: number; step: number; degree: number; root: number; quality: string; tones: number[] }[] = [];
  for (const slot of slots) {
    for (let at = 0, n = 0; at < slot.bars; at += bars_per_chord, n++) {
      const degree = slot.loop[n % slot.loop.length]!;
      const dominant = minor && degree === 5;
      const third = dominant ? 4 : interval(scale, degree, 2);
      const fifth = dominant ? 7 : interval(scale, degree, 4);
      const seventh = dominant ? 10 : interval(scale, degree, 6);
      const root = (tonic + scale[degree - 1]!) % 12;
      const triad = third === 4 ? "maj" : fifth === 6 ? "dim" : "min";
      const quality = !sevenths
        ? triad
        : seventh === 11
          ? "maj7"
          : third === 4
            ? "7"
            : triad === "dim"
              ? "dim"
              : "min7";
      chords.push({
        bar: slot.first + Math.floor(at),
        step: (at % 1) * steps_per_bar,
        degree,
        root,
        quality,
        tones: [0, third, fifth, ...(sevenths ? [seventh] : [])],
      });
    }
  }
  const chordAt = (of_bar: number, step: number) =>
    chords.findLast((chord) => chord.bar < of_bar || (chord.bar === of_bar && chord.step <= step + 1e-9)) ?? chords[0]!;

  const parts: Part[] = [];
  const play = (pattern: string, of_bar: number): { step: number; loud: number }[] => {
    const all = pattern.replaceAll(" ", "");
    const pages = Math.max(1, Math.round(all.length / steps_per_bar));
    const page = all.slice((of_bar % pages) * steps_per_bar, ((of_bar % pages) + 1) * steps_per_bar);
    const hits: { step: number; loud: number }[] = [];
    for (let step = 0; step < page.length; step++) {
      const sign = page[step]!;
      const loud = sign === "X" ? 1 : sign === "x" ? 0.78 : sign === "o" ? 0.4 : sign === "?" && next() < 0.5 ? 0.7 : 0;
      if (loud > 0) hits.push({ step, loud });
    }
    return hits;
  };
  const velocity = (loud: number, slot: Slot): number =>
    Math.max(1, Math.min(127, Math.round(100 * loud * slot.loud * (1 + 0.08 * normal()))));

  // Drums.
  const drum_jitter = style.time === "steady" ? 0.001 : between(0.002, 0.006);
  const drums: Note[] = [];
  const hit = (name: string, at: number, loud: number, slot: Slot): void => {
    const time = Math.max(0, at + drum_jitter * normal());
    drums.push({ at: time, until: time + 0.12, key: DRUM_KEYS[name]!, velocity: velocity(loud, slot) });
  };
  const fills = next() < 0.75;
  for (let of_bar = 0; of_bar < bars; of_bar++) {
    const slot = slotOf(of_bar);
    const here = slot.label === "chorus" ? chorus_kit : kit;
    if (!slot.has_drums || Object.keys(here).length === 0) continue;
    const last = of_bar === slot.first + slot.bars - 1;
    const fill =
      fills && (last || (of_bar % 4 === 3 && next() < 0.3)) && "snare" in here ? 1 + Math.floor(next() * 2) : 0;
    const kept = steps_per_bar - Math.min(fill, beats_per_bar - 1) * style.steps;
    for (const [name, pattern] of Object.entries(here)) {
      for (const { step, loud } of play(pattern, of_bar)) if (step < kept) hit(name, when(of_bar, step), loud, slot);
    }
    for (let step = kept; step < steps_per_bar; step++) {
      if (next() < 0.7)
        hit(pick(["snare", "snare", "tom_high", "tom_mid", "tom_low"]), when(of_bar, step), between(0.6, 1), slot);
    }
    if (of_bar === slot.first && of_bar > 0 && next() < 0.7) hit("crash", when(of_bar, 0), 0.95, slot);
  }
  if (pickup > 0 && Object.keys(kit).length > 0 && !bare_intro) {
    for (let beat = 0; beat < pickup; beat++) hit(next() < 0.5 ? "snare" : "rim", times[beat]!, 0.8, slots[0]!);
  }
  if (drums.length > 0) parts.push({ stem: "drums", program: -1, pan: 0, level_db: between(-3, 5), notes: drums });

  // Bass.
  const bass: Note[] = [];
  const bass_pattern = pick(style.bass);
  const lag = 0.004 * normal();
  const walking = genre === "jazz";
  const no_bass_intro = next() < 0.3;
  for (let of_bar = 0; of_bar < bars; of_bar++) {
    const slot = slotOf(of_bar);
    if (slot.label === "intro" && no_bass_intro) continue;
    const hits = play(bass_pattern, of_bar);
    for (const [n, { step, loud }] of hits.entries()) {
      const chord = chordAt(of_bar, step);
      const until = n + 1 < hits.length ? hits[n + 1]!.step : steps_per_bar;
      let tone = n === 0 || chord.step === step ? 0 : next() < 0.7 ? 0 : pick([chord.tones[2]!, 12, chord.tones[2]!]);
      if (walking && n > 0) tone = pick([chord.tones[1]!, chord.tones[2]!, 12, 2, 9]);
      const at = Math.max(0, when(of_bar, step) + lag + 0.004 * normal());
      const end = when(of_bar, until);
      bass.push({
        at,
        until: at + (end - at) * 0.9,
        key: 29 + ((chord.root - 29 + 120) % 12) + tone,
        velocity: velocity(loud, slot),
      });
    }
  }
  parts.push({ stem: "bass", program: pick(style.bass_programs), pan: 0, level_db: between(-4, 1), notes: bass });

  // Chords and figures.
  const wanted = style.comps.filter((comp) => next() < comp.share);
  const comps = wanted.length > 0 ? wanted : [style.comps[0]!];
  for (const [index, comp] of comps.entries()) {
    const notes: Note[] = [];
    const verse_pattern = pick(comp.patterns);
    const chorus_pattern = next() < 0.5 ? verse_pattern : pick(comp.patterns);
    const late = 0.006 * normal();
    const low = comp.manner === "pad" ? 52 : 50 + Math.floor(next() * 10);
    const spread = comp.manner === "strum" ? between(0.008, 0.02) : 0.002;
    for (let of_bar = 0; of_bar < bars; of_bar++) {
      const slot = slotOf(of_bar);
      // The first part is always there; the others come in as the form grows.
      if (index > 0 && index / comps.length >= slot.layers) continue;
      const pattern = slot.label === "chorus" ? chorus_pattern : verse_pattern;
      if (comp.manner === "pad") {
        for (const chord of chords.filter((c) => c.bar === of_bar)) {
          const after = chords.find((c) => c.bar > chord.bar || (c.bar === chord.bar && c.step > chord.step));
          const at = when(of_bar, chord.step);
          const until = after ? when(after.bar, after.step) : when(bars, 0);
          for (const tone of chord.tones)
            notes.push({ at, until: until - 0.02, key: voiced(low, chord.root, tone), velocity: velocity(0.7, slot) });
        }
        continue;
      }
      const hits = play(pattern, of_bar);
      for (const [n, { step, loud }] of hits.entries()) {
        const chord = chordAt(of_bar, step);
        const after = n + 1 < hits.length ? hits[n + 1]!.step : steps_per_bar;
        const until_step = comp.length === undefined ? after : Math.min(after, step + comp.length);
        const at = Math.max(0, when(of_bar, step) + late + 0.005 * normal());
        const until = at + Math.max(0.06, (when(of_bar, until_step) - at) * 0.92);
        const tones =
          comp.manner === "arpeggio" ? [chord.tones[[0, 2, 1, 2, 0, 1][n % 6]! % chord.tones.length]!] : chord.tones;
        for (const [t, tone] of tones.entries()) {
          notes.push({
            at: at + t * spread,
            until,
            key: voiced(low, chord.root, tone),
            velocity: velocity(loud * 0.9, slot),
          });
        }
      }
    }
    if (next() < 0.5)
      parts.push(part("other", pick(comp.programs), between(-0.7, 0.7), (comp.level_db ?? 0) + between(-4, 2), notes));
    else
      parts.push(part("other", pick(comp.programs), between(-0.3, 0.3), (comp.level_db ?? 0) + between(-3, 1), notes));
  }

  // Melody: a motif of two bars for each kind of section, sung or played, with rests to breathe.
  const singer = next() < style.sung;
  const motifs = new Map<string, { step: number; length: number; offset: number }[]>();
  const melody: Note[] = [];
  for (const slot of slots) {
    const silent = slot.label === "intro" || slot.label === "outro" || (slot.label === "bridge" && next() < 0.5);
    if (silent) continue;
    let motif = motifs.get(slot.label);
    if (motif === undefined) {
      motif = [];
      const unit = style.steps === 4 ? 2 : style.steps === 6 ? 2 : 1;
      const busy = between(0.35, 0.75);
      for (let step = pick([0, 0, unit, 2 * unit]); step < 2 * steps_per_bar - style.steps; ) {
        const length = unit * (next() < busy ? 1 : next() < 0.6 ? 2 : 4);
        if (next() < 0.85) motif.push({ step, length, offset: Math.round(2.5 * normal()) });
        step += length;
      }
      motifs.set(slot.label, motif);
    }
    const centre = (slot.label === "chorus" ? 69 : 65) - (singer ? 5 : 0);
    let key = centre;
    for (let pair = 0; pair + 1 < slot.bars + 1; pair += 2) {
      for (const { step, length, offset } of motif) {
        const of_bar = slot.first + pair + Math.floor(step / steps_per_bar);
        if (of_bar >= slot.first + slot.bars) continue;
        const in_bar = step % steps_per_bar;
        const chord = chordAt(of_bar, in_bar);
        const target = key + offset + Math.round((centre - key) * 0.3);
        key = nearest(
          target,
          in_bar % style.steps === 0
            ? chord.tones.map((tone) => (chord.root + tone) % 12)
            : scale.map((tone) => (tonic + tone) % 12),
        );
        const at = Math.max(0, when(of_bar, in_bar) + 0.008 * normal() + (singer ? 0.005 : 0));
        const end_bar = of_bar + Math.floor((in_bar + length) / steps_per_bar);
        const until = when(end_bar, (in_bar + length) % steps_per_bar);
        melody.push({ at, until: at + (until - at) * 0.94, key, velocity: velocity(0.9, slot) });
      }
    }
  }
  parts.push(
    part(
      singer ? "vocals" : "other",
      singer ? -2 : pick(style.lead_programs),
      between(-0.15, 0.15),
      between(-4, 1),
      melody,
    ),
  );

  // The end: the tonic, held by all.
  const final = when(bars, 0);
  const hold = final + (4 * 60) / tempo;
  for (const [index, one] of parts.entries()) {
    if (one.program === -2) continue;
    const add: Note[] =
      one.program === -1
        ? [DRUM_KEYS.kick!, DRUM_KEYS.crash!].map((key) => ({ at: final, until: final + 0.1, key, velocity: 100 }))
        : one.stem === "bass"
          ? [{ at: final, until: hold, key: 29 + ((tonic - 29 + 120) % 12), velocity: 95 }]
          : [0, minor ? 3 : 4, 7].map((tone) => ({
              at: final,
              until: hold,
              key: voiced(55, tonic, tone),
              velocity: 85,
            }));
    parts[index] = { ...one, notes: [...one.notes, ...add] };
  }

  const whole = hold + 2.5;
  const duration = Math.min(wish.seconds ?? whole, whole);
  const before = (time: number): boolean => time < duration - 0.02;
  const beats = times.slice(0, pickup + bars * beats_per_bar + 1).filter(before);
  const downbeats = beats.filter((_, n) => n >= pickup && (n - pickup) % beats_per_bar === 0);
  const gaps = beats
    .slice(1)
    .map((beat, n) => beat - beats[n]!)
    .sort((a, b) => a - b);
  return {
    parts: parts.map((one) => ({ ...one, notes: one.notes.filter((note) => note.at < duration) })),
    truth: {
      genre,
      seed,
      tempo: 60 / gaps[gaps.length >> 1]!,
      meter: beats_per_bar,
      division: style.steps === 4 ? 2 : 3,
      swing: style.steps === 3 ? 2 / 3 : swing,
      key: `${NAMES[tonic]} ${minor ? "minor" : "major"}`,
      duration,
      beats,
      downbeats,
      sections: slots
        .map(({ label, first, bars: count }) => ({
          label,
          start: when(first, 0),
          end: Math.min(duration, when(first + count, 0)),
          bars: count,
        }))
        .filter(({ start: begins }) => before(begins)),
      chords: chords
        .map((chord) => ({
          start: when(chord.bar, chord.step),
          root: NAMES[chord.root]!,
          quality: chord.quality,
          degree: chord.degree,
        }))
        .filter(({ start: begins }) => before(begins)),
      vocal_intervals: singer ? merged(melody.filter((note) => before(note.at))) : [],
      ending: before(final) ? final : null,
    },
  };
}

function part(stem: Part["stem"], program: number, pan: number, level_db: number, notes: readonly Note[]): Part {
  return { stem, program, pan, level_db, notes };
}

/** Beat times under drift: a slow wander of the tempo and, in rubato, phrases that press on and hold back. */
function beatTimes(
  style: Style,
  tempo: number,
  count: number,
  start: number,
  beats_per_bar: number,
  pickup: number,
  between: (low: number, high: number) => number,
  normal: () => number,
): number[] {
  const depth = style.time === "steady" ? 0 : between(0.005, 0.045);
  const period = between(40, 120);
  const phase = between(0, 2 * Math.PI);
  const trend = style.time === "steady" ? 0 : between(-0.02, 0.02);
  const swell = style.time === "rubato" ? between(0.02, 0.07) : 0;
  const wobble = style.time === "steady" ? 0 : 0.003;
  const phrase = 4 * beats_per_bar;
  const times = [start];
  for (let n = 0; n < count; n++) {
    const place = (((n - pickup) % phrase) + phrase) % phrase;
    const held = swell * (0.4 * Math.sin((2 * Math.PI * place) / phrase) - Math.max(0, (place - phrase + 3) / 3) * 1.5);
    const factor =
      1 + depth * Math.sin((2 * Math.PI * n) / period + phase) + (trend * n) / count + held + wobble * normal();
    times.push(times[n]! + 60 / (tempo * factor));
  }
  return times;
}

function swung(fraction: number, swing: number, style: Style): number {
  if (style.steps !== 4 || swing === 0.5) return fraction;
  if (style.swung === "quavers") return bend(fraction, swing);
  const half = fraction < 0.5 ? 0 : 0.5;
  return half + bend(2 * (fraction - half), swing) / 2;
}

function bend(x: number, swing: number): number {
  return x < 0.5 ? 2 * x * swing : swing + 2 * (x - 0.5) * (1 - swing);
}

function interval(scale: readonly number[], degree: number, up: number): number {
  const from = degree - 1;
  const to = from + up;
  return scale[to % 7]! + 12 * Math.floor(to / 7) - scale[from]!;
}

/** The pitch class root + tone at or above `low`. */
function voiced(low: number, root: number, tone: number): number {
  return low + ((((root + tone - low) % 12) + 12) % 12);
}

function nearest(key: number, classes: readonly number[]): number {
  for (let away = 0; away < 12; away++) {
    if (classes.includes((((key + away) % 12) + 12) % 12)) return key + away;
    if (classes.includes((((key - away) % 12) + 12) % 12)) return key - away;
  }
  return key;
}

/** Intervals in which the singer sings: gaps under 0.3 s closed. */
function merged(notes: readonly Note[]): [number, number][] {
  const intervals: [number, number][] = [];
  for (const { at, until } of notes) {
    const last = intervals.at(-1);
    if (last !== undefined && at - last[1] < 0.3) last[1] = until;
    else intervals.push([at, until]);
  }
  return intervals;
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) value = Math.imul(value ^ text.charCodeAt(n), 0x01000193);
  return value;
}
