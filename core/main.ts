/** `npm start`: environment -> service -> socket, and an orderly end. */
import { randomUUID } from "node:crypto";
import { exit, onStop, serve } from "./adapters/runtime/runtime.ts";
import { loadConfig } from "./base/config.ts";
import { keepFilesPrivate } from "./base/data_folder.ts";
import { createLog } from "./base/log.ts";
import { UPLOAD_BYTES_MAX } from "./http/files.ts";
import { startService } from "./service.ts";
import { EXAMPLE, welcome } from "./welcome.ts";

/** Above the longest silent answer, a long-poll of 20 s. */
const IDLE_SECONDS = 30;

async function main(): Promise<void> {
  keepFilesPrivate();
  const config = loadConfig(process.env);
  const log = createLog((line) => process.stderr.write(`${line}\n`), config.log_level);
  const service = await startService(config, log);
  try {
    const stopMetrics = await service.telemetry.serve();
    const server = await serve({
      hostname: config.host,
      port: config.port,
      fetch: service.app,
      // Two uploads in a form of the dashboard are the most that any route takes; each counts for itself.
      body_bytes_max: 2 * UPLOAD_BYTES_MAX + 1_000_000,
      idle_seconds: IDLE_SECONDS,
    });
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
  console.log(
    welcome({
      base_url: config.base_url,
      first: service.first,
      greetings: await Promise.all(service.surfaces.map(async ({ greet }) => (await greet?.(service.first)) ?? [])),
      example: EXAMPLE,
      key: randomUUID(),
      actions: [...service.registry.actions.keys()],
    }),
  );
}

main().catch((error: unknown) => {
  // A message for the operator; the stack is only of use for what is not their mistake.
  console.error(error instanceof Error ? error.message : String(error));
  exit(1);
});
