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
