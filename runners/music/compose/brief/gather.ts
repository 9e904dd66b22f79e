/** What a prompt says in the words of music, gathered from all that was heard in it. */
import type { Ask, Mention } from "../../../language/mod.ts";
import type { Brief } from "../brief.ts";
import { isSolo } from "../cues.ts";
import { type DrumPiece, pieceNamed } from "../drum_pieces.ts";
import type { Genre } from "../genres.ts";
import type { Role } from "../score.ts";
import { type Heard, inside, type Meaning, meaningOf, type TempoWord } from "./lexicon.ts";
import { drummers, type NamedInstrument } from "./named_instruments.ts";
import { SHIFTED, type Shift, scaled } from "./shift.ts";
import type { Texture } from "./textures.ts";

export interface Said {
  readonly moods: string[];
  /** Shifts of moods, scenes and traits, strongest first. */
  readonly changes: readonly Shift[];
  readonly named: readonly NamedInstrument[];
  readonly denied: readonly NamedInstrument[];
  readonly pieces: readonly DrumPiece[];
  /** "No melody". */
  readonly tuneless: boolean;
  readonly scenes: readonly string[];
  readonly textures: readonly Texture[];
  readonly traits: ReadonlySet<string>;
  /** Instruments that "solo" stands after. */
  readonly soloists: readonly Mention[];
  /** "No guitar solo". */
  readonly no_solo: boolean;
  readonly unwanted_genres: readonly Genre[];
  readonly tempo: TempoWord | null;
}

/** How much a mood counts that is part of a genre's name ("dark ambient"), or of an instrument's ("warm pads"). */
const INSIDE = 0.6;
const INSIDE_INSTRUMENT = 0.35;

/** Parts that an instrument may leave out and stay: "no guitar solo". */
const PARTS = new Set(["solo", "riff", "melodic", "ostinato", "arpeggiated"]);

export function gather({ mentions }: Ask, all: readonly Heard[]): Said {
  const moods = new Map<string, { change: Shift; size: number }>();
  const others: Shift[] = [];
  const named = new Set<NamedInstrument>();
  const denied = new Set<NamedInstrument>();
  const pieces = new Set<DrumPiece>();
  const scenes: string[] = [];
  const textures = new Set<Texture>();
  const traits = new Set<string>();
  const soloists: Mention[] = [];
  let no_solo = false;
  const unwanted_genres: Genre[] = [];
  if (all.some(({ said, meaning }) => said.polarity === "wanted" && /\ba cappella\b/u.test(meaning.phrase)))
    traits.add("a cappella");
  let tempo: TempoWord | null = null;
  let tuneless = false;
  const feel = (name: string, change: Shift): void => {
    const size = SHIFTED.reduce((sum, field) => sum + Math.abs(change[field]), 0);
    const old = moods.get(name);
    if (old === undefined || old.size < size) moods.set(name, { change, size });
  };
  const deny = (meaning: Meaning, { polarity, of }: Mention): void => {
    const head = of === null ? undefined : mentions[of];
    // Drums that are denied may have been dark or not.
    if (meaning.mood !== undefined && head?.polarity !== "unwanted") others.push(scaled(meaning.mood.shift, -0.5));
    if (meaning.tempo !== undefined) tempo ??= OPPOSITE[meaning.tempo];
    if (polarity === "softened" && meaning.instrument !== undefined) named.add(meaning.instrument);
    if (polarity !== "unwanted") return;
    no_solo ||= meaning.trait?.name === "solo" || isSolo(meaning.phrase);
    // "A choir, but no children's choir" leaves the choir.
    const wider = all.some(({ said, meaning: { instrument, phrase } }) => {
      return said.polarity === "wanted" && instrument === meaning.instrument && meaning.phrase.endsWith(` ${phrase}`);
    });
    // "No guitar solo" leaves the guitar.
    const part_of =
      wider || isSolo(meaning.phrase) || (head !== undefined && PARTS.has(meaningOf(head.phrase)?.trait?.name ?? ""));
    if (meaning.instrument !== undefined && !part_of) {
      // "No hi-hats" leaves the drummer the rest of the kit.
      const piece = meaning.instrument.roles.includes("drums") ? pieceNamed(meaning.phrase) : undefined;
      if (piece !== undefined) pieces.add(piece);
      else denied.add(meaning.instrument);
    }
    if (meaning.genre !== undefined) unwanted_genres.push(meaning.genre.genre);
    if (meaning.trait?.name === "no drums") traits.delete("no drums");
    if (meaning.trait?.name === "melodic" && head === undefined) tuneless = true;
  };
  const mean = (meaning: Meaning, said: Mention, part: number): void => {
    if (said.polarity !== "wanted") {
      deny(meaning, said);
      return;
    }
    const { degree } = said;
    // A muted trumpet does not make the piece muffled.
    if (meaning.mood !== undefined && !(part < 1 && meaning.mood.name === "muffled"))
      feel(meaning.mood.name, scaled(meaning.mood.shift, degree * part));
    if (part < INSIDE && meaning.instrument !== undefined) return;
    // A "choir-like" organ is no choir.
    if (meaning.instrument !== undefined && !said.likened) named.add(meaning.instrument);
    // "Piano trio" and "jazz trio" are names, and say how many play as well.
    const size = /\b(?:trio|duo|duet)\b/u.exec(meaning.phrase)?.[0];
    if (size !== undefined) traits.add(size === "trio" ? "trio" : "duo");
    if (part < 1) return;
    if (meaning.tempo !== undefined) tempo ??= stronger(meaning.tempo, degree);
    if (meaning.scene !== undefined) {
      scenes.push(meaning.scene.id);
      others.push(meaning.scene.shift);
      for (const texture of meaning.scene.textures) textures.add(texture);
    }
    if (meaning.trait !== undefined) {
      traits.add(meaning.trait.name);
      others.push(scaled(meaning.trait.shift, degree));
    }
  };
  for (const [index, { said, meaning }] of all.entries()) {
    mean(meaning, said, 1);
    const before = said.adjacent ? all[index - 1] : undefined;
    const is_solo = meaning.trait?.name === "solo" && before?.meaning.instrument !== undefined;
    if (said.polarity === "wanted" && is_solo) soloists.push(before!.said);
    else if (said.polarity === "wanted" && meaning.instrument !== undefined && isSolo(meaning.phrase))
      soloists.push(said);
    const { genre, instrument, phrase } = meaning;
    if (said.polarity !== "wanted" || /drum (?:and|n) bass|string|boom bap/u.test(phrase)) continue;
    if (genre !== undefined) for (const one of inside(meaning)) mean(one, said, INSIDE);
    else if (instrument !== undefined) for (const one of inside(meaning)) mean(one, said, INSIDE_INSTRUMENT);
  }
  const players = all.filter(({ said, meaning }) => meaning.instrument !== undefined && said.polarity === "wanted");
  if (players[0]?.said.alone === true || players.at(-1)?.said.alone === true)
    traits.add(players.length === 1 ? "solo" : "nothing else");
  const ordered = [...moods].sort(([, a], [, b]) => b.size - a.size);
  return {
    moods: ordered.map(([name]) => name),
    changes: [...ordered.map(([, { change }]) => change), ...others],
    named: [...named].filter((one) => !denied.has(one)),
    denied: [...denied],
    pieces: [...pieces],
    tuneless,
    scenes,
    textures: [...textures],
    traits,
    ...{ soloists, no_solo },
    unwanted_genres,
    tempo,
  };
}

