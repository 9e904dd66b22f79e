/** `npm start`: environment -> service -> socket, and an orderly end. */

import type { FirstAccount } from "./accounts/first_account.ts";
import { probeSeconds } from "./actions/long_sources.ts";
import { exit, onStop, runtime, serve } from "./adapters/runtime/runtime.ts";
import { loadConfig } from "./base/config.ts";
import { keepFilesPrivate } from "./base/data_folder.ts";
import { createLog, describeError, messageOf } from "./base/log.ts";
import { createFault } from "./http/app.ts";
import { startService } from "./service.ts";

/**
 * Above a long-poll of 20 s, the longest silent answer unless long uploads are looked at; and the most that Bun takes.
 */
const IDLE_SECONDS = 30;
const IDLE_SECONDS_MAX = 255;

const LOOPBACK = /^(?:127\.|::1$|localhost$)/u;

async function main(): Promise<void> {
  keepFilesPrivate();
  const config = loadConfig(process.env);
  const log = createLog((line) => process.stderr.write(`${line}\n`), config.log_level);
  const service = await startService(config, log);
  // In place of the runtime's own print, which is no line of a log.
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      log("service.error", { error: describeError(error) });
      exit(1);
    });
  }
  try {
    const stopMetrics = await service.telemetry.serve();
    const server = await serve({
      hostname: config.host,
      port: config.port,
      fetch: service.app,
      fault: createFault(service),
      // Two uploads in a form of the dashboard are the most that any route takes; each counts for itself.
      body_bytes_max: 2 * config.source_bytes + 1_000_000,
      idle_seconds: Math.min(IDLE_SECONDS_MAX, Math.max(IDLE_SECONDS, probeSeconds(config.source_seconds))),
    });
    if (runtime.needs_proxy && !LOOPBACK.test(config.host) && config.trusted_proxies.length === 0)
      log("service.no_proxy", { host: config.host, why: "see docs/deploying.md, In front of it" });
    onStop(async () => {
      log("service.draining");
      await service.drain(config.drain_seconds * 1000);
      await server.stop();
      await stopMetrics();
      await service.close();
      log("service.stopped");
      exit(0);
    });
  } catch (error) {
    await service.close();
    throw error;
  }
  const { surfaces, first, registry } = service;
  const greetings = await Promise.all(surfaces.map(async ({ greet }) => (await greet?.(first)) ?? []));
  console.log(
    [
      ...describeStart(config.base_url, first),
      `Actions         ${[...registry.actions.keys()].join(", ")}`,
      ...greetings.flat(),
    ].join("\n"),
  );
}

/** What a start prints before the surfaces do. */
function describeStart(base_url: string, first: FirstAccount | undefined): readonly string[] {
  const ready = ["", `Tonwerk is ready at ${base_url}`];
  if (first === undefined) return ready;
  const { api_key, signing_secret, credits } = first;
  return [
    ...ready,
    `API key         ${api_key}`,
    `Signing secret  ${signing_secret}`,
    "                Key and secret are shown this once and not stored in plain.",
    `Credits         ${credits}`,
  ];
}

main().catch((error: unknown) => {
  // A message for the operator; the stack is only of use for what is not their mistake.
  console.error(messageOf(error));
  exit(1);
});
