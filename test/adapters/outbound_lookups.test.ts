/** Who waits for whose names. The resolver of these tests answers when it is told to. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createLookups, type LookupOptions } from "../../core/adapters/outbound/lookups.ts";
import type { ResolvedAddress } from "../../core/adapters/outbound/target.ts";
import { OutboundError } from "../../core/ports/outbound.ts";

const never = new AbortController().signal;
const FOUND: readonly ResolvedAddress[] = [{ address: "93.184.1.1", family: 4 }];

function harness(options: Partial<LookupOptions> = {}) {
  const open = new Map<string, { resolve(found: readonly ResolvedAddress[]): void; reject(error: Error): void }>();
  const asked: string[] = [];
  const time = { now: 1_000_000 };
  const lookups = createLookups({
    ask(host) {
      asked.push(host);
      return new Promise((resolve, reject) => void open.set(host, { resolve, reject }));
    },
    lookup_ms: 60_000,
    now: () => time.now,
    ...options,
  });
  /** The code of the refusal, or "found". */
  const look = (host: string, account = "acc_1", signal: AbortSignal = never): Promise<string> =>
    lookups.resolve(host, account, signal).then(
      (found) => {
        assert.equal(found, FOUND);
        return "found";
      },
      (error: unknown) => {
        assert.ok(error instanceof OutboundError, String(error));
        return error.code;
      },
    );
  const find = (host: string) => open.get(host)?.resolve(FOUND);
  const fail = (host: string) => open.get(host)?.reject(new Error("ENOTFOUND"));
  const settle = () => new Promise((resolve) => setTimeout(resolve, 1));
  return { lookups, look, find, fail, asked, time, settle };
}

test("an account has four look-ups at once, others wait in its line, and other accounts do not", async () => {
  const { lookups, look, find, fail, asked, settle } = harness();
  const names = Array.from({ length: 10 }, (_, i) => `n${i}.test`);
  const looked = names.map((name) => look(name));
  assert.deepEqual(asked, names.slice(0, 4));
  const other = look("other.test", "acc_2");
  assert.equal(asked.at(-1), "other.test");
  find("other.test");
  assert.equal(await other, "found");
  assert.deepEqual(lookups.size(), { running: 4, waiting: 6, refused: 0 });
  find("n1.test");
  fail("n2.test");
  await settle();
  assert.deepEqual(asked.slice(5), ["n4.test", "n5.test"]);
  for (const name of names) {
    find(name);
    await settle();
  }
  assert.deepEqual(
    await Promise.all(looked),
    names.map((name) => (name === "n2.test" ? "unreachable" : "found")),
  );
  assert.deepEqual(lookups.size(), { running: 0, waiting: 0, refused: 1 });
});

test("where all places are taken, the account with the fewest look-ups is served first", async () => {
  const { look, fail, asked, settle } = harness({ total_max: 6 });
  for (const account of ["acc_1", "acc_2"]) for (let i = 0; i < 8; i++) void look(`${account}-${i}.test`, account);
  assert.equal(asked.length, 6);
  const last = look("last.test", "acc_3");
  assert.ok(!asked.includes("last.test"));
  fail("acc_1-0.test");
  await settle();
  assert.equal(asked.at(-1), "last.test");
  fail("last.test");
  assert.equal(await last, "unreachable");
});

test("look-ups of one name are joined while one is under way, also those that still waited in a line", async () => {
  const { look, find, asked, settle } = harness();
  const looked = [look("same.test"), look("same.test"), look("same.test", "acc_2")];
  for (let i = 0; i < 3; i++) void look(`n${i}.test`);
  // In line behind the names of its own account, and another account need not wait for it.
  looked.push(look("late.test"));
  assert.ok(!asked.includes("late.test"));
  looked.push(look("late.test", "acc_2"));
  assert.deepEqual(
    asked.filter((name) => name === "same.test" || name === "late.test"),
    ["same.test", "late.test"],
  );
  find("same.test");
  await settle();
  find("late.test");
  assert.deepEqual(await Promise.all(looked), Array(5).fill("found"));
  assert.equal(asked.filter((name) => name === "late.test").length, 1);
  // An address is not kept: it is looked up, and judged, each time.
  const again = look("same.test");
  find("same.test");
  assert.equal(await again, "found");
  assert.equal(asked.filter((name) => name === "same.test").length, 2);
});

test("a name that did not resolve is refused at once for a while, and how many are remembered is bounded", async () => {
  const { lookups, look, find, fail, asked, time, settle } = harness();
  const first = look("gone.test");
  fail("gone.test");
  assert.equal(await first, "unreachable");
  time.now += 9_999;
  assert.equal(await look("gone.test", "acc_2"), "unreachable");
  assert.equal(asked.length, 1);
  time.now += 1;
  const again = look("gone.test");
  find("gone.test");
  assert.equal(await again, "found");
  for (let i = 0; i < 5_000; i++) {
    const looked = look(`n${i}.test`);
    fail(`n${i}.test`);
    await looked;
  }
  await settle();
  assert.equal(lookups.size().refused, 4_096);
});

test("a look-up ends at its deadline, with what came in by then, and its place is free again", async () => {
  const partial = harness({
    lookup_ms: 20,
    ask: (host, signal) =>
      new Promise((resolve, reject) => {
        if (host === "half.test") signal.addEventListener("abort", () => resolve(FOUND));
        if (host === "polite.test") signal.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  });
  assert.equal(await partial.look("half.test"), "found");
  assert.equal(await partial.look("polite.test"), "timeout");
  assert.equal(await partial.look("stubborn.test"), "timeout");
  assert.equal(await partial.look("stubborn.test", "acc_2"), "timeout");
  assert.deepEqual(partial.lookups.size(), { running: 0, waiting: 0, refused: 2 });
});

test("who gives up while waiting leaves the line", async () => {
  const { lookups, look, asked, find, settle } = harness();
  for (let i = 0; i < 4; i++) void look(`n${i}.test`);
  const giving_up = new AbortController();
  const left = look("left.test", "acc_1", giving_up.signal);
  const stayed = look("stayed.test");
  giving_up.abort(new OutboundError("aborted", "given up"));
  assert.equal(await left, "aborted");
  assert.equal(await look("late.test", "acc_1", giving_up.signal), "aborted");
  find("n0.test");
  await settle();
  find("stayed.test");
  assert.equal(await stayed, "found");
  assert.ok(!asked.includes("left.test") && !asked.includes("late.test"));
  assert.equal(lookups.size().waiting, 0);
});
