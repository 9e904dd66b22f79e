/** What costs no credits, at the dashboard: what is left of its limits, and what happens past them. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { silentFlac } from "../audio.ts";
import { ownerLink, startTestService, type TestService } from "../service.ts";
import { entered, type Visitor } from "./visitor.ts";

let tonwerk: TestService;
let owner: Visitor;
before(async () => {
  tonwerk = await startTestService({ env: { TONWERK_FREE_SECONDS: "1" } });
  owner = await entered(tonwerk, await ownerLink(tonwerk.service), "owner@example.com");
});
after(() => tonwerk.stop());

test("free work and uploads stand on the pages, and past the budget the playground accepts nothing", async () => {
  const heavy = silentFlac(590, 2, 48_000);
  assert.equal((await tonwerk.json("PUT", "/v1/files", heavy)).status, 200);
  assert.match(await owner.text("/settings"), /8 at a time, [\d.]+ KB kept of 5\.0 GB/);
  for (let status = 200; status !== 429; ) ({ status } = await tonwerk.json("PUT", "/v1/files", heavy));
  for (const path of ["/usage", "/settings"]) assert.match(await owner.text(path), /of 1 s/, path);

  const page = "/playground/create.new_fx";
  const form = { idempotency_key: randomUUID(), "f.prompt": "a click", "f.duration": "0.2", intent: "run" };
  const refused = await owner.post(page, form, page);
  assert.match(await refused.text(), /used up the 1 s of processor time/);
  const { body } = await tonwerk.json("GET", "/v1/operations");
  assert.deepEqual(body.operations, []);
});
