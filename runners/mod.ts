/** What core loads: the pool, and how to load the studio inside it. Light, so that the API process stays light. */

export { runNested } from "./pool/nested.ts";
export { createPool } from "./pool/pool.ts";

export async function loadStudio() {
  const { studio } = await import("./studio.ts");
  return studio;
}
