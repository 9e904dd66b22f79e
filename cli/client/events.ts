/** The account's operations as they end. */
import type { Operation, Tonwerk } from "../../sdk/typescript/src/mod.ts";

/** How often the list is asked. */
const POLL_MS = 1_000;
const PAGE = 100;

export const typeOf = ({ action, status }: Pick<Operation, "action" | "status">): string => `${action}.${status}`;

/** The last operations that have ended, newest first. */
export async function listEnded(tonwerk: Tonwerk, limit: number, action: string | undefined): Promise<Operation[]> {
  const ended: Operation[] = [];
  if (limit === 0) return ended;
  for await (const operation of tonwerk.operations({ action, limit: PAGE })) {
    if (operation.status !== "processing") ended.push(operation);
    if (ended.length >= limit) break;
  }
  return ended;
}

/** Operations that end from now on, in full. Ends when `signal` aborts. */
export async function* followEnded(
  tonwerk: Tonwerk,
  action: string | undefined,
  signal: AbortSignal,
  onReady: () => void,
): AsyncGenerator<Operation, void, undefined> {
  /** In work when they were last seen. */
  const working = new Map<string, Operation>();
  const ended = new Set<string>();
  /** What was there before: older operations come into view where newer ones expire. */
  let since: string | undefined;
  while (!signal.aborted) {
    const page = await readNewest(tonwerk, action, since);
    const listed = new Set(page.map(({ id }) => id));
    const older = [...working.values()].filter(({ id }) => !listed.has(id));
    const now = [...(await Promise.all(older.map((operation) => operation.refresh()))), ...page.reverse()];
    for (const operation of now) {
      const { id, status, created_at } = operation;
      if (status === "processing") working.set(id, operation);
      else if (!ended.has(id)) {
        ended.add(id);
        if (working.delete(id) || (since !== undefined && created_at >= since)) yield await operation.refresh();
      }
    }
    if (since === undefined) onReady();
    since ??= page.at(-1)?.created_at ?? "";
    await pause(POLL_MS, signal);
  }
}

/** A page at least, and all that came after `since`. */
async function readNewest(tonwerk: Tonwerk, action: string | undefined, since = "9"): Promise<Operation[]> {
  const newest: Operation[] = [];
  for await (const operation of tonwerk.operations({ action, limit: PAGE })) {
    if (newest.length >= PAGE && operation.created_at < since) break;
    newest.push(operation);
  }
  return newest;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
