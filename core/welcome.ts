/** What a start prints: where the service is, the first key, and lines that work as they are pasted. */
import { fileURLToPath } from "node:url";
import type { FirstAccount } from "./accounts/first_account.ts";

/** Path of the example clip of this installation. */
export const EXAMPLE = fileURLToPath(new URL("../examples/song.flac", import.meta.url));

export interface Welcome {
  readonly base_url: string;
  readonly first: FirstAccount | undefined;
  /** Lines of the surfaces. */
  readonly greetings: readonly (readonly string[])[];
  /** Path of an audio file to begin with. */
  readonly example: string;
  /** A fresh UUID for the example request. */
  readonly key: string;
  readonly actions: readonly string[];
}

export function welcome({ base_url, first, greetings, example, key, actions }: Welcome): string {
  const made =
    first === undefined
      ? "KEY='tonwerk_…'   # your API key; a lost one cannot be shown again"
      : [
          `API key         ${first.api_key}`,
          `Signing secret  ${first.signing_secret}`,
          `Credits         ${first.credits}`,
          "",
          "Key and secret are shown this once and not stored in plain.",
          "",
          `KEY='${first.api_key}'`,
        ].join("\n");
  return `
Tonwerk is ready at ${base_url}
API description ${base_url}/docs
Actions         ${actions.join(", ")}
${greetings
  .flat()
  .map((line) => `${line}\n`)
  .join("")}
${made}

# Try it: upload a track, have it brought to -14 LUFS, download the FLAC.
AUDIO='${example}'   # or a WAV, MP3 or FLAC of your own
SOURCE=$(curl -fsS -X PUT '${base_url}/v1/files' -H "Authorization: Bearer $KEY" --data-binary "@$AUDIO" | sed 's/.*"url":"\\([^"]*\\)".*/\\1/')
OPERATION=$(curl -fsS -X PUT '${base_url}/v1/adapt.normalise_loudness' -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' --data "{\\"idempotency_key\\":\\"${key}\\",\\"source\\":{\\"url\\":\\"$SOURCE\\"}}" | sed 's/.*"id":"\\(op_[^"]*\\)".*/\\1/')
curl -fsS "${base_url}/v1/adapt.normalise_loudness?id=$OPERATION&wait=true" -H "Authorization: Bearer $KEY" | tee operation.json
curl -fsS -o normalised.flac "$(sed 's/.*"url":"\\([^"]*\\)".*/\\1/' operation.json)"
`;
}
