/** Audio and pictures of the account's own operations and uploads, for the players: by session and not by signed URL, so that none expires while it plays. */
import { serveObject } from "../../download.ts";
import { refuse } from "../../errors.ts";
import type { StoredOutput } from "../../render.ts";
import { ownSources } from "../../sources.ts";
import type { DashboardServices, Pages, Visit } from "../context.ts";
import { SECURITY_HEADERS } from "../headers.ts";
import { PICTURE_NAME } from "../pictures.ts";

export const audioPages: Pages = (services) => {
  const { bucket, pictures, store, clock } = services;

  const picture = async (visit: Visit, key: string): Promise<Response> => {
    const { name = "" } = visit.params;
    const bytes = PICTURE_NAME.test(name) ? await pictures.find(key, name) : undefined;
    if (bytes === undefined) throw refuse.notFound();
    // An object never changes, so its pictures do not; for this browser alone.
    return new Response(bytes, {
      headers: {
        ...SECURITY_HEADERS,
        "content-type": "image/webp",
        "cache-control": "private, max-age=86400, immutable",
      },
    });
  };
  const named = (key: string, disposition: string): string =>
    `${disposition}; filename="${key.replace(/^op\/|^files\//u, "").replaceAll("/", "-")}"`;
  const audio = (visit: Visit, key: string): Promise<Response> =>
    serveObject(visit.request, bucket, key, visit.query.has("download") ? named(key, "attachment") : "inline");
  const upload = async (visit: Visit): Promise<string> => {
    const file = await store.file(visit.params.id!);
    if (file === undefined || file.account_id !== visit.by.account.id || file.expires_at <= clock.now())
      throw refuse.notFound();
    return file.object;
  };

  return [
    {
      method: "GET",
      path: "/operations/:id/outputs/:index/audio",
      access: "read",
      answer: async (visit) => audio(visit, await outputKey(services, visit)),
    },
    {
      method: "GET",
      path: "/operations/:id/outputs/:index/pictures/:name",
      access: "read",
      answer: async (visit) => picture(visit, await outputKey(services, visit)),
    },
    {
      method: "GET",
      path: "/operations/:id/sources/:source/audio",
      access: "read",
      answer: async (visit) => audio(visit, await sourceKey(services, visit)),
    },
    {
      method: "GET",
      path: "/operations/:id/sources/:source/pictures/:name",
      access: "read",
      answer: async (visit) => picture(visit, await sourceKey(services, visit)),
    },
    {
      method: "GET",
      path: "/uploads/:id/audio",
      access: "read",
      answer: async (visit) => audio(visit, await upload(visit)),
    },
  ];
};

/** Key of an output of the visitor's account; refuses with one 404 for everything else. */
async function outputKey({ operations }: DashboardServices, visit: Visit): Promise<string> {
  const operation = await operations.read(visit.by.account, undefined, visit.params.id!);
  const outputs = JSON.parse(operation.outputs ?? "[]") as StoredOutput[];
  const output = /^\d$/u.test(visit.params.index!) ? outputs[Number(visit.params.index)] : undefined;
  if (output === undefined) throw refuse.notFound();
  return output.object;
}

async function sourceKey({ operations, store }: DashboardServices, visit: Visit): Promise<string> {
  const { id } = await operations.read(visit.by.account, undefined, visit.params.id!);
  const operation = await store.operation(id);
  const sources = operation === undefined ? [] : await ownSources(store, operation);
  const object = sources.find(({ name }) => name === visit.params.source)?.object ?? null;
  if (object === null) throw refuse.notFound();
  return object;
}
