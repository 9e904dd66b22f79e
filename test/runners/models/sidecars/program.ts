/**
 * A sidecar's program for tests: serves at the address that comes first, as the word says that comes second. `ends-at-work` and `fills-memory` do so
 * when they are asked for a piece; `helped` has a process of its own beside it, whose number it says as its device.
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { type Behaviour, HEALTH, json, startServer } from "./server.ts";

const [url = "", how = ""] = process.argv.slice(2);
if (how === "ends-at-once") {
  console.error("No module named torch");
  process.exit(3);
}
const kept: Uint8Array[] = [];
const atWork: Readonly<Record<string, Behaviour>> = {
  "ends-at-work": () => process.kill(process.pid, "SIGKILL"),
  "fills-memory": () => setInterval(() => kept.push(new Uint8Array(20_000_000).fill(1)), 5),
};
const helper = how === "helped" ? spawn("sleep", ["600"], { stdio: "ignore" }) : undefined;
const server = await startServer(url.startsWith("unix:") ? url.slice("unix:".length) : undefined);
server.behave({
  "GET /v1/health": json({ ...HEALTH, device: `${process.pid} ${helper?.pid ?? ""} ${process.env.SIDE_WORD ?? ""}` }),
  ...(atWork[how] === undefined ? {} : { "POST /v1/generate": atWork[how] }),
});