const OPPOSITE: Readonly<Record<TempoWord, TempoWord>> = {
  "very slow": "relaxed",
  slow: "moderate",
  relaxed: "moderate",
  moderate: "moderate",
  brisk: "relaxed",
  fast: "relaxed",
  "very fast": "moderate",
};

function stronger(word: TempoWord, degree: number): TempoWord {
  if (degree > 1) return word === "slow" ? "very slow" : word === "fast" ? "very fast" : word;
  if (degree < 1) return word === "slow" ? "relaxed" : word === "fast" ? "brisk" : word;
  return word;
}

export function denied(said: Said): Brief["unwanted"] {
  const instruments = new Set(said.denied.flatMap((named) => [...named.instruments]));
  const roles = new Set<Role>(said.denied.flatMap((named) => [...named.roles]));
  if (said.traits.has("no drums") || roles.has("percussion")) {
    roles.add("drums").add("percussion");
    for (const kit of drummers()) instruments.add(kit);
  }
  if (said.tuneless) roles.add("lead").add("counter");
  // Who wants no piano hears one in an electric piano, unless that was asked for by name.
  const named = said.named.flatMap((one) => one.instruments);
  for (const { group } of said.denied)
    for (const kin of group?.shuns ?? []) if (!named.includes(kin)) instruments.add(kin);
  // "A drum machine rather than live drums", "no guitars, only a nylon guitar": one of those that are denied.
  for (const one of said.named) {
    if (!said.denied.some((other) => isOneOf(one, other))) continue;
    for (const instrument of one.instruments) instruments.delete(instrument);
    for (const role of one.roles) roles.delete(role);
  }
  return {
    instruments: [...instruments],
    roles: [...roles],
    ...(said.pieces.length === 0 ? {} : { drum_pieces: said.pieces }),
  };
}

function isOneOf({ instruments }: NamedInstrument, group: NamedInstrument): boolean {
  const { length } = instruments;
  return length < group.instruments.length && instruments.every((one) => group.instruments.includes(one));
}
