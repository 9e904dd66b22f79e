-- The whole truth of an embedded installation. Times are milliseconds since 1970 UTC; names are the ones of core/ports.ts.
-- A migration whose first line is `--! breaking` cannot be read by the version before it.

CREATE TABLE accounts (
  id                   TEXT PRIMARY KEY,
  name                 TEXT NOT NULL,
  -- Always the sum of the account's ledger lines; both are written in one transaction.
  credits              INTEGER NOT NULL CHECK (credits >= 0),
  created_at           INTEGER NOT NULL,
  put_per_minute       INTEGER CHECK (put_per_minute >= 0),
  get_per_minute       INTEGER CHECK (get_per_minute >= 0),
  long_polls           INTEGER CHECK (long_polls >= 0),
  -- JSON array of addresses and CIDR ranges.
  allowlist            TEXT NOT NULL CHECK (json_valid(allowlist)),
  webhook_body         TEXT NOT NULL CHECK (webhook_body IN ('operation', 'envelope')),
  webhook_long_retries INTEGER NOT NULL CHECK (webhook_long_retries IN (0, 1))
) STRICT;

CREATE TABLE api_keys (
  id         TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  label      TEXT NOT NULL,
  sha256     TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64),
  last_four  TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX api_keys_account ON api_keys (account_id);

