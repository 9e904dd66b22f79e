import { derived, type InstrumentPack, midiOf } from "../../../packs/mod.ts";
import { type Instrument, instrumentOf, instruments } from "../instruments.ts";
import type { Role } from "../score.ts";

export interface Facts {
  readonly family: InstrumentPack["family"];
  /** MIDI numbers that sound well, inclusive. */
  readonly low: number;
  readonly high: number;
  /** Roles that suit it, best first. */
  readonly roles: readonly Role[];
  readonly polyphonic: boolean;
  /** Rings or holds for as long as it is asked to. */
  readonly sustains: boolean;
  /** Needs no mains. */
  readonly acoustic: boolean;
}

const facts = derived(
  () => new Map(instruments().map((instrument): [Instrument, Facts] => [instrument, read(instrumentOf(instrument))])),
);

function read({ family, range, roles, notes_at_once, tone, electric }: InstrumentPack): Facts {
  return {
    family,
    low: midiOf(range[0]),
    high: midiOf(range[1]),
    roles,
    polyphonic: notes_at_once !== "one",
    sustains: tone !== "short",
    acoustic: electric !== true,
  };
}

/** @throws RangeError where no pack describes it */
export function factsOf(instrument: Instrument): Facts {
  const found = facts().get(instrument);
  if (found === undefined) throw new RangeError(`No instrument is called "${instrument}"`);
  return found;
}

/** Where `instrument` sits when it plays `role`, MIDI numbers, inclusive; never empty. */
export function rangeFor(instrument: Instrument, role: Role): readonly [low: number, high: number] {
  const { low, high, family } = factsOf(instrument);
  if (family === "kit" || family === "percussion" || family === "texture" || family === "transition")
    return [low, high];
  const [want_low, want_high] = REGISTERS[role] ?? [low, high];
  // A tune needs an octave and three quarters, everything else a ninth.
  const room = role === "lead" || role === "counter" ? 21 : 14;
  const bottom = Math.max(low, Math.min(want_low, high - room));
  const top = Math.min(high, Math.max(want_high, bottom + room));
  return [bottom, top];
}

/** E1 to G3 for basses; the middle for harmony, so that bass and melody stay free; melody above. */
const REGISTERS: Partial<Record<Role, readonly [number, number]>> = {
  bass: [28, 55],
  chords: [48, 76],
  pad: [48, 79],
  arpeggio: [55, 84],
  lead: [60, 86],
  counter: [53, 81],
};
