/** `tonwerk backups`: how the installation learns that it was backed up, which scripts outside of it do. */
import { BACKUP_NOTED } from "../administration/backups.ts";
import { type Command, command, none, time } from "../administration/command.ts";

export const BACKUP_COMMANDS = {
  "backups note": command({
    ...none,
    account: false,
    words_max: 1,
    usage: "[where]",
    sentence: "says that a backup was made just now, for the operator's page and the audit log",
    async run(_, { words }) {
      return { where: words[0] ?? null };
    },
    lines: () => ["Noted"],
  }),
  "backups show": command({
    ...none,
    account: false,
    usage: "",
    sentence: "when the last backup was noted",
    async run({ store }) {
      const [last] = await store.auditEntries({ action: BACKUP_NOTED, limit: 1 });
      return { at: last?.at ?? null };
    },
    lines: ({ at }) => [at === null ? "None was noted" : `${time(at)} UTC`],
  }),
} as const satisfies Record<string, Command>;
