// AssemblyScript, not TypeScript: compiled to kernels.wasm at set-up by scripts/kernels.mjs. What is exported here is what ../simd.ts declares.

export { flacDecode, flacFloats, flacPack, flacReady, flacSumRead } from "./flac_decode";
export { flacBytes, flacEncode, flacOpen, flacPlace, flacSum, flacTake } from "./flac_encode";
export { largest } from "./largest";
