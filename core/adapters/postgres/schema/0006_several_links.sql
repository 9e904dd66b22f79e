-- Several links of one user work at a time, and using one ends the others. The functions of the version before stay for its nodes.

CREATE FUNCTION create_link_2(hash TEXT, account TEXT, person TEXT, at BIGINT, until BIGINT, most INTEGER) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  DELETE FROM sign_in_links l WHERE l.sha256 IN (SELECT o.sha256 FROM sign_in_links o WHERE o.account_id = account
    AND o.user_id IS NOT DISTINCT FROM person ORDER BY o.created_at DESC, o.sha256 OFFSET most - 1);
  INSERT INTO sign_in_links (sha256, account_id, user_id, created_at, expires_at) VALUES (hash, account, person, at, until);
END $$;

CREATE FUNCTION redeem_link_2(
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
    INSERT INTO users (id, account_id, email, role, password, created_at)
      VALUES (entrant_id, link.account_id, entrant_email, 'owner', entrant_password, at) ON CONFLICT (email) DO NOTHING;
    IF NOT FOUND THEN RETURN 'taken'; END IF;
    DELETE FROM sign_in_links l WHERE l.account_id = link.account_id AND l.user_id IS NULL;
  ELSE
    UPDATE users u SET password = entrant_password WHERE u.id = link.user_id AND u.disabled_at IS NULL;
    IF NOT FOUND THEN RETURN 'unknown'; END IF;
    PERFORM end_access_1(link.user_id, '');
  END IF;
  INSERT INTO sessions (sha256, user_id, created_at, expires_at, seen_at)
    VALUES (session_hash, coalesce(link.user_id, entrant_id), session_at, session_until, session_seen);
  RETURN 'redeemed';
END $$;
