/** Lyrics and the voice that sings them. Light: types, and the way to the engine, which loads inside the pool. */
export type { LyricLine, LyricSection, Lyrics } from "./lyrics/lyrics.ts";
export type { Setting } from "./setting/setting.ts";
export type { SungNote, SungPhrase, SungPitch } from "./voice/notes.ts";
export type { Singing } from "./voice/singer.ts";
export type { Voice, VoiceName } from "./voice/voices.ts";

export type SingEngine = typeof import("./sing.ts");

/** For other engines, inside a pool's thread. */
export const loadSinger = (): Promise<SingEngine> => import("./sing.ts");
