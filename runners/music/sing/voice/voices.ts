/** Singers: what is particular to a throat and a manner. */

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
}

export const VOICES = {
  /** Low male, A2 to E4. */
  baritone: {
    range: [45, 64],
    scale: [0.98, 0.97, 0.98],
    upper: [
      [3250, 180],
      [3900, 260],
      [4900, 320],
      [5900, 420],
      [6900, 520],
      [7900, 620],
      [9000, 800],
    ],
    open: 0.56,
    soft: 5200,
    breath_db: -30,
    vibrato_cents: 34,
    vibrato_hertz: 5.3,
    damping: 1,
  },
  tenor: {
    range: [48, 69],
    scale: [1.04, 1.04, 1.03],
    upper: [
      [3350, 180],
      [4050, 260],
      [5100, 330],
      [6100, 430],
      [7200, 550],
      [8300, 680],
      [9500, 850],
    ],
    open: 0.55,
    soft: 6000,
    breath_db: -30,
    vibrato_cents: 36,
    vibrato_hertz: 5.6,
    damping: 1,
  },
  /** Female, A3 to D5. */
  alto: {
    range: [57, 74],
    scale: [1.14, 1.16, 1.13],
    upper: [
      [3950, 240],
      [4800, 320],
      [5900, 400],
      [7000, 520],
      [8100, 640],
      [9300, 850],
    ],
    open: 0.62,
    soft: 6000,
    breath_db: -26,
    vibrato_cents: 34,
    vibrato_hertz: 5.7,
    damping: 1.15,
  },
  /** Bright and light, as a young soprano or a child; it stays where words are understood, A3 to F5. */
  soprano: {
    range: [57, 77],
    scale: [1.18, 1.19, 1.15],
    upper: [
      [4200, 260],
      [5200, 340],
      [6300, 440],
      [7500, 560],
      [8700, 720],
      [9900, 900],
    ],
    open: 0.6,
    soft: 7500,
    breath_db: -27,
    vibrato_cents: 30,
    vibrato_hertz: 5.9,
    damping: 1.2,
  },
} as const satisfies Record<string, Voice>;

export type VoiceName = keyof typeof VOICES;

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
