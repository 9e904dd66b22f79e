import { type Concept, lexiconOf, type Mention, readAsk, type Understood } from "../../language/mod.ts";
import { musicOf } from "../../packs/mod.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import type { Brief } from "../compose/mod.ts";
import type { SingEngine, Voice, VoiceName } from "../sing/mod.ts";
import words from "./voices.json" with { type: "json" };

export interface Singer {
  readonly name: VoiceName;
  readonly voice: Voice;
}

const LEXICON = lexiconOf(Object.entries(words) as [Concept, string[]][]);

/** Who sings where a voice is named, the narrower first. */
const SINGERS: readonly (readonly [voice: Concept, names: readonly VoiceName[]])[] = [
  ["voice:soprano", ["soprano"]],
  ["voice:alto", ["alto"]],
  ["voice:baritone", ["baritone"]],
  ["voice:tenor", ["tenor"]],
  ["voice:woman", ["alto", "soprano"]],
  ["voice:man", ["tenor", "baritone"]],
];

/** What the words say of a voice; null where they say nothing. */
export function readVoice(prompt: string): Understood["voice"] {
  const { singers, manner } = voiceIn(prompt);
  return singers.length + manner.length === 0 ? null : { singers: [...singers], manner };
}

/** What was understood of a piece that is sung: with what the words say of the voice, which are then known. */
export function sungAs(understood: Understood, prompt: string): Understood {
  const isOfVoice = (word: string): boolean => {
    const said = voiceIn(word);
    return said.singers.length + said.unwanted.size + said.manner.length > 0;
  };
  const unknown = understood.not_understood.filter((word) => !isOfVoice(word));
  return {
    ...understood,
    voice: readVoice(prompt),
    without: [...understood.without, ...voiceIn(prompt).unwanted],
    unknown_words: unknown,
    not_understood: unknown,
  };
}

interface VoiceSaid {
  readonly singers: readonly VoiceName[];
  readonly unwanted: ReadonlySet<VoiceName>;
  readonly manner: string[];
}

function voiceIn(prompt: string): VoiceSaid {
  const { mentions } = readAsk(prompt, LEXICON);
  const says = (concept: Concept, polarity: Mention["polarity"]): boolean =>
    mentions.some((one) => one.concepts.includes(concept) && one.polarity === polarity && !isOfPlayer(one, mentions));
  const singers = SINGERS.find(([concept]) => says(concept, "wanted"))?.[1] ?? [];
  const unwanted = new Set(SINGERS.flatMap(([concept, names]) => (says(concept, "unwanted") ? names : [])));
  return {
    singers: singers.filter((name) => !unwanted.has(name)),
    unwanted,
    manner: ["breathy", "bright"].filter((name) => says(`manner:${name}`, "wanted")),
  };
}

/** "Soft piano" says nothing of the voice. */
function isOfPlayer({ of }: Mention, mentions: readonly Mention[]): boolean {
  return of !== null && mentions[of]!.concepts.every((concept) => concept.startsWith("instrument:"));
}

/** Who sings: as the words say, else as the genre is used to, else by the seed. */
export function singerFor(prompt: string, brief: Brief, seed: number, engine: SingEngine): Singer {
  const { singers, unwanted, manner } = voiceIn(prompt);
  const usual: readonly VoiceName[] = musicOf(brief.genre).singing.singers;
  const left = usual.filter((name) => !unwanted.has(name));
  const names = singers.length > 0 ? singers : left.length > 0 ? left : usual;
  const name = names[hash32(seed, 3) % names.length]!;
  const breathy = manner.includes("breathy") ? 0.7 : Math.max(0, 0.5 - brief.energy);
  const bright = manner.includes("bright") ? 0.8 : Math.max(0, brief.energy - 0.5);
  return { name, voice: engine.coloured(engine.VOICES[name], breathy, bright) };
}

/** Steps of the scale that a harmony keeps from the lead: thirds above, or below where the lead is high already. */
export function harmonySteps(singer: Singer): number {
  return singer.name === "soprano" ? -2 : 2;
}
