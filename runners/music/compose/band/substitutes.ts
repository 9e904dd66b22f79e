import { type Instrument, instrumentOf, instruments } from "../instruments.ts";
import type { Role } from "../score.ts";
import { pick } from "../stream.ts";
import { factsOf } from "./instrument_facts.ts";

interface Terms {
  readonly traits: ReadonlySet<string>;
  readonly unwanted: ReadonlySet<Instrument>;
  readonly rng: () => number;
}

const ORCHESTRAL: ReadonlySet<string> = new Set(["strings", "brass", "winds", "mallet", "choir", "percussion"]);

/** Plays `role` in place of `instrument` where that is unwanted or against a trait; null where nobody may. */
export function substitute(instrument: Instrument, role: Role, { traits, unwanted, rng }: Terms): Instrument | null {
  const facts = factsOf(instrument);
  if (facts.family === "texture" || facts.family === "transition") return unwanted.has(instrument) ? null : instrument;
  const acoustic = traits.has("acoustic") || traits.has("unplugged");
  const orchestral = traits.has("orchestral") || traits.has("symphonic");
  const electronic = traits.has("electronic") || traits.has("synth");
  const fits = (candidate: Instrument): boolean => {
    const { family, acoustic: natural, roles } = factsOf(candidate);
    if (unwanted.has(candidate) || !roles.includes(role)) return false;
    if (acoustic && !natural) return false;
    if (
      orchestral &&
      !(
        ORCHESTRAL.has(family) ||
        instrumentOf(candidate).orchestral === true ||
        role === "drums" ||
        (role === "bass" && natural)
      )
    )
      return false;
    if (electronic && natural && role !== "percussion" && role !== "chords") return false;
    return true;
  };
  if (fits(instrument)) return instrument;
  // Its nearest relatives that differ in kind.
  const liked = instrumentOf(instrument).replaced_by?.find(fits);
  if (liked !== undefined) return liked;
  const { family } = facts;
  const kin = instruments().filter((candidate) => factsOf(candidate).family === family && fits(candidate));
  if (kin.length > 0) return pick(kin, rng);
  const able = instruments().filter(
    (candidate) => factsOf(candidate).roles.slice(0, 2).includes(role) && fits(candidate),
  );
  if (able.length > 0) return pick(able, rng);
  return unwanted.has(instrument) ? null : instrument;
}
