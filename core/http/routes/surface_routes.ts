/** Routes that surfaces bring. They take no key, so their requests are counted by address. */
import { type AdmissionServices, countStranger } from "../admission.ts";
import { respond } from "../respond.ts";
import type { Route, SurfaceRoute } from "../route.ts";

export interface SurfaceServices extends AdmissionServices {
  readonly routes: readonly SurfaceRoute[];
}

export function surfaceRoutes(services: SurfaceServices): readonly Route[] {
  return services.routes.map((route) => ({
    ...route,
    async answer(exchange) {
      await countStranger(services, exchange, route.method === "GET" ? "get" : "put");
      return respond(await route.answer(exchange.request));
    },
  }));
}
