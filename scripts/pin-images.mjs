// `npm run pin-images`: writes the digest of each image that Dockerfile and compose.yaml name behind its tag (`nginx:1.28-alpine@sha256:…`), as
// the image's registry has it now; what is pinned already stays, `-- --renew` asks anew. `-- --check` asks nobody: exit 1 where one is not pinned.
// Needs a way to the registries, without an account. Look at the difference, and commit it.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FILES = ["Dockerfile", "compose.yaml"];
/** `ARG NODE=node:22@sha256:…`, `image: nginx:1.28@sha256:…`; not what a variable names. */
const REFERENCE = /^(ARG (?:NODE|BASE)=|\s+image: )([\w./:-]+?:[\w.-]+)(@sha256:[0-9a-f]{64})?$/gm;
/** A manifest, or a list of one for each platform, which a digest should name: it serves them all. */
const KINDS = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];

/** The SHA-256 of the very bytes that the registry gives for a reference. @param {string} reference `nginx:1.28-alpine` */
async function digestOf(reference) {
  const [first = "", ...rest] = reference.split("/");
  const has_host = rest.length > 0 && /[.:]/.test(first);
  const host = has_host ? first : "registry-1.docker.io";
  const path = has_host ? rest.join("/") : rest.length > 0 ? reference : `library/${reference}`;
  const [name, tag] = path.split(":");
  // As Docker does: only a registry on this machine is asked without TLS.
  const scheme = /^(?:localhost|127\.0\.0\.1)(?::|$)/.test(host) ? "http" : "https";
  const url = `${scheme}://${host}/v2/${name}/manifests/${tag}`;
  const headers = { accept: KINDS.join(", ") };
  let response = await fetch(url, { headers });
  if (response.status === 401) {
    const token = await tokenOf(response.headers.get("www-authenticate") ?? "");
    response = await fetch(url, { headers: { ...headers, authorization: `Bearer ${token}` } });
  }
  if (!response.ok) throw new Error(`Cannot look up "${reference}": ${host} answers ${response.status}`);
  const digest = `sha256:${createHash("sha256")
    .update(Buffer.from(await response.arrayBuffer()))
    .digest("hex")}`;
  const said = response.headers.get("docker-content-digest");
  if (said !== null && said !== digest)
    throw new Error(`Cannot pin "${reference}": ${host} says ${said}, sent ${digest}`);
  return digest;
}

/** A token for anybody, from where the registry sends us. @param {string} challenge `Bearer realm="…",service="…",scope="…"` */
async function tokenOf(challenge) {
  const { realm, ...asked } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
  if (realm === undefined) throw new Error(`Cannot sign in: the registry asks for "${challenge}"`);
  const response = await fetch(`${realm}?${new URLSearchParams(asked)}`);
  const { token, access_token } = await response.json();
  return token ?? access_token;
}

const root = process.env.PIN_IMAGES_IN ?? dirname(dirname(fileURLToPath(import.meta.url)));
const renew = process.argv.includes("--renew");
let unpinned = 0;
for (const file of FILES) {
  const path = join(root, file);
  let text = readFileSync(path, "utf8");
  for (const [line, before, reference, pinned] of text.matchAll(REFERENCE)) {
    if (pinned !== undefined && !renew) continue;
    if (process.argv.includes("--check")) {
      console.log(`${file}: "${reference}" is not pinned by digest`);
      unpinned++;
      continue;
    }
    const digest = await digestOf(reference);
    text = text.replace(line, `${before}${reference}@${digest}`);
    console.log(`${file}: ${reference}@${digest}`);
  }
  if (!process.argv.includes("--check")) writeFileSync(path, text);
}
process.exitCode = unpinned === 0 ? 0 : 1;
