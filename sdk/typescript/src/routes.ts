/** Resources and methods that follow from the document alone: one function sends what the generated table describes. */
import { ROUTES } from "./generated.ts";
import type { RequestOptions, Route, Transport } from "./transport.ts";

/** Adds them to the client, beside what its resources have already. */
export function addRoutes(client: object, transport: Transport): void {
  const resources = client as Record<string, object>;
  for (const route of ROUTES) {
    const [name = "", verb] = route.place;
    const send = senderOf(transport, route);
    if (verb === undefined) resources[name] = send;
    else resources[name] = Object.assign(resources[name] ?? {}, { [verb]: send });
  }
}

type Answer = Readonly<Record<string, unknown>> & { readonly next_cursor?: string | null };

/** Takes ids, then body or filters where there are any, then options. */
function senderOf(transport: Transport, route: Route): (...given: unknown[]) => unknown {
  const { method, path: template, unwrap } = route;
  return (...given) => {
    const path = template.replace(/\{\w+\}/gu, () => encodeURIComponent(String(given.shift())));
    const body = route.hasBody === true ? ((given.shift() as object | undefined) ?? {}) : undefined;
    const filters = route.hasFilters === true ? (given.shift() as object | undefined) : undefined;
    const { signal } = (given.shift() as RequestOptions | undefined) ?? {};
    const idempotency_key = route.hasKey === true ? crypto.randomUUID() : undefined;
    const json = idempotency_key === undefined ? body : { idempotency_key, ...body };
    const send = (query: string): Promise<Answer> =>
      transport.json({
        method,
        path: path + query,
        signal,
        idempotencyKey: idempotency_key,
        ...(json === undefined ? {} : { json }),
      });
    if (route.isPaged === true) return readPages(send, unwrap!, filters);
    return send("").then((answer) => (unwrap === undefined ? answer : answer[unwrap]));
  };
}

/** The entries of all pages, each page read when the one before is used up. */
export async function* readPages<Entry>(
  read: (query: string) => Promise<Answer>,
  entries: string,
  filters: object | undefined,
): AsyncGenerator<Entry, void, undefined> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await read(writeQuery({ ...filters, cursor }));
    yield* page[entries] as readonly Entry[];
    cursor = page.next_cursor ?? null;
  }
}

/** `?a=1,2&metadata[key]=value`, or nothing. */
export function writeQuery(filters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined) continue;
    if (value instanceof Date) query.set(name, value.toISOString());
    else if (typeof value === "object" && !Array.isArray(value))
      for (const [key, one] of Object.entries(value)) query.set(`${name}[${key}]`, String(one));
    else query.set(name, String(value));
  }
  const written = query.toString();
  return written === "" ? "" : `?${written}`;
}
