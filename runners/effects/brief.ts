/** What is to be heard: parts one after another, layers at once, each a recipe with its traits. */
import type { Recipe } from "./recipe.ts";
import type { Traits } from "./voice.ts";

export type Environment =
  | "dry"
  | "room"
  | "bathroom"
  | "hall"
  | "church"
  | "cave"
  | "outdoors"
  | "canyon"
  | "street"
  | "underwater"
  | "wall"
  | "radio"
  | "space";

export type Pan = "left to right" | "right to left" | "left" | "right";

/** What comes and goes is louder where it is near; what swells or fades stays where it is. */
export type Motion = "nearer" | "away" | "passing" | "rising" | "descending" | "swelling" | "fading";

/** When one sound is heard again and again, in times of its shortest stroke. */
export interface Rhythm {
  readonly at: readonly number[];
  /** How long each lasts; null: as it does by itself. */
  readonly held: readonly number[] | null;
}

export interface Layer {
  readonly recipe: Recipe;
  readonly traits: Traits;
  /** Events asked for; null: the recipe's own number. */
  readonly count: number | null;
  /** Seconds from one event to the next, where the text says them. */
  readonly every: number | null;
  /** When its events come, where a rhythm is said. */
  readonly rhythm: Rhythm | null;
  /** How many times as long as usual one time of it lasts, where it is long or short. */
  readonly length: number;
  /** 0 at hand to 1 far away. */
  readonly far: number;
  /** How much louder than what sounds beside it. */
  readonly level_db: number;
  readonly motion: Motion | null;
  /** Where it stands or which way it crosses, where sounds have places of their own; null: as all of it. */
  readonly pan: Pan | null;
  /** 1: its events come faster and faster, -1: slower and slower; 0: neither. */
  readonly hurry: number;
  /** How it is, in plain words: "soft", "huge", "louder than wind". */
  readonly manner: readonly string[];
  /** The words that it was taken from. */
  readonly said: string;
}

/**
 * Silence before a part of a sequence: from the end of the part before it, or from its start. "over": none, and what
 * goes on in the part before still does.
 */
export interface Pause {
  readonly seconds: number;
  readonly from: "start" | "end" | "over";
}

export interface Brief {
  /** One after another; each holds what sounds at once, 1 to 4. */
  readonly parts: readonly (readonly Layer[])[];
  /** Silence before each part; null for none. */
  readonly pauses: readonly (Pause | null)[];
  /** Seconds of silence behind the last part. */
  readonly silence_after: number;
  /** Under all of it. */
  readonly background: readonly Layer[];
  readonly environment: Environment | null;
  /** The place as it was said: "kitchen". */
  readonly place: string | null;
  /** Where in the stereo field all of it stands, or which way it crosses. */
  readonly pan: Pan | null;
  /** Seconds, where the text names them. */
  readonly seconds: number | null;
  /** What must not be heard, in the words that say so. */
  readonly unwanted: readonly string[];
  /** Words nothing was made of. */
  readonly unknown: readonly string[];
  /** Unknown words and what they were taken for. */
  readonly guessed: Readonly<Record<string, string>>;
}
