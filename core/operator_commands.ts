/**
 * What `tonwerk accounts|keys|secrets|credits|users|settings|leaks` can do: how each is called, what it does where the store is, and how
 * its answer is printed. The command and the server are the same program, so one table serves both.
 */

import {
  allAccounts,
  findAccount,
  type OperatorCall,
  OperatorMistake,
  type OperatorServices,
} from "./operator_call.ts";
import type { AccountSettings, Role, User } from "./ports.ts";
import { issueLink, LINK_MS } from "./sign_in_links.ts";
import { canonicalEmail } from "./users.ts";

export interface OperatorCommand {
  /** What follows the command's name. Words in <> are required, in [] optional. */
  readonly usage: string;
  readonly sentence: string;
  /** Names of its options beside --account and --json; `account`: whether it takes that one. */
  readonly options: readonly string[];
  readonly account: boolean;
  /** How many words it takes. */
  readonly words_min: number;
  readonly words_max: number;
  run(services: OperatorServices, call: OperatorCall): Promise<unknown>;
  /** What is printed without --json. */
  lines(value: never): readonly string[];
}

/** Ties what `run` answers to what `lines` prints. */
function command<Value>(
  of: Omit<OperatorCommand, "run" | "lines"> & {
    run(services: OperatorServices, call: OperatorCall): Promise<Value>;
    lines(value: Value): readonly string[];
  },
): OperatorCommand {
  return of;
}

const none = { options: [], account: true, words_min: 0, words_max: 0 } as const;
const one = { ...none, words_min: 1, words_max: 1 } as const;
const time = (ms: number | null): string =>
  ms === null ? "-" : new Date(ms).toISOString().slice(0, 16).replace("T", " ");
const ONCE = "Shown this once, and not stored in plain.";

