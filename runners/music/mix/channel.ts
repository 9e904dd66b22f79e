import { type Mix, musicOf } from "../../packs/mod.ts";
import { bell, highPass, highShelf, lowPass, type Section } from "../../signal/dsp/biquad.ts";
import { gainOf } from "../../signal/dsp/exact.ts";
import { instrumentOf, type MixCharacter, type Part, type Role, type Score } from "../compose/mod.ts";
import { roleLoudness } from "./levels.ts";
import roles from "./roles.json" with { type: "json" };

/** Hz. */
export const RATE = 44_100;

/** What one part's channel strip is set to. */
export interface Channel {
  readonly sections: readonly Section[];
  /** LUFS while the part plays. */
  readonly loudness: number;
  /** LU that a voice is set above the band while it sings; absent for what is not the voice. */
  readonly over_band?: number;
  /** Ratio of the compressor, 1 for none. */
  readonly ratio: number;
  readonly attack_s: number;
  readonly release_s: number;
  /** Share of a harder compressor's output that is added: quiet syllables and the bodies of drums come up, attacks stay. */
  readonly parallel: number;
  /**
   * Ratio of a compressor that is quick enough for consonants, 1 for none. Fast compression makes words easier to hear
   * in noise (R. Niederjohn and J. Grotelueschen, IEEE Trans. ASSP 24 (1976); T.-C. Zorila, V. Kandia and Y. Stylianou,
   * Interspeech 2012).
   */
  readonly quick: number;
  /** Peaks this many dB above the part's loudness are held down 4:1; Infinity leaves them. */
  readonly crest_db: number;
  /** 0 clean to 1 driven. */
  readonly drive: number;
  /** Share of a decorrelated side made of the middle. */
  readonly widen: number;
  /** Factor on the side of a stereo stem. */
  readonly side: number;
  /** -1 to 1. */
  readonly pan: number;
  /** Amplitudes sent to room, plate, hall and delay. */
  readonly sends: Sends;
  /** Depth of the side-chain, 0 to 1. */
  readonly duck: number;
  /** Whether the part leaves room for a voice. */
  readonly yields: boolean;
}

interface Sends {
  readonly room: number;
  readonly plate: number;
  readonly hall: number;
  readonly delay: number;
}

/** dB at a `space` of 0.5; absent: nothing is sent. */
const SENDS: Readonly<Record<Role, Partial<Sends>>> = roles.sends_db;

/** In an acoustic room all sit in the same hall, the basses drier. */
const IN_A_HALL: Partial<Readonly<Record<Role, number>>> = { drums: -12, percussion: -11, bass: -17, vocal: -12 };

const DUCKING: Partial<Readonly<Record<Role, number>>> = roles.ducking;

type Tone = typeof roles.tone.drums;

/** What each role is given: a high-pass, less mud, more presence and air. */
const TONE: Readonly<Record<Role, Tone>> = roles.tone;

