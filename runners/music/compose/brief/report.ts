/** What was understood, for the client: plain names, plain units. */
import type { Brief } from "../brief.ts";
import type { Genre } from "../genres.ts";
import { keyName } from "../key_name.ts";
import { metreName } from "./genre_table.ts";

export function reportOf(brief: Brief): Record<string, unknown> {
  return {
    genre: genreName(brief.genre),
    second_genre: brief.second_genre === null ? null : genreName(brief.second_genre),
    moods: brief.moods.map(spaced),
    tempo_bpm: brief.bpm,
    key: keyName(brief.key),
    metre: metreName(brief.metre),
    ...(brief.seconds === undefined ? {} : { seconds: brief.seconds }),
    swing: brief.swing,
    energy: brief.energy,
    valence: brief.valence,
    brightness: brief.brightness,
    density: brief.density,
    space: brief.space,
    drive: brief.drive,
    age: brief.age,
    instruments: brief.wanted.map(spaced),
    without: [
      ...brief.unwanted.roles,
      ...brief.unwanted.instruments.map(spaced),
      ...(brief.unwanted.drum_pieces ?? []),
    ],
    era: brief.era === null ? null : `${brief.era}s`,
    scene: brief.scene.map(spaced),
    traits: brief.traits.map(spaced),
    explicit: brief.explicit.map((field) => FIELDS[field] ?? field),
    unknown_words: brief.unknown,
  };
}

/** Fields whose name in the report is another. */
const FIELDS: Readonly<Record<string, string>> = { bpm: "tempo_bpm", wanted: "instruments", unwanted: "without" };

const GENRE_NAMES: Readonly<Partial<Record<Genre, string>>> = {
  rnb: "R&B",
  edm: "EDM",
  kpop: "K-pop",
  jpop: "J-pop",
  hip_hop: "hip hop",
  lofi: "lo-fi",
  singer_songwriter: "singer-songwriter",
  childrens: "children's",
  drum_and_bass: "drum and bass",
  uk_garage: "UK garage",
  celtic: "Celtic",
  motown: "Motown",
  arabic: "Arabic",
  east_asian: "East Asian",
  bollywood: "Bollywood",
  latin_pop: "Latin pop",
  christmas: "Christmas",
  americana: "Americana",
  piano_solo: "solo piano",
  game: "video game",
};

/** As a person writes it: "drum and bass", "R&B". */
export function genreName(genre: Genre): string {
  return GENRE_NAMES[genre] ?? spaced(genre);
}

function spaced(name: string): string {
  return name.replaceAll("_", " ");
}
