/**
 * What this generator itself can do on this machine: the same requests against a server beside it that only answers.
 */
import { openConnections } from "./connections.ts";
import { mergeCounts, quantileOf } from "./histogram.ts";
import { joinSlices, latencyOf, runAtPace } from "./pace.ts";

export interface Generator {
  /** Requests a second that it reaches at most. */
  readonly most: number;
  /** Milliseconds at a tenth of that: what it and the machine add to every latency. */
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly late_p99_ms: number;
}

/** Asked for as many as no process here reaches, for so long. */
const FLOOD = 60_000;
const FLOOD_SECONDS = 1;
const QUIET_SECONDS = 2;

export async function measureGenerator(): Promise<Generator> {
  const worker = new Worker(new URL("./answering.ts", import.meta.url), { type: "module" });
  const url = await new Promise<string>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(String(data));
    worker.onerror = (event) => reject(new Error(`Cannot start the server that only answers: ${event.message}`));
  });
  const connections = openConnections(url, { connections: 128, timeout_ms: 10_000 });
  try {
    const begin = async () => {
      const { status } = await connections.ask({
        method: "GET",
        url: "/v1/x?id=op_00000000000000000000000000",
        head: "",
      });
      return status === 200 ? {} : { failed: String(status) };
    };
    const load = { patience_ms: 5_000, warm_up_s: 0.5 };
    const flood = await runAtPace(begin, { ...load, rate: FLOOD, seconds: FLOOD_SECONDS });
    const quiet = await runAtPace(begin, { ...load, rate: Math.max(10, flood.achieved / 10), seconds: QUIET_SECONDS });
    const whole = joinSlices(quiet.slices);
    return {
      most: flood.achieved,
      p50_ms: latencyOf(whole, 0.5),
      p99_ms: latencyOf(whole, 0.99),
      late_p99_ms: quantileOf(mergeCounts([quiet.late]), 0, 0.99),
    };
  } finally {
    connections.close();
    worker.terminate();
  }
}
