/** A client as openapi-typescript and openapi-fetch make it. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import createClient from "openapi-fetch";
import type { paths } from "./schema.ts";

const { TONWERK_URL, TONWERK_KEY, TONWERK_SONG } = process.env;
const tonwerk = createClient<paths>({ baseUrl: TONWERK_URL!, headers: { authorization: `Bearer ${TONWERK_KEY}` } });

const bytes = await readFile(TONWERK_SONG!);
const uploaded = await tonwerk.PUT("/v1/files", {
  body: "the file",
  bodySerializer: () => bytes,
  headers: { "content-type": "audio/flac" },
});
const source = { url: uploaded.data!.file.url };

// The README's body: neither n_variations nor anything else that has a default.
const lyrics = "[Verse]\nMorning on the river";
const price = await tonwerk.PUT("/v1/create.new_song", {
  params: { query: { dry_run: true } },
  body: { idempotency_key: randomUUID(), lyrics, prompt: "indie folk" },
});
if (price.data?.cost !== 3) throw new Error(`A song costs ${price.data?.cost}`);

const wrong = await tonwerk.PUT("/v1/adapt.auto_cut_down", {
  body: { idempotency_key: randomUUID(), source, target_duration: 1 },
});
if (wrong.error?.code !== "invalid_request") throw new Error(`Refused with ${wrong.error?.code}`);

const made = await tonwerk.PUT("/v1/create.new_fx", {
  body: { idempotency_key: randomUUID(), prompt: "door knock", duration: 0.5 },
});
const query = { id: made.data!.fx!.id, wait: true };
const ready = await tonwerk.GET("/v1/create.new_fx", { params: { query } });
const { status, output } = ready.data!.fx;
if (status !== "ready" || output === null) throw new Error(`It is ${status}`);
const loudness: number | null = output.loudness.lufs;
const listed = await tonwerk.GET("/v1/operations");
const [newest] = listed.data!.operations;
// The discriminator says which it is.
if (newest?.action !== "create.new_fx" || newest.prompt !== "door knock") throw new Error("It is not listed");
console.log(`${output.duration} s at ${loudness} LUFS: ${output.url}`);
