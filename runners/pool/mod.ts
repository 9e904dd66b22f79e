/** What other engines may use of the pool that they run in. */
export { runNested } from "./nested.ts";
