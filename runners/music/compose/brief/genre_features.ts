/**
 * What genres measure like, on the scales of `Analysis`: to find the nearest one to a piece. Percussive shares and attacks are medians over pieces of our
 * own, one of each genre, 40 s, heard by `analyse`; bass and treble lie halfway between those and estimates from mixing practice.
 */
import { GENRES, type Genre } from "../genres.ts";
import { PROFILES } from "./genre_table.ts";

export interface GenreFeatures {
  /** Share of energy that is percussive, 0 to 1. */
  readonly percussive: number;
  /** Attacks a second. */
  readonly onsets: number;
  /** Level of 63 and 125 Hz against 500 Hz and 1 kHz, dB. */
  readonly bass_db: number;
  /** Level of 4 and 8 kHz against 500 Hz and 1 kHz, dB. */
  readonly treble_db: number;
}

const GROUPS: readonly (readonly [
  genres: string,
  percussive: number,
  onsets: number,
  bass_db: number,
  treble_db: number,
])[] = [
  ["ambient new_age dark_ambient", 0.27, 1.6, 2, -18],
  ["lullaby piano_solo waltz romantic", 0.22, 2.0, -6, -22],
  ["classical baroque string_quartet minimalism", 0.27, 2.6, -6, -16],
  ["cinematic fantasy horror christmas musical_theatre western", 0.33, 3.6, 1, -14],
  ["epic trailer march game", 0.4, 4.8, 4, -11],
  ["singer_songwriter folk americana celtic", 0.34, 4.0, 0, -13],
  ["country bluegrass mariachi flamenco tango klezmer polka ragtime east_asian arabic", 0.39, 4.9, 0, -11.5],
  ["jazz swing bebop bossa_nova smooth_jazz", 0.38, 4.4, 2.5, -14],
  ["blues soul motown gospel rockabilly surf_rock classic_rock", 0.46, 4.6, 4, -10.5],
  ["rock indie_rock punk grunge metal ska shoegaze post_rock industrial", 0.44, 4.3, 3.5, -9],
  ["pop indie_pop kpop jpop city_pop synthpop latin_pop corporate childrens dream_pop", 0.45, 5.2, 5, -9.5],
  ["funk disco bollywood samba salsa afrobeat", 0.49, 6.0, 5, -9],
  ["rnb neo_soul lofi trip_hop downtempo chillout vaporwave", 0.33, 4.6, 7, -16],
  ["hip_hop boom_bap trap drill dancehall reggaeton amapiano", 0.33, 5.4, 10, -11],
  ["reggae dub", 0.34, 3.2, 9, -13],
  ["house deep_house tech_house techno uk_garage electro", 0.42, 6.4, 9, -9.5],
  ["trance edm hardstyle dubstep synthwave", 0.34, 6.1, 8.5, -8.5],
  ["drum_and_bass jungle", 0.38, 6.4, 8.5, -8],
  ["chiptune", 0.4, 5.6, -1, -9],
];

export const FEATURES: Readonly<Record<Genre, GenreFeatures>> = Object.fromEntries(
  GENRES.map((genre) => {
    const [, percussive, onsets, bass_db, treble_db] = GROUPS.find(([genres]) => genres.split(" ").includes(genre))!;
    // Within a group by how dense and lively the genre is.
    const { density, energy } = PROFILES[genre];
    return [
      genre,
      { percussive, bass_db, treble_db, onsets: 0.7 * onsets + 0.3 * (1 + 9 * density * Math.sqrt(energy)) },
    ];
  }),
) as Record<Genre, GenreFeatures>;
