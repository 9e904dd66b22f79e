/** A node that only answers requests encodes nothing: one that does the jobs makes the form once, and S3 serves it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { newApiKey } from "../../core/base/keys.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { startTestService, type TestService } from "../service.ts";
import { whenThere } from "../services/services.ts";
import { leaseStack, STACK_MISSING } from "../services/stack.ts";

whenThere("formats on several nodes", STACK_MISSING, () => {
  for (const with_redis of [true, false]) {
    test(`a form wished for by one node is made once by another, ${with_redis ? "with" : "without"} Redis`, {
      timeout: 300_000,
    }, async () => {
      const stack = await leaseStack();
      const { REDIS_URL, ...others } = stack.env;
      const redis = with_redis ? { REDIS_URL: REDIS_URL! } : {};
      const env = { ...others, ...redis, TONWERK_FIRST_KEY: newApiKey(), TONWERK_WORKERS: "1" };
      const nodes: TestService[] = [];
      const start = async (role: string): Promise<TestService> => {
        const node = await startTestService({ env: { ...env, TONWERK_ROLE: role } });
        nodes.push(node);
        return node;
      };
      try {
        const api = await start("api");
        await start("worker");
        await start("worker");
        const made_by: string[] = [];
        for (const [index, { service }] of nodes.entries()) {
          const { pool } = service;
          const run = pool.run.bind(pool);
          pool.run = (runner, ...rest) => {
            if (runner.name === "convert") made_by.push(index === 0 ? "api" : "worker");
            return run(runner, ...rest);
          };
        }
        const { url: uploaded } = (await api.json("PUT", "/v1/files", wav(tone(440, 2).channels))).body.file;
        const request = { idempotency_key: randomUUID(), source: { url: uploaded } };
        const { id } = (await api.json("PUT", "/v1/adapt.normalise_loudness", request)).body.normalised_audio;
        let url = "";
        while (url === "") {
          const path = `/v1/adapt.normalise_loudness?id=${id}&wait=true`;
          const { status, output } = (await api.json("GET", path)).body.normalised_audio;
          if (status !== "processing") url = output.url;
        }
        const get = async (asked: string): Promise<Response> => {
          for (;;) {
            const response = await api.service.app(new Request(`${url}&${asked}`), { address: "198.51.100.1" });
            if (response.status === 503) continue;
            const location = response.headers.get("location");
            return location === null ? response : fetch(location);
          }
        };
        const answers = await Promise.all(Array.from({ length: 3 }, () => get("format=wav&bits=16")));
        for (const answer of answers) {
          assert.equal(answer.status, 200);
          assert.equal(answer.headers.get("content-type"), "audio/wav");
          assert.match(answer.headers.get("content-disposition")!, /adapt\.normalise_loudness-1\.wav/u);
          const bytes = new Uint8Array(await answer.arrayBuffer());
          assert.equal(new TextDecoder().decode(bytes.subarray(0, 4)), "RIFF");
        }
        const peaks = await get("peaks=10");
        assert.equal(((await peaks.json()) as { bins: number }).bins, 10);
        assert.deepEqual(made_by, ["worker", "worker"]);
        // Claims are given up: they would keep the next one from being made.
        const left: string[] = [];
        for await (const { key } of api.service.bucket.list(`op/${id}/`)) left.push(key.replace(/^.*\/\d+\//u, ""));
        assert.deepEqual(left.sort(), ["0.flac", "0.flac.kept.16.wav", "0.flac.kept.levels"]);
        for (const { logged } of nodes)
          assert.deepEqual(
            logged.filter((line) => line.includes("form.") || line.includes("conversion.")),
            [],
          );
      } finally {
        for (const node of nodes.reverse()) await node.stop();
        await stack.giveBack();
      }
    });
  }
});
