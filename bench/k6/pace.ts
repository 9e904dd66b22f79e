/**
 * An open generator that is lighter than k6: fresh submissions at a fixed rate, latency counted from the moment that each was due, so that
 * neither a slow server nor a late generator can hide (no coordinated omission). A process of its own; prints one line of JSON.
 *
 *     URL=… KEYS=… RATE=4000 SECONDS=10 bun bench/k6/pace.ts
 */
import { randomUUID } from "node:crypto";

export interface Paced {
  readonly requests: number;
  readonly errors: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
}

const WARM_UP_SECONDS = 2;

async function pace(url: string, keys: readonly string[], rate: number, seconds: number): Promise<Paced> {
  // The first seconds of a fresh process say how its compiler warms up; their errors count, their latencies do not.
  const warm_up = Math.round(rate * WARM_UP_SECONDS);
  const total = warm_up + Math.round(rate * seconds);
  const latencies = new Float64Array(total);
  const answers: Promise<void>[] = [];
  let errors = 0;
  const began = performance.now() + 50;
  const submit = async (index: number): Promise<void> => {
    const due = began + (index / rate) * 1000;
    try {
      const response = await fetch(url, {
        method: "PUT",
        headers: { authorization: `Bearer ${keys[index % keys.length]}`, "content-type": "application/json" },
        body: `{"idempotency_key":"${randomUUID()}","source":{"url":"https://example.com/song.flac"}}`,
      });
      await response.arrayBuffer();
      if (response.status !== 200) errors += 1;
    } catch {
      // A connection that broke is what is counted.
      errors += 1;
    }
    latencies[index] = performance.now() - due;
  };
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.ceil(((performance.now() - began) / 1000) * rate));
    while (sent < due) answers.push(submit(sent++));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(answers);
  const counted = latencies.subarray(warm_up).sort();
  const quantile = (q: number): number => counted[Math.floor(q * (counted.length - 1))] ?? 0;
  return {
    requests: counted.length,
    errors,
    p50_ms: quantile(0.5),
    p95_ms: quantile(0.95),
    p99_ms: quantile(0.99),
    max_ms: quantile(1),
  };
}

const { URL: url = "", KEYS = "", RATE, SECONDS } = process.env;
console.log(JSON.stringify(await pace(url, KEYS.split(","), Number(RATE), Number(SECONDS))));
