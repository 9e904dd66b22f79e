/** `npm run pin-images` against a registry on this machine that speaks the distribution protocol, with its tokens. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pin = (folder: string, ...args: readonly string[]) =>
  promisify(execFile)(join(root, "node_modules/.bin/bun"), [join(root, "scripts/pin-images.mjs"), ...args], {
    env: { ...process.env, PIN_IMAGES_IN: folder },
  });

test("images are pinned by the digest of what the registry serves, once, and a check says which are not", async (t) => {
  const manifest = JSON.stringify({ schemaVersion: 2, manifests: [] });
  const digest = `sha256:${createHash("sha256").update(manifest).digest("hex")}`;
  const asked: string[] = [];
  let said = digest;
  const registry = createServer((request, response) => {
    asked.push(request.url ?? "");
    const { port } = registry.address() as AddressInfo;
    if (request.url?.startsWith("/token?")) return void response.end(JSON.stringify({ token: "anybody" }));
    if (request.headers.authorization !== "Bearer anybody") {
      const challenge = `Bearer realm="http://127.0.0.1:${port}/token",service="here",scope="repository:team/nginx:pull"`;
      return void response.writeHead(401, { "www-authenticate": challenge }).end();
    }
    if (!request.url?.startsWith("/v2/team/")) return void response.writeHead(404).end();
    response.writeHead(200, { "docker-content-digest": said }).end(manifest);
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), "tonwerk-images-"));
  t.after(() => {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const dockerfile = `ARG NODE=${host}/team/node:22\nARG BASE=${host}/team/debian:12@sha256:${"0".repeat(64)}\nFROM \${NODE}\n`;
  const compose = `    image: ${host}/team/nginx:1.28-alpine\n  image: \${TONWERK_IMAGE:-tonwerk}\n`;
  writeFileSync(join(folder, "Dockerfile"), dockerfile);
  writeFileSync(join(folder, "compose.yaml"), compose);
  const read = (file: string) => readFileSync(join(folder, file), "utf8");

  await assert.rejects(pin(folder, "--check"), /Command failed/);
  assert.equal(asked.length, 0, "a check asks nobody");
  await pin(folder);
  assert.ok(asked.some((url) => url.includes("scope=repository%3Ateam%2Fnginx%3Apull")));
  assert.equal(read("Dockerfile"), dockerfile.replace("/node:22\n", `/node:22@${digest}\n`));
  assert.equal(read("compose.yaml"), compose.replace("1.28-alpine", `1.28-alpine@${digest}`));
  await pin(folder, "--check");
  await pin(folder, "--renew");
  assert.ok(read("Dockerfile").includes(`/debian:12@${digest}`));
  said = `sha256:${"1".repeat(64)}`;
  await assert.rejects(pin(folder, "--renew"), /Cannot pin/);
});

/**
 * Images that the repository names by a tag still: no registry could be reached where this was written. `npm run pin-images` empties this list;
 * an image that is not in it must have its digest, and one that has it must go from here.
 */
const BY_TAG = [
  ...["node:22-bookworm-slim", "debian:bookworm-slim", "nginx:1.28-alpine", "postgres:17-alpine", "redis:7-alpine"],
  ...["versity/versitygw:v1.8.0", "prom/prometheus:v3.5.0", "grafana/grafana:12.1.0"],
];

test("images have a digest, or are known to have none", () => {
  const text = ["Dockerfile", "compose.yaml"].map((file) => readFileSync(join(root, file), "utf8")).join("\n");
  const images = [...text.matchAll(/^(?:ARG (?:NODE|BASE)=|\s+image: )([^\s$]+)$/gm)].map(([, image]) => image!);
  assert.ok(images.length >= 8);
  for (const image of images) assert.match(image, /:[\w.-]*\d[\w.-]*|:bookworm/, `${image} names a version`);
  assert.deepEqual(
    images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image)),
    BY_TAG,
  );
});
