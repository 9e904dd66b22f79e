import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../core/adapters/sqlite/batch.ts";
import { packCalls, unpackCalls } from "../../core/adapters/sqlite/pack.ts";
import { submission } from "./store/fixtures.ts";

test("calls of any kind come out of the packing as they went in", () => {
  const source = { name: "source", object: null, url: "https://example.com/a" };
  const submit = (changes: object): Call => ({ verb: "submit", now: 7, args: [submission("acc_a", 5, changes)] });
  const calls: Call[] = [
    { verb: "health", now: 1, args: [] },
    submit({ sources: [], files: [] }),
    submit({ sources: [source, { ...source, object: "files/file_x.wav" }], files: ["file_x"], callback_url: null }),
    submit({ sources: [source], files: ["a", "b", "c"], callback_url: "https://example.com/hook" }),
    { verb: "grant", now: 2, args: ["acc_a", 5, "submit", 3] },
    submit({ request: '{"prompt":"caf\u00e9 \u{1f3b5}\\n"}', callback_url: "https://example.com/a\nb" }),
    submit({ cost: 0, request: '{"prompt":"\u{1f3b5}"}', work: "gpu" }),
    { verb: "health", now: 3.5, args: [] },
  ];
  assert.deepEqual(unpackCalls(structuredClone(packCalls(calls))), calls);
  assert.deepEqual(unpackCalls(packCalls([])), []);
});
