/** The header that carries a trace from one process to the next: W3C Trace Context, level 1. */
import type { SpanContext } from "@opentelemetry/api";

/** Undefined for what is no valid header of version 00, or a later one that begins alike. */
export function parseTraceparent(given: string | null | undefined): SpanContext | undefined {
  if (given === null || given === undefined || given.length > 512) return undefined;
  const found = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(given.trim());
  if (found === null) return undefined;
  const [, version = "", traceId = "", spanId = "", flags = "", rest] = found;
  if (version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

export function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, "0")}`;
}
