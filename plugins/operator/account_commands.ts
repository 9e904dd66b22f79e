/** `tonwerk accounts|credits`. */

import {
  allAccounts,
  type Command,
  command,
  findAccount,
  none,
  ONCE,
  one,
  table,
  time,
  whole,
} from "../administration/command.ts";

export const ACCOUNT_COMMANDS = {
  "accounts list": command({
    ...none,
    account: false,
    usage: "",
    sentence: "every account with its credits",
    run: async ({ store }) => {
      const all = await allAccounts(store);
      return all.map(({ id, name, credits, created_at }) => ({ id, name, credits, created_at }));
    },
    lines: (all) =>
      table(
        ["id", "credits", "created (UTC)", "name"],
        all.map((a) => [a.id, a.credits, time(a.created_at), a.name]),
      ),
  }),
  "accounts create": command({
    ...one,
    account: false,
    options: ["credits"],
    usage: "<name> [--credits <n>]",
    sentence: "a new account with a key, a signing secret and, where there is a dashboard, a link for its first owner",
    async run(services, { words, options }) {
      const credits = whole("--credits", options.credits ?? "0");
      const { account, key, secret } = await services.admin.createAccount({ name: words[0]!, credits });
      const link = await services.linkOwner?.(services, account.id);
      return { account, api_key: key.plain, signing_secret: secret.plain, link };
    },
    lines: ({ account, api_key, signing_secret, link }) => [
      `Account         ${account.id}`,
      `API key         ${api_key}`,
      `Signing secret  ${signing_secret}`,
      ...(link === undefined ? [] : [`Owner's link    ${link.url}`]),
      `${ONCE}${link === undefined ? "" : ` The link works once, until ${time(link.expires_at)} UTC.`}`,
    ],
  }),
  "accounts rename": command({
    ...one,
    usage: "<name>",
    sentence: "gives an account another name",
    async run({ store, admin }, call) {
      const { id } = await findAccount(store, call);
      await admin.label("account", id, id, call.words[0]!);
      return { id, name: call.words[0]! };
    },
    lines: ({ id, name }) => [`${id} is called "${name}" now`],
  }),

  "credits show": command({
    ...none,
    usage: "",
    sentence: "the balance of an account",
    async run({ store }, call) {
      const { id, name, credits } = await findAccount(store, call);
      return { id, name, credits };
    },
    lines: ({ id, name, credits }) => [`${credits} credits: ${name} (${id})`],
  }),
  "credits grant": command({
    ...one,
    options: ["note"],
    usage: "<n> [--note <text>]",
    sentence: "adds credits to an account, with a line in its ledger",
    async run({ store, admin }, call) {
      const { id, name } = await findAccount(store, call);
      const granted = whole("The number of credits", call.words[0]!);
      return {
        id,
        name,
        granted,
        credits: await admin.grant(id, granted, call.options.note ?? "Granted by the operator"),
      };
    },
    lines: ({ id, name, granted, credits }) => [`Granted ${granted}: ${name} (${id}) has ${credits} credits now`],
  }),
  "credits ledger": command({
    ...none,
    options: ["limit", "before"],
    usage: "[--limit <n>] [--before <line>]",
    sentence: "the ledger of an account, newest first (50 lines, at most 1000)",
    async run({ store }, call) {
      const { id } = await findAccount(store, call);
      const limit = Math.min(1_000, whole("--limit", call.options.limit ?? "50"));
      const before = call.options.before;
      return store.ledger(id, { limit, ...(before === undefined ? {} : { before: whole("--before", before) }) });
    },
    lines: (lines) =>
      table(
        ["line", "time (UTC)", "kind", "credits", "operation or note"],
        lines.map((line) => [line.id, time(line.created_at), line.kind, line.credits, line.operation_id ?? line.note]),
      ),
  }),
} as const satisfies Record<string, Command>;
