/**
 * The OpenAPI document: what the topics say of the API's routes. Elysia hosts the plugin that writes it, and serves no
 * request itself.
 */
import { openapi } from "@elysiajs/openapi";
import { Elysia } from "elysia";
import type { OpenAPIV3_1 } from "openapi-types";
import { API_VERSION, type ApiRoute, type Facade, type Registered, resourceOf } from "../../../core/surface.ts";
import { ACCOUNT } from "./account.ts";
import { describeActions } from "./actions.ts";
import { Components } from "./components.ts";
import {
  type Described,
  type Detail,
  jsonContent,
  queryParameters,
  RATE,
  REQUEST_ID,
  SHARED_HEADERS,
  SHARED_RESPONSES,
} from "./details.ts";
import { FILES } from "./files.ts";
import { describeOperations } from "./operations.ts";
import { DOWNLOAD_PATH, describeDownload } from "./outputs.ts";
import { SERVICE } from "./service.ts";
import { describeWebhooks } from "./webhooks.ts";

/** Only the name of the plugin's own route. */
const DOCUMENT_PATH = "/openapi.json";

/** The JSON text of the document. */
export async function writeDocument(facade: Pick<Facade, "actions" | "config" | "listRoutes">): Promise<string> {
  const actions = [...facade.actions.values()];
  const { base_url } = facade.config;
  const described = describeRoutes(actions, base_url, facade.listRoutes());
  const host = new Elysia();
  const components = new Components();
  for (const { method, path, detail } of described) {
    // One cast: Deno's checker sees a second copy of these types.
    host.route(method, path, () => undefined, { detail: components.fill(withHeaders(detail)) as never });
  }
  const webhooks = components.fill(describeWebhooks(actions, base_url));
  host.use(
    openapi({
      specPath: DOCUMENT_PATH,
      // The page at /docs is ours, without inline script.
      provider: null,
      documentation: commonPart(base_url, components) as never,
      // The plugin would take an action's name for a file's, because of its dot.
      exclude: { staticFile: false },
    }) as never,
  );
  const response = await host.handle(new Request(`http://localhost${DOCUMENT_PATH}`));
  if (!response.ok) throw new Error(`Cannot write the OpenAPI document: ${await response.text()}`);
  const document = (await response.json()) as OpenAPIV3_1.Document;
  const tags = new Set([...described.flatMap(({ detail }) => detail.tags ?? []), "webhooks"]);
  const told = [...tags].map((name) => ({ name, description: tagText(name, actions) }));
  return JSON.stringify({ ...document, tags: told, webhooks });
}

/** The API's own routes as the topics tell them, and those of surfaces as they tell them themselves. */
function describeRoutes(
  actions: readonly Registered[],
  base_url: string,
  routes: readonly ApiRoute[],
): readonly { readonly method: string; readonly path: string; readonly detail: Detail }[] {
  const byName = new Map(routes.map((route) => [`${route.method} ${documentPath(route.path)}`, route]));
  const isServed = ({ method, path }: Described): boolean => byName.has(`${method} ${path}`);
  const told = [
    ...describeActions(actions, base_url),
    ...describeOperations(actions, base_url),
    describeDownload(routes.find(({ path }) => path === DOWNLOAD_PATH)?.detail),
    ...[...SERVICE, ...FILES].filter(isServed),
    ...ACCOUNT,
  ].map((one) => ({ ...one, detail: withTaken(one, byName.get(`${one.method} ${one.path}`)) }));
  const own = routes.flatMap(({ method, path, detail, deprecated }) =>
    detail === undefined || path === DOWNLOAD_PATH
      ? []
      : [{ method, path: documentPath(path), detail: { ...(detail as Detail), ...endOf(deprecated) } }],
  );
  return [...told, ...own];
}

/**
 * `/v1/operations/:id` as the document writes it. Elysia describes the parameters that it finds in a path, with less
 * than the detail says.
 */
const documentPath = (path: string): string => path.replace(/:(\w+)/gu, "{$1}");

/** With the query and the body that the route takes. */
function withTaken({ detail, examples }: Described, route: ApiRoute | undefined): Detail {
  const { parameters = [], responses = {}, ...said } = detail;
  const isInPath = (one: (typeof parameters)[number]): boolean => "in" in one && one.in === "path";
  const taken = [
    ...parameters.filter(isInPath),
    ...(route?.query === undefined ? [] : queryParameters(route.query)),
    ...parameters.filter((one) => !isInPath(one)),
  ];
  return {
    ...said,
    ...(taken.length > 0 && { parameters: taken }),
    ...endOf(route?.deprecated),
    ...(route?.body && { requestBody: { required: true, content: jsonContent(route.body, examples) } }),
    responses,
  };
}

/** OpenAPI knows that something is deprecated, and not since when. */
const endOf = (deprecated: ApiRoute["deprecated"]) => deprecated && { deprecated: true, "x-deprecation": deprecated };

function tagText(tag: string, actions: readonly Registered[]): string {
  const found = actions.find(({ action }) => resourceOf(action) === tag);
  return found?.action.summary ?? `Calls of ${tag}`;
}

/** What every answer has, and every answer to who sent a key. */
function withHeaders(detail: Detail): Detail {
  const common = { ...REQUEST_ID, ...(detail.security === undefined && RATE) };
  const responses = Object.entries(detail.responses ?? {}).map(([status, response]) => [
    status,
    "$ref" in response ? response : { ...response, headers: { ...common, ...response.headers } },
  ]);
  return { ...detail, responses: Object.fromEntries(responses) };
}

/** Everything but the paths. */
function commonPart(base_url: string, components: Components): Partial<OpenAPIV3_1.Document> {
  return {
    info: {
      title: "Tonwerk",
      version: API_VERSION,
      description:
        "Asynchronous audio generation and adaptation. Submit with PUT, read with GET, results are FLAC at signed URLs.",
      contact: { name: "Whoever runs this installation", url: base_url },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: base_url }],
    security: [{ api_key: [] }],
    components: {
      securitySchemes: { api_key: { type: "http", scheme: "bearer", description: "API key, tonwerk_…" } },
      responses: components.fill(SHARED_RESPONSES),
      headers: SHARED_HEADERS,
      schemas: components.schemas,
    },
  };
}
