/** Completion in shells: a few lines for each, which ask `tonwerk` itself, so that a server's new action is completed at once. */
import { type Action, type Document, findAction } from "./document.ts";
import { UsageError } from "./exit_codes.ts";
import { fieldsOf, SHARED_OPTIONS } from "./fields.ts";

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

/** What may stand at the last of `words`, each with a tab and its description. Empty: a file, or anything. */
export function complete(
  document: Document | undefined,
  actions: readonly Action[],
  commands: Readonly<Record<string, string>>,
  words: readonly string[],
): readonly string[] {
  const [first = "", ...rest] = words;
  const list = (all: Readonly<Record<string, string>>) => Object.entries(all).map(([word, text]) => `${word}\t${text}`);
  if (rest.length === 0) {
    const found = Object.fromEntries(actions.map(({ command, summary }) => [command, summary]));
    return list({ ...found, ...commands }).filter((line) => line.startsWith(first));
  }
  const action = findAction(actions, first);
  if (document === undefined || action === undefined) return [];
  const fields = fieldsOf(document, action);
  const current = rest.at(-1)!;
  const before = fields.find(({ option }) => `--${option}` === rest.at(-2));
  if (before !== undefined && before.words.length > 0) return before.words.filter((word) => word.startsWith(current));
  if (!current.startsWith("-")) return [];
  const own = fields.flatMap(({ option, description, kind }) => [
    [`--${option}`, description],
    ...(kind === "boolean" ? [[`--no-${option}`, description]] : []),
  ]);
  const shared = Object.entries(SHARED_OPTIONS).map(([option, description]) => [`--${option}`, description]);
  return list(Object.fromEntries([...own, ...shared]) as Record<string, string>).filter((line) =>
    line.startsWith(current),
  );
}
