/**
 * adapt.separate_stems by an operator's models, from the request to the FLAC files: what the models give, and what
 * becomes of it where they fail.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { STEMS } from "../../contract/mod.ts";
import { CLIENT_REASONS } from "../../core/base/client_reasons.ts";
import { wav } from "../audio.ts";
import { decodedFlac } from "../flac.ts";
import { file, MODELS, music, snr } from "../runners/models/fixtures.ts";
import { startTestService, type TestService } from "../service.ts";

const ACTION = "adapt.separate_stems";
const MDX = {
  family: "mdx",
  licence: "MIT",
  threads: 1,
  stem: "vocals",
  stft: { n_fft: 6144, hop: 1024, dim_f: 2048, dim_t: 256 },
  files: { model: file("mdx_2048.onnx") },
};
const DEMUCS = {
  family: "htdemucs-e2e",
  licence: "MIT",
  threads: 1,
  stems: ["drums", "bass", "other", "vocals"],
  files: { model: file("htdemucs_e2e.onnx") },
};
const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function withModels<T>(
  manifests: Readonly<Record<string, object>>,
  body: (tonwerk: TestService) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  const models = mkdtempSync(join(tmpdir(), "tonwerk-stems-"));
  folders.push(models);
  cpSync(MODELS, models, { recursive: true, filter: (path) => !path.endsWith(".json") });
  for (const [id, fields] of Object.entries(manifests)) {
    writeFileSync(join(models, `${id}.json`), JSON.stringify({ id, ...fields }));
  }
  const tonwerk = await startTestService({
    env: { TONWERK_MODELS: models, TONWERK_SHIPPED_MODELS: "off", TONWERK_PROVIDERS: "cpu", ...env },
  });
  try {
    return await body(tonwerk);
  } finally {
    await tonwerk.stop();
  }
}

interface Delivered {
  readonly kind: string;
  readonly url: string;
  readonly sha256: string;
  readonly engine: string;
  readonly gain_db: number;
  readonly report: { passed_over?: { model: string; reason: string }[] } | null;
}

async function submit(tonwerk: TestService, sound: readonly Float32Array[], rate = 44_100): Promise<string> {
  const bytes = wav(sound, { samples: "f32", sample_rate: rate });
  const { body: uploaded } = await tonwerk.json("PUT", "/v1/files", bytes);
  const { status, body } = await tonwerk.json("PUT", `/v1/${ACTION}`, {
    idempotency_key: randomUUID(),
    source: { url: uploaded.file.url },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.stems.id;
}

async function outputsOf(tonwerk: TestService, id: string): Promise<readonly Delivered[]> {
  for (;;) {
    const { stems } = (await tonwerk.json("GET", `/v1/${ACTION}?id=${id}&wait=true`)).body;
    if (stems.status === "processing") continue;
    assert.equal(stems.status, "ready", JSON.stringify(stems.error));
    assert.deepEqual(
      stems.outputs.map(({ kind }: Delivered) => kind),
      [...STEMS],
    );
    return stems.outputs;
  }
}

type Stems = Readonly<Record<string, readonly Float32Array[]>>;

async function filesOf(tonwerk: TestService, outputs: readonly Delivered[]): Promise<Stems> {
  const files: Record<string, readonly Float32Array[]> = {};
  for (const { kind, url } of outputs) {
    files[kind] = decodedFlac(new Uint8Array(await (await tonwerk.call("GET", url)).arrayBuffer()));
  }
  return files;
}

/** The four sum to `sound`, or to one another's sum and the instrumental, within -90 dB of full scale. */
function assertSums(files: Stems, sound: readonly Float32Array[]): void {
  for (const [c, channel] of sound.entries()) {
    for (const kind of STEMS) assert.equal(files[kind]![c]!.length, channel.length, kind);
    let [whole, instrumental] = [0, 0];
    for (let n = 0; n < channel.length; n++) {
      const band = files.drums![c]![n]! + files.bass![c]![n]! + files.other![c]![n]!;
      whole = Math.max(whole, Math.abs(channel[n]! - band - files.vocals![c]![n]!));
      instrumental = Math.max(instrumental, Math.abs(files.instrumental![c]![n]! - band));
    }
    assert.ok(whole < 3.2e-5 && instrumental < 3.2e-5, `${whole} ${instrumental}`);
  }
}