export const COMMANDS = {
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
    sentence: "a new account with a key, a signing secret and a link for its first owner",
    async run({ admin }, { words, options }) {
      const credits = whole("--credits", options.credits ?? "0");
      const { account, key, secret, link } = await admin.createAccount({ name: words[0]!, credits });
      return { account, api_key: key.plain, signing_secret: secret.plain, link };
    },
    lines: ({ account, api_key, signing_secret, link }) => [
      `Account         ${account.id}`,
      `API key         ${api_key}`,
      `Signing secret  ${signing_secret}`,
      `Owner's link    ${link.url}`,
      `${ONCE} The link works once, until ${time(link.expires_at)} UTC.`,
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

  "keys list": command({
    ...none,
    usage: "",
    sentence: "API keys of an account: last four characters, label, last use",
    async run({ store }, call) {
      const { id } = await findAccount(store, call);
      return (await store.keys(id)).map(({ sha256: _, ...key }) => key);
    },
    lines: (keys) =>
      table(
        ["id", "ends in", "created (UTC)", "last used", "state", "label"],
        keys.map((key) => [
          key.id,
          key.last_four,
          time(key.created_at),
          time(key.used_at),
          key.revoked_at === null ? "live" : `revoked ${time(key.revoked_at)}`,
          key.label,
        ]),
      ),
  }),
  "keys create": command({
    ...none,
    options: ["label"],
    usage: "[--label <text>]",
    sentence: "a new API key, shown once",
    async run({ store, admin }, call) {
      const { id, plain } = await admin.createKey((await findAccount(store, call)).id, call.options.label ?? "");
      return { id, key: plain };
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

  "users list": command({
    ...none,
    usage: "",
    sentence: "who may sign in to an account",
    async run({ store, members }, call) {
      return members.members(asOwner(await findAccount(store, call)));
    },
    lines: (users) =>
      table(
        ["id", "role", "state", "e-mail"],
        users.map((user) => [
          user.id,
          user.role,
          user.disabled_at !== null ? "disabled" : user.invited ? "invited" : "active",
          user.email,
        ]),
      ),
  }),
  "users invite": command({
    ...one,
    options: ["role"],
    usage: "<e-mail> [--role owner|member]",
    sentence: "a new user, who chooses a password with the link (role member unless said)",
    async run({ store, members }, call) {
      const by = asOwner(await findAccount(store, call));
      return linked(await members.invite(by, { email: call.words[0]!, role: roleOf(call.options.role ?? "member") }));
    },
    lines: linkLines,
  }),
  "users link": command({
    ...none,
    words_max: 1,
    usage: "[e-mail]",
    sentence: "a link with which the user chooses a new password; without an address one for a new owner",
    async run(services, call) {
      const [email] = call.words;
      if (email === undefined) {
        const { id } = await findAccount(services.store, call);
        return { ...(await issueLink(services, id, null, LINK_MS.first)), mailed: false };
      }
      const { account, user } = await findUser(services, email);
      return linked(await services.members.inviteAgain(asOwner(account), user.id));
    },
    lines: linkLines,
  }),
  "users role": command({
    ...none,
    words_min: 2,
    words_max: 2,
    usage: "<e-mail> <owner|member>",
    sentence: "gives a user another role",
    run: (services, call) => changeUser(services, call.words[0]!, { role: roleOf(call.words[1]!) }),
    lines: userLines,
  }),
  "users disable": command({
    ...one,
    usage: "<e-mail>",
    sentence: "ends a user's sessions and lets nobody sign in as them",
    run: (services, call) => changeUser(services, call.words[0]!, { disabled: true }),
    lines: userLines,
  }),
  "users enable": command({
    ...one,
    usage: "<e-mail>",
    sentence: "lets a disabled user sign in again",
    run: (services, call) => changeUser(services, call.words[0]!, { disabled: false }),
    lines: userLines,
  }),
  "users remove": command({
    ...one,
    usage: "<e-mail>",
    sentence: "forgets a user",
    async run(services, call) {
      const { account, user } = await findUser(services, call.words[0]!);
      refuse(await services.members.removeMember(asOwner(account), user.id));
      return { id: user.id, email: user.email };
    },
    lines: ({ id, email }) => [`${email} (${id}) is removed`],
  }),

  "settings show": command({
    ...none,
    usage: "",
    sentence: "limits, allowlist, webhook and leak options of an account",
    run: async ({ store }, call) => settingsOf(await findAccount(store, call)),
    lines: settingLines,
  }),
  "settings set": command({
    ...none,
    words_min: 1,
    words_max: 20,
    usage: "<name>=<value> …",
    sentence:
      "changes some: numbers, true or false, default, or a list with commas (allowlist=192.0.2.0/24,2001:db8::1)",
    async run({ store, admin }, call) {
      const { id } = await findAccount(store, call);
      return settingsOf(await admin.updateSettings(id, readSettings(call.words)));
    },
    lines: settingLines,
  }),

  "leaks list": command({
    ...none,
    usage: "",
    sentence: "keys of an account that were reported as found in public, the last 100",
    run: async ({ store }, call) => store.leaks((await findAccount(store, call)).id, { limit: 100 }),
    lines: (reports) =>
      table(
        ["id", "reported (UTC)", "key", "state", "where"],
        reports.map((report) => [
          report.id,
          time(report.created_at),
          report.key_id,
          `${report.revoked ? "revoked" : "told"}${report.closed_at === null ? "" : ", closed"}`,
          report.url || report.source || "-",
        ]),
      ),
  }),
} as const satisfies Record<string, OperatorCommand>;

export type CommandName = keyof typeof COMMANDS;

// --------------------------------------------------------------------------------------------------------------- parts

async function rename(
  { store, admin }: Pick<OperatorServices, "store" | "admin">,
  call: OperatorCall,
  what: "key" | "secret",
): Promise<{ id: string; label: string }> {
  const [id = "", label = ""] = call.words;
  await admin.label(what, (await findAccount(store, call)).id, id, label);
  return { id, label };
}

/** The operator may what an owner may. */
function asOwner({ id, name }: { readonly id: string; readonly name: string }) {
  return { account: { id, name }, user: { id: "operator", role: "owner" as const } };
}

async function findUser({ store }: Pick<OperatorServices, "store">, text: string) {
  const email = canonicalEmail(text);
  const user = email === undefined ? undefined : await store.findUser(email);
  const account = user && (await store.account(user.account_id));
  if (user === undefined || account === undefined) throw new OperatorMistake(`There is no user "${text}"`);
  return { account, user };
}

async function changeUser(
  services: OperatorServices,
  email: string,
  changes: { role?: Role; disabled?: boolean },
): Promise<Omit<User, "password">> {
  const { account, user } = await findUser(services, email);
  refuse(await services.members.changeMember(asOwner(account), user.id, changes));
  const { password: _, ...changed } = (await services.store.user(user.id)) ?? user;
  return changed;
}

function userLines({ email, role, disabled_at }: Pick<User, "email" | "role" | "disabled_at">): readonly string[] {
  return [`${email} is ${role}${disabled_at === null ? "" : ", disabled"} now`];
}

type Outcome<Kind extends string> = { readonly kind: Kind } | { readonly kind: "refused"; readonly message: string };

function refuse(outcome: Outcome<"changed">): void {
  if (outcome.kind === "refused") throw new OperatorMistake(outcome.message);
}

interface Link {
  readonly url: string;
  readonly expires_at: number;
  readonly mailed: boolean;
}

function linked(
  outcome: (Link & { readonly kind: "invited" }) | { readonly kind: "refused"; readonly message: string },
): Link {
  if (outcome.kind === "refused") throw new OperatorMistake(outcome.message);
  const { url, expires_at, mailed } = outcome;
  return { url, expires_at, mailed };
}

function linkLines({ url, expires_at, mailed }: Link): readonly string[] {
  return [
    url,
    `Works once, until ${time(expires_at)} UTC. ${mailed ? "It was mailed too." : "It was not mailed."} ${ONCE}`,
  ];
}

function roleOf(text: string): Role {
  if (text === "owner" || text === "member") return text;
  throw new OperatorMistake(`The role is owner or member, not "${text}"`);
}

function whole(what: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new OperatorMistake(`${what} must be a whole number, not "${text}"`);
}

const SETTINGS = {
  put_per_minute: "number or default",
  get_per_minute: "number or default",
  long_polls: "number or default",
  jobs_max: "number",
  allowlist: "list",
  webhook_body: "text",
  webhook_long_retries: "flag",
  revoke_leaked: "flag",
} as const satisfies Record<keyof AccountSettings, string>;

function settingsOf(account: AccountSettings): AccountSettings {
  const { put_per_minute, get_per_minute, long_polls, jobs_max, allowlist, webhook_body } = account;
  const { webhook_long_retries, revoke_leaked } = account;
  return {
    put_per_minute,
    get_per_minute,
    long_polls,
    jobs_max,
    allowlist,
    webhook_body,
    webhook_long_retries,
    revoke_leaked,
  };
}

function settingLines(settings: AccountSettings): readonly string[] {
  return Object.entries(settings).map(([name, value]: [string, unknown]) => {
    const text = value === null ? "default" : Array.isArray(value) ? value.join(",") : String(value);
    return `${name}=${text}`;
  });
}

function readSettings(words: readonly string[]): Partial<AccountSettings> {
  const changes: Record<string, unknown> = {};
  for (const word of words) {
    const equals = word.indexOf("=");
    const [name, text] = equals === -1 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
    if (!Object.hasOwn(SETTINGS, name) || text === undefined) {
      throw new OperatorMistake(
        `"${word}" is no setting: ${Object.keys(SETTINGS)
          .map((known) => `${known}=…`)
          .join(", ")}`,
      );
    }
    changes[name] = readSetting(name, SETTINGS[name as keyof AccountSettings], text);
  }
  return changes as Partial<AccountSettings>;
}

function readSetting(name: string, kind: string, text: string): unknown {
  if (kind === "number or default" && text === "default") return null;
  if (kind.startsWith("number")) return whole(name, text);
  if (kind === "list")
    return text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  if (kind === "flag" && text !== "true" && text !== "false") {
    throw new OperatorMistake(`${name} is true or false, not "${text}"`);
  }
  return kind === "flag" ? text === "true" : text;
}

/** Columns as wide as their widest cell; what control characters a label could hold would move the terminal's cursor. */
function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): readonly string[] {
  if (rows.length === 0) return ["None"];
  const cells = [head, ...rows.map((row) => row.map((cell) => String(cell).replace(/\p{Cc}/gu, " ")))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}
