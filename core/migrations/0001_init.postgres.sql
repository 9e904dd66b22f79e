-- The whole truth of an installation on Postgres 14 or later. Times are milliseconds since 1970 UTC; names are the ones of core/ports.ts.
-- A migration whose first line is `--! breaking` cannot be worked on by the version before it. Functions end in a number: a later
-- version adds the next one and leaves the older to nodes that still call it.
-- The hot tables have no references: each would cost a look-up per row, and the functions below lock what a reference would check.

-- The store's now. Leases are counted by it, so that no node's own clock matters.
CREATE FUNCTION now_ms() RETURNS BIGINT LANGUAGE sql VOLATILE
  AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT $$;

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
  webhook_long_retries BOOLEAN NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE api_keys (
  id         TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  label      TEXT NOT NULL,
  sha256     TEXT COLLATE "C" NOT NULL UNIQUE CHECK (length(sha256) = 64),
  last_four  TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);
CREATE INDEX api_keys_account ON api_keys (account_id);

CREATE TABLE signing_secrets (
  id         TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  label      TEXT NOT NULL,
  sealed     TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  retired_at BIGINT
);
CREATE INDEX signing_secrets_account ON signing_secrets (account_id);

-- Written at submission and at the end, never in between: what changes while it is `processing` is in `jobs`.
CREATE TABLE operations (
  id              TEXT COLLATE "C" PRIMARY KEY,
  account_id      TEXT COLLATE "C" NOT NULL,
  action          TEXT COLLATE "C" NOT NULL,
  work            TEXT COLLATE "C" NOT NULL CHECK (work IN ('dsp', 'generation', 'gpu')),
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
  error           TEXT,
  CHECK ((status = 'processing') = (completed_at IS NULL)),
  CHECK ((status = 'processing') = (expires_at IS NULL))
);
CREATE UNIQUE INDEX operations_key ON operations (account_id, idempotency_key);
CREATE INDEX operations_list ON operations (account_id, id);
CREATE INDEX operations_list_action ON operations (account_id, action, id);
-- Nearly all are ended: an index on `status` itself would be written twice for each operation.
CREATE INDEX operations_list_processing ON operations (account_id, id) WHERE status = 'processing';
CREATE INDEX operations_list_ready ON operations (account_id, id) WHERE status = 'ready';
CREATE INDEX operations_list_failed ON operations (account_id, id) WHERE status = 'failed';
CREATE INDEX operations_expiry ON operations (expires_at) WHERE expires_at IS NOT NULL;

-- Objects of the bucket that an operation in progress reads; deleted with its end.
CREATE TABLE bound_objects (
  object       TEXT COLLATE "C" NOT NULL,
  operation_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (object, operation_id)
);
CREATE INDEX bound_objects_operation ON bound_objects (operation_id);

