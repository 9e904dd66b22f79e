// `node scripts/prove-image.mjs ROOT`: runs the steps of the Dockerfile, read from the file itself, where no container can run. ROOT is a
// clean Debian root file system (`debootstrap --variant=minbase --include=ca-certificates bookworm ROOT`); it stands for both base images,
// for the first with Node.js 22 and its npm added from the npm registry. Needs root, Linux and a way to the registry.
//
// What it shows: the install from the lock file works in an empty system; the image's size; the server starts as the image's user, without
// capabilities, on a read-only root with only /data and /tmp writable; its health check passes; it writes nothing else; SIGTERM ends it with 0.
import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const base = resolve(process.argv[2] ?? "");
if (process.argv[2] === undefined || !existsSync(join(base, "bin", "sh"))) {
  console.error("Usage: node scripts/prove-image.mjs ROOT, a folder with a clean Debian in it");
  process.exit(2);
}
const NODE_VERSION = "22";
const NPM_VERSION = "10";
const HEALTHY_MS_MAX = 30_000;

/** @param {string} program @param {readonly string[]} args @param {import("node:child_process").SpawnSyncOptions} [options] */
function run(program, args, options = {}) {
  const { status, error, stderr } = spawnSync(program, args, { stdio: ["ignore", "inherit", "inherit"], ...options });
  if (status !== 0)
    throw new Error(`'${program} ${args.join(" ")}' ${error?.message ?? `ended with ${status}`} ${stderr ?? ""}`);
}

/** Instructions with continued lines joined; comments and empty lines left out. @param {string} text */
function instructionsOf(text) {
  return text
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, word = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
      if (word === "") throw new Error(`Cannot read the Dockerfile's line "${line}"`);
      return { word, rest };
    });
}

const work = mkdtempSync(join(tmpdir(), "tonwerk-image-"));
const context = join(work, "context");
mkdirSync(context);
// What git has, as a builder of a fresh clone gets it.
run("sh", ["-c", `git -C "${home}" archive HEAD | tar -x -C "${context}"`]);

/** @typedef {{ root: string, workdir: string, env: Record<string, string>, user: string, cmd: string[], health: string[], volumes: string[] }} Stage */
/** @type {Map<string, Stage>} */
const stages = new Map();
/** @type {Record<string, string>} */
const builder = {};
let stage = /** @type {Stage} */ (/** @type {unknown} */ (undefined));

/** @param {Stage} of @param {readonly string[]} args @param {Record<string, string>} extra */
const chrooted = (of, args, extra = {}) =>
  run("chroot", [of.root, "/bin/sh", "-c", `cd "${of.workdir}" && ${args.join(" ")}`], {
    env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", ...of.env, ...extra },
  });

/** Node.js and npm as the official image has them. @param {string} root */
function addNode(root) {
  const folder = join(work, "node");
  run("npm", [
    "install",
    "--silent",
    "--prefix",
    folder,
    `node-linux-${process.arch}@${NODE_VERSION}`,
    `npm@${NPM_VERSION}`,
  ]);
  copyFileSync(
    join(folder, "node_modules", `node-linux-${process.arch}`, "bin", "node"),
    join(root, "usr/local/bin/node"),
  );
  mkdirSync(join(root, "usr/local/lib/node_modules"), { recursive: true });
  cpSync(join(folder, "node_modules/npm"), join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm"));
}

/** How this machine reaches the registry; a builder's network, no part of the image. @param {string} root */
function addNetwork(root) {
  for (const file of ["/etc/resolv.conf", "/etc/hosts"]) copyFileSync(file, join(root, file));
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates !== undefined) copyFileSync(certificates, join(root, "etc/ssl/certs/ca-certificates.crt"));
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_registry|(https?|no)_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name),
  );
  const npm = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout.trim();
  return { npm_config_registry: npm, ...Object.fromEntries(passed.map(([name, value]) => [name, value ?? ""])) };
}

