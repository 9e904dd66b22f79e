-- As claim_webhooks_1, with a cap on what one account has under way at one host below the host's own: tenants who share a receiver's host do
-- not wait for one another. Nodes of the version before go on calling the former.
CREATE FUNCTION claim_webhooks_2(
  worker TEXT, limit_max INTEGER, lease_ms BIGINT, lane_max INTEGER, host_max INTEGER, account_max INTEGER
)
RETURNS SETOF webhooks LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  at BIGINT := now_ms();
  busy_lanes JSONB;
  busy_hosts JSONB;
  busy_accounts JSONB;
  lane RECORD;
  room INTEGER;
  claimed webhooks%ROWTYPE;
  total INTEGER := 0;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.state = 'pending' AND w.due_at + 0 <= at) THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(1953459831, 3);
  SELECT coalesce(jsonb_object_agg(l.lane, l.n), '{}') INTO busy_lanes
    FROM (SELECT w.account_id || ' ' || w.host AS lane, count(*) AS n FROM webhooks w
      WHERE w.worker IS NOT NULL AND w.due_at > at GROUP BY w.account_id, w.host) l;
  SELECT coalesce(jsonb_object_agg(l.host, l.n), '{}') INTO busy_hosts
    FROM (SELECT w.host, count(*) AS n FROM webhooks w WHERE w.worker IS NOT NULL AND w.due_at > at GROUP BY w.host) l;
  SELECT coalesce(jsonb_object_agg(l.account_id, l.n), '{}') INTO busy_accounts
    FROM (SELECT w.account_id, count(*) AS n FROM webhooks w WHERE w.worker IS NOT NULL AND w.due_at > at GROUP BY w.account_id) l;
  FOR lane IN
    WITH RECURSIVE lanes AS (
      (SELECT w.account_id, w.host, w.due_at FROM webhooks w WHERE w.state = 'pending' ORDER BY w.account_id, w.host, w.due_at LIMIT 1)
      UNION ALL
      SELECT n.* FROM lanes l CROSS JOIN LATERAL (
        SELECT w.account_id, w.host, w.due_at FROM webhooks w
        WHERE w.state = 'pending' AND (w.account_id, w.host) > (l.account_id, l.host)
        ORDER BY w.account_id, w.host, w.due_at LIMIT 1) n
    )
    SELECT l.account_id, l.host, l.account_id || ' ' || l.host AS name FROM lanes l WHERE l.due_at <= at ORDER BY l.due_at
  LOOP
    EXIT WHEN total >= limit_max;
    room := least(limit_max - total, lane_max - coalesce((busy_lanes ->> lane.name)::INTEGER, 0),
      host_max - coalesce((busy_hosts ->> lane.host)::INTEGER, 0),
      account_max - coalesce((busy_accounts ->> lane.account_id)::INTEGER, 0));
    CONTINUE WHEN room <= 0;
    FOR claimed IN
      UPDATE webhooks w SET attempts = w.attempts + 1, worker = $1, due_at = at + lease_ms,
          first_attempt_at = coalesce(w.first_attempt_at, at)
        -- An array, for a subquery behind IN may be run again for each row, and then LIMIT limits nothing.
        WHERE w.id = ANY (ARRAY(SELECT d.id FROM webhooks d WHERE d.account_id = lane.account_id AND d.host = lane.host AND d.state = 'pending'
          AND d.due_at <= at ORDER BY d.due_at, d.id LIMIT room FOR UPDATE SKIP LOCKED))
        RETURNING w.*
    LOOP
      total := total + 1;
      -- Each lane comes once, so its own count is read no more.
      busy_hosts := busy_hosts || jsonb_build_object(lane.host, coalesce((busy_hosts ->> lane.host)::INTEGER, 0) + 1);
      busy_accounts := busy_accounts
        || jsonb_build_object(lane.account_id, coalesce((busy_accounts ->> lane.account_id)::INTEGER, 0) + 1);
      RETURN NEXT claimed;
    END LOOP;
  END LOOP;
END $$;
