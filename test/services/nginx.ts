/** deploy/nginx.conf in a real nginx before a node on this machine. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../process.ts";
import { findProgram, type Running, startServer } from "./programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const HOST = "127.0.0.1";

export const nginx_missing =
  findProgram("nginx") === undefined ? "nginx is not installed (Debian: apt install nginx-light)" : undefined;

export interface Nginx extends Running {
  readonly port: number;
}

interface Before {
  /** Ports of the nodes that it asks in turn. */
  readonly api: number | readonly number[];
  /** The address that it calls them from. */
  readonly from: string;
}

/** Resolves once it answers for the nodes. */
export async function startNginx({ api, from }: Before): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "tonwerk-nginx-"));
  const port = await freePort();
  writeFileSync(join(folder, "nginx.conf"), configuration(folder, port, [api].flat(), from));
  const args = ["-c", join(folder, "nginx.conf"), "-p", folder];
  const isReady = async (): Promise<boolean> => (await fetch(`http://${HOST}:${port}/health`)).ok;
  const running = await startServer(findProgram("nginx")!, args, isReady, { folder });
  return {
    port,
    async kill() {
      await running.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where there is but one, nginx never takes it for failed. */
const serverAt = (port: number, nodes: number): string =>
  `server ${HOST}:${port}${nodes > 1 ? " max_fails=1 fail_timeout=2s" : ""};`;

/**
 * The file as compose.yaml mounts it, with addresses for what only compose's network has, and its own address towards
 * the node.
 */
function configuration(folder: string, port: number, api: readonly number[], from: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (of) => `${of}_temp_path ${folder}/${of};`,
  );
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const replaced: readonly (readonly [string, string])[] = [
    ["worker_processes auto;", "worker_processes 1;"],
    // One process: a worker outlives a master that is killed.
    ["pid /run/nginx.pid;", `pid ${folder}/nginx.pid; daemon off; master_process off; error_log stderr; ${user}`],
    ["http {", `http { ${temporary.join(" ")}`],
    ["resolver 127.0.0.11 valid=5s;", ""],
    ["server api:8787 resolve max_fails=1 fail_timeout=2s;", api.map((one) => serverAt(one, api.length)).join(" ")],
    ["listen 8080;", `listen ${HOST}:${port};`],
    ["proxy_pass http://api;", `proxy_pass http://api; proxy_bind ${from};`],
  ];
  return replaced.reduce(
    (text, [from, to]) => {
      assert.ok(text.includes(from), `deploy/nginx.conf says "${from}"`);
      return text.replace(from, to);
    },
    readFileSync(join(root, "deploy/nginx.conf"), "utf8"),
  );
}
