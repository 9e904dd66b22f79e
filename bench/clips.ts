/**
 * What kind of clip is read in prompts for `create.new_sample`, against what their writer meant.
 *
 *   bun bench/clips.ts [FILE] [--json]     FILE: a list of { prompt, seconds, kind, root?, quality?, midi? }; without one, bench/create/clips.json
 *
 * `kind` is one of the report's (`stroke`, `note`, `chord`, `tutti`, `roll`, `fill`, `gesture`, `drums`, `phrase`) or
 * `sound` for what is no music. `root` is a pitch class by name, `quality` "major", "minor" or what stands behind the
 * root in a symbol, `midi` a note with C4 = 60. Prints every prompt that is read otherwise. Runs on Deno too.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { effect } from "../runners/effects/mod.ts";
import { readPrompt, understand } from "../runners/music/compose/composer.ts";
import type { Clip } from "../runners/music/studio/clip/clip.ts";
import { readClip } from "../runners/music/studio/clip/read.ts";

interface Meant {
  readonly prompt: string;
  readonly seconds: number;
  readonly kind: string;
  readonly root?: string;
  readonly quality?: string;
  readonly midi?: number;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});
const file = positionals[0] ?? new URL("create/clips.json", import.meta.url);
const prompts = JSON.parse(readFileSync(file, "utf8")) as readonly Meant[];
const CLASSES: Readonly<Record<string, number>> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const SUFFIXES: Readonly<Record<string, string>> = { major: "", minor: "m" };

function classOf(name: string): number {
  return (CLASSES[name[0]!]! + (name.includes("#") ? 1 : name.slice(1).includes("b") ? 11 : 0)) % 12;
}

/** What is wrong of the notes that a clip of the right kind was to have. */
function wrong({ root, quality, midi }: Meant, clip: Clip | undefined): string {
  if (clip?.kind === "note") {
    if (midi !== undefined) return clip.pitch === midi ? "" : `note ${clip.pitch}, not ${midi}`;
    return root === undefined || clip.tonic === classOf(root) ? "" : `note of class ${clip.tonic}, not ${root}`;
  }
  if (clip?.kind !== "chord" && clip?.kind !== "tutti") return "";
  if (root !== undefined && clip.root !== classOf(root)) return `root ${clip.root}, not ${root}`;
  const suffix = quality === undefined ? undefined : (SUFFIXES[quality] ?? quality);
  return suffix === undefined || clip.said.suffix === suffix ? "" : `"${clip.said.suffix}", not "${suffix}"`;
}

/** As `create.new_sample` decides between music and sounds. */
async function kindOf({ prompt, seconds }: Meant): Promise<readonly [kind: string, clip: Clip | undefined]> {
  const brief = understand(prompt);
  const clip = readClip(readPrompt(prompt), brief, seconds, false);
  if (clip !== undefined) return [clip.kind, clip];
  const { makeSample } = await import("../runners/music/studio/sample.ts");
  await effect.load();
  const job = { signal: new AbortController().signal, progress: () => undefined };
  const { report } = await makeSample({ prompt, seconds: Math.min(seconds, 1), loop: false, seed: 1 }, job);
  return [typeof report?.clip === "string" ? report.clip : "sound", undefined];
}

const tally = new Map<string, [right: number, of: number]>();
for (const meant of prompts) {
  const [kind, clip] = await kindOf(meant);
  const fault = kind === meant.kind ? wrong(meant, clip) : `${kind}, not ${meant.kind}`;
  const [right, of] = tally.get(meant.kind) ?? [0, 0];
  tally.set(meant.kind, [right + (fault === "" ? 1 : 0), of + 1]);
  if (fault !== "") console.log(`"${meant.prompt}", ${meant.seconds} s: ${fault}`);
}
for (const [kind, [right, of]] of tally) console.log(`${kind.padEnd(8)} ${right} of ${of}`);
const total = [...tally.values()].reduce((sum, [right]) => sum + right, 0);
console.log(`all      ${total} of ${prompts.length}, ${((100 * total) / prompts.length).toFixed(1)} %`);
if (values.json) console.log(JSON.stringify({ share: total / prompts.length }));
