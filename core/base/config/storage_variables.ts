/** Stores that many nodes share: Postgres, Redis, S3. */
import { readBaseUrl, readUrlOf } from "./address_readers.ts";
import { optional, readOneOf, readText, variable } from "./variable.ts";

export const STORAGE_VARIABLES = {
  database_url: optional(
    "DATABASE_URL",
    "postgres URL",
    readUrlOf("postgres:", "postgresql:"),
    "Postgres instead of SQLite, for many nodes; TONWERK_SECRET must then be set, the same on all of them",
  ),
  redis_url: optional(
    "REDIS_URL",
    "redis or rediss URL",
    readUrlOf("redis:", "rediss:"),
    "Redis, which wakes workers of other nodes at once and counts rate limits for all nodes together; absent: each node by itself",
  ),
  s3_endpoint: optional(
    "S3_ENDPOINT",
    "http(s) URL",
    readBaseUrl,
    "S3 server of S3_BUCKET; absent: Amazon's of S3_REGION",
  ),
  s3_public_endpoint: optional(
    "S3_PUBLIC_ENDPOINT",
    "http(s) URL or none",
    readPublicEndpoint,
    "Where clients reach that server, for the addresses that downloads lead to; absent: S3_ENDPOINT; none: downloads pass through this service",
  ),
  s3_bucket: optional(
    "S3_BUCKET",
    "name",
    readText,
    "Bucket that holds the audio, made at the first start where that is allowed; absent: files in TONWERK_DATA",
  ),
  s3_region: variable("S3_REGION", "name", "us-east-1", readText, "Region of S3_BUCKET"),
  s3_access_key_id: optional(
    "S3_ACCESS_KEY_ID",
    "key id",
    readText,
    "Key that may read and write S3_BUCKET; absent: what the machine's surroundings give",
  ),
  s3_secret_access_key: optional("S3_SECRET_ACCESS_KEY", "secret", readText, "Secret of S3_ACCESS_KEY_ID"),
  s3_addressing: variable(
    "S3_ADDRESSING",
    "auto, path or host",
    "auto",
    readOneOf("auto", "path", "host"),
    "Whether the bucket's name is in the path or before the host; auto: in the path at S3_ENDPOINT, before the host at Amazon's",
  ),
};

function readPublicEndpoint(given: string): string {
  return given === "none" ? given : readBaseUrl(given);
}
