-- An invitation is no user: it blocks nobody's address. Names are the ones of core/ports.ts.

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
CREATE INDEX invitations_expiry ON invitations (expires_at);
