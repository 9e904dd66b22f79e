/**
 * What people may type for names, labels, numbers and settings of accounts: checked and normalised, else a 422 that
 * names the field.
 */
import { type AccountSettings, issue, normalRange, refuse } from "../../core/surface.ts";

const LABEL_MAX = 100;
/** More would slow every request of the account, and mean that a proxy should do it. */
const RANGES_MAX = 200;
const LIMIT_MAX = 1_000_000;
const BYTES_MAX = 1_000_000_000_000_000;
/** Balances are sums: far below where whole numbers end. */
export const CREDITS_MAX = 1_000_000_000_000;

function wrong(field: string, msg: string): Error {
  return refuse.invalid([issue(["body", field], "value_error", msg)]);
}

/** Trimmed, 1 line, at most 100 code points. */
export function checkedText(field: string, text: string, characters_min = 0): string {
  const trimmed = text.trim();
  const characters = [...trimmed].length;
  if (characters < characters_min) throw wrong(field, "Must not be empty");
  if (characters > LABEL_MAX) throw wrong(field, `Must have at most ${LABEL_MAX} characters`);
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(trimmed) || !trimmed.isWellFormed()) {
    throw wrong(field, "Must be one line of text without control characters");
  }
  return trimmed;
}

export function checkedWhole(field: string, value: number, min: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw wrong(field, `Must be a whole number from ${min} to ${max}`);
}

type Checks = { readonly [Field in keyof AccountSettings]: (value: AccountSettings[Field]) => AccountSettings[Field] };

const limitOf =
  (field: string, max = LIMIT_MAX) =>
  (value: number | null): number | null =>
    value === null ? null : checkedWhole(field, value, 0, max);

const CHECKS: Checks = {
  put_per_minute: limitOf("put_per_minute"),
  get_per_minute: limitOf("get_per_minute"),
  long_polls: limitOf("long_polls"),
  free_seconds: limitOf("free_seconds"),
  uploads_open: limitOf("uploads_open"),
  upload_bytes: limitOf("upload_bytes", BYTES_MAX),
  jobs_max: (value) => checkedWhole("jobs_max", value, 0, LIMIT_MAX),
  webhook_body(value) {
    if (value === "operation" || value === "envelope") return value;
    throw wrong("webhook_body", "Must be operation or envelope");
  },
  webhook_long_retries: (value) => checkedFlag("webhook_long_retries", value),
  revoke_leaked: (value) => checkedFlag("revoke_leaked", value),
  allowlist(value) {
    if (value.length > RANGES_MAX) throw wrong("allowlist", `Must have at most ${RANGES_MAX} entries`);
    const ranges = value.map((text) => {
      const range = normalRange(text.trim());
      if (range === undefined)
        throw wrong("allowlist", `"${text}" is no address and no CIDR range such as 192.0.2.0/24 or 2001:db8::/32`);
      return range;
    });
    return [...new Set(ranges)];
  },
};

function checkedFlag(field: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw wrong(field, "Must be true or false");
}

export function checkedSettings(changes: Partial<AccountSettings>): Partial<AccountSettings> {
  const checked: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(CHECKS, field)) throw wrong(field, "There is no such setting");
    // One cast: field and check are of the same name.
    checked[field] = (CHECKS[field as keyof AccountSettings] as (value: unknown) => unknown)(value);
  }
  return checked as Partial<AccountSettings>;
}
