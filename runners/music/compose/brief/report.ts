/** What was understood, for the client: plain names, plain units. */
import { kindOf, NOTHING, steadyTempo, type Understood, type Where } from "../../../language/mod.ts";
import type { Brief } from "../brief.ts";
import { describeCue, describeLoudness, placeOf } from "../cues.ts";
import { chordOf } from "../form/numerals.ts";
import { genreName } from "../genres.ts";
import { keyName } from "../key_name.ts";
import { metreName } from "../metres.ts";
import type { Key } from "../score.ts";
import { TEMPI } from "./traits.ts";

export function reportOf(brief: Brief): Understood {
  const { turn } = brief;
  return turn === undefined ? reportOfOne(brief) : turned(reportOfOne(brief), reportOfOne(turn.brief), turn.where);
}

/** Of the first half, with what the second has besides. */
function turned(first: Understood, second: Understood, where: Where | null): Understood {
  const both = (field: "instruments" | "moods" | "without" | "dynamics"): string[] => [
    ...new Set([...(first[field] ?? []), ...(second[field] ?? [])]),
  ];
  const turns = `becomes ${second.genre}${where === null ? "" : ` ${placeOf(where)}`}`;
  return {
    ...first,
    second_genre: second.genre,
    instruments: both("instruments"),
    moods: both("moods"),
    without: both("without"),
    dynamics: both("dynamics"),
    form: [...new Set([...first.form, turns, ...second.form])],
  };
}

function reportOfOne(brief: Brief): Understood {
  return {
    ...NOTHING,
    genre: genreName(brief.genre),
    second_genre: brief.second_genre === null ? null : genreName(brief.second_genre),
    moods: [...brief.moods.map(spaced), ...(brief.tempered ?? [])],
    tempo_bpm: brief.bpm,
    key: keyName(brief.key),
    metre: brief.metre_name ?? metreName(brief.metre),
    seconds: brief.seconds ?? null,
    swing: brief.swing,
    energy: brief.energy,
    valence: brief.valence,
    brightness: brief.brightness,
    density: brief.density,
    space: brief.space,
    drive: brief.drive,
    age: brief.age,
    instruments: brief.wanted.map(spaced),
    without: [...(brief.unwanted.said ?? [])],
    form: formOf(brief),
    bars: brief.bars ?? null,
    ...(brief.progression === undefined ? {} : { progression: chordsOf(brief.progression, brief.key) }),
    dynamics: (brief.dynamics ?? []).map(describeLoudness),
    tempo: paceOf(brief),
    place: brief.place?.said ?? null,
    era: brief.era === null ? null : `${brief.era}s`,
    scene: brief.scene.map(spaced),
    traits: brief.traits.map(spaced),
    explicit: brief.explicit.map((field) => FIELDS[field] ?? field),
    taken: (brief.taken ?? []).map(({ field, ...one }) => ({ ...one, field: FIELDS[field] ?? field })),
    guessed: guessesOf(brief),
    unknown_words: [...brief.unknown],
    not_understood: [...brief.unknown],
  };
}

/** A bar each. */
function chordsOf(progression: NonNullable<Brief["progression"]>, key: Key): string[] {
  return progression.map((bar) => bar.map((numeral) => chordOf(numeral, key).symbol).join(" "));
}

/**
 * What the words alone ask of a piece whose rest a source says.
 *
 * @param styled whether they dress the source in a genre
 */
