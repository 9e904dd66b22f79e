/** By protocol, who speaks it. */
import { speakAceStep } from "./ace_step.ts";
import { speakCog } from "./cog.ts";
import type { Protocol, SidecarManifest } from "./manifest.ts";
import { SILENCE_MS, speakOwn } from "./own.ts";
import type { Speaker } from "./speaker.ts";

const SPEAKERS: Readonly<Record<Protocol, (manifest: SidecarManifest) => Speaker>> = {
  tonwerk: (manifest) => speakOwn(manifest, { silence_ms: manifest.silence_ms_max ?? SILENCE_MS }),
  cog: speakCog,
  "ace-step": speakAceStep,
};

export function speakTo(manifest: SidecarManifest): Speaker {
  return SPEAKERS[manifest.protocol](manifest);
}
