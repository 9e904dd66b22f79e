/** Who sings and how: what the words say of it, and what the singers that there are make of that. */
import {
  type Ask,
  type Concept,
  type Kind,
  kindOf,
  type Mention,
  steadyTempo,
  type Understood,
} from "../../language/mod.ts";
import { musicOf } from "../../packs/mod.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import type { Brief } from "../compose/mod.ts";
import type { SingEngine, Voice, VoiceName } from "../sing/mod.ts";
import voices from "./voices.json" with { type: "json" };

export interface Singer {
  readonly name: VoiceName;
  readonly voice: Voice;
  /** Who sings with the first one: harmonies and answers of a duet. */
  readonly second?: { readonly name: VoiceName; readonly voice: Voice };
}

/** What a word of a voice means to a singer. */
interface VoiceWord {
  readonly who?: string;
  readonly age?: string;
  /** Who may sing it. */
  readonly singers?: readonly VoiceName[];
  /** Who of those that may sing. */
  readonly range?: readonly VoiceName[];
  readonly manner?: string;
  readonly sung?: true;
  readonly ensemble?: string;
  /** From 0 to 1. */
  readonly breathy?: number;
  readonly bright?: number;
  /** What is sung instead of what none of our singers can. */
  readonly instead?: string;
}

const WORDS = voices as Readonly<Partial<Record<Concept, VoiceWord>>>;

/** What a concept means to a singer; manners that make no difference to ours are only told. */
function wordOf(concept: Concept): VoiceWord | undefined {
  const known = WORDS[concept];
  if (known !== undefined || kindOf(concept) !== "manner") return known;
  const manner = concept.slice("manner:".length).replaceAll("_", " ");
  return { manner, ...(manner.endsWith("accent") ? { instead: "no accent" } : {}) };
}

interface VoiceAsked {
  readonly singers: readonly VoiceName[];
  readonly second: readonly VoiceName[];
  readonly unwanted: ReadonlySet<VoiceName>;
  /** What must not be heard, as people write it. */
  readonly without: readonly string[];
  readonly words: readonly VoiceWord[];
  /** "A voice" and nothing of it. */
  readonly sung: boolean;
}

/** What the words say of a voice; null where they say nothing. */
export function readVoice(ask: Ask): Understood["voice"] {
  const { singers, second, words, sung } = voiceIn(ask);
  const told = (of: "who" | "manner"): string[] => [...new Set(words.flatMap((word) => word[of] ?? []))];
  const [age = ""] = words.flatMap((word) => word.age ?? []);
  const who = told("who").map((one) => `${age} ${one}`.trim());
  const manner = told("manner");
  if (age !== "" && who.length === 0) manner.push(age);
  const ensemble = words.find((word) => word.ensemble !== undefined)?.ensemble ?? (second.length > 0 ? "duet" : null);
  if (manner.length + singers.length === 0 && ensemble === null && !sung) return null;
  return {
    singers: [...new Set([...singers, ...second])],
    manner: manner.length + who.length === 0 && ensemble === null ? ["sung"] : manner,
    who,
    ensemble,
  };
}

/** What was understood of a piece that is sung: with what the words say of the voice. */
export function sungAs(understood: Understood, ask: Ask): Understood {
  const { words, without } = voiceIn(ask);
  const guessed = words.flatMap(({ who, manner, ensemble, instead }) =>
    instead === undefined ? [] : [{ field: "voice", value: instead, from: manner ?? ensemble ?? who ?? null }],
  );
  return {
    ...understood,
    tempo: steadyTempo(understood.tempo),
    voice: readVoice(ask),
    without: [...new Set([...understood.without, ...without])],
    guessed: [...understood.guessed, ...guessed],
  };
}

