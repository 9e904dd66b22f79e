-- Limits of what costs no credits: processor time of work without a charge, and uploads. The version before works on the result.

-- Null: the installation's default.
ALTER TABLE accounts ADD COLUMN free_seconds INTEGER CHECK (free_seconds >= 0);
ALTER TABLE accounts ADD COLUMN uploads_open INTEGER CHECK (uploads_open >= 0);
ALTER TABLE accounts ADD COLUMN upload_bytes INTEGER CHECK (upload_bytes >= 0);
-- The last day (its first millisecond, UTC) that had such work, and how much.
ALTER TABLE accounts ADD COLUMN free_day INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN free_ms INTEGER NOT NULL DEFAULT 0;

-- The sum of an account's uploads: asked for with each of them.
CREATE TABLE kept_uploads (
  account_id TEXT PRIMARY KEY,
  bytes      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO kept_uploads (account_id, bytes) SELECT account_id, sum(bytes) FROM files GROUP BY account_id;
CREATE TRIGGER kept_uploads_insert AFTER INSERT ON files
BEGIN
  INSERT INTO kept_uploads (account_id, bytes) VALUES (new.account_id, new.bytes)
    ON CONFLICT (account_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER kept_uploads_delete AFTER DELETE ON files
BEGIN
  UPDATE kept_uploads SET bytes = bytes - old.bytes WHERE account_id = old.account_id;
END;
-- Which upload of an account expires next.
CREATE INDEX files_account ON files (account_id, expires_at);
