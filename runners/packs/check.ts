/** Checks packs at the service's start: a refusal names the file, and the place within it. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { faultOfGroove, faultOfHabits, faultOfMusic } from "./check_music.ts";
import { faultOf } from "./fault.ts";
import { listFiles, type PackFile, SHIPPED_PACKS } from "./files.ts";
import { wrongReference } from "./instrument_references.ts";
import { ID } from "./schema/common.ts";
import {
  type GenrePack,
  type GroovePack,
  type InstrumentGroup,
  type InstrumentPack,
  type Kind,
  type Pack,
  SCHEMAS,
} from "./schema/mod.ts";

/** A pack that cannot be read. Stops the start. */
class PackError extends Error {
  override readonly name = "PackError";
}

const KINDS = Object.keys(SCHEMAS) as readonly Kind[];

/**
 * Finds the folders that `origins` name, and checks what is in them and in the shipped one.
 *
 * @param origins folders such as "./packs", and npm packages such as "@acme/packs", whose folder `packs` it is
 * @param base folder that relative ones start from, and from which packages are sought upwards
 * @returns paths of the folders, for `usePacks`
 *
 * Throws a `PackError` for the operator.
 */
export function checkPacks(origins: readonly string[], base: string): string[] {
  const folders = origins.map((origin) => folderOf(origin, base));
  const read = new Map<Kind, Map<string, unknown>>(KINDS.map((kind) => [kind, new Map()]));
  for (const [n, folder] of [SHIPPED_PACKS, ...folders].entries()) {
    const place = n === 0 ? "" : `${origins[n - 1]}: `;
    const files = KINDS.flatMap((kind) => listFiles(folder, kind).map((file) => ({ kind, file })));
    if (files.length === 0)
      throw new PackError(`Cannot use the packs of ${place}none of the folders ${KINDS.join(", ")} holds a .json file`);
    for (const { kind, file } of files) read.get(kind)!.set(file.id, readPack(kind, file, place));
  }
  const of = <K extends Kind>(kind: K) =>
    read.get(kind) as ReadonlyMap<string, unknown> as ReadonlyMap<string, Pack<K>>;
  checkReferences(of("genres"), of("instruments"), of("instrument_groups"), of("scenes"));
  checkMusic(of("genres"), of("grooves"), of("instruments"));
  const wrong = wrongReference(of("instruments"), of("instrument_groups"), of("drums"));
  if (wrong !== null) throw new PackError(`Cannot use the packs: ${wrong}`);
  return folders;
}

