// Installs what is missing and compiles the SIMD kernels, before `npm start` and `npm test` (or `bun run start` and `bun run test`):
// Node and npm, or Bun alone, are enough. `--test` also installs what only tests and checks need. Does nothing when all of it was done already.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileKernels } from "./kernels.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const all = process.argv.includes("--test");
install();
await kernels();

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

function install() {
  const stamp = join(root, "node_modules", ".tonwerk-setup");
  const wanted = hashOf([join(root, "package-lock.json"), join(root, "package.json")]);
  const installed = read(stamp);
  if (installed === `${wanted} all` || (installed === `${wanted} start` && !all)) return;
  const byBun = process.versions.bun !== undefined || (process.env.npm_config_user_agent ?? "").startsWith("bun/");
  const npm = process.env.npm_execpath;
  const [program, ...args] = byBun
    ? [
        process.versions.bun === undefined ? "bun" : process.execPath,
        "install",
        "--no-save",
        ...(all ? [] : ["--production"]),
      ]
    : [
        ...(npm?.endsWith("js") ? [process.execPath, npm] : ["npm"]),
        // Not `npm ci`: it refuses a lock file of several platforms that was written without download addresses.
        ...["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", ...(all ? [] : ["--omit=dev"])],
      ];
  console.log(`Installing packages${all ? " for tests" : ""} …`);
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) {
    console.error(
      `Cannot install packages: '${program} ${args.join(" ")}' ${error ? error.message : `ended with ${status}`}`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, `${wanted} ${all ? "all" : "start"}\n`);
}

/** The kernels are for speed only, so a machine that cannot compile them still starts. */
async function kernels() {
  const folder = join(root, "runners", "dsp", "assembly");
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
