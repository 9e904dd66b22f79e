/** `GET /openapi.json`. Elysia hosts the plugin that writes the document out of the routes' details; it serves no request itself. */
import { openapi } from "@elysiajs/openapi";
import { Elysia } from "elysia";
import type { OpenAPIV3_1 } from "openapi-types";
import { API_VERSION } from "../../base/version.ts";
import type { HttpServices } from "../services.ts";
import { describeActions } from "./actions.ts";
import { Components } from "./components.ts";
import { type Described, DOCUMENT_PATH, SHARED_RESPONSES } from "./details.ts";

/** The JSON text of the document. `others`: routes that know no action. */
export async function writeDocument(
  { registry, config }: Pick<HttpServices, "registry" | "config">,
  others: readonly Described[],
): Promise<string> {
  const host = new Elysia();
  const components = new Components();
  for (const { method, path, detail } of [...describeActions([...registry.actions.values()]), ...others]) {
    // One cast: Deno's checker sees a second copy of these types.
    if (detail !== undefined) host.route(method, path, () => undefined, { detail: components.fill(detail) as never });
  }
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
  return response.text();
}

/** Everything but the paths. */
function commonPart(base_url: string, components: Components): Partial<OpenAPIV3_1.Document> {
  return {
    info: {
      title: "Tonwerk",
      version: API_VERSION,
      description:
        "Asynchronous audio generation and adaptation. Submit with PUT, read with GET, results are FLAC at signed URLs.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: base_url }],
    security: [{ api_key: [] }],
    components: {
      securitySchemes: { api_key: { type: "http", scheme: "bearer", description: "API key, tonwerk_…" } },
      responses: components.fill(SHARED_RESPONSES),
      schemas: components.schemas,
    },
  };
}
