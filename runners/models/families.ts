/** Families by name: a folder of ours or of a package's, with a module that exports one. */
import { existsSync, readdirSync } from "node:fs";
import type { Family } from "./family.ts";
import { Common } from "./fields.ts";
import type { Task } from "./tasks.ts";

const OWN = new URL("./families/", import.meta.url).href;
const MODULES = ["family.ts", "family.js", "family.mjs"];
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const TASKS: Readonly<Record<Task, true>> = {
  separate: true,
  generate: true,
  effect: true,
  song: true,
  remix: true,
  remix_song: true,
  voice_activity: true,
  transcribe: true,
  sing: true,
};

/**
 * @param folders URLs of folders of families that packages bring
 * @throws Error that says which families there are, or what is wrong with the one that is named so
 */
export async function findFamily(name: unknown, folders: readonly string[]): Promise<Family> {
  const places = typeof name === "string" && NAME.test(name) ? placesOf(name, folders) : [];
  const [module, second] = places;
  if (module === undefined) {
    const known = [...familyNames(folders), "ensemble"].join(", ");
    throw new Error(`"family" must be one of ${known}, not ${JSON.stringify(name) ?? "absent"}`);
  }
  if (second !== undefined) throw new Error(`the family "${name}" is there twice: "${module}" and "${second}"`);
  return loadFamily(name as string, module);
}

/** Sorted. */
export function familyNames(folders: readonly string[]): readonly string[] {
  const names = [OWN, ...folders].flatMap((folder) => {
    try {
      return readdirSync(new URL(folder)).filter((name) => NAME.test(name) && placesOf(name, [folder], []).length > 0);
    } catch {
      return [];
    }
  });
  return [...new Set(names)].sort();
}

function placesOf(name: string, folders: readonly string[], own: readonly string[] = [OWN]): readonly string[] {
  return [...own, ...folders].flatMap((folder) => {
    const modules = MODULES.map((file) => new URL(`${name}/${file}`, folder));
    return modules
      .filter((module) => existsSync(module))
      .slice(0, 1)
      .map(({ href }) => href);
  });
}

async function loadFamily(name: string, module: string): Promise<Family> {
  let given: unknown;
  try {
    ({ default: given } = (await import(module)) as { default?: unknown });
    if (typeof given === "function") given = given((await import("./family_kit.ts")).familyKit);
  } catch (error) {
    throw new Error(`its family "${name}" cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
  const why = faultOf(given);
  if (why !== undefined) throw new Error(`its family "${name}" is none: ${why}`);
  return given as Family;
}

/** What compilers say of ours, said of others'. */
function faultOf(given: unknown): string | undefined {
  if (typeof given !== "object" || given === null) return "the module has no family as its default export";
  const family = given as Partial<Record<keyof Family, unknown>>;
  if (typeof family.serves !== "string" || !Object.hasOwn(TASKS, family.serves))
    return `"serves" is ${JSON.stringify(family.serves) ?? "absent"}, expected one of ${Object.keys(TASKS).join(", ")}`;
  if (family.also !== undefined && !(Array.isArray(family.also) && family.also.every((task) => task in TASKS)))
    return `"also" is ${JSON.stringify(family.also)}, expected a list of ${Object.keys(TASKS).join(", ")}`;
  for (const field of ["files", "fields"] as const)
    if (typeof family[field] !== "object" || family[field] === null) return `"${field}" is no schema`;
  const common = Object.keys(family.fields as object).find((field) => field === "files" || field in Common.properties);
  if (common !== undefined) return `"fields" has "${common}", which every manifest has`;
  for (const field of ["layouts", "create"] as const)
    if (typeof family[field] !== "function") return `"${field}" is no function`;
  if (family.serves === "separate" && typeof family.stems !== "function")
    return '"stems" is no function, which families that separate have';
  return undefined;
}