/** What /v1/capabilities says of the action once every model has left `starting`. */
async function listed(tonwerk: TestService) {
  for (let i = 0; i < 3600; i++) {
    const { body } = await tonwerk.json("GET", "/v1/capabilities");
    const found = body.actions.find(({ name }: { name: string }) => name === ACTION);
    if (found.models.every(({ state }: { state: string }) => state !== "starting")) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail("Waited in vain for the models");
}

test("a model of four stems makes all of them: each its share of the mix within 60 dB, the same files again", () =>
  withModels({ demucs: DEMUCS }, async (tonwerk) => {
    const { engine, device, models } = await listed(tonwerk);
    assert.deepEqual([engine, device, models], ["demucs", "cpu", [{ id: "demucs", state: "ready" }]]);
    const { channels } = music(9);
    const ids = [await submit(tonwerk, channels), await submit(tonwerk, channels)];
    const [first, again] = [await outputsOf(tonwerk, ids[0]!), await outputsOf(tonwerk, ids[1]!)];
    assert.deepEqual(
      first.map(({ sha256 }) => sha256),
      again.map(({ sha256 }) => sha256),
    );
    for (const { engine, gain_db, report } of first) {
      assert.deepEqual([engine, gain_db, report], ["demucs", 0, null]);
    }
    const files = await filesOf(tonwerk, first);
    assertSums(files, channels);
    const gains = { drums: 0.4, bass: 0.3, other: 0.2, vocals: 0.1, instrumental: 0.9 };
    for (const [kind, gain] of Object.entries(gains)) {
      for (const [c, channel] of channels.entries()) {
        const reached = snr(files[kind]![c]!, channel, gain);
        assert.ok(reached > 60, `${kind}, channel ${c}: ${reached.toFixed(1)} dB`);
      }
    }
    // Mono, and another rate: one channel, as long as the source.
    const mono = music(1.5, 48_000).channels[0]!;
    const outputs = await outputsOf(tonwerk, await submit(tonwerk, [mono], 48_000));
    assert.deepEqual(new Set(outputs.map(({ engine }) => engine)), new Set(["demucs"]));
    const resampled = await filesOf(tonwerk, outputs);
    assert.equal(resampled.vocals!.length, 1);
    assert.equal(resampled.vocals![0]!.length, Math.round(1.5 * 44_100));
    const sum = resampled.vocals![0]!.map((value, n) => value + resampled.instrumental![0]![n]!);
    assert.ok(snr(resampled.vocals![0]!, sum, 0.1) > 60);
  }));

test("a model of vocals makes vocals and instrumental, and the built-in engine divides the rest", () =>
  withModels({ voices: MDX }, async (tonwerk) => {
    const channels = music(3).channels.map(withBass);
    const outputs = await outputsOf(tonwerk, await submit(tonwerk, channels));
    assert.deepEqual(Object.fromEntries(outputs.map(({ kind, engine }) => [kind, engine])), {
      vocals: "voices",
      drums: "separate",
      bass: "separate",
      other: "separate",
      instrumental: "voices",
    });
    const files = await filesOf(tonwerk, outputs);
    assertSums(files, channels);
    for (const kind of ["vocals", "instrumental"]) {
      for (const [c, channel] of channels.entries()) {
        const reached = snr(files[kind]![c]!, channel, 0.5);
        assert.ok(reached > 60, `${kind}, channel ${c}: ${reached.toFixed(1)} dB`);
      }
    }
    assert.ok(files.bass![0]!.some((value) => Math.abs(value) > 0.01));
  }));

/** With a low E every half second, the same in both channels. */
function withBass(channel: Float32Array): Float32Array {
  return channel.map((value, n) => {
    const since = n % 22_050;
    // Soft at both ends: what lies under a model's lowest bin or over its highest comes back as nothing.
    const edge = Math.sin((Math.PI / 2) * Math.min(1, (22_050 - since) / 8000, since / 3000)) ** 2;
    let note = 0;
    for (const [harmonic, level] of [0.2, 0.1, 0.06, 0.03].entries())
      note += level * Math.sin((2 * Math.PI * 82.4 * (harmonic + 1) * since) / 44_100);
    return value + note * edge;
  });
}

test("models that hang, lie about their shapes and give no numbers are passed over, which report and log say", () =>
  withModels(
    {
      hung: { ...MDX, priority: 3, ms_max: 700, files: { model: file("mdx_hang.onnx") } },
      liar: { ...MDX, priority: 2, files: { model: file("mdx_liar.onnx") } },
      numberless: { ...MDX, priority: 1, files: { model: file("mdx_nan.onnx") } },
    },
    async (tonwerk) => {
      await listed(tonwerk);
      const { channels } = music(1);
      const outputs = await outputsOf(tonwerk, await submit(tonwerk, channels));
      for (const { engine, report } of outputs) {
        assert.equal(engine, "separate");
        const over = report!.passed_over!;
        assert.deepEqual(
          over.map(({ model }) => model),
          ["hung", "liar", "numberless"],
        );
        assert.ok(over.every(({ reason }) => reason === CLIENT_REASONS.model));
      }
      assertSums(await filesOf(tonwerk, outputs), channels);
      for (const model of ["hung", "liar", "numberless"] as const) {
        const told = tonwerk.logged.filter((line) => line.includes("model.passed_over") && line.includes(`"${model}"`));
        assert.equal(told.length, 1, model);
        assert.match(told[0]!, { hung: /it exceeded 700 ms/, liar: /./, numberless: /not finite/ }[model]!);
      }
      assert.equal((await tonwerk.json("GET", "/health")).status, 200);
    },
  ));

test("a model whose process is killed in the middle, again and again, is passed over; the service stays up and loads it anew", () => {
  const before = children();
  return withModels({ hung: { ...MDX, ms_max: 60_000, files: { model: file("mdx_hang.onnx") } } }, async (tonwerk) => {
    await listed(tonwerk);
    const { channels } = music(1);
    const id = await submit(tonwerk, channels);
    let ended = false;
    const delivered = outputsOf(tonwerk, id).finally(() => {
      ended = true;
    });
    // Once is not enough: a block is run again in a new process.
    for (let busy = 0; !ended; ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      busy = tonwerk.service.pool.residents()[0]!.state === "busy" ? busy + 1 : 0;
      if (busy < 25) continue;
      for (const pid of children()) if (!before.includes(pid)) process.kill(pid, "SIGKILL");
      busy = 0;
    }
    const outputs = await delivered;
    assert.equal(outputs[0]!.engine, "separate");
    assert.equal(outputs[0]!.report!.passed_over![0]!.reason, CLIENT_REASONS.model);
    assert.ok(tonwerk.logged.some((line) => line.includes("model.passed_over") && line.includes("SIGKILL")));
    assertSums(await filesOf(tonwerk, outputs), channels);
    for (let i = 0; ; i++) {
      const { models } = await listed(tonwerk);
      if (models[0].state === "ready") break;
      assert.ok(i < 7200, JSON.stringify(models));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});

test("a node that answers requests only lists its models and starts none", () =>
  withModels(
    { demucs: DEMUCS },
    async (tonwerk) => {
      const { engine, device, models } = await listed(tonwerk);
      assert.deepEqual([engine, device, models], ["demucs", null, [{ id: "demucs", state: "elsewhere" }]]);
      assert.deepEqual(tonwerk.service.pool.residents(), []);
      assert.equal(tonwerk.service.pool.stats().processes, 0);
    },
    { TONWERK_ROLE: "api" },
  ));

/** Processes that this one started, those of jobs excepted, by number. Linux. */
function children(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
        // proc(5), fields 3 and 4: state and parent.
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const isJob = readFileSync(`/proc/${pid}/cmdline`, "latin1").endsWith("\0job\0");
        return state !== "Z" && Number(parent) === process.pid && !isJob;
      } catch {
        return false;
      }
    });
}
