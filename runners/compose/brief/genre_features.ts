/**
 * What genres measure like, on the scales of `Analysis`: to find the nearest one to a piece. Estimates of ours from mixing practice (bass and treble
 * against the middle) and from how much of a band is drums; nothing here was fitted to a collection.
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

const GROUPS: readonly (readonly [genres: string, percussive: number, bass_db: number, treble_db: number])[] = [
  ["ambient new_age dark_ambient", 0.06, 2, -20],
  ["lullaby piano_solo waltz romantic", 0.12, -4, -22],
  ["classical baroque string_quartet minimalism", 0.1, -5, -16],
  ["cinematic fantasy horror christmas musical_theatre western", 0.14, 2, -15],
  ["epic trailer march game", 0.26, 6, -12],
  ["singer_songwriter folk americana celtic", 0.2, 1, -13],
  ["country bluegrass mariachi flamenco tango klezmer polka ragtime east_asian arabic", 0.24, 1, -11],
  ["jazz swing bebop bossa_nova smooth_jazz", 0.24, 3, -14],
  ["blues soul motown gospel rockabilly surf_rock classic_rock", 0.3, 4, -12],
  ["rock indie_rock punk grunge metal ska shoegaze post_rock industrial", 0.32, 4, -9],
  ["pop indie_pop kpop jpop city_pop synthpop latin_pop corporate childrens dream_pop", 0.32, 6, -9],
  ["funk disco bollywood samba salsa afrobeat", 0.38, 7, -9],
  ["rnb neo_soul lofi trip_hop downtempo chillout vaporwave", 0.28, 9, -17],
  ["hip_hop boom_bap trap drill dancehall reggaeton amapiano", 0.4, 13, -12],
  ["reggae dub", 0.3, 11, -16],
  ["house deep_house tech_house techno uk_garage electro", 0.42, 12, -11],
  ["trance edm hardstyle dubstep synthwave", 0.34, 10, -8],
  ["drum_and_bass jungle", 0.46, 11, -8],
  ["chiptune", 0.26, 0, -6],
];

export const FEATURES: Readonly<Record<Genre, GenreFeatures>> = Object.fromEntries(
  GENRES.map((genre) => {
    const [, percussive, bass_db, treble_db] = GROUPS.find(([genres]) => genres.split(" ").includes(genre))!;
    const { density, energy } = PROFILES[genre];
    return [genre, { percussive, bass_db, treble_db, onsets: 0.6 + 7 * density * Math.sqrt(energy) }];
  }),
) as Record<Genre, GenreFeatures>;
