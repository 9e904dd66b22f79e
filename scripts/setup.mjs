// Installs what is missing, before `npm start` and `npm test` (or `bun run start` and `bun run test`): Node and npm, or Bun alone, are enough.
// `--test` also installs what only tests and checks need. Does nothing when the lock file has been installed already.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".tonwerk-setup");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .update(readFileSync(join(root, "package.json")))
  .digest("hex");
const all = process.argv.includes("--test");
const installed = existsSync(stamp) ? readFileSync(stamp, "utf8").trim() : "";
if (installed === `${wanted} all` || (installed === `${wanted} start` && !all)) process.exit(0);

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
