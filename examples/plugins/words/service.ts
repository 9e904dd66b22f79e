/** How the service is asked: `POST <address>/hear` with a WAV file, which answers `{ text, language }`. */
import type { FetchAnswer, FetchRequest } from "@tonwerk/plugin";

interface Asked {
  readonly address: string;
  readonly token: string;
  readonly language: string | undefined;
  readonly wav: Uint8Array;
  readonly fetch: (url: string, request?: FetchRequest) => Promise<FetchAnswer>;
  readonly signal: AbortSignal;
}

/** What clients are told of the service. */
export class Trouble extends Error {
  readonly code: "no_words" | "service_busy" | "service_away";
  constructor(code: Trouble["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const TRIES = 3;
const WAIT_SECONDS_MAX = 10;

export async function ask({ address, token, language, wav, fetch, signal }: Asked) {
  const url = new URL("hear", address.endsWith("/") ? address : `${address}/`);
  if (language !== undefined) url.searchParams.set("language", language);
  const headers = { authorization: `Bearer ${token}`, "content-type": "audio/wav", accept: "application/json" };
  for (let tried = 1; ; tried++) {
    const answer = await fetch(url.href, { method: "POST", headers, body: wav }).catch((error: unknown) => {
      // Cancelled: nobody waits for a failure.
      signal.throwIfAborted();
      if (error instanceof Error && error.name === "OutboundError")
        throw new Trouble("service_away", "The service that hears words did not answer");
      throw error;
    });
    if (answer.status === 200) return read(answer);
    if (answer.status === 422) throw new Trouble("no_words", "No words were heard in the track");
    if (answer.status !== 429 && answer.status !== 503) throw new Error(`The service answered ${answer.status}`);
    if (tried === TRIES) throw new Trouble("service_busy", "The service that hears words is busy, try again later");
    const seconds = Number(answer.headers["retry-after"] ?? tried);
    await pause(Math.min(WAIT_SECONDS_MAX, Number.isFinite(seconds) ? seconds : tried), signal);
  }
}

/** What others send is looked at before anything is made of it. */
function read({ body }: FetchAnswer): { text: string; language: string | null } {
  const { text, language } = Object(JSON.parse(new TextDecoder().decode(body))) as Record<string, unknown>;
  if (typeof text !== "string") throw new Error("The service answered without a text");
  return { text, language: typeof language === "string" ? language : null };
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
