/** Pieces side by side in a model's process, seen from inside: MusicGen's miniature, its codes given by us. */
import { fileURLToPath } from "node:url";
import type { Audio, Job, Output, Runner } from "../../../contract/mod.ts";
import type { ModelSettings } from "../../../core/ports/mod.ts";
import { useModels } from "../../../runners/engines.ts";
import { parseManifest } from "../../../runners/models/manifest.ts";
import { specFor } from "../../../runners/models/open.ts";
import { createSessions } from "../../../runners/models/sessions.ts";
import { floats, floatsOf, integers, type Tensors, zeros } from "../../../runners/models/tensor.ts";
import { makeInstrumentals } from "../../../runners/music/studio/instrumental.ts";
import { readCase } from "./cases.ts";
import { SETTINGS } from "./fixtures.ts";

export const CASES = fileURLToPath(new URL("conformance", import.meta.url));
const [LAYERS, HEADS, SIZE, BOOKS, WIDTH] = [2, 3, 8, 4, 16];
const [CHROMA_FRAMES, CLASSES] = [57, 12];
/** Of no codebook: the graph refuses it. */
const OUT_OF_RANGE = 10_000;

const words = (side: string): string[] =>
  Array.from({ length: LAYERS }, (_, layer) => ["key", "value"].map((kind) => `${layer}.${side}.${kind}`)).flat();
const carryOf = (side: string) => Object.fromEntries(words(side).map((word) => [`present.${word}`, `past.${word}`]));

/** The mono model, or the one that has chroma and text among its positions. */
export type Miniature = "musicgen" | "musicgen_melody";

async function openMiniature(together: number, name: Miniature = "musicgen") {
  const has_melody = name === "musicgen_melody";
  const length = has_melody ? 3 : 64;
  const { run } = createSessions();
  const { manifest } = await parseManifest({ ...readCase(CASES, name).manifest, batch: together });
  const place = { resident: name, device: undefined, providers: ["cpu"] };
  const spec = await specFor(manifest, { ...SETTINGS, models: CASES }, place);
  const plain: Job = { signal: new AbortController().signal, progress() {} };
  const opened = await run({ type: "open", spec }, plain);
  if (opened.type !== "opened") throw new Error(opened.type);
  const { key } = opened.opened;

  /** A piece whose words and codes follow from its number. */
  const piece = (number: number, state = `piece ${number}`) => {
    const mask = Array.from({ length: 2 * length }, (_, n) => (n < 3 + number ? 1 : 0));
    const states = Float32Array.from({ length: 2 * length * WIDTH }, (_, n) =>
      n < (3 + number) * WIDTH ? Math.sin(n + number) : 0,
    );
    const text_mask = integers(mask, [2, length]);
    const classes = Float32Array.from({ length: 2 * CHROMA_FRAMES * CLASSES }, (_, n) =>
      n % CLASSES === (n < CHROMA_FRAMES * CLASSES ? 1 + 2 * number : 0) ? 1 : 0,
    );
    const chroma = floats(classes, [2, CHROMA_FRAMES, CLASSES]);
    let at = 0;
    const begin = async (steps_max = 8): Promise<string> =>
      (await run({ type: "begin", key, state, wish: { alike: "64", steps_max, bytes: 1 } }, plain)).type;
    const hear = () =>
      run(
        {
          type: "run",
          key,
          role: "decoder",
          feeds: { text: floats(states, [2, length, WIDTH]), text_mask, ...(has_melody ? { chroma } : {}) },
          outputs: [],
          carry: carryOf(has_melody ? "decoder" : "encoder"),
          state,
        },
        plain,
      );
    const step = async (job = plain, code?: number): Promise<Float32Array> => {
      const codes = Array.from({ length: 2 * BOOKS }, (_, n) => code ?? (number + 5 * (n % BOOKS) + 7 * at) % 64);
      const empty =
        at > 0
          ? {}
          : Object.fromEntries(words("decoder").map((word) => [`past.${word}`, zeros("float32", [2, HEADS, 0, SIZE])]));
      const feeds: Tensors = { text_mask, codes: integers(codes, [2 * BOOKS, 1]), ...empty };
      const more = {
        outputs: ["logits"],
        carry: carryOf("decoder"),
        state,
        resume: true,
        joint: true,
        positions: 8,
      } as const;
      const made = await run({ type: "run", key, role: "decoder_with_past", feeds, ...more }, job);
      if (made.type !== "outputs") throw new Error(made.type);
      at++;
      return floatsOf(made.outputs, "logits");
    };
    const forget = () => run({ type: "forget", key, state }, plain);
    return { begin, hear, step, forget };
  };
  /** What it gives when it never asked to begin with others. */
  const alone = async (number: number, steps: number): Promise<Float32Array[]> => {
    const one = piece(number, `alone ${number}`);
    await one.hear();
    const made: Float32Array[] = [];
    for (let n = 0; n < steps; n++) made.push(await one.step());
    await one.forget();
    return made;
  };
  return { piece, alone };
}

export type Mishap = "fails" | "is aborted" | "does not come";