function folderOf(origin: string, base: string): string {
  const named = origin.startsWith(".") || isAbsolute(origin) || origin.startsWith("file:");
  const folder = !named
    ? ofPackage(origin, base)
    : origin.startsWith("file:")
      ? fileURLToPath(origin)
      : isAbsolute(origin)
        ? origin
        : join(base, origin);
  if (folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new PackError(
    named
      ? `Cannot use the packs of ${origin}: there is no such folder`
      : `Cannot use the packs of ${origin}: no package of that name with a folder "packs" is installed`,
  );
}

/** Where runtimes seek packages: `node_modules` here and upwards. */
function ofPackage(name: string, base: string): string | undefined {
  for (let at = base; ; at = join(at, "..")) {
    const folder = join(at, "node_modules", name, "packs");
    if (existsSync(folder)) return folder;
    if (at === join(at, "..")) return undefined;
  }
}

/** Compiled: a hundred genres are checked at each start. */
const checks: { [K in Kind]?: TypeCheck<TSchema> } = {};

/** Throws a `PackError` where the file is not as its schema wants it. */
function readPack(kind: Kind, { id, name, path }: PackFile, place: string): unknown {
  const refuse = (reason: string): never => {
    throw new PackError(`Cannot use the packs of ${place}${name} ${reason}`);
  };
  if (kind === "words" && !/^[a-z]{2}$/u.test(id)) refuse("is not named as a language is, such as de.json");
  if (kind !== "words" && !new RegExp(ID, "u").test(id)) refuse("is not named as an id, such as deep_house.json");
  let pack: unknown;
  try {
    pack = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    refuse(`is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  checks[kind] ??= TypeCompiler.Compile(SCHEMAS[kind] as TSchema);
  const fault = faultOf(checks[kind], pack);
  return fault === null ? pack : refuse(fault);
}

/** What genres and groups name must be there, and tempi in order. */
function checkReferences(
  genres: ReadonlyMap<string, GenrePack>,
  instruments: ReadonlyMap<string, unknown>,
  groups: ReadonlyMap<string, InstrumentGroup>,
  scenes: ReadonlyMap<string, unknown>,
): void {
  for (const [id, { members }] of groups)
    for (const [n, member] of members.entries())
      if (!instruments.has(member))
        throw new PackError(
          `Cannot use the packs: instrument_groups/${id}.json /members/${n}: there is no instrument "${member}"`,
        );
  for (const [id, genre] of genres) {
    const refuse = (path: string, reason: string): never => {
      throw new PackError(`Cannot use the packs: genres/${id}.json ${path}: ${reason}`);
    };
    const known = (other: string | undefined, path: string): void => {
      if (other !== undefined && !genres.has(other)) refuse(path, `there is no genre "${other}"`);
    };
    const ordered = ({ low, usual, high }: GenrePack["tempo_bpm"], path: string): void => {
      if (!(low <= usual && usual <= high)) refuse(path, "expected low, usual and high in this order");
    };
    const playable = (names: readonly string[] | undefined, path: string): void => {
      for (const name of names ?? []) if (!instruments.has(name)) refuse(path, `there is no instrument "${name}"`);
    };
    ordered(genre.tempo_bpm, "/tempo_bpm");
    known(genre.like, "/like");
    for (const [group, member] of Object.entries(genre.means ?? {})) {
      if (!groups.has(group)) refuse("/means", `there is no group of instruments "${group}"`);
      playable([member], `/means/${group}`);
    }
    playable(Object.keys(genre.suggested_by?.instruments ?? {}), "/suggested_by/instruments");
    for (const scene of Object.keys(genre.suggested_by?.scenes ?? {}))
      if (!scenes.has(scene)) refuse(`/suggested_by/scenes/${scene}`, "there is no such scene");
    playable(genre.solo && [genre.solo.instrument], "/solo/instrument");
    known(genre.solo?.with_others, "/solo/with_others");
    for (const [decade, other] of Object.entries(genre.in_decade ?? {})) known(other, `/in_decade/${decade}`);
    for (const [n, other] of (genre.untouched_by ?? []).entries()) known(other, `/untouched_by/${n}`);
    for (const [n, { second_genre, tempo_bpm, instruments: wanted }] of (genre.subgenres ?? []).entries()) {
      known(second_genre, `/subgenres/${n}/second_genre`);
      playable(wanted, `/subgenres/${n}/instruments`);
      if (tempo_bpm !== undefined) ordered(tempo_bpm, `/subgenres/${n}/tempo_bpm`);
    }
  }
}

function checkMusic(
  genres: ReadonlyMap<string, GenrePack>,
  grooves: ReadonlyMap<string, GroovePack>,
  instruments: ReadonlyMap<string, InstrumentPack>,
): void {
  const refuse = (file: string, fault: string | null): void => {
    if (fault !== null) throw new PackError(`Cannot use the packs: ${file} ${fault}`);
  };
  for (const id of genres.keys()) refuse(`genres/${id}.json`, faultOfMusic(genres, grooves, instruments, id));
  for (const id of grooves.keys()) refuse(`grooves/${id}.json`, faultOfGroove(grooves, id));
  for (const id of instruments.keys()) refuse(`instruments/${id}.json`, faultOfHabits(instruments, grooves, id));
}
