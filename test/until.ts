import assert from "node:assert/strict";

/** So long that only what hangs is told; a busy machine is none of a test's business. */
const PATIENCE_MS = 180_000;

/** Polls until `look` finds something, and resolves to it; a test that waits in vain fails with what it waited for. */
export async function until<T>(
  look: () => T | Promise<T>,
  every_ms = 5,
): Promise<Exclude<T, false | null | undefined>> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found as Exclude<T, false | null | undefined>;
    assert.ok(performance.now() < end, `Waited in vain: ${look}`);
    await new Promise((resolve) => setTimeout(resolve, every_ms));
  }
}
