import assert from "node:assert/strict";
import { test } from "node:test";
import { newApiKey } from "../../core/base/keys.ts";
import { createLog, levelOf, redact } from "../../core/base/log.ts";
import { newSigningSecret } from "../../core/base/secrets.ts";

test("a log line is one line of JSON with time, level and event, whatever its fields hold", () => {
  const lines: string[] = [];
  createLog((line) => lines.push(line))("operation.failed", {
    error: 'two\nlines and "quotes"',
    ms: 3,
    none: undefined,
  });
  assert.equal(lines.length, 1);
  assert.ok(!lines[0]!.includes("\n"));
  const { time, ...rest } = JSON.parse(lines[0]!) as Record<string, unknown>;
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(rest, { level: "info", event: "operation.failed", error: 'two\nlines and "quotes"', ms: 3 });
});

test("the level that is set is the least that is written", () => {
  const events = ["http.request", "operation.ready", "http.store_away", "http.error"];
  const written = (least: "debug" | "info" | "warn" | "error") => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line), least);
    for (const event of events) log(event);
    return lines.map((line) => (JSON.parse(line) as { event: string }).event);
  };
  assert.deepEqual(written("debug"), events);
  assert.deepEqual(written("info"), events.slice(1));
  assert.deepEqual(written("warn"), events.slice(2));
  assert.deepEqual(written("error"), events.slice(3));
});

test("events that an operator must see are warnings or errors", () => {
  for (const event of ["worker.renew_failed", "upkeep.expire_failed", "webhook.error", "operation.exhausted"]) {
    assert.equal(levelOf(event), "error", event);
  }
  for (const event of ["worker.store_away", "operation.lost", "model.failed", "plugin.failed", "webhook.failed"]) {
    assert.equal(levelOf(event), "warn", event);
  }
  for (const event of ["operation.failed", "operation.ready", "service.draining", "webhook.delivered"]) {
    assert.equal(levelOf(event), "info", event);
  }
});

test("redact() takes out every shape of a secret that a library's message may bring, and nothing else", () => {
  const [key, secret] = [newApiKey(), newSigningSecret()];
  for (const [given, expected] of [
    [`no such key ${key}.`, "no such key [redacted]."],
    [`secret ${secret}"`, 'secret [redacted]"'],
    [`Authorization: Bearer ${key}`, "Authorization: Bearer [redacted]"],
    ["authorization: bearer abc.def-ghi", "authorization: bearer [redacted]"],
    ["postgres://tonwerk:s3cret@db:5432/x refused", "postgres://tonwerk:[redacted]@db:5432/x refused"],
    ["redis://:s3cret@redis:6379", "redis://:[redacted]@redis:6379"],
    ["/audio/op/a/1/0.flac?expires=17&signature=abcDEF_-1", "/audio/op/a/1/0.flac?expires=17&signature=[redacted]"],
    [
      "https://s3/x?X-Amz-Credential=AK%2F1&X-Amz-Date=2&X-Amz-Signature=ff00",
      "https://s3/x?X-Amz-Credential=[redacted]&X-Amz-Date=2&X-Amz-Signature=[redacted]",
    ],
    ["/dashboard/link?token=abc\\n", "/dashboard/link?token=[redacted]\\n"],
  ] as const) {
    assert.equal(redact(given), expected);
  }
  const harmless = '{"id":"op_01k","host":"example.com:8080","url":"https://example.com/a?b=c","error":"at 10:20:30"}';
  assert.equal(redact(harmless), harmless);
});
