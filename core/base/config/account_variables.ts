/** Limits of accounts that have none of their own, the first account, and the secrets that sign and seal. */
import { checkApiKey } from "../keys.ts";
import { decodeSecret, signingKey } from "../secrets.ts";
import { optional, readSecretAs, readWhole, variable } from "./variable.ts";

const readFirstKey = readSecretAs("an API key: tonwerk_ and 36 letters and digits with a fitting checksum", (given) =>
  checkApiKey(given) ? given : undefined,
);
const readSigningSecret = readSecretAs("whsec_ and the padded base64 of 24 to 64 bytes", (given) =>
  signingKey(given) === undefined ? undefined : given,
);
const readSecret = readSecretAs("base64 of at least 32 bytes, as openssl rand -base64 32 makes it", (given) =>
  decodeSecret(given) === undefined ? undefined : given,
);

export const ACCOUNT_VARIABLES = {
  put_per_minute: variable(
    "TONWERK_PUT_PER_MINUTE",
    "requests/min",
    "600",
    readWhole(0, 1_000_000),
    "PUT requests of an account that has no limit of its own; 0 is unlimited",
  ),
  get_per_minute: variable(
    "TONWERK_GET_PER_MINUTE",
    "requests/min",
    "3000",
    readWhole(0, 1_000_000),
    "GET requests of an account that has no limit of its own; 0 is unlimited",
  ),
  long_polls: variable(
    "TONWERK_LONG_POLLS",
    "requests",
    "100",
    readWhole(0, 1_000_000),
    "Open long-polls of an account that has no limit of its own; 0 is unlimited",
  ),
  // An hour of one core: no more than a twentieth of what the smallest machine has in a day, and far above what mistakes cost.
  free_seconds: variable(
    "TONWERK_FREE_SECONDS",
    "s",
    "3600",
    readWhole(0, 1_000_000),
    "Processor time a day (UTC) of an account for work that ends without a charge: failed operations and looking at uploads; past it actions and uploads are refused with 429; 0 is unlimited",
  ),
  uploads_open: variable(
    "TONWERK_UPLOADS_OPEN",
    "requests",
    "8",
    readWhole(0, 1_000_000),
    "Uploads of an account at a time; 0 is unlimited",
  ),
  // A hundred of the largest.
  upload_bytes: variable(
    "TONWERK_UPLOAD_BYTES",
    "bytes",
    "5000000000",
    readWhole(0, 1_000_000_000_000_000),
    "Bytes that the uploads of an account may have together until they are deleted, 24 hours after their last use; 0 is unlimited",
  ),
  // Some jobs' sources and results, and the database's log.
  free_bytes_min: variable(
    "TONWERK_FREE_BYTES_MIN",
    "bytes",
    "2000000000",
    readWhole(0, 1_000_000_000_000_000),
    "Free space on the disk of TONWERK_DATA below which uploads are refused with 507 while jobs go on; 0: none is kept free",
  ),
  first_key: optional(
    "TONWERK_FIRST_KEY",
    "API key",
    readFirstKey,
    "Key of the account that a first start creates; absent: a random one",
  ),
  first_secret: optional(
    "TONWERK_FIRST_SECRET",
    "whsec_ secret",
    readSigningSecret,
    "Webhook signing secret of that account; absent: a random one",
  ),
  first_credits: variable(
    "TONWERK_FIRST_CREDITS",
    "credits",
    "1000",
    readWhole(0, 1_000_000_000),
    "Credits of that account",
  ),
  secret: optional(
    "TONWERK_SECRET",
    "base64",
    readSecret,
    "Signs download URLs and encrypts signing secrets; absent: made at the first start and kept in TONWERK_DATA",
  ),
  secret_previous: optional(
    "TONWERK_SECRET_PREVIOUS",
    "base64",
    readSecret,
    "The TONWERK_SECRET before, for as long as URLs and signing secrets made with it are in use",
  ),
};