export interface Seen {
  /** What four that ask are answered, of which three may; and the fourth once these have ended. */
  readonly answers: readonly string[];
  readonly afterwards: string;
  /** Whether the first step of one waited for that of the last. */
  readonly waited: boolean;
  /** What became of the third's step. */
  readonly fault: string;
  /** Logits by piece and step, and those of the same pieces alone. */
  readonly made: readonly (readonly Float32Array[])[];
  readonly alone: readonly (readonly Float32Array[])[];
}

/** Three begin together. The second ends after two steps; then the third meets with something. */
export const sideBySide: Runner<{ readonly mishap: Mishap; readonly name?: Miniature }, Seen> = {
  name: "sideBySide",
  from: import.meta.url,
  isolation: "process",
  load: async () => ({ run: ({ mishap, name }) => tryThree(mishap, name) }),
};

async function tryThree(mishap: Mishap, name?: Miniature): Promise<Seen> {
  const { piece, alone } = await openMiniature(3, name);
  const [a, b, c, d] = [piece(0), piece(1), piece(2), piece(3)] as const;
  const answers = await Promise.all([a, b, c, d].map((one) => one.begin()));
  for (const one of [a, b, c]) await one.hear();
  const made: Float32Array[][] = [[], [], []];
  const keep = async (index: number, step: Promise<Float32Array>) => void made[index]!.push(await step);

  const first = [keep(0, a.step()), keep(1, b.step())];
  await new Promise((resolve) => setTimeout(resolve, 50));
  const waited = made[0]!.length === 0;
  await Promise.all([...first, keep(2, c.step())]);
  await Promise.all([keep(0, a.step()), keep(2, c.step()), keep(1, b.step())]);
  await b.forget();

  const faultOf = (step: Promise<unknown>): Promise<string> => step.then(String, (error: Error) => error.message);
  let fault = "";
  if (mishap === "fails") {
    const third = keep(0, a.step());
    fault = await faultOf(c.step(undefined, OUT_OF_RANGE));
    await third;
  } else if (mishap === "is aborted") {
    const stop = new AbortController();
    const third = faultOf(c.step({ signal: stop.signal, progress() {} }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    fault = await third;
    await keep(0, a.step());
  } else await keep(0, a.step());
  // Whoever failed or was late goes on alone.
  if (mishap !== "is aborted") await keep(2, c.step());
  await keep(0, a.step());
  await a.forget();
  if (mishap !== "is aborted") await keep(2, c.step());
  await c.forget();
  const afterwards = await d.begin();
  const numbers = made.map((steps, number) => alone(number, steps.length));
  return {
    answers,
    afterwards,
    waited,
    fault,
    made,
    alone: await Promise.all(numbers),
  };
}

/** One has done two steps when another begins, and a third that is too short to catch up. */
export const oneAfterAnother: Runner<null, Omit<Seen, "fault" | "afterwards">> = {
  name: "oneAfterAnother",
  from: import.meta.url,
  isolation: "process",
  load: async () => ({ run: tryCatchingUp }),
};

async function tryCatchingUp(): Promise<Omit<Seen, "fault" | "afterwards">> {
  const { piece, alone } = await openMiniature(3);
  const [a, b, c] = [piece(0), piece(1), piece(2)] as const;
  const made: Float32Array[][] = [[], []];
  const keep = async (index: number, step: Promise<Float32Array>) => void made[index]!.push(await step);
  const answers = [await a.begin()];
  await a.hear();
  for (let n = 0; n < 2; n++) await keep(0, a.step());
  answers.push(await b.begin(), await c.begin(3));
  await b.hear();
  const third = keep(0, a.step());
  for (let n = 0; n < 2; n++) await keep(1, b.step());
  await new Promise((resolve) => setTimeout(resolve, 50));
  const waited = made[0]!.length === 2;
  await Promise.all([third, keep(1, b.step())]);
  await Promise.all([keep(0, a.step()), keep(1, b.step())]);
  await a.forget();
  await keep(1, b.step());
  return { answers, waited, made, alone: await Promise.all(made.map((steps, number) => alone(number, steps.length))) };
}

/** Variations of one request: how far all of them were when the first was there, the engines, and whether each is what it is alone. */
export const variations: Runner<
  ModelSettings,
  { readonly done: number; readonly engines: readonly (string | undefined)[]; readonly are_equal: boolean }
> = {
  name: "variations",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({
    async run(settings, job) {
      useModels(settings);
      let done = 0;
      const watched = {
        ...job,
        progress(fraction: number) {
          done = fraction;
        },
      };
      const ask = (...seeds: number[]) => makeInstrumentals({ prompt: "calm piano", seconds: 0.5, seeds }, watched);
      const makings = await ask(7, 8);
      const first = await makings[0]!();
      const found = done;
      const together = [first, await makings[1]!()];
      const alone = await Promise.all([7, 8].map(async (seed) => (await ask(seed))[0]!()));
      const samples = (outputs: readonly Output[]) => outputs.map(({ audio }) => (audio as Audio).channels[0]!.join());
      return {
        done: found,
        engines: together.map(({ engine }) => engine),
        are_equal: `${samples(together)}` === `${samples(alone)}`,
      };
    },
  }),
};
