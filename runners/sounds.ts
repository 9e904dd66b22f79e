/** Manifests of an operator's recorded instruments: one JSON file for each in the folder that `TONWERK_SOUNDS` names. Read at the start. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { SoundsInUse } from "../core/ports/mod.ts";
import { readSfz } from "./music/play/sounds/sfz_bank.ts";
import { faultOf } from "./packs/fault.ts";
import { readKind } from "./packs/files.ts";
import { byId, section } from "./packs/schema/common.ts";
import { type InstrumentPack, OwnSounds } from "./packs/schema/mod.ts";

/** Sounds that cannot be used. Stops the start. */
class SoundsError extends Error {
  override readonly name = "SoundsError";
}

type Manifest = Static<typeof Manifest>;
const Manifest = section({
  $schema: Type.Optional(Type.String()),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  /** As whoever recorded them states it; the operator answers for it. */
  licence: Type.String({ minLength: 1, maxLength: 500 }),
  /** What the licence wants said. */
  attribution: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  /** By the names of their packs. */
  instruments: Type.Intersect([byId(OwnSounds), Type.Object({}, { minProperties: 1 })]),
  /** SHA-256 of every file that is read, by its path from here. */
  files: Type.Record(Type.String({ minLength: 1, maxLength: 500 }), Type.String({ pattern: "^[0-9a-f]{64}$" })),
});

const manifests = TypeCompiler.Compile(Manifest);

/**
 * Checks every manifest right inside `folder`, what it reads, and each digest: about a second for 1.5 GB.
 *
 * Throws a `SoundsError` for the operator.
 *
 * @param packs folders of an operator's packs, whose instruments may be played too
 */
export async function checkSounds(folder: string, packs: readonly string[]): Promise<SoundsInUse[]> {
  const refuse = (why: string): never => {
    throw new SoundsError(`Cannot use the sounds of ${folder}: ${why}`);
  };
  let names: string[];
  try {
    names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  } catch (error) {
    return refuse((error as Error).message);
  }
  if (names.length === 0) refuse("no manifest (.json) is in it");
  const known = readKind("instruments", packs) as Known;
  const taken = new Map<string, string>();
  const used: SoundsInUse[] = [];
  for (const name of names) {
    const sounds = await readManifest(folder, name, known).catch((error: unknown) =>
      refuse(`${name} ${(error as Error).message}`),
    );
    for (const instrument of Object.keys(sounds.instruments)) {
      const other = taken.get(instrument);
      if (other !== undefined) refuse(`${name} /instruments/${instrument}: ${other} plays it already`);
      taken.set(instrument, name);
    }
    used.push(sounds);
  }
  return used;
}

type Known = ReadonlyMap<string, InstrumentPack>;

/** Throws an Error that begins with the place in the file. */
async function readManifest(folder: string, name: string, known: Known): Promise<SoundsInUse> {
  let given: unknown;
  try {
    given = JSON.parse(await readFile(join(folder, name), "utf8"));
  } catch (error) {
    throw new Error(`is no JSON: ${(error as Error).message}`);
  }
  const fault = faultOf(manifests, given);
  if (fault !== null) throw new Error(fault);
  const manifest = given as Manifest;
  const wanted = new Map<string, string>();
  const instruments: Record<string, OwnSounds> = {};
  for (const [instrument, sounds] of Object.entries(manifest.instruments)) {
    const at = `/instruments/${instrument}`;
    checkInstrument(at, known.get(instrument), sounds);
    instruments[instrument] = { ...sounds };
    for (const articulation of ["layers", "muted", "short", "trembling"] as const) {
      const layers = sounds[articulation];
      if (layers === undefined) continue;
      for (const [n, layer] of layers.entries())
        for (const file of await filesOf(folder, layer, `${at}/${articulation}/${n}`))
          wanted.set(file, `${at}/${articulation}/${n}/file`);
      instruments[instrument][articulation] = layers.map((layer) => ({ ...layer, file: join(folder, layer.file) }));
    }
  }
  for (const [file, at] of wanted) {
    const digest = manifest.files[file];
    if (digest === undefined) throw new Error(`/files: has no SHA-256 of "${file}", which ${at} reads`);
    const found = await digestOf(join(folder, file)).catch((error: unknown) => {
      throw new Error(`/files/${file}: ${(error as Error).message}`);
    });
    if (found !== digest) throw new Error(`/files/${file}: its SHA-256 is ${found}`);
  }
  const { name: called, licence, attribution = null } = manifest;
  return { name: called, licence, attribution, source: null, notice: null, instruments };
}

