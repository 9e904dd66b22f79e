/** `tonwerk plugins new | dev | check | add | remove | list`: what authors and operators of plugins do. */
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ADDED, loadRegistry } from "../../core/adapters/plugins/registry.ts";
import type { Config } from "../../core/base/config.ts";
import { HOME } from "../../core/surfaces.ts";
import { table } from "../../plugins/administration/command.ts";

const USAGE = [
  "Usage:",
  "  tonwerk plugins new <group.action> [--kit <tarball of @tonwerk/plugin>] [--into <folder>]   a package with one action, green at once",
  "  tonwerk plugins check [folder] [--seconds 60] [--memory-mb 2048]          what a server would refuse, and the tests",
  "  tonwerk plugins dev [folder] [--port 8787]                                a server with it, loaded anew on save",
  "  tonwerk plugins add <name | tarball | folder | repository.git> [--into <folder>]",
  "  tonwerk plugins remove <name> [--into <folder>]",
  "  tonwerk plugins list [--json]                                             each action with who ships it",
];

/** Writes line by line. Returns the exit code: 1 where something is refused, 2 for a command that is none. */
export async function pluginsCommand(
  [verb = "", ...rest]: readonly string[],
  config: Config,
  write: (line: string) => void,
): Promise<number> {
  const usage = (why?: string): number => {
    for (const line of why === undefined ? USAGE : [why, ...USAGE]) write(line);
    return why === undefined ? 0 : 2;
  };
  if (verb === "help" || [verb, ...rest].some((word) => word === "--help" || word === "-h")) return usage();
  let words: readonly string[];
  let options: Readonly<Record<string, string | boolean | undefined>>;
  try {
    const text = { type: "string" } as const;
    const { values, positionals } = parseArgs({
      args: [...rest],
      options: { kit: text, into: text, seconds: text, "memory-mb": text, port: text, json: { type: "boolean" } },
      allowPositionals: true,
    });
    [words, options] = [positionals, values];
  } catch (error) {
    return usage((error as Error).message);
  }
  const [word, ...more] = words;
  if (more.length > 0) return usage(`"${more[0]}" is one word too many.`);
  const place = resolve(typeof options.into === "string" ? options.into : join(config.data, ADDED));
  const limit = (name: string, otherwise: number): number => Number(options[name] ?? otherwise);
  switch (verb) {
    case "new": {
      if (word === undefined) return usage("A name is missing.");
      const { writeScaffold } = await import("./scaffold.ts");
      const kit = typeof options.kit === "string" ? resolve(options.kit) : undefined;
      await writeScaffold({ name: word, into: typeof options.into === "string" ? options.into : ".", kit });
      for (const line of [`Made ${word}/`, `  cd ${word}`, "  tonwerk plugins check", "  tonwerk plugins dev"])
        write(line);
      return 0;
    }
    case "check": {
      const { checkPlugin, LIMITS } = await import("./check.ts");
      const limits = { seconds: limit("seconds", LIMITS.seconds), memory_mb: limit("memory-mb", LIMITS.memory_mb) };
      if (!Object.values(limits).every((value) => value > 0)) return usage("Limits are numbers above 0.");
      await refuseNoFolder(word ?? ".");
      return checkPlugin(word ?? ".", ["./plugins"], limits, write);
    }
    case "dev": {
      await refuseNoFolder(word ?? ".");
      const { runDev } = await import("./dev.ts");
      await runDev({ folder: word ?? ".", port: limit("port", config.port), write });
      return 0;
    }
    case "add": {
      if (word === undefined) return usage("What is to be added is missing.");
      const { addPackage } = await import("./place.ts");
      const { name, actions } = await addPackage(place, word, config.plugins);
      write(`Added ${name} to ${place}: ${actions.join(", ")}`);
      write("A server serves it from its next start on.");
      return 0;
    }
    case "remove": {
      if (word === undefined) return usage("A name is missing.");
      const { removePackage } = await import("./place.ts");
      await removePackage(place, word);
      write(`Removed ${word}. A server that runs serves it until it stops.`);
      return 0;
    }
    case "list":
      return listPlugins(config, options.json === true, write);
    default:
      return usage(`There is no command "plugins ${verb}".`);
  }
}

async function refuseNoFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new Error(`There is no folder "${resolve(path)}"`);
}

async function listPlugins(config: Config, json: boolean, write: (line: string) => void): Promise<number> {
  const { actions, failed } = await loadRegistry(config.plugins, HOME, { added: resolve(config.data, ADDED) });
  const rows = [...actions.values()].map(({ action, package: name, version, origin }) => ({
    action: action.name,
    package: name,
    version,
    from: origin.module,
  }));
  if (json) write(JSON.stringify({ actions: rows, failed }));
  else {
    const cells = rows.map(({ action, package: name, version, from }) => [action, name ?? "-", version ?? "-", from]);
    for (const line of table(["ACTION", "PACKAGE", "VERSION", "FROM"], cells)) write(line);
    for (const { origin, reason } of failed) write(`Not served: ${origin}: ${reason}`);
  }
  return failed.length === 0 ? 0 : 1;
}
