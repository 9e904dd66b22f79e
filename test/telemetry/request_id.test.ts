import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestService, type TestService } from "../service.ts";

let tonwerk: TestService;
before(async () => {
  tonwerk = await startTestService();
});
after(() => tonwerk.stop());

const idOf = async (path: string, given?: string): Promise<string | null> => {
  const response = await tonwerk.call("GET", path, undefined, given === undefined ? {} : { "x-request-id": given });
  await response.body?.cancel();
  return response.headers.get("x-request-id");
};

test("x-request-id comes back on every answer as it was sent", async () => {
  for (const path of ["/health", "/v1/account", "/v1/operations?limit=0", "/nothing", "/audio/op/x.flac"]) {
    assert.equal(await idOf(path, "7f3c-42:a/b"), "7f3c-42:a/b", path);
  }
});

test("every answer has an id of its own, each another", async () => {
  const ids = [await idOf("/nothing"), await idOf("/v1/operations?limit=0"), await idOf("/nothing")];
  for (const id of ids) assert.match(id ?? "", /^req_[0-9a-f]{16}[0-9a-z]+$/);
  assert.equal(new Set(ids).size, 3);
  assert.match((await idOf("/v1/account")) ?? "", /^req_/, "as has one that says yes");
});

test("an id that could not stand in a log as it is, is replaced", async () => {
  for (const given of ['a"b', "two words", "x".repeat(129), "ä"]) {
    assert.match((await idOf("/health", given)) ?? "", /^req_/, given);
  }
});
