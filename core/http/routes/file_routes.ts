/** `PUT` and `GET` of `/v1/files`, and the downloads at `/audio/`. */
import { admitAccount } from "../admission.ts";
import { serveDownload } from "../download.ts";
import { readFile, upload } from "../files.ts";
import { fileQuery, parseQuery } from "../requests.ts";
import { respond } from "../respond.ts";
import type { Route } from "../route.ts";
import type { HttpServices } from "../services.ts";

export function fileRoutes(services: HttpServices): readonly Route[] {
  return [
    {
      method: "PUT",
      path: "/v1/files",
      async answer(exchange) {
        const account = await admitAccount(services, exchange, "put");
        return respond(await upload(services, account, exchange.request));
      },
    },
    {
      method: "GET",
      path: "/v1/files",
      query: fileQuery.schema,
      async answer(exchange) {
        const account = await admitAccount(services, exchange, "get");
        return respond(await readFile(services, account, parseQuery(exchange.query, fileQuery).id));
      },
    },
    {
      method: "GET",
      path: "/audio/*",
      answer: ({ request }) => serveDownload(services, request),
    },
  ];
}
