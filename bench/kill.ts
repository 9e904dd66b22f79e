/** `bun bench/kill.ts [kills]`: the kill campaign in its long form, 20 kills by default. */
import { killCampaign } from "../test/e2e/kill_campaign.ts";

const kills = Number(process.argv[2] ?? 20);
const { restart_ms, ...counts } = await killCampaign({ kills });
const sorted = [...restart_ms].sort((one, other) => one - other);
console.log(counts);
console.log(
  `restart to healthy: median ${sorted[sorted.length >> 1]?.toFixed(0)} ms, worst ${sorted.at(-1)?.toFixed(0)} ms`,
);
