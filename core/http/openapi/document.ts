/** `GET /openapi.json`. Elysia hosts the plugin that writes the document out of the routes' details; it serves no request itself. */
import { openapi } from "@elysiajs/openapi";
import { Elysia } from "elysia";
import type { OpenAPIV3_1 } from "openapi-types";
import { resourceOf } from "../../actions/names.ts";
import type { Registered } from "../../actions/registry.ts";
import { API_VERSION } from "../../base/version.ts";
import type { HttpServices } from "../services.ts";
import { describeActions } from "./actions.ts";
import { Components } from "./components.ts";
import {
  type Described,
  type Detail,
  DOCUMENT_PATH,
  RATE,
  REQUEST_ID,
  SHARED_HEADERS,
  SHARED_RESPONSES,
} from "./details.ts";
import { describeWebhooks } from "./webhooks.ts";

/** The JSON text of the document. `others`: routes that know no action. */
export async function writeDocument(
  { registry, config }: Pick<HttpServices, "registry" | "config">,
  others: readonly Described[],
): Promise<string> {
  const actions = [...registry.actions.values()];
  const described = [...describeActions(actions, config.base_url), ...others];
  const host = new Elysia();
  const components = new Components();
  for (const { method, path, detail } of described) {
    // Elysia describes the parameters that it finds in a path, with less than the detail says.
    const braced = path.replace(/:(\w+)/gu, "{$1}");
    // One cast: Deno's checker sees a second copy of these types.
    if (detail !== undefined)
      host.route(method, braced, () => undefined, { detail: components.fill(withHeaders(detail)) as never });
  }
  const webhooks = components.fill(describeWebhooks(actions, config.base_url));
  host.use(
    openapi({
      specPath: DOCUMENT_PATH,
      // The page at /docs is ours, without inline script.
      provider: null,
      documentation: commonPart(config.base_url, components) as never,
      // The plugin would take an action's name for a file's, because of its dot.
      exclude: { staticFile: false },
    }) as never,
  );
  const response = await host.handle(new Request(`http://localhost${DOCUMENT_PATH}`));
  if (!response.ok) throw new Error(`Cannot write the OpenAPI document: ${await response.text()}`);
  const document = (await response.json()) as OpenAPIV3_1.Document;
  const tags = new Set([...described.flatMap(({ detail }) => detail?.tags ?? []), "webhooks"]);
  const told = [...tags].map((name) => ({ name, description: tagText(name, actions) }));
  return JSON.stringify({ ...document, tags: told, webhooks });
}

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
