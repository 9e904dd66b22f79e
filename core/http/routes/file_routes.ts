/** Uploads at `/v1/files`, tokens for pages that upload, and the downloads at `/audio/`. */
import type { Principal } from "../../accounts/keyring.ts";
import { isoTime } from "../../actions/render.ts";
import { liveAccountOf } from "../../base/ids.ts";
import { admitAccount, admitUpload } from "../admission.ts";
import { readJson } from "../body.ts";
import { serveDownload } from "../download.ts";
import { upload } from "../files.ts";
import { deleteFile, listFiles, readFile } from "../kept_files.ts";
import { checkBody, filesQuery, parseFilesQuery, parseQuery, uploadQuery, uploadTokenBody } from "../requests.ts";
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
        const { account, token } = await admitUpload(services, exchange);
        const { request, query } = exchange;
        const { replayed, file } = await upload(services, account, request, {
          token,
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
      method: "POST",
      path: "/v1/upload_tokens",
      body: uploadTokenBody.schema,
      async answer(exchange) {
        const account = await admitAccount(services, exchange, "put");
        return respond(makeToken(services, account, await readJson(exchange.request)));
      },
    },
    {
      method: "GET",
      path: "/audio/*",
      answer: ({ request }) => serveDownload(services, request),
    },
  ];
}

function makeToken({ upload_tokens, clock }: HttpServices, { id: account_id, key }: Principal, sent: unknown): object {
  if (key === undefined) throw new Error("Cannot make an upload token: no key asks for it");
  const { seconds, origin = null, uploads, bytes } = checkBody(sent, uploadTokenBody);
  const expires_at = clock.now() + seconds * 1000;
  const { text } = upload_tokens.make({
    account_id: liveAccountOf(account_id),
    key_id: key.id,
    expires_at,
    uploads,
    bytes,
    origin,
  });
  return { upload_token: { token: text, expires_at: isoTime(expires_at), uploads, bytes, origin } };
}
