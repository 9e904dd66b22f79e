/**
 * The OpenAPI document under the rules of two linters, which is one and the same on both runtimes: test/sdk/typescript.test.ts holds what each of
 * them serves against sdk/openapi.json.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { startTestService } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: linters and what they find, whose types are not ours to check
type Json = any;

let text: string;
before(async () => {
  const tonwerk = await startTestService();
  text = await (await tonwerk.call("GET", "/openapi.json")).text();
  await tonwerk.stop();
});

/** Breaks a rule of each: it names no server, and no one to turn to. */
const WRONG = JSON.stringify({ openapi: "3.1.0", info: { title: "Wrong", version: "1" }, paths: {} });

/** Not by its name in the code: see above. */
const load = (name: string): Promise<Json> => import(name);

test("Redocly's recommended rules find nothing", async () => {
  const { createConfig, lintFromString } = await load("@redocly/openapi-core");
  const config = await createConfig({ extends: ["recommended"] });
  const lint = async (source: string): Promise<string[]> => {
    const found = await lintFromString({ source, absoluteRef: "/openapi.json", config });
    return found.map(({ ruleId, location: [at] }: Json) => `${ruleId} ${at?.pointer}`);
  };
  assert.deepEqual(await lint(text), []);
  assert.notDeepEqual(await lint(WRONG), [], "the rules are at work");
});

test("Spectral's recommended rules find nothing", async () => {
  const [core, parsers, rulesets] = await Promise.all(
    ["core", "parsers", "rulesets"].map((part) => load(`@stoplight/spectral-${part}`)),
  );
  const spectral = new core.Spectral();
  spectral.setRuleset({ extends: [[rulesets.oas, "recommended"]] });
  const lint = async (source: string): Promise<string[]> => {
    const found = await spectral.run(new core.Document(source, parsers.Json, "/openapi.json"));
    return found.map(({ code, path }: Json) => `${code} ${path.join("/")}`);
  };
  assert.deepEqual(await lint(text), []);
  assert.notDeepEqual(await lint(WRONG), [], "the rules are at work");
});
