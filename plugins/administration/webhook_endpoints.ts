/** What accounts do with their webhook endpoints. Whatever changes one is written to the audit log, with the change. */
import {
  type Actor,
  createLimits,
  DAY_MS,
  type Endpoint,
  type EndpointAttempts,
  type EndpointChanges,
  type Facade,
  type Issue,
  issue,
  newId,
  newSecretRow,
  PING,
  type Principal,
  refuse,
} from "../../core/surface.ts";

const HOUR_MS = 3_600_000;
/** Test events of an endpoint and redeliveries of one webhook, and the time in which so many more are earned. */
const PINGS_MAX = 10;
/** Bulk redeliveries of an account: 20,000 deliveries an hour. */
const REDELIVERIES_MAX = 20;
/** Test events are seen among deliveries for so long. */
const PING_MS = 7 * DAY_MS;

/** As a validated body has it. */
export interface Wanted {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
  readonly enabled: boolean;
}

export type Rendered = ReturnType<typeof renderEndpoint>;

export function createEndpoints(facade: Facade) {
  const { store, clock, config, secrets, audit, log, actions, tallies, receiverProblem } = facade;
  const hourly = createLimits({ clock, tallies, window_ms: HOUR_MS });

  /** Refuses with 422 a URL that nothing may be sent to, and an action that there is not. */
  const check = ({ url, events = [] }: Partial<Wanted>): void => {
    const problem = url === undefined ? undefined : receiverProblem(url);
    const issues: Issue[] = problem === undefined ? [] : [issue(["body", "url"], problem.type, problem.msg)];
    for (const [index, pattern] of events.entries()) {
      const action = pattern.slice(0, pattern.lastIndexOf("."));
      if (action === "" || action === "*" || actions.has(action)) continue;
      issues.push(issue(["body", "events", index], "value_error", `No action is called "${action}"`));
    }
    if (issues.length > 0) throw refuse.invalid(issues);
  };

  const find = async (account: Pick<Principal, "id">, id: string): Promise<Endpoint> => {
    const endpoint = await store.endpoint(id);
    if (endpoint?.account_id !== account.id) throw refuse.resourceNotFound("webhook endpoint");
    return endpoint;
  };

  const attemptsOf = async (account: Pick<Principal, "id">): Promise<ReadonlyMap<string, EndpointAttempts>> => {
    const hour = clock.now() - (clock.now() % HOUR_MS);
    const found = await store.endpointAttempts(account.id, hour - DAY_MS + HOUR_MS);
    return new Map(found.map((one) => [one.endpoint_id, one]));
  };
  const render = async (account: Pick<Principal, "id">, id: string): Promise<Rendered> => {
    const [endpoint, attempts] = await Promise.all([find(account, id), attemptsOf(account)]);
    return renderEndpoint(endpoint, attempts.get(id));
  };
  const taken = () => refuse.conflict("Another webhook endpoint of the account has this URL");

  /** Counts what makes requests to hosts that the account chose. 429. */
  const take = async (name: string, max: number): Promise<void> => {
    const { ok, retry_seconds } = await hourly.take(name, "put", max);
    if (!ok) throw refuse.tooMany("redelivered_too_often", retry_seconds, "Webhooks were sent again too often");
  };

  return {
    find,
    render,
    /** For one bulk redelivery. */
    takeBulk: (account: Pick<Principal, "id">) => take(`redeliver_failed:${account.id}`, REDELIVERIES_MAX),
    /** For one delivery that is sent again. */
    takeOne: (webhook_id: string) => take(`redeliver:${webhook_id}`, PINGS_MAX),

    /** Sends a test event, attempted once, also where the endpoint is disabled. Resolves to its `webhook-id`. */
    async ping(account: Pick<Principal, "id">, id: string): Promise<string> {
      const { id: endpoint_id, url, host } = await find(account, id);
      await take(`ping:${endpoint_id}`, PINGS_MAX);
      const now = clock.now();
      const event = newId("evt_", now);
      const body = JSON.stringify({ type: PING, data: { webhook_endpoint: { id: endpoint_id } } });
      await store.announce(account.id, { id: event, endpoint_id, type: PING, url, host, body }, now, now + PING_MS);
      return event;
    },

    async list(account: Pick<Principal, "id">): Promise<readonly Rendered[]> {
      const [endpoints, attempts] = await Promise.all([store.endpoints(account.id), attemptsOf(account)]);
      return endpoints.map((endpoint) => renderEndpoint(endpoint, attempts.get(endpoint.id)));
    },

    async create({ id: account_id }: Principal, actor: Actor, wanted: Wanted) {
      check(wanted);
      const { url, events, description, enabled } = wanted;
      const now = clock.now();
      const id = newId("hook_", now);
      const endpoint = {
        ...{ id, account_id, url, host: new URL(url).host, events, description, created_at: now },
        ...(enabled ? ENABLED : { disabled_at: now, disabled_why: "request" as const }),
      };
      const { made, row } = newSecretRow(secrets, account_id, "", now);
      const entry = audit.entry(actor, "endpoint.created", { account_id, target: id, details: { url, events } });
      const max = config.webhook_endpoints;
      const outcome = await store.audited(entry, "createEndpoint", endpoint, row, max);
      if (outcome === "taken") throw taken();
      if (outcome === "full") throw refuse.conflict(`The account has ${max} webhook endpoints, as many as it may`);
      log("endpoint.created", { account: account_id, endpoint: id });
      return { webhook_endpoint: await render({ id: account_id }, id), secret: made.plain };
    },

    async update(account: Principal, actor: Actor, id: string, wanted: Partial<Wanted>): Promise<Rendered> {
      check(wanted);
      const { enabled, ...fields } = wanted;
      const was = await find(account, id);
      const changes: EndpointChanges = {
        ...fields,
        ...(fields.url === undefined ? {} : { host: new URL(fields.url).host }),
        ...(enabled === true ? ENABLED : {}),
        ...(enabled === false && was.disabled_at === null
          ? { disabled_at: clock.now(), disabled_why: "request" as const }
          : {}),
      };
      const before = { ...was, enabled: was.disabled_at === null };
      const asked = { ...fields, ...(enabled === undefined ? {} : { enabled }) };
      // Old and new of what differs.
      const details = Object.fromEntries(
        Object.entries(asked)
          .map(([name, now]) => [name, [before[name as keyof Wanted], now]] as const)
          .filter(([, [old, now]]) => JSON.stringify(old) !== JSON.stringify(now)),
      );
      if (Object.keys(details).length > 0) {
        const entry = audit.entry(actor, "endpoint.changed", { account_id: account.id, target: id, details });
        const outcome = await store.audited(entry, "updateEndpoint", account.id, id, changes);
        if (outcome === "taken") throw taken();
        if (outcome === "unknown") throw refuse.resourceNotFound("webhook endpoint");
        log("endpoint.changed", { account: account.id, endpoint: id });
      }
      return render(account, id);
    },

    async remove(account: Principal, actor: Actor, id: string): Promise<void> {
      const { url } = await find(account, id);
      const entry = audit.entry(actor, "endpoint.deleted", { account_id: account.id, target: id, details: { url } });
      if (!(await store.audited(entry, "deleteEndpoint", account.id, id)))
        throw refuse.resourceNotFound("webhook endpoint");
      log("endpoint.deleted", { account: account.id, endpoint: id });
    },

    async rotate(account: Principal, actor: Actor, id: string, overlap_seconds: number) {
      const until = clock.now() + overlap_seconds * 1000;
      const { made, row } = newSecretRow(secrets, account.id, "", clock.now());
      const details = { overlap_seconds };
      const entry = audit.entry(actor, "endpoint.secret_rotated", { account_id: account.id, target: id, details });
      if ((await store.audited(entry, "rotateEndpointSecret", id, row, until)) === "unknown")
        throw refuse.resourceNotFound("webhook endpoint");
      log("endpoint.secret_rotated", { account: account.id, endpoint: id });
      return { secret: made.plain, previous_until: isoTime(until) };
    },
  };
}

const ENABLED = { disabled_at: null, disabled_why: null } as const;

function isoTime(ms: number): string;
function isoTime(ms: number | null): string | null;
function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function renderEndpoint(endpoint: Endpoint, attempts: EndpointAttempts | undefined) {
  const { id, url, events, description, created_at, disabled_at, disabled_why } = endpoint;
  const { last_success_at, last_failure_at, last_failure_status, last_failure_detail, failing_since } = endpoint;
  const { succeeded = 0, failed = 0 } = attempts ?? {};
  return {
    ...{ id, url, events, description, enabled: disabled_at === null },
    disabled: disabled_at === null ? null : { at: isoTime(disabled_at), reason: disabled_why },
    created_at: isoTime(created_at),
    health: {
      last_success_at: isoTime(last_success_at),
      last_failure:
        last_failure_at === null
          ? null
          : { at: isoTime(last_failure_at), status: last_failure_status, detail: last_failure_detail ?? "" },
      failing_since: isoTime(failing_since),
      failures_in_a_row: endpoint.failures,
      attempts_24h: succeeded + failed,
      success_share_24h: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    },
  };
}
