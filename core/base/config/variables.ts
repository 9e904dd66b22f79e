/**
 * Every variable of the environment: name, default and reader. docs/operating.md says in the same order what each is
 * for; a test compares names and defaults.
 */
import { availableParallelism, totalmem } from "node:os";
import { LIVE_WORKS } from "../basics.ts";
import { checkApiKey } from "../keys.ts";
import { LOG_LEVELS } from "../log.ts";
import { decodeSecret, signingKey } from "../secrets.ts";
import {
  optional,
  parseWhole,
  readAs,
  readBaseUrl,
  readHost,
  readHostOrRange,
  readList,
  readNameServer,
  readOneOf,
  readOrigin,
  readRange,
  readSecretIf,
  readText,
  readUrlOf,
  readWhole,
  variable,
  WrongValue,
} from "./readers.ts";

const readPort = readWhole(1, 65_535);
/** 0 is unlimited. */
const readLimit = readWhole(0, 1_000_000);
const readBytes = readWhole(0, 1_000_000_000_000_000);

const readSecret = readSecretIf(
  "base64 of at least 32 bytes, as openssl rand -base64 32 makes it",
  (given) => decodeSecret(given) !== undefined,
);
const readFirstKey = readSecretIf(
  "an API key: tonwerk_ and 36 letters and digits with a fitting checksum",
  checkApiKey,
);
const readSigningSecret = readSecretIf(
  "whsec_ and the padded base64 of 24 to 64 bytes",
  (given) => signingKey(given) !== undefined,
);
const readPlugin = readAs(
  "folders such as ./plugins and packages such as @acme/pitch, optional ones with a leading ?",
  (given) => (given === "?" ? undefined : given),
);

const readSidecar = readAs(
  "manifests such as ./ace-step.json and addresses such as http://127.0.0.1:8001=generate, or =separate, with " +
    "cog+ or ace-step+ before http where they speak so",
  (given) =>
    given.includes("=")
      ? /^(?:(?:cog|ace-step)\+)?(?:https?:\/\/[^\s=@?#]+|unix:\/[^\s=]+)=(?:generate|separate|generate\+separate)$/u.exec(
          given,
        )?.[0]
      : /\.json$/u.test(given)
        ? given
        : undefined,
);

/** Of the memory that the machine has, or its container may have. */
const threeQuarters = (): number =>
  Math.floor((0.75 * Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)) / 2 ** 20);

