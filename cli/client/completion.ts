/**
 * Completion in shells: a few lines for each, which ask `tonwerk` itself, so that a server's new action is completed at
 * once.
 */
import type { Action } from "./document.ts";
import { UsageError } from "./exit_codes.ts";
import type { Field } from "./fields.ts";

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# eval "$(tonwerk completion bash)"
_tonwerk() {
  local IFS=$'\\n'
  local words="$(tonwerk __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tonwerk tonwerk`,
  zsh: `#compdef tonwerk
# eval "$(tonwerk completion zsh)"
_tonwerk() {
  local -a found
  found=(\${(f)"$(tonwerk __complete "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e 's/\\t/:/')"})
  if (( \${#found} )); then _describe tonwerk found; else _files; fi
}
compdef _tonwerk tonwerk`,
  fish: `# tonwerk completion fish | source
complete -c tonwerk -a "(tonwerk __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)"`,
};

export function completionScript(shell: string | undefined): string {
  const script = Object.hasOwn(SCRIPTS, shell ?? "") ? SCRIPTS[shell!] : undefined;
  if (script === undefined) throw new UsageError(`Usage: tonwerk completion ${Object.keys(SCRIPTS).join("|")}`);
  return script;
}

/** What may follow a command. */
export interface Choices {
  /** At its first place, each with its description. */
  readonly words: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
  /** Of options that have only some. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** What may stand at the last of `words`, each with a tab and its description. Empty: a file, or anything. */
export function complete(
  commands: Readonly<Record<string, string>>,
  choicesOf: (command: string, verb: string) => Choices | undefined,
  words: readonly string[],
): readonly string[] {
  const [command = "", ...rest] = words;
  const current = rest.at(-1) ?? command;
  const list = (all: Readonly<Record<string, string>>, before = "") =>
    Object.entries(all)
      .map(([word, text]) => `${before}${word}\t${text}`)
      .filter((line) => line.startsWith(current));
  if (rest.length === 0) return list(commands);
  const choices = choicesOf(command, rest[0]!);
  if (choices === undefined) return [];
  const values = choices.values[/^--(.+)$/u.exec(rest.at(-2) ?? "")?.[1] ?? ""];
  if (values !== undefined) return values.filter((word) => word.startsWith(current));
  if (current.startsWith("-")) return list(choices.options, "--");
  return rest.length === 1 ? list(choices.words) : [];
}

/** Options that come from a schema. */
export function choicesOfFields(
  fields: readonly Field[],
  shared: Readonly<Record<string, string>>,
  actions: readonly Action[],
): Choices {
  const own = fields.flatMap(({ option, description, kind }) => [
    [option, description],
    ...(kind === "boolean" ? [[`no-${option}`, description]] : []),
  ]);
  const values = fields.flatMap(({ option, words }) => (words.length > 0 ? [[option, words]] : []));
  return {
    words: {},
    options: { ...Object.fromEntries(own), ...shared },
    values: { action: actions.map(({ command }) => command), ...Object.fromEntries(values) },
  };
}
