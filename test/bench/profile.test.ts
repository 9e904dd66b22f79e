/** From the runtimes' profiles to flame graphs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HERE } from "../../bench/measure.ts";
import { type CpuProfile, hottest, KERNELS, summed } from "../../bench/profile/cpuprofile.ts";
import { flameGraph } from "../../bench/profile/flame.ts";
import { exportedFunctions } from "../../bench/profile/wasm_names.ts";

const frame = (functionName: string, url = "", lineNumber = 0) => ({ functionName, url, lineNumber });

/** `serve` calls `<parse>` from two nodes of the profile; the thread was idle most of the time. */
const PROFILE: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame("(root)"), children: [2, 3, 6] },
    { id: 2, callFrame: frame("(idle)") },
    { id: 3, callFrame: frame("serve", `file://${HERE}core/http/app.ts`, 9), children: [4, 5] },
    { id: 4, callFrame: frame("<parse>", `file://${HERE}node_modules/elysia/index.js`, 0) },
    { id: 5, callFrame: frame("<parse>", `file://${HERE}node_modules/elysia/index.js`, 0) },
    { id: 6, callFrame: frame("") },
  ],
  samples: [2, 2, 2, 3, 4, 5, 4, 6],
  timeDeltas: [10, 10, 90, 10, 10, 10, 10, 70],
};

test("summed() joins equal stacks, counts samples alike and leaves idle time out", () => {
  const root = summed(PROFILE);
  assert.equal(root.total, 50);
  const serve = root.children.get("serve core/http/app.ts:10");
  assert.deepEqual([serve?.total, serve?.self], [40, 10]);
  assert.deepEqual([...(serve?.children.keys() ?? [])], ["<parse> elysia/index.js:1"]);
  assert.equal(serve?.children.get("<parse> elysia/index.js:1")?.self, 30);
  assert.equal(root.children.get("(anonymous)")?.self, 10);
});

test("hottest() sorts by own time, as a share of all", () => {
  const [first, second] = hottest(summed(PROFILE), 2);
  assert.deepEqual(first, { name: "<parse> elysia/index.js:1", share: 0.6 });
  assert.equal(second?.share, 0.2);
  assert.equal(hottest(summed(PROFILE), 1).length, 1);
});

test("summed() of an empty profile draws an empty graph", () => {
  const root = summed({ nodes: [], samples: [], timeDeltas: [] });
  assert.equal(root.total, 0);
  assert.doesNotMatch(flameGraph(root, { title: "nothing" }), /NaN|Infinity|undefined/u);
});

test("flameGraph() is as wide as the time, and escaped", () => {
  const drawn = flameGraph(summed(PROFILE), { title: "submit & status" });
  assert.ok(drawn.includes("submit &amp; status"));
  assert.ok(drawn.includes("<title>&lt;parse&gt; elysia/index.js:1, 60.0 %</title>"));
  assert.doesNotMatch(drawn, /<parse>|script|href/u);
  // 60 % of 1,200 units, less the gap between boxes.
  assert.ok(drawn.includes('width="719.5"'));
});

test("summed() names the functions of our compiled kernels", () => {
  // (module (func) (func) (func) (export "largest" (func 2)) (export "memory" (memory 0))), sizes and all.
  const module = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 4, 1, 0x60, 0, 0],
    ...[3, 4, 3, 0, 0, 0],
    ...[5, 3, 1, 0, 1],
    ...[7, 20, 2, 7, ...Buffer.from("largest"), 0, 2, 6, ...Buffer.from("memory"), 2, 0],
    ...[10, 10, 3, 2, 0, 0x0b, 2, 0, 0x0b, 2, 0, 0x0b],
  ]);
  assert.ok(WebAssembly.validate(module), "the module itself is sound");
  const names = exportedFunctions(module);
  assert.deepEqual([...names], [[2, "largest"]]);
  assert.throws(() => exportedFunctions(Uint8Array.of(1, 2, 3)), /no module/u);
  const called = (functionName: string) =>
    [
      ...summed(
        { nodes: [{ id: 1, callFrame: frame(functionName) }], samples: [1], timeDeltas: [1] },
        names,
      ).children.keys(),
    ][0];
  assert.equal(called("wasm-function[2]"), `largest ${KERNELS}`);
  assert.equal(called(".wasm-function[1]"), `(inner 1) ${KERNELS}`);
});

test("flameGraph() cuts deep stacks off at rows_max", () => {
  const count = 200;
  const nodes = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    callFrame: frame(`call${index}`),
    children: index + 1 < count ? [index + 2] : [],
  }));
  const root = summed({ nodes, samples: [count], timeDeltas: [1_000] });
  const boxes = (rows_max: number): number => flameGraph(root, { title: "", rows_max }).match(/<title>/gu)?.length ?? 0;
  assert.equal(boxes(10), 10);
  assert.equal(boxes(300), count + 1, "and the root");
});
