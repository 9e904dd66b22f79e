-- What each row of a submission paid for beyond itself. The version before works on the result.

-- 1: whoever wrote the line has counted it in `usage_days` as well, once for all lines of a transaction; the trigger counts the others.
ALTER TABLE ledger ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER usage_days_insert;
CREATE TRIGGER usage_days_insert AFTER INSERT ON ledger WHEN new.counted = 0
BEGIN
  INSERT INTO usage_days (account_id, day, debited, refunded, granted, operations)
    VALUES (new.account_id, new.created_at - new.created_at % 86400000, -min(new.credits, 0),
      iif(new.kind = 'refund', new.credits, 0), iif(new.kind = 'grant', new.credits, 0), new.kind = 'debit')
    ON CONFLICT (account_id, day) DO UPDATE SET debited = debited + excluded.debited, refunded = refunded + excluded.refunded,
      granted = granted + excluded.granted, operations = operations + excluded.operations;
END;

-- SQLite judges IN with three texts or more by filling a table of its own each time, which takes longer than the row; OR says the same. It
-- changes no CHECK in place but by its schema table: https://www.sqlite.org/lang_altertable.html#otheralter
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql,
    'work IN (''dsp'', ''generation'', ''gpu'')', 'work = ''dsp'' OR work = ''generation'' OR work = ''gpu'''),
    'status IN (''processing'', ''ready'', ''failed'')', 'status = ''processing'' OR status = ''ready'' OR status = ''failed''')
  WHERE type = 'table' AND name = 'operations';
UPDATE sqlite_schema SET sql = replace(sql,
    'state IN (''queued'', ''leased'', ''exhausted'')', 'state = ''queued'' OR state = ''leased'' OR state = ''exhausted''')
  WHERE type = 'table' AND name = 'jobs';
UPDATE sqlite_schema SET sql = replace(sql,
    'kind IN (''grant'', ''debit'', ''refund'')', 'kind = ''grant'' OR kind = ''debit'' OR kind = ''refund''')
  WHERE type = 'table' AND name = 'ledger';
UPDATE sqlite_schema SET sql = replace(sql,
    'state IN (''pending'', ''delivered'', ''failed'')', 'state = ''pending'' OR state = ''delivered'' OR state = ''failed''')
  WHERE type = 'table' AND name = 'webhooks';
PRAGMA writable_schema = RESET;
