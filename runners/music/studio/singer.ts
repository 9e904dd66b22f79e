import type { Understood } from "../../language/mod.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import type { Brief } from "../compose/mod.ts";
import type { SingEngine, Voice, VoiceName } from "../sing/mod.ts";

export interface Singer {
  readonly name: VoiceName;
  readonly voice: Voice;
}

/** What prompts say of a voice, the narrower first. */
const WORDS: readonly (readonly [words: RegExp, names: readonly VoiceName[]])[] = [
  [/\b(?:soprano|child(?:ren)?'?s? (?:voice|choir)|girl|high female)\b/iu, ["soprano"]],
  [/\b(?:alto|mezzo|contralto)\b/iu, ["alto"]],
  [/\b(?:baritone|bass voice|deep (?:male )?(?:voice|vocals?)|low male)\b/iu, ["baritone"]],
  [/\b(?:tenor|falsetto|high male)\b/iu, ["tenor"]],
  [/\b(?:female|woman|women|lady|she|diva|cantante femenina|femme|frau(?:enstimme)?)\b/iu, ["alto", "soprano"]],
  [/\b(?:male|man|men|guy|he|boy|homme|mann|männerstimme)\b/iu, ["tenor", "baritone"]],
];
/** Where heavy or spoken music leaves it open, a low voice; where it is bright, a high one. */
const LOW = /metal|grunge|rock|country|blues|hip_hop|boom_bap|trap|drill|industrial|synthwave|reggae/u;
const HIGH = /pop|disco|house|trance|edm|soul|rnb|musical|celtic|new_age|childrens|lullaby|christmas|fantasy/u;

const BREATHY = /\b(?:breathy|whisper(?:ed|y|ing)?|soft|airy|intimate|tender|gentle|sensual)\b/iu;
const BRIGHT = /\b(?:bright|powerful|belt(?:ing|ed)?|strong|energetic|loud|raspy|shout(?:ed|ing)?|anthemic)\b/iu;

/** What the words say of a voice; null where they say nothing. */
export function readVoice(prompt: string): Understood["voice"] {
  const singers = [...(saidIn(prompt) ?? [])];
  const manner = [...(BREATHY.test(prompt) ? ["breathy"] : []), ...(BRIGHT.test(prompt) ? ["bright"] : [])];
  return singers.length + manner.length === 0 ? null : { singers, manner };
}

function saidIn(prompt: string): readonly VoiceName[] | undefined {
  return WORDS.find(([words]) => words.test(prompt))?.[1];
}

/** Who sings: as the words say, else as the genre is used to, else by the seed. */
export function singerFor(prompt: string, brief: Brief, seed: number, engine: SingEngine): Singer {
  const names: readonly VoiceName[] =
    saidIn(prompt) ??
    (LOW.test(brief.genre)
      ? ["tenor", "baritone", "tenor", "alto"]
      : HIGH.test(brief.genre)
        ? ["alto", "tenor", "soprano", "alto"]
        : ["alto", "tenor", "baritone", "soprano"]);
  const name = names[hash32(seed, 3) % names.length]!;
  const breathy = BREATHY.test(prompt) ? 0.7 : Math.max(0, 0.5 - brief.energy);
  const bright = BRIGHT.test(prompt) ? 0.8 : Math.max(0, brief.energy - 0.5);
  return { name, voice: engine.coloured(engine.VOICES[name], breathy, bright) };
}

/** Steps of the scale that a harmony keeps from the lead: thirds above, or below where the lead is high already. */
export function harmonySteps(singer: Singer): number {
  return singer.name === "soprano" ? -2 : 2;
}
