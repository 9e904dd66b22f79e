/** `GET /v1/account`: the credits and limits of the key's account. */
import { Type } from "@sinclair/typebox";
import type { Principal } from "../../accounts/keyring.ts";
import { named } from "../../actions/names.ts";
import { isoTime } from "../../actions/render.ts";
import { admitAccount, limitsOf } from "../admission.ts";
import { jsonResponse, READ_ERRORS } from "../openapi/details.ts";
import { respond } from "../respond.ts";
import type { Route } from "../route.ts";
import type { HttpServices } from "../services.ts";

export function accountRoutes(services: HttpServices): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v1/account",
      detail: {
        operationId: "account_read",
        tags: ["account"],
        summary: "Credits, limits and webhook options",
        description: "Of the account that the key belongs to.",
        responses: { "200": jsonResponse("The account of the key", AccountAnswer), ...READ_ERRORS },
      },
      async answer(exchange) {
        return respond(await describeAccount(services, await admitAccount(services, exchange, "get")));
      },
    },
  ];
}

async function describeAccount({ config, store, free_work }: HttpServices, account: Principal): Promise<object> {
  const { id, webhook_body: body, webhook_long_retries: long_retries } = account;
  const [now, kept] = await Promise.all([store.account(id), store.keptUploads(id)]);
  const { resets_at, ...free } = free_work.of(now ?? account);
  const limits = {
    ...limitsOf(account, config),
    upload_bytes: { limit: account.upload_bytes ?? config.upload_bytes, used: kept.bytes },
    free_seconds: { ...free, resets_at: isoTime(resets_at) },
  };
  return { account: { id, credits: now?.credits ?? 0, limits, webhooks: { body, long_retries } } };
}

const count = (description: string) => Type.Integer({ description });
const Account = named(
  "Account",
  Type.Object({
    id: Type.String({ description: "Account id" }),
    credits: count("What is left"),
    limits: Type.Object(
      {
        put_per_minute: count("Requests that change something; 0: any number"),
        get_per_minute: count("Requests that read; 0: any number"),
        long_polls: count("Open at a time; 0: any number"),
        uploads_open: count("Under way at a time; 0: any number"),
        upload_bytes: Type.Object(
          { limit: count("Most; 0: any number"), used: count("So far") },
          { description: "Of all uploads that are kept" },
        ),
        free_seconds: Type.Object(
          {
            limit: count("Most a day; 0: any number"),
            used: Type.Number({ description: "So far today" }),
            resets_at: Type.String({ format: "date-time", description: "When the next day begins" }),
          },
          { description: "Seconds of a processor for work without a charge" },
        ),
      },
      { description: "Of this account" },
    ),
    webhooks: Type.Object(
      {
        body: Type.Unsafe<string>({
          type: "string",
          enum: ["operation", "envelope"],
          description: "The operation as GET answers it, or `{ type, data }` around it",
        }),
        long_retries: Type.Boolean({ description: "Whether retries go on for a day and longer" }),
      },
      { description: "How webhooks of this account are sent" },
    ),
  }),
);
const AccountAnswer = named("AccountAnswer", Type.Object({ account: { ...Account, description: "The account" } }));
