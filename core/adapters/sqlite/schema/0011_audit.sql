-- Who did what. Names are the ones of core/ports/audit.ts. No references: what an entry tells of may be gone.

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
CREATE INDEX audit_account ON audit (account_id, position);

CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit WHEN old.keep_until > CAST(strftime('%s', 'now') AS INTEGER) * 1000
BEGIN SELECT raise(ABORT, 'the audit log is append-only until keep_until'); END;
-- Also against INSERT OR REPLACE, which deletes without telling the trigger above.
CREATE TRIGGER audit_in_line BEFORE INSERT ON audit
  WHEN new.position <> (SELECT coalesce(max(position), 0) + 1 FROM audit) OR EXISTS (SELECT 1 FROM audit WHERE id = new.id)
BEGIN SELECT raise(ABORT, 'the audit log is append-only: an entry comes last'); END;
