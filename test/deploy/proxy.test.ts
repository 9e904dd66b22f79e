/** deploy/nginx.conf in a real nginx before a real node: what a client writes into X-Forwarded-For moves no allowlist. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { newApiKey } from "../../core/base/keys.ts";
import { freePort, runFile, startProcess } from "../process.ts";
import { nginx_missing, startNginx } from "../services/nginx.ts";
import { findProgram } from "../services/programs.ts";
import { whenThere } from "../services/services.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const curl = findProgram("curl");
const missing = nginx_missing ?? (curl === undefined ? "curl is not installed" : undefined);

/** Addresses of the loopback interface stand for those of compose.yaml's network, which Docker's own gateway is one of: so is a client's. */
const [API, BALANCER, CLIENT, STRANGER] = ["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"];

/** What compose.yaml has the nodes believe, in this network. */
const [, trusted = ""] = /TONWERK_TRUSTED_PROXIES: (\S+)/.exec(readFileSync(join(root, "compose.yaml"), "utf8")) ?? [];

whenThere("deploy/nginx.conf before a node", missing, () => {
  test("an allowlist is judged by the address that the balancer was called from, whatever a client writes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tonwerk-proxy-"));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const [api, key] = [await freePort(), newApiKey()];
    const node = {
      TONWERK_DATA: join(folder, "data"),
      TONWERK_TRUSTED_PROXIES: trusted.replace("172.30.77.", "127.0.0."),
      TONWERK_FIRST_KEY: key,
    };
    const service = await startProcess(node, api);
    const balancer = await startNginx({ api, from: BALANCER! });
    const { port } = balancer;
    /** Status of a request from this address of ours, at the balancer or past it, with what it claims. */
    const ask = async (from: string, to: number, claims: readonly string[] = []): Promise<number> => {
      const claimed = claims.flatMap((one) => ["-H", `X-Forwarded-For: ${one}`]);
      const options = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--interface", from, ...claimed];
      const url = `http://${API}:${to}/v1/account`;
      return Number((await run(curl!, [...options, "-H", `Authorization: Bearer ${key}`, url])).stdout);
    };
    try {
      assert.equal(await ask(STRANGER!, port), 200, "no allowlist yet");
      const set = ["settings", "set", `allowlist=${CLIENT}`];
      await run(process.execPath, [...runFile(join(root, "cli/tonwerk.ts")), ...set], {
        env: { ...process.env, ...node },
      });
      assert.equal(await ask(CLIENT!, port), 200);
      assert.equal(await ask(CLIENT!, port, [STRANGER!]), 200, "what it claims does not hurt it either");
      assert.equal(await ask(STRANGER!, port), 401);
      assert.equal(await ask(STRANGER!, port, [CLIENT!]), 401, "an address of its choice");
      assert.equal(await ask(STRANGER!, port, [`${CLIENT}, ${BALANCER}`]), 401, "a chain of its choice");
      assert.equal(await ask(STRANGER!, port, [CLIENT!, CLIENT!]), 401, "two headers");
      // Past the balancer, from its network: believed from nobody else.
      assert.equal(await ask(STRANGER!, api, [CLIENT!]), 401);
      assert.equal(await ask(CLIENT!, api), 200);
    } finally {
      await balancer.kill();
      service.kill("SIGTERM");
      await service.exited;
    }
  });
});

test("a node that others reach without a proxy says so where its runtime needs one", async () => {
  const said = async (env: Readonly<Record<string, string>>): Promise<boolean> => {
    const folder = mkdtempSync(join(tmpdir(), "tonwerk-proxy-"));
    const service = await startProcess({ TONWERK_DATA: folder, ...env }, await freePort());
    service.kill("SIGTERM");
    await service.exited;
    rmSync(folder, { recursive: true, force: true });
    return service.output().includes('"level":"warn","event":"service.no_proxy"');
  };
  assert.equal(await said({ HOST: "0.0.0.0" }), "Deno" in globalThis);
  assert.equal(await said({ HOST: "0.0.0.0", TONWERK_TRUSTED_PROXIES: "127.0.0.2" }), false);
  assert.equal(await said({}), false);
});
