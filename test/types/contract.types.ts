/**
 * What the compiler must refuse of a declaration. Checked by `tsc`: a line marked as an expected error that compiles is itself an error.
 * Nothing here runs.
 */
import { defineAction, type Output, type Runner, type Stem, Type } from "../../contract/mod.ts";

const limits = { seconds_min: 1, seconds_max: 60, bytes_max: 1_000_000 } as const;
declare const output: Output;
declare const stems: Record<Stem, Output>;
declare const runner: Runner<{ gain_db: number }, Output>;

const base = {
  name: "test.action",
  wrapper: "result",
  summary: "An action to test types with",
  request: Type.Object({ prompt: Type.Optional(Type.String()), depth: Type.Number() }),
  sources: { source: limits },
  echo: ["prompt"],
  output: "single",
  work: "dsp",
  seeded: false,
  level: "source",
  engine: "test",
  loudness: "optional",
  failures: ["too_deep"],
  examples: [{ depth: 1, source: { url: "https://example.com/a.wav" } }],
  cost: () => 1,
} as const;

defineAction({ ...base, process: () => output });
defineAction({ ...base, process: async ({ run }) => run(runner, { gain_db: 1 }) });
defineAction({
  ...base,
  process: ({ sources, fail }) => (sources.source.channels.length > 1 ? fail("too_deep", "x") : output),
});

// What is understood
const Letters = Type.Object({ letters: Type.Integer() });
defineAction({
  ...base,
  understand: { schema: Letters, read: ({ request }) => ({ letters: request.prompt?.length ?? 0 }) },
  process: () => output,
});
// @ts-expect-error it is to be what its schema says
defineAction({ ...base, understand: { schema: Letters, read: () => ({ letters: "many" }) }, process: () => output });
// @ts-expect-error nothing is decoded then
defineAction({ ...base, understand: { schema: Letters, read: ({ sources }) => sources }, process: () => output });

// An output of the wrong shape
// @ts-expect-error a single output is wanted
defineAction({ ...base, process: () => [output] });
// @ts-expect-error variations are wanted
defineAction({ ...base, output: "variations", process: () => output });
// @ts-expect-error stems are wanted
defineAction({ ...base, output: "stems", loudness: "never", process: () => output });
defineAction({ ...base, process: () => ({ audio: output.audio }) });
// @ts-expect-error an engine is a name
defineAction({ ...base, process: () => ({ audio: output.audio, engine: 1 }) });

// A missing stem
defineAction({ ...base, output: "stems", loudness: "never", process: () => stems });
defineAction({
  ...base,
  output: "stems",
  loudness: "never",
  // @ts-expect-error "instrumental" is missing
  process: () => ({ vocals: output, drums: output, bass: output, other: output }),
});

// Names of outputs
const two = { ...base, output: { dry: "The voice alone", wet: "Its hall alone" } } as const;
defineAction({ ...two, process: () => ({ dry: output, wet: output }) });
defineAction({ ...two, process: () => ({ dry: output, wet: undefined }) });
// @ts-expect-error "wet" is missing
defineAction({ ...two, process: () => ({ dry: output }) });
// @ts-expect-error there are two outputs
defineAction({ ...two, process: () => output });
// @ts-expect-error each is described
defineAction({ ...base, output: { dry: true }, process: () => ({ dry: output }) });

// Settings
const Config = Type.Object({
  token: Type.String({ env: "ACME_TOKEN", secret: true, description: "Key of the service" }),
  retries: Type.Optional(Type.Integer({ env: "ACME_RETRIES", description: "How often it is asked" })),
});
defineAction({
  ...base,
  config: Config,
  process: ({ config }) => (config.token.length > (config.retries ?? 0) ? output : output),
});
// @ts-expect-error "tokn" is no setting
defineAction({ ...base, config: Config, process: ({ config }) => (config.tokn === "" ? output : output) });
// @ts-expect-error there are no settings
defineAction({ ...base, process: ({ config }) => (config.token === "" ? output : output) });

// Engines and steps
defineAction({
  ...base,
  async process({ sources, engines, run }) {
    const { vocals } = await engines.separate(sources.source, { share: 0.5 });
    await run(runner, { gain_db: 1 }, { share: 0.5, stage: "gain" });
    return vocals;
  },
});
// @ts-expect-error "sep" is no engine
defineAction({ ...base, process: ({ sources, engines }) => engines.sep(sources.source) });
// @ts-expect-error a prompt is wanted
defineAction({ ...base, process: ({ engines }) => engines.compose({ seed: 1 }) });
// @ts-expect-error a share is a number
defineAction({ ...base, process: ({ run }) => run(runner, { gain_db: 1 }, { share: "half" }) });

