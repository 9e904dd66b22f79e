-- A job weighs the seconds that it takes, 1 to 63, and its account's next one waits for so many rounds: `account_turns.turn` is 64 times the round
-- of the account's last job, and its weight. Nodes of the version before call `submit` and `submit_each` without weights, as they were: there a job
-- weighs what it costs in the order within its round, and so much for the account's next job of a node that knows weights.

-- Judges many submissions in one transaction; arrays run side by side, one entry for each submission. Rows come back for those that were
-- not accepted. Accounts are locked in the order of their ids, so that two calls never wait for each other in a circle; within an account
-- submissions are judged in the order given. `files`, `objects` and pairs of metadata name their submission by its place, from 1; `budget_keys` are null, or nobody's.
CREATE FUNCTION submit_each(
  ids TEXT[], account_ids TEXT[], actions TEXT[], works TEXT[], keys UUID[], fingerprints TEXT[], costs BIGINT[], requests TEXT[],
  source_lists TEXT[], responses TEXT[], callback_urls TEXT[], times BIGINT[], deadlines BIGINT[],
  file_places INTEGER[], file_ids TEXT[], file_untils BIGINT[], object_places INTEGER[], objects_bound TEXT[],
  pair_places INTEGER[], pair_keys TEXT[], pair_values TEXT[],
  budget_keys TEXT[], budget_credits BIGINT[], budget_periods BIGINT[], weights INTEGER[]
) RETURNS TABLE (place INTEGER, verdict TEXT, first_response TEXT, balance BIGINT) LANGUAGE plpgsql AS $$
DECLARE
  item RECORD;
  account TEXT;
  credits_left BIGINT;
  spent BIGINT := 0;
  taken BOOLEAN[] := array_fill(false, ARRAY[cardinality(ids)]);
  -- For a key that comes more than once: the place of the submission that was accepted with it, at the key's first place.
  winners INTEGER[];
  winner INTEGER;
  accepted INTEGER := 0;
