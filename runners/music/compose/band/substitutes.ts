import { INSTRUMENTS, type Instrument } from "../instruments.ts";
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
        candidate === "piano" ||
        candidate === "harp" ||
        role === "drums" ||
        (role === "bass" && natural)
      )
    )
      return false;
    if (electronic && natural && role !== "percussion" && role !== "chords") return false;
    return true;
  };
  if (fits(instrument)) return instrument;
  const liked = LIKENESS[instrument]?.filter(fits);
  if (liked && liked.length > 0) return liked[0]!;
  const { family } = facts;
  const kin = INSTRUMENTS.filter((candidate) => factsOf(candidate).family === family && fits(candidate));
  if (kin.length > 0) return pick(kin, rng);
  const able = INSTRUMENTS.filter(
    (candidate) => factsOf(candidate).roles.slice(0, 2).includes(role) && fits(candidate),
  );
  if (able.length > 0) return pick(able, rng);
  return unwanted.has(instrument) ? null : instrument;
}

/** Nearest relatives that differ in kind. */
const LIKENESS: Partial<Record<Instrument, readonly Instrument[]>> = {
  electric_guitar: ["steel_guitar", "nylon_guitar", "electric_piano", "piano"],
  overdriven_guitar: ["steel_guitar", "organ", "supersaw", "piano"],
  distorted_guitar: ["steel_guitar", "supersaw", "organ", "strings"],
  muted_guitar: ["nylon_guitar", "pizzicato", "pluck"],
  steel_guitar: ["nylon_guitar", "piano", "ukulele"],
  nylon_guitar: ["steel_guitar", "harp", "piano"],
  electric_piano: ["piano", "vibraphone", "fm_piano"],
  fm_piano: ["piano", "electric_piano"],
  piano: ["upright_piano", "electric_piano", "nylon_guitar"],
  organ: ["accordion", "strings", "warm_pad"],
  electric_bass: ["upright_bass", "synth_bass"],
  picked_bass: ["upright_bass", "electric_bass", "synth_bass"],
  slap_bass: ["upright_bass", "electric_bass", "synth_bass"],
  synth_bass: ["upright_bass", "electric_bass", "cello"],
  sub_bass: ["upright_bass", "synth_bass", "cello"],
  reese_bass: ["upright_bass", "cello", "sub_bass"],
  acid_bass: ["upright_bass", "synth_bass"],
  upright_bass: ["electric_bass", "cello", "synth_bass"],
  drone: ["cello", "slow_strings", "sub_bass"],
  electronic_kit: ["acoustic_kit", "house_kit"],
  house_kit: ["acoustic_kit", "electronic_kit"],
  trap_kit: ["acoustic_kit", "electronic_kit"],
  lofi_kit: ["brush_kit", "acoustic_kit"],
  breakbeat_kit: ["acoustic_kit", "electronic_kit"],
  rock_kit: ["acoustic_kit", "electronic_kit"],
  acoustic_kit: ["brush_kit", "electronic_kit"],
  brush_kit: ["acoustic_kit", "lofi_kit"],
  jazz_kit: ["brush_kit", "acoustic_kit", "lofi_kit"],
  warm_pad: ["slow_strings", "strings", "choir", "glass_pad"],
  glass_pad: ["slow_strings", "choir", "warm_pad"],
  dark_pad: ["tremolo_strings", "slow_strings", "warm_pad"],
  strings: ["slow_strings", "warm_pad", "choir"],
  slow_strings: ["strings", "warm_pad"],
  supersaw: ["strings", "brass", "piano"],
  saw_lead: ["violin", "trumpet", "electric_guitar"],
  square_lead: ["clarinet", "flute", "saw_lead"],
  soft_lead: ["flute", "oboe", "violin"],
  pluck: ["pizzicato", "harp", "marimba", "kalimba"],
  bell_synth: ["celesta", "glockenspiel", "vibraphone"],
  brass_synth: ["brass", "organ"],
  chip_lead: ["square_lead", "marimba"],
  clavinet: ["upright_piano", "harpsichord", "electric_piano"],
};
