/** `tonwerk mcp`: a server's actions for programs that speak the Model Context Protocol, over stdio or HTTP. */
import { createHash } from "node:crypto";
import { createMcpHandler, ResourceNotFoundError, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { serve } from "../../core/adapters/runtime/runtime.ts";
import { API_VERSION } from "../../core/base/version.ts";
import { ApiError, AuthenticationError, NotFoundError, Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { actionsOf, isReport, loadDocument } from "../client/document.ts";
import { problemOf } from "../client/exit_codes.ts";
import { outputsOf } from "../client/outputs.ts";
import type { Profile } from "../client/settings.ts";
import { callTool, linkTo, outputUri, reportResource, type Session, toolName, toolOf } from "./tools.ts";

/** Until `signal` aborts or the client hangs up. */
export async function serveOverStdio(profile: Profile, signal: AbortSignal): Promise<void> {
  const session = await openSession(profile, true);
  const handle = serveStdio(() => createServer(session));
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    process.stdin.on("close", () => resolve());
  });
  await handle.close();
}

export interface HttpServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Each request comes with the key of the account that it is for. Nothing is kept between requests. */
export async function serveOverHttp(url: string, at: { hostname: string; port: number }): Promise<HttpServer> {
  const isAccepted = createKeyCheck(url);
  const handler = createMcpHandler(async ({ authInfo }) =>
    createServer(await openSession({ url, key: authInfo!.token }, false)),
  );
  const fetch = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== "/mcp") return Response.json({ error: "not_found" }, { status: 404 });
    const [, token] = /^Bearer (\S+)$/iu.exec(request.headers.get("authorization") ?? "") ?? [];
    try {
      if (token === undefined || !(await isAccepted(token))) return unauthorized();
    } catch (error) {
      return Response.json({ error: problemOf(error).code }, { status: 503, headers: { "retry-after": "1" } });
    }
    return handler.fetch(request, { authInfo: { token, clientId: "tonwerk", scopes: [] } });
  };
  const server = await serve({ ...at, fetch, idle_seconds: 120 });
  return {
    url: `${server.url}/mcp`,
    async stop() {
      await handler.close();
      await server.stop();
    },
  };
}

const unauthorized = (): Response =>
  Response.json({ error: "invalid_token" }, { status: 401, headers: { "www-authenticate": 'Bearer realm="tonwerk"' } });

const ACCEPTED_MS = 60_000;
const KEYS_MAX = 1_000;

/** Asks the server about a key once a minute. Rejects where it does not answer. */
function createKeyCheck(url: string): (key: string) => Promise<boolean> {
  const accepted = new Map<string, number>();
  return async (key) => {
    const hash = createHash("sha256").update(key).digest("hex");
    if ((accepted.get(hash) ?? 0) > Date.now()) return true;
    try {
      await new Tonwerk({ baseUrl: url, apiKey: key, retries: 1 }).account();
    } catch (error) {
      if (error instanceof AuthenticationError) return false;
      // Any other refusal, as of a busy account, knows the key.
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
    }
    if (accepted.size >= KEYS_MAX) accepted.clear();
    accepted.set(hash, Date.now() + ACCEPTED_MS);
    return true;
  };
}

async function openSession({ url, key }: Profile, is_local: boolean): Promise<Session> {
  const document = await loadDocument(url);
  return { tonwerk: new Tonwerk({ baseUrl: url, apiKey: key }), document, actions: actionsOf(document), is_local };
}

const INSTRUCTIONS =
  "Tools make and adapt audio on a Tonwerk server and charge the account's credits; dry_run says the price. A call " +
  "ends when the audio is ready, which takes seconds to minutes, and answers with links to FLAC files that " +
  "resources/read delivers.";

/** Operations whose outputs the list of resources shows. */
const LISTED = 50;

function createServer(session: Session): Server {
  const { tonwerk, actions } = session;
  const server = new Server(
    { name: "tonwerk", version: API_VERSION },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", async () => {
    // Prices are told where they can be had; tools work without.
    const { actions: known } = await tonwerk.capabilities().catch(() => ({ actions: [] }));
    const costs = new Map(known.map(({ name, cost }) => [name, cost]));
    return { tools: actions.map((action) => toolOf(session, action, costs.get(action.name))) };
  });
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const action = actions.find((one) => toolName(one) === params.name);
    if (action === undefined) throw new Error(`There is no tool "${params.name}"`);
    return callTool(session, action, params.arguments ?? {}, context);
  });
  server.setRequestHandler("resources/list", async () => {
    const resources = [];
    const reports = new Set(actions.filter(isReport).map(({ name }) => name));
    let left = LISTED;
    for await (const operation of tonwerk.operations.list({ status: "ready", limit: LISTED })) {
      if (reports.has(operation.action)) resources.push(reportResource(operation.action, operation.id));
      for (const [index, output] of outputsOf(operation).entries()) {
        const { type: _, ...resource } = linkTo(operation.action, operation.id, output, index);
        resources.push(resource);
      }
      left -= 1;
      if (left === 0) break;
    }
    return { resources };
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      { name: "operation", uriTemplate: "tonwerk://{action}/{id}", mimeType: "application/json" },
      { name: "audio", uriTemplate: "tonwerk://{action}/{id}/{index}", mimeType: "audio/flac" },
    ],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => ({
    contents: [await readResource(tonwerk, uri)],
  }));
  return server;
}

async function readResource(tonwerk: Tonwerk, uri: string) {
  const [, action = "", id = "", index] = /^tonwerk:\/\/([a-z0-9_.]+)\/(op_[0-9a-z]+)(?:\/(\d+))?$/u.exec(uri) ?? [];
  const operation = await tonwerk
    .action(action)
    .get(id)
    .catch((error: unknown) => {
      if (error instanceof NotFoundError || action === "") throw new ResourceNotFoundError(uri);
      throw error;
    });
  if (index === undefined) return { uri, mimeType: "application/json", text: JSON.stringify(operation) };
  const output = outputsOf(operation)[Number(index)];
  if (output === undefined) throw new ResourceNotFoundError(uri);
  const blob = Buffer.from(await output.arrayBuffer()).toString("base64");
  return { uri: outputUri(action, id, Number(index)), mimeType: "audio/flac", blob };
}
