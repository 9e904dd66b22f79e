/** Request bodies: counted while they arrive, refused before they are parsed. */
import { refuse } from "./errors.ts";
import { parseJson } from "./json.ts";
import { issue } from "./validator.ts";

/** Bytes of a JSON request. The largest valid one, 3,000 characters of lyrics and a few URLs, escaped, is under 30 KB. */
export const JSON_BYTES_MAX = 65_536;

/** The JSON value of the body; refuses with 413, 415 and 422. */
export async function readJson(request: Request): Promise<unknown> {
  return jsonOf(await readJsonBytes(request));
}

/** The body of a request that says it is JSON; refuses with 413 and 415. */
export async function readJsonBytes(request: Request): Promise<Uint8Array> {
  if (!isJson(request.headers.get("content-type"))) throw refuse.notJson();
  // In one piece, which costs a third of what a stream costs; the server reads no more than was announced.
  const bytes = isAnnounced(request, JSON_BYTES_MAX) ? await request.bytes() : await readBytes(request, JSON_BYTES_MAX);
  if (bytes.length > JSON_BYTES_MAX) throw refuse.bodyTooLarge(JSON_BYTES_MAX);
  return bytes;
}

/** The value that the bytes spell; refuses with 422. */
export function jsonOf(bytes: Uint8Array): unknown {
  const parsed = parseJson(bytes);
  if (parsed.ok) return parsed.value;
  throw refuse.invalid([issue(["body", ...parsed.loc], parsed.type, parsed.msg)]);
}

/** `application/json`, with no charset but UTF-8. */
function isJson(content_type: string | null): boolean {
  if (content_type === "application/json") return true;
  const [type = "", ...parameters] = (content_type ?? "").toLowerCase().split(";");
  if (type.trim() !== "application/json") return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=");
    return name.trim() !== "charset" || value.trim().replaceAll('"', "") === "utf-8";
  });
}

/** The whole body, at most `bytes_max`; refuses with 413 as soon as it is known to be larger. */
export async function readBytes(request: Request, bytes_max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of countedBody(request, bytes_max)) {
    chunks.push(chunk);
    bytes += chunk.length;
  }
  if (chunks.length === 1) return chunks[0]!;
  const whole = new Uint8Array(bytes);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

function isAnnounced(request: Request, bytes_max: number): boolean {
  const announced = request.headers.get("content-length");
  return announced !== null && Number(announced) <= bytes_max;
}

/** The body's chunks; refuses with 413 where the announced or the counted length exceeds `bytes_max`. */
export async function* countedBody(
  request: Pick<Request, "headers" | "body">,
  bytes_max: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > bytes_max) throw refuse.bodyTooLarge(bytes_max);
  if (request.body === null) return;
  const reader = request.body.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
      if (bytes > bytes_max) throw refuse.bodyTooLarge(bytes_max);
      yield value;
    }
  } finally {
    // Tells the sender to stop when it is refused half-way. Not waited for: a sender that never settles must not hold up the refusal.
    reader.cancel().catch(() => undefined);
  }
}
