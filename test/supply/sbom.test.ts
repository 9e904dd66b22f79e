/** `npm run sbom`: CycloneDX 1.6 by its own schema, with all that ships and nothing else. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv } from "ajv";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Component {
  readonly "bom-ref": string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly object[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly purl?: string;
}
interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

async function makeBill(): Promise<Bill> {
  const bun = join(root, "node_modules/.bin/bun");
  const { stdout } = await promisify(execFile)(bun, ["scripts/sbom.mjs"], { cwd: root, maxBuffer: 1e7 });
  return JSON.parse(stdout) as Bill;
}

/** The schema as the library of the format's makers brings it. Formats (dates, addresses) are notes to it and not checked. */
function validator() {
  const folder = join(
    createRequire(join(root, "package.json")).resolve("@cyclonedx/cyclonedx-library/package.json"),
    "../res/schema",
  );
  const schema = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), "utf8"));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const home = "http://cyclonedx.org/schema/";
  for (const name of ["spdx", "jsf-0.82", "cryptography-defs"])
    ajv.addSchema(schema(name), `${home}${name}.SNAPSHOT.schema.json`);
  return ajv.compile(schema("bom-1.6"));
}

test("the bill of materials is valid CycloneDX 1.6 and says the same each time", async () => {
  const bill = await makeBill();
  const validate = validator();
  assert.ok(validate(bill), JSON.stringify(validate.errors?.slice(0, 3)));
  assert.ok(!validate({ ...bill, specVersion: 1.6 }) && !validate({ ...bill, components: [{ type: "library" }] }));
  assert.deepEqual(await makeBill(), bill);
});

test("the bill of materials has every package that ships, the sound bank and the models, with hashes and licences", async () => {
  const { metadata, components, dependencies } = await makeBill();
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string; dev?: boolean; integrity: string }>;
  };
  assert.deepEqual([metadata.component.name, metadata.component.version], ["tonwerk", lock.packages[""]!.version]);
  const listed = new Map(components.map((one) => [one.purl, one]));
  for (const [path, { version, dev, integrity }] of Object.entries(lock.packages)) {
    if (path === "") continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const one = listed.get(`pkg:npm/${name.replace("@", "%40")}@${version}`);
    assert.equal(one !== undefined, dev !== true, path);
    const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
    if (one !== undefined) assert.deepEqual(one.hashes, [{ alg: "SHA-512", content }], path);
  }
  for (const { name, licenses } of components) assert.ok(licenses.length > 0, name);
  const data = components.filter(({ type }) => type !== "library").map(({ name }) => name);
  assert.ok(data.includes("MuseScore_General_Lite") && data.includes("tonwerk-separator-5"), String(data));
  // Everything is reached from the application.
  const edges = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const reached = new Set<string>();
  const follow = (ref: string): void => {
    if (reached.has(ref)) return;
    reached.add(ref);
    for (const next of edges.get(ref) ?? []) follow(next);
  };
  follow(metadata.component["bom-ref"]);
  assert.deepEqual(
    components.map((one) => one["bom-ref"]).filter((ref) => !reached.has(ref)),
    [],
  );
});
