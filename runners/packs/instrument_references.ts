/** What a schema cannot say of instruments: that those whom they name are there, and that each has one way to sound. */
import { midiOf } from "./notes.ts";
import { Jobs } from "./schema/instrument/jobs.ts";
import type { DrumPack, InstrumentGroup, InstrumentPack } from "./schema/mod.ts";

/** Of which an instrument has one. */
const SOUNDS = ["sampled", "synthesiser", "drum_machine", "model", "texture", "gesture"] as const;

const GESTURES = ["rise", "swell", "fall", "drop", "impact"] as const;
const DRUM_SOUNDS = [
  ...(["part", "tom", "cymbal", "skin", "bell", "snap", "wood", "rattle"] as const),
  ...(["guiro", "whistle", "cuica", "triangle"] as const),
] as const;

/** File, place and reason of the first fault; null where there is none. */
export function wrongReference(
  instruments: ReadonlyMap<string, InstrumentPack>,
  groups: ReadonlyMap<string, InstrumentGroup>,
  drums: ReadonlyMap<string, DrumPack>,
): string | null {
  const machines = new Map([...instruments].filter(([, { drum_machine }]) => typeof drum_machine === "object"));
  for (const [id, pack] of drums) {
    const fault = unsounding(pack, DRUM_SOUNDS);
    if (fault !== null) return `drums/${id}.json ${fault}`;
  }
  for (const [id, pack] of instruments) {
    const fault =
      absent("instrument", pack.replaced_by, instruments, "/replaced_by") ??
      absent("drum machine", machineNamed(pack), machines, "/drum_machine") ??
      absent("group of instruments", pack.groups, groups, "/groups") ??
      reversed(pack.range, "/range") ??
      reversed(pack.sampled?.reach, "/sampled/reach") ??
      unsounding(pack, SOUNDS);
    if (fault !== null) return `instruments/${id}.json ${fault}`;
  }
  for (const [id, { if_acoustic, speakers, shuns }] of groups) {
    const one = if_acoustic === undefined ? [] : [if_acoustic];
    const fault = absent("instrument", [...one, ...(speakers ?? []), ...(shuns ?? [])], instruments, "");
    if (fault !== null) return `instrument_groups/${id}.json ${fault}`;
  }
  return unfilled([...instruments.values()]);
}

/** A file that replaces one of ours may not leave a job without anybody. */
function unfilled(all: readonly InstrumentPack[]): string | null {
  for (const job of Object.keys(Jobs.properties) as (keyof typeof Jobs.properties)[])
    if (all.every(({ jobs }) => jobs?.[job] === undefined)) return `instruments: nobody has the job "${job}"`;
  for (const kind of GESTURES)
    if (all.every(({ gesture }) => gesture !== kind)) return `instruments: nobody makes the gesture "${kind}"`;
  return null;
}

function machineNamed({ drum_machine }: InstrumentPack): readonly string[] {
  return typeof drum_machine === "string" ? [drum_machine] : [];
}

function absent(
  what: string,
  ids: readonly string[] | undefined,
  known: ReadonlyMap<string, unknown>,
  path: string,
): string | null {
  const missing = ids?.find((id) => !known.has(id));
  return missing === undefined ? null : `${path}: there is no ${what} "${missing}"`;
}

function reversed(range: readonly [string, string] | undefined, path: string): string | null {
  if (range === undefined || midiOf(range[0]) < midiOf(range[1])) return null;
  return `${path}: expected the lowest note, then the highest`;
}

function unsounding<Key extends string>(
  pack: { readonly [K in Key]?: unknown },
  sounds: readonly Key[],
): string | null {
  const own = sounds.filter((sound) => pack[sound] !== undefined);
  return own.length === 1 ? null : `: expected one of ${sounds.join(", ")}, found ${own.join(" and ") || "none"}`;
}
