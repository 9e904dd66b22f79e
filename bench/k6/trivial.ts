/** A server that only answers: what the load generators reach here is their own limit on this machine. PORT says where it listens. */
import { serve } from "../../core/adapters/runtime/runtime.ts";

const BODY = JSON.stringify({ operation: { id: "op_00000000000000000000000000", status: "processing" } });

await serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT),
  async fetch(request) {
    await request.arrayBuffer();
    return new Response(BODY, { headers: { "content-type": "application/json" } });
  },
});