/** @type {Record<string, string>} */
let network = {};
for (const { word, rest } of instructionsOf(readFileSync(join(context, "Dockerfile"), "utf8"))) {
  console.log(`── ${word} ${rest.slice(0, 110)}`);
  const filled = rest.replaceAll(/\$\{(\w+)\}/g, (_, name) => builder[name] ?? "");
  const words = filled.split(/\s+/);
  switch (word) {
    case "ARG": {
      const [name = "", ...value] = filled.split("=");
      builder[name] = value.join("=");
      break;
    }
    case "FROM": {
      const root = join(work, `stage${stages.size}`);
      run("cp", ["-a", base, root]);
      stage = { root, workdir: "/", env: {}, user: "0:0", cmd: [], health: [], volumes: [] };
      stages.set(words[2] ?? "", stage);
      if (words[0]?.startsWith("node:")) {
        addNode(root);
        network = addNetwork(root);
      }
      break;
    }
    case "WORKDIR":
      stage.workdir = filled;
      mkdirSync(join(stage.root, filled), { recursive: true });
      break;
    case "COPY": {
      const from = words[0]?.startsWith("--from=") ? stages.get(words.shift()?.slice(7) ?? "")?.root : context;
      const to = join(stage.root, resolve(stage.workdir, words.at(-1) ?? ""));
      const sources = words.slice(0, -1);
      for (const source of sources) {
        const path = join(from ?? "", source);
        const isFolder = spawnSync("test", ["-d", path]).status === 0;
        const target =
          !isFolder && (sources.length > 1 || words.at(-1)?.endsWith("/")) ? join(to, basename(source)) : to;
        mkdirSync(dirname(target), { recursive: true });
        run(
          "cp",
          ["-a", "--no-preserve=ownership", isFolder ? `${path}/.` : path, isFolder ? `${target}/` : target].map(
            String,
          ),
        );
      }
      break;
    }
    case "RUN":
      chrooted(stage, [filled], network);
      break;
    case "ENV":
      for (const pair of words) stage.env[pair.slice(0, pair.indexOf("="))] = pair.slice(pair.indexOf("=") + 1);
      break;
    case "USER":
      stage.user = filled;
      break;
    case "VOLUME":
      stage.volumes.push(filled);
      break;
    case "CMD":
      stage.cmd = JSON.parse(filled);
      break;
    case "HEALTHCHECK":
      stage.health = JSON.parse(filled.slice(filled.indexOf("[")));
      break;
    case "EXPOSE":
    case "STOPSIGNAL":
      break;
    default:
      throw new Error(`Cannot run the Dockerfile's ${word}: this script does not know it`);
  }
}

const size = (path) => Number(spawnSync("du", ["-sb", path], { encoding: "utf8" }).stdout.split("\t")[0]);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
console.log(
  `\nImage: ${megabytes(size(stage.root))}, of which base ${megabytes(size(base))}, node_modules ${megabytes(size(join(stage.root, "app/node_modules")))}`,
);

// As a container: own mounts and processes, root read-only, /data the only volume, /tmp in memory, no capability, no way to get one.
const data = join(work, "data");
run("install", ["-d", "-o", stage.user.split(":")[0] ?? "0", "-g", stage.user.split(":")[1] ?? "0", "-m", "700", data]);
const [uid, gid] = stage.user.split(":");
const port = String(20_000 + Math.floor(Math.random() * 20_000));
const env = { ...stage.env, PORT: port };
const inside = `
  set -e
  mount --bind '${stage.root}' '${stage.root}'
  mount --bind '${data}' '${stage.root}/data'
  mount -t tmpfs -o mode=1777 tmpfs '${stage.root}/tmp'
  mount -t proc proc '${stage.root}/proc'
  mount -t tmpfs -o mode=755 tmpfs '${stage.root}/dev'
  for device in null zero random urandom; do touch '${stage.root}'/dev/$device; mount --bind /dev/$device '${stage.root}'/dev/$device; done
  mount -o remount,ro,bind '${stage.root}'
  cd '${stage.root}'
  exec /usr/sbin/chroot '${stage.root}' /usr/bin/setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs --inh-caps=-all \\
    --bounding-set=-all /bin/sh -c "cd ${stage.workdir} && exec ${stage.cmd.join(" ")}"`;