// An undeclared failure code
// @ts-expect-error "too_loud" is not among the failures
defineAction({ ...base, process: ({ fail }) => fail("too_loud", "x") });
// @ts-expect-error "music" is no source
defineAction({ ...base, process: ({ fail }) => fail("too_deep", "x", "music") });

// An echo of an unknown field
// @ts-expect-error "promt" is no field
defineAction({ ...base, echo: ["promt"], process: () => output });

// n_variations outside variations
// @ts-expect-error there is one output
defineAction({ ...base, process: ({ request }) => (request.n_variations > 1 ? output : output) });
// @ts-expect-error there is one output
defineAction({ ...base, examples: [{ ...base.examples[0], n_variations: 2 }], process: () => output });
defineAction({
  ...base,
  output: "variations",
  cost: ({ n_variations }) => 3 * n_variations,
  examples: [{ ...base.examples[0], n_variations: 2 }],
  process: ({ seeds }) => seeds.map(() => output),
});

// An undeclared source
// @ts-expect-error "voice" is no source
defineAction({ ...base, process: ({ sources }) => ({ audio: sources.voice, engine: "x" }) });
// @ts-expect-error "voice" is no source
defineAction({ ...base, distinct_sources: ["source", "voice"], process: () => output });
defineAction({
  ...base,
  sources: { source: { ...limits, optional: true } },
  examples: [{ depth: 1 }],
  // @ts-expect-error an optional source may be absent
  process: ({ sources }) => ({ audio: sources.source, engine: "x" }),
});

// A missing summary, wrapper, example, cost
const { summary: _summary, ...withoutSummary } = base;
// @ts-expect-error summary is missing
defineAction({ ...withoutSummary, process: () => output });
const { wrapper: _wrapper, ...withoutWrapper } = base;
// @ts-expect-error wrapper is missing
defineAction({ ...withoutWrapper, process: () => output });
// @ts-expect-error at least one example
defineAction({ ...base, examples: [], process: () => output });
// @ts-expect-error the example lacks its source
defineAction({ ...base, examples: [{ depth: 1 }], process: () => output });
// @ts-expect-error the example's depth is no number
defineAction({ ...base, examples: [{ ...base.examples[0], depth: "1" }], process: () => output });
const { cost: _cost, ...withoutCost } = base;
// @ts-expect-error cost is missing
defineAction({ ...withoutCost, process: () => output });

// Names, and values that types can see
// @ts-expect-error a name has a group
defineAction({ ...base, name: "action", process: () => output });
// @ts-expect-error there is no such kind of work
defineAction({ ...base, work: "gpu", process: () => output });
// @ts-expect-error there is no such level
defineAction({ ...base, level: "loud", process: () => output });
// @ts-expect-error a misspelt key would silently be none
defineAction({ ...base, polcy: { fields: ["prompt"], code: "content_policy" }, process: () => output });
// @ts-expect-error there is no such loudness
defineAction({ ...base, loudness: "loud", process: () => output });
// @ts-expect-error policy reads own fields
defineAction({ ...base, policy: { fields: ["lyrics"], code: "content_policy" }, process: () => output });

// A runner's input
// @ts-expect-error gain_db is a number
defineAction({ ...base, process: async ({ run }) => run(runner, { gain_db: "1" }) });
// @ts-expect-error gain_db is missing
defineAction({ ...base, process: async ({ run }) => run(runner, {}) });
defineAction({
  ...base,
  process: ({ sources }) => {
    // @ts-expect-error sources are read-only
    sources.source = output.audio;
    return output;
  },
});

// A list of sources
const listed = { ...base, sources: { album: { ...limits, repeated: 3 } }, outputs_of: "album" } as const;
const tracks = { depth: 1, album: [{ url: "https://example.com/a.wav" }] };
defineAction({
  ...listed,
  examples: [tracks],
  cost: ({ album }) => album.length,
  process: ({ sources }) => sources.album.map((audio) => ({ audio, gain_db: -audio.frames })),
});
// @ts-expect-error a list is wanted
defineAction({ ...listed, examples: [{ depth: 1, album: { url: "https://example.com/a.wav" } }], process: () => [] });
// @ts-expect-error no source of that name
defineAction({ ...listed, outputs_of: "tracks", examples: [tracks], process: () => [] });

// What an engine told is handed on field by field as well as whole.
defineAction({
  ...base,
  process: async ({ engines, sources: { source } }) => {
    const { audio, engine, report } = await engines.cut(source, { seconds: 5 });
    return { audio, engine, report };
  },
});
