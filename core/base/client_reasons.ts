/**
 * Clients learn that something failed in this installation, not why: the reasons of models and plugins hold paths,
 * names of machines and the output of programs. The operator reads them in the log.
 */

export const CLIENT_REASONS = {
  model: "The model could not serve; the installation's log says why",
  plugin: "The plugin could not be loaded; the installation's log says why",
} as const;

/**
 * For the messages of plugins, which are meant for clients: absolute paths of this machine become `[path]`, and lines
 * of a stack go. URLs and fractions stay.
 */
export function removePaths(text: string): string {
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
