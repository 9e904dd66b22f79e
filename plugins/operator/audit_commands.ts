/** `tonwerk audit`: who did what in the installation or in one account, and whether the log is as it was written. */
import type { AuditEntry } from "../../core/surface.ts";
import { auditLine, verifyAudit } from "../administration/audit_chain.ts";
import {
  type Command,
  type CommandCall,
  CommandMistake,
  type CommandServices,
  command,
  findAccount,
  none,
  table,
  time,
  whole,
} from "../administration/command.ts";

const PAGE = { options: ["since", "before", "limit"], usage: "[--since <date>] [--before <position>] [--limit <n>]" };
/** As many fit into an answer of the socket. */
const LIMIT_MAX = 10_000;

export const AUDIT_COMMANDS = {
  "audit list": command({
    ...none,
    ...PAGE,
    sentence: "who did what, newest first (50, at most 10000), in the whole installation or with --account in one",
    run: (services, call) => entries(services, call, "50"),
    lines: (found) =>
      table(
        ["position", "time (UTC)", "account", "who", "from", "action", "target", "details"],
        found.map((one) => [
          one.position,
          time(one.at),
          one.account_id ?? "-",
          one.actor_email ?? one.actor,
          one.address ?? "-",
          one.action,
          one.target ?? "-",
          one.details === "{}" ? "" : one.details,
        ]),
      ),
  }),
  "audit export": command({
    ...none,
    ...PAGE,
    sentence: "the same with hashes, one JSON object a line (10000; go on with --before)",
    run: (services, call) => entries(services, call, String(LIMIT_MAX)),
    lines: (found) => found.map(auditLine),
  }),
  "audit verify": command({
    ...none,
    account: false,
    usage: "",
    sentence: "computes the log's chain of hashes anew, and says what was changed or taken out",
    async run({ store }) {
      const verified = await verifyAudit(store);
      if (verified.faults.length > 0) throw new CommandMistake(verified.faults.join("\n"));
      return verified;
    },
    lines: ({ entries: count, oldest, newest }) =>
      oldest === null || newest === null
        ? ["The log is empty"]
        : [
            `${count} entries from ${oldest.position} (${time(oldest.at)} UTC) to ${newest.position} are as they were written`,
            `${newest.sha256} is the newest hash: written down elsewhere, it tells later whether entries after it were cut off`,
          ],
  }),
} as const satisfies Record<string, Command>;

async function entries(
  { store }: CommandServices,
  call: CommandCall,
  default_limit: string,
): Promise<readonly AuditEntry[]> {
  const { account, since, before, limit = default_limit } = call.options;
  const from = since === undefined ? undefined : Date.parse(since);
  if (Number.isNaN(from)) throw new CommandMistake(`--since must be a date such as 2026-11-23, not "${since}"`);
  return store.auditEntries({
    limit: Math.min(LIMIT_MAX, whole("--limit", limit)),
    ...(account === undefined ? {} : { account_id: (await findAccount(store, call)).id }),
    ...(from === undefined ? {} : { since: from }),
    ...(before === undefined ? {} : { before: whole("--before", before) }),
  });
}
