import type { Audio, Streamed } from "../../../contract/mod.ts";
import { isStreamed } from "./produced.ts";

/**
 * Gives the memory of audio back that nobody reads again: its arrays are empty afterwards. Collectors see how small they
 * are and not what hangs on them, so a source of ten minutes would stand beside the next job's.
 */
export function giveBack(...audios: readonly (Audio | Streamed)[]): void {
  for (const audio of audios) {
    if (isStreamed(audio)) continue;
    // Two channels may be one array.
    for (const { buffer } of audio.channels) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
  }
}
