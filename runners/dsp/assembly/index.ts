// AssemblyScript, not TypeScript: compiled to kernels.wasm at set-up by scripts/kernels.mjs. What is exported here is what ../simd.ts declares.
export { largest } from "./largest";
