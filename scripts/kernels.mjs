// Compiles the SIMD kernels of runners/signal/dsp/assembly with AssemblyScript. Called by scripts/setup.mjs; without AssemblyScript the plain TypeScript kernels run.
import { join } from "node:path";

/** @param {string} root the project's folder @returns {Promise<string | undefined>} what went wrong, if something did */
export async function compileKernels(root) {
  let asc;
  try {
    ({ default: asc } = await import("assemblyscript/asc"));
  } catch (error) {
    return `AssemblyScript is not installed (${error instanceof Error ? error.message : error})`;
  }
  const folder = join("runners", "signal", "dsp", "assembly");
  const { error, stderr } = await asc.main(
    [
      join(folder, "index.ts"),
      ...["--baseDir", root, "--outFile", join(folder, "kernels.wasm")],
      // Nothing is allocated inside: memory is handed out by runners/signal/dsp/simd.ts.
      ...["--runtime", "stub", "--importMemory", "--initialMemory", "1", "--memoryBase", "1024"],
      ...["--enable", "simd", "--optimizeLevel", "3", "--shrinkLevel", "0", "--converge", "--noAssert"],
    ],
    {},
  );
  return error ? `${error.message}\n${stderr.toString()}` : undefined;
}