BEGIN
  PERFORM 1 FROM accounts a WHERE a.id = ANY (account_ids) ORDER BY a.id FOR NO KEY UPDATE;
  IF cardinality(objects_bound) > 0 THEN
    -- `expire` waits, so that nothing is forgotten that is being bound.
    PERFORM pg_advisory_xact_lock_shared(1953459831, 2);
  END IF;
  FOR item IN
    SELECT i.n::INTEGER AS n, i.account_id, i.fingerprint, i.cost, a.credits, coalesce(o.id, c.fingerprint) AS first_id,
      -- No submission is a replay of a call.
      CASE WHEN c.fingerprint IS NULL THEN o.fingerprint ELSE '' END AS first_fingerprint, o.response, (min(i.n) OVER (PARTITION BY i.account_id, i.key))::INTEGER AS first_n
    FROM unnest(account_ids, keys, fingerprints, costs) WITH ORDINALITY AS i (account_id, key, fingerprint, cost, n)
    LEFT JOIN accounts a ON a.id = i.account_id
    LEFT JOIN operations o ON o.account_id = i.account_id AND o.idempotency_key = i.key
    LEFT JOIN keyed_calls c ON c.account_id = i.account_id AND c.idempotency_key = i.key
    ORDER BY i.account_id, i.n
  LOOP
    IF item.account_id IS DISTINCT FROM account THEN
      account := item.account_id;
      credits_left := item.credits;
    END IF;
    winner := CASE WHEN item.first_n = item.n THEN NULL ELSE winners[item.first_n] END;
    IF item.first_id IS NOT NULL OR winner IS NOT NULL THEN
      place := item.n;
      balance := NULL;
      IF coalesce(item.first_fingerprint, fingerprints[winner]) <> item.fingerprint THEN
        verdict := 'key_reused';
        first_response := NULL;
        RETURN NEXT;
      -- Our own id: the call was tried again after its answer had been lost.
      ELSIF item.first_id IS DISTINCT FROM ids[item.n] THEN
        verdict := 'replayed';
        first_response := coalesce(item.response, responses[winner]);
        RETURN NEXT;
      END IF;
    ELSIF credits_left IS NULL OR credits_left < item.cost THEN
      place := item.n;
      verdict := CASE WHEN credits_left IS NULL THEN 'unknown_account' ELSE 'insufficient_credits' END;
      first_response := NULL;
      balance := credits_left;
      RETURN NEXT;
    ELSIF item.cost > 0 AND budget_keys[item.n] IS NOT NULL
      AND NOT spend_budget(budget_keys[item.n], budget_periods[item.n], item.cost, budget_credits[item.n])
    THEN
      place := item.n;
      verdict := 'key_budget_exceeded';
      first_response := NULL;
      SELECT greatest(0, budget_credits[item.n] - k.credits) INTO balance
        FROM key_spending k WHERE k.key_id = budget_keys[item.n] AND k.since = budget_periods[item.n];
      RETURN NEXT;
    ELSE
      credits_left := credits_left - item.cost;
      spent := spent + item.cost;
      taken[item.n] := true;
      winners[item.first_n] := item.n;
      accepted := accepted + 1;
    END IF;
  END LOOP;
  IF accepted = 0 THEN RETURN; END IF;

  INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, sources, response,
      callback_url, created_at)
    SELECT i.id, i.account_id, i.action, i.work, 'processing', i.key, i.fingerprint, i.cost, i.request, i.sources, i.response,
      i.callback_url, i.created_at
    FROM unnest(ids, account_ids, actions, works, keys, fingerprints, costs, requests, source_lists, responses, callback_urls, times)
      WITH ORDINALITY AS i (id, account_id, action, work, key, fingerprint, cost, request, sources, response, callback_url, created_at, n)
    WHERE taken[i.n];
  IF spent > 0 THEN
    UPDATE accounts a SET credits = a.credits - s.cost
      FROM (SELECT i.account_id, sum(i.cost)::BIGINT AS cost
            FROM unnest(account_ids, costs) WITH ORDINALITY AS i (account_id, cost, n) WHERE taken[i.n] GROUP BY i.account_id) s
      WHERE a.id = s.account_id AND s.cost > 0;
    INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
      SELECT i.account_id, i.id, 'debit', -i.cost, i.action, i.created_at
      FROM unnest(account_ids, ids, costs, actions, times) WITH ORDINALITY AS i (account_id, id, cost, action, created_at, n)
      WHERE taken[i.n] AND i.cost > 0 ORDER BY i.n;
    INSERT INTO key_debits (operation_id, key_id, since)
      SELECT ids[n], budget_keys[n], budget_periods[n] FROM generate_series(1, cardinality(budget_keys)) AS n
      WHERE taken[n] AND costs[n] > 0 AND budget_keys[n] IS NOT NULL;
  END IF;
  -- Start-time fair queueing (Goyal, Vin, Cheng 1996): a job's round is the later of the queue's own and of that in which its account's last
  -- one ends. A turn is 64 times the round and the job's weight: so the account's next job knows when it ends, and within a round short work
  -- comes first.
  WITH queued AS (
    INSERT INTO jobs (operation_id, account_id, action, work, created_at, deadline_at, turn)
      SELECT i.id, i.account_id, i.action, i.work, i.created_at, deadlines[i.n],
        (greatest(q.turn / 64, 1, coalesce(t.turn / 64 + greatest(t.turn % 64, 1), 0))
          + coalesce(sum(i.weight) OVER (PARTITION BY i.account_id, i.work ORDER BY i.n
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)) * 64 + i.weight
      FROM unnest(ids, account_ids, actions, works, weights, times) WITH ORDINALITY AS i (id, account_id, action, work, weight, created_at, n)
      JOIN queue_turns q ON q.work = i.work
      LEFT JOIN account_turns t ON t.account_id = i.account_id AND t.work = i.work
      WHERE taken[i.n]
      RETURNING account_id, work, turn
  )
  INSERT INTO account_turns AS t (account_id, work, turn)
    SELECT q.account_id, q.work, max(q.turn) FROM queued q GROUP BY q.account_id, q.work ORDER BY q.account_id, q.work
    ON CONFLICT ON CONSTRAINT account_turns_pkey DO UPDATE SET turn = excluded.turn;
  IF cardinality(file_ids) > 0 THEN
    UPDATE files f SET expires_at = u.until
      FROM (SELECT i.id, max(i.until) AS until FROM unnest(file_ids, file_untils, file_places) AS i (id, until, n)
            WHERE taken[i.n] GROUP BY i.id) u
      WHERE f.id = u.id AND f.expires_at < u.until AND f.expires_at > 0;
  END IF;
  IF cardinality(objects_bound) > 0 THEN
    INSERT INTO bound_objects (object, operation_id)
      SELECT DISTINCT i.object, ids[i.n] FROM unnest(objects_bound, object_places) AS i (object, n) WHERE taken[i.n];
  END IF;
  IF cardinality(pair_keys) > 0 THEN
    INSERT INTO operation_metadata (account_id, key, value, operation_id)
      SELECT account_ids[i.n], i.key, i.value, ids[i.n] FROM unnest(pair_keys, pair_values, pair_places) AS i (key, value, n) WHERE taken[i.n];
  END IF;
END $$;

-- As `submit_each`, for what nearly every batch is: keys that are new, each once, and accounts that can pay. Then nothing is judged one by one;
-- where one is not so, all are left to `submit_each`, before anything is written. The caller says what belongs together: `spenders`, in the order of
-- their ids, are the accounts and `spent` what each pays in all; a lane is an account's submissions of one kind of work, `sizes` the place of
-- its last and `last_weights` that one's weight. `lanes` says in which one a submission is, from 1, and `turns` its place there: 1 and the weights
-- before it.
-- Texts of all submissions come as one, each ended by U+001F, which no id, no URL and no JSON has in it: an array would have every quotation mark
-- of a JSON text escaped and read letter by letter. No callback is an empty text. Elements are taken out of the arrays one by one: to `unnest` many
-- at once costs a store of rows for each. Locks are taken as in `submit_each`.
CREATE FUNCTION submit(
  spenders TEXT[], spent BIGINT[], owners TEXT[], works TEXT[], sizes INTEGER[], last_weights INTEGER[], lanes INTEGER[], turns INTEGER[],
  all_ids TEXT, all_actions TEXT, keys UUID[], all_fingerprints TEXT, costs BIGINT[], all_requests TEXT, all_source_lists TEXT,
  all_responses TEXT, all_callback_urls TEXT, times BIGINT[], deadlines BIGINT[],
  file_places INTEGER[], file_ids TEXT[], file_untils BIGINT[], object_places INTEGER[], objects_bound TEXT[],
  pair_places INTEGER[], pair_keys TEXT[], pair_values TEXT[], weights INTEGER[]
) RETURNS TABLE (place INTEGER, verdict TEXT, first_response TEXT, balance BIGINT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- Each has an element more, after the last end.
  ids TEXT[] := string_to_array(all_ids, U&'\001F');
  actions TEXT[] := string_to_array(all_actions, U&'\001F');
  fingerprints TEXT[] := string_to_array(all_fingerprints, U&'\001F');
  requests TEXT[] := string_to_array(all_requests, U&'\001F');
  source_lists TEXT[] := string_to_array(all_source_lists, U&'\001F');
  responses TEXT[] := string_to_array(all_responses, U&'\001F');
  callback_urls TEXT[] := string_to_array(all_callback_urls, U&'\001F', '');
  many INTEGER := cardinality(keys);
  locked TEXT[];
  credits_left BIGINT[];
  -- The round before each lane's first submission.
  rounds BIGINT[];
BEGIN
  -- A text with the end in it would move what comes after it to another submission.
  IF NOT many + 1 = ALL (ARRAY[cardinality(ids), cardinality(actions), cardinality(fingerprints), cardinality(requests),
    cardinality(source_lists), cardinality(responses), cardinality(callback_urls)])
  THEN
    RAISE EXCEPTION 'texts of % submissions were expected', many;
  END IF;
  SELECT array_agg(l.id), array_agg(l.credits) INTO locked, credits_left
    FROM (SELECT a.id, a.credits FROM accounts a WHERE a.id = ANY (spenders) ORDER BY a.id FOR NO KEY UPDATE) l;
  IF locked IS DISTINCT FROM spenders
    OR EXISTS (SELECT 1 FROM unnest(credits_left, spent) AS s (credits, cost) WHERE s.credits < s.cost)
    OR EXISTS (SELECT 1 FROM unnest(lanes, keys) AS i (lane, key)
      JOIN operations o ON o.account_id = owners[i.lane] AND o.idempotency_key = i.key)
    OR EXISTS (SELECT 1 FROM unnest(lanes, keys) AS i (lane, key)
      JOIN keyed_calls c ON c.account_id = owners[i.lane] AND c.idempotency_key = i.key)
  THEN
    RETURN QUERY SELECT * FROM submit_each(ids[:many], ARRAY(SELECT owners[lanes[n]] FROM generate_series(1, many) AS n), actions[:many],
      ARRAY(SELECT works[lanes[n]] FROM generate_series(1, many) AS n), keys, fingerprints[:many], costs, requests[:many],
      source_lists[:many], responses[:many], callback_urls[:many], times, deadlines, file_places, file_ids, file_untils, object_places, objects_bound,
      pair_places, pair_keys, pair_values, '{}', '{}', '{}', weights);
    RETURN;
  END IF;
  IF cardinality(objects_bound) > 0 THEN
    PERFORM pg_advisory_xact_lock_shared(1953459831, 2);
  END IF;

  INSERT INTO operations (id, account_id, action, work, status, idempotency_key, fingerprint, cost, request, sources, response,
      callback_url, created_at)
    SELECT ids[n], owners[lanes[n]], actions[n], works[lanes[n]], 'processing', keys[n], fingerprints[n], costs[n], requests[n],
      source_lists[n], responses[n], callback_urls[n], times[n]
    FROM generate_series(1, many) AS n;
  UPDATE accounts a SET credits = a.credits - s.cost FROM unnest(spenders, spent) AS s (id, cost) WHERE a.id = s.id AND s.cost > 0;
  INSERT INTO ledger (account_id, operation_id, kind, credits, note, created_at)
    SELECT owners[lanes[n]], ids[n], 'debit', -costs[n], actions[n], times[n] FROM generate_series(1, many) AS n WHERE costs[n] > 0;

  -- Places in the fair order: see `submit_each`. A lane's turn is that of its last submission.
  WITH moved AS (
    UPDATE account_turns t SET turn = (greatest(q.turn / 64, 1, t.turn / 64 + greatest(t.turn % 64, 1)) + g.size - 1) * 64 + g.last_weight
      FROM unnest(owners, works, sizes, last_weights) WITH ORDINALITY AS g (owner, work, size, last_weight, n), queue_turns q
      WHERE t.account_id = g.owner AND t.work = g.work AND q.work = g.work
      RETURNING g.n, t.turn / 64 - g.size AS before
  )
  SELECT array_agg(m.before ORDER BY m.n) INTO rounds FROM moved m;
  IF cardinality(rounds) IS DISTINCT FROM cardinality(owners) THEN
    -- Some account's first of its kind.
    INSERT INTO account_turns (account_id, work, turn)
      SELECT g.owner, g.work, (greatest(q.turn / 64, 1) + g.size - 1) * 64 + g.last_weight
      FROM unnest(owners, works, sizes, last_weights) AS g (owner, work, size, last_weight) JOIN queue_turns q ON q.work = g.work
      WHERE NOT EXISTS (SELECT 1 FROM account_turns t WHERE t.account_id = g.owner AND t.work = g.work);
    SELECT array_agg(t.turn / 64 - g.size ORDER BY g.n) INTO rounds
      FROM unnest(owners, works, sizes) WITH ORDINALITY AS g (owner, work, size, n)
      JOIN account_turns t ON t.account_id = g.owner AND t.work = g.work;
  END IF;
  INSERT INTO jobs (operation_id, account_id, action, work, created_at, deadline_at, turn)
    SELECT ids[n], owners[lanes[n]], actions[n], works[lanes[n]], times[n], deadlines[n], (rounds[lanes[n]] + turns[n]) * 64 + weights[n]
    FROM generate_series(1, many) AS n;

  IF cardinality(file_ids) > 0 THEN
    UPDATE files f SET expires_at = u.until
      FROM (SELECT i.id, max(i.until) AS until FROM unnest(file_ids, file_untils) AS i (id, until) GROUP BY i.id) u
      WHERE f.id = u.id AND f.expires_at < u.until AND f.expires_at > 0;
  END IF;
  IF cardinality(objects_bound) > 0 THEN
    INSERT INTO bound_objects (object, operation_id)
      SELECT DISTINCT i.object, ids[i.n] FROM unnest(objects_bound, object_places) AS i (object, n);
  END IF;
  IF cardinality(pair_keys) > 0 THEN
    INSERT INTO operation_metadata (account_id, key, value, operation_id)
      SELECT owners[lanes[i.n]], i.key, i.value, ids[i.n] FROM unnest(pair_keys, pair_values, pair_places) AS i (key, value, n);
  END IF;
END $$;

-- The ends of many operations in one transaction; arrays run side by side, one entry for each end. Rows come back for those that won: the
-- operation was `processing` and the attempt still its own; of two ends of one attempt the first. Rows of every table are locked in the order
-- of their keys, jobs before accounts before turns, so that two calls never wait for each other in a circle. Tells every node in the same
-- transaction. `objects` name their end by its place, from 1.
CREATE OR REPLACE FUNCTION terminate(
  ids TEXT[], attempts INTEGER[], statuses TEXT[], output_lists TEXT[], errors TEXT[], refunds BOOLEAN[], times BIGINT[], expiries BIGINT[],
  object_places INTEGER[], object_keys TEXT[],
  webhook_places INTEGER[], webhook_ids TEXT[], webhook_endpoints TEXT[], webhook_types TEXT[], webhook_urls TEXT[], webhook_hosts TEXT[],
  webhook_bodies TEXT[],
  listed_outputs TEXT[],
  call_places INTEGER[], call_accounts TEXT[], call_keys UUID[], call_fingerprints TEXT[], call_responses TEXT[], call_expiries BIGINT[],
  costs BIGINT[]
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
  -- Places of calls whose key is taken.
  taken INTEGER[] := '{}';
BEGIN
  PERFORM 1 FROM jobs j WHERE j.operation_id = ANY (ids) ORDER BY j.operation_id FOR UPDATE;
  IF cardinality(call_places) > 0 THEN
    -- Submissions of these accounts lock them too, so that no key is used twice. Refunds lock no others later on.
    PERFORM 1 FROM accounts a WHERE a.id = ANY (ARRAY(SELECT j.account_id FROM jobs j WHERE j.operation_id = ANY (ids)))
      ORDER BY a.id FOR NO KEY UPDATE;
    -- LIMIT, for without it Postgres may read a whole table at once for all of them.
    taken := ARRAY(SELECT c.n FROM unnest(call_places, call_accounts, call_keys) AS c (n, account_id, key) CROSS JOIN LATERAL (
      (SELECT 1 FROM operations o WHERE o.account_id = c.account_id AND o.idempotency_key = c.key LIMIT 1)
      UNION ALL (SELECT 1 FROM keyed_calls k WHERE k.account_id = c.account_id AND k.idempotency_key = c.key LIMIT 1)) AS used);
  END IF;
  WITH first AS (
    SELECT i.id, i.attempt, min(i.n)::INTEGER AS n FROM unnest(ids, attempts) WITH ORDINALITY AS i (id, attempt, n)
    WHERE i.n <> ALL (taken) GROUP BY i.id, i.attempt
  ), gone AS (
    DELETE FROM jobs j USING first f WHERE j.operation_id = f.id AND j.attempt = f.attempt
      AND (costs[f.n] IS NULL OR costs[f.n] = (SELECT o.cost FROM operations o WHERE o.id = f.id))
      RETURNING f.n, j.operation_id, j.account_id, j.work, j.attempt, j.started_at, j.progress
  ), ended AS (
    UPDATE operations o SET status = statuses[g.n], outputs = output_lists[g.n], outputs_listed = listed_outputs[g.n],
        error = errors[g.n], completed_at = times[g.n],
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
    UPDATE key_spending k SET credits = k.credits - s.price
      FROM (SELECT d.key_id, d.since, sum(w.price)::BIGINT AS price FROM unnest(places, prices) AS w (n, price)
            JOIN key_debits d ON d.operation_id = ids[w.n] WHERE refunds[w.n] GROUP BY d.key_id, d.since) s
      WHERE k.key_id = s.key_id AND k.since = s.since;
  END IF;
  IF true = ANY (unbegun) THEN
    -- Their accounts' later jobs do not wait for turns that were never taken.
    PERFORM 1 FROM account_turns t WHERE t.account_id = ANY (owners) ORDER BY t.account_id, t.work FOR NO KEY UPDATE;
    UPDATE account_turns t SET turn = least(t.turn, greatest(
        (SELECT q.turn / 64 * 64 FROM queue_turns q WHERE q.work = u.work),
        coalesce((SELECT max(j.turn) FROM jobs j WHERE j.account_id = u.account_id AND j.work = u.work AND j.lease_until IS NULL), 0)))
      FROM (SELECT DISTINCT w.account_id, w.work FROM unnest(owners, works, unbegun) AS w (account_id, work, unbegun) WHERE w.unbegun) u
      WHERE t.account_id = u.account_id AND t.work = u.work;
  END IF;
  DELETE FROM bound_objects b WHERE b.operation_id = ANY (ARRAY(SELECT ids[w.n] FROM unnest(places) AS w (n)));
  IF cardinality(object_keys) > 0 THEN
    INSERT INTO objects (key, owner) SELECT k.key, ids[k.n] FROM unnest(object_keys, object_places) AS k (key, n) WHERE won[k.n];
  END IF;
  IF cardinality(webhook_ids) > 0 THEN
    INSERT INTO webhooks (id, operation_id, account_id, endpoint_id, type, url, host, body, state, created_at, next_attempt_at, due_at)
      SELECT h.id, ids[h.place], w.account_id, h.endpoint_id, h.type, h.url, h.host, h.body, 'pending', times[h.place], times[h.place], times[h.place]
      FROM unnest(places, owners) AS w (n, account_id)
        JOIN unnest(webhook_places, webhook_ids, webhook_endpoints, webhook_types, webhook_urls, webhook_hosts, webhook_bodies)
          AS h (place, id, endpoint_id, type, url, host, body) ON h.place = w.n;
  END IF;
  IF cardinality(call_places) > 0 THEN
    INSERT INTO keyed_calls (account_id, idempotency_key, fingerprint, response, expires_at)
      SELECT c.account_id, c.key, c.fingerprint, c.response, c.expires_at
      FROM unnest(call_places, call_accounts, call_keys, call_fingerprints, call_responses, call_expiries)
        AS c (n, account_id, key, fingerprint, response, expires_at) WHERE won[c.n];
  END IF;
  PERFORM pg_notify('tonwerk', 'ended ' || (SELECT string_agg(ids[w.n], ',') FROM unnest(places) AS w (n)));
  RETURN QUERY SELECT w.n FROM unnest(places) AS w (n);
END $$;
