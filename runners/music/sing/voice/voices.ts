/** Singers: what is particular to a throat and a manner. */
import voices from "./voices.json" with { type: "json" };

export interface Voice {
  /** MIDI numbers that it sings with ease, inclusive. */
  readonly range: readonly [low: number, high: number];
  /** Its vowels' formants against those of an average man, F1 to F3: a shorter throat has them higher (G. Fant 1966). */
  readonly scale: readonly [number, number, number];
  /** Hz of the fourth formant and those above it, which no vowel moves, and their bandwidths. */
  readonly upper: readonly (readonly [hertz: number, width: number])[];
  /** Share of a period that the folds are open. */
  readonly open: number;
  /** Hz above which the folds' own spectrum falls faster: brightness. */
  readonly soft: number;
  /** Breath noise against the voice, dB. */
  readonly breath_db: number;
  /** Cents either side at full vibrato, and Hz. */
  readonly vibrato_cents: number;
  readonly vibrato_hertz: number;
  /** Factor on the bandwidths of F1 to F3. */
  readonly damping: number;
  /** Whose recorded sounds it sings with; without them, and where they are not shipped, it sings with formants. */
  readonly recorded?: string;
  /** Of recorded voices: 0 to 1, how rough. */
  readonly rough?: number;
}

export type VoiceName = keyof typeof voices;

/** A baritone sings A2 to E4, an alto A3 to D5; the soprano, bright and light as a child, stays where words are understood. */
export const VOICES = voices as unknown as Readonly<Record<VoiceName, Voice>>;

/** A voice in another manner; both 0 leaves it as it is. */
export function coloured(voice: Voice, breathy: number, bright: number): Voice {
  return {
    ...voice,
    open: Math.min(0.85, voice.open + 0.14 * breathy - 0.05 * bright),
    soft: voice.soft * (1 - 0.4 * breathy) * (1 + 0.7 * bright),
    breath_db: voice.breath_db + 9 * breathy - 3 * bright,
    vibrato_cents: voice.vibrato_cents * (1 - 0.4 * breathy),
  };
}
