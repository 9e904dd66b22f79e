-- What workers ask for, and when they last did. The action '' stands for the kind of work itself; `since`: asked for without a long pause.
CREATE TABLE known_actions (
  work    TEXT COLLATE "C" NOT NULL,
  action  TEXT COLLATE "C" NOT NULL,
  since   BIGINT NOT NULL,
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (work, action)
) WITH (fillfactor = 50);

-- As `claim_1`, but claims do not take turns because some account has a `jobs_max`: only those that are about to give the same such account a
-- job do, and count again then. `actions_known` null: any.
CREATE FUNCTION claim_2(kind TEXT, worker_name TEXT, lease_ms BIGINT, actions_known TEXT[]) RETURNS TABLE (
  id TEXT, account_id TEXT, action TEXT, status TEXT, idempotency_key UUID, cost BIGINT, request TEXT, created_at BIGINT, completed_at BIGINT,
  expires_at BIGINT, outputs TEXT, error TEXT, started_at BIGINT, progress DOUBLE PRECISION, stage TEXT, work TEXT, sources TEXT,
  callback_url TEXT, attempt INTEGER, running BOOLEAN
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  at BIGINT;
  full_accounts TEXT[] := '{}';
  locked BOOLEAN := false;
  most INTEGER;
  job RECORD;
BEGIN
  IF EXISTS (SELECT 1 FROM accounts a WHERE a.jobs_max > 0) THEN
    full_accounts := ARRAY(SELECT j.account_id FROM jobs j JOIN accounts a ON a.id = j.account_id AND a.jobs_max > 0
      WHERE j.work = kind AND j.state <> 'queued' AND j.state = 'leased'
      GROUP BY j.account_id, a.jobs_max HAVING count(*) >= a.jobs_max);
  END IF;
  LOOP
    IF cardinality(full_accounts) = 0 THEN
      SELECT j.operation_id, j.account_id, j.turn INTO job FROM jobs j
        WHERE j.work = kind AND j.state = 'queued' AND (actions_known IS NULL OR j.action = ANY (actions_known))
        ORDER BY j.turn, j.operation_id LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN RETURN; END IF;
    ELSE
      -- Account by account, so that the backlog of one that is full is passed over in one step.
      WITH RECURSIVE owners AS (
        (SELECT j.account_id FROM jobs j WHERE j.lease_until IS NULL ORDER BY j.account_id LIMIT 1)
        UNION ALL
        SELECT (SELECT j.account_id FROM jobs j WHERE j.lease_until IS NULL AND j.account_id > o.account_id ORDER BY j.account_id LIMIT 1)
        FROM owners o WHERE o.account_id IS NOT NULL
      )
      SELECT f.operation_id, o.account_id, f.turn INTO job
        FROM owners o CROSS JOIN LATERAL (
          SELECT j.operation_id, j.turn FROM jobs j
          WHERE j.account_id = o.account_id AND j.work = kind AND j.lease_until IS NULL AND j.state <> 'exhausted'
            AND (actions_known IS NULL OR j.action = ANY (actions_known))
          ORDER BY j.turn, j.operation_id LIMIT 1) f
        WHERE o.account_id <> ALL (full_accounts) ORDER BY f.turn, f.operation_id LIMIT 1;
      IF NOT FOUND THEN RETURN; END IF;
      PERFORM 1 FROM jobs j WHERE j.operation_id = job.operation_id AND j.state = 'queued' FOR UPDATE;
      -- It was claimed or ended while this call waited for it.
      CONTINUE WHEN NOT FOUND;
    END IF;
    SELECT a.jobs_max INTO most FROM accounts a WHERE a.id = job.account_id;
    EXIT WHEN coalesce(most, 0) = 0;
    -- The count above is from before: nobody else gives this account a job until this call has ended. Whoever holds one such lock waits for
    -- no other, or two calls could wait for each other; the caller comes again.
    IF NOT locked THEN
      PERFORM pg_advisory_xact_lock(1953459832, hashtext(job.account_id));
      locked := true;
    ELSIF NOT pg_try_advisory_xact_lock(1953459832, hashtext(job.account_id)) THEN
      RAISE EXCEPTION 'another claim is at this account' USING ERRCODE = 'serialization_failure';
    END IF;
    EXIT WHEN (SELECT count(*) FROM jobs j WHERE j.work = kind AND j.state <> 'queued' AND j.state = 'leased'
      AND j.account_id = job.account_id) < most;
    full_accounts := full_accounts || job.account_id;
  END LOOP;
  at := now_ms();
  UPDATE jobs j SET state = 'leased', worker = worker_name, lease_until = at + lease_ms, attempt = j.attempt + 1,
      started_at = coalesce(j.started_at, at), progress = 0, stage = NULL
    WHERE j.operation_id = job.operation_id;
  PERFORM 1 FROM queue_turns q WHERE q.work = kind AND q.turn < job.turn FOR UPDATE SKIP LOCKED;
  IF FOUND THEN UPDATE queue_turns q SET turn = job.turn WHERE q.work = kind AND q.turn < job.turn; END IF;
  RETURN QUERY SELECT o.id, o.account_id, o.action, o.status, o.idempotency_key, o.cost, o.request, o.created_at, o.completed_at,
      o.expires_at, o.outputs, o.error, j.started_at, j.progress, j.stage, o.work, o.sources, o.callback_url, j.attempt, true
    FROM operations o JOIN jobs j ON j.operation_id = o.id WHERE o.id = job.operation_id;
END $$;
