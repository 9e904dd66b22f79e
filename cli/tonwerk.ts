#!/usr/bin/env bun
/** `tonwerk <command>`: what clients ask of a server, and what an operator asks on the machine itself. */
import { args, exit } from "../core/adapters/runtime/runtime.ts";
import { loadConfig, pluginOrigins } from "../core/base/config.ts";
import { keepFilesPrivate } from "../core/base/data_folder.ts";
import { messageOf } from "../core/base/log.ts";
import type { CommandsModule } from "../plugins/administration/command.ts";
import { explain } from "./help.ts";
import { modelsCommand } from "./models.ts";
import { findCommands, groupLines, groupsOf, runTyped } from "./typed_commands.ts";

interface Command {
  readonly usage: string;
  readonly sentence: string;
  /** Returns the exit code. */
  run(rest: readonly string[]): Promise<number>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  models: {
    usage: "models list | check | add | bench | remove",
    sentence:
      "models of your own in TONWERK_MODELS: look at them, try them, add one by its files; models help explains",
    run: (rest) => modelsCommand(rest, loadConfig(process.env), (line) => console.log(line)),
  },
  sounds: {
    usage: "sounds list | sounds manifest <file> <instrument>",
    sentence: "recorded instruments: those in TONWERK_SOUNDS, checked; a manifest for an SFZ file or a SoundFont",
    async run(rest) {
      const { soundsCommand } = await import("./sounds.ts");
      return soundsCommand(rest, loadConfig(process.env), (line) => console.log(line));
    },
  },
  plugins: {
    usage: "plugins new | check | dev | add | remove | list",
    sentence: "actions of others and of your own: make, test, serve and add packages; plugins help explains",
    async run(rest) {
      const { pluginsCommand } = await import("./plugins/mod.ts");
      return pluginsCommand(rest, loadConfig(process.env), (line) => console.log(line));
    },
  },
  config: {
    usage: "config",
    sentence: "every variable of the environment with its value, those of actions too; nothing secret",
    async run(rest) {
      const { configCommand } = await import("./config.ts");
      return configCommand(rest, process.env, (line) => console.log(line));
    },
  },
  "migrate-store": {
    usage: "migrate-store [--dry-run]",
    sentence: "carry the data folder's installation to DATABASE_URL and S3_BUCKET; the server must be stopped",
    async run(rest) {
      // Loaded here: other commands need no database driver.
      const { migrateCommand } = await import("./migrate_store.ts");
      return migrateCommand(rest, loadConfig(process.env), (line) => console.log(line));
    },
  },
};

function operatorHelp(all: CommandsModule): readonly string[] {
  return [
    "For whoever runs the server:",
    ...Object.values(COMMANDS).flatMap(({ usage, sentence }) => explain(`tonwerk ${usage}`, sentence)),
    ...groupsOf(all).flatMap((group) => groupLines(all, group)),
    "",
    "The last ones work beside a running server and without one, for whoever owns the data folder. --json prints for programs;",
    "--account <id or name> chooses where there are several; tonwerk <group> help explains one group.",
  ];
}

async function main([name = "", ...rest]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) {
    // A new package is its author's as any file; one that is added to a folder of its own is for whoever a server runs
    // as, in an image say.
    const is_shared = name === "plugins" && (rest[0] === "new" || rest.some((word) => word.startsWith("--into")));
    if (!is_shared) keepFilesPrivate();
    return command.run(rest);
  }
  const client = await import("./client/main.ts");
  if (client.isClientCommand(name)) return client.runNamed(name, rest);
  const all = await findCommands(pluginOrigins(process.env));
  if (groupsOf(all).includes(name)) {
    keepFilesPrivate();
    return runTyped(all, name, rest, () => loadConfig(process.env), { out: console.log, err: console.error });
  }
  return client.runWords([name, ...rest], operatorHelp(all), [...Object.keys(COMMANDS), ...groupsOf(all)]);
}

main(args).then(exit, (error: unknown) => {
  // A message for the operator.
  console.error(messageOf(error));
  exit(1);
});
