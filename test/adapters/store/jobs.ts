import assert from "node:assert/strict";
import { type Store, WEIGHT_MAX, type Work } from "../../../core/ports/mod.ts";
import {
  accept,
  addAccount,
  type Check,
  claim,
  endOf,
  FAILED,
  getOperation,
  LEASE_MS,
  type StoreHarness,
  submission,
} from "./fixtures.ts";

/** Claims, leases, fairness, and the loss of workers. */
export function jobChecks(check: Check): void {
  check("claim() leases a job of its kind, oldest first", async (h) => {
    const account_id = await addAccount(h);
    const first = await accept(h, account_id);
    await h.advance(1_000);
    const second_at = h.now();
    const second = await accept(h, account_id);
    assert.equal(await h.store.claim("dsp", "worker-1", LEASE_MS), undefined);
    const claimed = await claim(h);
    assert.equal(claimed.id, first);
    assert.equal(claimed.attempt, 1);
    assert.equal(claimed.running, true);
    assert.equal(claimed.started_at, h.now());
    assert.deepEqual(await h.store.operation(first), claimed);
    assert.deepEqual(await h.store.queueStats("generation"), { queued: 1, running: 1, oldest_at: second_at });
    assert.equal((await claim(h)).id, second);
    assert.equal(await h.store.claim("generation", "worker-1", LEASE_MS), undefined);
  });

  check("overdue() names what should have ended, queued or claimed, until it has", async (h) => {
    const account_id = await addAccount(h);
    const until = (ms: number) => accept(h, account_id, { deadline_at: h.now() + ms });
    const [claimed, queued] = [await until(500), await until(600)];
    await accept(h, account_id);
    const later = await until(60_000);
    assert.equal((await claim(h)).id, claimed);
    assert.deepEqual(await h.store.overdue(10), []);
    await h.advance(1_000);
    const found = await h.store.overdue(10);
    assert.deepEqual(
      found.map(({ id, attempt }) => [id, attempt]),
      [
        [claimed, 1],
        [queued, 0],
      ],
    );
    assert.deepEqual(found[0], await getOperation(h.store, claimed));
    assert.equal((await h.store.overdue(1)).length, 1);
    for (const { id, attempt } of found)
      assert.equal(await h.store.terminate(endOf(id, attempt, h.now(), FAILED)), true);
    assert.deepEqual(await h.store.overdue(10), []);
    assert.equal((await getOperation(h.store, later)).status, "processing");
  });

  check("claim() gives each job to one of many claimants", async (h) => {
    const account_id = await addAccount(h);
    const ids = await Promise.all(Array.from({ length: 40 }, () => accept(h, account_id)));
    const claims = await Promise.all(
      Array.from({ length: 60 }, (_, index) => h.store.claim("generation", `worker-${index}`, LEASE_MS)),
    );
    const claimed = claims.flatMap((operation) => operation?.id ?? []);
    assert.deepEqual(claimed.sort(), ids.sort());
  });

  check("claim() does not let one account's backlog delay another's first job", async (h) => {
    const [greedy, modest] = [await addAccount(h, 10_000), await addAccount(h)];
    await Promise.all(Array.from({ length: 1_000 }, () => accept(h, greedy)));
    for (let i = 0; i < 20; i++) assert.equal((await claim(h)).account_id, greedy);
    const small = await accept(h, modest);
    assert.ok(((await positionOf(h, small)) ?? 0) <= 1);
    assert.ok((await claimUntil(h, small)) <= 2);
  });

  check("claim() takes turns between two backlogs", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    for (const account_id of [one, other]) for (let i = 0; i < 10; i++) await accept(h, account_id);
    const order: string[] = [];
    for (let i = 0; i < 20; i++) order.push((await claim(h)).account_id);
    for (let i = 0; i < 20; i += 2) assert.deepEqual(order.slice(i, i + 2).sort(), [one, other].sort());
  });

  check("claim() does not favour an account that submits one job at a time", async (h) => {
    const [steady, single] = [await addAccount(h), await addAccount(h)];
    for (let i = 0; i < 20; i++) await accept(h, steady);
    const claims: string[] = [];
    for (let i = 0; i < 10; i++) {
      assert.ok(((await positionOf(h, await accept(h, single))) ?? 0) <= 1, "it waits behind one at most");
      claims.push((await claim(h)).account_id, (await claim(h)).account_id);
    }
    assert.equal(claims.filter((account_id) => account_id === steady).length, 10);
  });

  check("claim() owes a newcomer nothing for the time before it came", async (h) => {
    const [old, newcomer] = [await addAccount(h), await addAccount(h)];
    for (let i = 0; i < 40; i++) await accept(h, old);
    for (let i = 0; i < 20; i++) await claim(h);
    for (let i = 0; i < 20; i++) await accept(h, newcomer);
    const claims: string[] = [];
    for (let i = 0; i < 10; i++) claims.push((await claim(h)).account_id);
    assert.ok(claims.filter((account_id) => account_id === old).length >= 4);
  });

  check("claim() forgets the turns of jobs that ended unclaimed", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    const canceled = await Promise.all(Array.from({ length: 50 }, () => accept(h, one)));
    for (let i = 0; i < 50; i++) await accept(h, other);
    for (const id of canceled) assert.equal(await h.store.terminate(endOf(id, 0, h.now(), FAILED)), true);
    const next = await accept(h, one);
    assert.ok((await claimUntil(h, next)) <= 2);
  });

  check("claim() is fair within each kind of work by itself", async (h) => {
    const [one, other] = [await addAccount(h), await addAccount(h)];
    for (let i = 0; i < 10; i++) await accept(h, one, { work: "generation" });
    const first = await accept(h, one, { work: "dsp" });
    for (let i = 0; i < 3; i++) await accept(h, other, { work: "dsp" });
    assert.ok((await claimUntil(h, first, "dsp")) <= 2);
  });

  check("claim() gives accounts workers for equally long, whatever their jobs weigh", async (h) => {
    const [long, short] = [await addAccount(h), await addAccount(h)];
    // At once, so that a batch reckons with its own jobs too.
    await Promise.all(Array.from({ length: 4 }, () => accept(h, long, { weight: WEIGHT_MAX })));
    await Promise.all(Array.from({ length: 2 * WEIGHT_MAX }, () => accept(h, short, { weight: 1 })));
    await accept(h, short, { weight: 1 });
    const order: string[] = [];
    for (let i = 0; i < 2 * WEIGHT_MAX + 4; i++) order.push((await claim(h)).account_id);
    const of = (account_id: string, from: number, to: number) =>
      order.slice(from, to).filter((one) => one === account_id).length;
    assert.deepEqual([of(long, 0, WEIGHT_MAX + 1), of(short, 0, WEIGHT_MAX + 1)], [1, WEIGHT_MAX]);
    assert.deepEqual([of(long, 0, order.length), of(short, 0, order.length)], [3, 2 * WEIGHT_MAX + 1]);
  });

  check("claim() takes the lightest of those whose turn it is, and delays nobody by it", async (h) => {
    const [one, other, third] = [await addAccount(h), await addAccount(h), await addAccount(h)];
    const long = await accept(h, one, { weight: 15 });
    const long_too = await accept(h, other, { cost: 15 });
    const short = await accept(h, third, { cost: 1 });
    // Its account's second: short as well, but not its turn.
    const next = await accept(h, third, { cost: 1 });
    assert.equal(await positionOf(h, short), 0);
    const order = [await claim(h), await claim(h), await claim(h), await claim(h)].map(({ id }) => id);
    assert.deepEqual(order, [short, long, long_too, next]);
  });

  check("claim() leaves jobs of other actions than those named to others", async (h) => {
    const account_id = await addAccount(h);
    const unknown = await accept(h, account_id, { action: "acme.pitch" });
    const known = await accept(h, account_id, { action: "create.new_song" });
    const some = (...actions: string[]) => h.store.claim("generation", "worker-1", LEASE_MS, actions);
    assert.equal(await some(), undefined);
    assert.equal((await some("create.new_song", "create.new_fx"))?.id, known);
    assert.equal(await some("create.new_song"), undefined);
    assert.equal((await getOperation(h.store, unknown)).attempt, 0);
    assert.equal(await positionOf(h, unknown), 0);
    assert.equal((await some("create.new_song", "acme.pitch"))?.id, unknown);
  });

  check("queued() lists what can be claimed, in that order", async (h) => {
    const account_id = await addAccount(h);
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push(await accept(h, account_id, { work: "gpu" }));
    await accept(h, account_id, { work: "dsp" });
    assert.deepEqual(await h.store.queued("gpu", 10), ids);
    assert.deepEqual(await h.store.queued("gpu", 2), ids.slice(0, 2));
    const { id, attempt } = await claim(h, "gpu");
    assert.deepEqual(await h.store.queued("gpu", 10), ids.slice(1));
    const [held, ...others] = await h.store.running("gpu", 10);
    assert.deepEqual([held?.id, held?.worker, held?.account_id, others], [id, "worker-1", account_id, []]);
    assert.deepEqual(await h.store.running("dsp", 10), []);
    await h.store.release(id, attempt);
    assert.deepEqual(await h.store.queued("gpu", 10), ids);
    assert.deepEqual(await h.store.queued("generation", 10), []);
  });

  check("snapshot() counts the queued jobs of the kind that are before it", async (h) => {
    const account_id = await addAccount(h);
    await accept(h, account_id, { work: "dsp" });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(await accept(h, account_id));
    const positions = () => Promise.all(ids.map((id) => positionOf(h, id)));
    assert.deepEqual(await positions(), [0, 1, 2]);
    const { id, attempt } = await claim(h);
    assert.deepEqual(await positions(), [null, 0, 1]);
    await h.store.terminate(endOf(id, attempt, h.now()));
    assert.deepEqual(await positions(), [null, 0, 1]);
    assert.equal(await h.store.snapshot("op_nothing"), undefined);
  });

  check("snapshot() is exact where it says 16 or less and a second old at most elsewhere", async (h) => {
    const account_id = await addAccount(h);
    const ids: string[] = [];
    for (let i = 0; i < 60; i++) ids.push(await accept(h, account_id));
    assert.equal(await positionOf(h, ids[59]), 59);
    for (let i = 0; i < 30; i++) await claim(h);
    for (let i = 30; i < 47; i++) {
      const said = (await positionOf(h, ids[i])) ?? 0;
      assert.ok(said === i - 30 || (said > 16 && said === i), `${said} for ${i - 30}`);
    }
    await h.advance(1_000);
    for (let i = 30; i < 60; i++) assert.equal(await positionOf(h, ids[i]), i - 30);
    // What is submitted after a look at the queue is behind what was in it then, a tenth of a second later exactly so.
    for (let i = 60; i < 160; i++) ids.push(await accept(h, account_id));
    assert.ok(((await positionOf(h, ids[159])) ?? 0) >= 29);
    await h.advance(100);
    assert.equal(await positionOf(h, ids[159]), 129);
  });

  check("snapshot() says what operation() says, in every state", async (h) => {
    const account_id = await addAccount(h);
    const id = await accept(h, account_id, { sources: [{ name: "voice", object: null, url: "https://a.test/x" }] });
    const same = async (queue_position: number | null) => {
      const { work: _w, sources: _s, attempt: _a, ...shown } = await getOperation(h.store, id);
      assert.deepEqual(await h.store.snapshot(id), { ...shown, queue_position });
      assert.deepEqual(await h.store.snapshots([id, "op_nothing"]), [{ ...shown, queue_position }]);
      assert.deepEqual(await h.store.list(account_id, { limit: 9 }), [{ ...shown, queue_position }]);
    };
    await same(0);
    const { attempt } = await claim(h);
    await same(null);
    await h.store.renew([{ id, attempt, progress: 0.5, stage: "mixing" }], LEASE_MS);
    await same(null);
    await h.store.release(id, attempt);
    await same(0);
    await h.store.terminate(endOf(id, (await claim(h)).attempt, h.now()));
    await same(null);
    assert.deepEqual(await h.store.snapshots([]), []);
  });

  check("snapshot() is never behind what was answered, however often it is read and whatever happens", async (h) => {
    const account_id = await addAccount(h);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push(await accept(h, account_id));
    const attempts = new Map<string, number>();
    const random = linear(7);
    for (let step = 0; step < 60; step++) {
      const id = ids[random(ids.length)]!;
      const attempt = attempts.get(id) ?? 0;
      const changes = [
        async () => {
          const operation = await h.store.claim("generation", "w", LEASE_MS);
          if (operation !== undefined) attempts.set(operation.id, operation.attempt);
        },
        () => h.store.renew([{ id, attempt, progress: step / 100, stage: `step ${step}` }], LEASE_MS),
        () => h.store.release(id, attempt),
        () => h.store.releaseAll("generation", "w"),
        async () => {
          await h.advance(LEASE_MS);
          await h.store.reconcile(3);
        },
        () => h.store.terminate(endOf(id, attempt, h.now())),
      ];
      const change = changes[random(step < 40 ? 5 : 6)]!();
      // Whatever these are told while it is under way is of before or after it, and nobody may rely on it later.
      await Promise.all([...ids.map((one) => h.store.snapshot(one)), change]);
      for (const one of ids) {
        const { work: _w, sources: _s, attempt: _a, ...shown } = await getOperation(h.store, one);
        const { queue_position: _q, ...said } = (await h.store.snapshot(one))!;
        assert.deepEqual(said, shown, `step ${step}`);
      }
    }
  });

  check("snapshot() counts to 10,000 jobs at most", async (h) => {
    const account_id = await addAccount(h, 0);
    const sent = Array.from({ length: 10_002 }, () => submission(account_id, h.now(), { cost: 0 }));
    // Not all at once: a slow machine would take longer than a call may.
    for (let at = 0; at < sent.length; at += 1_000) {
      await Promise.all(sent.slice(at, at + 1_000).map((one) => h.store.submit(one)));
    }
    assert.equal(await positionOf(h, sent[9_999]?.id), 9_999);
    assert.equal(await positionOf(h, sent[10_001]?.id), 10_000);
  });

  check("renew() extends the lease and records progress", async (h) => {
    const account_id = await addAccount(h);
    await accept(h, account_id);
    const { id, attempt } = await claim(h);
    await h.advance(LEASE_MS - 1);
    assert.deepEqual(await h.store.renew([{ id, attempt, progress: 0.25, stage: "mixing" }], LEASE_MS), []);
    await h.advance(LEASE_MS - 1);
    assert.deepEqual(await h.store.reconcile(3), { requeued: [], exhausted: [] });
    const { progress, stage, running } = await getOperation(h.store, id);
    assert.deepEqual({ progress, stage, running }, { progress: 0.25, stage: "mixing", running: true });
    await h.advance(1);
    assert.deepEqual(await h.store.reconcile(3), { requeued: [{ id, work: "generation" }], exhausted: [] });
  });

  check("renew() names the jobs that are no longer held", async (h) => {
    const account_id = await addAccount(h);
    for (let i = 0; i < 3; i++) await accept(h, account_id);
    const [ended, kept, released] = [await claim(h), await claim(h), await claim(h)];
    await h.store.terminate(endOf(ended.id, ended.attempt, h.now()));
    await h.store.release(released.id, released.attempt);
    const held = [ended, kept, released].map(({ id, attempt }) => ({ id, attempt, progress: 0.5, stage: null }));
    assert.deepEqual([...(await h.store.renew(held, LEASE_MS))].sort(), [ended.id, released.id].sort());
    assert.equal((await getOperation(h.store, kept.id)).progress, 0.5);
    assert.equal((await getOperation(h.store, released.id)).progress, 0);
  });

  check("release() puts a job back before later ones, once", async (h) => {
    const account_id = await addAccount(h);
    const first = await accept(h, account_id);
    await accept(h, account_id);
    const { id, attempt, started_at } = await claim(h);
    assert.equal(id, first);
    assert.equal(await h.store.release(id, attempt), true);
    assert.equal(await h.store.release(id, attempt), false);
    assert.equal((await getOperation(h.store, id)).running, false);
    await h.advance(5);
    const again = await claim(h);
    assert.equal(again.id, first);
    assert.equal(again.attempt, 2);
    assert.equal(again.started_at, started_at);
  });

  check("releaseAll() puts back what one worker holds of one kind, without counting it as lost", async (h) => {
    const account_id = await addAccount(h);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push(await accept(h, account_id));
    await accept(h, account_id, { work: "dsp" });
    for (const worker of ["one", "other", "one"]) await h.store.claim("generation", worker, LEASE_MS);
    await h.store.claim("dsp", "one", LEASE_MS);
    assert.deepEqual([...(await h.store.releaseAll("generation", "one"))].sort(), [ids[0], ids[2]]);
    assert.deepEqual(await h.store.releaseAll("generation", "one"), []);
    assert.deepEqual(await h.store.queued("generation", 9), [ids[0], ids[2]]);
    assert.deepEqual(await h.store.queueStats("generation"), {
      ...(await h.store.queueStats("generation")),
      queued: 2,
      running: 1,
    });
    assert.deepEqual(await h.store.queueStats("dsp"), { ...(await h.store.queueStats("dsp")), queued: 0, running: 1 });
  });

  check("reconcile() hands lapsed leases on, and only those", async (h) => {
    const account_id = await addAccount(h);
    await accept(h, account_id);
    const first = await claim(h);
    assert.equal(await h.store.claim("generation", "worker-2", LEASE_MS), undefined);
    await h.advance(LEASE_MS);
    assert.deepEqual(await h.store.reconcile(3), { requeued: [{ id: first.id, work: "generation" }], exhausted: [] });
    assert.deepEqual(await h.store.reconcile(3), { requeued: [], exhausted: [] });
    const second = await claim(h);
    assert.equal(second.id, first.id);
    assert.equal(second.attempt, 2);
    assert.equal(second.started_at, first.started_at);
    assert.deepEqual(await h.store.queueStats("generation"), { queued: 0, running: 1, oldest_at: null });
  });

  check("an attempt that lost its job can neither end, renew nor release it", async (h) => {
    const account_id = await addAccount(h);
    const id = await accept(h, account_id);
    const old = await claim(h);
    await h.advance(LEASE_MS);
    await h.store.reconcile(3);
    const current = await claim(h);
    assert.equal(await h.store.terminate(endOf(id, old.attempt, h.now())), false);
    assert.equal(await h.store.release(id, old.attempt), false);
    assert.deepEqual(await h.store.renew([{ id, attempt: old.attempt, progress: 1, stage: null }], LEASE_MS), [id]);
    const { status, running, progress } = await getOperation(h.store, id);
    assert.deepEqual({ status, running, progress }, { status: "processing", running: true, progress: 0 });
    assert.equal(await h.store.terminate(endOf(id, current.attempt, h.now())), true);
  });

  check("an attempt that was late may still end its job while nobody else has it", async (h) => {
    const account_id = await addAccount(h);
    const id = await accept(h, account_id);
    const { attempt } = await claim(h);
    await h.advance(LEASE_MS);
    await h.store.reconcile(3);
    assert.equal(await h.store.terminate(endOf(id, attempt, h.now())), true);
    assert.equal(await h.store.claim("generation", "worker-2", LEASE_MS), undefined);
  });

  check("reconcile() returns a job that was lost too often, until it is ended", async (h) => {
    const account_id = await addAccount(h);
    const id = await accept(h, account_id);
    assert.deepEqual(await loseOnce(h), { requeued: [{ id, work: "generation" }], exhausted: [] });
    assert.deepEqual(await loseOnce(h), { requeued: [{ id, work: "generation" }], exhausted: [] });
    const third = await loseOnce(h);
    assert.deepEqual(third.requeued, []);
    const [operation, ...others] = third.exhausted;
    assert.deepEqual(others, []);
    assert.deepEqual(operation, await h.store.operation(id));
    assert.equal(operation?.status, "processing");
    assert.equal(operation?.attempt, 3);
    assert.equal(operation?.running, false);
    assert.equal(await h.store.claim("generation", "worker-1", LEASE_MS), undefined);
    assert.equal(await positionOf(h, id), 0);
    // Core stopped before it could end it.
    assert.deepEqual(await h.store.reconcile(3), { requeued: [], exhausted: [operation] });
    assert.equal(await h.store.terminate(endOf(id, 3, h.now(), FAILED)), true);
    assert.deepEqual(await h.store.reconcile(3), { requeued: [], exhausted: [] });
  });

  check("release() does not count as a loss", async (h) => {
    const account_id = await addAccount(h);
    const first = await accept(h, account_id);
    for (let i = 0; i < 5; i++) {
      const { id, attempt } = await claim(h);
      await h.store.release(id, attempt);
    }
    assert.deepEqual(await loseOnce(h), { requeued: [{ id: first, work: "generation" }], exhausted: [] });
  });

  check("claim() passes over an account that has as many jobs leased as it may", async (h) => {
    const [capped, other] = [await addAccount(h), await addAccount(h)];
    await h.store.updateSettings(capped, { jobs_max: 2 });
    for (let i = 0; i < 4; i++) await accept(h, capped);
    await accept(h, capped, { work: "dsp" });
    const first = [await claim(h), await claim(h)];
    assert.equal(await h.store.claim("generation", "worker-1", 1_000), undefined);
    // Each kind of work by itself; other accounts go on; what ended makes room; the order stays.
    assert.equal((await claim(h, "dsp")).account_id, capped);
    await accept(h, other);
    assert.equal((await claim(h)).account_id, other);
    await h.store.terminate(endOf(first[0]!.id, 1, h.now()));
    const third = await claim(h);
    assert.ok(third.account_id === capped && third.id > first[1]!.id);
    assert.equal(await h.store.claim("generation", "worker-1", 1_000), undefined);
    await h.store.updateSettings(capped, { jobs_max: 0 });
    assert.equal((await claim(h)).account_id, capped);
  });

  check("claim() passes over the accounts that it is told to, and takes their jobs in order afterwards", async (h) => {
    const [passed, other] = [await addAccount(h), await addAccount(h)];
    const [first, second] = [await accept(h, passed), await accept(h, passed)];
    const third = await accept(h, other);
    const take = (accounts?: readonly string[]) =>
      h.store.claim("generation", "worker-1", 1_000, undefined, accounts).then((operation) => operation?.id);
    assert.equal(await take([passed]), third);
    assert.equal(await take([passed]), undefined);
    assert.equal(await take([passed, other]), undefined);
    assert.equal(await h.store.claim("generation", "worker-1", 1_000, ["create.new_song"], [passed]), undefined);
    assert.deepEqual([await take([other]), await take([])], [first, second]);
  });

  check("claim() gives an account its first job however many another has waiting", async (h) => {
    const [crowd, single] = [await addAccount(h), await addAccount(h)];
    const sent: Promise<string>[] = [];
    for (let i = 0; i < 1_000; i++) sent.push(accept(h, crowd, { cost: 1 }));
    await Promise.all(sent);
    await claim(h);
    const id = await accept(h, single);
    const next = [await claim(h), await claim(h)].map((operation) => operation.id);
    assert.ok(next.includes(id));
  });
}

/** Claims until `id` comes; resolves to the number of claims. */
async function claimUntil(h: StoreHarness, id: string, work: Work = "generation"): Promise<number> {
  for (let claims = 1; ; claims++) if ((await claim(h, work)).id === id) return claims;
}

/** Whole numbers below the one that is asked for, the same ones for the same seed (Lehmer's generator). */
function linear(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** The place in the queue that clients are shown; fails for an unknown id. */
async function positionOf({ store }: StoreHarness, id = ""): Promise<number | null> {
  const snapshot = await store.snapshot(id);
  assert.ok(snapshot !== undefined, `${id} is there`);
  return snapshot.queue_position;
}

/** Claims the next job and lets its lease lapse. */
async function loseOnce(h: StoreHarness): ReturnType<Store["reconcile"]> {
  await claim(h);
  await h.advance(LEASE_MS);
  return h.store.reconcile(3);
}
