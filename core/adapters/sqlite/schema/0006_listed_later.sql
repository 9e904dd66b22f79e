-- An index that begins with the account is a page for every account of a shared commit, and three where that page is full. So what an account
-- has is listed for a thousand submissions at once (sqlite_listing.ts); what came since is found by a look through the newest rows.

DROP INDEX jobs_account;
DROP INDEX ledger_account;

CREATE TABLE job_lists (
  account_id   TEXT NOT NULL,
  action       TEXT NOT NULL,
  operation_id TEXT NOT NULL,
  PRIMARY KEY (account_id, action, operation_id)
) STRICT, WITHOUT ROWID;
INSERT INTO job_lists SELECT account_id, action, operation_id FROM jobs ORDER BY account_id, action, operation_id;
CREATE TRIGGER job_lists_delete AFTER DELETE ON jobs
BEGIN DELETE FROM job_lists WHERE account_id = old.account_id AND action = old.action AND operation_id = old.operation_id; END;

CREATE TABLE ledger_lists (
  account_id TEXT NOT NULL,
  line       INTEGER NOT NULL,
  PRIMARY KEY (account_id, line)
) STRICT, WITHOUT ROWID;
INSERT INTO ledger_lists SELECT account_id, id FROM ledger ORDER BY account_id, id;

-- Every job whose operation_id is no greater than `operation_id`, and every line of the ledger up to `line`, is in the lists.
CREATE TABLE listed (
  id           INTEGER PRIMARY KEY CHECK (id = 1),
  operation_id TEXT NOT NULL,
  line         INTEGER NOT NULL
) STRICT;
INSERT INTO listed VALUES (1, coalesce((SELECT max(operation_id) FROM jobs), ''), coalesce((SELECT max(id) FROM ledger), 0));
