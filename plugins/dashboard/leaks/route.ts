/** `POST /leaks` as the API mounts and describes it. */
import type { SurfaceRoute } from "../../../core/surface.ts";
import { LeakAnswer, LeakReports, type Leaks } from "./leaks.ts";

export const leakRoute = (leaks: Leaks): SurfaceRoute => ({
  method: "POST",
  path: "/leaks",
  answer: (request) => leaks.receive(request),
  detail: {
    operationId: "leaks_report",
    tags: ["leaks"],
    summary: "Report API keys that were found in public, as a secret-scanning partner",
    description:
      "Signed with ECDSA on P-256 over the body; keys are configured. What is not a live key of this installation is a false_positive.",
    security: [],
    parameters: [
      header("Github-Public-Key-Identifier", "Which of the configured keys"),
      header("Github-Public-Key-Signature", "Of the body, in base64"),
    ],
    requestBody: { required: true, content: json(LeakReports) },
    responses: {
      "200": { description: "One label for each report, in order", content: json(LeakAnswer) },
      "403": {
        description: "Not signed by a known key, or no keys are configured",
        content: json({
          type: "object",
          required: ["detail"],
          properties: { detail: { type: "string", description: "What is wrong, for people" } },
        }),
      },
      "413": shared("TooLarge"),
      "422": shared("Invalid"),
      "429": shared("TooManyRequests"),
      "503": shared("Unavailable"),
    },
  },
});

const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });
const json = (schema: object) => ({ "application/json": { schema } });
const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" as const },
});
