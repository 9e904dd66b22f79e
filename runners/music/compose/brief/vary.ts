/** What a prompt left open, settled by the seed: so that three variations differ in tempo, key and temper, and what was asked for stays. */
import { musicOf } from "../../../packs/mod.ts";
import { rounded } from "../../../signal/dsp/numbers.ts";
import { hash32, random } from "../../../signal/dsp/random.ts";
import type { Brief } from "../brief.ts";
import { type ModeName, profileOf } from "../genres.ts";
import type { Key } from "../score.ts";
import { rideSwing, SWING_MAX } from "../swing.ts";
import { TEMPI } from "./traits.ts";

/** Share of its way to the edge of the genre's range that the tempo may go. */
const TEMPO_REACH = 0.6;
/** And never further than this, as a ratio. */
const TEMPO_RATIO = 0.09;
/** Where a word such as "slow" was said. */
const TEMPO_RATIO_WORDED = 0.03;
const LEVEL_REACH = 0.06;
const SWING_REACH = 0.025;
/** How often the mode goes to a neighbour that the genre knows. */
const NEIGHBOUR = 0.3;

const NEIGHBOURS: Readonly<Record<ModeName, readonly ModeName[]>> = {
  major: ["mixolydian", "lydian"],
  minor: ["dorian", "phrygian"],
  dorian: ["minor", "mixolydian"],
  phrygian: ["minor"],
  lydian: ["major"],
  mixolydian: ["major", "dorian"],
};

const WORDED = new Set<string>(TEMPI);

/** @param seed any whole number */
export function vary(brief: Brief, seed: number): Brief {
  const draw = random(hash32(seed, brief.colour));
  // Drawn always and in this order: what is explicit must not move what is not.
  const [tempo, tonic, neighbour, which, swing, energy, brightness, density, space] = Array.from(
    { length: 9 },
    draw,
  ) as [...[number, number, number, number, number, number, number, number, number]];
  const said = new Set(brief.explicit);
  const profile = profileOf(brief.genre);
  const bpm = said.has("bpm") || said.has("bars") ? brief.bpm : tempoNear(brief, 2 * tempo - 1);
  // A subgenre with a swing of its own keeps it.
  const rides = musicOf(brief.genre).styles.ride_swing === true && brief.swing === profile.swing;
  const usual = rides ? rideSwing(bpm) : brief.swing;
  return {
    ...brief,
    bpm,
    key: keyNear(brief, said, tonic, neighbour, which),
    swing:
      said.has("swing") || profile.swing === 0.5
        ? brief.swing
        : rounded(Math.min(rides ? SWING_MAX : 0.7, Math.max(0.5, usual + SWING_REACH * (2 * swing - 1)))),
    energy: said.has("energy") ? brief.energy : level(brief.energy, energy),
    brightness: said.has("brightness") ? brief.brightness : level(brief.brightness, brightness),
    density: said.has("density") ? brief.density : level(brief.density, density),
    space: said.has("space") ? brief.space : level(brief.space, space),
  };
}

/** @param place -1 to 1 */
function tempoNear({ bpm, genre, traits }: Brief, place: number): number {
  const { low, high } = profileOf(genre).bpm;
  const worded = traits.some((trait) => WORDED.has(trait));
  const ratio = worded ? TEMPO_RATIO_WORDED : TEMPO_RATIO;
  const room = place < 0 ? Math.max(0, bpm - low) : Math.max(0, high - bpm);
  // A subgenre may lie outside the genre's range: then it has only a little room.
  const reach =
    worded || bpm < low || bpm > high ? bpm * TEMPO_RATIO_WORDED : Math.min(room * TEMPO_REACH, bpm * ratio);
  return Math.round(bpm + place * reach);
}

function keyNear(
  { key, genre }: Brief,
  said: ReadonlySet<string>,
  tonic: number,
  neighbour: number,
  which: number,
): Key {
  if (said.has("key")) return key;
  const known = profileOf(genre).modes;
  const near = NEIGHBOURS[key.mode].filter((mode) => (known[mode] ?? 0) > 0);
  const moves = !said.has("mode") && neighbour < NEIGHBOUR && near.length > 0;
  return {
    tonic: said.has("tonic") ? key.tonic : (key.tonic + Math.floor(12 * tonic)) % 12,
    mode: moves ? near[Math.floor(which * near.length)]! : key.mode,
  };
}

function level(value: number, at: number): number {
  return rounded(Math.min(0.98, Math.max(0.02, value + LEVEL_REACH * (2 * at - 1))));
}
