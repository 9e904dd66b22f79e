/** @deprecated since 1.2: `@tonwerk/plugin` has these. Actions in folders were told that this file stays until 2. */
export { Duration, Lyrics, lyricsIssues, Prompt, RemixDuration } from "../packages/plugin/mod.ts";
