/** Composes, plays and mixes within one worker. Light; the engines load inside the pool. */
import type { Making, Output, Runner } from "../../../contract/mod.ts";
import { effectReader } from "../../effects/mod.ts";
import { NOTHING, type Understood } from "../../language/mod.ts";
import { composer } from "../compose/mod.ts";
import type { InstrumentalInput, SongInput } from "./input.ts";

export type { ModelPiece } from "./by_model.ts";
export type { InstrumentalInput, SongInput } from "./input.ts";
export type { Guest } from "./record.ts";
export type LayoutOf = typeof import("./layout.ts").layoutOf;
export { type ScoreReport, scoreReport } from "./score_report.ts";
export { ENGINE, share, within } from "./shared.ts";

export interface SampleInput {
  readonly prompt: string;
  /** 0.5 to 60, delivered to the sample. */
  readonly seconds: number;
  /** A ring: whole bars, and no seam where it begins again. */
  readonly loop: boolean;
  readonly seed: number;
}

export const song: Runner<SongInput, readonly Making[]> = {
  name: "song",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: (await import("./song.ts")).makeSongs }),
};

export const instrumental: Runner<InstrumentalInput, readonly Making[]> = {
  name: "instrumental",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: (await import("./instrumental.ts")).makeInstrumentals }),
};

export const sample: Runner<SampleInput, Output> = {
  name: "sample",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({ run: (await import("./sample.ts")).makeSample }),
};

/** What the words of a piece are taken to ask for, without a note being written; where a reference says, nothing. */
export const understandPiece: Runner<{ readonly prompt?: string | undefined; readonly sung: boolean }, Understood> = {
  name: "understandPiece",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const [{ readPrompt, understand, reportOf }, sungAs] = await Promise.all([composer.load(), voiceReader.load()]);
    return {
      run({ prompt, sung }) {
        if (prompt === undefined) return NOTHING;
        const ask = readPrompt(prompt);
        const understood = reportOf(understand(ask));
        return sung ? sungAs(understood, ask) : understood;
      },
    };
  },
};

export const understandSample: Runner<Omit<SampleInput, "seed">, Understood> = {
  name: "understandSample",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    // With what reads sounds, which the first prompt that is no music would else wait for.
    const [{ readSample }] = await Promise.all([import("./read_sample.ts"), effectReader.load()]);
    return { run: async ({ prompt, seconds, loop }) => (await readSample(prompt, seconds, loop)).understood };
  },
};

/** Plays and mixes a score, for engines of the same thread. */
export const recorder = { load: async () => (await import("./record.ts")).record } as const;

/** Has a whole piece made by a model, for engines of the same thread. */
export const modelPieces = { load: async () => (await import("./by_model.ts")).byModel } as const;

/** Adds what words say of a voice, for engines of the same thread. */
export const voiceReader = { load: async () => (await import("./singer.ts")).sungAs } as const;

/** Chooses a singer and sets lyrics on a score, for engines of the same thread. */
export const vocalists = {
  load: async () => {
    const [{ vocals }, { singerFor, sungAs }, { vocalist }, { layoutOf }] = await Promise.all([
      import("./song.ts"),
      import("./singer.ts"),
      import("./vocalist.ts"),
      import("./layout.ts"),
    ]);
    return { vocals, singerFor, sungAs, vocalist, layoutOf };
  },
} as const;
