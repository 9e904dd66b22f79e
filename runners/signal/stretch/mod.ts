/** Time and pitch of recorded sound, one without the other. Light to import; everything runs where it is called. */
export { attacksOf } from "./attacks.ts";
export { shifted } from "./shift.ts";
export { sliced } from "./slices.ts";
export { stretched, stretchedBy } from "./stretch.ts";
export { TimeMap } from "./time_map.ts";
