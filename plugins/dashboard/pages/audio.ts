/**
 * Audio and pictures of the account's own operations and uploads, for the players: by session and not by signed URL, so
 * that none expires while it plays.
 */

import { audioOf, type KeptFile, refuse, type StoredAudio } from "../../../core/surface.ts";
import { SECURITY_HEADERS } from "../../administration/page_headers.ts";
import type { DashboardServices, Pages, Visit } from "../context.ts";
import { findAudio } from "../drawings.ts";
import { attachmentOf, fileNameOf } from "../names.ts";
import { PICTURE_NAME } from "../pictures.ts";
import { uploadName } from "./operation_request.ts";

export const audioPages: Pages = (services) => {
  const { pictures, store, clock, read, actions } = services;

  const picture = async (visit: Visit, stored: StoredAudio): Promise<Response> => {
    const { name = "" } = visit.params;
    const bytes = PICTURE_NAME.test(name) ? await pictures.find(stored, name) : undefined;
    if (bytes === undefined) throw refuse.notFound();
    // An object never changes, so its pictures do not; for this browser alone.
    return new Response(bytes, {
      headers: {
        ...SECURITY_HEADERS,
        "content-type": "image/png",
        "cache-control": "private, max-age=86400, immutable",
      },
    });
  };
  /** Of what was made of it, so of a source that could be used: what failed, or has not ended, may be anything. */
  const sourcePicture = async (visit: Visit): Promise<Response> => {
    const { action, status } = await read(visit.by.account, undefined, visit.params.id!);
    const limits = actions.get(action)?.action.sources[visit.params.source!];
    if (status !== "ready" || limits === undefined) throw refuse.notFound();
    const stored = await findAudio(services, await sourceKey(services, visit));
    if (stored === undefined || stored.seconds > limits.seconds_max) throw refuse.notFound();
    return picture(visit, stored);
  };
  const audio = (visit: Visit, key: string, name: string): Promise<Response> =>
    services.serve(visit.request, key, visit.query.has("download") ? attachmentOf(name) : "inline");
  const upload = async (visit: Visit): Promise<KeptFile> => {
    const file = await store.file(visit.params.id!);
    if (file === undefined || file.account_id !== visit.by.account.id || file.expires_at <= clock.now())
      throw refuse.notFound();
    return file;
  };

  return [
    {
      method: "GET",
      path: "/operations/:id/outputs/:index/audio",
      access: "read",
      async answer(visit) {
        const { key, name } = await outputOf(services, visit);
        return audio(visit, key, name);
      },
    },
    {
      method: "GET",
      path: "/operations/:id/outputs/:index/pictures/:name",
      access: "read",
      answer: async (visit) => picture(visit, await outputOf(services, visit)),
    },
    {
      method: "GET",
      path: "/operations/:id/sources/:source/audio",
      access: "read",
      answer: async (visit) => audio(visit, await sourceKey(services, visit), `${visit.params.source}.flac`),
    },
    {
      method: "GET",
      path: "/operations/:id/sources/:source/pictures/:name",
      access: "read",
      answer: sourcePicture,
    },
    {
      method: "GET",
      path: "/uploads/:id/audio",
      access: "read",
      async answer(visit) {
        const { object, name } = await upload(visit);
        return audio(visit, object, name ?? "upload.flac");
      },
    },
  ];
};

/** An output of the visitor's account, with a name for its file; refuses with one 404 for everything else. */
async function outputOf(
  { read, store }: DashboardServices,
  visit: Visit,
): Promise<StoredAudio & { readonly name: string }> {
  const operation = await read(visit.by.account, undefined, visit.params.id!);
  const outputs = audioOf(operation.outputs);
  const index = Number(visit.params.index);
  const output = /^\d{1,2}$/u.test(visit.params.index!) ? outputs[index] : undefined;
  if (output === undefined) throw refuse.notFound();
  const sources = visit.query.has("download") ? ((await store.operation(operation.id))?.sources ?? []) : [];
  const [source = null] = await Promise.all(
    sources.flatMap(({ object }) => (object === null ? [] : [uploadName({ store }, object)])),
  );
  const name = fileNameOf(operation, output, index, outputs.length, source);
  return { key: output.object, account_id: operation.account_id, seconds: output.duration, name };
}

async function sourceKey({ read, store }: DashboardServices, visit: Visit): Promise<string> {
  const { id } = await read(visit.by.account, undefined, visit.params.id!);
  const operation = await store.operation(id);
  const object = operation?.sources.find(({ name }) => name === visit.params.source)?.object ?? null;
  if (object === null) throw refuse.notFound();
  return object;
}
