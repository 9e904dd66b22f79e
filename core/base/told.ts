/**
 * What clients are told of this installation's own troubles: that there is one. Why is for its operator, in the log: reasons of models and
 * plugins hold paths, names of machines and what programs printed.
 */

export const TOLD = {
  model: "The model could not serve; the installation's log says why",
  plugin: "The plugin could not be loaded; the installation's log says why",
} as const;

/**
 * `text` without what slipped into it: absolute paths of this machine become `[path]`, the lines of a stack go. For what an author of a plugin
 * says on purpose, URLs and fractions among it.
 */
export function withoutPaths(text: string): string {
  return text.replace(STACK, "").replace(PATHS, "[path]");
}

/** As every runtime of ours writes it below an error. */
const STACK = /(?:\n\s+at [^\n]*)+/g;

/** Files by URL, folders that systems have at their root with what follows, drives and shares of Windows. */
const PATHS = new RegExp(
  [
    "file:\\/\\/[^\\s\"'`)]+",
    "(?<![\\w:/.])\\/(?:app|bin|data|dev|etc|home|lib|media|mnt|nix|opt|private|proc|root|run|srv|sys|tmp|usr|var|work|Users|Volumes)\\/[^\\s\"'`):,;]+",
    "(?<!\\w)[A-Za-z]:\\\\[^\\s\"'`):,;]+",
    "(?<![\\w\\\\])\\\\\\\\[\\w.-]+\\\\[^\\s\"'`):,;]+",
  ].join("|"),
  "g",
);
