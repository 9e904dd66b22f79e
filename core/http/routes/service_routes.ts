/** What is answered without a key: the health of the installation, and what signed URLs name. */
import { refuse } from "../../base/errors.ts";
import { serveDownload } from "../download.ts";
import { createHealth } from "../health.ts";
import { respond } from "../respond.ts";
import type { Route } from "../route.ts";
import type { HttpServices } from "../services.ts";

/** `download_detail`: what a surface that delivers other forms says of them. */
export function serviceRoutes(services: HttpServices, download_detail?: object): readonly Route[] {
  const { isDraining } = services;
  const health = createHealth(services);
  return [
    {
      method: "GET",
      path: "/health",
      async answer() {
        if (isDraining()) throw refuse.draining();
        const problem = await health.check();
        if (problem !== undefined) throw refuse.unavailable(problem);
        return respond({ status: "ok" });
      },
    },
    {
      method: "GET",
      path: "/audio/*",
      ...(download_detail && { detail: download_detail }),
      answer: ({ request }) => serveDownload(services, request),
    },
  ];
}
