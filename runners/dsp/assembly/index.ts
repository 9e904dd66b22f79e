// AssemblyScript, not TypeScript: compiled to kernels.wasm at set-up by scripts/kernels.mjs. What is exported here is what ../simd.ts declares.
export { bestArrivals } from "./best_arrivals";
export { cascadePair } from "./cascade_pair";
export { clipPair } from "./clip_pair";
export { coarseGrid } from "./coarse_grid";
export { convolveRows } from "./convolve_rows";
export { dense } from "./dense";
export { filterPair } from "./filter_pair";
export { filterPairs } from "./filter_pairs";
export { flacDecode, flacFloats, flacPack, flacReady, flacSumRead } from "./flac_decode";
export { flacBytes, flacEncode, flacOpen, flacPlace, flacSum, flacTake } from "./flac_encode";
export { hall } from "./hall";
export { weighPair } from "./k_weighting";
export { polyphase } from "./polyphase";
export { powerPair } from "./power_pair";
export { render } from "./render";
export { stereoForward, stereoInverse } from "./stereo_frames";
export { survey } from "./survey";
export { voice } from "./voice";
