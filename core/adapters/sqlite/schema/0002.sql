-- What operations cost by day, action and key: each day adds up to its row of `usage_days`. The day comes first, so that the rows which
-- submissions of all accounts write lie together.
CREATE TABLE usage_parts (
  -- Its first millisecond, UTC.
  day        INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  action     TEXT NOT NULL,
  -- `''`: no key, or one that was not counted yet.
  key_id     TEXT NOT NULL,
  operations INTEGER NOT NULL DEFAULT 0,
  debited    INTEGER NOT NULL DEFAULT 0,
  refunded   INTEGER NOT NULL DEFAULT 0,
  rebated    INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, account_id, action, key_id)
) STRICT, WITHOUT ROWID;

-- A debit's note is its action; that of what came back is found beside its debit.
INSERT INTO usage_parts (day, account_id, action, key_id, operations, debited, refunded, rebated)
  SELECT l.created_at - l.created_at % 86400000, l.account_id, coalesce(d.note, ''), '',
    sum(l.kind = 'debit'), -sum(min(l.credits, 0)), sum(iif(l.kind = 'refund', l.credits, 0)), sum(iif(l.kind = 'rebate', l.credits, 0))
  FROM ledger l LEFT JOIN ledger d ON d.operation_id = l.operation_id AND d.kind = 'debit'
  WHERE l.kind <> 'grant' GROUP BY 1, 2, 3;

-- Users who may see the operator's pages and grant credits there.
CREATE TABLE operators (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  since   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- JSON of an `Exchange`; null: nothing was sent, or the attempt is from before this column.
ALTER TABLE webhook_attempts ADD COLUMN exchange TEXT;

CREATE INDEX webhook_endpoints_failing ON webhook_endpoints (failing_since) WHERE failing_since IS NOT NULL;
CREATE INDEX audit_action ON audit (action, position);
