/** The account's operations as they end. */
import type { Operation, Tonwerk } from "../../sdk/typescript/src/mod.ts";

const PAGE = 100;

export const typeOf = ({ action, status }: Pick<Operation, "action" | "status">): string => `${action}.${status}`;

/** The last operations that have ended, newest first. */
export async function listEnded(tonwerk: Tonwerk, limit: number, action: string | undefined): Promise<Operation[]> {
  const ended: Operation[] = [];
  if (limit === 0) return ended;
  for await (const operation of tonwerk.operations.list({ action, limit: PAGE })) {
    if (operation.status !== "processing") ended.push(operation);
    if (ended.length >= limit) break;
  }
  return ended;
}

/** Ends that a resumption may tell again are the newest ones. */
const REMEMBERED = 1_000;

/**
 * Operations that end from now on, each once and in full. Ends when `signal` aborts. @throws ApiError where the server
 * refuses.
 */
export async function* followEnded(
  tonwerk: Tonwerk,
  action: string | undefined,
  signal: AbortSignal,
  onOpen: () => void,
): AsyncGenerator<Operation, void, undefined> {
  try {
    // A stream that is resumed may tell ends of some seconds before it was first opened.
    const told = new Set((await listEnded(tonwerk, PAGE, undefined)).map(({ id }) => id));
    for await (const event of tonwerk.operations.events({ signal, onOpen })) {
      if (event.type === "progress") continue;
      const { operation } = event;
      if (told.has(operation.id) || (action !== undefined && operation.action !== action)) continue;
      told.add(operation.id);
      if (told.size > REMEMBERED) told.delete(told.values().next().value!);
      yield await operation.refresh();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
