/** How long things last, how much work runs at a time, and what can be observed of it. */
import { availableParallelism } from "node:os";
import { LOG_LEVELS } from "../log.ts";
import { readHost } from "./address_readers.ts";
import { optional, parseWhole, readAs, readOneOf, readText, readWhole, variable } from "./variable.ts";

export const OPERATION_VARIABLES = {
  // 5 min: a download that starts at once still does. 7 d: no S3 signature lasts longer.
  url_seconds: variable("TONWERK_URL_SECONDS", "s", "3600", readWhole(300, 604_800), "How long a download URL works"),
  retention_days: variable(
    "TONWERK_RETENTION_DAYS",
    "d",
    "30",
    readWhole(1, 36_500),
    "How long operations, outputs and idempotency keys are kept after the end",
  ),
  audit_days: variable(
    "TONWERK_AUDIT_DAYS",
    "d",
    "400",
    readWhole(1, 36_500),
    "How long entries of the audit log are kept; the store refuses to delete them before",
  ),
  unknown_hours: variable(
    "TONWERK_UNKNOWN_HOURS",
    "h",
    "24",
    readWhole(1, 8_760),
    "How long an operation waits while workers of its kind are there and none knows its action; then it fails and its credits come back",
  ),
  work_seconds: variable(
    "TONWERK_WORK_SECONDS",
    "s",
    "600",
    readWhole(1, 86_400),
    "Time limit of the work on one operation",
  ),
  workers: variable(
    "TONWERK_WORKERS",
    "jobs",
    "auto",
    readWorkers,
    "How many jobs of one kind run at a time; auto is one less than there are processor cores, and at least 1. One more runs, of an account that has none there, while others' jobs have all these places. On Linux they run at niceness 10, so that a node that does everything answers requests first",
  ),
  flac_bits: variable("TONWERK_FLAC_BITS", "24 or 16", "24", readFlacBits, "Bits of a sample in delivered FLAC"),
  // 25 s: Kubernetes and most supervisors kill after 30.
  drain_seconds: variable(
    "TONWERK_DRAIN_SECONDS",
    "s",
    "25",
    readWhole(0, 3_600),
    "How long running jobs may go on when stopping",
  ),
  metrics_port: optional(
    "TONWERK_METRICS_PORT",
    "TCP port",
    readWhole(1, 65_535),
    "Serves GET /metrics for Prometheus on a port of its own, without a key; absent: no metrics",
  ),
  metrics_host: variable(
    "TONWERK_METRICS_HOST",
    "address or host name",
    "127.0.0.1",
    readHost,
    "Where that port listens; let only Prometheus reach it",
  ),
  log_level: variable(
    "TONWERK_LOG_LEVEL",
    "debug, info, warn or error",
    "info",
    readOneOf(...LOG_LEVELS),
    "What is logged: from this level up; debug has a line for each request",
  ),
  ffmpeg_path: optional(
    "FFMPEG_PATH",
    "file or none",
    readText,
    "The ffmpeg to fall back on; absent: the one on the PATH; none: no ffmpeg",
  ),
};

function readWorkers(given: string): number {
  if (given === "auto") return Math.max(1, availableParallelism() - 1);
  return readAs("auto or a whole number from 1 to 256", () => parseWhole(given, 1, 256))(given);
}

function readFlacBits(given: string): 16 | 24 {
  return readOneOf("24", "16")(given) === "24" ? 24 : 16;
}
