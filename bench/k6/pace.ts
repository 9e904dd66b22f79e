/**
 * The open generator of `tonwerk bench` (cli/bench/pace.ts) as a process of its own, for the suite, which also measures servers that are no Tonwerk.
 * Prints what it found as one line of JSON: a `Run`, with every failure by its reason.
 *
 *     URL=http://127.0.0.1:8787 KEYS=tonwerk_… MODE=submit RATE=5 SECONDS=10 bun bench/k6/pace.ts
 *
 * MODE (submit, replay, status), KEYS, PATH_OF_ACTION, IDS and BODIES as for wrk.lua.
 */
import { randomUUID } from "node:crypto";
import { type Ask, openConnections } from "../../cli/bench/connections.ts";
import { runAtPace } from "../../cli/bench/pace.ts";
import { exit } from "../../core/adapters/runtime/runtime.ts";

/** As many as wrk has. A request that finds none free waits, and its latency tells. */
const CONNECTIONS = 128;
const WARM_UP_S = 2;
const TIMEOUT_MS = 20_000;

const { URL: url, KEYS, MODE = "submit", RATE, SECONDS, PATH_OF_ACTION, IDS = "", BODIES = "" } = process.env;
if (!url || !KEYS || !RATE || !SECONDS)
  throw new Error("Cannot go on without URL, KEYS, RATE and SECONDS in the environment");
const path = PATH_OF_ACTION || "/v1/adapt.normalise_loudness";
const heads = KEYS.split(",").map((key) => `authorization: Bearer ${key}\r\ncontent-type: application/json\r\n`);
const headOf = (index: number): string => heads[index % heads.length]!;
const ids = IDS.split(",");
const bodies = BODIES.split("\n");

const MAKE: Readonly<Record<string, (index: number) => Ask>> = {
  submit: (index) => ({
    method: "PUT",
    url: path,
    head: headOf(index),
    body: `{"idempotency_key":"${randomUUID()}","source":{"url":"https://source.invalid/song.flac"}}`,
  }),
  replay: (index) => ({
    method: "PUT",
    url: path,
    head: headOf(index % bodies.length),
    body: bodies[index % bodies.length]!,
  }),
  status: (index) => ({
    method: "GET",
    url: `${path}?id=${ids[index % ids.length]}`,
    head: headOf(index % ids.length),
  }),
};

const make = MAKE[MODE];
if (make === undefined) throw new Error(`There is no mode "${MODE}", only ${Object.keys(MAKE).join(", ")}`);
const connections = openConnections(url, { connections: CONNECTIONS, timeout_ms: TIMEOUT_MS });
const run = await runAtPace(
  async (index) => {
    const { status, fault } = await connections.ask(make(index));
    return status === 200 ? {} : { failed: fault ?? String(status) };
  },
  { rate: Number(RATE), seconds: Number(SECONDS), warm_up_s: WARM_UP_S, patience_ms: TIMEOUT_MS },
);
connections.close();
console.log(JSON.stringify(run));
exit(0);