function voiceIn({ mentions }: Ask): VoiceAsked {
  const said = (polarity: Mention["polarity"]): readonly VoiceWord[] =>
    mentions.flatMap((one, at) =>
      one.polarity === polarity && !one.likened && isOfVoice(one, at, mentions)
        ? one.concepts.flatMap((concept) => wordOf(concept) ?? [])
        : [],
    );
  const words = [...new Set(said("wanted"))];
  const denied = said("unwanted");
  const unwanted = new Set(
    denied.flatMap(({ singers, range, ensemble }) => (ensemble ? [] : (singers ?? range ?? []))),
  );
  const lists = words.flatMap(({ singers }) =>
    singers === undefined ? [] : [singers.filter((one) => !unwanted.has(one))],
  );
  const [first, second] = lists.filter((list, at) => lists.findIndex((one) => meet(one, list)) === at);
  const ranges = words.flatMap(({ range }) => (range === undefined ? [] : [range.filter((one) => !unwanted.has(one))]));
  // "A woman, alto": both hold. A range alone: its first voice, unless two are asked for.
  const duet = words.some(({ ensemble }) => ensemble === "duet");
  const singers = ranges.reduce<readonly VoiceName[]>(
    (left, range) => (meet(left, range) ? left.filter((one) => range.includes(one)) : left),
    first ?? ranges[0]?.slice(0, 1) ?? (duet ? ["tenor"] : []),
  );
  const pair = second ?? (duet ? othersOf(singers) : []);
  return {
    singers,
    second: pair,
    unwanted,
    without: denied.flatMap(({ who, manner, ensemble }) =>
      who === undefined || ensemble !== undefined ? (ensemble ?? manner ?? []) : `${who}'s voice`,
    ),
    words,
    sung: words.some(({ sung }) => sung),
  };
}

function meet(some: readonly VoiceName[], others: readonly VoiceName[]): boolean {
  return some.some((one) => others.includes(one));
}

/** Who answers in a duet. */
function othersOf([first]: readonly VoiceName[]): readonly VoiceName[] {
  return first === "alto" || first === "soprano" ? ["tenor"] : ["alto"];
}

const MANNERS: ReadonlySet<string> = new Set<Kind>(["mood", "tempo", "dynamics", "manner", "material"]);

/** "Soft piano" says nothing of the voice; "a soft voice" and "raspy" alone do. */
function isOfVoice({ of, concepts, clause }: Mention, at: number, mentions: readonly Mention[]): boolean {
  const kinds = (one: Mention): readonly string[] => one.concepts.map(kindOf);
  const sings = (one: Mention | undefined): boolean =>
    one !== undefined &&
    one.polarity !== "unwanted" &&
    kinds(one).some((kind) => kind === "voice" || kind === "person");
  const head = of === null ? undefined : mentions[of];
  if (concepts.some((concept) => kindOf(concept) === "voice"))
    return head === undefined || !kinds(head).includes("instrument");
  // German "jungen Mann" is a man.
  const after = mentions[at + 1];
  const person = concepts.some((concept) => kindOf(concept) === "person");
  if (person && after?.adjacent === true && kinds(after).includes("person")) return false;
  if (!concepts.some((concept) => kindOf(concept) === "manner")) return true;
  if (head !== undefined) return sings(head);
  if (concepts.every((concept) => kindOf(concept) === "manner")) return true;
  const isHead = (one: Mention): boolean => !kinds(one).every((kind) => MANNERS.has(kind));
  const next = mentions.slice(at + 1).find(isHead);
  return sings(mentions.slice(0, at).findLast(isHead)) || (next?.clause === clause && sings(next));
}

/**
 * Who sings: as the words say, else as the genre is used to, else by the seed.
 *
 * @param duet two sing, whatever the prompt says
 */
export function singerFor(ask: Ask, brief: Brief, seed: number, engine: SingEngine, duet = false): Singer {
  const { singers, second, unwanted, words } = voiceIn(ask);
  const usual: readonly VoiceName[] = musicOf(brief.genre).singing.singers;
  const left = usual.filter((name) => !unwanted.has(name));
  const names = singers.length > 0 ? singers : left.length > 0 ? left : usual;
  const most = (of: "breathy" | "bright"): number => Math.max(0, ...words.map((word) => word[of] ?? 0));
  const breathy = most("breathy") || Math.max(0, 0.5 - brief.energy);
  const bright = most("bright") || Math.max(0, brief.energy - 0.5);
  const called = (some: readonly VoiceName[]) => {
    const name = some[hash32(seed, 3) % some.length]!;
    return { name, voice: engine.coloured(engine.VOICES[name], breathy, bright) };
  };
  const first = called(names);
  const other = second.length === 0 && duet ? othersOf([first.name]) : second;
  return { ...first, ...(other.length === 0 ? {} : { second: called(other) }) };
}

/** Steps of the scale that a harmony keeps from the lead: thirds above, or below where the lead is high already. */
export function harmonySteps(singer: Singer): number {
  return singer.name === "soprano" ? -2 : 2;
}
