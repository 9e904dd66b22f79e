/**
 * What a client changes of an operation: cancel it, send its webhook again. Once for each idempotency key, as with
 * submissions.
 */
import { hash } from "node:crypto";
import type { Principal } from "../accounts/keyring.ts";
import { createLimits } from "../accounts/limits.ts";
import { DAY_MS } from "../base/basics.ts";
import type { Config } from "../base/config.ts";
import { issue, refuse } from "../base/errors.ts";
import type { Clock, KeysStore, KeyUse, Snapshot, Tallies, WebhooksStore } from "../ports/mod.ts";
import type { Endings } from "./end.ts";
import type { Reading } from "./read.ts";
import type { Answer } from "./submit.ts";

export interface ChangeServices {
  readonly config: Pick<Config, "retention_days">;
  readonly store: KeysStore & Pick<WebhooksStore, "redeliver">;
  readonly clock: Clock;
  /** What the nodes count together. */
  readonly tallies?: Tallies | undefined;
}

/**
 * Each refuses with 404 what the account does not have, and with 422 a key that another request has. Refused requests
 * bind no key.
 */
export interface Changes {
  /** Ends it as `canceled`; what has ended already is answered unchanged. */
  cancel(account: Principal, id: string, idempotency_key: string): Promise<Answer>;
  /**
   * Sends its webhook again, as a new schedule. Refuses with 422 where it has none, with 429 where that was asked for
   * too often.
   */
  redeliver(account: Principal, id: string, idempotency_key: string): Promise<Answer>;
  /**
   * Does `work` once for a key, and repeats its answer. `what`: the request in words, the same for the same one.
   * `check` runs before the key is bound. Work that a crash broke off is done again.
   */
  once(
    account: Pick<Principal, "id">,
    what: string,
    idempotency_key: string,
    check: () => Promise<unknown>,
    work: () => Promise<string>,
  ): Promise<Answer>;
}

/**
 * Of one operation, and the time in which so many more are earned: each is up to ten requests to a host that the client
 * chose.
 */
const REDELIVERIES_MAX = 10;
const REDELIVERIES_MS = 3_600_000;

export function createChanges(
  { config, store, clock, tallies }: ChangeServices,
  { read, text }: Pick<Reading, "read" | "text">,
  { cancel }: Pick<Endings, "cancel">,
): Changes {
  const redeliveries = createLimits({ clock, tallies, window_ms: REDELIVERIES_MS });

  const callOf = ({ id: account_id }: Pick<Principal, "id">, what: string, key: string) => ({
    account_id,
    idempotency_key: key.toLowerCase(),
    fingerprint: hash("sha256", what, "hex"),
    expires_at: clock.now() + config.retention_days * DAY_MS,
  });
  type Call = ReturnType<typeof callOf>;

  /** The answer to repeat, if there is one yet. */
  const replayOf = ({ fingerprint }: Call, used: KeyUse | undefined): Answer | undefined => {
    if (used === undefined) return undefined;
    if (used.fingerprint !== fingerprint) throw refuse.keyReused();
    return used.response === null ? undefined : { body: used.response, replayed: true };
  };
  const findReplay = async (call: Call): Promise<Answer | undefined> =>
    replayOf(call, await store.keyUse(call.account_id, call.idempotency_key));

  /** Binds the key and its answer, unless another call under it came first. */
  const bind = async (call: Call, body: string): Promise<Answer> => {
    const used = await store.useKey({ ...call, response: body });
    return used.response === body ? { body, replayed: false } : replayOf(call, used)!;
  };

  const once: Changes["once"] = async (account, what, key, check, work) => {
    const call = callOf(account, what, key);
    const known = await findReplay(call);
    if (known !== undefined) return known;
    await check();
    // Before anything is done under it.
    const begun = replayOf(call, await store.useKey({ ...call, response: null }));
    return begun ?? bind(call, await work());
  };

  return {
    once,

    async cancel(account, id, key) {
      const call = callOf(account, `operations.cancel ${id}`, key);
      for (;;) {
        const known = await findReplay(call);
        if (known !== undefined) return known;
        const seen = await read(account, undefined, id);
        if (seen.status !== "processing") return bind(call, await text(seen));
        const body = await cancel(id, call);
        if (body !== undefined) return { body, replayed: false };
      }
    },

    async redeliver(account, id, key) {
      const call = callOf(account, `operations.redeliver ${id}`, key);
      const known = await findReplay(call);
      if (known !== undefined) return known;
      const operation = await read(account, undefined, id);
      const taken = await redeliveries.take(`redeliver:${id}`, "put", REDELIVERIES_MAX);
      if (!taken.ok)
        throw refuse.tooMany("redelivered_too_often", taken.retry_seconds, "This webhook was sent again too often");
      const body = await text(operation);
      if (
        await store.redeliver(id, `${operation.action}.${operation.status}`, clock.now(), { ...call, response: body })
      )
        return { body, replayed: false };
      return (await findReplay(call)) ?? refuseRedelivery(operation);
    },
  };
}

function refuseRedelivery({ status }: Snapshot): never {
  const why =
    status === "processing"
      ? "This operation has not ended yet; its webhook is sent when it does"
      : "This operation has no webhook: it was submitted without a callback_url, and no endpoint wanted to be told";
  throw refuse.invalid([issue(["body", "id"], "value_error", why)]);
}
