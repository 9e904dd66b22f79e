/** The account of the key. */
import { Type } from "@sinclair/typebox";
import { named } from "../../../core/surface.ts";
import { type Described, jsonResponse, READ_ERRORS } from "./details.ts";

const count = (description: string) => Type.Integer({ description });
const Budget = named(
  "KeyBudget",
  Type.Object(
    {
      credits: count("Most a period"),
      period: Type.Unsafe<string>({ type: "string", enum: ["day", "month"], description: "Of the calendar, in UTC" }),
      used: count("So far; refunds are taken off"),
      resets_at: Type.String({ format: "date-time", description: "When the next period begins" }),
    },
    { description: "What operations of the key may cost" },
  ),
);
const CallingKey = named(
  "CallingKey",
  Type.Object(
    {
      id: Type.String({ description: "Key id" }),
      test: Type.Boolean({ description: "Whether it costs nothing and its results are made up" }),
      read_only: Type.Boolean({ description: "Whether it only reads" }),
      actions: Type.Union([Type.Array(Type.String()), Type.Null()], {
        description: "Actions that it may submit and see, by name or as `adapt.*`; null: all",
      }),
      budget: Type.Union([Budget, Type.Null()], { description: "null: as much as the account has" }),
    },
    { description: "The key that asks" },
  ),
);
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
    key: CallingKey,
  }),
);
const AccountAnswer = named("AccountAnswer", Type.Object({ account: { ...Account, description: "The account" } }));
const EXAMPLE = {
  account: {
    value: {
      account: {
        id: "acc_01ke9mzw5r3v8d2k7q4n6b1xyz",
        credits: 97,
        limits: {
          put_per_minute: 120,
          get_per_minute: 1200,
          long_polls: 20,
          uploads_open: 4,
          upload_bytes: { limit: 1_000_000_000, used: 1_482_345 },
          free_seconds: { limit: 3600, used: 12.5, resets_at: "2026-01-03T00:00:00.000Z" },
        },
        webhooks: { body: "operation", long_retries: false },
        key: {
          id: "key_01ke9mzw5r3v8d2k7q4n6b1xyz",
          test: false,
          read_only: false,
          actions: ["adapt.*"],
          budget: { credits: 500, period: "month", used: 37, resets_at: "2026-02-01T00:00:00.000Z" },
        },
      },
    },
  },
};

export const ACCOUNT: readonly Described[] = [
  {
    method: "GET",
    path: "/v1/account",
    detail: {
      operationId: "account_read",
      tags: ["account"],
      summary: "Credits, limits and webhook options",
      description: "Of the account that the key belongs to, and what the key itself may do.",
      responses: { "200": jsonResponse("The account of the key", AccountAnswer, EXAMPLE), ...READ_ERRORS },
    },
  },
];
