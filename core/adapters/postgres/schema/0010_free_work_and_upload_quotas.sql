-- Limits of what costs no credits: processor time of work without a charge, and uploads. The version before works on the result.

-- Null: the installation's default.
ALTER TABLE accounts ADD COLUMN free_seconds BIGINT CHECK (free_seconds >= 0);
ALTER TABLE accounts ADD COLUMN uploads_open BIGINT CHECK (uploads_open >= 0);
ALTER TABLE accounts ADD COLUMN upload_bytes BIGINT CHECK (upload_bytes >= 0);
-- The last day (its first millisecond, UTC) that had such work, and how much.
ALTER TABLE accounts ADD COLUMN free_day BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN free_ms BIGINT NOT NULL DEFAULT 0;

-- The sum of an account's uploads: asked for with each of them. A table of its own, for the account's row is locked by submissions,
-- which then wait for files, and forgetting files comes here with the files locked.
CREATE TABLE kept_uploads (
  account_id TEXT COLLATE "C" PRIMARY KEY,
  bytes      BIGINT NOT NULL
) WITH (fillfactor = 50);
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
-- After the triggers, which lock the table: what another node stores meanwhile is counted once.
INSERT INTO kept_uploads (account_id, bytes) SELECT account_id, sum(bytes) FROM files GROUP BY account_id;
-- Which upload of an account expires next.
CREATE INDEX files_account ON files (account_id, expires_at);

-- Uploads of one account are judged one after the other, so that two at once cannot both take the last room.
CREATE FUNCTION create_file_1(
  file_id TEXT, account TEXT, object_key TEXT, type TEXT, size BIGINT, length DOUBLE PRECISION, at BIGINT, until BIGINT, most BIGINT
) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  IF most IS NOT NULL THEN
    INSERT INTO kept_uploads (account_id, bytes) VALUES (account, 0) ON CONFLICT DO NOTHING;
    PERFORM 1 FROM kept_uploads k WHERE k.account_id = account AND k.bytes + size <= most FOR UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
  END IF;
  INSERT INTO files (id, account_id, object, content_type, bytes, seconds, created_at, expires_at)
    VALUES (file_id, account, object_key, type, size, length, at, until);
  INSERT INTO objects (key, owner) VALUES (object_key, file_id);
  RETURN true;
END $$;
