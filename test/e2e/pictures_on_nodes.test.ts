/** A node that only answers requests draws nothing: one that does the jobs does it for it, with Redis and without. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { newApiKey } from "../../core/base/keys.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { entered } from "../dashboard/visitor.ts";
import { ownerLink, startTestService, type TestService } from "../service.ts";
import { whenThere } from "../services/services.ts";
import { leaseStack, STACK_MISSING } from "../services/stack.ts";

whenThere("pictures on several nodes", STACK_MISSING, () => {
  for (const with_redis of [true, false]) {
    test(`pictures wished for by one node are drawn once by another, ${with_redis ? "with" : "without"} Redis`, {
      timeout: 300_000,
    }, async () => {
      const stack = await leaseStack();
      const { REDIS_URL, ...others } = stack.env;
      const env = {
        ...others,
        ...(with_redis ? { REDIS_URL: REDIS_URL! } : {}),
        TONWERK_FIRST_KEY: newApiKey(),
        TONWERK_WORKERS: "1",
      };
      const nodes: TestService[] = [];
      const start = async (role: string): Promise<TestService> => {
        const node = await startTestService({ env: { ...env, TONWERK_ROLE: role } });
        nodes.push(node);
        return node;
      };
      try {
        const api = await start("api");
        const owner = await entered(api, await ownerLink(api.service), "owner@example.com");
        const drawn_by: string[] = [];
        const workers = [await start("worker"), await start("worker")];
        for (const [index, { service }] of [api, ...workers].entries()) {
          const { pool } = service;
          const run = pool.run.bind(pool);
          pool.run = (runner, ...rest) => {
            if (runner.name === "picture") drawn_by.push(index === 0 ? "api" : "worker");
            return run(runner, ...rest);
          };
        }
        const sound = wav(tone(440, 2).channels);
        const { url } = (await api.json("PUT", "/v1/files", sound)).body.file;
        const request = { idempotency_key: randomUUID(), source: { url } };
        const { id } = (await api.json("PUT", "/v1/adapt.normalise_loudness", request)).body.normalised_audio;
        for (let status = ""; status !== "ready"; )
          ({ status } = (
            await api.json("GET", `/v1/adapt.normalise_loudness?id=${id}&wait=true`)
          ).body.normalised_audio);

        const names = ["waveform-light-1x", "waveform-dark-1x", "spectrogram-2x"];
        const path = `/operations/${id}/outputs/0/pictures`;
        const look = async (name: string): Promise<Uint8Array> => {
          // A busy machine: the page would show it at the next load.
          for (;;) {
            const response = await owner.get(`${path}/${name}`);
            if (response.status === 200) return new Uint8Array(await response.arrayBuffer());
            assert.equal(response.status, 503);
            assert.ok(Number(response.headers.get("retry-after")) > 0);
            await response.body?.cancel();
          }
        };
        const drawn = await Promise.all(names.map(look));
        for (const bytes of drawn) assert.equal(new TextDecoder().decode(bytes.subarray(1, 4)), "PNG");
        const objects: string[] = [];
        for await (const { key } of api.service.bucket.list(`op/${id}/`)) objects.push(key);
        assert.equal(objects.filter((key) => key.endsWith(".png")).length, 6);
        assert.deepEqual(drawn_by, ["worker"]);
        for (const { logged } of nodes)
          assert.deepEqual(
            logged.filter((line) => line.includes("picture.")),
            [],
          );
      } finally {
        for (const node of nodes.reverse()) await node.stop();
        await stack.giveBack();
      }
    });
  }
});
