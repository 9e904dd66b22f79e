/** A server in a thread that only answers: what a load generator reaches here is its own limit. Tells its URL. */
import { serve } from "../../core/adapters/runtime/runtime.ts";

const BODY = JSON.stringify({ operation: { id: "op_00000000000000000000000000", status: "processing" } });

const { url } = await serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => new Response(BODY, { headers: { "content-type": "application/json" } }),
});
self.postMessage(url);
