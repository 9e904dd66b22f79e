/** `tonwerk models list` and `check`: what an operator reads, and the exit code a script reads. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { modelsCommand } from "../../cli/models.ts";
import { loadConfig } from "../../core/base/config.ts";
import { file, MODELS } from "../runners/models/fixtures.ts";
import { startServer } from "../runners/models/sidecars/server.ts";

const folder = mkdtempSync(join(tmpdir(), "tonwerk-models-"));
after(() => rmSync(folder, { recursive: true, force: true }));
cpSync(MODELS, folder, { recursive: true });
const listener = { id: "listener", family: "vad", licence: "MIT", files: { model: file("vad_v5.onnx") } };
writeFileSync(join(folder, "listener.json"), JSON.stringify(listener));

async function models(rest: readonly string[], environment: Record<string, string>) {
  const lines: string[] = [];
  const code = await modelsCommand(rest, loadConfig(environment), (line) => lines.push(line));
  return { code, lines };
}

const here = { TONWERK_MODELS: folder, TONWERK_SHIPPED_MODELS: "off", TONWERK_PROVIDERS: "cpu" };

test("models list names each model with family, task and licence", async () => {
  assert.deepEqual(await models(["list"], here), {
    code: 0,
    lines: ["listener: vad, serves voice_activity, licence MIT"],
  });
});

test("models check loads and runs what there is, and refuses by name what is wrong", async () => {
  const { code, lines } = await models(["check"], here);
  assert.equal(code, 0);
  assert.match(lines[0]!, /^listener: vad, .*: ok on cpu, loaded and run once in \d+\.\d s$/);
  const random = {
    id: "random",
    family: "mdx",
    licence: "MIT",
    stem: "vocals",
    stft: { n_fft: 6144, hop: 1024, dim_f: 2048, dim_t: 256 },
    files: { model: file("mdx_random.onnx") },
  };
  writeFileSync(join(folder, "random.json"), JSON.stringify(random));
  const drawn = await models(["check", "random"], here);
  rmSync(join(folder, "random.json"));
  assert.match(drawn.lines[1]!, /^ {2}draws numbers at random \(RandomNormalLike\): equal requests do not give equal/);
  const wrong = { ...listener, id: "wrong", files: { model: { path: "vad_v5.onnx", sha256: "f".repeat(64) } } };
  const files: readonly (readonly [string, string, RegExp])[] = [
    ["wrong.json", JSON.stringify(wrong), /^wrong: refused: "vad_v5.onnx": its SHA-256 is/],
    [
      "twin.json",
      JSON.stringify({ ...listener }),
      /^twin.json: refused: the id "listener" is that of "listener.json"$/,
    ],
    [
      "ensemble.json",
      '{ "id": "e", "family": "ensemble", "models": [{ "id": "gone" }] }',
      /^ensemble.json: refused: "models.0.id": there is no model "gone" to separate with, but none$/,
    ],
    [
      "strange.json",
      '{ "id": "f", "family": "ensemble", "models": [{ "id": "listener" }] }',
      /^strange.json: refused: "models.0.id": "listener" serves voice_activity, and only models that separate join$/,
    ],
    [
      "weights.json",
      '{ "id": "e", "family": "ensemble", "models": [{ "id": "listener", "stems": { "vocal": 1 } }] }',
      /^weights.json: refused: .*: "models.0.stems.vocal" is no field of it \(its fields: vocals, drums, .*\)$/,
    ],
    ["text.json", "family: vad", /^text.json: refused: it is not JSON/],
    [
      "magic.json",
      '{ "family": "magic" }',
      /^magic.json: refused: "family" must be one of bands, .*, vad, ensemble, not "magic"$/,
    ],
    [
      "outside.json",
      JSON.stringify({ ...listener, id: "outside", files: { model: { path: "../x.onnx", sha256: "f".repeat(64) } } }),
      /^outside.json: refused: the file "..\/x.onnx" lies outside the folder of models$/,
    ],
    [
      "field.json",
      JSON.stringify({ ...listener, id: "Field", stem: "vocals" }),
      /^field.json: refused: its fields do not fit family "vad": "stem" is no field of it \(its fields: id, .*\); "id": expected string to match .*, found "Field"$/,
    ],
    [
      "stem.json",
      JSON.stringify({
        id: "stem",
        family: "htdemucs-e2e",
        licence: "MIT",
        stems: ["drums", "vocal"],
        files: { model: file("htdemucs_e2e.onnx") },
      }),
      /^stem.json: refused: .*: "stems.1": expected one of vocals, drums, bass, other, instrumental, guitar, piano, found "vocal"$/,
    ],
    [
      "empty.json",
      JSON.stringify({ id: "empty", family: "vad", files: {} }),
      /^empty.json: refused: .*: "licence" is missing; "files.model" is missing$/,
    ],
  ];
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  try {
    const checked = await models(["check"], here);
    assert.equal(checked.code, 1);
    for (const [name, , message] of files)
      assert.ok(
        checked.lines.some((line) => message.test(line)),
        `${name}: ${checked.lines.join("\n")}`,
      );
    assert.ok(checked.lines.some((line) => line.startsWith("listener: vad") && line.includes("ok on cpu")));
    assert.equal((await models(["check", "listener"], here)).code, 0);
    assert.equal((await models(["check", "nobody"], here)).code, 1);
  } finally {
    for (const [name] of files) rmSync(join(folder, name));
  }
});

test("without TONWERK_MODELS it says so, and other words are refused", async () => {
  const { code, lines } = await models(["list"], {});
  assert.equal(code, 0);
  assert.equal(lines[0], "TONWERK_MODELS is not set: only what Tonwerk brings along can serve");
  assert.match(lines[1]!, /^tonwerk-separator-5: bands, serves separate, licence MIT/);
  assert.equal((await models(["list"], { TONWERK_SHIPPED_MODELS: "off" })).lines.length, 1);
  for (const rest of [[], ["fetch"], ["list", "x"], ["check", "x", "y"]])
    assert.equal((await models(rest, here)).code, 2);
});

test("the command starts and ends by itself", () => {
  const cli = fileURLToPath(new URL("../../cli/tonwerk.ts", import.meta.url));
  const before = "Deno" in globalThis ? ["run", "-A", "--no-check"] : [];
  const call = (...rest: string[]) =>
    spawnSync(process.execPath, [...before, cli, ...rest], {
      encoding: "utf8",
      env: { ...process.env, ...here },
      timeout: 300_000,
    });
  const checked = call("models", "check");
  assert.equal(checked.status, 0, checked.stderr);
  assert.match(checked.stdout, /^listener: vad, .* ok on cpu/);
  const nothing = call("mend");
  assert.equal(nothing.status, 2);
  assert.match(nothing.stderr, /^There is no command "mend"\..*\n.*tonwerk --help lists all\./);
});

test("models list and check tell of sidecars; one that is named is tried by its protocol's kit", async () => {
  const server = await startServer();
  try {
    const file = join(folder, "side.manifest");
    const manifest = { id: "drift", url: server.url, serves: ["generate"], licence: "CC0" };
    writeFileSync(`${file}.json`, JSON.stringify(manifest));
    const there = { TONWERK_SIDECARS: `${file}.json,${server.url}=separate`, TONWERK_SHIPPED_MODELS: "off" };
    assert.deepEqual(await models(["list"], there), {
      code: 0,
      lines: [
        "drift: sidecar (tonwerk), serves generate, licence CC0",
        "sidecar-separate: sidecar (tonwerk), serves separate, licence not stated",
      ],
    });
    const { code, lines } = await models(["check"], there);
    assert.equal(code, 0);
    assert.match(lines[0]!, /^drift: .*, licence CC0: ok on cpu, ready in \d+\.\d s$/);
    assert.match(lines[1]!, /^sidecar-separate: .*, licence MIT: ok on cpu, ready/);
    // It is a plain one, which refuses nothing and cannot be told to stop.
    for (const named of ["sidecar-separate", `${server.url}=separate`]) {
      const tried = await models(["check", named], there);
      assert.equal(tried.code, 1);
      assert.match(tried.lines[0]!, /^sidecar-separate: refused: 3 of \d+ checks went wrong$/);
      assert.match(
        tried.lines.join("\n"),
        / {2}ok {5}separates stereo .*\n[\s\S]* {2}wrong {2}refuses a stem that there is not with 400: it answers 200/,
      );
    }
    const measured = await models(["bench", "drift", "--seconds", "3"], there);
    assert.match(
      measured.lines.join("\n"),
      /(?:^|\n)drift, generate:\n {2}ok on cpu, ready in [\d.]+ s; 3 s of audio in [\d.]+ s, [\d.]+ times as fast as it sounds\n {2}says that it holds 50 MB$/,
    );
    const nobody = await models(["check", "http://127.0.0.1:9"], there);
    assert.deepEqual(nobody, { code: 1, lines: ["http://127.0.0.1:9: refused: nobody answers at its address"] });
    const wrong = await models(["check", "cog+http://127.0.0.1:9=separate"], there);
    assert.match(wrong.lines[0]!, /refused: "stems" is missing: a container does not say which stems it gives/);
  } finally {
    await server.close();
  }
});
