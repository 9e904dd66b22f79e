import type { Genre } from "../compose/mod.ts";

/** Genres that are mixed alike. */
export type Family =
  | "pop"
  | "rock"
  | "heavy"
  | "groove"
  | "hip_hop"
  | "club"
  | "bass_music"
  | "reggae"
  | "lofi"
  | "jazz"
  | "ambient"
  | "folk"
  | "latin"
  | "world"
  | "classical"
  | "piano"
  | "screen"
  | "chip";

const FAMILIES: Readonly<Record<Family, readonly Genre[]>> = {
  pop: ["pop", "indie_pop", "synthpop", "dream_pop", "city_pop", "kpop", "jpop", "christmas", "corporate", "bollywood"],
  rock: ["rock", "indie_rock", "classic_rock", "post_rock", "surf_rock", "rockabilly", "blues", "ska", "western"],
  heavy: ["punk", "grunge", "metal", "shoegaze", "industrial"],
  groove: ["gospel", "soul", "motown", "funk", "disco", "rnb", "neo_soul", "smooth_jazz", "afrobeat"],
  hip_hop: ["hip_hop", "boom_bap", "trap", "drill", "trip_hop", "amapiano"],
  club: [
    "house",
    "deep_house",
    "tech_house",
    "techno",
    "trance",
    "edm",
    "electro",
    "hardstyle",
    "synthwave",
    "uk_garage",
  ],
  bass_music: ["dubstep", "drum_and_bass", "jungle"],
  reggae: ["reggae", "dub", "dancehall", "reggaeton"],
  lofi: ["lofi", "vaporwave", "chillout", "downtempo"],
  jazz: ["jazz", "swing", "bebop", "bossa_nova", "ragtime"],
  ambient: ["ambient", "dark_ambient", "new_age"],
  folk: ["country", "bluegrass", "folk", "celtic", "americana", "singer_songwriter", "polka", "klezmer"],
  latin: ["latin_pop", "salsa", "samba", "tango", "flamenco", "mariachi"],
  world: ["arabic", "east_asian", "childrens", "musical_theatre"],
  classical: ["classical", "baroque", "romantic", "string_quartet", "waltz", "march"],
  piano: ["piano_solo", "lullaby", "minimalism"],
  screen: ["cinematic", "epic", "trailer", "horror", "fantasy", "game"],
  chip: ["chiptune"],
};

const FAMILY_OF = new Map<Genre, Family>(
  (Object.entries(FAMILIES) as [Family, readonly Genre[]][]).flatMap(([family, genres]) =>
    genres.map((genre): [Genre, Family] => [genre, family]),
  ),
);

/** How a genre is mixed; what nobody has heard of is mixed as pop. */
export function familyOf(genre: Genre): Family {
  return FAMILY_OF.get(genre) ?? "pop";
}
