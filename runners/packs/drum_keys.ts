import keys from "./drum_keys.json" with { type: "json" };

/**
 * Drums by name, as the General MIDI percussion map numbers them; two names may share a number where one hand or foot is not enough.
 */
export const DRUM_KEYS = keys;

export type Drum = keyof typeof DRUM_KEYS;