-- One row for each operation that is `processing`; deleted with its end.
CREATE TABLE jobs (
  operation_id TEXT COLLATE "C" PRIMARY KEY,
  account_id   TEXT COLLATE "C" NOT NULL,
  action       TEXT COLLATE "C" NOT NULL,
  work         TEXT COLLATE "C" NOT NULL,
  created_at   BIGINT NOT NULL,
  -- Place in the fair order, see `submit_1`. Kept when the job goes back to the queue.
  turn         BIGINT NOT NULL,
  -- `exhausted`: lost too often; nobody may claim it again, core ends it.
  state        TEXT COLLATE "C" NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'leased', 'exhausted')),
  worker       TEXT,
  -- Not in an index: a renewal then writes one row and no index at all.
  lease_until  BIGINT,
  attempt      INTEGER NOT NULL DEFAULT 0,
  losses       INTEGER NOT NULL DEFAULT 0,
  started_at   BIGINT,
  progress     DOUBLE PRECISION NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
  stage        TEXT,
  CHECK ((state = 'leased') = (lease_until IS NOT NULL)),
  CHECK ((state = 'leased') = (worker IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX jobs_queued ON jobs (work, turn, operation_id) WHERE state = 'queued';
CREATE INDEX jobs_held ON jobs (work, state, operation_id) WHERE state <> 'queued';
CREATE INDEX jobs_account ON jobs (account_id, work, turn);

-- The turn of the job that was claimed last, for each kind of work.
CREATE TABLE queue_turns (
  work TEXT COLLATE "C" PRIMARY KEY,
  turn BIGINT NOT NULL
) WITH (fillfactor = 10);
INSERT INTO queue_turns (work, turn) VALUES ('dsp', 0), ('generation', 0), ('gpu', 0);

-- The turn that the account's last job was given.
CREATE TABLE account_turns (
  account_id TEXT COLLATE "C" NOT NULL,
  work       TEXT COLLATE "C" NOT NULL,
  turn       BIGINT NOT NULL,
  PRIMARY KEY (account_id, work)
) WITH (fillfactor = 50);

-- Lines outlive the operations that they name. Ids rise within an account: they are drawn while its row is locked.
CREATE TABLE ledger (
  id           BIGINT GENERATED ALWAYS AS IDENTITY,
  account_id   TEXT COLLATE "C" NOT NULL,
  operation_id TEXT COLLATE "C",
  kind         TEXT COLLATE "C" NOT NULL CHECK (kind IN ('grant', 'debit', 'refund')),
  credits      BIGINT NOT NULL CHECK (credits <> 0),
  note         TEXT NOT NULL,
  created_at   BIGINT NOT NULL,
  PRIMARY KEY (account_id, id),
  CHECK ((kind = 'debit') = (credits < 0)),
  CHECK ((kind = 'grant') = (operation_id IS NULL))
);
CREATE UNIQUE INDEX ledger_operation ON ledger (operation_id, kind) WHERE operation_id IS NOT NULL;
CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$;
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger EXECUTE FUNCTION ledger_refuse();

CREATE TABLE files (
  id           TEXT COLLATE "C" PRIMARY KEY,
  account_id   TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  object       TEXT COLLATE "C" NOT NULL,
  content_type TEXT NOT NULL,
  bytes        BIGINT NOT NULL CHECK (bytes >= 0),
  seconds      DOUBLE PRECISION NOT NULL CHECK (seconds >= 0),
  created_at   BIGINT NOT NULL,
  expires_at   BIGINT NOT NULL
);
CREATE INDEX files_expiry ON files (expires_at);

-- Which operation (as an output) or file names a key of the bucket.
CREATE TABLE objects (
  key   TEXT COLLATE "C" NOT NULL,
  owner TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (key, owner)
);
CREATE INDEX objects_owner ON objects (owner);

CREATE TABLE webhooks (
  id               TEXT COLLATE "C" PRIMARY KEY,
  operation_id     TEXT COLLATE "C" NOT NULL UNIQUE,
  account_id       TEXT COLLATE "C" NOT NULL,
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
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK ((state = 'pending') = (due_at IS NOT NULL))
);
CREATE INDEX webhooks_due ON webhooks (due_at) WHERE state = 'pending';
CREATE INDEX webhooks_lane ON webhooks (account_id, host, due_at, id) WHERE state = 'pending';
CREATE INDEX webhooks_leased ON webhooks (due_at, account_id, host) WHERE worker IS NOT NULL;

CREATE TABLE webhook_attempts (
  webhook_id  TEXT COLLATE "C" NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  attempt     INTEGER NOT NULL,
  started_at  BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  status      INTEGER,
  detail      TEXT NOT NULL,
  PRIMARY KEY (webhook_id, attempt)
);

-- What `health` writes, to prove that a commit is possible.
CREATE TABLE pulse (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at BIGINT NOT NULL
) WITH (fillfactor = 10);
INSERT INTO pulse (id, at) VALUES (1, 0);

-- Judges many submissions in one transaction; arrays run side by side, one entry for each submission. Rows come back for those that were
-- not accepted. Accounts are locked in the order of their ids, so that two calls never wait for each other in a circle; within an account
-- submissions are judged in the order given. `files` and `objects` name their submission by its place, from 1.
CREATE FUNCTION submit_1(
  ids TEXT[], account_ids TEXT[], actions TEXT[], works TEXT[], keys UUID[], fingerprints TEXT[], costs BIGINT[], requests TEXT[],
  source_lists TEXT[], responses TEXT[], callback_urls TEXT[], times BIGINT[],
  file_places INTEGER[], file_ids TEXT[], file_untils BIGINT[], object_places INTEGER[], objects_bound TEXT[]
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
    -- `expire_1` waits, so that nothing is forgotten that is being bound.
    PERFORM pg_advisory_xact_lock_shared(1953459831, 2);
  END IF;
  FOR item IN
    SELECT i.n::INTEGER AS n, i.account_id, i.fingerprint, i.cost, a.credits, o.id AS first_id, o.fingerprint AS first_fingerprint,
      o.response, (min(i.n) OVER (PARTITION BY i.account_id, i.key))::INTEGER AS first_n
    FROM unnest(account_ids, keys, fingerprints, costs) WITH ORDINALITY AS i (account_id, key, fingerprint, cost, n)
    LEFT JOIN accounts a ON a.id = i.account_id
    LEFT JOIN operations o ON o.account_id = i.account_id AND o.idempotency_key = i.key
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
  END IF;
  -- Start-time fair queueing (Goyal, Vin, Cheng 1996): a job's round is the later of the queue's own and one after its account's last. A turn
  -- is 64 of a round's places, taken by cost: within a round short work comes first.
  WITH queued AS (
    INSERT INTO jobs (operation_id, account_id, action, work, created_at, turn)
      SELECT i.id, i.account_id, i.action, i.work, i.created_at,
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
      WHERE f.id = u.id AND f.expires_at < u.until;
  END IF;
  IF cardinality(objects_bound) > 0 THEN
    INSERT INTO bound_objects (object, operation_id)
      SELECT DISTINCT i.object, ids[i.n] FROM unnest(objects_bound, object_places) AS i (object, n) WHERE taken[i.n];
  END IF;
END $$;

-- The one end of an operation; false: it had ended, or another attempt holds it. Tells every node in the same transaction.
CREATE FUNCTION terminate_1(
  id TEXT, attempt INTEGER, status TEXT, outputs TEXT, error TEXT, refund BOOLEAN, completed_at BIGINT, expires_at BIGINT, object_keys TEXT[],
  webhook_id TEXT, webhook_type TEXT, webhook_url TEXT, webhook_host TEXT, webhook_body TEXT
) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  job jobs%ROWTYPE;
  price BIGINT;
BEGIN
  DELETE FROM jobs j WHERE j.operation_id = $1 AND j.attempt = $2 RETURNING j.* INTO job;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE operations o SET status = $3, outputs = $4, error = $5, completed_at = $7, expires_at = $8, attempt = job.attempt,
      started_at = job.started_at, progress = CASE WHEN $3 = 'ready' THEN 1 ELSE job.progress END
    WHERE o.id = $1 RETURNING o.cost INTO price;
  IF refund AND price > 0 THEN
    UPDATE accounts a SET credits = a.credits + price WHERE a.id = job.account_id;
    INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
      VALUES (job.account_id, $1, 'refund', price, $3, $7);
  END IF;
  IF job.attempt = 0 THEN
    -- Its account's later jobs do not wait for the turn that it never took.
    UPDATE account_turns t SET turn = least(t.turn, greatest(
        (SELECT q.turn FROM queue_turns q WHERE q.work = job.work),
        coalesce((SELECT max(j.turn) FROM jobs j WHERE j.account_id = job.account_id AND j.work = job.work), 0)))
      WHERE t.account_id = job.account_id AND t.work = job.work;
  END IF;
  DELETE FROM bound_objects b WHERE b.operation_id = $1;
  INSERT INTO objects (key, owner) SELECT k.key, $1 FROM unnest($9) AS k (key);
  IF $10 IS NOT NULL THEN
    INSERT INTO webhooks (id, operation_id, account_id, type, url, host, body, state, created_at, next_attempt_at, due_at)
      VALUES ($10, $1, job.account_id, $11, $12, $13, $14, 'pending', $7, $7, $7);
  END IF;
  PERFORM pg_notify('tonwerk', 'ended ' || $1);
  RETURN true;
END $$;

-- Due rows, lane by lane (account and host), so that a host that hangs is passed over in one step however many rows wait for it.
-- One claim at a time: the caps hold for all nodes together.
CREATE FUNCTION claim_webhooks_1(worker TEXT, limit_max INTEGER, lease_ms BIGINT, host_max INTEGER, account_max INTEGER)
RETURNS SETOF webhooks LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  at BIGINT := now_ms();
  busy_hosts JSONB;
  busy_accounts JSONB;
  lane RECORD;
  room INTEGER;
  claimed webhooks%ROWTYPE;
  total INTEGER := 0;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.state = 'pending' AND w.due_at <= at) THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(1953459831, 3);
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
    SELECT l.account_id, l.host FROM lanes l WHERE l.due_at <= at ORDER BY l.due_at
  LOOP
    EXIT WHEN total >= limit_max;
    room := least(limit_max - total, host_max - coalesce((busy_hosts ->> lane.host)::INTEGER, 0),
      account_max - coalesce((busy_accounts ->> lane.account_id)::INTEGER, 0));
    CONTINUE WHEN room <= 0;
    FOR claimed IN
      UPDATE webhooks w SET attempts = w.attempts + 1, worker = $1, due_at = at + lease_ms,
          first_attempt_at = coalesce(w.first_attempt_at, at)
        WHERE w.id IN (SELECT d.id FROM webhooks d WHERE d.account_id = lane.account_id AND d.host = lane.host AND d.state = 'pending'
          AND d.due_at <= at ORDER BY d.due_at, d.id LIMIT room FOR UPDATE SKIP LOCKED)
        RETURNING w.*
    LOOP
      total := total + 1;
      busy_hosts := busy_hosts || jsonb_build_object(lane.host, coalesce((busy_hosts ->> lane.host)::INTEGER, 0) + 1);
      busy_accounts := busy_accounts
        || jsonb_build_object(lane.account_id, coalesce((busy_accounts ->> lane.account_id)::INTEGER, 0) + 1);
      RETURN NEXT claimed;
    END LOOP;
  END LOOP;
END $$;

-- Forgets operations and files whose time is over, up to `limit_max`; what an operation in progress reads stays.
-- One row: the bucket keys that nothing names any more as a JSON array, and whether more is left.
CREATE FUNCTION expire_1(at BIGINT, limit_max INTEGER) RETURNS TABLE (objects_left TEXT, more BOOLEAN) LANGUAGE plpgsql AS $$
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
  DELETE FROM operations o WHERE o.id = ANY (due);
  SELECT coalesce(json_agg(DISTINCT k.key), '[]')::TEXT INTO objects_left FROM unnest(keys) AS k (key)
    WHERE NOT EXISTS (SELECT 1 FROM objects n WHERE n.key = k.key)
      AND NOT EXISTS (SELECT 1 FROM bound_objects b WHERE b.object = k.key);
  RETURN NEXT;
END $$;

-- Two at once would each see the other's secret as the one that is left: the account's row is locked first.
CREATE FUNCTION retire_secret_1(account TEXT, secret TEXT, at BIGINT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  live TEXT[];
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  live := ARRAY(SELECT s.id FROM signing_secrets s WHERE s.account_id = account AND s.retired_at IS NULL);
  IF NOT secret = ANY (live) THEN RETURN 'unknown'; END IF;
  IF cardinality(live) = 1 THEN RETURN 'last'; END IF;
  UPDATE signing_secrets s SET retired_at = at WHERE s.id = secret;
  RETURN 'retired';
END $$;
