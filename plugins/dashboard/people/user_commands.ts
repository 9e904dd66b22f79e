/** `tonwerk users`: who may sign in to an account's dashboard. */

import { OPERATOR, type Role, type User } from "../../../core/surface.ts";
import {
  type Command,
  CommandMistake,
  type CommandServices,
  command,
  findAccount,
  none,
  ONCE,
  one,
  table,
  time,
} from "../../administration/command.ts";
import { canonicalEmail } from "./email_address.ts";
import type { FormRefused, Invited, Members } from "./members.ts";
import { issueLink, LINK_MS } from "./sign_in_links.ts";

export const USER_COMMANDS = {
  "users list": command({
    ...none,
    usage: "",
    sentence: "who may sign in to an account",
    async run(services, call) {
      const members = await membersOf(services);
      const by = asOwner(await findAccount(services.store, call));
      const [users, open] = await Promise.all([members.members(by), members.invitations(by)]);
      return [
        ...users.map((user) => ({ ...user, invited: false })),
        ...open.map((one) => ({ ...one, disabled_at: null, invited: true })),
      ];
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
    async run(services, call) {
      const members = await membersOf(services);
      const by = asOwner(await findAccount(services.store, call));
      return linked(await members.invite(by, { email: call.words[0]!, role: roleOf(call.options.role ?? "member") }));
    },
    lines: linkLines,
  }),
  "users withdraw": command({
    ...one,
    usage: "<e-mail>",
    sentence: "ends an open invitation",
    async run(services, call) {
      const members = await membersOf(services);
      const by = asOwner(await findAccount(services.store, call));
      const email = canonicalEmail(call.words[0]!);
      const found = (await members.invitations(by)).find((one) => one.email === email);
      if (found === undefined) throw new CommandMistake(`There is no open invitation of "${call.words[0]}"`);
      refuse(await members.withdraw(by, found.id));
      return { id: found.id, email: found.email };
    },
    lines: ({ id, email }) => [`${email} (${id}) is invited no more`],
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
        return {
          ...(await issueLink({ ...services, base_url: services.config.base_url }, id, null, LINK_MS.first)),
          mailed: false,
        };
      }
      const { account, user } = await findUser(services, email);
      const members = await membersOf(services);
      return linked(await members.makePasswordLink(asOwner(account), user.id));
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
  "users operator": command({
    ...none,
    words_min: 2,
    words_max: 2,
    usage: "<e-mail> <yes|no>",
    sentence: "lets a user see the operator's pages and grant credits there, or no more",
    async run(services, call) {
      const [email = "", wish = ""] = call.words;
      if (wish !== "yes" && wish !== "no") throw new CommandMistake(`Say yes or no, not "${wish}"`);
      const { account, user } = await findUser(services, email);
      const { store, audit, clock } = services;
      const details = { email: user.email, operator: wish === "yes" };
      const entry = audit.entry(OPERATOR, "member.operator", { account_id: account.id, target: user.id, details });
      await store.audited(entry, "setOperator", user.id, wish === "yes" ? clock.now() : null);
      return { id: user.id, email: user.email, operator: wish === "yes" };
    },
    lines: ({ email, operator }) => [`${email} is ${operator ? "an operator" : "no operator"} now`],
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
      const members = await membersOf(services);
      refuse(await members.removeMember(asOwner(account), user.id));
      return { id: user.id, email: user.email };
    },
    lines: ({ id, email }) => [`${email} (${id}) is removed`],
  }),
} as const satisfies Record<string, Command>;

/** Members as the operator changes them. Loaded where a command runs: beside a server nothing of it is needed. */
async function membersOf({ config, store, clock, log, audit }: CommandServices): Promise<Members> {
  const [{ createMailer }, { createMembers }] = await Promise.all([import("./mail.ts"), import("./members.ts")]);
  return createMembers({ store, clock, mailer: createMailer(config), log, base_url: config.base_url, audit });
}

/** The operator may what an owner may. */
function asOwner({ id, name }: { readonly id: string; readonly name: string }) {
  return { account: { id, name }, user: { id: "operator", role: "owner" as const } };
}

async function findUser({ store }: Pick<CommandServices, "store">, text: string) {
  const email = canonicalEmail(text);
  const user = email === undefined ? undefined : await store.findUser(email);
  const account = user && (await store.account(user.account_id));
  if (user === undefined || account === undefined) throw new CommandMistake(`There is no user "${text}"`);
  return { account, user };
}

async function changeUser(
  services: CommandServices,
  email: string,
  changes: { role?: Role; disabled?: boolean },
): Promise<Omit<User, "password">> {
  const { account, user } = await findUser(services, email);
  const members = await membersOf(services);
  refuse(await members.changeMember(asOwner(account), user.id, changes));
  const { password: _, ...changed } = (await services.store.user(user.id)) ?? user;
  return changed;
}

function userLines({ email, role, disabled_at }: Pick<User, "email" | "role" | "disabled_at">): readonly string[] {
  return [`${email} is ${role}${disabled_at === null ? "" : ", disabled"} now`];
}

type Outcome<Kind extends string> = { readonly kind: Kind } | { readonly kind: "refused"; readonly message: string };

function refuse(outcome: Outcome<"changed">): void {
  if (outcome.kind === "refused") throw new CommandMistake(outcome.message);
}

interface Link {
  readonly url: string;
  readonly expires_at: number;
  readonly mailed: boolean;
}

function linked(outcome: Invited | FormRefused): Link {
  if (outcome.kind === "refused") throw new CommandMistake(outcome.message);
  const { url, expires_at, mailed } = outcome;
  // To the operator every link is shown.
  return { url: url!, expires_at, mailed };
}

function linkLines({ url, expires_at, mailed }: Link): readonly string[] {
  return [
    url,
    `Works once, until ${time(expires_at)} UTC. ${mailed ? "It was mailed too." : "It was not mailed."} ${ONCE}`,
  ];
}

function roleOf(text: string): Role {
  if (text === "owner" || text === "member") return text;
  throw new CommandMistake(`The role is owner or member, not "${text}"`);
}
