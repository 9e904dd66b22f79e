-- Deliveries are claimed lane by lane (account and host), so that a host that hangs is passed over in one step however many rows wait for it.

-- Host and port of `url`. Rows from before share one lane of their account.
ALTER TABLE webhooks ADD COLUMN host TEXT NOT NULL DEFAULT '';

DROP INDEX webhooks_due;
CREATE INDEX webhooks_lane ON webhooks (account_id, host, due_at) WHERE state = 'pending';
CREATE INDEX webhooks_leased ON webhooks (due_at, account_id, host) WHERE worker IS NOT NULL;

-- The earliest `due_at` of each lane that has pending rows. Kept by triggers, whoever writes the rows.
CREATE TABLE webhook_lanes (
  account_id TEXT NOT NULL,
  host       TEXT NOT NULL,
  due_at     INTEGER NOT NULL,
  PRIMARY KEY (account_id, host)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_lanes_due ON webhook_lanes (due_at);
INSERT INTO webhook_lanes SELECT account_id, host, min(due_at) FROM webhooks WHERE state = 'pending' GROUP BY account_id, host;

CREATE TRIGGER webhook_lanes_insert AFTER INSERT ON webhooks WHEN new.due_at IS NOT NULL
BEGIN
  INSERT INTO webhook_lanes (account_id, host, due_at) VALUES (new.account_id, new.host, new.due_at)
    ON CONFLICT (account_id, host) DO UPDATE SET due_at = min(due_at, excluded.due_at);
END;
CREATE TRIGGER webhook_lanes_update AFTER UPDATE OF due_at ON webhooks WHEN new.due_at IS NOT old.due_at
BEGIN
  DELETE FROM webhook_lanes WHERE account_id = new.account_id AND host = new.host;
  INSERT INTO webhook_lanes (account_id, host, due_at)
    SELECT new.account_id, new.host, due_at FROM webhooks
    WHERE account_id = new.account_id AND host = new.host AND state = 'pending' ORDER BY due_at LIMIT 1;
END;
CREATE TRIGGER webhook_lanes_delete AFTER DELETE ON webhooks WHEN old.due_at IS NOT NULL
BEGIN
  DELETE FROM webhook_lanes WHERE account_id = old.account_id AND host = old.host;
  INSERT INTO webhook_lanes (account_id, host, due_at)
    SELECT old.account_id, old.host, due_at FROM webhooks
    WHERE account_id = old.account_id AND host = old.host AND state = 'pending' ORDER BY due_at LIMIT 1;
END;
