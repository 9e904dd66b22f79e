-- Claims of many workers in one statement. Nodes of the version before go on beside it with `claim`.

-- As `claim`, for workers that ask in the same moment: the first jobs of the fair order that no other claim is at, one for each worker, with its
-- place among `workers`, from 1. Fewer rows than workers: there are no more jobs, or an account has a `jobs_max` and the first worker alone was
-- served, so that no call holds jobs while it waits for that account. Waits for nobody's row.
CREATE FUNCTION claim_many(kind TEXT, workers TEXT[], lease_ms BIGINT, actions_known TEXT[]) RETURNS TABLE (
  place INTEGER, id TEXT, account_id TEXT, action TEXT, status TEXT, idempotency_key UUID, cost BIGINT, request TEXT, created_at BIGINT,
  completed_at BIGINT, expires_at BIGINT, outputs TEXT, error TEXT, started_at BIGINT, progress DOUBLE PRECISION, stage TEXT, work TEXT,
  sources TEXT, callback_url TEXT, attempt INTEGER, running BOOLEAN
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  at BIGINT := now_ms();
  -- In the fair order.
  taken TEXT[];
  latest BIGINT;
BEGIN
  IF EXISTS (SELECT 1 FROM accounts a WHERE a.jobs_max > 0) THEN
    RETURN QUERY SELECT 1, c.* FROM claim(kind, workers[1], lease_ms, actions_known, '{}') c;
    RETURN;
  END IF;
  SELECT array_agg(f.operation_id ORDER BY f.turn, f.operation_id), max(f.turn) INTO taken, latest FROM (
    SELECT j.operation_id, j.turn FROM jobs j
    WHERE j.work = kind AND j.state = 'queued' AND (actions_known IS NULL OR j.action = ANY (actions_known))
    ORDER BY j.turn, j.operation_id LIMIT cardinality(workers) FOR UPDATE SKIP LOCKED) f;
  IF taken IS NULL THEN RETURN; END IF;
  UPDATE jobs j SET state = 'leased', worker = workers[array_position(taken, j.operation_id)], lease_until = at + lease_ms,
      attempt = j.attempt + 1, started_at = coalesce(j.started_at, at), progress = 0, stage = NULL
    WHERE j.operation_id = ANY (taken);
  PERFORM 1 FROM queue_turns q WHERE q.work = kind AND q.turn < latest FOR UPDATE SKIP LOCKED;
  IF FOUND THEN UPDATE queue_turns q SET turn = latest WHERE q.work = kind AND q.turn < latest; END IF;
  RETURN QUERY SELECT array_position(taken, o.id), o.id, o.account_id, o.action, o.status, o.idempotency_key, o.cost, o.request, o.created_at,
      o.completed_at, o.expires_at, o.outputs, o.error, j.started_at, j.progress, j.stage, o.work, o.sources, o.callback_url, j.attempt, true
    FROM operations o JOIN jobs j ON j.operation_id = o.id WHERE o.id = ANY (taken);
END $$;
