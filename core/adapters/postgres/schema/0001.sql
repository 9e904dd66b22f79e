-- The whole truth of an installation on Postgres 14 or later: tables by subject, then indexes, then triggers, then the functions that are verbs.
-- Times are milliseconds since 1970 UTC; columns are named as in core/ports/.
-- The hot tables have no references: each would cost a look-up per row, and the functions below lock what a reference would check.
-- A later migration whose first line is `--! breaking` cannot be worked on by the version before it. One that changes a function adds it under
-- a new name (`submit_2`) and leaves this one to nodes that still call it.

-- The store's now. Leases are counted by it, so that no node's own clock matters.
CREATE FUNCTION now_ms() RETURNS BIGINT LANGUAGE sql VOLATILE
  AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT $$;

---------------------------------------------------------------- Accounts

-- Who pays, and what the account's keys may do. Null settings: the installation's default applies.
CREATE TABLE accounts (
  id                   TEXT COLLATE "C" PRIMARY KEY,
  name                 TEXT NOT NULL,
  -- Always the sum of the account's ledger lines; both are written in one transaction.
  credits              BIGINT NOT NULL CHECK (credits >= 0),
  created_at           BIGINT NOT NULL,
  put_per_minute       INTEGER CHECK (put_per_minute >= 0),
  get_per_minute       INTEGER CHECK (get_per_minute >= 0),
  long_polls           INTEGER CHECK (long_polls >= 0),
  -- JSON array of addresses and CIDR ranges.
  allowlist            TEXT NOT NULL,
  webhook_body         TEXT NOT NULL CHECK (webhook_body IN ('operation', 'envelope')),
  webhook_long_retries BOOLEAN NOT NULL,
  jobs_max             INTEGER NOT NULL DEFAULT 0 CHECK (jobs_max >= 0),
  revoke_leaked        BOOLEAN NOT NULL DEFAULT false,
  free_seconds         BIGINT CHECK (free_seconds >= 0),
  uploads_open         BIGINT CHECK (uploads_open >= 0),
  upload_bytes         BIGINT CHECK (upload_bytes >= 0),
  -- The last day (its first millisecond, UTC) with work that ended without a charge, and how much of it there was.
  free_day             BIGINT NOT NULL DEFAULT 0,
  free_ms              BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Keys of the API, by their hash.
CREATE TABLE api_keys (
  id         TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  label      TEXT NOT NULL,
  sha256     TEXT COLLATE "C" NOT NULL UNIQUE CHECK (length(sha256) = 64),
  last_four  TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  used_at    BIGINT,
  -- JSON of `KeyRights`; null: all that the account may.
  rights     TEXT
);

-- What operations of keys with a budget have cost in each period (its first millisecond, UTC), refunds and rebates taken off.
-- Changed with the account locked.
CREATE TABLE key_spending (
  key_id  TEXT COLLATE "C" NOT NULL,
  since   BIGINT NOT NULL,
  credits BIGINT NOT NULL CHECK (credits >= 0),
  PRIMARY KEY (key_id, since)
) WITH (fillfactor = 50);

-- Receivers of an account's events, with what became of the attempts to reach them.
CREATE TABLE webhook_endpoints (
  id                  TEXT COLLATE "C" PRIMARY KEY,
  account_id          TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  url                 TEXT NOT NULL,
  host                TEXT NOT NULL,
  -- JSON array of patterns.
  events              TEXT NOT NULL,
  description         TEXT NOT NULL,
  created_at          BIGINT NOT NULL,
  disabled_at         BIGINT,
  disabled_why        TEXT CHECK (disabled_why IN ('request', 'failures', 'gone')),
  last_success_at     BIGINT,
  last_failure_at     BIGINT,
  last_failure_status INTEGER,
  last_failure_detail TEXT,
  failing_since       BIGINT,
  failures            INTEGER NOT NULL DEFAULT 0,
  -- When its owners are to be told that it was disabled, or the end of the lease of who is about to; null: nobody is.
  notice_at           BIGINT,
  notice_attempts     INTEGER NOT NULL DEFAULT 0,
  CHECK ((disabled_at IS NULL) = (disabled_why IS NULL))
);

-- Attempts of the last day by hour (its first millisecond).
CREATE TABLE webhook_endpoint_hours (
  endpoint_id TEXT COLLATE "C" NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  hour        BIGINT NOT NULL,
  succeeded   BIGINT NOT NULL DEFAULT 0,
  failed      BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (endpoint_id, hour)
);

-- Secrets that webhooks are signed with, sealed by core: those of an endpoint sign what is sent there, the account's own all else.
CREATE TABLE signing_secrets (
  id         TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  label      TEXT NOT NULL,
  sealed     TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  -- Of an endpoint's: when it signs no more.
  retired_at BIGINT,
  endpoint_id TEXT COLLATE "C" REFERENCES webhook_endpoints (id) ON DELETE CASCADE
);

-- Every movement of credits. Lines outlive the operations that they name. Ids rise within an account: they are drawn while its row is locked.
CREATE TABLE ledger (
  id           BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id   TEXT COLLATE "C" NOT NULL,
  operation_id TEXT COLLATE "C",
  kind         TEXT COLLATE "C" NOT NULL CHECK (kind IN ('grant', 'debit', 'refund', 'rebate')),
  credits      BIGINT NOT NULL CHECK (credits <> 0),
  note         TEXT NOT NULL,
  created_at   BIGINT NOT NULL,
  PRIMARY KEY (account_id, id),
  CHECK ((kind = 'debit') = (credits < 0)),
  CHECK ((kind = 'grant') = (operation_id IS NULL))
);

-- What the ledger says of each day: a year of usage costs 365 rows, not every line.
CREATE TABLE usage_days (
  account_id TEXT COLLATE "C" NOT NULL,
  -- Its first millisecond, UTC.
  day        BIGINT NOT NULL,
  debited    BIGINT NOT NULL DEFAULT 0,
  refunded   BIGINT NOT NULL DEFAULT 0,
  rebated    BIGINT NOT NULL DEFAULT 0,
  granted    BIGINT NOT NULL DEFAULT 0,
  operations BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 50);

---------------------------------------------------------------- Operations and jobs

-- Written at submission and at the end, never in between: what changes while it is `processing` is in `jobs`.
CREATE TABLE operations (
  id              TEXT COLLATE "C" PRIMARY KEY,
  account_id      TEXT COLLATE "C" NOT NULL,
  action          TEXT COLLATE "C" NOT NULL,
  work            TEXT COLLATE "C" NOT NULL CHECK (work IN ('dsp', 'generation', 'gpu', 'test')),
  status          TEXT COLLATE "C" NOT NULL CHECK (status IN ('processing', 'ready', 'failed')),
  idempotency_key UUID NOT NULL,
  fingerprint     TEXT COLLATE "C" NOT NULL,
  cost            BIGINT NOT NULL CHECK (cost >= 0),
  request         TEXT NOT NULL,
  -- JSON array of `SourceBinding`.
  sources         TEXT NOT NULL,
  response        TEXT NOT NULL,
  callback_url    TEXT,
  created_at      BIGINT NOT NULL,
  started_at      BIGINT,
  completed_at    BIGINT,
  expires_at      BIGINT,
  attempt         INTEGER NOT NULL DEFAULT 0,
  progress        DOUBLE PRECISION NOT NULL DEFAULT 0,
  outputs         TEXT,
  -- The same as lists show them, without the reports, which are 100 KB and more of a song.
  outputs_listed  TEXT,
  error           TEXT,
  CHECK ((status = 'processing') = (completed_at IS NULL)),
  CHECK ((status = 'processing') = (expires_at IS NULL))
);

-- Which key's budget an operation counts against, and of which period: a refund goes back there. Deleted with the operation.
CREATE TABLE key_debits (
  operation_id TEXT COLLATE "C" PRIMARY KEY,
  key_id       TEXT COLLATE "C" NOT NULL,
  since        BIGINT NOT NULL
);

-- What else idempotency keys of an account were used for: `operations.cancel` and its like.
CREATE TABLE keyed_calls (
  account_id      TEXT COLLATE "C" NOT NULL,
  idempotency_key UUID NOT NULL,
  fingerprint     TEXT COLLATE "C" NOT NULL,
  -- Null: it was begun, and perhaps not done.
  response        TEXT,
  expires_at      BIGINT NOT NULL,
  PRIMARY KEY (account_id, idempotency_key)
);

-- What lists by metadata find; the request has it too.
CREATE TABLE operation_metadata (
  account_id   TEXT COLLATE "C" NOT NULL,
  key          TEXT COLLATE "C" NOT NULL,
  value        TEXT COLLATE "C" NOT NULL,
  operation_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, key, value, operation_id)
);

-- Objects of the bucket that an operation in progress reads; deleted with its end.
CREATE TABLE bound_objects (
  object       TEXT COLLATE "C" NOT NULL,
  operation_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (object, operation_id)
);

