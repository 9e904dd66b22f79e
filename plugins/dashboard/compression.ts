/** What travels compressed, where the browser takes it. */
import { gzipSync } from "node:zlib";

export const takesGzip = ({ headers }: Request): boolean => /\bgzip\b/u.test(headers.get("accept-encoding") ?? "");

/** `level` 1 to 9; without it, zlib's compromise. */
export const compressed = (content: Uint8Array | string, level?: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(gzipSync(content, level === undefined ? {} : { level }));
