/** The open generator must not let a server that stalls slow its own measurement. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { runPace } from "../../bench/k6/k6.ts";

const RATE = 200;
const SECONDS = 1.5;
/** pace.ts leaves the latencies of its first 2 s out. */
const WARM_UP = 2 * RATE;

test("pace.ts counts a stall in every request that was due meanwhile", async () => {
  const STALL_MS = 500;
  let stalled: Promise<unknown> = Promise.resolve();
  const { row, seen } = await paced((index, answer) => {
    // One request is held, and with it all that come until it is answered.
    if (index === WARM_UP + 50) stalled = new Promise((resolve) => setTimeout(resolve, STALL_MS));
    void stalled.then(() => answer(200));
  });
  assert.equal(row.errors, 0);
  assert.equal(seen, WARM_UP + RATE * SECONDS, "every request that was due was sent, none twice");
  // 100 of the 300 that count were due while it lasted, so 15 of them (p95) waited for at least 425 ms; a closed loop would have asked again only
  // when it was answered.
  assert.ok(row.max_ms >= STALL_MS - 20, `the longest took ${row.max_ms} ms`);
  assert.ok(row.p95_ms >= STALL_MS / 2, `p95 is ${row.p95_ms} ms`);
});

test("pace.ts counts refusals and broken connections as errors", async () => {
  const { row } = await paced((index, answer) => answer(index % 10 === 0 ? 503 : index % 10 === 1 ? "break" : 200));
  assert.equal(row.errors, (2 * RATE * SECONDS) / 10);
  assert.equal(row.thresholds_ok, false);
});

type Answer = (status: 200 | 503 | "break") => void;

/** What pace.ts measured on a server that does as `decide` says with the request at `index`, and how many requests there were. */
async function paced(decide: (index: number, answer: Answer) => void) {
  let seen = 0;
  const server = createServer((request, response) => {
    const index = seen++;
    request.resume().on("end", () => {
      decide(index, (status) => {
        if (status === "break") request.socket.destroy();
        else response.writeHead(status, { "content-length": "2" }).end("{}");
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const url = `http://127.0.0.1:${address.port}`;
  const target = { name: "stub", process_id: process.pid, url, keys: ["key"], stop: async () => {} };
  try {
    return { row: await runPace(target, "submit", { rate: RATE, seconds: SECONDS }), seen };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
