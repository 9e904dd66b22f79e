/** An operation is read, waited for and rendered: by its own account, as long as it is kept. */
import { requireAction, visibleActions } from "../accounts/key_rights.ts";
import type { Principal } from "../accounts/keyring.ts";
import type { Limits } from "../accounts/limits.ts";
import type { Registry } from "../actions/registered.ts";
import { renderOperation, type SignDownload, type WebhookFate } from "../actions/render.ts";
import type { Config } from "../base/config.ts";
import { refuse } from "../base/errors.ts";
import type { Clock, OperationFilter, OperationsStore, Snapshot } from "../ports/mod.ts";
import type { Relics } from "./relics.ts";
import type { UrlSigner } from "./urls.ts";
import type { Waiters } from "./waiters.ts";
import type { OperationWebhooks } from "./webhook.ts";

export interface ReadServices {
  readonly config: Pick<Config, "url_seconds" | "long_polls">;
  readonly store: Pick<OperationsStore, "snapshot" | "snapshots" | "list">;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly signer: UrlSigner;
  readonly waiters: Waiters;
  readonly limits: Limits;
}

export interface Reading {
  /**
   * The account's own operation of this action (any action when undefined); refuses with one 404 for everything else.
   */
  read(account: Principal, action: string | undefined, id: string): Promise<Snapshot>;
  /**
   * As `read`; where it is still processing, waits for its end for `ms_max`, 20 s at most. Refuses with 429 where the
   * account waits too often already.
   */
  wait(
    account: Principal,
    action: string | undefined,
    id: string,
    signal: AbortSignal,
    ms_max?: number,
  ): Promise<Snapshot>;
  /** Of these ids the account's own, in their order; outputs have their reports only where these are asked for. */
  readAll(account: Principal, ids: readonly string[], reports: boolean): Promise<readonly Snapshot[]>;
  /** As `readAll`; waits for the end of all of them, as one long-poll. */
  waitAll(
    account: Principal,
    ids: readonly string[],
    reports: boolean,
    signal: AbortSignal,
  ): Promise<readonly Snapshot[]>;
  /** The account's operations, newest first: of a key that may see some actions alone, those. */
  list(account: Pick<Principal, "id" | "key">, filter: OperationFilter): Promise<readonly Snapshot[]>;
  /**
   * `{ [wrapper]: operation }`, with signed URLs, its place in the queue and, where that is given, how its webhook
   * fares.
   */
  render(operation: Snapshot, fate?: WebhookFate | null): Record<string, unknown>;
  /** The same as JSON, with how its webhook fares. */
  text(operation: Snapshot): string | Promise<string>;
  /** What an operation that was read here is rendered by. */
  readonly actionOf: Relics["actionOf"];
  readonly fateOf: OperationWebhooks["fateOf"];
  readonly sign: SignDownload;
}

/** The specification's long-poll limit. */
const WAIT_MS = 20_000;

export function createSigning({ config, signer }: Pick<ReadServices, "config" | "signer">): SignDownload {
  return (object, since) => signer.sign({ key: object, seconds: config.url_seconds, since });
}

export function createReading(
  { config, store, clock, registry, waiters, limits }: ReadServices,
  sign: SignDownload,
  { actionOf, learn }: Relics,
  { fateOf }: Pick<OperationWebhooks, "fateOf">,
): Reading {
  const render: Reading["render"] = (operation, fate) => {
    const action = actionOf(operation);
    if (action === undefined) throw refuse.operationNotFound();
    return renderOperation(action, operation, sign, undefined, fate);
  };

  /** A store that hands out the same snapshot again says that nothing has changed. */
  const texts = new WeakMap<Snapshot, string>();
  const text: Reading["text"] = (operation) => {
    const known = texts.get(operation);
    if (known !== undefined) return known;
    const fate = fateOf(operation);
    if (fate instanceof Promise) return fate.then((read) => JSON.stringify(render(operation, read)));
    const made = JSON.stringify(render(operation, fate));
    // What has ended is shown with URLs that are signed anew.
    if (operation.status === "processing") texts.set(operation, made);
    return made;
  };

  const isShown = (operation: Snapshot | undefined, account: Principal): operation is Snapshot =>
    operation?.account_id === account.id &&
    actionOf(operation) !== undefined &&
    // Retention is promised to the millisecond; the sweep that deletes the rows comes later.
    (operation.expires_at === null || operation.expires_at > clock.now());

  const read: Reading["read"] = async (account, action, id) => {
    const operation = await store.snapshot(id);
    if (operation?.account_id === account.id) await learn([operation]);
    if (!isShown(operation, account)) throw refuse.operationNotFound();
    if (action !== undefined && operation.action !== action) throw refuse.operationNotFound();
    requireAction(account, operation.action);
    return operation;
  };

  const readAll: Reading["readAll"] = async (account, ids, reports) => {
    const read = await store.snapshots(ids, reports);
    await learn(read.filter(({ account_id }) => account_id === account.id));
    const found = new Map(read.map((operation) => [operation.id, operation]));
    const shown = ids.map((id) => found.get(id)).filter((operation) => isShown(operation, account));
    for (const { action } of shown) requireAction(account, action);
    return shown;
  };

  const enter = async (account: Principal): Promise<() => void> => {
    const leave = await limits.enter(account.id, account.long_polls ?? config.long_polls);
    if (leave !== undefined) return leave;
    // When the oldest has been answered at the latest; of those on other nodes nothing is known.
    const waited_ms = clock.now() - (limits.openSince(account.id) ?? clock.now());
    throw refuse.tooMany("too_many_long_polls", (WAIT_MS - waited_ms) / 1000, "Too many open long-polls");
  };

  return {
    sign,
    render,
    actionOf,
    text,
    fateOf,
    read,
    readAll,

    async list(account, filter) {
      const actions = visibleActions(account, filter.actions, registry.actions.keys());
      const found = await store.list(account.id, actions === filter.actions ? filter : { ...filter, actions });
      await learn(found);
      return found;
    },

    async wait(account, action, id, signal, ms_max = WAIT_MS) {
      const leave = await enter(account);
      // Registered before the read: an end between the two is seen by one or the other.
      const waiting = waiters.wait(id, ms_max, signal);
      try {
        const seen = await read(account, action, id);
        if (seen.status !== "processing") return seen;
        return (await waiting.ended) ?? (await read(account, action, id));
      } finally {
        waiting.leave();
        leave();
      }
    },

    async waitAll(account, ids, reports, signal) {
      const leave = await enter(account);
      const waiting = new Map(ids.map((id) => [id, waiters.wait(id, WAIT_MS, signal)]));
      try {
        const seen = await readAll(account, ids, reports);
        const open = seen.filter(({ status }) => status === "processing");
        if (open.length === 0) return seen;
        await Promise.all(open.map(({ id }) => waiting.get(id)?.ended));
        return await readAll(account, ids, reports);
      } finally {
        for (const one of waiting.values()) one.leave();
        leave();
      }
    },
  };
}
