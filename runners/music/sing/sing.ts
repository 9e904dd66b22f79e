/** The engine whole: words to notes to samples. */

export { double, harmony } from "./doubles.ts";
export { readLyrics } from "./lyrics/lyrics.ts";
export { passagesOf } from "./passages.ts";
export { outlineOf, phrasesOf, timingsOf } from "./setting/phrases.ts";
export { setLyrics } from "./setting/setting.ts";
export { RATE, sing } from "./voice/singer.ts";
export { coloured, VOICES } from "./voice/voices.ts";