export function askedOf(brief: Brief, styled: boolean): Understood {
  const { genre, tempo_bpm, key, metre, guessed: free, second_genre, ...asked } = reportOf({ ...brief, taken_for: [] });
  const said = new Set(brief.explicit);
  const [tonic, mode] = key!.split(" ") as [string, string];
  return {
    ...NOTHING,
    instruments: asked.instruments,
    without: asked.without,
    moods: asked.moods,
    form: asked.form,
    dynamics: asked.dynamics!,
    tempo: steadyTempo(asked.tempo),
    place: asked.place,
    ...(said.has("bars") ? { bars: asked.bars! } : {}),
    traits: asked.traits!,
    scene: asked.scene!,
    taken: asked.taken!.filter(({ field }) => styled || field !== "genre"),
    era: asked.era!,
    explicit: asked.explicit!,
    unknown_words: asked.unknown_words!,
    // The source's chords stay.
    not_understood: [...(brief.progression === undefined ? [] : asked.progression!), ...asked.not_understood],
    genre: styled ? genre : null,
    second_genre: styled ? second_genre! : null,
    tempo_bpm: said.has("bpm") ? tempo_bpm : null,
    key: said.has("key") ? key : said.has("tonic") ? tonic : said.has("mode") ? mode : null,
    metre: said.has("metre") ? metre : null,
    guessed: [
      ...(styled ? free.filter(({ field }) => field === "genre" || field === "instruments") : []),
      ...takenIn(brief),
    ],
  };
}

/** What was decided though no word said it, and what it follows from. */
function guessesOf(brief: Brief): Understood["guessed"] {
  const { explicit, moods, era, scene, traits, wanted } = brief;
  const said = new Set(explicit);
  const fields = {
    scene,
    instruments: said.has("wanted") ? wanted : [],
    era: era === null ? [] : [era],
    traits,
    moods,
  };
  const hints = Object.entries(fields).flatMap(([field, of]) => (of.length > 0 ? [field] : []));
  const tempo = traits.filter((trait) => TEMPI.some((name) => name === trait));
  const manner = moods.length > 0 ? "genre, moods" : "genre";
  const all: readonly (readonly [known: string, field: string, value: string, from: string | null])[] = [
    ["genre", "genre", genreName(brief.genre), hints.join(", ") || null],
    ["bpm", "tempo_bpm", String(brief.bpm), [...tempo, manner].join(", ")],
    ["key", "key", keyName(brief.key), said.has("tonic") || said.has("mode") ? `words, ${manner}` : manner],
    ["metre", "metre", metreName(brief.metre), "genre"],
    ["wanted", "instruments", wanted.map(spaced).join(", "), "genre"],
  ];
  const free = all.flatMap(([known, field, value, from]) =>
    said.has(known) || value === "" ? [] : [{ field, value, from }],
  );
  return [...free, ...takenIn(brief)];
}

function takenIn({ taken_for = [] }: Brief): Understood["guessed"] {
  return taken_for.map(({ word, phrase, concept }) => ({
    field: OF_KIND[kindOf(concept)] ?? "traits",
    value: phrase,
    from: word,
  }));
}

/** Where what a word was taken for stands; all else is among the traits. */
const OF_KIND: Readonly<Record<string, string>> = {
  genre: "genre",
  instrument: "instruments",
  drum: "instruments",
  mood: "moods",
  tempo: "tempo_bpm",
  scene: "scene",
  voice: "voice",
  form: "form",
};

/** Traits of the course of a piece. */
const FORM: ReadonlySet<string> = new Set([
  ...["build up", "drop", "breakdown", "epic ending", "soft ending", "fade in", "fade out", "key change", "loop"],
]);

/** What was asked of the course, each once. */
function formOf({ traits, cues = [], fade }: Brief): string[] {
  const over =
    fade === undefined ? "" : ` over ${fade.bars ?? fade.seconds} ${fade.bars === null ? "seconds" : "bars"}`;
  const told = cues.map((cue) => describeCue(cue).replace(/fade out$/u, `fade out${over}`));
  // "Drop after the second chorus" says that there is a drop.
  const bare = traits.filter((trait) => FORM.has(trait) && !told.some((one) => one.includes(trait)));
  return [...new Set([...bare.map((trait) => (trait === "fade out" ? `fade out${over}` : spaced(trait))), ...told])];
}

/** Tempo in words, where words said something of it. */
function paceOf({ traits, pace }: Brief): string | null {
  const worded = traits.find((trait) => TEMPI.some((name) => name === trait));
  if (pace === undefined) return worded ?? null;
  return worded === undefined || !pace.startsWith("getting") ? pace : `${worded}, ${pace}`;
}

/** Fields whose name in the report is another. */
const FIELDS: Readonly<Record<string, string>> = { bpm: "tempo_bpm", wanted: "instruments", unwanted: "without" };

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}
