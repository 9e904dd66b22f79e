/** Files that the playground's script sends while the form is filled in. Without script they come with the form. */
import type { Pages } from "../context.ts";
import { uploadNameOf } from "../names.ts";

export const uploadPages: Pages = ({ sessions, admit, upload }) => [
  {
    method: "PUT",
    path: "/uploads",
    access: "run",
    async answer(visit) {
      await sessions.checkForm(visit.request, visit.request.headers.get("x-csrf-token"));
      await admit(visit.by.account, "put");
      const { file } = await upload(visit.by.account, visit.request, uploadNameOf(visit.query.get("name")));
      return Response.json(
        { id: file.id, seconds: file.duration, play: visit.to(`/uploads/${file.id}/audio`) },
        { headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" } },
      );
    },
  },
];
