/**
 * Uploads at `/v1/files`, which actions take as sources, and tokens for pages that upload. Downloads of them are
 * core's, as of outputs.
 */
import type { Static } from "@sinclair/typebox";
import {
  type AccountRoute,
  clientAddress,
  type Facade,
  isoTime,
  issue,
  liveAccountOf,
  type Principal,
  readJson,
  refuse,
  respondSubmitted,
  type Surface,
} from "../../core/surface.ts";
import { deleteFile, listFiles, readFile } from "./kept.ts";
import { filesQuery, uploadQuery, uploadTokenBody } from "./schemas.ts";
import { createUploadTokens, type UploadTokens } from "./tokens.ts";
import { upload } from "./upload.ts";

/** Entries of a page by default. */
const PAGE = 50;

export default function files(facade: Facade): Surface {
  return {
    name: "files",
    account_routes: routes(facade, createUploadTokens(facade)),
    uploads: {
      upload: (account, body, name) => upload(facade, account, body, { name }),
      file: (account, id) => readFile(facade, account, id),
    },
  };
}

function routes(facade: Facade, tokens: UploadTokens): readonly AccountRoute[] {
  const readUpload = facade.queryReader(uploadQuery);
  const readList = facade.queryReader(filesQuery);
  const validateToken = facade.validator(uploadTokenBody);

  /** `id` goes with nothing else. */
  const readPage = (query: string): { id: string } | { id?: undefined; cursor?: string; limit: number } => {
    const { id, ...page } = readList(query);
    if (id === undefined) return { limit: PAGE, ...page };
    const why = "Must not be sent with 'id'";
    const issues = Object.keys(page).map((name) => issue(["query", name], "value_error", why));
    if (issues.length > 0) throw refuse.invalid(issues);
    return { id };
  };

  const makeToken = ({ id: account_id, key }: Principal, sent: unknown): object => {
    if (key === undefined) throw new Error("Cannot make an upload token: no key asks for it");
    const checked = validateToken(sent);
    if (!checked.ok) throw refuse.invalid(checked.issues);
    const { seconds, origin = null, uploads, bytes } = checked.value as Static<typeof uploadTokenBody>;
    const expires_at = facade.clock.now() + seconds * 1000;
    const terms = { account_id: liveAccountOf(account_id), key_id: key.id, expires_at, uploads, bytes, origin };
    return { upload_token: { token: tokens.make(terms), expires_at: isoTime(expires_at), uploads, bytes, origin } };
  };

  return [
    {
      method: "PUT",
      path: "/v1/files",
      query: uploadQuery,
      authenticate: tokens.authenticate,
      async answer(account, { request, query }) {
        const { name } = readUpload(query);
        const idempotency_key = request.headers.get("idempotency-key") ?? undefined;
        const options = { token: tokens.of(account), name, idempotency_key };
        const { replayed, file } = await upload(facade, account, request, options);
        return respondSubmitted({ body: JSON.stringify({ file }), replayed });
      },
    },
    {
      method: "GET",
      path: "/v1/files",
      query: filesQuery,
      async answer(account, { query }) {
        const asked = readPage(query);
        if (asked.id === undefined) return listFiles(facade, account, asked);
        const { file } = await readFile(facade, account, asked.id);
        return { file, files: [file], next_cursor: null };
      },
    },
    {
      method: "GET",
      path: "/v1/files/:id",
      answer: (account, { params }) => readFile(facade, account, params.id ?? ""),
    },
    {
      method: "DELETE",
      path: "/v1/files/:id",
      answer: (account, { params, request, peer }) => {
        const address = clientAddress(
          peer.address,
          request.headers.get("x-forwarded-for"),
          facade.config.trusted_proxies,
        );
        return deleteFile(facade, account, params.id ?? "", address ?? null);
      },
    },
    {
      method: "POST",
      path: "/v1/upload_tokens",
      body: uploadTokenBody,
      answer: async (account, { request }) => makeToken(account, await readJson(request)),
    },
  ];
}
