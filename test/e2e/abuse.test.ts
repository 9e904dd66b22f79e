/**
 * A few attacks of `bench/abuse.ts` in small, against a node of this runtime: who is refused, who is not, and what it
 * costs; never how long it takes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ATTACKS } from "../../bench/abuse/attacks.ts";
import { GOAL, KINDS, type Measured } from "../../bench/abuse/judge.ts";
import { measure } from "../../bench/abuse/measure.ts";
import { STACKS } from "../../bench/abuse/node.ts";
import { HERE, THIS_RUNTIME } from "../../bench/measure.ts";

/** Of the attack; the victim is alone for 2 s before. */
const SECONDS = 2;

async function attacked(name: string): Promise<Measured> {
  const attack = ATTACKS.find((one) => one.name === name);
  assert.ok(attack !== undefined);
  const where = { root: HERE, runtime: THIS_RUNTIME, stack: await STACKS.embedded!(), seconds: SECONDS };
  const one = await measure(attack, { ...where, has_proxy: false, difference_ms: Number.POSITIVE_INFINITY });
  assert.deepEqual(one.faults, []);
  assert.deepEqual(one.attacked.errors, {}, "everything that the victim asked for was done");
  for (const kind of KINDS) assert.ok(one.attacked.ms[kind].length > 0);
  const more_mb = one.attacked.memory_mb - one.quiet.memory_mb;
  assert.ok(more_mb <= GOAL.memory_mb_max, `${more_mb} MB more`);
  assert.ok((one.attacked.health["200"] ?? 0) > 0);
  return one;
}

test("files that claim an hour of silence are refused with 422, by their head, and then by the limit", async () => {
  const { answers } = await attacked("silent-waves");
  // How many before the limit depends on the machine, for what is free is counted in time.
  assert.ok((answers["422"] ?? 0) > 10, JSON.stringify(answers));
  assert.deepEqual(
    Object.keys(answers).filter((status) => status !== "422" && status !== "429"),
    [],
  );
});

test("malformed requests are refused, and nothing is told", async () => {
  const { answers } = await attacked("malformed");
  assert.ok((answers["400"] ?? 0) > 10, JSON.stringify(answers));
});

test("sources that drip hold nobody up", async () => {
  const { answers } = await attacked("dripping-sources");
  assert.deepEqual(Object.keys(answers), ["200"]);
});
