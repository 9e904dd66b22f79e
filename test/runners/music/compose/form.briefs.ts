/** Briefs for the composer's tests: as a prompt of a genre's name alone might be understood, roughly. */
import type { Brief } from "../../../../runners/music/compose/brief.ts";
import type { Genre } from "../../../../runners/music/compose/genres.ts";
import type { Cast, Plan } from "../../../../runners/music/compose/plan.ts";
import type { Key } from "../../../../runners/music/compose/score.ts";

const TEMPO: Readonly<Partial<Record<Genre, number>>> = {
  ambient: 66,
  dark_ambient: 60,
  bebop: 210,
  swing: 160,
  drum_and_bass: 174,
  metal: 150,
  punk: 180,
  trance: 138,
  lofi: 80,
  trap: 140,
  cinematic: 80,
  romantic: 72,
  waltz: 160,
};

export function briefOf(genre: Genre, over: Partial<Brief> = {}): Brief {
  return {
    genre,
    second_genre: null,
    moods: [],
    bpm: TEMPO[genre] ?? 112,
    key: { tonic: 9, mode: "minor" },
    metre: genre === "waltz" ? { beats_per_bar: 3, division: 2 } : { beats_per_bar: 4, division: 2 },
    swing: 0.5,
    energy: 0.6,
    valence: 0.5,
    brightness: 0.5,
    density: 0.5,
    space: 0.4,
    drive: 0.3,
    age: 0.2,
    wanted: [],
    unwanted: { instruments: [], roles: [] },
    era: null,
    scene: [],
    traits: [],
    explicit: [],
    unknown: [],
    colour: 17,
    ...over,
  };
}

export const KEYS: readonly Key[] = [
  { tonic: 9, mode: "minor" },
  { tonic: 0, mode: "major" },
  { tonic: 6, mode: "minor" },
  { tonic: 10, mode: "major" },
  { tonic: 2, mode: "dorian" },
  { tonic: 7, mode: "mixolydian" },
  { tonic: 4, mode: "phrygian" },
  { tonic: 5, mode: "lydian" },
];

/** A flute throughout and a viola in every other section. */
export function duo(plan: Plan): Cast {
  const all = plan.sections.map((_, at) => at);
  const seat = { pan: 0, level_db: 0 };
  return {
    seats: [
      { ...seat, name: "lead", role: "lead", instrument: "flute", sections: all, range: [62, 86] },
      {
        ...seat,
        name: "counter",
        role: "counter",
        instrument: "viola",
        sections: all.filter((at) => at % 2 === 0),
        range: [50, 72],
      },
    ],
  };
}
