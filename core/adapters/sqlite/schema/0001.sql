-- The whole truth of an embedded installation: tables by subject, then indexes, then triggers.
-- Times are milliseconds since 1970 UTC; columns are named as in core/ports/. CHECKs of three values say OR: SQLite judges IN with three
-- texts or more by filling a table of its own each time, which takes longer than the row.
-- A later migration whose first line is `--! breaking` cannot be read by the version before it.

---------------------------------------------------------------- Accounts

-- Who pays, and what the account's keys may do. Null settings: the installation's default applies.
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
  webhook_long_retries INTEGER NOT NULL CHECK (webhook_long_retries IN (0, 1)),
  jobs_max             INTEGER NOT NULL DEFAULT 0 CHECK (jobs_max >= 0),
  revoke_leaked        INTEGER NOT NULL DEFAULT 0 CHECK (revoke_leaked IN (0, 1)),
  free_seconds         INTEGER CHECK (free_seconds >= 0),
  uploads_open         INTEGER CHECK (uploads_open >= 0),
  upload_bytes         INTEGER CHECK (upload_bytes >= 0),
  -- The last day (its first millisecond, UTC) with work that ended without a charge, and how much of it there was.
  free_day             INTEGER NOT NULL DEFAULT 0,
  free_ms              INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Keys of the API, by their hash.
CREATE TABLE api_keys (
  id         TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  label      TEXT NOT NULL,
  sha256     TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64),
  last_four  TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER,
  used_at    INTEGER,
  -- JSON of `KeyRights`; null: all that the account may.
  rights     TEXT CHECK (rights IS NULL OR json_valid(rights))
) STRICT;

-- What operations of keys with a budget have cost in each period (its first millisecond, UTC), refunds and rebates taken off.
CREATE TABLE key_spending (
  key_id  TEXT NOT NULL REFERENCES api_keys (id),
  since   INTEGER NOT NULL,
  credits INTEGER NOT NULL CHECK (credits >= 0),
  PRIMARY KEY (key_id, since)
) STRICT, WITHOUT ROWID;

-- Receivers of an account's events, with what became of the attempts to reach them.
CREATE TABLE webhook_endpoints (
  id                  TEXT PRIMARY KEY,
  account_id          TEXT NOT NULL REFERENCES accounts (id),
  url                 TEXT NOT NULL,
  host                TEXT NOT NULL,
  -- JSON array of patterns.
  events              TEXT NOT NULL CHECK (json_valid(events)),
  description         TEXT NOT NULL,
  created_at          INTEGER NOT NULL,
  disabled_at         INTEGER,
  disabled_why        TEXT CHECK (disabled_why = 'request' OR disabled_why = 'failures' OR disabled_why = 'gone'),
  last_success_at     INTEGER,
  last_failure_at     INTEGER,
  last_failure_status INTEGER,
  last_failure_detail TEXT,
  failing_since       INTEGER,
  failures            INTEGER NOT NULL DEFAULT 0,
  -- When its owners are to be told that it was disabled, or the end of the lease of who is about to; null: nobody is.
  notice_at           INTEGER,
  notice_attempts     INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account_id, url),
  CHECK ((disabled_at IS NULL) = (disabled_why IS NULL))
) STRICT;

-- Attempts of the last day by hour (its first millisecond).
CREATE TABLE webhook_endpoint_hours (
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  hour        INTEGER NOT NULL,
  succeeded   INTEGER NOT NULL DEFAULT 0,
  failed      INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (endpoint_id, hour)
) STRICT, WITHOUT ROWID;

-- Secrets that webhooks are signed with, sealed by core: those of an endpoint sign what is sent there, the account's own all else.
CREATE TABLE signing_secrets (
  id         TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  label      TEXT NOT NULL,
  sealed     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Of an endpoint's: when it signs no more.
  retired_at INTEGER,
  endpoint_id TEXT REFERENCES webhook_endpoints (id) ON DELETE CASCADE
) STRICT;

