/** Files that the playground's script sends while the form is filled in. Without script they come with the form. */
import { refuse } from "../../../core/base/errors.ts";
import { upload } from "../../../core/http/files.ts";
import type { Pages } from "../context.ts";
import { takeFromLimit } from "../rate.ts";

export const uploadPages: Pages = (services) => [
  {
    method: "PUT",
    path: "/uploads",
    access: "run",
    async answer(visit) {
      await services.sessions.checkForm(visit.request, visit.request.headers.get("x-csrf-token"));
      await takeFromLimit(services, visit);
      if (services.isDraining()) throw refuse.draining();
      const { file } = await upload(services.files, visit.by.account, visit.request);
      return Response.json(
        { id: file.id, seconds: file.duration, play: visit.to(`/uploads/${file.id}/audio`) },
        { headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" } },
      );
    },
  },
];
