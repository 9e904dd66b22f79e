/** Words, or a piece to be like, to a brief. */
export { briefOf, outlineOf } from "./brief_of.ts";
export { reportOf } from "./report.ts";
export { understand } from "./understand.ts";
export { vary } from "./vary.ts";
