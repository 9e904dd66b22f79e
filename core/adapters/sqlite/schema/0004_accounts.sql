-- People who sign in, leaked keys, usage by day, and lists for the dashboard. Times are milliseconds since 1970 UTC; names are the ones of
-- core/ports.ts. The version before works on the result: columns have defaults, and what it does not know it does not touch.

ALTER TABLE accounts ADD COLUMN jobs_max INTEGER NOT NULL DEFAULT 0 CHECK (jobs_max >= 0);
ALTER TABLE accounts ADD COLUMN revoke_leaked INTEGER NOT NULL DEFAULT 0 CHECK (revoke_leaked IN (0, 1));
-- Claims ask whether there is any.
CREATE INDEX accounts_capped ON accounts (id, jobs_max) WHERE jobs_max > 0;

ALTER TABLE api_keys ADD COLUMN used_at INTEGER;

-- With the account, so that jobs of an account at its `jobs_max` are passed over within the index.
DROP INDEX jobs_queued;
CREATE INDEX jobs_queued ON jobs (work, turn, operation_id, account_id) WHERE state = 'queued';

CREATE TABLE users (
  id          TEXT PRIMARY KEY,
  account_id  TEXT NOT NULL REFERENCES accounts (id),
  email       TEXT NOT NULL UNIQUE,
  role        TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  -- Null: invited, no password yet.
  password    TEXT,
  created_at  INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT;
CREATE INDEX users_account ON users (account_id, id);

CREATE TABLE sessions (
  sha256     TEXT PRIMARY KEY CHECK (length(sha256) = 64),
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE sign_in_links (
  sha256     TEXT PRIMARY KEY CHECK (length(sha256) = 64),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  user_id    TEXT REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);
CREATE INDEX sign_in_links_account ON sign_in_links (account_id) WHERE user_id IS NULL;
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);

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
CREATE INDEX leak_reports_account ON leak_reports (account_id, id);
CREATE INDEX leak_reports_mail ON leak_reports (mail_at) WHERE mail_at IS NOT NULL;

-- What the ledger says of each day, kept by a trigger, whoever writes the line: a year of usage costs 365 rows, not every line.
CREATE TABLE usage_days (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- Its first millisecond.
  day        INTEGER NOT NULL,
  debited    INTEGER NOT NULL DEFAULT 0,
  refunded   INTEGER NOT NULL DEFAULT 0,
  granted    INTEGER NOT NULL DEFAULT 0,
  operations INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
INSERT INTO usage_days (account_id, day, debited, refunded, granted, operations)
  SELECT account_id, created_at - created_at % 86400000, -sum(min(credits, 0)), sum(iif(kind = 'refund', credits, 0)),
    sum(iif(kind = 'grant', credits, 0)), sum(kind = 'debit')
  FROM ledger GROUP BY account_id, created_at - created_at % 86400000;
CREATE TRIGGER usage_days_insert AFTER INSERT ON ledger
BEGIN
  INSERT INTO usage_days (account_id, day, debited, refunded, granted, operations)
    VALUES (new.account_id, new.created_at - new.created_at % 86400000, -min(new.credits, 0),
      iif(new.kind = 'refund', new.credits, 0), iif(new.kind = 'grant', new.credits, 0), new.kind = 'debit')
    ON CONFLICT (account_id, day) DO UPDATE SET debited = debited + excluded.debited, refunded = refunded + excluded.refunded,
      granted = granted + excluded.granted, operations = operations + excluded.operations;
END;

-- Deliveries of an account, newest first.
CREATE INDEX webhooks_list ON webhooks (account_id, id);
CREATE INDEX webhooks_list_state ON webhooks (account_id, state, id);
