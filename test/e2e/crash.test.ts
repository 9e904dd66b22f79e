import { test } from "node:test";
import { killCampaign } from "./kill_campaign.ts";

// The short form of `bun bench/kill.ts 20`.
test("kill -9 under load, 3 times: nothing acknowledged is lost or charged twice, and every operation ends", async () => {
  await killCampaign({ kills: 3 });
});
