/** `tonwerk leaks`. */
import { type Command, command, findAccount, none, table, time } from "../../administration/command.ts";

export const LEAK_COMMANDS = {
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
} as const satisfies Record<string, Command>;
