/** What core loads: the pool, and how to load the studio inside it. Light, so that the API process stays light. */
export { createPool } from "./pool.ts";
export { runNested } from "./pool_nested.ts";

export async function loadStudio() {
  const { studio } = await import("./studio.ts");
  return studio;
}
