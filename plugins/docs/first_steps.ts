/**
 * Lines that work as they are pasted behind a start: a track is uploaded, brought to -14 LUFS, and downloaded as FLAC.
 */
import { fileURLToPath } from "node:url";
import type { FirstAccount } from "../../core/surface.ts";

/** The example clip of this installation. */
const EXAMPLE = fileURLToPath(new URL("../../examples/song.flac", import.meta.url));
const ACTION = "/v1/adapt.normalise_loudness";

export function writeFirstSteps(base_url: string, first: FirstAccount | undefined): string {
  const key =
    first === undefined
      ? "KEY='tonwerk_…'   # your API key; a lost one cannot be shown again"
      : `KEY='${first.api_key}'`;
  return `
${key}

# Try it: upload a track, have it brought to -14 LUFS, download the FLAC.
AUDIO='${EXAMPLE}'   # or a WAV, MP3 or FLAC of your own
SOURCE=$(curl -fsS -X PUT '${base_url}/v1/files' -H "Authorization: Bearer $KEY" --data-binary "@$AUDIO" | sed 's/.*"url":"\\([^"]*\\)".*/\\1/')
OPERATION=$(curl -fsS -X PUT '${base_url}${ACTION}' -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' --data "{\\"idempotency_key\\":\\"${crypto.randomUUID()}\\",\\"source\\":{\\"url\\":\\"$SOURCE\\"}}" | sed 's/.*"id":"\\(op_[^"]*\\)".*/\\1/')
curl -fsS "${base_url}${ACTION}?id=$OPERATION&wait=true" -H "Authorization: Bearer $KEY" | tee operation.json
curl -fsS -o normalised.flac "$(sed 's/.*"url":"\\([^"]*\\)".*/\\1/' operation.json)"
`;
}
