-- Who did what. Names are the ones of core/ports/audit.ts. No references: what an entry tells of may be gone.

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
CREATE INDEX audit_account ON audit (account_id, position);

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

-- `body`: auditText of the entry. The lock is the last that a verb takes, and held until its commit: entries stand in the order of commits.
CREATE FUNCTION audit_1(
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
CREATE FUNCTION expire_audit_1(until BIGINT) RETURNS VOID LANGUAGE sql AS $$
  DELETE FROM audit a WHERE a.position < coalesce(
    (SELECT k.position FROM audit k WHERE k.keep_until > least(until, floor(extract(epoch FROM clock_timestamp()) * 1000)) ORDER BY k.position LIMIT 1),
    (SELECT max(m.position) FROM audit m));
$$;
