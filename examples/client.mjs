// A whole client in one file, without packages. It runs on Node 20, Bun and Deno:
//
//   TONWERK_KEY=tonwerk_… node examples/client.mjs examples/song.flac
//
// It uploads a track, has it normalised, waits, and saves the result beside the source. TONWERK_URL: http://127.0.0.1:8787.
// `verifyWebhook` at the end is what a receiver of webhooks needs.
import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

/** Refused requests of these kinds may be sent again as they are: every PUT has its idempotency key. */
const AGAIN = new Set([429, 503]);
const TRIES = 5;

export function connect(base_url, key) {
  /** The JSON of an answer; waits and tries again as `Retry-After` says. */
  async function call(method, path, body) {
    const is_audio = body instanceof Uint8Array;
    for (let tried = 1; ; tried++) {
      const response = await fetch(new URL(path, base_url), {
        method,
        headers: { authorization: `Bearer ${key}`, ...(is_audio ? {} : { "content-type": "application/json" }) },
        body: body === undefined || is_audio ? body : JSON.stringify(body),
      });
      if (response.ok) return response.json();
      const text = await response.text();
      if (!AGAIN.has(response.status) || tried === TRIES)
        throw new Error(`${method} ${path}: ${response.status} ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("retry-after") ?? 1)));
    }
  }

  return {
    /** The URL of an upload, to be used as a source for 24 hours. */
    async upload(bytes) {
      return (await call("PUT", "/v1/files", bytes)).file.url;
    },

    /** The operation as it was accepted. Keep `idempotency_key` to send the same request again safely, after a crash too. */
    async submit(action, request, idempotency_key = randomUUID()) {
      return operationOf(await call("PUT", `/v1/${action}`, { idempotency_key, ...request }));
    },

    /** The operation when it has ended. The server answers after 20 s at the latest, so this asks until it has. */
    async wait(action, id) {
      for (;;) {
        const operation = operationOf(await call("GET", `/v1/${action}?id=${id}&wait=true`));
        if (operation.status !== "processing") return operation;
      }
    },

    /** The bytes of an output, compared with its hash. */
    async download({ url, sha256 }) {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`Download: ${response.status}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (createHash("sha256").update(bytes).digest("hex") !== sha256) throw new Error("The download is not complete");
      return bytes;
    },
  };
}

/** Answers are wrapped in one key, such as `normalised_audio`. */
const operationOf = (answer) => Object.values(answer)[0];

/**
 * The event of a webhook, or an error where nobody with your secret sent it. `body` is the request's body as it came, before parsing;
 * `headers` is a `Headers` object. The package `standardwebhooks` does the same.
 */
export function verifyWebhook(secret, headers, body, now_ms = Date.now()) {
  const [id, timestamp] = [headers.get("webhook-id"), headers.get("webhook-timestamp")];
  if (Math.abs(now_ms / 1000 - Number(timestamp)) > 300) throw new Error("The webhook is older than five minutes");
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  // One signature for each of the account's live secrets: one that fits is enough.
  const fits = (headers.get("webhook-signature") ?? "").split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/u, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!fits) throw new Error("The webhook's signature does not fit");
  return { id, type: headers.get("webhook-type"), operation: operationOf(JSON.parse(body)) };
}

async function main(path) {
  const tonwerk = connect(process.env.TONWERK_URL ?? "http://127.0.0.1:8787", process.env.TONWERK_KEY);
  const url = await tonwerk.upload(await readFile(path));
  const { id } = await tonwerk.submit("adapt.normalise_loudness", { source: { url }, loudness: { preset: "podcast" } });
  const { status, output, error } = await tonwerk.wait("adapt.normalise_loudness", id);
  if (status === "failed") throw new Error(`${error.code}: ${error.message}`);
  const saved = `${path.replace(/\.[^./]+$/u, "")}.normalised.flac`;
  await writeFile(saved, await tonwerk.download(output));
  console.log(`${saved}: ${output.duration} s at ${output.loudness.lufs} LUFS`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [path] = process.argv.slice(2);
  if (path === undefined || process.env.TONWERK_KEY === undefined) {
    console.error("Usage: TONWERK_KEY=tonwerk_… node examples/client.mjs FILE");
    process.exit(2);
  }
  await main(path);
}