/** What a manifest beside `file` says of it; name and licence are for whoever knows them. Throws an Error as `checkSounds` does. */
export async function manifestFor(file: string, instrument: string): Promise<Manifest> {
  const layer = { file: basename(file), ...(/\.sfz$/iu.test(file) ? {} : { program: 0 }) };
  const files: Record<string, string> = {};
  for (const path of await filesOf(dirname(file), layer, `/instruments/${instrument}/layers/0`))
    files[path] = await digestOf(join(dirname(file), path));
  const name = basename(file).replace(/\.[^.]+$/u, "");
  return { name, licence: "unknown", instruments: { [instrument]: { layers: [layer] } }, files };
}

function checkInstrument(at: string, pack: InstrumentPack | undefined, { reach, action }: OwnSounds): void {
  if (pack === undefined) throw new Error(`${at}: there is no such instrument`);
  if (pack.sampled !== undefined) return;
  if (reach === undefined) throw new Error(`${at}/reach: is missing; its pack has no recordings that could say it`);
  if (action === undefined) throw new Error(`${at}/action: is missing; its pack has no recordings that could say it`);
}

/** What a layer reads, by paths from the folder of manifests. */
async function filesOf(folder: string, layer: OwnSounds["layers"][number], at: string): Promise<readonly string[]> {
  const file = normalize(layer.file);
  if (isAbsolute(file) || file.startsWith("..")) throw new Error(`${at}/file: "${layer.file}" lies outside the folder`);
  const path = join(folder, file);
  try {
    if (/\.sfz$/iu.test(file)) {
      if (layer.program !== undefined || layer.bank !== undefined) throw new Error("is one sound, without programs");
      return readSfz(path).files.map((one) => join(dirname(file), one));
    }
    if (!/\.sf[23]$/iu.test(file)) throw new Error("is neither .sfz nor .sf2 nor .sf3");
    const { program = 0, bank = 0, drum } = layer;
    const known = await presetsOf(path);
    const preset = drum === true ? `128:${program}` : `${bank}:${program}`;
    if (!known.has(preset)) throw new Error(`has no preset ${preset} (bank:program)`);
    return [file];
  } catch (error) {
    throw new Error(`${at}/file: "${layer.file}" ${(error as Error).message}`);
  }
}

/** Bank and program of each preset of a SoundFont: the records "phdr" in its list "pdta" (SoundFont 2.04, section 7.2). */
async function presetsOf(path: string): Promise<ReadonlySet<string>> {
  const file = await open(path, "r");
  try {
    if ((await textAt(file, 0)) !== "RIFF" || (await textAt(file, 8)) !== "sfbk") throw new Error("is no SoundFont");
    const { size: end } = await file.stat();
    for (let at = 12; at + 12 <= end; ) {
      const size = await sizeAt(file, at + 4);
      if ((await textAt(file, at)) === "LIST" && (await textAt(file, at + 8)) === "pdta") {
        const bytes = Buffer.alloc(await sizeAt(file, at + 16));
        await file.read(bytes, 0, bytes.length, at + 20);
        const RECORD = 38;
        // The last record ends the list.
        const count = Math.max(0, Math.floor(bytes.length / RECORD) - 1);
        return new Set(
          Array.from({ length: count }, (_, n) => {
            const from = n * RECORD;
            return `${bytes.readUInt16LE(from + 22)}:${bytes.readUInt16LE(from + 20)}`;
          }),
        );
      }
      const next = at + 8 + size;
      // Writers of SF3 leave out the byte that pads what is odd.
      at = size % 2 === 1 && (await textAt(file, next)) !== "LIST" ? next + 1 : next;
    }
    throw new Error("has no presets");
  } finally {
    await file.close();
  }
}

async function textAt(file: FileHandle, at: number): Promise<string> {
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, at);
  return buffer.toString("latin1");
}

async function sizeAt(file: FileHandle, at: number): Promise<number> {
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, at);
  return buffer.readUInt32LE(0);
}

async function digestOf(path: string): Promise<string> {
  if (!(await stat(path)).isFile()) throw new Error("is no file");
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}
