/**
 * What a user's role lets them do in the dashboard. API keys have no role: they submit and read, and change nothing of
 * the account.
 */
import type { Role } from "../../../core/surface.ts";

/**
 * `read`: every page of the account. `run`: submit, upload, cancel, send webhooks again, deal with leak reports. The
 * others: change API keys, signing secrets, the account's settings (allowlist, webhooks and their endpoints, leaks),
 * and who may sign in; and read who did what. Rate limits and credits are the operator's. `operate`: no role has it; it
 * is a right of single users, which the shell gives.
 */
export type Permission = "read" | "run" | "keys" | "secrets" | "settings" | "members" | "audit" | "operate";

export const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: ["read", "run", "keys", "secrets", "settings", "members", "audit"],
  member: ["read", "run"],
};

export function may(role: Role, permission: Permission): boolean {
  return PERMISSIONS[role].includes(permission);
}
