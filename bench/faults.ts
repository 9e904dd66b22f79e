/**
 * `bun bench/faults.ts [seconds=60]` (or `deno run -A --no-check …`): 3 api nodes and 2 workers on Postgres, Redis and S3 started for real, under
 * load, while each service in turn stops for so long, is emptied, or answers with errors through a proxy. Tells how soon after the service's
 * return a submission was accepted and its operation had ended, and fails where anything acknowledged was lost, a request hung, or the
 * ledger is wrong.
 */
import { args, exit, runtime } from "../core/adapters/runtime/runtime.ts";
import { faultCampaign } from "../test/e2e/fault_campaign.ts";
import { startFleet } from "../test/e2e/fleet.ts";

const [seconds = "60"] = args;
const fleet = await startFleet();
try {
  console.log(`${runtime.name} ${runtime.version}, outages of ${seconds} s`);
  const { acknowledged, refused } = await faultCampaign(fleet, {
    pace_ms: 50,
    outage_ms: Number(seconds) * 1000,
    spent: 0,
    say: (line) => console.log(line),
  });
  console.log(
    `${acknowledged} acknowledged, none lost; ${refused} refused or cut off meanwhile, all accepted afterwards`,
  );
} finally {
  await fleet.close();
}
exit(0);
