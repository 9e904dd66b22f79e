/** Which sounds of the bank each instrument is played with, and how: its pack, with numbers for notes. */
import { derived, midiOf, type OwnSounds, type SampledLayer, type SampledPack } from "../../packs/mod.ts";
import { calledOn, type Instrument, instrumentOf } from "../compose/mod.ts";
import { LIBRARY, ownSounds } from "./own_sounds.ts";

type Range = readonly [low: number, high: number];

/** One sound of a patch. */
export interface Layer extends Omit<SampledLayer, "keys" | "library"> {
  /** Of an operator, an SFZ file or a SoundFont, or a shipped library. Absent: the shipped bank. */
  readonly file?: string;
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
  /** Of an operator's recordings. */
  readonly own?: true;
}

const patches = derived(() => new Map<Instrument, Patch | undefined>());
let made_of = ownSounds();

/** Undefined for what synthesis plays. */
export function patchOf(instrument: Instrument): Patch | undefined {
  const known = patches();
  if (made_of !== ownSounds()) {
    made_of = ownSounds();
    known.clear();
  }
  if (!known.has(instrument)) {
    const { sampled } = instrumentOf(instrument);
    const own = made_of.get(instrument);
    known.set(instrument, own === undefined ? sampled && read(sampled) : owned(own, sampled));
  }
  return known.get(instrument);
}

/** The shipped recordings' release, vibrato and level are not those of other recordings; what the instrument can play is. */
function owned({ layers, muted, short, trembling, reach, action, ...rest }: OwnSounds, shipped?: SampledPack): Patch {
  const how = action ?? shipped?.action;
  const range = reach ?? shipped?.reach;
  // Checked where the service started: either has them.
  if (how === undefined || range === undefined) throw new TypeError("Own sounds without an action or a reach");
  const own = (some: OwnSounds["layers"]) =>
    some.map((layer) => layerOf(how === "kit" ? { ...layer, drum: true } : layer));
  return {
    ...rest,
    ...(shipped?.amplifier && { amplifier: shipped.amplifier }),
    own: true,
    action: how,
    layers: own(layers),
    ...(muted && { muted: own(muted) }),
    ...(short && { short: own(short) }),
    ...(trembling && { trembling: own(trembling) }),
    reach: rangeOf(range),
    skins: new Map(),
  };
}

/** What a kit lacks is taken from the plainest one. */
export function lentDrums(): Layer {
  return layerOf(instrumentOf(calledOn("lend_drums")[0]!).sampled!.layers[0]!);
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

function layerOf({ keys, library, ...rest }: SampledLayer & Partial<OwnSounds["layers"][number]>): Layer {
  return {
    ...rest,
    ...(library && { file: `${LIBRARY}${library}` }),
    ...(keys && { keys: rangeOf(keys) }),
  };
}

function rangeOf([low, high]: readonly [string, string]): Range {
  return [midiOf(low), midiOf(high)];
}
