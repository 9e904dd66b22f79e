/**
 * Models behind HTTP: ones that are not ONNX, in a server of their own. Each has one of our processes, named after it,
 * which speaks to the server, distrusts what it says, and starts it where its manifest says how. What crosses to it is
 * audio and words; connections and foreign bytes never leave it.
 */
import type { Runner } from "../../../contract/mod.ts";
import type { SidecarInput, SidecarOutput } from "./types.ts";

export type { SidecarManifest } from "./manifest.ts";
export type { SidecarFacts } from "./types.ts";

/** Looks and loads hinder nobody's work. */
const BESIDE_MAX = 1000;

/** @param concurrency of work, what the server takes at once; absent: it is only looked at, or has it loaded */
export function sidecarRunner(id: string, concurrency = BESIDE_MAX): Runner<SidecarInput, SidecarOutput> {
  return { ...sidecars, resident: id, at_once: concurrency };
}

export const sidecars: Runner<SidecarInput, SidecarOutput> = {
  name: "sidecars",
  from: import.meta.url,
  isolation: "process",
  load: async () => {
    const { createSidecar } = await import("./resident.ts");
    return createSidecar();
  },
};