-- One row for each operation that is `processing`; deleted with its end.
CREATE TABLE jobs (
  operation_id TEXT COLLATE "C" PRIMARY KEY,
  account_id   TEXT COLLATE "C" NOT NULL,
  action       TEXT COLLATE "C" NOT NULL,
  work         TEXT COLLATE "C" NOT NULL,
  created_at   BIGINT NOT NULL,
  -- Place in the fair order, see `submit_each`. Kept when the job goes back to the queue.
  turn         BIGINT NOT NULL,
  -- `exhausted`: lost too often; nobody may claim it again, core ends it.
  state        TEXT COLLATE "C" NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'leased', 'exhausted')),
  worker       TEXT,
  -- Not in an index: a renewal then writes one row and no index at all.
  lease_until  BIGINT,
  attempt      INTEGER NOT NULL DEFAULT 0,
  losses       INTEGER NOT NULL DEFAULT 0,
  started_at   BIGINT,
  -- When core ends it, wherever it is by then; null: never.
  deadline_at  BIGINT,
  progress     DOUBLE PRECISION NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
  stage        TEXT,
  CHECK ((state = 'leased') = (lease_until IS NOT NULL)),
  CHECK ((state = 'leased') = (worker IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- The turn of the job that was claimed last, for each kind of work.
CREATE TABLE queue_turns (
  work TEXT COLLATE "C" PRIMARY KEY,
  turn BIGINT NOT NULL
) WITH (fillfactor = 10);
INSERT INTO queue_turns (work, turn) VALUES ('dsp', 0), ('generation', 0), ('gpu', 0), ('test', 0);

-- The turn that the account's last job was given.
CREATE TABLE account_turns (
  account_id TEXT COLLATE "C" NOT NULL,
  work       TEXT COLLATE "C" NOT NULL,
  turn       BIGINT NOT NULL,
  PRIMARY KEY (account_id, work)
) WITH (fillfactor = 50);

-- What workers ask for, and when they last did. The action '' stands for the kind of work itself; `since`: asked for without a long pause.
CREATE TABLE known_actions (
  work    TEXT COLLATE "C" NOT NULL,
  action  TEXT COLLATE "C" NOT NULL,
  since   BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (work, action)
) WITH (fillfactor = 50);

---------------------------------------------------------------- Files

-- Uploads.
CREATE TABLE files (
  id           TEXT COLLATE "C" PRIMARY KEY,
  account_id   TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  name         TEXT,
  object       TEXT COLLATE "C" NOT NULL,
  content_type TEXT NOT NULL,
  bytes        BIGINT NOT NULL CHECK (bytes >= 0),
  seconds      DOUBLE PRECISION NOT NULL CHECK (seconds >= 0),
  created_at   BIGINT NOT NULL,
  -- 0: deleted, and used by an operation in progress.
  expires_at   BIGINT NOT NULL
);

-- What was uploaded with each token: tokens themselves are signed, not stored.
CREATE TABLE upload_tokens (
  id         TEXT COLLATE "C" PRIMARY KEY,
  uploads    INTEGER NOT NULL,
  bytes      BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

-- The sum of an account's uploads: asked for with each of them. A table of its own, for the account's row is locked by submissions,
-- which then wait for files, and forgetting files comes here with the files locked.
CREATE TABLE kept_uploads (
  account_id TEXT COLLATE "C" PRIMARY KEY,
  bytes      BIGINT NOT NULL
) WITH (fillfactor = 50);

-- Which operation (as an output) or file names a key of the bucket.
CREATE TABLE objects (
  key   TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (key, owner)
);

---------------------------------------------------------------- Webhooks

-- Each event of an operation at most once for each receiver: its end, written with it, and its start where that was asked for.
CREATE TABLE webhooks (
  id               TEXT COLLATE "C" PRIMARY KEY,
  -- Null: it is of none, and forgotten at `expires_at`.
  operation_id     TEXT COLLATE "C",
  account_id       TEXT COLLATE "C" NOT NULL,
  -- Null: it goes to the operation's callback. No reference: deliveries outlive an endpoint.
  endpoint_id      TEXT COLLATE "C",
  type             TEXT NOT NULL,
  url              TEXT NOT NULL,
  -- Host and port of `url`.
  host             TEXT COLLATE "C" NOT NULL,
  body             TEXT NOT NULL,
  state            TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  created_at       BIGINT NOT NULL,
  first_attempt_at BIGINT,
  next_attempt_at  BIGINT,
  attempts         INTEGER NOT NULL DEFAULT 0,
  -- Null: no attempt is under way.
  worker           TEXT,
  -- `next_attempt_at`, or the end of the lease while an attempt is under way.
  due_at           BIGINT,
  expires_at       BIGINT,
  CHECK ((operation_id IS NULL) = (expires_at IS NOT NULL)),
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'pending') = (due_at IS NOT NULL))
);

-- What came of each attempt.
CREATE TABLE webhook_attempts (
  webhook_id  TEXT COLLATE "C" NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  attempt     INTEGER NOT NULL,
  started_at  BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  status      INTEGER,
  detail      TEXT NOT NULL,
  PRIMARY KEY (webhook_id, attempt)
);

---------------------------------------------------------------- People

-- Who may sign in to an account.
CREATE TABLE users (
  id          TEXT COLLATE "C" PRIMARY KEY,
  account_id  TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  email       TEXT COLLATE "C" NOT NULL UNIQUE,
  role        TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  password    TEXT NOT NULL,
  created_at  BIGINT NOT NULL,
  disabled_at BIGINT
);

-- Browsers that are signed in.
CREATE TABLE sessions (
  sha256     TEXT COLLATE "C" PRIMARY KEY CHECK (length(sha256) = 64),
  user_id    TEXT COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  seen_at    BIGINT NOT NULL
);

-- Links that let one person in once. `user_id` null: a newcomer, who becomes an owner.
CREATE TABLE sign_in_links (
  sha256     TEXT COLLATE "C" PRIMARY KEY CHECK (length(sha256) = 64),
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  user_id    TEXT COLLATE "C" REFERENCES users (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

-- Who is asked to become a user. An invitation is no user: it blocks nobody's address.
CREATE TABLE invitations (
  id         TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  email      TEXT COLLATE "C" NOT NULL,
  role       TEXT COLLATE "C" NOT NULL CHECK (role IN ('owner', 'member')),
  invited_by TEXT COLLATE "C" NOT NULL,
  sha256     TEXT COLLATE "C" NOT NULL UNIQUE CHECK (length(sha256) = 64),
  created_at BIGINT NOT NULL,
  sent_at    BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  UNIQUE (account_id, email)
);

-- Keys that somebody found in public.
CREATE TABLE leak_reports (
  id            TEXT COLLATE "C" PRIMARY KEY,
  account_id    TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  key_id        TEXT COLLATE "C" NOT NULL REFERENCES api_keys (id),
  source        TEXT NOT NULL,
  url           TEXT NOT NULL,
  -- What is unique by key: an address may be longer than an index entry.
  url_sha256    BYTEA NOT NULL,
  created_at    BIGINT NOT NULL,
  revoked       BOOLEAN NOT NULL,
  closed_at     BIGINT,
  -- When its owners are to be mailed, or the end of the lease of who is about to; null: nobody is.
  mail_at       BIGINT,
  mail_attempts INTEGER NOT NULL DEFAULT 0,
  UNIQUE (key_id, url_sha256)
);

---------------------------------------------------------------- Audit and health

-- Who did what, in one chain of hashes. No references: what an entry tells of may be gone.
CREATE TABLE audit (
  position    BIGINT PRIMARY KEY,
  id          TEXT COLLATE "C" NOT NULL UNIQUE,
  at          BIGINT NOT NULL,
  account_id  TEXT COLLATE "C",
  actor       TEXT COLLATE "C" NOT NULL,
  actor_email TEXT COLLATE "C",
  address     TEXT COLLATE "C",
  action      TEXT COLLATE "C" NOT NULL,
  target      TEXT COLLATE "C",
  details     TEXT COLLATE "C" NOT NULL,
  keep_until  BIGINT NOT NULL,
  previous    TEXT COLLATE "C" NOT NULL,
  sha256      TEXT COLLATE "C" NOT NULL CHECK (length(sha256) = 64)
);

-- What `health` writes, to prove that a commit is possible.
CREATE TABLE pulse (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at BIGINT NOT NULL
) WITH (fillfactor = 10);
INSERT INTO pulse (id, at) VALUES (1, 0);

---------------------------------------------------------------- Indexes

-- Claims ask whether any account has a cap.
CREATE INDEX accounts_capped ON accounts (id) WHERE jobs_max > 0;
CREATE INDEX api_keys_account ON api_keys (account_id);
CREATE INDEX signing_secrets_account ON signing_secrets (account_id);
CREATE INDEX signing_secrets_endpoint ON signing_secrets (endpoint_id) WHERE endpoint_id IS NOT NULL;
-- A URL may be longer than an entry of an index.
CREATE UNIQUE INDEX webhook_endpoints_url ON webhook_endpoints (account_id, md5(url));
CREATE INDEX webhook_endpoints_account ON webhook_endpoints (account_id, id);
CREATE INDEX webhook_endpoints_notice ON webhook_endpoints (notice_at) WHERE notice_at IS NOT NULL;
CREATE UNIQUE INDEX ledger_operation ON ledger (operation_id, kind) WHERE operation_id IS NOT NULL;

CREATE UNIQUE INDEX operations_key ON operations (account_id, idempotency_key);
-- Lists of an account. Operations in progress are listed through `jobs`, so that a submission writes none of these. And what looks up a key
-- can use no index but that of keys: a planner that has seen the table empty would take any that begins with the account.
CREATE INDEX operations_ready ON operations (account_id, id) WHERE status = 'ready';
CREATE INDEX operations_ready_action ON operations (account_id, action, id) WHERE status = 'ready';
CREATE INDEX operations_failed ON operations (account_id, id) WHERE status = 'failed';
CREATE INDEX operations_failed_action ON operations (account_id, action, id) WHERE status = 'failed';
CREATE INDEX operations_ended_time ON operations (account_id, completed_at, id) WHERE completed_at IS NOT NULL;
CREATE INDEX operations_expiry ON operations (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX keyed_calls_expiry ON keyed_calls (expires_at);
CREATE INDEX operation_metadata_operation ON operation_metadata (operation_id);
CREATE INDEX bound_objects_operation ON bound_objects (operation_id);

CREATE INDEX jobs_queued ON jobs (work, turn, operation_id) WHERE state = 'queued';
CREATE INDEX jobs_held ON jobs (work, state, operation_id) WHERE state <> 'queued';
CREATE INDEX jobs_deadline ON jobs (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX jobs_list ON jobs (account_id, action, operation_id);
-- Those without a lease, said so that what asks for `state = 'queued'` cannot mistake this index for the queue's.
CREATE INDEX jobs_account ON jobs (account_id, work, turn, operation_id) WHERE lease_until IS NULL;

CREATE INDEX files_expiry ON files (expires_at);
-- Which upload of an account expires next.
CREATE INDEX files_account ON files (account_id, expires_at);
CREATE INDEX files_list ON files (account_id, id);
CREATE INDEX upload_tokens_expiry ON upload_tokens (expires_at);
CREATE INDEX objects_owner ON objects (owner);

-- Of a sum, so that only what asks for that sum can use it: the look at one lane must not.
CREATE UNIQUE INDEX webhooks_receiver ON webhooks (operation_id, type, coalesce(endpoint_id, ''));
CREATE INDEX webhooks_expiry ON webhooks (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX webhooks_due ON webhooks ((due_at + 0)) WHERE state = 'pending';
CREATE INDEX webhooks_lane ON webhooks (account_id, host, due_at, id) WHERE state = 'pending';
-- Deliveries of an account, newest first.
CREATE INDEX webhooks_list ON webhooks (account_id, id);
CREATE INDEX webhooks_list_state ON webhooks (account_id, state, id);
CREATE INDEX webhooks_leased ON webhooks (due_at, account_id, host) WHERE worker IS NOT NULL;

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

CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$;
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger EXECUTE FUNCTION ledger_refuse();

-- By the server's own clock, which nobody sets who may only write.
CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.keep_until <= extract(epoch FROM clock_timestamp()) * 1000 THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE FUNCTION audit_refuse_truncate() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$;
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_truncate();

---------------------------------------------------------------- Triggers: what is counted, whoever writes the rows, once for all of a statement

CREATE FUNCTION usage_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_days AS u (account_id, day, debited, refunded, rebated, granted, operations)
    SELECT l.account_id, l.created_at - l.created_at % 86400000, -sum(least(l.credits, 0)),
      coalesce(sum(l.credits) FILTER (WHERE l.kind = 'refund'), 0), coalesce(sum(l.credits) FILTER (WHERE l.kind = 'rebate'), 0),
      coalesce(sum(l.credits) FILTER (WHERE l.kind = 'grant'), 0),
      count(*) FILTER (WHERE l.kind = 'debit')
    FROM lines l GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (account_id, day) DO UPDATE SET debited = u.debited + excluded.debited, refunded = u.refunded + excluded.refunded,
      rebated = u.rebated + excluded.rebated, granted = u.granted + excluded.granted, operations = u.operations + excluded.operations;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_days_insert AFTER INSERT ON ledger REFERENCING NEW TABLE AS lines
  FOR EACH STATEMENT EXECUTE FUNCTION usage_add();

CREATE FUNCTION kept_uploads_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO kept_uploads AS k (account_id, bytes)
    SELECT f.account_id, CASE TG_OP WHEN 'INSERT' THEN sum(f.bytes) ELSE -sum(f.bytes) END FROM changed f GROUP BY 1 ORDER BY 1
    ON CONFLICT (account_id) DO UPDATE SET bytes = k.bytes + excluded.bytes;
  RETURN NULL;
END $$;
CREATE TRIGGER kept_uploads_insert AFTER INSERT ON files REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION kept_uploads_count();
CREATE TRIGGER kept_uploads_delete AFTER DELETE ON files REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION kept_uploads_count();

---------------------------------------------------------------- Submissions and ends

-- Counts what an operation of the key costs, where its budget still has it. The account is locked.
CREATE FUNCTION spend_budget(key TEXT, period BIGINT, cost BIGINT, most BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_spending (key_id, since, credits) VALUES (key, period, 0) ON CONFLICT DO NOTHING;
  UPDATE key_spending k SET credits = k.credits + cost WHERE k.key_id = key AND k.since = period AND k.credits + cost <= most;
  RETURN FOUND;
END $$;

-- Judges many submissions in one transaction; arrays run side by side, one entry for each submission. Rows come back for those that were
-- not accepted. Accounts are locked in the order of their ids, so that two calls never wait for each other in a circle; within an account
-- submissions are judged in the order given. `files`, `objects` and pairs of metadata name their submission by its place, from 1; `budget_keys` are null, or nobody's.
CREATE FUNCTION submit_each(
  ids TEXT[], account_ids TEXT[], actions TEXT[], works TEXT[], keys UUID[], fingerprints TEXT[], costs BIGINT[], requests TEXT[],
  source_lists TEXT[], responses TEXT[], callback_urls TEXT[], times BIGINT[], deadlines BIGINT[],
  file_places INTEGER[], file_ids TEXT[], file_untils BIGINT[], object_places INTEGER[], objects_bound TEXT[],
  pair_places INTEGER[], pair_keys TEXT[], pair_values TEXT[],
  budget_keys TEXT[], budget_credits BIGINT[], budget_periods BIGINT[]
) RETURNS TABLE (place INTEGER, verdict TEXT, first_response TEXT, balance BIGINT) LANGUAGE plpgsql AS $$
DECLARE
  item RECORD;
  account TEXT;
  credits_left BIGINT;
  spent BIGINT := 0;
  taken BOOLEAN[] := array_fill(false, ARRAY[cardinality(ids)]);
  -- For a key that comes more than once: the place of the submission that was accepted with it, at the key's first place.
  winners INTEGER[];
  winner INTEGER;
  accepted INTEGER := 0;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = ANY (account_ids) ORDER BY a.id FOR NO KEY UPDATE;
  IF cardinality(objects_bound) > 0 THEN
    -- `expire` waits, so that nothing is forgotten that is being bound.
    PERFORM pg_advisory_xact_lock_shared(1953459831, 2);
  END IF;
  FOR item IN
    SELECT i.n::INTEGER AS n, i.account_id, i.fingerprint, i.cost, a.credits, coalesce(o.id, c.fingerprint) AS first_id,
      -- No submission is a replay of a call.
      CASE WHEN c.fingerprint IS NULL THEN o.fingerprint ELSE '' END AS first_fingerprint, o.response, (min(i.n) OVER (PARTITION BY i.account_id, i.key))::INTEGER AS first_n
    FROM unnest(account_ids, keys, fingerprints, costs) WITH ORDINALITY AS i (account_id, key, fingerprint, cost, n)
    LEFT JOIN accounts a ON a.id = i.account_id
    LEFT JOIN operations o ON o.account_id = i.account_id AND o.idempotency_key = i.key
    LEFT JOIN keyed_calls c ON c.account_id = i.account_id AND c.idempotency_key = i.key
    ORDER BY i.account_id, i.n
  LOOP
    IF item.account_id IS DISTINCT FROM account THEN
      account := item.account_id;
      credits_left := item.credits;
    END IF;
    winner := CASE WHEN item.first_n = item.n THEN NULL ELSE winners[item.first_n] END;
    IF item.first_id IS NOT NULL OR winner IS NOT NULL THEN
      place := item.n;
      balance := NULL;
      IF coalesce(item.first_fingerprint, fingerprints[winner]) <> item.fingerprint THEN
        verdict := 'key_reused';
        first_response := NULL;
        RETURN NEXT;
      -- Our own id: the call was tried again after its answer had been lost.
      ELSIF item.first_id IS DISTINCT FROM ids[item.n] THEN
        verdict := 'replayed';
        first_response := coalesce(item.response, responses[winner]);
        RETURN NEXT;
      END IF;
    ELSIF credits_left IS NULL OR credits_left < item.cost THEN
      place := item.n;
      verdict := CASE WHEN credits_left IS NULL THEN 'unknown_account' ELSE 'insufficient_credits' END;
      first_response := NULL;
      balance := credits_left;
      RETURN NEXT;
    ELSIF item.cost > 0 AND budget_keys[item.n] IS NOT NULL
      AND NOT spend_budget(budget_keys[item.n], budget_periods[item.n], item.cost, budget_credits[item.n])
    THEN
      place := item.n;
      verdict := 'key_budget_exceeded';
      first_response := NULL;
      SELECT greatest(0, budget_credits[item.n] - k.credits) INTO balance
        FROM key_spending k WHERE k.key_id = budget_keys[item.n] AND k.since = budget_periods[item.n];
      RETURN NEXT;
    ELSE
      credits_left := credits_left - item.cost;
      spent := spent + item.cost;
      taken[item.n] := true;
      winners[item.first_n] := item.n;
      accepted := accepted + 1;
    END IF;
  END LOOP;
  IF accepted = 0 THEN RETURN; END IF;

  INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, sources, response,
      callback_url, created_at)
    SELECT i.id, i.account_id, i.action, i.work, 'processing', i.key, i.fingerprint, i.cost, i.request, i.sources, i.response,
      i.callback_url, i.created_at
    FROM unnest(ids, account_ids, actions, works, keys, fingerprints, costs, requests, source_lists, responses, callback_urls, times)
      WITH ORDINALITY AS i (id, account_id, action, work, key, fingerprint, cost, request, sources, response, callback_url, created_at, n)
    WHERE taken[i.n];
  IF spent > 0 THEN
    UPDATE accounts a SET credits = a.credits - s.cost
      FROM (SELECT i.account_id, sum(i.cost)::BIGINT AS cost
            FROM unnest(account_ids, costs) WITH ORDINALITY AS i (account_id, cost, n) WHERE taken[i.n] GROUP BY i.account_id) s
      WHERE a.id = s.account_id AND s.cost > 0;
    INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
      SELECT i.account_id, i.id, 'debit', -i.cost, i.action, i.created_at
      FROM unnest(account_ids, ids, costs, actions, times) WITH ORDINALITY AS i (account_id, id, cost, action, created_at, n)
      WHERE taken[i.n] AND i.cost > 0 ORDER BY i.n;
    INSERT INTO key_debits (operation_id, key_id, since)
      SELECT ids[n], budget_keys[n], budget_periods[n] FROM generate_series(1, cardinality(budget_keys)) AS n
      WHERE taken[n] AND costs[n] > 0 AND budget_keys[n] IS NOT NULL;
  END IF;
  -- Start-time fair queueing (Goyal, Vin, Cheng 1996): a job's round is the later of the queue's own and one after its account's last. A turn
  -- is 64 of a round's places, taken by cost: within a round short work comes first.
  WITH queued AS (
    INSERT INTO jobs (operation_id, account_id, action, work, created_at, deadline_at, turn)
      SELECT i.id, i.account_id, i.action, i.work, i.created_at, deadlines[i.n],
        (greatest(q.turn / 64, 1, coalesce(t.turn / 64, 0) + 1)
          + row_number() OVER (PARTITION BY i.account_id, i.work ORDER BY i.n) - 1) * 64 + least(i.cost, 63)
      FROM unnest(ids, account_ids, actions, works, costs, times) WITH ORDINALITY AS i (id, account_id, action, work, cost, created_at, n)
      JOIN queue_turns q ON q.work = i.work
      LEFT JOIN account_turns t ON t.account_id = i.account_id AND t.work = i.work
      WHERE taken[i.n]
      RETURNING account_id, work, turn
  )
  INSERT INTO account_turns AS t (account_id, work, turn)
    SELECT q.account_id, q.work, max(q.turn) FROM queued q GROUP BY q.account_id, q.work ORDER BY q.account_id, q.work
    ON CONFLICT ON CONSTRAINT account_turns_pkey DO UPDATE SET turn = excluded.turn;
  IF cardinality(file_ids) > 0 THEN
    UPDATE files f SET expires_at = u.until
      FROM (SELECT i.id, max(i.until) AS until FROM unnest(file_ids, file_untils, file_places) AS i (id, until, n)
            WHERE taken[i.n] GROUP BY i.id) u
      WHERE f.id = u.id AND f.expires_at < u.until AND f.expires_at > 0;
  END IF;
  IF cardinality(objects_bound) > 0 THEN
    INSERT INTO bound_objects (object, operation_id)
      SELECT DISTINCT i.object, ids[i.n] FROM unnest(objects_bound, object_places) AS i (object, n) WHERE taken[i.n];
  END IF;
  IF cardinality(pair_keys) > 0 THEN
    INSERT INTO operation_metadata (account_id, key, value, operation_id)
      SELECT account_ids[i.n], i.key, i.value, ids[i.n] FROM unnest(pair_keys, pair_values, pair_places) AS i (key, value, n) WHERE taken[i.n];
  END IF;
END $$;

-- Binds a key where it is free, and adds the response where the same call has none yet. One row: the use that counts.
CREATE FUNCTION use_key(account TEXT, key UUID, print TEXT, answer TEXT, until BIGINT)
  RETURNS TABLE (fingerprint TEXT, response TEXT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  -- Submissions of the account lock it too, so that no key is used twice.
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  RETURN QUERY SELECT o.fingerprint, o.response FROM operations o WHERE o.account_id = account AND o.idempotency_key = key;
  IF FOUND THEN RETURN; END IF;
  RETURN QUERY INSERT INTO keyed_calls AS c (account_id, idempotency_key, fingerprint, response, expires_at)
    VALUES (account, key, print, answer, until)
    ON CONFLICT (account_id, idempotency_key) DO UPDATE
      SET response = CASE WHEN c.fingerprint = print THEN coalesce(c.response, answer) ELSE c.response END
    RETURNING c.fingerprint, c.response;
END $$;

-- As `submit_each`, for what nearly every batch is: keys that are new, each once, and accounts that can pay. Then nothing is judged one by one;
-- where one is not so, all are left to `submit_each`, before anything is written. The caller says what belongs together: `spenders`, in the order of
-- their ids, are the accounts and `spent` what each pays in all; a lane is an account's submissions of one kind of work, `sizes` how many it has and
-- `last_costs` what the last of them costs. `lanes` says in which one a submission is, and `turns` its place there, both from 1.
-- Texts of all submissions come as one, each ended by U+001F, which no id, no URL and no JSON has in it: an array would have every quotation mark
-- of a JSON text escaped and read letter by letter. No callback is an empty text. Elements are taken out of the arrays one by one: to `unnest` many
-- at once costs a store of rows for each. Locks are taken as in `submit_each`.
CREATE FUNCTION submit(
  spenders TEXT[], spent BIGINT[], owners TEXT[], works TEXT[], sizes INTEGER[], last_costs BIGINT[], lanes INTEGER[], turns INTEGER[],
  all_ids TEXT, all_actions TEXT, keys UUID[], all_fingerprints TEXT, costs BIGINT[], all_requests TEXT, all_source_lists TEXT,
  all_responses TEXT, all_callback_urls TEXT, times BIGINT[], deadlines BIGINT[],
  file_places INTEGER[], file_ids TEXT[], file_untils BIGINT[], object_places INTEGER[], objects_bound TEXT[],
  pair_places INTEGER[], pair_keys TEXT[], pair_values TEXT[]
) RETURNS TABLE (place INTEGER, verdict TEXT, first_response TEXT, balance BIGINT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- Each has an element more, after the last end.
  ids TEXT[] := string_to_array(all_ids, U&'\001F');
  actions TEXT[] := string_to_array(all_actions, U&'\001F');
  fingerprints TEXT[] := string_to_array(all_fingerprints, U&'\001F');
  requests TEXT[] := string_to_array(all_requests, U&'\001F');
  source_lists TEXT[] := string_to_array(all_source_lists, U&'\001F');
  responses TEXT[] := string_to_array(all_responses, U&'\001F');
  callback_urls TEXT[] := string_to_array(all_callback_urls, U&'\001F', '');
  many INTEGER := cardinality(keys);
  locked TEXT[];
  credits_left BIGINT[];
  -- The round before each lane's first submission.
  rounds BIGINT[];
BEGIN
  -- A text with the end in it would move what comes after it to another submission.
  IF NOT many + 1 = ALL (ARRAY[cardinality(ids), cardinality(actions), cardinality(fingerprints), cardinality(requests),
    cardinality(source_lists), cardinality(responses), cardinality(callback_urls)])
  THEN
    RAISE EXCEPTION 'texts of % submissions were expected', many;
  END IF;
  SELECT array_agg(l.id), array_agg(l.credits) INTO locked, credits_left
    FROM (SELECT a.id, a.credits FROM accounts a WHERE a.id = ANY (spenders) ORDER BY a.id FOR NO KEY UPDATE) l;
  IF locked IS DISTINCT FROM spenders
    OR EXISTS (SELECT 1 FROM unnest(credits_left, spent) AS s (credits, cost) WHERE s.credits < s.cost)
    OR EXISTS (SELECT 1 FROM unnest(lanes, keys) AS i (lane, key)
      JOIN operations o ON o.account_id = owners[i.lane] AND o.idempotency_key = i.key)
    OR EXISTS (SELECT 1 FROM unnest(lanes, keys) AS i (lane, key)
      JOIN keyed_calls c ON c.account_id = owners[i.lane] AND c.idempotency_key = i.key)
  THEN
    RETURN QUERY SELECT * FROM submit_each(ids[:many], ARRAY(SELECT owners[lanes[n]] FROM generate_series(1, many) AS n), actions[:many],
      ARRAY(SELECT works[lanes[n]] FROM generate_series(1, many) AS n), keys, fingerprints[:many], costs, requests[:many],
      source_lists[:many], responses[:many], callback_urls[:many], times, deadlines, file_places, file_ids, file_untils, object_places, objects_bound,
      pair_places, pair_keys, pair_values, '{}', '{}', '{}');
    RETURN;
  END IF;
  IF cardinality(objects_bound) > 0 THEN
    PERFORM pg_advisory_xact_lock_shared(1953459831, 2);
  END IF;

  INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, sources, response,
      callback_url, created_at)
    SELECT ids[n], owners[lanes[n]], actions[n], works[lanes[n]], 'processing', keys[n], fingerprints[n], costs[n], requests[n],
      source_lists[n], responses[n], callback_urls[n], times[n]
    FROM generate_series(1, many) AS n;
  UPDATE accounts a SET credits = a.credits - s.cost FROM unnest(spenders, spent) AS s (id, cost) WHERE a.id = s.id AND s.cost > 0;
  INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
    SELECT owners[lanes[n]], ids[n], 'debit', -costs[n], actions[n], times[n] FROM generate_series(1, many) AS n WHERE costs[n] > 0;

  -- Places in the fair order: see `submit_each`. A lane's turn is that of its last submission.
  WITH moved AS (
    UPDATE account_turns t SET turn = (greatest(q.turn / 64, 1, t.turn / 64 + 1) + g.size - 1) * 64 + least(g.last_cost, 63)
      FROM unnest(owners, works, sizes, last_costs) WITH ORDINALITY AS g (owner, work, size, last_cost, n), queue_turns q
      WHERE t.account_id = g.owner AND t.work = g.work AND q.work = g.work
      RETURNING g.n, t.turn / 64 - g.size AS before
  )
  SELECT array_agg(m.before ORDER BY m.n) INTO rounds FROM moved m;
  IF cardinality(rounds) IS DISTINCT FROM cardinality(owners) THEN
    -- Some account's first of its kind.
    INSERT INTO account_turns (account_id, work, turn)
      SELECT g.owner, g.work, (greatest(q.turn / 64, 1) + g.size - 1) * 64 + least(g.last_cost, 63)
      FROM unnest(owners, works, sizes, last_costs) AS g (owner, work, size, last_cost) JOIN queue_turns q ON q.work = g.work
      WHERE NOT EXISTS (SELECT 1 FROM account_turns t WHERE t.account_id = g.owner AND t.work = g.work);
    SELECT array_agg(t.turn / 64 - g.size ORDER BY g.n) INTO rounds
      FROM unnest(owners, works, sizes) WITH ORDINALITY AS g (owner, work, size, n)
      JOIN account_turns t ON t.account_id = g.owner AND t.work = g.work;
  END IF;
  INSERT INTO jobs (operation_id, account_id, action, work, created_at, deadline_at, turn)
    SELECT ids[n], owners[lanes[n]], actions[n], works[lanes[n]], times[n], deadlines[n], (rounds[lanes[n]] + turns[n]) * 64 + least(costs[n], 63)
    FROM generate_series(1, many) AS n;

  IF cardinality(file_ids) > 0 THEN
    UPDATE files f SET expires_at = u.until
      FROM (SELECT i.id, max(i.until) AS until FROM unnest(file_ids, file_untils) AS i (id, until) GROUP BY i.id) u
      WHERE f.id = u.id AND f.expires_at < u.until AND f.expires_at > 0;
  END IF;
  IF cardinality(objects_bound) > 0 THEN
    INSERT INTO bound_objects (object, operation_id)
      SELECT DISTINCT i.object, ids[i.n] FROM unnest(objects_bound, object_places) AS i (object, n);
  END IF;
  IF cardinality(pair_keys) > 0 THEN
    INSERT INTO operation_metadata (account_id, key, value, operation_id)
      SELECT owners[lanes[i.n]], i.key, i.value, ids[i.n] FROM unnest(pair_keys, pair_values, pair_places) AS i (key, value, n);
  END IF;
END $$;

-- The ends of many operations in one transaction; arrays run side by side, one entry for each end. Rows come back for those that won: the
-- operation was `processing` and the attempt still its own; of two ends of one attempt the first. Rows of every table are locked in the order
-- of their keys, jobs before accounts before turns, so that two calls never wait for each other in a circle. Tells every node in the same
-- transaction. `objects` name their end by its place, from 1.
CREATE FUNCTION terminate(
  ids TEXT[], attempts INTEGER[], statuses TEXT[], output_lists TEXT[], errors TEXT[], refunds BOOLEAN[], times BIGINT[], expiries BIGINT[],
  object_places INTEGER[], object_keys TEXT[],
  webhook_places INTEGER[], webhook_ids TEXT[], webhook_endpoints TEXT[], webhook_types TEXT[], webhook_urls TEXT[], webhook_hosts TEXT[],
  webhook_bodies TEXT[],
  listed_outputs TEXT[],
  call_places INTEGER[], call_accounts TEXT[], call_keys UUID[], call_fingerprints TEXT[], call_responses TEXT[], call_expiries BIGINT[],
  costs BIGINT[]
) RETURNS TABLE (place INTEGER) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- Of the ends that won, side by side.
  places INTEGER[];
  owners TEXT[];
  works TEXT[];
  prices BIGINT[];
  unbegun BOOLEAN[];
  -- By place.
  won BOOLEAN[] := array_fill(false, ARRAY[cardinality(ids)]);
  -- Places of calls whose key is taken.
  taken INTEGER[] := '{}';
BEGIN
  PERFORM 1 FROM jobs j WHERE j.operation_id = ANY (ids) ORDER BY j.operation_id FOR UPDATE;
  IF cardinality(call_places) > 0 THEN
    -- Submissions of these accounts lock them too, so that no key is used twice. Refunds lock no others later on.
    PERFORM 1 FROM accounts a WHERE a.id = ANY (ARRAY(SELECT j.account_id FROM jobs j WHERE j.operation_id = ANY (ids)))
      ORDER BY a.id FOR NO KEY UPDATE;
    -- LIMIT, for without it Postgres may read a whole table at once for all of them.
    taken := ARRAY(SELECT c.n FROM unnest(call_places, call_accounts, call_keys) AS c (n, account_id, key) CROSS JOIN LATERAL (
      (SELECT 1 FROM operations o WHERE o.account_id = c.account_id AND o.idempotency_key = c.key LIMIT 1)
      UNION ALL (SELECT 1 FROM keyed_calls k WHERE k.account_id = c.account_id AND k.idempotency_key = c.key LIMIT 1)) AS used);
  END IF;
  WITH first AS (
    SELECT i.id, i.attempt, min(i.n)::INTEGER AS n FROM unnest(ids, attempts) WITH ORDINALITY AS i (id, attempt, n)
    WHERE i.n <> ALL (taken) GROUP BY i.id, i.attempt
  ), gone AS (
    DELETE FROM jobs j USING first f WHERE j.operation_id = f.id AND j.attempt = f.attempt
      AND (costs[f.n] IS NULL OR costs[f.n] = (SELECT o.cost FROM operations o WHERE o.id = f.id))
      RETURNING f.n, j.operation_id, j.account_id, j.work, j.attempt, j.started_at, j.progress
  ), ended AS (
    UPDATE operations o SET status = statuses[g.n], outputs = output_lists[g.n], outputs_listed = listed_outputs[g.n],
        error = errors[g.n], completed_at = times[g.n],
        expires_at = expiries[g.n], attempt = g.attempt, started_at = g.started_at,
        progress = CASE WHEN statuses[g.n] = 'ready' THEN 1 ELSE g.progress END
      FROM gone g WHERE o.id = g.operation_id
      RETURNING g.n, g.account_id, g.work, o.cost, g.attempt = 0 AS unbegun
  )
  SELECT array_agg(e.n ORDER BY e.n), array_agg(e.account_id ORDER BY e.n), array_agg(e.work ORDER BY e.n), array_agg(e.cost ORDER BY e.n),
      array_agg(e.unbegun ORDER BY e.n)
    INTO places, owners, works, prices, unbegun FROM ended e;
  IF places IS NULL THEN RETURN; END IF;
  FOR index IN 1 .. cardinality(places) LOOP won[places[index]] := true; END LOOP;

  IF EXISTS (SELECT 1 FROM unnest(places, prices) AS w (n, price) WHERE refunds[w.n] AND w.price > 0) THEN
    PERFORM 1 FROM accounts a WHERE a.id = ANY (owners) ORDER BY a.id FOR NO KEY UPDATE;
    UPDATE accounts a SET credits = a.credits + s.price
      FROM (SELECT w.account_id, sum(w.price)::BIGINT AS price FROM unnest(places, owners, prices) AS w (n, account_id, price)
            WHERE refunds[w.n] GROUP BY w.account_id) s
      WHERE a.id = s.account_id AND s.price > 0;
    INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
      SELECT w.account_id, ids[w.n], 'refund', w.price, statuses[w.n], times[w.n] FROM unnest(places, owners, prices) AS w (n, account_id, price)
      WHERE refunds[w.n] AND w.price > 0 ORDER BY w.n;
    UPDATE key_spending k SET credits = k.credits - s.price
      FROM (SELECT d.key_id, d.since, sum(w.price)::BIGINT AS price FROM unnest(places, prices) AS w (n, price)
            JOIN key_debits d ON d.operation_id = ids[w.n] WHERE refunds[w.n] GROUP BY d.key_id, d.since) s
      WHERE k.key_id = s.key_id AND k.since = s.since;
  END IF;
  IF true = ANY (unbegun) THEN
    -- Their accounts' later jobs do not wait for turns that were never taken.
    PERFORM 1 FROM account_turns t WHERE t.account_id = ANY (owners) ORDER BY t.account_id, t.work FOR NO KEY UPDATE;
    UPDATE account_turns t SET turn = least(t.turn, greatest(
        (SELECT q.turn FROM queue_turns q WHERE q.work = u.work),
        coalesce((SELECT max(j.turn) FROM jobs j WHERE j.account_id = u.account_id AND j.work = u.work AND j.lease_until IS NULL), 0)))
      FROM (SELECT DISTINCT w.account_id, w.work FROM unnest(owners, works, unbegun) AS w (account_id, work, unbegun) WHERE w.unbegun) u
      WHERE t.account_id = u.account_id AND t.work = u.work;
  END IF;
  DELETE FROM bound_objects b WHERE b.operation_id = ANY (ARRAY(SELECT ids[w.n] FROM unnest(places) AS w (n)));
  IF cardinality(object_keys) > 0 THEN
    INSERT INTO objects (key, owner) SELECT k.key, ids[k.n] FROM unnest(object_keys, object_places) AS k (key, n) WHERE won[k.n];
  END IF;
  IF cardinality(webhook_ids) > 0 THEN
    INSERT INTO webhooks (id, operation_id, account_id, endpoint_id, type, url, host, body, state, created_at, next_attempt_at, due_at)
      SELECT h.id, ids[h.place], w.account_id, h.endpoint_id, h.type, h.url, h.host, h.body, 'pending', times[h.place], times[h.place], times[h.place]
      FROM unnest(places, owners) AS w (n, account_id)
        JOIN unnest(webhook_places, webhook_ids, webhook_endpoints, webhook_types, webhook_urls, webhook_hosts, webhook_bodies)
          AS h (place, id, endpoint_id, type, url, host, body) ON h.place = w.n;
  END IF;
  IF cardinality(call_places) > 0 THEN
    INSERT INTO keyed_calls (account_id, idempotency_key, fingerprint, response, expires_at)
      SELECT c.account_id, c.key, c.fingerprint, c.response, c.expires_at
      FROM unnest(call_places, call_accounts, call_keys, call_fingerprints, call_responses, call_expiries)
        AS c (n, account_id, key, fingerprint, response, expires_at) WHERE won[c.n];
  END IF;
  PERFORM pg_notify('tonwerk', 'ended ' || (SELECT string_agg(ids[w.n], ',') FROM unnest(places) AS w (n)));
  RETURN QUERY SELECT w.n FROM unnest(places) AS w (n);
END $$;

-- Lowers what an operation costs to `price`, once, and gives the rest back. What it costs now; null: the attempt holds it no longer. Locks as
-- `terminate` does.
CREATE FUNCTION rebate(operation TEXT, held INTEGER, price BIGINT, at BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  owner TEXT;
  paid BIGINT;
BEGIN
  SELECT j.account_id INTO owner FROM jobs j WHERE j.operation_id = operation AND j.attempt = held FOR UPDATE;
  IF owner IS NULL THEN RETURN NULL; END IF;
  SELECT o.cost INTO paid FROM operations o WHERE o.id = operation;
  IF price >= paid OR EXISTS (SELECT 1 FROM ledger l WHERE l.operation_id = operation AND l.kind = 'rebate') THEN RETURN paid; END IF;
  UPDATE accounts a SET credits = a.credits + paid - price WHERE a.id = owner;
  INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
    VALUES (owner, operation, 'rebate', paid - price, 'measured', at);
  UPDATE key_spending k SET credits = k.credits - (paid - price)
    FROM key_debits d WHERE d.operation_id = operation AND k.key_id = d.key_id AND k.since = d.since;
  UPDATE operations o SET cost = price WHERE o.id = operation;
  RETURN price;
END $$;

---------------------------------------------------------------- Jobs

-- Takes the first of the fair order that no other claim is at; no row: there is none. `actions_known` null: any; jobs of the accounts `passed` are
-- left where they are. The queue's own turn is moved on by whoever finds it free, so that claims wait for nobody: a turn that lags by a moment makes
-- no difference that could be seen. Only claims that are about to give a job to the same account with a `jobs_max` take turns, and count again then.
CREATE FUNCTION claim(kind TEXT, worker_name TEXT, lease_ms BIGINT, actions_known TEXT[], passed TEXT[]) RETURNS TABLE (
  id TEXT, account_id TEXT, action TEXT, status TEXT, idempotency_key UUID, cost BIGINT, request TEXT, created_at BIGINT, completed_at BIGINT,
  expires_at BIGINT, outputs TEXT, error TEXT, started_at BIGINT, progress DOUBLE PRECISION, stage TEXT, work TEXT, sources TEXT,
  callback_url TEXT, attempt INTEGER, running BOOLEAN
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  at BIGINT;
  full_accounts TEXT[] := passed;
  locked BOOLEAN := false;
  most INTEGER;
  job RECORD;
BEGIN
  IF EXISTS (SELECT 1 FROM accounts a WHERE a.jobs_max > 0) THEN
    full_accounts := passed || ARRAY(SELECT j.account_id FROM jobs j JOIN accounts a ON a.id = j.account_id AND a.jobs_max > 0
      WHERE j.work = kind AND j.state <> 'queued' AND j.state = 'leased'
      GROUP BY j.account_id, a.jobs_max HAVING count(*) >= a.jobs_max);
  END IF;
  LOOP
    IF cardinality(full_accounts) = 0 THEN
      SELECT j.operation_id, j.account_id, j.turn INTO job FROM jobs j
        WHERE j.work = kind AND j.state = 'queued' AND (actions_known IS NULL OR j.action = ANY (actions_known))
        ORDER BY j.turn, j.operation_id LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN RETURN; END IF;
    ELSE
      -- Account by account, so that the backlog of one that is full is passed over in one step.
      WITH RECURSIVE owners AS (
        (SELECT j.account_id FROM jobs j WHERE j.lease_until IS NULL ORDER BY j.account_id LIMIT 1)
        UNION ALL
        SELECT (SELECT j.account_id FROM jobs j WHERE j.lease_until IS NULL AND j.account_id > o.account_id ORDER BY j.account_id LIMIT 1)
        FROM owners o WHERE o.account_id IS NOT NULL
      )
      SELECT f.operation_id, o.account_id, f.turn INTO job
        FROM owners o CROSS JOIN LATERAL (
          SELECT j.operation_id, j.turn FROM jobs j
          WHERE j.account_id = o.account_id AND j.work = kind AND j.lease_until IS NULL AND j.state <> 'exhausted'
            AND (actions_known IS NULL OR j.action = ANY (actions_known))
          ORDER BY j.turn, j.operation_id LIMIT 1) f
        WHERE o.account_id <> ALL (full_accounts) ORDER BY f.turn, f.operation_id LIMIT 1;
      IF NOT FOUND THEN RETURN; END IF;
      PERFORM 1 FROM jobs j WHERE j.operation_id = job.operation_id AND j.state = 'queued' FOR UPDATE;
      -- It was claimed or ended while this call waited for it.
      CONTINUE WHEN NOT FOUND;
    END IF;
    SELECT a.jobs_max INTO most FROM accounts a WHERE a.id = job.account_id;
    EXIT WHEN coalesce(most, 0) = 0;
    -- The count above is from before: nobody else gives this account a job until this call has ended. Whoever holds one such lock waits for
    -- no other, or two calls could wait for each other; the caller comes again.
    IF NOT locked THEN
      PERFORM pg_advisory_xact_lock(1953459832, hashtext(job.account_id));
      locked := true;
    ELSIF NOT pg_try_advisory_xact_lock(1953459832, hashtext(job.account_id)) THEN
      RAISE EXCEPTION 'another claim is at this account' USING ERRCODE = 'serialization_failure';
    END IF;
    EXIT WHEN (SELECT count(*) FROM jobs j WHERE j.work = kind AND j.state <> 'queued' AND j.state = 'leased'
      AND j.account_id = job.account_id) < most;
    full_accounts := full_accounts || job.account_id;
  END LOOP;
  at := now_ms();
  UPDATE jobs j SET state = 'leased', worker = worker_name, lease_until = at + lease_ms, attempt = j.attempt + 1,
      started_at = coalesce(j.started_at, at), progress = 0, stage = NULL
    WHERE j.operation_id = job.operation_id;
  PERFORM 1 FROM queue_turns q WHERE q.work = kind AND q.turn < job.turn FOR UPDATE SKIP LOCKED;
  IF FOUND THEN UPDATE queue_turns q SET turn = job.turn WHERE q.work = kind AND q.turn < job.turn; END IF;
  RETURN QUERY SELECT o.id, o.account_id, o.action, o.status, o.idempotency_key, o.cost, o.request, o.created_at, o.completed_at,
      o.expires_at, o.outputs, o.error, j.started_at, j.progress, j.stage, o.work, o.sources, o.callback_url, j.attempt, true
    FROM operations o JOIN jobs j ON j.operation_id = o.id WHERE o.id = job.operation_id;
END $$;

---------------------------------------------------------------- Files

-- Uploads of one account are judged one after the other, so that two at once cannot both take the last room. What is not `created` is named after
-- what stood in the way. Locks in the order in which `expire` takes them, and the account's before, as whoever binds a key does.
CREATE FUNCTION create_file(
  file_id TEXT, account TEXT, label TEXT, object_key TEXT, type TEXT, size BIGINT, length DOUBLE PRECISION, at BIGINT, until BIGINT, most BIGINT,
  key UUID, print TEXT, key_until BIGINT, token TEXT, token_uploads INTEGER, token_bytes BIGINT, token_until BIGINT
) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
  IF key IS NOT NULL THEN
    PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
    IF EXISTS (SELECT 1 FROM operations o WHERE o.account_id = account AND o.idempotency_key = key)
      OR EXISTS (SELECT 1 FROM keyed_calls c WHERE c.account_id = account AND c.idempotency_key = key
        AND (c.fingerprint <> print OR EXISTS (SELECT 1 FROM files f WHERE f.id = c.response AND f.expires_at > at)))
    THEN
      RETURN 'call';
    END IF;
  END IF;
  IF most IS NOT NULL THEN
    INSERT INTO kept_uploads (account_id, bytes) VALUES (account, 0) ON CONFLICT DO NOTHING;
    PERFORM 1 FROM kept_uploads k WHERE k.account_id = account AND k.bytes + size <= most FOR UPDATE;
    IF NOT FOUND THEN RETURN 'bytes_max'; END IF;
  END IF;
  IF token IS NOT NULL THEN
    INSERT INTO upload_tokens AS t (id, uploads, bytes, expires_at) SELECT token, 1, size, token_until WHERE size <= token_bytes
      ON CONFLICT (id) DO UPDATE SET uploads = t.uploads + 1, bytes = t.bytes + size
        WHERE t.uploads < token_uploads AND t.bytes + size <= token_bytes;
    IF NOT FOUND THEN RETURN 'token'; END IF;
  END IF;
  INSERT INTO files (id, account_id, name, object, content_type, bytes, seconds, created_at, expires_at)
    VALUES (file_id, account, label, object_key, type, size, length, at, until);
  INSERT INTO objects (key, owner) VALUES (object_key, file_id);
  IF key IS NOT NULL THEN
    INSERT INTO keyed_calls AS c (account_id, idempotency_key, fingerprint, response, expires_at)
      VALUES (account, key, print, file_id, key_until)
      ON CONFLICT (account_id, idempotency_key) DO UPDATE SET response = file_id, expires_at = key_until;
  END IF;
  RETURN 'created';
END $$;

-- A submission that uses the file has locked it, so that what it binds is seen here. One row: the bucket keys that nothing names any more as a JSON
-- array, and whether an operation in progress keeps the file.
CREATE FUNCTION delete_file(account TEXT, file_id TEXT) RETURNS TABLE (objects_left TEXT, in_use BOOLEAN) LANGUAGE plpgsql AS $$
DECLARE
  keys TEXT[];
BEGIN
  objects_left := '[]';
  in_use := false;
  PERFORM 1 FROM files f WHERE f.id = file_id AND f.account_id = account FOR UPDATE;
  IF NOT FOUND THEN RETURN NEXT; RETURN; END IF;
  keys := ARRAY(SELECT n.key FROM objects n WHERE n.owner = file_id);
  in_use := EXISTS (SELECT 1 FROM bound_objects b WHERE b.object = ANY (keys));
  IF in_use THEN
    UPDATE files f SET expires_at = 0 WHERE f.id = file_id;
  ELSE
    DELETE FROM objects n WHERE n.owner = file_id;
    DELETE FROM files f WHERE f.id = file_id;
    SELECT coalesce(json_agg(k.key), '[]')::TEXT INTO objects_left FROM unnest(keys) AS k (key)
      WHERE NOT EXISTS (SELECT 1 FROM objects n WHERE n.key = k.key);
  END IF;
  RETURN NEXT;
END $$;

-- Forgets operations and files whose time is over, up to `limit_max`; what an operation in progress reads stays.
-- One row: the bucket keys that nothing names any more as a JSON array, and whether more is left.
CREATE FUNCTION expire(at BIGINT, limit_max INTEGER) RETURNS TABLE (objects_left TEXT, more BOOLEAN) LANGUAGE plpgsql AS $$
DECLARE
  due TEXT[];
  keys TEXT[];
BEGIN
  PERFORM pg_advisory_xact_lock(1953459831, 2);
  due := ARRAY(SELECT f.id FROM files f WHERE f.expires_at <= at AND NOT EXISTS (SELECT 1 FROM objects n
      JOIN bound_objects b ON b.object = n.key WHERE n.owner = f.id) ORDER BY f.expires_at LIMIT limit_max + 1);
  due := due || ARRAY(SELECT o.id FROM operations o WHERE o.expires_at <= at AND NOT EXISTS (SELECT 1 FROM objects n
      JOIN bound_objects b ON b.object = n.key WHERE n.owner = o.id) ORDER BY o.expires_at LIMIT limit_max + 1 - cardinality(due));
  more := cardinality(due) > limit_max;
  due := due[1:limit_max];
  -- A file that was used meanwhile has a later time by now, and stays.
  due := ARRAY(SELECT f.id FROM files f WHERE f.id = ANY (due) AND f.expires_at <= at FOR UPDATE)
    || ARRAY(SELECT o.id FROM operations o WHERE o.id = ANY (due) FOR UPDATE);
  keys := ARRAY(SELECT n.key FROM objects n WHERE n.owner = ANY (due));
  DELETE FROM objects n WHERE n.owner = ANY (due);
  DELETE FROM files f WHERE f.id = ANY (due);
  DELETE FROM webhooks w WHERE w.operation_id = ANY (due);
  DELETE FROM key_debits d WHERE d.operation_id = ANY (due);
  DELETE FROM operation_metadata m WHERE m.operation_id = ANY (due);
  DELETE FROM operations o WHERE o.id = ANY (due);
  DELETE FROM sessions s WHERE s.expires_at <= at;
  DELETE FROM sign_in_links l WHERE l.expires_at <= at;
  DELETE FROM upload_tokens t WHERE t.expires_at <= at;
  DELETE FROM keyed_calls c WHERE c.expires_at <= at;
  DELETE FROM webhooks w WHERE w.expires_at <= at;
  SELECT coalesce(json_agg(DISTINCT k.key), '[]')::TEXT INTO objects_left FROM unnest(keys) AS k (key)
    WHERE NOT EXISTS (SELECT 1 FROM objects n WHERE n.key = k.key)
      AND NOT EXISTS (SELECT 1 FROM bound_objects b WHERE b.object = k.key);
  RETURN NEXT;
END $$;

---------------------------------------------------------------- Webhooks

-- Sends a webhook again and binds the key, where the operation has one of this type and the key is free.
CREATE FUNCTION redeliver(operation TEXT, event_type TEXT, at BIGINT, account TEXT, key UUID, print TEXT, answer TEXT, until BIGINT)
  RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  IF EXISTS (SELECT 1 FROM operations o WHERE o.account_id = account AND o.idempotency_key = key)
    OR EXISTS (SELECT 1 FROM keyed_calls c WHERE c.account_id = account AND c.idempotency_key = key)
  THEN
    RETURN false;
  END IF;
  -- `attempts` goes on: it tells this schedule's attempts from an earlier one's that is still under way.
  UPDATE webhooks SET state = 'pending', next_attempt_at = at, due_at = at, first_attempt_at = NULL, worker = NULL
    WHERE operation_id = operation AND type = event_type;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO keyed_calls (account_id, idempotency_key, fingerprint, response, expires_at) VALUES (account, key, print, answer, until);
  RETURN true;
END $$;

-- Due rows, lane by lane (account and host), so that a host that hangs is passed over in one step however many rows wait for it. What one account
-- has under way at one host has a cap below the host's own: tenants who share a receiver's host do not wait for one another.
-- One claim at a time: the caps hold for all nodes together.
CREATE FUNCTION claim_webhooks(
  worker TEXT, limit_max INTEGER, lease_ms BIGINT, lane_max INTEGER, host_max INTEGER, account_max INTEGER
)
RETURNS SETOF webhooks LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  at BIGINT := now_ms();
  busy_lanes JSONB;
  busy_hosts JSONB;
  busy_accounts JSONB;
  lane RECORD;
  room INTEGER;
  claimed webhooks%ROWTYPE;
  total INTEGER := 0;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.state = 'pending' AND w.due_at + 0 <= at) THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(1953459831, 3);
  SELECT coalesce(jsonb_object_agg(l.lane, l.n), '{}') INTO busy_lanes
    FROM (SELECT w.account_id || ' ' || w.host AS lane, count(*) AS n FROM webhooks w
      WHERE w.worker IS NOT NULL AND w.due_at > at GROUP BY w.account_id, w.host) l;
  SELECT coalesce(jsonb_object_agg(l.host, l.n), '{}') INTO busy_hosts
    FROM (SELECT w.host, count(*) AS n FROM webhooks w WHERE w.worker IS NOT NULL AND w.due_at > at GROUP BY w.host) l;
  SELECT coalesce(jsonb_object_agg(l.account_id, l.n), '{}') INTO busy_accounts
    FROM (SELECT w.account_id, count(*) AS n FROM webhooks w WHERE w.worker IS NOT NULL AND w.due_at > at GROUP BY w.account_id) l;
  FOR lane IN
    WITH RECURSIVE lanes AS (
      (SELECT w.account_id, w.host, w.due_at FROM webhooks w WHERE w.state = 'pending' ORDER BY w.account_id, w.host, w.due_at LIMIT 1)
      UNION ALL
      SELECT n.* FROM lanes l CROSS JOIN LATERAL (
        SELECT w.account_id, w.host, w.due_at FROM webhooks w
        WHERE w.state = 'pending' AND (w.account_id, w.host) > (l.account_id, l.host)
        ORDER BY w.account_id, w.host, w.due_at LIMIT 1) n
    )
    SELECT l.account_id, l.host, l.account_id || ' ' || l.host AS name FROM lanes l WHERE l.due_at <= at ORDER BY l.due_at
  LOOP
    EXIT WHEN total >= limit_max;
    room := least(limit_max - total, lane_max - coalesce((busy_lanes ->> lane.name)::INTEGER, 0),
      host_max - coalesce((busy_hosts ->> lane.host)::INTEGER, 0),
      account_max - coalesce((busy_accounts ->> lane.account_id)::INTEGER, 0));
    CONTINUE WHEN room <= 0;
    FOR claimed IN
      UPDATE webhooks w SET attempts = w.attempts + 1, worker = $1, due_at = at + lease_ms,
          first_attempt_at = coalesce(w.first_attempt_at, at)
        -- An array, for a subquery behind IN may be run again for each row, and then LIMIT limits nothing.
        WHERE w.id = ANY (ARRAY(SELECT d.id FROM webhooks d WHERE d.account_id = lane.account_id AND d.host = lane.host AND d.state = 'pending'
          AND d.due_at <= at ORDER BY d.due_at, d.id LIMIT room FOR UPDATE SKIP LOCKED))
        RETURNING w.*
    LOOP
      total := total + 1;
      -- Each lane comes once, so its own count is read no more.
      busy_hosts := busy_hosts || jsonb_build_object(lane.host, coalesce((busy_hosts ->> lane.host)::INTEGER, 0) + 1);
      busy_accounts := busy_accounts
        || jsonb_build_object(lane.account_id, coalesce((busy_accounts ->> lane.account_id)::INTEGER, 0) + 1);
      RETURN NEXT claimed;
    END LOOP;
  END LOOP;
END $$;

-- Two at once would each find room: the account's row is locked first.
CREATE FUNCTION create_endpoint(
  endpoint TEXT, account TEXT, address TEXT, address_host TEXT, wanted TEXT, said TEXT, at BIGINT, off_at BIGINT, off_why TEXT,
  secret TEXT, secret_label TEXT, secret_sealed TEXT, most INTEGER
) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  IF EXISTS (SELECT 1 FROM webhook_endpoints e WHERE e.account_id = account AND md5(e.url) = md5(address)) THEN RETURN 'taken'; END IF;
  IF (SELECT count(*) FROM webhook_endpoints e WHERE e.account_id = account) >= most THEN RETURN 'full'; END IF;
  INSERT INTO webhook_endpoints (id, account_id, url, host, events, description, created_at, disabled_at, disabled_why)
    VALUES (endpoint, account, address, address_host, wanted, said, at, off_at, off_why);
  INSERT INTO signing_secrets (id, account_id, label, sealed, created_at, endpoint_id)
    VALUES (secret, account, secret_label, secret_sealed, at, endpoint);
  PERFORM pg_notify('tonwerk', 'account ' || account);
  RETURN 'created';
END $$;

-- `changes`: a JSON object of the columns that are to be others.
CREATE FUNCTION update_endpoint(account TEXT, endpoint TEXT, changes TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  was webhook_endpoints%ROWTYPE;
  becomes webhook_endpoints%ROWTYPE;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  SELECT e.* INTO was FROM webhook_endpoints e WHERE e.id = endpoint AND e.account_id = account FOR UPDATE;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  becomes := jsonb_populate_record(was, changes::JSONB);
  IF EXISTS (SELECT 1 FROM webhook_endpoints e WHERE e.account_id = account AND md5(e.url) = md5(becomes.url) AND e.id <> endpoint) THEN
    RETURN 'taken';
  END IF;
  IF was.disabled_at IS NOT NULL AND becomes.disabled_at IS NULL THEN
    becomes.failing_since := NULL;
    becomes.failures := 0;
    becomes.notice_at := NULL;
  END IF;
  UPDATE webhook_endpoints e SET url = becomes.url, host = becomes.host, events = becomes.events, description = becomes.description,
      disabled_at = becomes.disabled_at, disabled_why = becomes.disabled_why, failing_since = becomes.failing_since,
      failures = becomes.failures, notice_at = becomes.notice_at
    WHERE e.id = endpoint;
  PERFORM pg_notify('tonwerk', 'account ' || account);
  RETURN 'updated';
END $$;

-- Two secrets at most: what was replaced before the last one signs no more.
CREATE FUNCTION rotate_endpoint_secret(endpoint TEXT, secret TEXT, account TEXT, secret_label TEXT, secret_sealed TEXT, at BIGINT, until BIGINT)
  RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM webhook_endpoints e WHERE e.id = endpoint AND e.account_id = account FOR UPDATE;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  DELETE FROM signing_secrets s WHERE s.endpoint_id = endpoint AND s.retired_at IS NOT NULL;
  UPDATE signing_secrets s SET retired_at = until WHERE s.endpoint_id = endpoint;
  INSERT INTO signing_secrets (id, account_id, label, sealed, created_at, endpoint_id)
    VALUES (secret, account, secret_label, secret_sealed, at, endpoint);
  RETURN 'rotated';
END $$;

---------------------------------------------------------------- Accounts and people. Changes of one account's take turns: its row is locked first

-- Two at once would each see the other's secret as the one that is left: the account's row is locked first.
CREATE FUNCTION retire_secret(account TEXT, secret TEXT, at BIGINT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  live TEXT[];
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  live := ARRAY(SELECT s.id FROM signing_secrets s WHERE s.account_id = account AND s.endpoint_id IS NULL AND s.retired_at IS NULL);
  IF NOT secret = ANY (live) THEN RETURN 'unknown'; END IF;
  IF cardinality(live) = 1 THEN RETURN 'last'; END IF;
  UPDATE signing_secrets s SET retired_at = at WHERE s.id = secret;
  RETURN 'retired';
END $$;

CREATE FUNCTION is_last_owner(person users) RETURNS BOOLEAN LANGUAGE sql AS $$
  SELECT person.role = 'owner' AND person.disabled_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM users u WHERE u.account_id = person.account_id AND u.id <> person.id AND u.role = 'owner'
      AND u.disabled_at IS NULL)
$$;

CREATE FUNCTION end_access(person TEXT, keep TEXT) RETURNS VOID LANGUAGE sql AS $$
  DELETE FROM sessions s WHERE s.user_id = person AND s.sha256 <> keep;
  DELETE FROM sign_in_links l WHERE l.user_id = person;
$$;

-- `has_…`: that this one is to be changed.
CREATE FUNCTION update_user(
  account TEXT, person TEXT, has_role BOOLEAN, new_role TEXT, has_password BOOLEAN, new_password TEXT, has_disabled BOOLEAN,
  new_disabled_at BIGINT, keep TEXT
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  was users%ROWTYPE;
  becomes users%ROWTYPE;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  SELECT u.* INTO was FROM users u WHERE u.id = person AND u.account_id = account;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  becomes := was;
  IF has_role THEN becomes.role := new_role; END IF;
  IF has_password THEN becomes.password := new_password; END IF;
  IF has_disabled THEN becomes.disabled_at := new_disabled_at; END IF;
  IF NOT (becomes.role = 'owner' AND becomes.disabled_at IS NULL) AND is_last_owner(was) THEN
    RETURN 'last_owner';
  END IF;
  UPDATE users u SET role = becomes.role, password = becomes.password, disabled_at = becomes.disabled_at WHERE u.id = person;
  IF has_password OR (has_disabled AND new_disabled_at IS NOT NULL) THEN PERFORM end_access(person, keep); END IF;
  RETURN 'updated';
END $$;

CREATE FUNCTION remove_user(account TEXT, person TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  was users%ROWTYPE;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  SELECT u.* INTO was FROM users u WHERE u.id = person AND u.account_id = account;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  IF is_last_owner(was) THEN RETURN 'last_owner'; END IF;
  DELETE FROM users u WHERE u.id = person;
  RETURN 'removed';
END $$;

CREATE FUNCTION create_link(hash TEXT, account TEXT, person TEXT, at BIGINT, until BIGINT, most INTEGER) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  DELETE FROM sign_in_links l WHERE l.sha256 IN (SELECT o.sha256 FROM sign_in_links o WHERE o.account_id = account
    AND o.user_id IS NOT DISTINCT FROM person ORDER BY o.created_at DESC, o.sha256 OFFSET most - 1);
  INSERT INTO sign_in_links (sha256, account_id, user_id, created_at, expires_at) VALUES (hash, account, person, at, until);
END $$;

-- Makes somebody a user and opens the session. False: the address is another user's.
CREATE FUNCTION enter(
  account TEXT, person TEXT, address TEXT, new_role TEXT, new_password TEXT, at BIGINT, session_hash TEXT, session_at BIGINT,
  session_until BIGINT, session_seen BIGINT
) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO users (id, account_id, email, role, password, created_at) VALUES (person, account, address, new_role, new_password, at)
    ON CONFLICT (email) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO sessions (sha256, user_id, created_at, expires_at, seen_at)
    VALUES (session_hash, person, session_at, session_until, session_seen);
  RETURN true;
END $$;

CREATE FUNCTION redeem_link(
  hash TEXT, at BIGINT, entrant_id TEXT, entrant_email TEXT, entrant_password TEXT, session_hash TEXT, session_at BIGINT,
  session_until BIGINT, session_seen BIGINT
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  link sign_in_links%ROWTYPE;
BEGIN
  SELECT l.* INTO link FROM sign_in_links l WHERE l.sha256 = hash;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  PERFORM 1 FROM accounts a WHERE a.id = link.account_id FOR NO KEY UPDATE;
  SELECT l.* INTO link FROM sign_in_links l WHERE l.sha256 = hash FOR UPDATE;
  IF NOT FOUND OR link.expires_at <= at THEN RETURN 'unknown'; END IF;
  IF link.user_id IS NULL THEN
    IF NOT enter(link.account_id, entrant_id, entrant_email, 'owner', entrant_password, at, session_hash, session_at, session_until,
      session_seen)
    THEN
      RETURN 'taken';
    END IF;
    DELETE FROM sign_in_links l WHERE l.account_id = link.account_id AND l.user_id IS NULL;
    RETURN 'redeemed';
  END IF;
  UPDATE users u SET password = entrant_password WHERE u.id = link.user_id AND u.disabled_at IS NULL;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  PERFORM end_access(link.user_id, '');
  INSERT INTO sessions (sha256, user_id, created_at, expires_at, seen_at)
    VALUES (session_hash, link.user_id, session_at, session_until, session_seen);
  RETURN 'redeemed';
END $$;

CREATE FUNCTION invite(
  invitation TEXT, account TEXT, address TEXT, new_role TEXT, inviter TEXT, hash TEXT, at BIGINT, until BIGINT, open_max INTEGER
) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM invitations i WHERE i.account_id = account AND i.email <> address AND i.expires_at > at) >= open_max THEN
    RETURN 'full';
  END IF;
  INSERT INTO invitations (id, account_id, email, role, invited_by, sha256, created_at, sent_at, expires_at)
    VALUES (invitation, account, address, new_role, inviter, hash, at, at, until)
    ON CONFLICT (account_id, email) DO UPDATE SET role = new_role, invited_by = inviter, sha256 = hash, sent_at = at, expires_at = until;
  RETURN 'invited';
END $$;

CREATE FUNCTION redeem_invitation(
  hash TEXT, at BIGINT, entrant_id TEXT, entrant_password TEXT, session_hash TEXT, session_at BIGINT, session_until BIGINT,
  session_seen BIGINT
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  found_one invitations%ROWTYPE;
BEGIN
  SELECT i.* INTO found_one FROM invitations i WHERE i.sha256 = hash;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  PERFORM 1 FROM accounts a WHERE a.id = found_one.account_id FOR NO KEY UPDATE;
  SELECT i.* INTO found_one FROM invitations i WHERE i.sha256 = hash FOR UPDATE;
  IF NOT FOUND OR found_one.expires_at <= at THEN RETURN 'unknown'; END IF;
  IF NOT enter(found_one.account_id, entrant_id, found_one.email, found_one.role, entrant_password, at, session_hash, session_at,
    session_until, session_seen)
  THEN
    RETURN 'taken';
  END IF;
  DELETE FROM invitations i WHERE i.id = found_one.id;
  RETURN 'redeemed';
END $$;

-- `recorded`, `revoked` (recorded, and the key revoked with it), `known` or `unknown`.
CREATE FUNCTION report_leak(report TEXT, account TEXT, key TEXT, place_kind TEXT, place TEXT, at BIGINT, due BIGINT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  wants BOOLEAN;
BEGIN
  SELECT a.revoke_leaked INTO wants FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.id = key AND a.id = account;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  INSERT INTO leak_reports (id, account_id, key_id, source, url, url_sha256, created_at, revoked, mail_at)
    VALUES (report, account, key, place_kind, place, sha256(convert_to(place, 'UTF8')), at, false, due)
    ON CONFLICT (key_id, url_sha256) DO NOTHING;
  IF NOT FOUND THEN RETURN 'known'; END IF;
  IF NOT wants THEN RETURN 'recorded'; END IF;
  UPDATE api_keys k SET revoked_at = at WHERE k.id = key AND k.revoked_at IS NULL;
  IF NOT FOUND THEN RETURN 'recorded'; END IF;
  UPDATE leak_reports r SET revoked = true WHERE r.id = report;
  PERFORM pg_notify('tonwerk', 'account ' || account);
  RETURN 'revoked';
END $$;

---------------------------------------------------------------- Audit

-- `body`: auditText of the entry. The lock is the last that a verb takes, and held until its commit: entries stand in the order of commits.
CREATE FUNCTION write_audit(
  entry TEXT, entry_at BIGINT, account TEXT, who TEXT, email TEXT, from_address TEXT, what TEXT, on_what TEXT, more TEXT, keep BIGINT, body TEXT
) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  before audit%ROWTYPE;
  hash TEXT;
BEGIN
  PERFORM pg_advisory_xact_lock(1953459831, 25);
  SELECT a.* INTO before FROM audit a ORDER BY a.position DESC LIMIT 1;
  hash := encode(sha256(convert_to(coalesce(before.sha256, '') || E'\n' || body, 'UTF8')), 'hex');
  INSERT INTO audit (position, id, at, account_id, actor, actor_email, address, action, target, details, keep_until, previous, sha256)
    VALUES (coalesce(before.position, 0) + 1, entry, entry_at, account, who, email, from_address, what, on_what, more, keep,
      coalesce(before.sha256, ''), hash);
  RETURN coalesce(before.position, 0) + 1;
END $$;

-- The oldest in line whose time is over by `at` and by the server's clock; the newest entry stays, for the next one follows it.
CREATE FUNCTION expire_audit(until BIGINT) RETURNS VOID LANGUAGE sql AS $$
  DELETE FROM audit a WHERE a.position < coalesce(
    (SELECT k.position FROM audit k WHERE k.keep_until > least(until, floor(extract(epoch FROM clock_timestamp()) * 1000)) ORDER BY k.position LIMIT 1),
    (SELECT max(m.position) FROM audit m));
$$;
