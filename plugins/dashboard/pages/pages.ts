/** Every page, in the order in which routes are looked at. */
import type { Pages } from "../context.ts";
import { audioPages } from "./audio.ts";
import { auditPages } from "./audit.ts";
import { chosenDeliveryPages } from "./chosen_deliveries.ts";
import { deliveryPages } from "./deliveries.ts";
import { keyPages } from "./keys.ts";
import { leakPages } from "./leaks.ts";
import { linkPages } from "./link.ts";
import { memberPages } from "./members.ts";
import { operationPages } from "./operation.ts";
import { operationsPages } from "./operations.ts";
import { operatorAccountPages } from "./operator_accounts.ts";
import { operatorHealthPages } from "./operator_health.ts";
import { overviewPages } from "./overview.ts";
import { playgroundPages } from "./playground.ts";
import { profilePages } from "./profile.ts";
import { secretPages } from "./secrets.ts";
import { settingsPages } from "./settings.ts";
import { signInPages } from "./sign_in.ts";
import { uploadPages } from "./uploads.ts";
import { usagePages } from "./usage.ts";
import { webhookPages } from "./webhooks.ts";

export const PAGES: readonly Pages[] = [
  signInPages,
  linkPages,
  overviewPages,
  playgroundPages,
  uploadPages,
  operationsPages,
  operationPages,
  audioPages,
  usagePages,
  keyPages,
  secretPages,
  webhookPages,
  chosenDeliveryPages,
  deliveryPages,
  leakPages,
  memberPages,
  settingsPages,
  auditPages,
  profilePages,
  operatorHealthPages,
  operatorAccountPages,
];
