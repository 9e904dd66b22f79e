/** What other engines may use of the pool that they run in. */
export { killGroup } from "./adopted.ts";
export { residentHere } from "./confined.ts";
export { chooseResident, isApart, runNested } from "./nested.ts";
