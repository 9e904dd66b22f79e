import type { Brief, Instrument, Note, Part, Role, Score } from "../compose/mod.ts";

/** A single sound rather than a phrase. */
const ONE_SHOT = /\bone[- ]?shots?\b|\bsingle (?:hit|note|chord|stroke|strike)\b|\b(?:hit|stab|strike)$/iu;
const CHORD = /\bchords?\b|\bstabs?\b/iu;

/** Keys of the General MIDI percussion map by what drummers say; the longer names first. */
const STROKES: readonly (readonly [words: RegExp, key: number])[] = [
  [/\b(?:bass drum|kick)\b/iu, 36],
  [/\b(?:rim ?shot|side ?stick|rim)\b/iu, 37],
  [/\bsnare\b/iu, 38],
  [/\b(?:hand ?)?claps?\b/iu, 39],
  [/\bopen (?:hi-?)?hats?\b/iu, 46],
  [/\b(?:hi-?)?hats?\b/iu, 42],
  [/\bfloor tom\b/iu, 41],
  [/\btoms?\b/iu, 47],
  [/\bcrash\b/iu, 49],
  [/\bride\b/iu, 51],
  [/\bcymbal\b/iu, 49],
  [/\btambourine\b/iu, 54],
  [/\bcowbell\b/iu, 56],
  [/\bbongos?\b/iu, 60],
  [/\bcongas?\b/iu, 63],
  [/\btimbales?\b/iu, 65],
  [/\bagogo\b/iu, 67],
  [/\b(?:shaker|cabasa)\b/iu, 69],
  [/\bmaracas?\b/iu, 70],
  [/\bguiro\b/iu, 73],
  [/\bclaves?\b/iu, 75],
  [/\bwood ?block\b/iu, 76],
  [/\btriangle\b/iu, 81],
];

const KITS: ReadonlySet<Instrument> = new Set<Instrument>([
  "acoustic_kit",
  "brush_kit",
  "rock_kit",
  "jazz_kit",
  "electronic_kit",
  "house_kit",
  "trap_kit",
  "lofi_kit",
  "breakbeat_kit",
]);

/**
 * One stroke, note or chord as a score of `seconds`, where the words ask for one: "808 kick one-shot", "piano chord, single hit".
 * Undefined where they ask for music.
 */
export function oneShot(prompt: string, brief: Brief, seconds: number, ring: boolean): Score | undefined {
  if (!ONE_SHOT.test(prompt.trim())) return undefined;
  const stroke = STROKES.find(([words]) => words.test(prompt))?.[1];
  const instrument = stroke === undefined ? pitched(brief) : kitOf(brief, prompt);
  if (instrument === undefined) return undefined;
  const { tonic, mode } = brief.key;
  const minor = mode === "minor" || mode === "dorian" || mode === "phrygian";
  const root = base(instrument) + ((tonic - base(instrument)) % 12) + (tonic < base(instrument) % 12 ? 12 : 0);
  const pitches =
    stroke !== undefined ? [stroke] : CHORD.test(prompt) ? [0, minor ? 3 : 4, 7].map((up) => root + up) : [root];
  // One beat a second: the sound is let ring for most of the clip.
  const held = Math.max(0.25, 0.7 * seconds);
  const notes: Note[] = pitches.map((pitch) => ({ beat: 0, beats: held, pitch, velocity: 0.85, shift: 0 }));
  const role: Role = stroke !== undefined ? "drums" : root < 48 ? "bass" : pitches.length > 1 ? "chords" : "lead";
  const part: Part = { name: role, role, instrument, notes, pan: 0, level_db: 0 };
  const tones = pitches.length > 1 ? pitches.map((pitch) => pitch % 12) : [tonic];
  return {
    bpm: 60,
    metre: brief.metre,
    key: brief.key,
    beats: seconds,
    lead_in: 0,
    ring,
    swing: 0.5,
    sections: [{ kind: "loop", label: "A", beat: 0, beats: seconds, energy: 1 }],
    chords: [{ beat: 0, beats: seconds, root: tonic, bass: tonic, tones, symbol: "one shot" }],
    parts: [part],
    moves: [],
    mix: {
      genre: brief.genre,
      space: 0.5 * brief.space,
      brightness: brief.brightness,
      drive: brief.drive,
      density: 0.3,
      pump: 0,
      width: 0.4,
      age: brief.age,
    },
  };
}

const BASSES = /bass/u;

function pitched({ wanted }: Brief): Instrument | undefined {
  return wanted.find((instrument) => !KITS.has(instrument)) ?? wanted[0];
}

function kitOf({ wanted, genre }: Brief, prompt: string): Instrument {
  const named = wanted.find((instrument) => KITS.has(instrument));
  if (named !== undefined) return named;
  if (/\b[89]0[89]\b/u.test(prompt)) return /808/u.test(prompt) ? "trap_kit" : "house_kit";
  if (/trap|hip_hop|drill|boom_bap/u.test(genre)) return "trap_kit";
  if (/house|techno|trance|edm|disco|hardstyle/u.test(genre)) return "house_kit";
  return /synth|electro|dub|drum_and|jungle/u.test(genre) ? "electronic_kit" : "acoustic_kit";
}

/** The lowest C from which a single note of it is placed. */
function base(instrument: Instrument): number {
  return BASSES.test(instrument) || instrument === "tuba" ? 24 : 60;
}
