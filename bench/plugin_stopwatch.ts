#!/usr/bin/env bun
/**
 * What a newcomer to plugins does, timed: from an empty folder with the tarball of `@tonwerk/plugin` and a song, by the commands of
 * docs/writing-a-plugin.md, to a green `check`, a finished FLAC and a form in the dashboard. `bun bench/plugin_stopwatch.ts` does it on Bun
 * and on Deno, and prints seconds of the clock and of processor time, by step.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { packPlugin } from "../scripts/plugin_package.ts";
import { freePort } from "../test/process.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const PAGE = join(root, "docs/writing-a-plugin.md");

export interface Step {
  readonly name: string;
  readonly seconds: number;
  /** Of this step's processes, the server's included once it has ended. */
  readonly processor_seconds: number;
}

/** `program`: what runs a file on the runtime that is timed; `install`: whether `npm install` is run too, which asks a registry. */
export async function runNewcomer(program: readonly string[], install: boolean): Promise<readonly Step[]> {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-newcomer-"));
  try {
    const bin = join(folder, "bin");
    await mkdir(bin);
    const words = [...program, join(root, "cli/tonwerk.ts")].map((word) => `'${word}'`).join(" ");
    await writeFile(join(bin, "tonwerk"), `#!/bin/sh\nexec ${words} "$@"\n`);
    await chmod(join(bin, "tonwerk"), 0o755);
    await mkdir(join(folder, "work"));
    const kit = basename(await packPlugin(join(folder, "work")));
    await copyFile(join(root, "examples/song.flac"), join(folder, "work/song.flac"));
    const port = String(await freePort());
    const [make = "", serve = "", use = ""] = (await readBlocks()).map((block) =>
      block
        .replace("tonwerk-plugin-*.tgz", kit)
        .replaceAll("8787", port)
        .replace(/^npm install.*$/mu, install ? "npm install --no-audit --no-fund --loglevel=error" : ""),
    );
    const steps = { make, serve: inBackground(serve), use, stop: 'kill "$SERVER"; wait "$SERVER"' };
    const script = ["set -e", timed(["begin", ":"]), ...Object.entries(steps).map(timed)].join("\n");
    const env = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TONWERK_"))),
      ...{ PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: folder, PORT: port, FORM: join(folder, "form.mjs") },
    };
    await writeFile(env.FORM, FORM);
    const { stdout, stderr } = await run("bash", ["-c", script], { cwd: join(folder, "work"), env }).catch(
      (error: Error & { stdout?: string; stderr?: string }) => {
        throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
      },
    );
    assert.match(stdout, /^ok {4}acme\.echo:.*\nok {4}action\.test\.ts on /mu, stderr);
    assert.match(stdout, /^form acme\.echo: .*delay_seconds.*decay/mu);
    const flac = await readFile(join(folder, "work/acme.echo/echo.flac"));
    assert.equal(flac.toString("latin1", 0, 4), "fLaC");
    return readSteps(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Commands of the page's first section, by terminal. */
async function readBlocks(): Promise<readonly string[]> {
  const [, section = ""] = /^## Five minutes\n(.*?)^## /msu.exec(await readFile(PAGE, "utf8")) ?? [];
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, block = ""]) => block);
  assert.equal(blocks.length, 3);
  return blocks;
}

/** Goes on once the server says that it serves, and opens its form as a browser would. */
const inBackground = (command: string): string =>
  `${command.trim()} > dev.log 2>&1 &
SERVER=$!
until grep -q '^Key' dev.log; do kill -0 "$SERVER"; sleep 0.05; done
node "$FORM" "$(sed -n 's/^Dashboard *//p' dev.log)"`;

/** Enters by the link that was printed, and reads the form. */
const FORM = `
const link = new URL(process.argv[2]);
const cookies = new Map();
const ask = async (path, body) => {
  const headers = { cookie: [...cookies].map((pair) => pair.join("=")).join("; "), origin: link.origin };
  const answer = await fetch(new URL(path, link), { redirect: "manual", headers, ...(body && { method: "POST", body: new URLSearchParams(body) }) });
  for (const line of answer.headers.getSetCookie()) cookies.set(...line.split(";")[0].split("="));
  return answer.text();
};
const [, csrf] = /name="csrf" value="([^"]+)"/.exec(await ask(link.pathname + link.search));
await ask("/dashboard/link", { csrf, token: link.searchParams.get("token"), email: "new@example.com", password: "a violin in the rain" });
const form = await ask("/dashboard/playground/acme.echo");
console.log("form acme.echo:", [...form.matchAll(/<(?:input|select|textarea)[^>]* name="([^"]+)"/g)].map(([, name]) => name).join(" "));
`;

/** Prints what the clock and bash's \`times\` say after a step. */
const timed = ([name, commands]: readonly [string, string]): string =>
  `${commands}\necho "STEP ${name} $EPOCHREALTIME"\ntimes`;

function readSteps(printed: string): readonly Step[] {
  const rows = [...printed.matchAll(/^STEP (\w+) ([\d.,]+)\n.*\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/gmu)];
  const marks = rows.map(([, name = "", at = "", ...spent]) => {
    const [user_m = 0, user_s = 0, system_m = 0, system_s = 0] = spent.map(Number);
    return { name, at: Number(at.replace(",", ".")), spent: 60 * (user_m + system_m) + user_s + system_s };
  });
  return marks.slice(1).map(({ name, at, spent }, index) => {
    const last = marks[index]!;
    return { name, seconds: at - last.at, processor_seconds: spent - last.spent };
  });
}

async function main(): Promise<void> {
  const bin = join(root, "node_modules/.bin");
  const programs = {
    Bun: [join(bin, "bun")],
    Deno: [join(bin, "deno"), "run", "-A", "--no-check", "--unstable-no-legacy-abort"],
  };
  for (const [name, program] of Object.entries(programs)) {
    const steps = await runNewcomer(program, true);
    const sum = (of: (step: Step) => number) => steps.reduce((all, step) => all + of(step), 0).toFixed(1);
    console.log(
      `${name}: ${sum((step) => step.seconds)} s, ${sum((step) => step.processor_seconds)} s of processor time`,
    );
    for (const step of steps)
      console.log(`  ${step.name}: ${step.seconds.toFixed(1)} s, ${step.processor_seconds.toFixed(1)} s`);
  }
}

if (import.meta.main) await main();