CREATE TABLE signing_secrets (
  id         TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  label      TEXT NOT NULL,
  sealed     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT;
CREATE INDEX signing_secrets_account ON signing_secrets (account_id);

-- Written at submission and at the end, never in between: what changes while it is `processing` is in `jobs`.
CREATE TABLE operations (
  id              TEXT PRIMARY KEY,
  account_id      TEXT NOT NULL REFERENCES accounts (id),
  action          TEXT NOT NULL,
  work            TEXT NOT NULL CHECK (work IN ('dsp', 'generation')),
  status          TEXT NOT NULL CHECK (status IN ('processing', 'ready', 'failed')),
  idempotency_key TEXT NOT NULL,
  fingerprint     TEXT NOT NULL,
  cost            INTEGER NOT NULL CHECK (cost >= 0),
  request         TEXT NOT NULL,
  response        TEXT NOT NULL,
  callback_url    TEXT,
  created_at      INTEGER NOT NULL,
  started_at      INTEGER,
  completed_at    INTEGER,
  expires_at      INTEGER,
  attempt         INTEGER NOT NULL DEFAULT 0,
  progress        REAL NOT NULL DEFAULT 0,
  outputs         TEXT,
  error           TEXT,
  UNIQUE (account_id, idempotency_key),
  CHECK ((status = 'processing') = (completed_at IS NULL)),
  CHECK ((status = 'processing') = (expires_at IS NULL))
) STRICT;
CREATE INDEX operations_list ON operations (account_id, id);
CREATE INDEX operations_list_action ON operations (account_id, action, id);
CREATE INDEX operations_list_status ON operations (account_id, status, id);
CREATE INDEX operations_list_action_status ON operations (account_id, action, status, id);
CREATE INDEX operations_expiry ON operations (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE operation_sources (
  operation_id TEXT NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
  position     INTEGER NOT NULL,
  name         TEXT NOT NULL,
  object       TEXT,
  url          TEXT NOT NULL,
  PRIMARY KEY (operation_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX operation_sources_object ON operation_sources (object) WHERE object IS NOT NULL;

-- One row for each operation that is `processing`; deleted with its end.
CREATE TABLE jobs (
  operation_id TEXT PRIMARY KEY REFERENCES operations (id),
  account_id   TEXT NOT NULL,
  work         TEXT NOT NULL,
  -- Place in the fair order, see sqlite_verbs_jobs.ts. Kept when the job goes back to the queue.
  turn         INTEGER NOT NULL,
  -- `exhausted`: lost too often; nobody may claim it again, core ends it.
  state        TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'leased', 'exhausted')),
  worker       TEXT,
  lease_until  INTEGER,
  attempt      INTEGER NOT NULL DEFAULT 0,
  losses       INTEGER NOT NULL DEFAULT 0,
  started_at   INTEGER,
  progress     REAL NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
  stage        TEXT,
  CHECK ((state = 'leased') = (lease_until IS NOT NULL)),
  CHECK ((state = 'leased') = (worker IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_queued ON jobs (work, turn, operation_id) WHERE state = 'queued';
CREATE INDEX jobs_leased ON jobs (work) WHERE state = 'leased';
CREATE INDEX jobs_lease ON jobs (lease_until) WHERE state = 'leased';
CREATE INDEX jobs_exhausted ON jobs (operation_id) WHERE state = 'exhausted';
CREATE INDEX jobs_account ON jobs (account_id, work, turn);

-- The turn of the job that was claimed last, for each kind of work.
CREATE TABLE queue_turns (
  work TEXT PRIMARY KEY,
  turn INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO queue_turns (work, turn) VALUES ('dsp', 0), ('generation', 0);

-- The turn that the account's last job was given.
CREATE TABLE account_turns (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  work       TEXT NOT NULL,
  turn       INTEGER NOT NULL,
  PRIMARY KEY (account_id, work)
) STRICT, WITHOUT ROWID;

-- Lines outlive the operations that they name, hence no reference.
CREATE TABLE ledger (
  id           INTEGER PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  operation_id TEXT,
  kind         TEXT NOT NULL CHECK (kind IN ('grant', 'debit', 'refund')),
  credits      INTEGER NOT NULL CHECK (credits <> 0),
  note         TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  CHECK ((kind = 'debit') = (credits < 0)),
  CHECK ((kind = 'grant') = (operation_id IS NULL))
) STRICT;
CREATE UNIQUE INDEX ledger_operation ON ledger (operation_id, kind) WHERE operation_id IS NOT NULL;
CREATE INDEX ledger_account ON ledger (account_id, id);
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger
BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger
BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;

CREATE TABLE files (
  id           TEXT PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  object       TEXT NOT NULL,
  content_type TEXT NOT NULL,
  bytes        INTEGER NOT NULL CHECK (bytes >= 0),
  seconds      REAL NOT NULL CHECK (seconds >= 0),
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX files_expiry ON files (expires_at);

-- Which operation (as an output) or file names a key of the bucket.
CREATE TABLE objects (
  key   TEXT NOT NULL,
  owner TEXT NOT NULL,
  PRIMARY KEY (key, owner)
) STRICT, WITHOUT ROWID;
CREATE INDEX objects_owner ON objects (owner);

CREATE TABLE webhooks (
  id               TEXT PRIMARY KEY,
  operation_id     TEXT NOT NULL UNIQUE REFERENCES operations (id) ON DELETE CASCADE,
  account_id       TEXT NOT NULL,
  type             TEXT NOT NULL,
  url              TEXT NOT NULL,
  body             TEXT NOT NULL,
  state            TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  created_at       INTEGER NOT NULL,
  first_attempt_at INTEGER,
  next_attempt_at  INTEGER,
  attempts         INTEGER NOT NULL DEFAULT 0,
  -- Null: no attempt is under way.
  worker           TEXT,
  -- `next_attempt_at`, or the end of the lease while an attempt is under way.
  due_at           INTEGER,
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'pending') = (due_at IS NOT NULL))
) STRICT;
CREATE INDEX webhooks_due ON webhooks (due_at) WHERE state = 'pending';

CREATE TABLE webhook_attempts (
  webhook_id  TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  attempt     INTEGER NOT NULL,
  started_at  INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status      INTEGER,
  detail      TEXT NOT NULL,
  PRIMARY KEY (webhook_id, attempt)
) STRICT, WITHOUT ROWID;

-- What `health` writes, to prove that a commit is possible.
CREATE TABLE pulse (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL
) STRICT;
INSERT INTO pulse (id, at) VALUES (1, 0);