export const VARIABLES = {
  port: variable("PORT", "8787", readPort),
  host: variable("HOST", "127.0.0.1", readHost),
  base_url: optional("TONWERK_BASE_URL", readBaseUrl),
  data: variable("TONWERK_DATA", "./data", readText),
  role: variable("TONWERK_ROLE", "all", readOneOf("all", "api", "worker")),
  work: variable("TONWERK_WORK", LIVE_WORKS.join(","), (given) => {
    const chosen = readList(readOneOf(...LIVE_WORKS))(given);
    if (chosen.length === 0) throw new WrongValue("must be at least one of dsp, generation and gpu");
    return Object.freeze(LIVE_WORKS.filter((work) => chosen.includes(work)));
  }),
  gpu_tasks: variable(
    "TONWERK_GPU_TASKS",
    "",
    readList<string>(readOneOf("separate", "generate", "effect", "song", "remix", "remix_song", "sing")),
  ),

  database_url: optional("DATABASE_URL", readUrlOf("postgres:", "postgresql:")),
  redis_url: optional("REDIS_URL", readUrlOf("redis:", "rediss:")),
  s3_endpoint: optional("S3_ENDPOINT", readBaseUrl),
  s3_public_endpoint: optional("S3_PUBLIC_ENDPOINT", (given) => (given === "none" ? given : readBaseUrl(given))),
  s3_bucket: optional("S3_BUCKET", readText),
  s3_region: variable("S3_REGION", "us-east-1", readText),
  s3_access_key_id: optional("S3_ACCESS_KEY_ID", readText),
  s3_secret_access_key: optional("S3_SECRET_ACCESS_KEY", readText),
  s3_addressing: variable("S3_ADDRESSING", "auto", readOneOf("auto", "path", "host")),

  plugins: variable("TONWERK_PLUGINS", "./plugins", readList(readPlugin)),
  packs: variable("TONWERK_PACKS", "", readList(readText)),
  sounds: optional("TONWERK_SOUNDS", readText),
  models: optional("TONWERK_MODELS", readText),
  sidecars: variable("TONWERK_SIDECARS", "", readList(readSidecar)),
  shipped_models: variable("TONWERK_SHIPPED_MODELS", "on", readOneOf("on", "off")),
  providers: variable(
    "TONWERK_PROVIDERS",
    "cuda,directml,coreml,cpu",
    readList<string>(readOneOf("tensorrt", "cuda", "directml", "coreml", "cpu")),
  ),
  devices: variable("TONWERK_DEVICES", "", readList<number>(readWhole(0, 255))),
  // MusicGen small, the largest of the families, holds 3 GB in single precision.
  model_mb: variable("TONWERK_MODEL_MB", "6000", readWhole(100, 1_000_000)),
  model_seconds: variable("TONWERK_MODEL_SECONDS", "60", readWhole(1, 3_600)),

  put_per_minute: variable("TONWERK_PUT_PER_MINUTE", "600", readLimit),
  get_per_minute: variable("TONWERK_GET_PER_MINUTE", "3000", readLimit),
  long_polls: variable("TONWERK_LONG_POLLS", "100", readLimit),
  // An hour of one core: no more than a twentieth of what the smallest machine has in a day, and far above what
  // mistakes cost.
  free_seconds: variable("TONWERK_FREE_SECONDS", "3600", readLimit),
  uploads_open: variable("TONWERK_UPLOADS_OPEN", "8", readLimit),
  // Each is one more delivery of every event.
  webhook_endpoints: variable("TONWERK_WEBHOOK_ENDPOINTS", "16", readWhole(0, 1_000)),
  // A hundred of the largest.
  upload_bytes: variable("TONWERK_UPLOAD_BYTES", "5000000000", readBytes),
  // 600 s and 50 MB: the specification's. 3 h: what memory and time were measured for. 4 GB: what a WAV without 64-bit
  // sizes can hold.
  source_seconds: variable("TONWERK_SOURCE_SECONDS", "600", readWhole(600, 10_800)),
  source_bytes: variable("TONWERK_SOURCE_BYTES", "50000000", readWhole(50_000_000, 4_000_000_000)),
  // Some jobs' sources and results, and the database's log.
  free_bytes_min: variable("TONWERK_FREE_BYTES_MIN", "2000000000", readBytes),
  first_key: optional("TONWERK_FIRST_KEY", readFirstKey),
  first_secret: optional("TONWERK_FIRST_SECRET", readSigningSecret),
  first_credits: variable("TONWERK_FIRST_CREDITS", "1000", readWhole(0, 1_000_000_000)),
  secret: optional("TONWERK_SECRET", readSecret),
  secret_previous: optional("TONWERK_SECRET_PREVIOUS", readSecret),

  trusted_proxies: variable("TONWERK_TRUSTED_PROXIES", "", readList(readRange)),
  private_hosts: variable("TONWERK_PRIVATE_HOSTS", "", readList(readHostOrRange)),
  cors_origins: variable("TONWERK_CORS_ORIGINS", "", readList(readOrigin)),
  dns: variable("TONWERK_DNS", "", readList(readNameServer)),
  smtp_url: optional("TONWERK_SMTP_URL", readUrlOf("smtp:", "smtps:")),
  mail_from: optional("TONWERK_MAIL_FROM", readText),
  leak_keys: optional("TONWERK_LEAK_KEYS", readText),

  // 5 min: a download that starts at once still does. 7 d: no S3 signature lasts longer.
  url_seconds: variable("TONWERK_URL_SECONDS", "3600", readWhole(300, 604_800)),
  retention_days: variable("TONWERK_RETENTION_DAYS", "30", readWhole(1, 36_500)),
  audit_days: variable("TONWERK_AUDIT_DAYS", "400", readWhole(1, 36_500)),
  unknown_hours: variable("TONWERK_UNKNOWN_HOURS", "24", readWhole(1, 8_760)),
  work_seconds: variable("TONWERK_WORK_SECONDS", "600", readWhole(1, 86_400)),
  workers: variable(
    "TONWERK_WORKERS",
    "auto",
    readAs("auto or a whole number from 1 to 256", (given) =>
      given === "auto" ? Math.max(1, availableParallelism() - 1) : parseWhole(given, 1, 256),
    ),
  ),
  memory_mb: variable(
    "TONWERK_MEMORY_MB",
    "auto",
    readAs("auto or a whole number from 256 to 1048576", (given) =>
      given === "auto" ? threeQuarters() : parseWhole(given, 256, 1_048_576),
    ),
  ),
  flac_bits: variable("TONWERK_FLAC_BITS", "24", (given) => (readOneOf("24", "16")(given) === "24" ? 24 : 16)),
  isolate: variable(
    "TONWERK_ISOLATE",
    "",
    readList(
      readAs("names of actions, groups such as acme.*, or *", (given) =>
        /^(?:\*|[a-z][a-z0-9_]*\.(?:\*|[a-z][a-z0-9_]*))$/u.test(given) ? given : undefined,
      ),
    ),
  ),
  isolate_strict: variable("TONWERK_ISOLATE_STRICT", "off", readOneOf("off", "on")),
  // 25 s: Kubernetes and most supervisors kill after 30.
  drain_seconds: variable("TONWERK_DRAIN_SECONDS", "25", readWhole(0, 3_600)),
  metrics_port: optional("TONWERK_METRICS_PORT", readPort),
  metrics_host: variable("TONWERK_METRICS_HOST", "127.0.0.1", readHost),
  log_level: variable("TONWERK_LOG_LEVEL", "info", readOneOf(...LOG_LEVELS)),
  ffmpeg_path: optional("FFMPEG_PATH", readText),
};
