import assert from "node:assert/strict";
import {
  accept,
  addAccount,
  assertBalance,
  type Check,
  claim,
  endOf,
  FAILED,
  isMistake,
  keyedCall,
  newFile,
  newWebhook,
  nextId,
  nextKey,
  RETENTION_MS,
  submission,
} from "./fixtures.ts";

/** Uploads, names of objects, and forgetting. */
export function fileChecks(check: Check): void {
  check("createFile() keeps an upload and names its object", async (h) => {
    const file = newFile(await addAccount(h), h.now());
    await h.store.createFile(file);
    assert.deepEqual(await h.store.file(file.id), { ...file, in_use: false });
    assert.equal(await h.store.file("file_nothing"), undefined);
    assert.deepEqual(await h.store.unnamed([file.object, "upload/other"]), ["upload/other"]);
    await assert.rejects(h.store.createFile(file), isMistake);
  });

  check("createFile() keeps within the account's bytes, whoever comes at once", async (h) => {
    const [account_id, other] = [await addAccount(h), await addAccount(h)];
    const limit = { bytes_max: 1_000 };
    const make = (of: string, bytes: number) => ({ ...newFile(of, h.now()), bytes });
    assert.deepEqual(await h.store.keptUploads(account_id), { bytes: 0, next_expiry: null });
    const first = make(account_id, 400);
    assert.equal(await h.store.createFile(first, limit), "created");
    const refused = make(account_id, 601);
    assert.equal(await h.store.createFile(refused, limit), "bytes_max");
    assert.equal(await h.store.file(refused.id), undefined);
    assert.deepEqual(await h.store.unnamed([refused.object]), [refused.object]);
    const made = await Promise.all(Array.from({ length: 5 }, () => h.store.createFile(make(account_id, 200), limit)));
    assert.equal(made.filter((was) => was === "created").length, 3);
    assert.equal(await h.store.createFile(make(other, 1_000), limit), "created");
    assert.equal(await h.store.createFile(make(account_id, 5)), "created", "without a limit");
    assert.deepEqual(await h.store.keptUploads(account_id), { bytes: 1_005, next_expiry: first.expires_at });
    await h.store.touchFile(first.id, first.expires_at + 1);
    await h.store.expire(first.expires_at, 100);
    assert.deepEqual(await h.store.keptUploads(account_id), { bytes: 400, next_expiry: first.expires_at + 1 });
    assert.deepEqual(await h.store.keptUploads(other), { bytes: 0, next_expiry: null });
  });

  check("createFile() binds a key to the file, once, and anew when the file is gone", async (h) => {
    const account_id = await addAccount(h);
    const made = () => {
      const file = newFile(account_id, h.now());
      const call = { ...keyedCall(account_id), idempotency_key, response: file.id };
      return { file, call };
    };
    const idempotency_key = nextKey();
    const twins = Array.from({ length: 4 }, made);
    const answers = await Promise.all(twins.map(({ file, call }) => h.store.createFile(file, { call })));
    assert.deepEqual(answers.toSorted(), ["call", "call", "call", "created"]);
    const { file } = twins[answers.indexOf("created")]!;
    const used = () => h.store.keyUse(account_id, idempotency_key);
    assert.deepEqual(await used(), { fingerprint: made().call.fingerprint, response: file.id });
    assert.equal((await h.store.files(account_id, { limit: 10, now: h.now() })).length, 1);
    const [other, again] = [made(), made()];
    assert.equal(await h.store.createFile(other.file, { call: { ...other.call, fingerprint: "other" } }), "call");
    const submitted = submission(account_id, h.now(), { idempotency_key });
    assert.equal((await h.store.submit(submitted)).kind, "key_reused", "keys belong to the account");
    await h.store.deleteFile(account_id, file.id);
    assert.equal(await h.store.createFile(other.file, { call: { ...other.call, fingerprint: "other" } }), "call");
    assert.equal(await h.store.createFile(again.file, { call: again.call }), "created");
    assert.equal((await used())?.response, again.file.id);
    const [late, full] = [made(), made()];
    late.file = { ...late.file, created_at: again.file.expires_at };
    assert.equal(await h.store.createFile(late.file, { call: late.call }), "created", "the one before has expired");
    const key = nextKey();
    const call = { ...full.call, idempotency_key: key };
    assert.equal(await h.store.createFile(full.file, { call, bytes_max: 1 }), "bytes_max");
    assert.equal(await h.store.keyUse(account_id, key), undefined, "what was not made binds nothing");
    const bound = submission(account_id, h.now());
    await h.store.submit(bound);
    const taken = { ...full.call, idempotency_key: bound.idempotency_key };
    assert.equal(await h.store.createFile(full.file, { call: taken }), "call");
  });

  check("createFile() makes no more with a token than it stands for, whoever comes at once", async (h) => {
    const account_id = await addAccount(h);
    const forget_at = h.now() + 1_000;
    const token = { id: nextId("token"), uploads_max: 3, bytes_max: 1_000, forget_at };
    const make = (bytes: number) => h.store.createFile({ ...newFile(account_id, h.now()), bytes }, { token });
    assert.deepEqual(await h.store.tokenUse(token.id), { uploads: 0, bytes: 0 });
    assert.equal(await make(1_001), "token");
    const made = await Promise.all(Array.from({ length: 4 }, () => make(400)));
    assert.equal(made.filter((was) => was === "created").length, 2);
    assert.equal(await make(201), "token");
    assert.equal(await make(100), "created");
    assert.equal(await make(1), "token");
    assert.deepEqual(await h.store.tokenUse(token.id), { uploads: 3, bytes: 900 });
    assert.deepEqual(await h.store.keptUploads(account_id).then(({ bytes }) => bytes), 900);
    await h.store.expire(forget_at, 100);
    assert.deepEqual(await h.store.tokenUse(token.id), { uploads: 0, bytes: 0 });
  });

  check("files() lists the account's own, newest first, page by page", async (h) => {
    const [ada, bob] = [await addAccount(h), await addAccount(h)];
    const files = Array.from({ length: 3 }, (_, n) => newFile(ada, h.now(), { name: n === 0 ? null : `take ${n}` }));
    for (const file of [...files, newFile(bob, h.now())]) await h.store.createFile(file);
    const [first, second, third] = files.map((file) => ({ ...file, in_use: false }));
    const now = h.now();
    assert.deepEqual(await h.store.files(ada, { limit: 2, now }), [third, second]);
    assert.deepEqual(await h.store.files(ada, { before: second!.id, limit: 2, now }), [first]);
    assert.deepEqual(await h.store.files(ada, { limit: 9, now: first!.expires_at }), [], "their time is over");
    await accept(h, ada, { sources: [{ name: "source", object: second!.object, url: "https://x.example" }] });
    const used = await h.store.files(ada, { limit: 9, now });
    assert.deepEqual(
      used.map(({ in_use }) => in_use),
      [false, true, false],
    );
    assert.equal((await h.store.file(second!.id))?.in_use, true);
  });

  check("deleteFile() forgets an upload of the account, once, and gives its bytes back", async (h) => {
    const [ada, bob] = [await addAccount(h), await addAccount(h)];
    const file = newFile(ada, h.now());
    await h.store.createFile(file);
    assert.deepEqual(await h.store.deleteFile(bob, file.id), { objects: [], in_use: false });
    assert.deepEqual(await h.store.deleteFile(ada, file.id), { objects: [file.object], in_use: false });
    assert.deepEqual(await h.store.deleteFile(ada, file.id), { objects: [], in_use: false });
    assert.equal(await h.store.file(file.id), undefined);
    assert.equal((await h.store.keptUploads(ada)).bytes, 0);
    assert.deepEqual(await h.store.unnamed([file.object]), [file.object]);
    assert.deepEqual(await h.store.owned(ada, [file.object]), []);
    const [first, second] = [1, 2].map(() => newFile(ada, h.now(), { object: "upload/twice" }));
    for (const one of [first!, second!]) await h.store.createFile(one);
    assert.deepEqual(await h.store.deleteFile(ada, first!.id), { objects: [], in_use: false });
    assert.deepEqual(await h.store.deleteFile(ada, second!.id), { objects: ["upload/twice"], in_use: false });
  });

  check("deleteFile() leaves what an operation in progress uses until that has ended, to nobody else", async (h) => {
    const ada = await addAccount(h);
    const file = newFile(ada, h.now());
    await h.store.createFile(file);
    const sources = [{ name: "source", object: file.object, url: "https://x.example" }];
    const id = await accept(h, ada, { sources });
    for (const _ of [1, 2]) assert.deepEqual(await h.store.deleteFile(ada, file.id), { objects: [], in_use: true });
    assert.deepEqual(await h.store.files(ada, { limit: 9, now: h.now() }), []);
    assert.deepEqual(await h.store.owned(ada, [file.object]), []);
    assert.equal(await h.store.touchFile(file.id, h.now() + 1_000), false);
    const files_until = h.now() + 1_000;
    // Bound before it was deleted, written after.
    const late = await accept(h, ada, { sources, files: [file.id], files_until });
    assert.equal((await h.store.file(file.id))?.expires_at, 0, "nobody brings it back");
    assert.deepEqual(await h.store.expire(h.now(), 100), { objects: [], more: false });
    assert.equal((await h.store.keptUploads(ada)).bytes, file.bytes);
    for (const one of [id, late]) await h.store.terminate(endOf(one, 0, h.now(), FAILED));
    assert.deepEqual(await h.store.expire(h.now(), 100), { objects: [file.object], more: false });
    assert.equal((await h.store.keptUploads(ada)).bytes, 0);
    assert.deepEqual(await h.store.deleteFile(ada, file.id), { objects: [], in_use: false });
  });

  check("touchFile() raises the expiry and never lowers it", async (h) => {
    const file = newFile(await addAccount(h), h.now());
    await h.store.createFile(file);
    assert.equal(await h.store.touchFile(file.id, file.expires_at + 10), true);
    assert.equal(await h.store.touchFile(file.id, file.expires_at - 10), true);
    assert.equal((await h.store.file(file.id))?.expires_at, file.expires_at + 10);
    assert.equal(await h.store.touchFile("file_nothing", h.now()), false);
  });

  check("owned() tells the account's uploads and outputs from everybody else's", async (h) => {
    const [ada, bob] = [await addAccount(h), await addAccount(h)];
    const [hers, his] = [newFile(ada, h.now()), newFile(bob, h.now())];
    for (const file of [hers, his]) await h.store.createFile(file);
    await accept(h, ada, { sources: [{ name: "source", object: his.object, url: "https://example.com/" }] });
    const { id, attempt } = await claim(h);
    await h.store.terminate(endOf(id, attempt, h.now(), { objects: ["op/a/1/0.flac"] }));
    const keys = ["op/a/1/0.flac", his.object, hers.object, "op/nothing"];
    assert.deepEqual(await h.store.owned(ada, keys), ["op/a/1/0.flac", hers.object]);
    assert.deepEqual(await h.store.owned(bob, keys), [his.object]);
    assert.deepEqual(await h.store.owned("acc_nobody", keys), []);
    assert.deepEqual(await h.store.owned(ada, []), []);
    await h.store.expire(h.now() + RETENTION_MS, 100);
    assert.deepEqual(await h.store.owned(ada, keys), []);
  });

  check("expire() forgets an operation with key, webhook and outputs, but not its ledger lines", async (h) => {
    const account_id = await addAccount(h, 10);
    const idempotency_key = nextKey();
    const sources = [{ name: "source", object: "upload/gone", url: "http://localhost/v1/files/1" }];
    const id = await accept(h, account_id, { cost: 4, idempotency_key, sources });
    const { attempt } = await claim(h);
    const webhook = newWebhook();
    await h.store.terminate(endOf(id, attempt, h.now(), { objects: ["op/a", "op/b"], webhooks: [webhook] }));
    const [row] = await h.store.claimWebhooks("worker-1", 1, 1_000, { lane_max: 1, host_max: 1, account_max: 1 });
    const log = { webhook_id: webhook.id, attempt: 1, started_at: h.now(), duration_ms: 5, status: 200 };
    const said = { detail: "", exchange: null };
    assert.equal(row?.id, webhook.id);
    assert.equal(await h.store.recordWebhook({ ...log, ...said }, "delivered", null), true);

    const over = h.now() + RETENTION_MS;
    assert.deepEqual(await h.store.expire(over - 1, 100), { objects: [], more: false });
    const { objects, more } = await h.store.expire(over, 100);
    assert.deepEqual([...objects].sort(), ["op/a", "op/b"]);
    assert.equal(more, false);
    assert.equal(await h.store.operation(id), undefined);
    assert.deepEqual(await h.store.webhooks(id), []);
    assert.deepEqual(await h.store.webhookAttempts(webhook.id), []);
    assert.deepEqual(await h.store.unnamed(["op/a", "op/b"]), ["op/a", "op/b"]);
    await assertBalance(h.store, account_id, 6);
    assert.equal((await h.store.ledger(account_id, { limit: 1 }))[0]?.operation_id, id);
    await accept(h, account_id, { cost: 0, idempotency_key });
  });

  check("expire() forgets an upload when its time is over", async (h) => {
    const file = newFile(await addAccount(h), h.now());
    await h.store.createFile(file);
    assert.deepEqual(await h.store.expire(file.expires_at - 1, 100), { objects: [], more: false });
    assert.deepEqual(await h.store.expire(file.expires_at, 100), { objects: [file.object], more: false });
    assert.equal(await h.store.file(file.id), undefined);
  });

  check("expire() never forgets what is processing", async (h) => {
    const account_id = await addAccount(h);
    const id = await accept(h, account_id);
    assert.deepEqual(await h.store.expire(Number.MAX_SAFE_INTEGER, 100), { objects: [], more: false });
    assert.ok((await h.store.operation(id)) !== undefined);
  });

  check("expire() works in portions and says whether more is left", async (h) => {
    const account_id = await addAccount(h);
    for (let i = 0; i < 3; i++) await h.store.createFile(newFile(account_id, h.now()));
    for (let i = 0; i < 4; i++) {
      const id = await accept(h, account_id);
      await h.store.terminate(endOf(id, 0, h.now(), { objects: [`op/${id}`] }));
    }
    const over = h.now() + RETENTION_MS;
    const portions: number[] = [];
    for (let more = true; more; ) {
      const portion = await h.store.expire(over, 2);
      portions.push(portion.objects.length);
      more = portion.more;
    }
    assert.deepEqual(portions, [2, 2, 2, 1]);
    assert.deepEqual(await h.store.list(account_id, { limit: 101 }), []);
  });

  check("expire() keeps what an operation in progress uses as a source, and forgets the rest", async (h) => {
    const account_id = await addAccount(h);
    const [used, unused] = [newFile(account_id, h.now()), newFile(account_id, h.now())];
    await h.store.createFile(used);
    await h.store.createFile(unused);
    const made = await accept(h, account_id);
    await h.store.terminate(endOf(made, 0, h.now(), { objects: ["op/chained", "op/beside"] }));
    const sources = [used.object, "op/chained"].map((object, n) => ({
      name: `s${n}`,
      object,
      url: "https://x.example",
    }));
    const busy = await accept(h, account_id, { sources });

    const over = h.now() + RETENTION_MS;
    // A portion of one: what is kept must not be in the way of what is not.
    assert.deepEqual(await h.store.expire(over, 1), { objects: [unused.object], more: false });
    assert.ok((await h.store.file(used.id)) !== undefined);
    assert.ok((await h.store.operation(made)) !== undefined);

    await h.store.terminate(endOf(busy, 0, h.now(), { ...FAILED, expires_at: over + 1 }));
    const { objects } = await h.store.expire(over, 100);
    assert.deepEqual([...objects].sort(), ["op/beside", "op/chained", used.object].sort());
  });

  check("unnamed() spares the source of an operation in progress", async (h) => {
    const account_id = await addAccount(h);
    const sources = [{ name: "source", object: "upload/lost", url: "https://x.example" }];
    const id = await accept(h, account_id, { sources });
    assert.deepEqual(await h.store.unnamed(["upload/lost"]), []);
    await h.store.terminate(endOf(id, 0, h.now(), FAILED));
    assert.deepEqual(await h.store.unnamed(["upload/lost"]), ["upload/lost"]);
    assert.deepEqual(await h.store.unnamed([]), []);
  });

  check("expire() names an object only when its last owner is gone", async (h) => {
    const account_id = await addAccount(h);
    const first = newFile(account_id, h.now(), { object: "upload/shared" });
    const second = newFile(account_id, h.now(), { object: "upload/shared", expires_at: first.expires_at + 1 });
    await h.store.createFile(first);
    await h.store.createFile(second);
    assert.deepEqual(await h.store.expire(first.expires_at, 100), { objects: [], more: false });
    assert.deepEqual(await h.store.expire(second.expires_at, 100), { objects: ["upload/shared"], more: false });
  });
}
