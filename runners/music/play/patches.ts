/** Which sounds of the bank each instrument is played with, and how: its pack, with numbers for notes. */
import { derived, midiOf, type SampledLayer, type SampledPack } from "../../packs/mod.ts";
import { calledOn, type Instrument, instrumentOf } from "../compose/mod.ts";

type Range = readonly [low: number, high: number];

/** One sound of a patch. */
export interface Layer extends Omit<SampledLayer, "keys"> {
  readonly keys?: Range;
}

export interface Patch extends Omit<SampledPack, "layers" | "muted" | "short" | "trembling" | "reach" | "skins_hertz"> {
  readonly layers: readonly Layer[];
  readonly muted?: readonly Layer[];
  readonly short?: readonly Layer[];
  readonly trembling?: readonly Layer[];
  readonly reach: Range;
  /** Hz on which drums ring, by key. */
  readonly skins: ReadonlyMap<number, number>;
}

const patches = derived(() => new Map<Instrument, Patch | undefined>());

/** Undefined for what synthesis plays. */
export function patchOf(instrument: Instrument): Patch | undefined {
  const known = patches();
  if (!known.has(instrument)) {
    const { sampled } = instrumentOf(instrument);
    known.set(instrument, sampled && read(sampled));
  }
  return known.get(instrument);
}

/** What a kit lacks is taken from the plainest one. */
export function lentDrums(): Layer {
  return patchOf(calledOn("lend_drums")[0]!)!.layers[0]!;
}

function read({ layers, muted, short, trembling, reach, skins_hertz, ...rest }: SampledPack): Patch {
  return {
    ...rest,
    layers: layers.map(layerOf),
    ...(muted && { muted: muted.map(layerOf) }),
    ...(short && { short: short.map(layerOf) }),
    ...(trembling && { trembling: trembling.map(layerOf) }),
    reach: rangeOf(reach),
    skins: new Map(Object.entries(skins_hertz ?? {}).map(([note, hertz]) => [midiOf(note), hertz])),
  };
}

function layerOf({ keys, ...rest }: SampledLayer): Layer {
  return keys === undefined ? rest : { ...rest, keys: rangeOf(keys) };
}

function rangeOf([low, high]: readonly [string, string]): Range {
  return [midiOf(low), midiOf(high)];
}

/** Where the drums of a kit stand for who listens: key, -1 to 1. What is not named stands in the middle. */
export const DRUM_PAN: Readonly<Record<number, number>> = {
  42: 0.22,
  44: 0.22,
  46: 0.22,
  41: -0.4,
  43: -0.3,
  45: -0.12,
  47: 0.05,
  48: 0.18,
  50: 0.3,
  49: -0.35,
  51: 0.35,
  52: -0.45,
  53: 0.35,
  54: 0.3,
  55: -0.25,
  56: 0.2,
  57: 0.42,
  59: 0.35,
  60: -0.25,
  61: -0.15,
  62: 0.3,
  63: 0.3,
  64: 0.2,
  65: -0.35,
  66: -0.25,
  67: 0.4,
  68: 0.35,
  69: -0.3,
  70: -0.35,
  75: 0.25,
  76: -0.3,
  77: -0.2,
  82: 0.35,
};
