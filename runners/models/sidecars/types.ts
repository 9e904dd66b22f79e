/** What the process of a sidecar takes and gives. */
import type { Audio } from "../../../contract/mod.ts";
import type { StemName } from "../fields.ts";
import type { SidecarManifest, SidecarTask } from "./manifest.ts";

/** Tasks of which a piece comes. */
export type MakingTask = Exclude<SidecarTask, "separate">;

export interface SidecarSpec {
  readonly manifest: SidecarManifest;
  /** 10^6 bytes that its program may hold. */
  readonly memory_mb: number;
}

export interface GenerateRequest {
  readonly prompt: string;
  /** As the client wrote them, with their markers: a job of the task `song`. Absent: nobody sings. */
  readonly lyrics?: string;
  /** What is made anew: a job of the task `remix`, or `remix_song`. It has the rate that the task's facts say. */
  readonly reference?: Audio;
  readonly seconds: number;
  readonly seed: number;
}

/** What a server is asked for: its health says whether it does that. */
export function taskOf({ lyrics, reference }: Pick<GenerateRequest, "lyrics" | "reference">): MakingTask {
  if (reference === undefined) return lyrics === undefined ? "generate" : "song";
  return lyrics === undefined ? "remix" : "remix_song";
}

export type SidecarInput = { readonly spec: SidecarSpec } /** Has it loaded, and waits until it is ready. */ & (
  | { readonly type: "open" }
  /** What it says of itself now. */
  | { readonly type: "look" }
  /** Tries what its protocol asks of it. */
  | { readonly type: "check" }
  | { readonly type: "generate"; readonly request: GenerateRequest }
  | { readonly type: "separate"; readonly audio: Audio; readonly stems: readonly StemName[] }
);

export type SidecarOutput =
  | { readonly type: "opened"; readonly facts: SidecarFacts }
  | { readonly type: "checked"; readonly facts: SidecarFacts; readonly checks: readonly SidecarCheck[] }
  | { readonly type: "made"; readonly audio: Audio }
  /** In the order that was asked for, as long as the source and with as many channels. */
  | { readonly type: "stems"; readonly stems: readonly (readonly Float32Array[])[] };

export interface SidecarCheck {
  readonly name: string;
  /** Null: it went well. */
  readonly fault: string | null;
  readonly seconds: number;
}

/** What a server says of itself, checked, with what its manifest says in its place. */
export interface SidecarFacts {
  readonly name: string | null;
  readonly version: string | null;
  readonly licence: string | null;
  readonly device: string | null;
  /** What it holds by its own account, 10^6 bytes. */
  readonly memory_mb: number | null;
  /** Jobs that it takes at once; null: it does not say. */
  readonly concurrency: number | null;
  readonly tasks: Readonly<Partial<Record<SidecarTask, TaskFacts>>>;
}

export interface TaskFacts {
  /** Of what goes in and comes out; null: any, of generators that say with each piece. */
  readonly sample_rate: number | null;
  readonly seconds_max: number | null;
  readonly stems: readonly StemName[];
}