export function channelOf(part: Part, score: Score): Channel {
  const { role, instrument } = part;
  const mix = score.mix;
  const habits = musicOf(mix.genre).mix;
  const deep =
    instrumentOf(instrument).low_end === true || role === "bass" || role === "drums" || role === "transition";
  // Where nobody plays a bass, or the room is a hall, low notes belong to whoever plays them.
  const alone = habits.open_lows || !score.parts.some(({ role: other }) => other === "bass");
  const { high_pass_hertz: cut, mud_db: mud, presence_db: presence, air_db: air } = TONE[role];
  const sparse = score.parts.length <= 2;
  const sections: Section[] = [highPass(alone || deep ? Math.min(cut, 28) : cut, RATE)];
  if (mud !== 0 && !sparse) sections.push(bell(320, RATE, 0.9, mud));
  if (presence !== 0) sections.push(bell(3000, RATE, 0.8, presence));
  const shelf = air + (mix.brightness - 0.5) * 4;
  if (Math.abs(shelf) > 0.2) sections.push(highShelf(8500, RATE, shelf));
  if (role === "texture" || mix.age > 0.8) sections.push(lowPass(role === "texture" ? 13_000 : 11_000, RATE));
  const natural = habits.uncompressed;
  const ratio = ratioOf(role, mix, natural);
  return {
    sections,
    loudness: roleLoudness(role, mix.genre) + finite(part.level_db, -60, 24),
    ...(role === "vocal" ? { over_band: habits.voice_over_band_lu + finite(part.level_db, -60, 24) } : {}),
    ratio,
    attack_s: role === "bass" ? 0.015 : role === "drums" ? 0.004 : 0.01,
    release_s: role === "drums" ? 0.09 : 0.16,
    parallel: parallelOf(role, mix),
    quick: role === "vocal" ? 2 : 1,
    crest_db: role === "drums" || role === "percussion" ? 17 - 5 * mix.density : natural ? 30 : 18 - 3 * mix.density,
    drive: driveOf(role, mix, natural),
    widen: widenOf(role) * (0.4 + 0.6 * mix.width),
    side: sideOf(role, mix.width),
    pan: finite(part.pan, -1, 1),
    sends: sendsOf(role, mix, habits),
    duck: Math.min(0.9, (DUCKING[role] ?? 0) * mix.pump),
    yields: role !== "vocal" && role !== "backing" && role !== "drums" && role !== "bass",
  };
}

function ratioOf(role: Role, mix: MixCharacter, natural: boolean): number {
  if (role === "vocal" || role === "backing") return 3;
  if (natural) return role === "bass" ? 1.5 : 1;
  if (role === "bass") return 2 + 2 * mix.density;
  if (role === "drums" || role === "percussion") return 1;
  if (role === "lead" || role === "chords") return 1.2 + 0.8 * mix.density;
  return 1;
}

function parallelOf(role: Role, { density }: MixCharacter): number {
  if (role === "drums" || role === "percussion") return 0.35 + 0.5 * density;
  return role === "vocal" ? 0.2 + 0.4 * density : 0;
}

function driveOf(role: Role, mix: MixCharacter, natural: boolean): number {
  if (natural && mix.drive < 0.3) return 0;
  const most = role === "bass" || role === "drums" ? 1 : role === "lead" || role === "chords" ? 0.6 : 0;
  const amount = Math.max(0, mix.drive - 0.1) * most + (role === "drums" ? 0.15 * mix.density : 0);
  return amount < 0.03 ? 0 : Math.min(1, amount);
}

function widenOf(role: Role): number {
  if (role === "pad") return 0.5;
  if (role === "texture" || role === "backing") return 0.45;
  if (role === "chords" || role === "arpeggio" || role === "counter" || role === "transition") return 0.3;
  return role === "percussion" || role === "lead" ? 0.1 : 0;
}

function sideOf(role: Role, width: number): number {
  if (role === "bass") return 0.3 * width;
  if (role === "vocal" || role === "backing" || role === "lead") return 0.4 + 0.5 * width;
  return 0.45 + 0.8 * width;
}

function sendsOf(role: Role, mix: MixCharacter, habits: Mix): Sends {
  const own: Partial<Sends> = habits.one_hall ? { hall: IN_A_HALL[role] ?? (role === "pad" ? -8 : -9.5) } : SENDS[role];
  const lift = 18 * (mix.space - 0.5) + habits.reverb_db;
  const gain = (decibel: number | undefined, more = 0): number =>
    decibel === undefined || mix.space < 0.02 ? 0 : gainOf(decibel + lift + more);
  return {
    room: gain(own.room),
    plate: gain(own.plate),
    hall: gain(own.hall),
    delay: gain(own.delay, habits.echo_db),
  };
}

function finite(value: number, low: number, high: number): number {
  return value >= low ? Math.min(high, value) : value < low ? low : 0;
}
