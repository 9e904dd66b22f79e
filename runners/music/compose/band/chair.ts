import type { Instrument } from "../instruments.ts";
import type { Role } from "../score.ts";

/** A place in the band before its name, its pan and its entries are known. */
export interface Chair {
  role: Role;
  instrument: Instrument;
  /** Asked for by name. */
  wanted: boolean;
  /** A guest of the second genre. */
  guest: boolean;
}

export function chairFor(role: Role, instrument: Instrument, wanted = false): Chair {
  return { role, instrument, wanted, guest: false };
}
