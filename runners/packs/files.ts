/** Folders of packs and the files in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Kind } from "./schema/mod.ts";

/** What Tonwerk brings along. */
export const SHIPPED_PACKS = fileURLToPath(new URL("./", import.meta.url));

export interface PackFile {
  readonly id: string;
  /** Relative to the folder of packs: "genres/deep_house.json". */
  readonly name: string;
  readonly path: string;
}

/** JSON files of a kind in a folder of packs, by id; none where the folder has none of that kind. */
export function listFiles(folder: string, kind: Kind): PackFile[] {
  let names: string[];
  try {
    names = readdirSync(join(folder, kind));
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return [];
    throw error;
  }
  return names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => ({ id: name.slice(0, -".json".length), name: `${kind}/${name}`, path: join(folder, kind, name) }));
}

/** All packs of a kind, unchecked: those shipped, and over them those of each folder in turn. */
export function readKind(kind: Kind, own: readonly string[]): ReadonlyMap<string, unknown> {
  if (kind === "words") return new Languages([SHIPPED_PACKS, ...own].flatMap((folder) => listFiles(folder, kind)));
  const found = new Map<string, unknown>();
  for (const folder of [SHIPPED_PACKS, ...own]) {
    for (const { id, path } of listFiles(folder, kind)) {
      found.set(id, JSON.parse(readFileSync(path, "utf8")));
    }
  }
  return own.length === 0 ? found : new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Words by language, each read when it is first asked for: most threads meet one or two languages of fourteen. */
class Languages extends Map<string, unknown> {
  readonly #files: readonly PackFile[];

  constructor(files: readonly PackFile[]) {
    super(files.map(({ id }): [string, unknown] => [id, undefined]).sort(([a], [b]) => (a < b ? -1 : 1)));
    this.#files = files;
  }

  override get(language: string): unknown {
    const known = super.get(language);
    if (known !== undefined) return known;
    let found: unknown;
    for (const { id, path } of this.#files)
      if (id === language) found = joined(found, JSON.parse(readFileSync(path, "utf8")));
    if (found !== undefined) this.set(language, found);
    return found;
  }

  override *values(): MapIterator<unknown> {
    for (const language of this.keys()) yield this.get(language);
  }

  override *entries(): MapIterator<[string, unknown]> {
    for (const language of this.keys()) yield [language, this.get(language)];
  }

  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries();
  }
}

type Words = Readonly<Record<string, unknown>>;

/** Words are added to those of the same language: whoever brings three need not bring the language. */
function joined(shipped: unknown, added: unknown): unknown {
  if (Array.isArray(shipped) && Array.isArray(added)) return [...new Set([...shipped, ...added])];
  if (!isObject(shipped) || !isObject(added)) return added;
  const out: Record<string, unknown> = { ...shipped };
  for (const [key, value] of Object.entries(added)) out[key] = joined(shipped[key], value);
  return out;
}

function isObject(value: unknown): value is Words {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
