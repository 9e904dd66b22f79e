/** What the installation says about itself: its health, what it can do, and the documentation of its API. */
import { Type } from "@sinclair/typebox";
import type { Registry } from "../../actions/registry.ts";
import { refuse } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import type { Bucket, Engines, Pool, StoreLife } from "../../ports/mod.ts";
import { type AdmissionServices, admitAccount, countStranger } from "../admission.ts";
import { createCapabilities } from "../capabilities.ts";
import { docsPages } from "../docs_page/docs_page.ts";
import type { FileServices } from "../files.ts";
import { createHealth } from "../health.ts";
import { jsonResponse, READ_ERRORS, sharedResponse } from "../openapi/details.ts";
import { respond } from "../respond.ts";
import type { Route } from "../route.ts";

export interface SelfServices extends AdmissionServices {
  readonly store: Pick<StoreLife, "health">;
  readonly bucket: Bucket;
  readonly pool: Pool;
  readonly registry: Registry;
  readonly engines: Engines;
  /** URL of the runners' `mod.ts`. */
  readonly runners: string;
  readonly files: Pick<FileServices, "folder">;
  readonly log: Log;
  isDraining(): boolean;
}

export function serviceRoutes(services: SelfServices): readonly Route[] {
  const { config, store, bucket, pool, registry, engines, runners, files, log, isDraining } = services;
  const capabilities = createCapabilities(registry, pool, engines, runners);
  const health = createHealth({ store, bucket, folder: files.folder, log });
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
        return respond(await capabilities.describe());
      },
    },
    ...docsPages(config.base_url).map(
      ({ path, answer }): Route => ({
        method: "GET",
        path,
        async answer(exchange) {
          await countStranger(services, exchange, "get");
          return answer();
        },
      }),
    ),
  ];
}

const CapabilitiesAnswer = Type.Object(
  {
    version: Type.String(),
    actions: Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: true })),
  },
  { additionalProperties: true },
);
