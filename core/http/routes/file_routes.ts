/** Uploads at `/v1/files`, and the downloads at `/audio/`. */
import { admitAccount } from "../admission.ts";
import { serveDownload } from "../download.ts";
import { upload } from "../files.ts";
import { deleteFile, listFiles, readFile } from "../kept_files.ts";
import { filesQuery, parseFilesQuery, parseQuery, uploadQuery } from "../requests.ts";
import { respond, respondSubmitted } from "../respond.ts";
import type { Route } from "../route.ts";
import type { HttpServices } from "../services.ts";

export function fileRoutes(services: HttpServices): readonly Route[] {
  return [
    {
      method: "PUT",
      path: "/v1/files",
      query: uploadQuery.schema,
      async answer(exchange) {
        const account = await admitAccount(services, exchange, "put");
        const { request, query } = exchange;
        const { replayed, file } = await upload(services, account, request, {
          name: parseQuery(query, uploadQuery).name,
          idempotency_key: request.headers.get("idempotency-key") ?? undefined,
        });
        return respondSubmitted({ body: JSON.stringify({ file }), replayed });
      },
    },
    {
      method: "GET",
      path: "/v1/files",
      query: filesQuery.schema,
      async answer(exchange) {
        const account = await admitAccount(services, exchange, "get");
        const asked = parseFilesQuery(exchange.query);
        if (asked.id === undefined) return respond(await listFiles(services, account, asked));
        const { file } = await readFile(services, account, asked.id);
        return respond({ file, files: [file], next_cursor: null });
      },
    },
    {
      method: "GET",
      path: "/v1/files/:id",
      async answer(exchange) {
        const account = await admitAccount(services, exchange, "get");
        return respond(await readFile(services, account, exchange.params.id ?? ""));
      },
    },
    {
      method: "DELETE",
      path: "/v1/files/:id",
      async answer(exchange) {
        const account = await admitAccount(services, exchange, "put");
        return respond(await deleteFile(services, account, exchange.params.id ?? ""));
      },
    },
    {
      method: "GET",
      path: "/audio/*",
      answer: ({ request }) => serveDownload(services, request),
    },
  ];
}
