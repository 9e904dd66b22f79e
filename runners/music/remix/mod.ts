/** A source orchestrated anew. Light; the engine loads inside the pool. */
import type { Making, Output, Runner } from "../../../contract/mod.ts";
import { NOTHING, type Understood } from "../../language/mod.ts";
import { composer } from "../compose/mod.ts";
import { voiceReader } from "../studio/mod.ts";
import type { RemixInput, RemixSongInput } from "./input.ts";

export { ENGINE } from "./engine.ts";
export type { RemixInput, RemixSongInput } from "./input.ts";

/**
 * Variations in the order of their seeds, made when they are called for. A source without a sound gives silence of its
 * length, which cannot be mastered: core answers `source_silent`.
 */
export const remixInstrumental: Runner<RemixInput, readonly (Output | Making)[]> = {
  name: "remixInstrumental",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: (await import("./remix.ts")).remix }),
};

/** New lyrics on what makes the source itself: its tempo, key, chords and, where syllables fit, its tune. Silence as above. */
export const remixSong: Runner<RemixSongInput, readonly (Output | Making)[]> = {
  name: "remixSong",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: (await import("./song.ts")).remixSong }),
};

/** What the words alone ask for; what the source says is not among it. */
export const understandRemix: Runner<{ readonly prompt?: string | undefined; readonly sung: boolean }, Understood> = {
  name: "understandRemix",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const [{ readPrompt, understand, askedOf }, { isStyled }, { remixedAs }, sungAs] = await Promise.all([
      composer.load(),
      import("./wishes.ts"),
      import("./source.ts"),
      voiceReader.load(),
    ]);
    return {
      run({ prompt, sung }) {
        if (prompt === undefined) return NOTHING;
        const ask = readPrompt(prompt);
        // One kind of music only: what is remixed keeps its course.
        const brief = understand({ ...ask, turn: null });
        const asked = askedOf(brief, isStyled(brief));
        return remixedAs(sung ? sungAs(asked, ask) : asked, ask, sung);
      },
    };
  },
};
