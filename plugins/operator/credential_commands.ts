/** `tonwerk keys|secrets`: what programs sign in and verify with. */

import {
  type Command,
  type CommandCall,
  type CommandServices,
  command,
  findAccount,
  none,
  ONCE,
  one,
  table,
  time,
} from "../administration/command.ts";
import { budgetText, readRights, scopesText } from "../administration/typed_rights.ts";
import { rewrapSecrets } from "./sealed_secrets.ts";

export const CREDENTIAL_COMMANDS = {
  "keys list": command({
    ...none,
    usage: "",
    sentence: "API keys of an account: last four characters, label, last use, scopes, budget",
    async run({ store }, call) {
      const { id } = await findAccount(store, call);
      return (await store.keys(id)).map(({ sha256: _, ...key }) => key);
    },
    lines: (keys) =>
      table(
        ["id", "ends in", "created (UTC)", "last used", "state", "mode", "scopes", "budget", "label"],
        keys.map((key) => [
          key.id,
          key.last_four,
          time(key.created_at),
          time(key.used_at),
          key.revoked_at === null ? "live" : `revoked ${time(key.revoked_at)}`,
          key.rights?.test ? "test" : "live",
          scopesText(key.rights),
          budgetText(key.rights),
          key.label,
        ]),
      ),
  }),
  "keys create": command({
    ...none,
    options: ["label", "mode", "scopes", "budget"],
    usage: "[--label <text>] [--mode test] [--scopes read,adapt.*,...] [--budget <credits>/day|month]",
    sentence: "a new API key, shown once; scopes and budget restrict it, a test key costs nothing",
    async run({ store, admin }, call) {
      const { label = "", mode, scopes, budget } = call.options;
      const rights = readRights({ mode, scopes, budget });
      const { id, plain } = await admin.createKey((await findAccount(store, call)).id, label, rights);
      return { id, key: plain, rights };
    },
    lines: ({ id, key }) => [key, `${id}. ${ONCE}`],
  }),
  "keys rename": command({
    ...none,
    words_min: 2,
    words_max: 2,
    usage: "<key id> <label>",
    sentence: "gives a key another label",
    run: ({ store, admin }, call) => rename({ store, admin }, call, "key"),
    lines: ({ id, label }) => [`${id} is labelled "${label}" now`],
  }),
  "keys revoke": command({
    ...one,
    usage: "<key id>",
    sentence: "ends a key for good, everywhere within 5 s",
    async run({ store, admin }, call) {
      await admin.revokeKey((await findAccount(store, call)).id, call.words[0]!);
      return { id: call.words[0]! };
    },
    lines: ({ id }) => [`${id} is revoked`],
  }),

  "secrets list": command({
    ...none,
    usage: "",
    sentence: "webhook signing secrets of an account; every live one signs",
    async run({ store }, call) {
      const { id } = await findAccount(store, call);
      return (await store.secrets(id)).map(({ sealed: _, ...secret }) => secret);
    },
    lines: (secrets) =>
      table(
        ["id", "created (UTC)", "state", "label"],
        secrets.map((secret) => [
          secret.id,
          time(secret.created_at),
          secret.retired_at === null ? "live" : `retired ${time(secret.retired_at)}`,
          secret.label,
        ]),
      ),
  }),
  "secrets create": command({
    ...none,
    options: ["label"],
    usage: "[--label <text>]",
    sentence: "a new signing secret, shown once; deliveries carry its signature beside the older ones'",
    async run({ store, admin }, call) {
      const { id, plain } = await admin.createSecret((await findAccount(store, call)).id, call.options.label ?? "");
      return { id, secret: plain };
    },
    lines: ({ id, secret }) => [secret, `${id}. ${ONCE} Retire the older one when every receiver knows this one.`],
  }),
  "secrets rename": command({
    ...none,
    words_min: 2,
    words_max: 2,
    usage: "<secret id> <label>",
    sentence: "gives a signing secret another label",
    run: ({ store, admin }, call) => rename({ store, admin }, call, "secret"),
    lines: ({ id, label }) => [`${id} is labelled "${label}" now`],
  }),
  "secrets retire": command({
    ...one,
    usage: "<secret id>",
    sentence: "signs with it no more; the last live one stays",
    async run({ store, admin }, call) {
      await admin.retireSecret((await findAccount(store, call)).id, call.words[0]!);
      return { id: call.words[0]! };
    },
    lines: ({ id }) => [`${id} signs no more`],
  }),
  "secrets rewrap": command({
    ...none,
    account: false,
    usage: "",
    sentence: "seals the signing secrets of all accounts anew, where the previous TONWERK_SECRET alone opens them",
    run: ({ store, secrets }) => rewrapSecrets({ store, secrets }),
    lines: ({ rewrapped, current, lost }) => [
      `${rewrapped} sealed anew, ${current} were sealed under TONWERK_SECRET already`,
      ...lost.map((id) => `${id} opens with neither: retire it, and create another one`),
    ],
  }),
} as const satisfies Record<string, Command>;

async function rename(
  { store, admin }: Pick<CommandServices, "store" | "admin">,
  call: CommandCall,
  what: "key" | "secret",
): Promise<{ id: string; label: string }> {
  const [id = "", label = ""] = call.words;
  await admin.label(what, (await findAccount(store, call)).id, id, label);
  return { id, label };
}
