/** A server with its defaults, but for what would refuse so many requests, and two keys: a live one with credits in plenty, and a test key. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { newApiKey } from "../../core/base/keys.ts";
import { freePort, runFile, startProcess } from "../../test/process.ts";

const CLI = fileURLToPath(new URL("../../cli/tonwerk.ts", import.meta.url));

export interface AskedServer {
  readonly url: string;
  readonly live_key: string;
  readonly test_key: string;
  output(): string;
  stop(): Promise<void>;
}

export async function startAskedServer(): Promise<AskedServer> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-asked-"));
  const port = await freePort();
  const live_key = newApiKey();
  const env = {
    TONWERK_DATA: data,
    TONWERK_BASE_URL: `http://127.0.0.1:${port}`,
    TONWERK_FIRST_KEY: live_key,
    TONWERK_FIRST_CREDITS: "1000000000",
    ...{ TONWERK_PUT_PER_MINUTE: "0", TONWERK_GET_PER_MINUTE: "0", TONWERK_LONG_POLLS: "0", TONWERK_UPLOADS_OPEN: "0" },
    TONWERK_FREE_SECONDS: "0",
    // Nobody answers there: no source and no callback that is made up reaches anybody.
    TONWERK_DNS: "127.0.0.1:9",
  };
  const server = await startProcess(env, port);
  const [program, ...args] = [process.execPath, ...runFile(CLI), "keys", "create", "--mode", "test", "--json"];
  const made = await promisify(execFile)(program!, args, { env: { ...process.env, ...env } });
  return {
    url: server.url,
    live_key,
    test_key: (JSON.parse(made.stdout) as { key: string }).key,
    output: server.output,
    async stop() {
      server.kill("SIGTERM");
      await server.exited;
      await rm(data, { recursive: true, force: true });
    },
  };
}
