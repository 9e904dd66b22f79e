/** How a node starts what does its work. */
import { test } from "node:test";
import { loadConfig } from "../../core/base/config.ts";
import { RUNNERS, startRunners } from "../../core/runners.ts";
import { until } from "../until.ts";

test("with the first run of a lane a second thread or process of it stands by", async () => {
  const config = loadConfig({ TONWERK_WORKERS: "1", TONWERK_ROLE: "api" });
  const { pool, tasks, close } = await startRunners(config, () => undefined);
  try {
    const run = (lane: "job" | "probe") =>
      pool.run(tasks.codec, { runners: RUNNERS }, { signal: new AbortController().signal, ms_max: 60_000, lane });
    await run("probe");
    await until(() => pool.stats().threads === 2 && pool.stats().busy === 0);
    await run("job");
    await until(() => pool.stats().processes === 2 && pool.stats().busy === 0);
  } finally {
    await close();
  }
});
