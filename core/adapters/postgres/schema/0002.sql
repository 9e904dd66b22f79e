-- Usage by action and key, operators, what attempts of webhooks sent and received. Nodes of the version before go on beside it: they insert
-- into the same tables, and triggers count.

-- What operations cost by day, action and key: each day adds up to its row of `usage_days`.
CREATE TABLE usage_parts (
  account_id TEXT COLLATE "C" NOT NULL,
  -- Its first millisecond, UTC.
  day        BIGINT NOT NULL,
  action     TEXT COLLATE "C" NOT NULL,
  -- `''`: no key, or one that was not counted yet.
  key_id     TEXT COLLATE "C" NOT NULL,
  operations BIGINT NOT NULL DEFAULT 0,
  debited    BIGINT NOT NULL DEFAULT 0,
  refunded   BIGINT NOT NULL DEFAULT 0,
  rebated    BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day, action, key_id)
) WITH (fillfactor = 50);

-- The key that core writes first into the request, where one asked. Not read as JSON: requests are long, and hot.
CREATE FUNCTION key_of(request TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN starts_with(request, '{"key":"') THEN split_part(left(request, 80), '"', 4) ELSE '' END
$$;

CREATE FUNCTION usage_parts_submitted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_parts AS u (account_id, day, action, key_id, operations, debited)
    SELECT o.account_id, o.created_at - o.created_at % 86400000, o.action, key_of(o.request), count(*), sum(o.cost)
    FROM added o GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (account_id, day, action, key_id) DO UPDATE SET operations = u.operations + excluded.operations,
      debited = u.debited + excluded.debited;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_parts_submitted AFTER INSERT ON operations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION usage_parts_submitted();

CREATE FUNCTION usage_parts_came_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM lines l WHERE l.kind IN ('refund', 'rebate')) THEN RETURN NULL; END IF;
  -- LIMIT, for without it Postgres may read the whole table at once for all of them.
  INSERT INTO usage_parts AS u (account_id, day, action, key_id, refunded, rebated)
    SELECT l.account_id, l.created_at - l.created_at % 86400000, o.action, o.key_id,
      coalesce(sum(l.credits) FILTER (WHERE l.kind = 'refund'), 0), coalesce(sum(l.credits) FILTER (WHERE l.kind = 'rebate'), 0)
    FROM lines l CROSS JOIN LATERAL (SELECT o.action, key_of(o.request) AS key_id FROM operations o WHERE o.id = l.operation_id LIMIT 1) o
    WHERE l.kind IN ('refund', 'rebate') GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (account_id, day, action, key_id) DO UPDATE SET refunded = u.refunded + excluded.refunded,
      rebated = u.rebated + excluded.rebated;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_parts_came_back AFTER INSERT ON ledger REFERENCING NEW TABLE AS lines
  FOR EACH STATEMENT EXECUTE FUNCTION usage_parts_came_back();

-- The triggers have locked both tables against writers. A debit's note is its action; that of what came back is found beside its debit.
INSERT INTO usage_parts (account_id, day, action, key_id, operations, debited, refunded, rebated)
  SELECT l.account_id, l.created_at - l.created_at % 86400000, coalesce(d.note, ''), '',
    count(*) FILTER (WHERE l.kind = 'debit'), -sum(least(l.credits, 0)), coalesce(sum(l.credits) FILTER (WHERE l.kind = 'refund'), 0),
    coalesce(sum(l.credits) FILTER (WHERE l.kind = 'rebate'), 0)
  FROM ledger l LEFT JOIN ledger d ON d.operation_id = l.operation_id AND d.kind = 'debit'
  WHERE l.kind <> 'grant' GROUP BY 1, 2, 3;

-- Users who may see the operator's pages and grant credits there.
CREATE TABLE operators (
  user_id TEXT COLLATE "C" PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  since   BIGINT NOT NULL
);

-- JSON of an `Exchange`; null: nothing was sent, or the attempt is from before this column.
ALTER TABLE webhook_attempts ADD COLUMN exchange TEXT;

CREATE INDEX webhook_endpoints_failing ON webhook_endpoints (failing_since) WHERE failing_since IS NOT NULL;
CREATE INDEX audit_action ON audit (action, position);
