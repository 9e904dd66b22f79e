/** The programs of the project's README, as they stand there. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runFile } from "../process.ts";
import { makeEnvironment, why_not } from "./python.ts";
import { KEY, startTestServer, type TestServer } from "./tonwerk.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = await readFile(join(root, "README.md"), "utf8");

let folder: string;
let server: TestServer;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tonwerk-readme-"));
  server = await startTestServer();
});
after(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test("the ten lines of TypeScript run", async () => {
  const program = join(folder, "main.ts");
  await writeFile(program, programOf("ts").replace("@tonwerk/sdk", join(root, "sdk/typescript/src/mod.ts")));
  await runProgram(process.execPath, runFile(program));
});

const is_told = "Deno" in globalThis && "the run on Bun tells it";
test("the ten lines of Python run", { skip: is_told || why_not }, async () => {
  const program = join(folder, "main.py");
  await writeFile(program, programOf("python"));
  const { dependencies } = /dependencies = \["(?<dependencies>[^"]+)"\]/u.exec(
    await readFile(join(root, "sdk/python/pyproject.toml"), "utf8"),
  )!.groups as { readonly dependencies: string };
  await runProgram(await makeEnvironment(join(folder, "python"), [dependencies]), ["-B", program]);
});

/** The only program of its language. */
function programOf(language: string): string {
  const programs = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gmsu"))];
  assert.equal(programs.length, 1);
  const [, program] = programs[0]!;
  // Of the piece twenty seconds are enough here.
  const shorter = program!.replace("82 bpm", "82 bpm, 20 seconds");
  assert.notEqual(shorter, program);
  return shorter;
}

async function runProgram(program: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, TONWERK_URL: server.url, TONWERK_KEY: KEY, PYTHONPATH: join(root, "sdk/python/src") };
  const { stdout } = await run(program, args, { cwd: folder, env });
  assert.match(stdout, /^0/u);
  for (const name of ["night.flac", "trailer.flac"]) {
    const bytes = await readFile(join(folder, name));
    assert.equal(bytes.subarray(0, 4).toString("latin1"), "fLaC");
    await rm(join(folder, name));
  }
}
