/**
 * `bun bench/plugin_pack.ts [rounds] [requests]`: what a pack of ten actions of others costs, in processor time on the runtime that runs this:
 * loading it at a start, and each submission and status read of one of our own actions while it is there. Each round takes fresh processes,
 * without and with the pack in turn; the lowest of each, which others' load raises least, and the median difference within a round.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inFreshProcess, median } from "./cpu.ts";
import type { PackCosts } from "./plugin_pack/measure.ts";

const ACTIONS = 10;
const CONTRACT = new URL("../packages/plugin/mod.ts", import.meta.url).href;
const MEASURE = new URL("plugin_pack/measure.ts", import.meta.url);

const [rounds = "7", requests = "2000"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "tonwerk-pack-"));
await writePack(folder);
const data = await mkdtemp(join(tmpdir(), "tonwerk-pack-data-"));
const measure = (...packs: string[]) => inFreshProcess<PackCosts>(MEASURE, [data, requests, ...packs]);

// What is new is looked at in the pool, once.
const first = await measure(folder);
const without: PackCosts[] = [];
const withPack: PackCosts[] = [];
for (let round = 0; round < Number(rounds); round++) {
  // The later of two is the one that finds the machine warm: by turns.
  if (round % 2 === 0) without.push(await measure());
  withPack.push(await measure(folder));
  if (round % 2 === 1) without.push(await measure());
}
await Promise.all([folder, data].map((one) => rm(one, { recursive: true, force: true })));

const row = (what: string, unit: string, of: (costs: PackCosts) => number): string => {
  const differences = withPack.map((costs, round) => of(costs) - of(without[round]!));
  const told = [...[without, withPack].map((all) => Math.min(...all.map(of))), median(differences)];
  return `${what.padEnd(34)}${told.map((value) => value.toFixed(2).padStart(9)).join("")}  ${unit}`;
};
console.log(`${"".padEnd(34)}${["none", "ten", "differ"].map((word) => word.padStart(9)).join("")}`);
console.log(row("loading all actions", "ms", ({ load_ms }) => load_ms));
console.log(row("a submission", "µs", ({ submit_us }) => submit_us));
console.log(row("a status read", "µs", ({ read_us }) => read_us));
console.log(
  `loading ten that are new: ${first.load_ms.toFixed(2)} ms, the thread or process that looks at them included`,
);

/** A package of ten actions with fields, checks and prices. */
async function writePack(into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  await writeFile(
    join(into, "package.json"),
    '{ "name": "@acme/ten", "version": "1.0.0", "type": "module", "exports": "./mod.ts" }',
  );
  const names = Array.from({ length: ACTIONS }, (_, index) => `one${index}`);
  for (const name of names)
    await writeFile(
      join(into, `${name}.ts`),
      `import { defineAction, Type } from "${CONTRACT}";
export default defineAction({
  name: "acme.${name}", wrapper: "acme_${name}", summary: "Return the source as it came",
  request: Type.Object({
    note: Type.Optional(Type.String({ maxLength: 200 })), gain_db: Type.Number({ minimum: -60, maximum: 12 }),
    mode: Type.Union([Type.Literal("soft"), Type.Literal("hard")]), marks: Type.Optional(Type.Array(Type.Number(), { maxItems: 9 })),
  }),
  sources: { source: { seconds_min: 0.1, seconds_max: 600, bytes_max: 50_000_000 } },
  echo: ["note", "gain_db", "mode"], output: "single", work: "dsp", seeded: false, level: "source", engine: "copy", loudness: "optional",
  failures: ["too_plain"], examples: [{ source: { url: "https://example.com/a.wav" }, gain_db: -3, mode: "soft" }],
  cost: ({ gain_db }) => (gain_db > 0 ? 2 : 1),
  check: ({ mode, gain_db }) => (mode === "hard" && gain_db > 6 ? [{ loc: ["gain_db"], msg: "Must be 6 at most", type: "value_error" }] : []),
  process: ({ sources }) => ({ audio: sources.source }),
});
`,
    );
  const imports = names.map((name) => `import ${name} from "./${name}.ts";`);
  await writeFile(join(into, "mod.ts"), `${imports.join("\n")}\nexport const actions = () => [${names.join(", ")}];\n`);
}
