/** `tonwerk settings`: limits, allowlist, webhook and leak options of an account. */

import type { AccountSettings } from "../../core/surface.ts";
import { type Command, CommandMistake, command, findAccount, none, whole } from "../administration/command.ts";

export const SETTING_COMMANDS = {
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
} as const satisfies Record<string, Command>;

const SETTINGS = {
  put_per_minute: "number or default",
  get_per_minute: "number or default",
  long_polls: "number or default",
  free_seconds: "number or default",
  uploads_open: "number or default",
  upload_bytes: "number or default",
  jobs_max: "number",
  allowlist: "list",
  webhook_body: "text",
  webhook_long_retries: "flag",
  revoke_leaked: "flag",
} as const satisfies Record<keyof AccountSettings, string>;

function settingsOf(account: AccountSettings): AccountSettings {
  const { put_per_minute, get_per_minute, long_polls, jobs_max, allowlist, webhook_body } = account;
  const { free_seconds, uploads_open, upload_bytes, webhook_long_retries, revoke_leaked } = account;
  return {
    put_per_minute,
    get_per_minute,
    long_polls,
    free_seconds,
    uploads_open,
    upload_bytes,
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
      throw new CommandMistake(
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
    throw new CommandMistake(`${name} is true or false, not "${text}"`);
  }
  return kind === "flag" ? text === "true" : text;
}
