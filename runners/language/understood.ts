/** Helps to fill what clients are told of their words. */
import type { Understood } from "../../contract/mod.ts";

/** Of no words at all. */
export const NOTHING: Understood = Object.freeze({
  genre: null,
  tempo_bpm: null,
  key: null,
  metre: null,
  instruments: [],
  without: [],
  moods: [],
  voice: null,
  form: [],
  seconds: null,
  sounds: [],
  place: null,
  clip: null,
  guessed: [],
  not_understood: [],
});

/** The tempo in words of what keeps to a beat that is given: lyrics are set to bars that are all alike, and a source has its own. */
export function steadyTempo(tempo: Understood["tempo"]): string | null {
  const words = tempo?.split(", ").filter((word) => !word.startsWith("getting")) ?? [];
  return words.join(", ") || null;
}
