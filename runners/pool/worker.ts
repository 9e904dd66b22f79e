/** Entry point of a pool's thread, a Web Worker. */
import { host, type Send } from "./host.ts";
import type { ToHost } from "./messages.ts";
import { letOthersGoFirst } from "./priority.ts";

letOthersGoFirst("thread");

// `postMessage` of a dedicated worker; the DOM types know only the window's.
const scope = globalThis as unknown as {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  onmessage: ((event: MessageEvent<ToHost>) => void) | null;
};

const send: Send = (message, transfer = []) => scope.postMessage(message, transfer);
const receive = host(send, { isolated: false, nests_here: false });
scope.onmessage = ({ data }) => receive(data);

// Deno ends the worker without telling its parent, whose run would then wait for its time limit.
process.exit = ((code?: number | string | null): never => {
  send({ type: "dying", why: `process.exit(${code ?? process.exitCode ?? ""})` });
  throw new Error("Cannot exit from within a pool's thread");
}) as typeof process.exit;
