CREATE TABLE accounts (
  id      TEXT PRIMARY KEY,
  credits BIGINT NOT NULL CHECK (credits >= 0)
);
CREATE TABLE api_keys (
  sha256     TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id)
);
CREATE TABLE operations (
  id              TEXT PRIMARY KEY,
  account_id      TEXT NOT NULL REFERENCES accounts (id),
  status          TEXT NOT NULL,
  idempotency_key UUID NOT NULL,
  fingerprint     TEXT NOT NULL,
  cost            BIGINT NOT NULL,
  request         TEXT NOT NULL,
  response        TEXT NOT NULL,
  created_at      BIGINT NOT NULL,
  UNIQUE (account_id, idempotency_key)
);
CREATE INDEX operations_list ON operations (account_id, id);
CREATE TABLE ledger (
  id           BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES accounts (id),
  operation_id TEXT NOT NULL REFERENCES operations (id),
  credits      BIGINT NOT NULL,
  created_at   BIGINT NOT NULL
);
CREATE INDEX ledger_account ON ledger (account_id, id);
