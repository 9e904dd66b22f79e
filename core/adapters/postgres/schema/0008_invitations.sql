-- An invitation is no user: it blocks nobody's address. Names are the ones of core/ports.ts.

CREATE TABLE invitations (
  id         TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
  email      TEXT COLLATE "C" NOT NULL,
  role       TEXT COLLATE "C" NOT NULL CHECK (role IN ('owner', 'member')),
  invited_by TEXT COLLATE "C" NOT NULL,
  sha256     TEXT COLLATE "C" NOT NULL UNIQUE CHECK (length(sha256) = 64),
  created_at BIGINT NOT NULL,
  sent_at    BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  UNIQUE (account_id, email)
);
CREATE INDEX invitations_expiry ON invitations (expires_at);

-- Changes of one account's people take turns: the account's row is locked first.
CREATE FUNCTION invite_1(
  invitation TEXT, account TEXT, address TEXT, new_role TEXT, inviter TEXT, hash TEXT, at BIGINT, until BIGINT, open_max INTEGER
) RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = account FOR NO KEY UPDATE;
  IF (SELECT count(*) FROM invitations i WHERE i.account_id = account AND i.email <> address AND i.expires_at > at) >= open_max THEN
    RETURN 'full';
  END IF;
  INSERT INTO invitations (id, account_id, email, role, invited_by, sha256, created_at, sent_at, expires_at)
    VALUES (invitation, account, address, new_role, inviter, hash, at, at, until)
    ON CONFLICT (account_id, email) DO UPDATE SET role = new_role, invited_by = inviter, sha256 = hash, sent_at = at, expires_at = until;
  RETURN 'invited';
END $$;

-- A user without a password is an invitation of the version before.
CREATE FUNCTION redeem_invitation_1(
  hash TEXT, at BIGINT, entrant_id TEXT, entrant_password TEXT, session_hash TEXT, session_at BIGINT, session_until BIGINT,
  session_seen BIGINT
) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
  found_one invitations%ROWTYPE;
BEGIN
  SELECT i.* INTO found_one FROM invitations i WHERE i.sha256 = hash;
  IF NOT FOUND THEN RETURN 'unknown'; END IF;
  PERFORM 1 FROM accounts a WHERE a.id = found_one.account_id FOR NO KEY UPDATE;
  SELECT i.* INTO found_one FROM invitations i WHERE i.sha256 = hash FOR UPDATE;
  IF NOT FOUND OR found_one.expires_at <= at THEN RETURN 'unknown'; END IF;
  DELETE FROM users u WHERE u.email = found_one.email AND u.password IS NULL;
  INSERT INTO users (id, account_id, email, role, password, created_at)
    VALUES (entrant_id, found_one.account_id, found_one.email, found_one.role, entrant_password, at) ON CONFLICT (email) DO NOTHING;
  IF NOT FOUND THEN RETURN 'taken'; END IF;
  DELETE FROM invitations i WHERE i.id = found_one.id;
  INSERT INTO sessions (sha256, user_id, created_at, expires_at, seen_at)
    VALUES (session_hash, entrant_id, session_at, session_until, session_seen);
  RETURN 'redeemed';
END $$;

CREATE OR REPLACE FUNCTION redeem_link_2(
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
    DELETE FROM users u WHERE u.email = entrant_email AND u.password IS NULL;
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
