CREATE TABLE accounts (
  id      TEXT PRIMARY KEY,
  credits INTEGER NOT NULL CHECK (credits >= 0)
) STRICT;
CREATE TABLE api_keys (
  sha256     TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id)
) STRICT;
CREATE TABLE operations (
  id              TEXT PRIMARY KEY,
  account_id      TEXT NOT NULL REFERENCES accounts (id),
  status          TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  fingerprint     TEXT NOT NULL,
  cost            INTEGER NOT NULL,
  request         TEXT NOT NULL,
  response        TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  UNIQUE (account_id, idempotency_key)
) STRICT;
CREATE INDEX operations_list ON operations (account_id, id);
CREATE TABLE ledger (
  id           INTEGER PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  operation_id TEXT NOT NULL REFERENCES operations (id),
  credits      INTEGER NOT NULL,
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_account ON ledger (account_id, id);
CREATE TABLE jobs (
  operation_id TEXT PRIMARY KEY REFERENCES operations (id),
  state        TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_queued ON jobs (operation_id) WHERE state = 'queued';
