/** Parts to a mix, one stem at a time. Light; the desk loads inside the pool. */
import type { Score } from "../compose/mod.ts";
import type { Desk, DeskOptions } from "./types.ts";

export { OCTAVES, octaveTargets } from "./targets.ts";
export type { Desk, DeskOptions } from "./types.ts";

export async function loadDesk(): Promise<(score: Score, options: DeskOptions) => Desk> {
  return (await import("./desk.ts")).createDesk;
}
