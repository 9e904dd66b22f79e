/** The drums of a kit by their keys, as packs say. */
import { type DrumPack, derived, midiOf, packs } from "../../packs/mod.ts";

export interface Drum extends Omit<DrumPack, "key" | "also" | "chokes"> {
  readonly key: number;
  readonly chokes: readonly number[];
}

const drums = derived(() => {
  const own = new Map<number, Drum>();
  const also = new Map<number, Drum>();
  const beyond = new Map<DrumPack["beyond"], Drum>();
  for (const { key, also: more = [], chokes = [], ...rest } of packs("drums").values()) {
    const drum = { ...rest, key: midiOf(key), chokes: chokes.map(midiOf) };
    own.set(drum.key, drum);
    for (const note of more) also.set(midiOf(note), drum);
    if (drum.beyond !== undefined) beyond.set(drum.beyond, drum);
  }
  return { own, also, beyond, lowest: beyond.get("below")!.key };
});

/** The drum of a key; undefined for what no pack describes. */
export function drumOn(key: number): Drum | undefined {
  return drums().own.get(Math.round(key));
}

/** The drum of a key, or what is nearest in kind. */
export function nearestDrum(key: number): Drum {
  const { own, also, beyond, lowest } = drums();
  const whole = Math.round(key);
  return own.get(whole) ?? also.get(whole) ?? beyond.get(whole < lowest ? "below" : "above")!;
}
