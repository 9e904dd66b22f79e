/** Plugin folders for tests, written to a temporary folder: nothing is put into the installation. */
import { cp, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { linkPackage } from "../cli/plugins/scaffold.ts";

const CONTRACT = new URL("../contract/mod.ts", import.meta.url).href;

/** A sound declaration, field by field as source text. */
const SOUND: Readonly<Record<string, string>> = {
  summary: '"Return the source as it came"',
  request: "Type.Object({ note: Type.Optional(Type.String({ maxLength: 20 })) })",
  sources: "{ source: { seconds_min: 0.1, seconds_max: 600, bytes_max: 50_000_000 } }",
  echo: '["note"]',
  output: '"single"',
  work: '"dsp"',
  seeded: "false",
  level: '"source"',
  engine: '"copy"',
  loudness: '"never"',
  failures: "[]",
  examples: '[{ source: { url: "https://example.com/a.wav" } }]',
  cost: "() => 1",
  process: "({ sources }) => ({ audio: sources.source })",
};

/** A package of examples/plugins, where it finds what it imports. */
export async function copyExample(into: string, name: string): Promise<string> {
  const folder = join(into, name);
  await cp(fileURLToPath(new URL(`../examples/plugins/${name}`, import.meta.url)), folder, { recursive: true });
  await linkPackage(folder);
  return folder;
}

/** With these surfaces of the installation and no action. */
export async function pluginFolder(
  surfaces: readonly string[] = ["capabilities", "dashboard", "files", "operator"],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-plugins-"));
  for (const name of surfaces) {
    await symlink(fileURLToPath(new URL(`../plugins/${name}`, import.meta.url)), join(folder, name));
  }
  return folder;
}

/** Adds `<name>/action.ts`: `changes` replaces or adds fields of a sound declaration, as source text; `before` stands above it. */
export async function addAction(
  folder: string,
  name: string,
  changes: Readonly<Record<string, string>> = {},
  before = "",
): Promise<void> {
  const declaration = { name: `"${name}"`, wrapper: `"${name.replace(".", "_")}"`, ...SOUND, ...changes };
  const fields = Object.entries(declaration).map(([key, text]) => `  ${key}: ${text},`);
  const text = `import { defineAction, Type } from "${CONTRACT}";\n${before}\nexport default defineAction({\n${fields.join("\n")}\n});\n`;
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, "action.ts"), text);
}
