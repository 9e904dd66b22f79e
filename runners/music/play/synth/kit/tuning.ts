import type { Kick, Snare } from "../../../../packs/mod.ts";
import { COMMON, FIRM, HOME, nearest, semitones } from "../../tuning.ts";
import type { Kit } from "./kits.ts";

/** Semitones that a kick may move to reach the tonic; where that is further, the fifth is near. */
const REACH = 4.5;

/** A kit whose kicks, snares and toms ring in a key. `tonic` is a pitch class. */
export function inTune(kit: Kit, tonic: number): Kit {
  // A kick on the fifth speaks for the dominant's key: only where the tonic is out of reach.
  const kick = (kind: Kick): Kick => {
    const home = nearest(kind.hertz, tonic, HOME);
    const far = Math.abs(semitones(kind.hertz, home)) > REACH;
    return { ...kind, hertz: far ? nearest(kind.hertz, tonic, FIRM) : home };
  };
  const snare = (kind: Snare): Snare => ({
    ...kind,
    low: nearest(kind.low, tonic, FIRM),
    high: nearest(kind.high, tonic, FIRM),
  });
  return {
    ...kit,
    kick: kick(kit.kick),
    second_kick: kick(kit.second_kick),
    snare: snare(kit.snare),
    second_snare: snare(kit.second_snare),
    tuned: (hertz) => nearest(hertz, tonic, COMMON),
  };
}
