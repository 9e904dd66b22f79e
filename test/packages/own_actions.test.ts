/**
 * Our own actions as somebody else's package: under other names, away from the repository, with types of the tarball of
 * `@tonwerk/plugin` alone, added from a tarball of their own. What they make there is what they make here.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { addPackage } from "../../cli/plugins/place.ts";
import { packPlugin } from "../../scripts/plugin_package.ts";
import { music, wav } from "../audio.ts";
import { startTestService, type TestService } from "../service.ts";
import { speech } from "../speech.ts";
import { checkTypes, installPlugin } from "./project.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
/** As long as ours, so that the files that carry them are as long. */
const GROUPS: Readonly<Record<string, string>> = { adapt: "other", create: "others", analyse: "another" };
const theirs = (name: string): string => name.replace(/^\w+/u, (group) => GROUPS[group]!);

let folder: string;
let names: readonly string[];
let added: readonly string[];
let tonwerk: TestService;

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "tonwerk-own-actions-")));
  const project = join(folder, "project");
  await installPlugin(await packPlugin(folder), project);
  const entries = await readdir(join(root, "plugins"), { withFileTypes: true });
  names = entries.filter((entry) => entry.isDirectory() && entry.name.includes(".")).map(({ name }) => name);
  for (const name of names) {
    const own = join(project, name);
    await cp(join(root, "plugins", name), own, { recursive: true });
    for (const file of await readdir(own)) {
      const text = await readFile(join(own, file), "utf8");
      const changed = text
        .replaceAll('"../../packages/plugin/mod.ts"', '"@tonwerk/plugin"')
        .replace(`name: "${name}"`, `name: "${theirs(name)}"`)
        .replace(/^( {2}(?:wrapper|resource): ")/gmu, "$1their_")
        .replace(/^( {2}command: ")/gmu, "$1their-");
      await writeFile(join(own, file), changed);
    }
  }
  const imports = names.map((name, index) => `import a${index} from "./${name}/action.ts";`);
  const list = `export const actions = () => [${names.map((_, index) => `a${index}`).join(", ")}];`;
  await writeFile(join(project, "mod.ts"), [...imports, list].join("\n"));
  const manifest = { name: "their-actions", version: "1.2.3", type: "module", exports: "./dist/mod.js" };
  const wants = { tonwerk: { host: "^1.2" }, files: ["dist"], peerDependencies: { "@tonwerk/plugin": "^1.2" } };
  await writeFile(join(project, "package.json"), JSON.stringify({ ...manifest, ...wants }));
  await checkTypes(project, ["mod.ts"], { noEmit: false, rewriteRelativeImportExtensions: true, outDir: "dist" });
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: project });
  added = (await addPackage(join(folder, "data/plugins"), join(folder, stdout.trim()), ["./plugins"])).actions;
  tonwerk = await startTestService({ data: join(folder, "data") });
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

test("all of them are taken as a package of somebody else's", async () => {
  assert.deepEqual([...added].sort(), names.map(theirs).sort());
  const { body } = await tonwerk.json("GET", "/v1/capabilities");
  const told = (of: string) => body.actions.find(({ name }: { name: string }) => name === of);
  for (const name of names) {
    const [own, other] = [told(name), told(theirs(name))];
    assert.deepEqual(other.plugin, { name: "their-actions", version: "1.2.3" });
    for (const field of ["engine", "engines", "cost", "work", "task"])
      assert.deepEqual(other[field], own[field], `${field} of ${name}`);
  }
});

async function make(name: string, fields: object): Promise<readonly { url: string; report: unknown }[]> {
  const { status, error, output, outputs } = await tonwerk.perform(name, fields);
  assert.equal(status, "ready", JSON.stringify(error));
  return outputs ?? [output];
}

const upload = async (channels: readonly Float32Array[]): Promise<{ url: string }> => {
  const { body } = await tonwerk.json("PUT", "/v1/files", wav(channels));
  return { url: body.file.url };
};

/** The file, with the name of the action that it carries turned into ours. */
async function fileOf({ url }: { readonly url: string }, name: string): Promise<Buffer> {
  const file = Buffer.from(await (await tonwerk.call("GET", url)).arrayBuffer());
  const at = file.indexOf(`ACTION=${theirs(name)}`);
  if (at >= 0) file.write(`ACTION=${name}`, at);
  assert.ok(file.includes(`ACTION=${name}`));
  return file;
}

test("adaptations, albums and effects are the same to the byte", async () => {
  const [bed, other] = [await upload(music(2, 3)), await upload(music(3, 1.5))];
  const voice = await upload([speech(1, 3, [{ start: 1, end: 2.5 }]).samples]);
  const requests: readonly (readonly [name: string, fields: object])[] = [
    ["adapt.auto_duck", { music: bed, voice }],
    ["adapt.normalise_loudness", { album: [bed, other], loudness: { target_lufs: -20 } }],
    ["adapt.separate_stems", { source: other, stems: ["vocals", "instrumental"] }],
    ["create.new_fx", { prompt: "two knocks on wood", duration: 0.8, seed: 3 }],
  ];
  for (const [name, fields] of requests) {
    const [ours, others] = [await make(name, fields), await make(theirs(name), fields)];
    assert.equal(others.length, ours.length);
    for (const [index, output] of ours.entries()) {
      assert.deepEqual(others[index]!.report, output.report);
      assert.ok((await fileOf(others[index]!, name)).equals(await fileOf(output, name)), `output ${index} of ${name}`);
    }
  }
});

test("a dry run is told the same by their understand", async () => {
  const ask = async (name: string): Promise<unknown> => {
    const body = { idempotency_key: randomUUID(), prompt: "calm jazz in A minor, no drums" };
    return (await tonwerk.json("PUT", `/v1/${name}?dry_run=true`, body)).body.understood;
  };
  const ours = await ask("create.new_instrumental");
  assert.ok(ours);
  assert.deepEqual(await ask(theirs("create.new_instrumental")), ours);
});
