import type { Role } from "../compose/mod.ts";
import type { Family } from "./families.ts";

/** Loudness that a role is set to, in LU against the lead's. */
const POP: Readonly<Record<Role, number>> = {
  vocal: 1,
  lead: 0,
  drums: 0,
  bass: -1.5,
  chords: -4,
  pad: -7,
  arpeggio: -6,
  counter: -5,
  percussion: -7,
  texture: -14,
  transition: -5,
  backing: -7,
};

/** Where a family differs. Of long tones a pad is heard under what moves; of an orchestra all have written dynamics. */
const DIFFERENT: Readonly<Record<Family, Partial<Record<Role, number>>>> = {
  pop: {},
  rock: { drums: 0.5, bass: -2, chords: -2, pad: -6.5 },
  // Power chords have no third of their own but the fifth partial's, which is major: who plays the chord's must be heard.
  heavy: { drums: 1, bass: -2, chords: -0.5, pad: -4.5, counter: -4 },
  groove: { drums: 0.5, bass: -0.5, chords: -4, percussion: -6 },
  hip_hop: { drums: 2, bass: 1, chords: -4, lead: -1.5, pad: -7, texture: -13 },
  club: { drums: 2, bass: 0, chords: -3, pad: -7, lead: -1, arpeggio: -4.5, percussion: -5 },
  bass_music: { drums: 2.5, bass: 1.5, chords: -5, pad: -7, lead: -2 },
  reggae: { drums: 1, bass: 2, chords: -3.5, lead: -1, percussion: -6 },
  lofi: { drums: -0.5, bass: -1.5, chords: -1.5, pad: -6, lead: -1, texture: -11 },
  jazz: { drums: -3.5, bass: -1.5, chords: -4.5, lead: 0.5, percussion: -7 },
  ambient: { pad: -1, lead: -3, chords: -3, arpeggio: -5, bass: -4, drums: -7, percussion: -9, texture: -7 },
  folk: { drums: -4, bass: -3, chords: -2.5, counter: -4, percussion: -8 },
  latin: { drums: -1, percussion: -2.5, bass: -1.5, chords: -3.5 },
  world: { drums: -2, percussion: -4, bass: -3, chords: -3.5 },
  classical: { drums: -4, percussion: -7, bass: -3, chords: -3, pad: -3.5, arpeggio: -3.5, counter: -2 },
  piano: { bass: -2, chords: -2, pad: -6, arpeggio: -2, counter: -3 },
  screen: {
    drums: -0.5,
    percussion: -2,
    bass: -3,
    chords: -2.5,
    pad: -2.5,
    counter: -2.5,
    texture: -11,
    transition: -3,
  },
  chip: { drums: -2, bass: -2, chords: -4, arpeggio: -3, counter: -3 },
};

/** Of the lead, in LUFS: any value that leaves room; the sum is scaled at the end. */
export const LEAD_LUFS = -23;

/** LUFS while it plays, at `level_db` 0. */
export function roleLoudness(role: Role, family: Family): number {
  return LEAD_LUFS + (DIFFERENT[family][role] ?? POP[role]);
}

/**
 * LU of a lead voice above the whole band, dry, while it sings. Its harmonies and its space come on top, the band's space on the band's
 * side: where a sub-bass is most of what is weighed, the voice needs less to be as far in front.
 */
export function voiceOverBand(family: Family): number {
  return OVER_BAND[family] ?? 2.4;
}

const OVER_BAND: Partial<Readonly<Record<Family, number>>> = {
  hip_hop: 0.7,
  pop: 1.9,
  lofi: 1.9,
  reggae: 2.1,
  bass_music: 1.9,
  jazz: 1.2,
  heavy: 3.8,
  groove: 3.8,
};
