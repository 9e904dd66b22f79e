/**
 * A family of models that a package brings, from its page in the documentation to stems at the front door; and those
 * that are none, each refused by name.
 */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findFamilyFolders } from "../../core/adapters/plugins/families.ts";
import { parseManifest } from "../../runners/models/manifest.ts";
import { wav } from "../audio.ts";
import { decodedFlac } from "../flac.ts";
import { file, MODELS, music, snr } from "../runners/models/fixtures.ts";
import { startTestService } from "../service.ts";

const scratch = mkdtempSync(join(tmpdir(), "tonwerk-families-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const page = readFileSync(new URL("../../docs/plugins/families.md", import.meta.url), "utf8");
const block = (kind: string): string => new RegExp(`\`\`\`${kind}\n(.*?)\`\`\``, "su").exec(page)![1]!;
const FAMILY = block("ts");

/** A package whose families are these modules. Returns its folder. */
function packageOf(name: string, families: Readonly<Record<string, string>>, manifest: object = {}): string {
  const folder = join(scratch, name);
  for (const [family, text] of Object.entries(families)) {
    mkdirSync(join(folder, "families", family), { recursive: true });
    writeFileSync(join(folder, "families", family, "family.ts"), text);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...JSON.parse(block("json")), ...manifest }));
  return folder;
}

const GAINS = { drums: 0.4, bass: 0.3, other: 0.2, vocals: 0.1 } as const;
const MANIFEST = {
  id: "acme",
  family: "waveform",
  licence: "MIT",
  threads: 1,
  stems: Object.keys(GAINS),
  segment: 343_980,
  files: { model: file("htdemucs_e2e.onnx") },
};

test("a package's family separates: stems come out of adapt.separate_stems, made by its model", async () => {
  const folder = packageOf("good", { waveform: FAMILY });
  const models = join(scratch, "models");
  cpSync(MODELS, models, { recursive: true, filter: (path) => !path.endsWith(".json") });
  writeFileSync(join(models, "acme.json"), JSON.stringify(MANIFEST));
  const tonwerk = await startTestService({
    env: {
      TONWERK_PLUGINS: `${fileURLToPath(new URL("../../plugins", import.meta.url))},${folder}`,
      TONWERK_MODELS: models,
      TONWERK_SHIPPED_MODELS: "off",
      TONWERK_PROVIDERS: "cpu",
    },
  });
  try {
    // Longer than a block.
    const { channels } = music(10);
    const bytes = wav(channels, { samples: "f32", sample_rate: 44_100 });
    const source = await tonwerk.upload(bytes);
    const stems = await tonwerk.perform("adapt.separate_stems", { source, stems: ["drums"] });
    assert.equal(stems.status, "ready", JSON.stringify(stems.error));
    const [drums] = stems.outputs;
    assert.deepEqual([drums.engine, drums.report], ["acme", null]);
    const answer = await tonwerk.call("GET", drums.url);
    const [found] = decodedFlac(new Uint8Array(await answer.arrayBuffer()));
    assert.ok(snr(found!, channels[0]!, GAINS.drums) > 60, `${snr(found!, channels[0]!, GAINS.drums)} dB`);
  } finally {
    await tonwerk.stop();
  }
});

const none: readonly (readonly [string, string, RegExp])[] = [
  ["throws", 'throw new Error("no weather");', /its family "waveform" cannot be loaded: no weather$/],
  ["exports nothing", "export const x = 1;", /is none: the module has no family as its default export$/],
  [
    "serves what no action asks for",
    'export default { serves: "cook" };',
    /is none: "serves" is "cook", expected one of separate, generate, effect, song, remix, remix_song, voice_activity, transcribe, sing$/,
  ],
  [
    "cannot make anything",
    "export default (kit) => ({ serves: 'generate', files: kit.singleGraph, fields: {}, layouts: () => ({}) });",
    /is none: "create" is no function$/,
  ],
  [
    "separates into nothing",
    "export default (kit) => ({ serves: 'separate', files: kit.singleGraph, fields: {}, layouts: () => ({}), create: () => 0 });",
    /is none: "stems" is no function, which families that separate have$/,
  ],
  [
    "has a field that all have",
    "export default (kit) => ({ serves: 'generate', files: kit.singleGraph, fields: { id: kit.Type.String() }, layouts: () => ({}), create: () => 0 });",
    /is none: "fields" has "id", which every manifest has$/,
  ],
];

for (const [index, [what, text, message]] of none.entries()) {
  test(`a module that ${what} is no family, and its manifest is refused for that`, async () => {
    const folder = packageOf(`none-${index}`, { waveform: text });
    const families = await findFamilyFolders([folder], "file:///", scratch);
    assert.deepEqual(families, [`${pathToFileURL(join(folder, "families"))}/`]);
    await assert.rejects(parseManifest(MANIFEST, families), { message });
  });
}

test("a family's own fields are checked as ours are", async () => {
  const families = await findFamilyFolders([packageOf("fields", { waveform: FAMILY })], "file:///", scratch);
  await assert.rejects(parseManifest({ ...MANIFEST, segment: 1 }, families), {
    message: /fit family "waveform": "segment": expected integer to be greater or equal to 4096, found 1$/,
  });
  await assert.rejects(parseManifest(MANIFEST, []), { message: /"family" must be one of bands, .*, not "waveform"$/ });
});

test("a name that is taken, the inside of the core and a folder that is not there are refused", async () => {
  const twice = [packageOf("one", { waveform: FAMILY, mdx: FAMILY }), packageOf("other", { waveform: FAMILY })];
  const families = await findFamilyFolders(twice, "file:///", scratch);
  await assert.rejects(parseManifest(MANIFEST, families), {
    message: /the family "waveform" is there twice: ".*" and/,
  });
  await assert.rejects(parseManifest({ ...MANIFEST, family: "mdx" }, families), { message: /"mdx" is there twice/ });
  const inside = new URL("../../runners/models/blocks.ts", import.meta.url).href;
  const curious = packageOf("curious", { waveform: `import { cut } from "${inside}";\nexport default {};` });
  await assert.rejects(findFamilyFolders([curious], "file:///", scratch), {
    name: "RegistrationError",
    message: /Cannot load families from ".*": ".*" imports ".*blocks.ts", the inside of the core/,
  });
  const nowhere = packageOf("nowhere", {});
  await assert.rejects(findFamilyFolders([nowhere], "file:///", scratch), { message: /there is no such folder/ });
  assert.deepEqual(await findFamilyFolders([`?${nowhere}`], "file:///", scratch), []);
  const later = packageOf("later", { waveform: FAMILY }, { tonwerk: { host: "^9.0", families: "./families" } });
  await assert.rejects(findFamilyFolders([later], "file:///", scratch), { message: /it wants @tonwerk\/plugin \^9.0/ });
});
