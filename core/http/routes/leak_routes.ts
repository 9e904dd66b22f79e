/** `POST /leaks`: reports of API keys that were found in public. */
import { LeakAnswer, LeakReports, type Leaks } from "../../../plugins/dashboard/leaks/leaks.ts";
import { type AdmissionServices, countStranger } from "../admission.ts";
import { DetailText, jsonContent, jsonResponse, sharedResponse } from "../openapi/details.ts";
import { respond } from "../respond.ts";
import type { Route } from "../route.ts";

export interface LeakRouteServices extends AdmissionServices {
  readonly leaks: Leaks;
}

export function leakRoutes(services: LeakRouteServices): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/leaks",
      detail: {
        operationId: "reportLeaks",
        tags: ["service"],
        summary: "Report API keys that were found in public, as a secret-scanning partner",
        description:
          "Signed with ECDSA on P-256 over the body; keys are configured. What is not a live key of this installation is a false_positive.",
        security: [],
        parameters: [
          { name: "Github-Public-Key-Identifier", in: "header", required: true, schema: { type: "string" } },
          { name: "Github-Public-Key-Signature", in: "header", required: true, schema: { type: "string" } },
        ],
        requestBody: { required: true, content: jsonContent(LeakReports) },
        responses: {
          "200": jsonResponse("One label for each report, in order", LeakAnswer),
          "403": jsonResponse("Not signed by a known key, or no keys are configured", DetailText),
          "413": sharedResponse("TooLarge"),
          "422": sharedResponse("Invalid"),
          "503": sharedResponse("Unavailable"),
        },
      },
      async answer(exchange) {
        await countStranger(services, exchange, "put");
        return respond(await services.leaks.receive(exchange.request));
      },
    },
  ];
}
