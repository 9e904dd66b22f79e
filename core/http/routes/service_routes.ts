/** What the installation says about itself: its health, and what it can do. */
import { Type } from "@sinclair/typebox";
import { refuse } from "../../base/errors.ts";
import { admitAccount } from "../admission.ts";
import { createCapabilities } from "../capabilities.ts";
import { createHealth } from "../health.ts";
import { jsonResponse, READ_ERRORS, sharedResponse } from "../openapi/details.ts";
import { respond } from "../respond.ts";
import type { Route } from "../route.ts";
import type { HttpServices } from "../services.ts";

export function serviceRoutes(services: HttpServices): readonly Route[] {
  const { isDraining } = services;
  const describeCapabilities = createCapabilities(services);
  const health = createHealth(services);
  return [
    {
      method: "GET",
      path: "/health",
      detail: {
        operationId: "health",
        tags: ["service"],
        summary: "Whether work can be accepted",
        description: "Found out at most once a second, for all callers together.",
        security: [],
        responses: {
          "200": jsonResponse("Yes", Type.Object({ status: Type.Literal("ok") })),
          "503": sharedResponse("Unavailable"),
        },
      },
      async answer() {
        if (isDraining()) throw refuse.draining();
        const problem = await health.check();
        if (problem !== undefined) throw refuse.unavailable(problem);
        return respond({ status: "ok" });
      },
    },
    {
      method: "GET",
      path: "/v1/capabilities",
      detail: {
        operationId: "capabilities",
        tags: ["service"],
        summary: "Actions, their costs and engines",
        responses: { "200": jsonResponse("What this installation can do", CapabilitiesAnswer), ...READ_ERRORS },
      },
      async answer(exchange) {
        await admitAccount(services, exchange, "get");
        return respond(await describeCapabilities());
      },
    },
  ];
}

const CapabilitiesAnswer = Type.Object(
  {
    version: Type.String(),
    actions: Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: true })),
  },
  { additionalProperties: true },
);
