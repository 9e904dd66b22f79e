/** Operations of all actions: lists, reads by id, changes, and what happens to them. */
import { type EventOptions, followEvents } from "./events.ts";
import type { OperationFilters } from "./generated.ts";
import {
  type AnyOperation,
  changeOperation,
  eventOf,
  type Operation,
  type OperationEvent,
  operationOf,
} from "./operation.ts";
import { readPages } from "./routes.ts";
import type { RequestOptions, Transport } from "./transport.ts";

type Listed = AnyOperation & { readonly action: string };

export interface OperationsByIds {
  /** In the order of the ids. */
  readonly operations: readonly Operation[];
  /** Ids that the account does not have. */
  readonly missing: readonly string[];
}

/** Of a request by ids. */
const IDS_MAX = 100;
const LONG_POLL_MS = 40_000;

export class Operations {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first, of all pages: `for await (const operation of tonwerk.operations.list({ status: "ready" }))`. */
  async *list(
    filters: OperationFilters = {},
    { signal }: RequestOptions = {},
  ): AsyncGenerator<Operation, void, undefined> {
    const read = (query: string) =>
      this.#transport.json<Record<string, unknown>>({ method: "GET", path: `/v1/operations${query}`, signal });
    for await (const listed of readPages<Listed>(read, "operations", filters)) yield this.#made(listed);
  }

  /** One whose action you need not know. Its outputs come without reports, which `refresh()` reads. @throws NotFoundError */
  async get(id: string, { signal }: RequestOptions = {}): Promise<Operation> {
    const path = `/v1/operations/${encodeURIComponent(id)}`;
    return this.#made((await this.#transport.json<{ operation: Listed }>({ method: "GET", path, signal })).operation);
  }

  /** Many in one request for each hundred. `wait`: once all of them have ended. */
  async getMany(
    ids: readonly string[],
    { wait = false, signal }: RequestOptions & { readonly wait?: boolean | undefined } = {},
  ): Promise<OperationsByIds> {
    const operations: Operation[] = [];
    const missing: string[] = [];
    for (let from = 0; from < ids.length; ) {
      const path = `/v1/operations?ids=${ids.slice(from, from + IDS_MAX).join()}${wait ? "&wait=true" : ""}`;
      const call = { method: "GET", path, signal, timeoutMs: LONG_POLL_MS } as const;
      const page = await this.#transport.json<{ operations: Listed[]; missing: string[] }>(call);
      if (wait && page.operations.some(({ status }) => status === "processing")) continue;
      operations.push(...page.operations.map((listed) => this.#made(listed)));
      missing.push(...page.missing);
      from += IDS_MAX;
    }
    return { operations, missing };
  }

  /** Cancels it; its credits come back where no work has begun. What has ended stays as it is. */
  async cancel(id: string, options: RequestOptions = {}): Promise<Operation> {
    await changeOperation(this.#transport, "cancel", id, options);
    return this.get(id, options);
  }

  /** Sends the webhook of an operation that has ended again. */
  async redeliver(id: string, options: RequestOptions = {}): Promise<void> {
    await changeOperation(this.#transport, "redeliver", id, options);
  }

  /** What happens to all of the account's operations. Never ends by itself, and goes on where the connection broke: ends come at least once. */
  async *events(options: EventOptions = {}): AsyncGenerator<OperationEvent, void, undefined> {
    for await (const event of followEvents(this.#transport, "/v1/events", options, true))
      yield eventOf(this.#transport, event);
  }

  #made({ action, ...data }: Listed): Operation {
    return operationOf(this.#transport, action, { data });
  }
}
