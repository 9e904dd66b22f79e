/**
 * `POST /leaks`: reports of keys that were found in public, in the format of GitHub's secret scanning partner program:
 * a signed JSON array of `{ token, type, url, source }`, answered with `{ token_hash, token_type, label }` for each.
 * What is not a live key of ours is a `false_positive`; the others are recorded, their owners are mailed, and the
 * account decides whether the key is revoked at once.
 */
import { type Static, Type } from "@sinclair/typebox";
import {
  type AccountsStore,
  type Audit,
  type AuditStore,
  type Clock,
  checkApiKey,
  type Facade,
  hashApiKey,
  type Log,
  newId,
  parseBody,
  readBytes,
  refuse,
  SERVICE,
} from "../../../core/surface.ts";
import { hashToken } from "../people/sign_in_links.ts";
import { leakRefused } from "../refusals.ts";
import { type LeakKeys, verifyLeakSignature } from "./signature.ts";

export interface LeakServices {
  readonly store: Pick<AccountsStore, "findKey"> & AuditStore;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly audit: Audit;
  readonly keys: LeakKeys | null;
  /** False: nobody is mailed. */
  readonly can_mail: boolean;
  readonly validator: Facade["validator"];
  /** There is mail to send. */
  readonly wake: () => void;
}

/** A report for each place that a key was found in; a repository full of them is still far below. */
const LEAKS_BYTES_MAX = 4_000_000;
const REPORTS_MAX = 10_000;
/** Of what is kept of a report, in UTF-16 units. */
const URL_MAX = 2_000;
const SOURCE_MAX = 100;

export const LeakReports = Type.Array(
  Type.Object(
    {
      token: Type.String({ description: "The key as it was found" }),
      type: Type.String({ description: "The reporter's name for this kind of key" }),
      url: Type.Optional(Type.String({ description: "Where" })),
      source: Type.Optional(Type.String({ description: "What kind of place that is" })),
      // The reporter may say more one day; that must not lose a report.
    },
    { additionalProperties: true },
  ),
  { minItems: 1, maxItems: REPORTS_MAX },
);

export const LeakAnswer = Type.Array(
  Type.Object({
    token_hash: Type.String({ description: "Lower-case hexadecimal SHA-256 of the token" }),
    token_type: Type.String({ description: "The reporter's, as it was sent" }),
    label: Type.Union([Type.Literal("true_positive"), Type.Literal("false_positive")], {
      description: "true_positive: a live key of this installation",
    }),
  }),
);

export interface Leaks {
  receive(request: Request): Promise<Static<typeof LeakAnswer>>;
}

export function createLeaks({ store, clock, log, audit, keys, can_mail, validator, wake }: LeakServices): Leaks {
  const validate = validator(LeakReports);

  async function record(token: string, url: string, source: string): Promise<boolean> {
    if (!checkApiKey(token)) return false;
    const found = await store.findKey(hashApiKey(token));
    if (found === undefined) return false;
    const now = clock.now();
    const id = newId("leak_", now);
    const report = {
      id,
      account_id: found.account.id,
      key_id: found.key.id,
      source: source.slice(0, SOURCE_MAX).toWellFormed(),
      url: url.slice(0, URL_MAX).toWellFormed(),
      created_at: now,
    };
    const of = { account_id: found.account.id, target: found.key.id, details: { report: id, url: report.url } };
    // Written where the report revokes the key.
    const entry = audit.entry(SERVICE, "leak.revoked", of);
    const outcome = await store.audited(entry, "reportLeak", report, can_mail ? now : null);
    const revoked = outcome === "revoked";
    log("leak.reported", {
      account: found.account.id,
      key: found.key.id,
      outcome: revoked ? "recorded" : outcome,
      revoked,
    });
    return outcome !== "unknown";
  }

  return {
    async receive(request) {
      if (keys === null) throw leakRefused("This installation takes no leak reports: TONWERK_LEAK_KEYS is not set");
      const key_id = request.headers.get("github-public-key-identifier");
      const signature = request.headers.get("github-public-key-signature");
      if (key_id === null || signature === null) {
        throw leakRefused("Github-Public-Key-Identifier and Github-Public-Key-Signature are required");
      }
      // Signed are the bytes as they were sent, so they are judged before they are read.
      const body = keys.has(key_id) ? await readBytes(request, LEAKS_BYTES_MAX) : new Uint8Array(0);
      if (!verifyLeakSignature(keys, key_id, signature, body)) {
        log("leak.refused", { key: keys.has(key_id) ? key_id : "unknown" });
        throw leakRefused("The signature does not fit the body, or its key is not known here");
      }
      const checked = validate(parseBody(body));
      if (!checked.ok) throw refuse.invalid(checked.issues);
      const answer: Static<typeof LeakAnswer> = [];
      for (const { token, type, url, source } of checked.value as unknown as Static<typeof LeakReports>) {
        const real = await record(token, url ?? "", source ?? "");
        answer.push({
          token_hash: hashToken(token),
          token_type: type,
          label: real ? "true_positive" : "false_positive",
        });
      }
      wake();
      return answer;
    },
  };
}
