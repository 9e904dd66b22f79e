-- Outputs as lists show them, without the reports, which are 100 KB and more of a song. Null for what ended before.

ALTER TABLE operations ADD COLUMN outputs_listed TEXT;

-- As `terminate_2`, which nodes of the version before still call, with `listed_outputs`.
CREATE FUNCTION terminate_3(
  ids TEXT[], attempts INTEGER[], statuses TEXT[], output_lists TEXT[], errors TEXT[], refunds BOOLEAN[], times BIGINT[], expiries BIGINT[],
  object_places INTEGER[], object_keys TEXT[],
  webhook_ids TEXT[], webhook_types TEXT[], webhook_urls TEXT[], webhook_hosts TEXT[], webhook_bodies TEXT[],
  listed_outputs TEXT[]
) RETURNS TABLE (place INTEGER) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- Of the ends that won, side by side.
  places INTEGER[];
  owners TEXT[];
  works TEXT[];
  prices BIGINT[];
  unbegun BOOLEAN[];
  -- By place.
  won BOOLEAN[] := array_fill(false, ARRAY[cardinality(ids)]);
BEGIN
  PERFORM 1 FROM jobs j WHERE j.operation_id = ANY (ids) ORDER BY j.operation_id FOR UPDATE;
  WITH first AS (
    SELECT i.id, i.attempt, min(i.n)::INTEGER AS n FROM unnest(ids, attempts) WITH ORDINALITY AS i (id, attempt, n) GROUP BY i.id, i.attempt
  ), gone AS (
    DELETE FROM jobs j USING first f WHERE j.operation_id = f.id AND j.attempt = f.attempt
      RETURNING f.n, j.operation_id, j.account_id, j.work, j.attempt, j.started_at, j.progress
  ), ended AS (
    UPDATE operations o SET status = statuses[g.n], outputs = output_lists[g.n], outputs_listed = listed_outputs[g.n], error = errors[g.n], completed_at = times[g.n],
        expires_at = expiries[g.n], attempt = g.attempt, started_at = g.started_at,
        progress = CASE WHEN statuses[g.n] = 'ready' THEN 1 ELSE g.progress END
      FROM gone g WHERE o.id = g.operation_id
      RETURNING g.n, g.account_id, g.work, o.cost, g.attempt = 0 AS unbegun
  )
  SELECT array_agg(e.n ORDER BY e.n), array_agg(e.account_id ORDER BY e.n), array_agg(e.work ORDER BY e.n), array_agg(e.cost ORDER BY e.n),
      array_agg(e.unbegun ORDER BY e.n)
    INTO places, owners, works, prices, unbegun FROM ended e;
  IF places IS NULL THEN RETURN; END IF;
  FOR index IN 1 .. cardinality(places) LOOP won[places[index]] := true; END LOOP;

  IF EXISTS (SELECT 1 FROM unnest(places, prices) AS w (n, price) WHERE refunds[w.n] AND w.price > 0) THEN
    PERFORM 1 FROM accounts a WHERE a.id = ANY (owners) ORDER BY a.id FOR NO KEY UPDATE;
    UPDATE accounts a SET credits = a.credits + s.price
      FROM (SELECT w.account_id, sum(w.price)::BIGINT AS price FROM unnest(places, owners, prices) AS w (n, account_id, price)
            WHERE refunds[w.n] GROUP BY w.account_id) s
      WHERE a.id = s.account_id AND s.price > 0;
    INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
      SELECT w.account_id, ids[w.n], 'refund', w.price, statuses[w.n], times[w.n] FROM unnest(places, owners, prices) AS w (n, account_id, price)
      WHERE refunds[w.n] AND w.price > 0 ORDER BY w.n;
  END IF;
  IF true = ANY (unbegun) THEN
    -- Their accounts' later jobs do not wait for turns that were never taken.
    PERFORM 1 FROM account_turns t WHERE t.account_id = ANY (owners) ORDER BY t.account_id, t.work FOR NO KEY UPDATE;
    UPDATE account_turns t SET turn = least(t.turn, greatest(
        (SELECT q.turn FROM queue_turns q WHERE q.work = u.work),
        coalesce((SELECT max(j.turn) FROM jobs j WHERE j.account_id = u.account_id AND j.work = u.work AND j.lease_until IS NULL), 0)))
      FROM (SELECT DISTINCT w.account_id, w.work FROM unnest(owners, works, unbegun) AS w (account_id, work, unbegun) WHERE w.unbegun) u
      WHERE t.account_id = u.account_id AND t.work = u.work;
  END IF;
  DELETE FROM bound_objects b WHERE b.operation_id = ANY (ARRAY(SELECT ids[w.n] FROM unnest(places) AS w (n)));
  IF cardinality(object_keys) > 0 THEN
    INSERT INTO objects (key, owner) SELECT k.key, ids[k.n] FROM unnest(object_keys, object_places) AS k (key, n) WHERE won[k.n];
  END IF;
  INSERT INTO webhooks (id, operation_id, account_id, type, url, host, body, state, created_at, next_attempt_at, due_at)
    SELECT webhook_ids[w.n], ids[w.n], w.account_id, webhook_types[w.n], webhook_urls[w.n], webhook_hosts[w.n], webhook_bodies[w.n], 'pending',
      times[w.n], times[w.n], times[w.n]
    FROM unnest(places, owners) AS w (n, account_id) WHERE webhook_ids[w.n] IS NOT NULL;
  PERFORM pg_notify('tonwerk', 'ended ' || (SELECT string_agg(ids[w.n], ',') FROM unnest(places) AS w (n)));
  RETURN QUERY SELECT w.n FROM unnest(places) AS w (n);
END $$;
