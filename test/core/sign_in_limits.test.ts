/** Tries to sign in, counted by several nodes together. The limits themselves are in sessions.test.ts. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createRedisTallies } from "../../core/adapters/redis/tallies.ts";
import { systemClock } from "../../core/base/timers.ts";
import { createSignInLimits, TRIES } from "../../plugins/dashboard/people/sign_in_limits.ts";
import { REDIS_MISSING, startRedis } from "../services/redis.ts";
import { whenThere } from "../services/services.ts";

await whenThere("sign-in limits of several nodes", REDIS_MISSING, async () => {
  const redis = await startRedis();
  const tallies = [createRedisTallies({ url: redis.url }), createRedisTallies({ url: redis.url })];
  /** Takes that Redis did not answer in time, as may happen on a busy machine: what was counted then says nothing. */
  let unanswered = 0;
  const nodes = tallies.map((shared) =>
    createSignInLimits({
      clock: systemClock,
      tallies: {
        ...shared,
        get up() {
          return shared.up;
        },
        async take(name, per_minute) {
          const answer = await shared.take(name, per_minute);
          if (answer === undefined) unanswered++;
          return answer;
        },
      },
    }),
  );
  const [one, other] = [nodes[0]!, nodes[1]!];
  after(async () => {
    for (const shared of tallies) await shared.close();
    await redis.end();
  });
  /** Runs `count` with names of its own until Redis answered all that it asked, before a try comes back (after 3 s for an address). */
  const counted = async (count: (name: string) => Promise<readonly number[]>): Promise<readonly number[]> => {
    for (;;) {
      while (!tallies.every((shared) => shared.up)) await new Promise((resolve) => setTimeout(resolve, 10));
      unanswered = 0;
      const began = performance.now();
      const waits = await count(crypto.randomUUID());
      const is_slow = performance.now() - began > 2_000;
      if (unanswered === 0 && !is_slow && tallies.every((shared) => shared.up)) return waits;
    }
  };
  /** As many tries as `most` allows, on both nodes in turn, and one more on each. */
  const tries = async (most: number, take: (node: typeof one, n: number) => Promise<number>): Promise<number[]> => {
    const waits: number[] = [];
    for (let n = 0; n < most; n++) waits.push(await take(nodes[n % 2]!, n));
    for (const node of nodes) waits.push(await take(node, most));
    return waits;
  };
  const assertSpent = (waits: readonly number[], most: number): void => {
    assert.deepEqual(waits.slice(0, most), new Array(most).fill(0));
    assert.ok(
      waits.slice(most).every((seconds) => seconds > 0),
      waits.join(),
    );
  };

  test("a name, an address, a device and a mailbox have one number of tries on all nodes", async () => {
    // Each time in networks of its own.
    const net = (id: string, n: number) => `2001:db8:${id.slice(0, 4)}:${n.toString(16)}::1`;
    const name = (id: string, n: number) => `${id}${n}@example.com`;
    assertSpent(await counted((id) => tries(TRIES.address, (node) => node.takeAddress(net(id, 0)))), TRIES.address);
    assertSpent(
      await counted((id) => tries(TRIES.name, (node, n) => node.takeName(net(id, n), name(id, 0), undefined))),
      TRIES.name,
    );
    assertSpent(
      await counted((id) => tries(TRIES.name_and_address, (node) => node.takeName(net(id, 0), name(id, 0), undefined))),
      TRIES.name_and_address,
    );
    assertSpent(
      await counted((id) => tries(TRIES.device, (node, n) => node.takeName(net(id, n), name(id, n), id))),
      TRIES.device,
    );
    assertSpent(
      await counted((id) => tries(TRIES.mail, async (node) => ((await node.takeMail(id)) ? 0 : 1))),
      TRIES.mail,
    );
  });

  test("what is counted names nobody", async () => {
    await counted(async () => [
      await one.takeName("192.0.2.50", "carol@example.com", undefined),
      await other.takeAddress("192.0.2.50"),
    ]);
    const keys = await redis.command("EVAL", "return { ok = table.concat(redis.call('KEYS', '*'), ' ') }", "0");
    assert.ok(keys.includes("sign-in:"), keys);
    assert.ok(!/example|192\.0\.2|2001:db8/u.test(keys), keys);
  });

  test("without Redis each node counts alone", async () => {
    await redis.kill();
    while (tallies.some((shared) => shared.up)) await new Promise((resolve) => setTimeout(resolve, 10));
    for (const node of nodes) {
      for (let n = 0; n < TRIES.name_and_address; n++)
        assert.equal(await node.takeName("203.0.113.1", "dan@example.com", undefined), 0);
      assert.ok((await node.takeName("203.0.113.1", "dan@example.com", undefined)) > 0);
    }
  });
});