const began = Date.now();
const child = spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inside], {
  env,
  stdio: ["ignore", "pipe", "pipe"],
});
let printed = "";
child.stdout.on("data", (chunk) => (printed += chunk));
child.stderr.on("data", (chunk) => (printed += chunk));
// A step that fails ends this script; the server must not outlive it.
process.on("exit", () => child.kill("SIGKILL"));
const exited = new Promise((done) => child.on("close", (code) => done(code)));

/** The server: unshare's child, which became it by exec. Empty before. */
const pid = () => spawnSync("pgrep", ["-P", String(child.pid)], { encoding: "utf8" }).stdout.trim();
/** The image's own health check, in the image. */
const healthy = () =>
  spawnSync(
    "nsenter",
    ["-t", pid(), "-m", "-p", "--", "/usr/sbin/chroot", "--userspec", stage.user, stage.root, ...stage.health],
    {
      env,
      stdio: "ignore",
    },
  ).status === 0;
let healthy_ms = 0;
while (healthy_ms === 0) {
  if (child.exitCode !== null || Date.now() - began > HEALTHY_MS_MAX) {
    console.error(printed);
    throw new Error("The image's server did not become healthy");
  }
  if (pid() !== "" && healthy()) healthy_ms = Date.now() - began;
}
console.log(`Healthy ${healthy_ms} ms after the start, as ${stage.user} without capabilities on a read-only root`);

const status = readFileSync(`/proc/${pid()}/status`, "utf8");
const fact = (name) => new RegExp(`^${name}:\\s*(.*)$`, "m").exec(status)?.[1] ?? "";
console.log(
  `uid ${fact("Uid")}, CapEff ${fact("CapEff")}, NoNewPrivs ${fact("NoNewPrivs")}, memory ${megabytes(Number.parseInt(fact("VmRSS"), 10) * 1024)}`,
);
if (!/^0+$/.test(fact("CapEff")) || fact("NoNewPrivs") !== "1" || fact("Uid").startsWith("0"))
  throw new Error("It has rights that it should not have");
const write = spawnSync("nsenter", ["-t", pid(), "-m", "--", "sh", "-c", `touch '${stage.root}/app/x' 2>&1`], {
  encoding: "utf8",
});
if (write.status === 0) throw new Error("The root is writable");
console.log(`Writing elsewhere: ${write.stdout.trim().replace(stage.root, "")}`);

// A first start prints its key once, after it has begun to listen.
while (!/tonwerk_[0-9A-Za-z]{36}/.test(printed)) await new Promise((done) => setTimeout(done, 50));
const key = /tonwerk_[0-9A-Za-z]{36}/.exec(printed)?.[0] ?? "";
const headers = { authorization: `Bearer ${key}` };
const body = readFileSync(join(context, "examples/song.flac"));
const upload = await (await fetch(`http://127.0.0.1:${port}/v1/files`, { method: "PUT", headers, body })).json();
const submitted = await (
  await fetch(`http://127.0.0.1:${port}/v1/adapt.normalise_loudness`, {
    method: "PUT",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ idempotency_key: crypto.randomUUID(), source: { url: upload.file.url } }),
  })
).json();
const { id } = submitted.normalised_audio;
let operation = submitted.normalised_audio;
while (operation.status === "processing") {
  operation = (
    await (await fetch(`http://127.0.0.1:${port}/v1/adapt.normalise_loudness?id=${id}&wait=true`, { headers })).json()
  ).normalised_audio;
}
if (operation.status !== "ready") throw new Error(`The example failed: ${JSON.stringify(operation.error)}`);
console.log(
  `An upload of ${megabytes(body.byteLength)} was normalised by "${operation.output.engine}" to ${operation.output.loudness.lufs} LUFS`,
);

process.kill(Number(pid()), "SIGTERM");
const code = await exited;
console.log(`SIGTERM: exit ${code}; /data has ${readdirSync(data).sort().join(", ")}`);
if (code !== 0) throw new Error(printed);
rmSync(work, { recursive: true, force: true });
