/** Where callbacks go: one host for the victim's and the attacker's. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { quantile } from "./judge.ts";

export const RECEIVER_HOST = "127.0.0.99";

export interface Hooks {
  /** Milliseconds from the end of a victim's job being asked for to its webhook. */
  readonly victim_ms: readonly number[];
  readonly missing: number;
  /** Requests to somebody who never asked for them. */
  readonly reflected: number;
}

/** For webhooks that are under way when a phase is over. */
const PATIENCE_MS = 5_000;

/** One host for all callbacks: `/hang/` is never answered, everything else at once. */
export async function startReceiver() {
  const asked = new Map<string, number>();
  let victim_ms: number[] = [];
  let reflected = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    request.resume();
    const name = path.split("/").at(-1) ?? "";
    const at = asked.get(name);
    if (at !== undefined) {
      victim_ms.push(performance.now() - at);
      asked.delete(name);
    }
    if (path.startsWith("/reflected/")) reflected += 1;
    if (path.startsWith("/drip/")) drip(response);
    else if (!path.startsWith("/hang/")) response.writeHead(204).end();
  });
  server.listen(0, RECEIVER_HOST);
  await once(server, "listening");
  const url = `http://${RECEIVER_HOST}:${(server.address() as { port: number }).port}`;
  return {
    url,
    victimUrl(name: string): string {
      asked.set(name, performance.now());
      return `${url}/victim/${name}`;
    },
    /** Since the last call; waits for what is on its way. */
    async take(): Promise<Hooks> {
      for (let waited = 0; asked.size > 0 && waited < PATIENCE_MS; waited += 20)
        await new Promise((resolve) => setTimeout(resolve, 20));
      const taken = { victim_ms, missing: asked.size, reflected };
      victim_ms = [];
      reflected = 0;
      asked.clear();
      return taken;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A song that comes byte by byte and does not end: slow enough to last, quick enough not to be idle. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "audio/wav" });
  response.write("RIFF");
  const timer = setInterval(() => response.write("x"), 1_000);
  response.on("close", () => clearInterval(timer));
}

/** Of one operation, in the time of an attack: what a person sends again by hand. */
const REFLECTED_MAX = 10;

/** What the attack did to the victim's webhooks, and to somebody. `difference_ms`: as for `judge`. */
export function hookFaults(
  quiet: Hooks | undefined,
  attacked: Hooks | undefined,
  difference_ms: number,
): readonly string[] {
  if (quiet === undefined || attacked === undefined) return [];
  const faults: string[] = [];
  const [before, after] = [quiet, attacked].map(({ victim_ms }) => quantile(victim_ms, 0.99));
  if (attacked.missing > 0) faults.push(`${attacked.missing} of the victim's webhooks did not come`);
  else if (!(after! <= 2 * before!) && after! - before! > difference_ms)
    faults.push(`webhook p99 ${before!.toFixed(0)} to ${after!.toFixed(0)} ms`);
  if (attacked.reflected > REFLECTED_MAX) faults.push(`${attacked.reflected} requests reflected`);
  return faults;
}
