/** What clients are told of troubles of the installation's own: no path, no stack, no machine. The log has the rest. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { CLIENT_REASONS } from "../../core/base/client_reasons.ts";
import { tone } from "../../packages/plugin/testing.ts";
import { wav } from "../audio.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { startTestService, type TestService } from "../service.ts";
import { until } from "../until.ts";

let tonwerk: TestService;
let folder: string;
let broken: string;
before(async () => {
  [folder, broken] = await Promise.all([pluginFolder(), pluginFolder()]);
  await addAction(folder, "test.open", {
    failures: '["not_open"]',
    process:
      '({ fail }) => fail("not_open", "Cannot open /srv/tonwerk/private/key.pem: see https://example.com/etc/open")',
  });
  await addAction(folder, "test.reports", {
    process: `({ sources }) => ({ audio: sources.source, engine: "copy", report: { tempo: 120, passed_over: [
      { model: "big", reason: "/opt/models/big.onnx: on node-7 it printed too much" },
    ] } })`,
  });
  await addAction(broken, "test.broken", {}, 'throw new Error("Cannot reach /etc/tonwerk/plugin.json on node-7");');
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: `${folder},?${broken}` } });
});
after(async () => {
  await tonwerk.stop();
  for (const one of [folder, broken]) await rm(one, { recursive: true, force: true });
});

const SECRETS = /\/srv|\/etc\/tonwerk|\/opt|node-7|\/tmp|file:|\.ts\b/u;

const ended = async (action: string) =>
  tonwerk.perform(action, { source: await tonwerk.upload(wav(tone(440, 0.5).channels)) });

test("/v1/capabilities says that a plugin could not be loaded, the log why", async () => {
  const { body } = await tonwerk.json("GET", "/v1/capabilities");
  assert.equal(body.failed.length, 1);
  assert.equal(body.failed[0].reason, CLIENT_REASONS.plugin);
  assert.doesNotMatch(JSON.stringify(body), SECRETS);
  assert.ok(tonwerk.logged.some((line) => line.includes("plugin.failed") && line.includes("/etc/tonwerk/plugin.json")));
});

test("a failure that an action reports keeps its author's words, without paths", async () => {
  const { error } = await ended("test.open");
  assert.deepEqual(error, { code: "not_open", message: "Cannot open [path]: see https://example.com/etc/open" });
  await until(() =>
    tonwerk.logged.some((line) => line.includes("operation.failed") && line.includes("private/key.pem")),
  );
});

test("a report says which models were passed over, the log why", async () => {
  const { output } = await ended("test.reports");
  assert.deepEqual(output.report, { tempo: 120, passed_over: [{ model: "big", reason: CLIENT_REASONS.model }] });
  await until(() => tonwerk.logged.some((line) => line.includes("model.passed_over") && line.includes("node-7")));
});
