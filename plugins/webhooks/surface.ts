/**
 * Webhook endpoints: receivers of all events of an account, beside the `callback_url` of an operation. Who is told of
 * an event, and how it is delivered, is core's; this is the account's side of it.
 */
import type { TSchema } from "@sinclair/typebox";
import {
  type AccountRoute,
  type Actor,
  clientAddress,
  type Facade,
  type Principal,
  parseBody,
  readBytes,
  readJson,
  refuse,
  respondSubmitted,
  type Surface,
} from "../../core/surface.ts";
import { type Asked, redeliverFailed } from "../administration/redeliver.ts";
import { createEndpoints, type Wanted } from "../administration/webhook_endpoints.ts";
import { DETAILS } from "./document.ts";
import { EndpointChanges, NewEndpoint, Redelivery, Rotation } from "./schemas.ts";

type Given = Parameters<AccountRoute["answer"]>[1];

const ROTATION_BYTES_MAX = 1_000;

export default function webhooks(facade: Facade): Surface {
  const { config, validator, once } = facade;
  const endpoints = createEndpoints(facade);

  const reader = <Body>(schema: TSchema) => {
    const validate = validator(schema);
    return (value: unknown): Body => {
      const checked = validate(value);
      if (!checked.ok) throw refuse.invalid(checked.issues);
      return checked.value as Body;
    };
  };
  const readNew = reader<Wanted>(NewEndpoint);
  const readChanges = reader<Partial<Wanted>>(EndpointChanges);
  const readRotation = reader<{ readonly overlap_seconds: number }>(Rotation);
  const readRedelivery = reader<Asked & { readonly idempotency_key: string }>(Redelivery);

  /** Whoever may change an endpoint could be told of everything: a key for some actions alone may not. */
  const actorOf = ({ key }: Principal, { request, peer }: Given): Actor => {
    if (key !== undefined && key.actions !== null) throw refuse.keyScopeMissing("webhook_endpoints");
    const address = clientAddress(peer.address, request.headers.get("x-forwarded-for"), config.trusted_proxies);
    return { id: key?.id ?? "service", email: null, address: address ?? null };
  };
  const idOf = ({ params }: Given): string => params.id ?? "";

  const answers: Readonly<Record<keyof typeof DETAILS, AccountRoute["answer"]>> = {
    list: async (account) => ({ webhook_endpoints: await endpoints.list(account) }),

    read: async (account, given) => ({ webhook_endpoint: await endpoints.render(account, idOf(given)) }),

    async create(account, given) {
      const actor = actorOf(account, given);
      return endpoints.create(account, actor, readNew(await readJson(given.request)));
    },

    async update(account, given) {
      const actor = actorOf(account, given);
      const changes = readChanges(await readJson(given.request));
      return { webhook_endpoint: await endpoints.update(account, actor, idOf(given), changes) };
    },

    async remove(account, given) {
      const id = idOf(given);
      await endpoints.remove(account, actorOf(account, given), id);
      return { id, deleted: true };
    },

    async rotate(account, given) {
      const actor = actorOf(account, given);
      const bytes = await readBytes(given.request, ROTATION_BYTES_MAX);
      const { overlap_seconds } = readRotation(bytes.length === 0 ? {} : parseBody(bytes));
      return endpoints.rotate(account, actor, idOf(given), overlap_seconds);
    },

    async ping(account, given) {
      actorOf(account, given);
      return { webhook_id: await endpoints.ping(account, idOf(given)) };
    },

    async redeliver(account, { request }) {
      const { idempotency_key, ...asked } = readRedelivery(await readJson(request));
      const { body, replayed } = await once(
        account,
        `operations.redeliver_failed ${JSON.stringify(Object.entries(asked).sort())}`,
        idempotency_key,
        () => endpoints.takeBulk(account),
        async () => JSON.stringify(await redeliverFailed(facade, account, asked)),
      );
      return respondSubmitted({ body, replayed });
    },
  };

  return {
    name: "webhooks",
    account_routes: Object.entries(DETAILS).map(([name, { method, path, detail }]) => ({
      ...{ method, path, detail },
      answer: answers[name as keyof typeof DETAILS],
    })),
  };
}