-- Every movement of credits. Lines outlive the operations that they name, hence no reference.
CREATE TABLE ledger (
  id           INTEGER PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  operation_id TEXT,
  kind         TEXT NOT NULL CHECK (kind = 'grant' OR kind = 'debit' OR kind = 'refund' OR kind = 'rebate'),
  credits      INTEGER NOT NULL CHECK (credits <> 0),
  note         TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  -- 1: whoever wrote the line has counted it in `usage_days` as well, once for all lines of a transaction; the trigger counts the others.
  counted      INTEGER NOT NULL DEFAULT 0,
  CHECK ((kind = 'debit') = (credits < 0)),
  CHECK ((kind = 'grant') = (operation_id IS NULL))
) STRICT;

-- What the ledger says of each day: a year of usage costs 365 rows, not every line.
CREATE TABLE usage_days (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- Its first millisecond, UTC.
  day        INTEGER NOT NULL,
  debited    INTEGER NOT NULL DEFAULT 0,
  refunded   INTEGER NOT NULL DEFAULT 0,
  rebated    INTEGER NOT NULL DEFAULT 0,
  granted    INTEGER NOT NULL DEFAULT 0,
  operations INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;

---------------------------------------------------------------- Operations and jobs

-- Written at submission and at the end, never in between: what changes while it is `processing` is in `jobs`.
CREATE TABLE operations (
  -- Never used again, and the same after VACUUM: `operation_keys` names rows by it.
  row             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  account_id      TEXT NOT NULL REFERENCES accounts (id),
  action          TEXT NOT NULL,
  work            TEXT NOT NULL CHECK (work = 'dsp' OR work = 'generation' OR work = 'gpu' OR work = 'test'),
  status          TEXT NOT NULL CHECK (status = 'processing' OR status = 'ready' OR status = 'failed'),
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
  -- The same as lists show them, without the reports, which are 100 KB and more of a song.
  outputs_listed  TEXT,
  error           TEXT,
  CHECK ((status = 'processing') = (completed_at IS NULL)),
  CHECK ((status = 'processing') = (expires_at IS NULL))
) STRICT;

-- Operations by the hash of account and idempotency key (key_index.ts, which guards that a key is used once). Those of the newest rows are not
-- written yet; those of rows that are gone go when their part is written.
CREATE TABLE operation_keys (
  hash      INTEGER NOT NULL,
  operation INTEGER NOT NULL,
  PRIMARY KEY (hash, operation)
) STRICT, WITHOUT ROWID;

-- What the hash is keyed with, 32 bits each.
CREATE TABLE operation_key_seed (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  one   INTEGER NOT NULL,
  other INTEGER NOT NULL
) STRICT;
INSERT INTO operation_key_seed VALUES (1, random() >> 32, random() >> 32);

-- Up to which row each part of the hashes is written.
CREATE TABLE operation_key_parts (
  part INTEGER PRIMARY KEY,
  upto INTEGER NOT NULL
) STRICT;

-- Which key's budget an operation counts against, and of which period: a refund goes back there.
CREATE TABLE key_debits (
  operation_id TEXT PRIMARY KEY REFERENCES operations (id) ON DELETE CASCADE,
  key_id       TEXT NOT NULL,
  since        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What else idempotency keys of an account were used for: `operations.cancel` and its like.
CREATE TABLE keyed_calls (
  account_id      TEXT NOT NULL REFERENCES accounts (id),
  idempotency_key TEXT NOT NULL,
  fingerprint     TEXT NOT NULL,
  -- Null: it was begun, and perhaps not done.
  response        TEXT,
  expires_at      INTEGER NOT NULL,
  PRIMARY KEY (account_id, idempotency_key)
) STRICT;

-- The sources that a submission named, in its order.
CREATE TABLE operation_sources (
  operation_id TEXT NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
  position     INTEGER NOT NULL,
  name         TEXT NOT NULL,
  object       TEXT,
  url          TEXT NOT NULL,
  PRIMARY KEY (operation_id, position)
) STRICT, WITHOUT ROWID;

-- What lists by metadata find; the request has it too.
CREATE TABLE operation_metadata (
  account_id   TEXT NOT NULL,
  key          TEXT NOT NULL,
  value        TEXT NOT NULL,
  operation_id TEXT NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
  PRIMARY KEY (account_id, key, value, operation_id)
) STRICT, WITHOUT ROWID;

-- One row for each operation that is `processing`; deleted with its end.
CREATE TABLE jobs (
  operation_id TEXT PRIMARY KEY REFERENCES operations (id),
  account_id   TEXT NOT NULL,
  action       TEXT NOT NULL,
  work         TEXT NOT NULL,
  -- Place in the fair order, see jobs.ts. Kept when the job goes back to the queue.
  turn         INTEGER NOT NULL,
  -- `exhausted`: lost too often; nobody may claim it again, core ends it.
  state        TEXT NOT NULL DEFAULT 'queued' CHECK (state = 'queued' OR state = 'leased' OR state = 'exhausted'),
  worker       TEXT,
  lease_until  INTEGER,
  attempt      INTEGER NOT NULL DEFAULT 0,
  losses       INTEGER NOT NULL DEFAULT 0,
  started_at   INTEGER,
  -- When core ends it, wherever it is by then; null: never.
  deadline_at  INTEGER,
  progress     REAL NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
  stage        TEXT,
  CHECK ((state = 'leased') = (lease_until IS NOT NULL)),
  CHECK ((state = 'leased') = (worker IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- The turn of the job that was claimed last, for each kind of work.
CREATE TABLE queue_turns (
  work TEXT PRIMARY KEY,
  turn INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO queue_turns (work, turn) VALUES ('dsp', 0), ('generation', 0), ('gpu', 0), ('test', 0);

-- The turn that the account's last job was given.
CREATE TABLE account_turns (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  work       TEXT NOT NULL,
  turn       INTEGER NOT NULL,
  PRIMARY KEY (account_id, work)
) STRICT, WITHOUT ROWID;

-- An account's jobs and ledger lines, written for many submissions at once: an index that begins with the account is a page for every account
-- of a shared commit. What came since is found by a look through the newest rows (listing.ts).
CREATE TABLE job_lists (
  account_id   TEXT NOT NULL,
  action       TEXT NOT NULL,
  operation_id TEXT NOT NULL,
  PRIMARY KEY (account_id, action, operation_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger_lists (
  account_id TEXT NOT NULL,
  line       INTEGER NOT NULL,
  PRIMARY KEY (account_id, line)
) STRICT, WITHOUT ROWID;

-- Every job whose operation_id is no greater than `operation_id`, and every line of the ledger up to `line`, is in the lists.
CREATE TABLE listed (
  id           INTEGER PRIMARY KEY CHECK (id = 1),
  operation_id TEXT NOT NULL,
  line         INTEGER NOT NULL
) STRICT;
INSERT INTO listed VALUES (1, '', 0);

---------------------------------------------------------------- Files

-- Uploads.
CREATE TABLE files (
  id           TEXT PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  name         TEXT,
  object       TEXT NOT NULL,
  content_type TEXT NOT NULL,
  bytes        INTEGER NOT NULL CHECK (bytes >= 0),
  seconds      REAL NOT NULL CHECK (seconds >= 0),
  created_at   INTEGER NOT NULL,
  -- 0: deleted, and used by an operation in progress.
  expires_at   INTEGER NOT NULL
) STRICT;

-- What was uploaded with each token: tokens themselves are signed, not stored.
CREATE TABLE upload_tokens (
  id         TEXT PRIMARY KEY,
  uploads    INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The sum of an account's uploads: asked for with each of them.
CREATE TABLE kept_uploads (
  account_id TEXT PRIMARY KEY,
  bytes      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which operation (as an output) or file names a key of the bucket.
CREATE TABLE objects (
  key   TEXT NOT NULL,
  owner TEXT NOT NULL,
  PRIMARY KEY (key, owner)
) STRICT, WITHOUT ROWID;

---------------------------------------------------------------- Webhooks

-- Each event of an operation at most once for each receiver: its end, written with it, and its start where that was asked for.
CREATE TABLE webhooks (
  id               TEXT PRIMARY KEY,
  -- Null: it is of none, and forgotten at `expires_at`.
  operation_id     TEXT REFERENCES operations (id) ON DELETE CASCADE,
  account_id       TEXT NOT NULL,
  -- Null: it goes to the operation's callback. No reference: deliveries outlive an endpoint.
  endpoint_id      TEXT,
  type             TEXT NOT NULL,
  url              TEXT NOT NULL,
  -- Host and port of `url`.
  host             TEXT NOT NULL,
  body             TEXT NOT NULL,
  state            TEXT NOT NULL CHECK (state = 'pending' OR state = 'delivered' OR state = 'failed'),
  created_at       INTEGER NOT NULL,
  first_attempt_at INTEGER,
  next_attempt_at  INTEGER,
  attempts         INTEGER NOT NULL DEFAULT 0,
  -- Null: no attempt is under way.
  worker           TEXT,
  -- `next_attempt_at`, or the end of the lease while an attempt is under way.
  due_at           INTEGER,
  expires_at       INTEGER,
  CHECK ((operation_id IS NULL) = (expires_at IS NOT NULL)),
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'pending') = (due_at IS NOT NULL))
) STRICT;

-- What came of each attempt.
CREATE TABLE webhook_attempts (
  webhook_id  TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  attempt     INTEGER NOT NULL,
  started_at  INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status      INTEGER,
  detail      TEXT NOT NULL,
  PRIMARY KEY (webhook_id, attempt)
) STRICT, WITHOUT ROWID;

-- The earliest `due_at` of each account and host that has pending rows: a host that hangs is passed over in one step, however many wait for it.
CREATE TABLE webhook_lanes (
  account_id TEXT NOT NULL,
  host       TEXT NOT NULL,
  due_at     INTEGER NOT NULL,
  PRIMARY KEY (account_id, host)
) STRICT, WITHOUT ROWID;

---------------------------------------------------------------- People

-- Who may sign in to an account.
CREATE TABLE users (
  id          TEXT PRIMARY KEY,
  account_id  TEXT NOT NULL REFERENCES accounts (id),
  email       TEXT NOT NULL UNIQUE,
  role        TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  password    TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT;

-- Browsers that are signed in.
CREATE TABLE sessions (
  sha256     TEXT PRIMARY KEY CHECK (length(sha256) = 64),
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Links that let one person in once. `user_id` null: a newcomer, who becomes an owner.
CREATE TABLE sign_in_links (
  sha256     TEXT PRIMARY KEY CHECK (length(sha256) = 64),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  user_id    TEXT REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who is asked to become a user. An invitation is no user: it blocks nobody's address.
CREATE TABLE invitations (
  id         TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  email      TEXT NOT NULL,
  role       TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  invited_by TEXT NOT NULL,
  sha256     TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64),
  created_at INTEGER NOT NULL,
  sent_at    INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (account_id, email)
) STRICT;

-- Keys that somebody found in public.
CREATE TABLE leak_reports (
  id            TEXT PRIMARY KEY,
  account_id    TEXT NOT NULL REFERENCES accounts (id),
  key_id        TEXT NOT NULL REFERENCES api_keys (id),
  source        TEXT NOT NULL,
  url           TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  revoked       INTEGER NOT NULL CHECK (revoked IN (0, 1)),
  closed_at     INTEGER,
  -- When its owners are to be mailed, or the end of the lease of who is about to; null: nobody is.
  mail_at       INTEGER,
  mail_attempts INTEGER NOT NULL DEFAULT 0,
  UNIQUE (key_id, url)
) STRICT;

---------------------------------------------------------------- Audit and health

-- Who did what, in one chain of hashes. No references: what an entry tells of may be gone.
CREATE TABLE audit (
  position    INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  at          INTEGER NOT NULL,
  account_id  TEXT,
  actor       TEXT NOT NULL,
  actor_email TEXT,
  address     TEXT,
  action      TEXT NOT NULL,
  target      TEXT,
  details     TEXT NOT NULL,
  keep_until  INTEGER NOT NULL,
  previous    TEXT NOT NULL,
  sha256      TEXT NOT NULL CHECK (length(sha256) = 64)
) STRICT;

-- What `health` writes, to prove that a commit is possible.
CREATE TABLE pulse (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL
) STRICT;
INSERT INTO pulse (id, at) VALUES (1, 0);

---------------------------------------------------------------- Indexes

-- Claims ask whether any account has a cap.
CREATE INDEX accounts_capped ON accounts (id, jobs_max) WHERE jobs_max > 0;
CREATE INDEX api_keys_account ON api_keys (account_id);
CREATE INDEX signing_secrets_account ON signing_secrets (account_id);
CREATE INDEX signing_secrets_endpoint ON signing_secrets (endpoint_id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX webhook_endpoints_account ON webhook_endpoints (account_id, id);
CREATE INDEX webhook_endpoints_notice ON webhook_endpoints (notice_at) WHERE notice_at IS NOT NULL;
CREATE UNIQUE INDEX ledger_operation ON ledger (operation_id, kind) WHERE operation_id IS NOT NULL;

-- Lists of an account. What is `processing` is listed through its job, so that a submission writes none of these.
CREATE INDEX operations_ended ON operations (account_id, id) WHERE status <> 'processing';
CREATE INDEX operations_ended_action ON operations (account_id, action, id) WHERE status <> 'processing';
CREATE INDEX operations_ended_status ON operations (account_id, status, id) WHERE status <> 'processing';
CREATE INDEX operations_ended_action_status ON operations (account_id, action, status, id) WHERE status <> 'processing';
CREATE INDEX operations_ended_time ON operations (account_id, completed_at, id) WHERE completed_at IS NOT NULL;
CREATE INDEX operations_expiry ON operations (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX keyed_calls_expiry ON keyed_calls (expires_at);
CREATE INDEX operation_metadata_operation ON operation_metadata (operation_id);
CREATE INDEX operation_sources_object ON operation_sources (object) WHERE object IS NOT NULL;

-- With the account, so that jobs of one that is at its cap are passed over within the index.
CREATE INDEX jobs_queued ON jobs (work, turn, operation_id, account_id) WHERE state = 'queued';
CREATE INDEX jobs_leased ON jobs (work) WHERE state = 'leased';
CREATE INDEX jobs_lease ON jobs (lease_until) WHERE state = 'leased';
CREATE INDEX jobs_deadline ON jobs (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX jobs_exhausted ON jobs (operation_id) WHERE state = 'exhausted';

CREATE INDEX files_expiry ON files (expires_at);
-- Which upload of an account expires next.
CREATE INDEX files_account ON files (account_id, expires_at);
CREATE INDEX files_list ON files (account_id, id);
CREATE INDEX upload_tokens_expiry ON upload_tokens (expires_at);
CREATE INDEX objects_owner ON objects (owner);

CREATE UNIQUE INDEX webhooks_receiver ON webhooks (operation_id, type, coalesce(endpoint_id, ''));
CREATE INDEX webhooks_expiry ON webhooks (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX webhooks_lane ON webhooks (account_id, host, due_at) WHERE state = 'pending';
CREATE INDEX webhooks_leased ON webhooks (due_at, account_id, host) WHERE worker IS NOT NULL;
-- Deliveries of an account, newest first.
CREATE INDEX webhooks_list ON webhooks (account_id, id);
CREATE INDEX webhooks_list_state ON webhooks (account_id, state, id);
CREATE INDEX webhook_lanes_due ON webhook_lanes (due_at);

CREATE INDEX users_account ON users (account_id, id);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);
CREATE INDEX sign_in_links_account ON sign_in_links (account_id) WHERE user_id IS NULL;
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);
CREATE INDEX invitations_expiry ON invitations (expires_at);
CREATE INDEX leak_reports_account ON leak_reports (account_id, id);
CREATE INDEX leak_reports_mail ON leak_reports (mail_at) WHERE mail_at IS NOT NULL;
CREATE INDEX audit_account ON audit (account_id, position);

---------------------------------------------------------------- Triggers: what is append-only

CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger
BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger
BEGIN SELECT raise(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit WHEN old.keep_until > CAST(strftime('%s', 'now') AS INTEGER) * 1000
BEGIN SELECT raise(ABORT, 'the audit log is append-only until keep_until'); END;
-- Also against INSERT OR REPLACE, which deletes without telling the trigger above.
CREATE TRIGGER audit_in_line BEFORE INSERT ON audit
  WHEN new.position <> (SELECT coalesce(max(position), 0) + 1 FROM audit) OR EXISTS (SELECT 1 FROM audit WHERE id = new.id)
BEGIN SELECT raise(ABORT, 'the audit log is append-only: an entry comes last'); END;

---------------------------------------------------------------- Triggers: what a key was used for

-- Within the statement that takes the row: a look-up of its own costs a submission 2 µs.
CREATE TRIGGER operations_called BEFORE INSERT ON operations
  WHEN EXISTS (SELECT 1 FROM keyed_calls WHERE account_id = new.account_id AND idempotency_key = new.idempotency_key)
BEGIN SELECT raise(IGNORE); END;

---------------------------------------------------------------- Triggers: what is counted and listed, whoever writes the rows

CREATE TRIGGER usage_days_insert AFTER INSERT ON ledger WHEN new.counted = 0
BEGIN
  INSERT INTO usage_days (account_id, day, debited, refunded, rebated, granted, operations)
    VALUES (new.account_id, new.created_at - new.created_at % 86400000, -min(new.credits, 0),
      iif(new.kind = 'refund', new.credits, 0), iif(new.kind = 'rebate', new.credits, 0), iif(new.kind = 'grant', new.credits, 0), new.kind = 'debit')
    ON CONFLICT (account_id, day) DO UPDATE SET debited = debited + excluded.debited, refunded = refunded + excluded.refunded, rebated = rebated + excluded.rebated,
      granted = granted + excluded.granted, operations = operations + excluded.operations;
END;

CREATE TRIGGER job_lists_delete AFTER DELETE ON jobs
BEGIN DELETE FROM job_lists WHERE account_id = old.account_id AND action = old.action AND operation_id = old.operation_id; END;

CREATE TRIGGER kept_uploads_insert AFTER INSERT ON files
BEGIN
  INSERT INTO kept_uploads (account_id, bytes) VALUES (new.account_id, new.bytes)
    ON CONFLICT (account_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER kept_uploads_delete AFTER DELETE ON files
BEGIN
  UPDATE kept_uploads SET bytes = bytes - old.bytes WHERE account_id = old.account_id;
END;

CREATE TRIGGER webhook_lanes_insert AFTER INSERT ON webhooks WHEN new.due_at IS NOT NULL
BEGIN
  INSERT INTO webhook_lanes (account_id, host, due_at) VALUES (new.account_id, new.host, new.due_at)
    ON CONFLICT (account_id, host) DO UPDATE SET due_at = min(due_at, excluded.due_at);
END;
CREATE TRIGGER webhook_lanes_update AFTER UPDATE OF due_at ON webhooks WHEN new.due_at IS NOT old.due_at
BEGIN
  DELETE FROM webhook_lanes WHERE account_id = new.account_id AND host = new.host;
  INSERT INTO webhook_lanes (account_id, host, due_at)
    SELECT new.account_id, new.host, due_at FROM webhooks
    WHERE account_id = new.account_id AND host = new.host AND state = 'pending' ORDER BY due_at LIMIT 1;
END;
CREATE TRIGGER webhook_lanes_delete AFTER DELETE ON webhooks WHEN old.due_at IS NOT NULL
BEGIN
  DELETE FROM webhook_lanes WHERE account_id = old.account_id AND host = old.host;
  INSERT INTO webhook_lanes (account_id, host, due_at)
    SELECT old.account_id, old.host, due_at FROM webhooks
    WHERE account_id = old.account_id AND host = old.host AND state = 'pending' ORDER BY due_at LIMIT 1;
END;
