-- As `submit_1`, for what nearly every batch is: keys that are new, each once, and accounts that can pay. Then nothing is judged one by one;
-- where one is not so, all are left to `submit_1`, before anything is written. The caller says what belongs together: `spenders`, in the order of
-- their ids, are the accounts and `spent` what each pays in all; a lane is an account's submissions of one kind of work, `sizes` how many it has and
-- `last_costs` what the last of them costs. `lanes` says in which one a submission is, and `turns` its place there, both from 1.
-- Texts of all submissions come as one, each ended by U+001F, which no id, no URL and no JSON has in it: an array would have every quotation mark
-- of a JSON text escaped and read letter by letter. No callback is an empty text. Elements are taken out of the arrays one by one: to `unnest` many
-- at once costs a store of rows for each. Locks are taken as in `submit_1`.
CREATE FUNCTION submit_2(
  spenders TEXT[], spent BIGINT[], owners TEXT[], works TEXT[], sizes INTEGER[], last_costs BIGINT[], lanes INTEGER[], turns INTEGER[],
  all_ids TEXT, all_actions TEXT, keys UUID[], all_fingerprints TEXT, costs BIGINT[], all_requests TEXT, all_source_lists TEXT,
  all_responses TEXT, all_callback_urls TEXT, times BIGINT[],
  file_places INTEGER[], file_ids TEXT[], file_untils BIGINT[], object_places INTEGER[], objects_bound TEXT[]
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
  THEN
    RETURN QUERY SELECT * FROM submit_1(ids[:many], ARRAY(SELECT owners[lanes[n]] FROM generate_series(1, many) AS n), actions[:many],
      ARRAY(SELECT works[lanes[n]] FROM generate_series(1, many) AS n), keys, fingerprints[:many], costs, requests[:many],
      source_lists[:many], responses[:many], callback_urls[:many], times, file_places, file_ids, file_untils, object_places, objects_bound);
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

  -- Places in the fair order: see `submit_1`. A lane's turn is that of its last submission.
  WITH moved AS (
    UPDATE account_turns t SET turn = (greatest(q.turn / 64, 1, t.turn / 64 + 1) + g.size - 1) * 64 + least(g.last_cost, 63)
      FROM unnest(owners, works, sizes, last_costs) WITH ORDINALITY AS g (owner, work, size, last_cost, n), queue_turns q
      WHERE t.account_id = g.owner AND t.work = g.work AND q.work = g.work
      RETURNING g.n, t.turn / 64 - g.size AS before
  )
  SELECT array_agg(m.before ORDER BY m.n) INTO rounds FROM moved m;
  IF cardinality(rounds) IS DISTINCT FROM cardinality(owners) THEN
    -- Some account's first of its kind.
    INSERT INTO account_turns (account_id, work, turn)
      SELECT g.owner, g.work, (greatest(q.turn / 64, 1) + g.size - 1) * 64 + least(g.last_cost, 63)
      FROM unnest(owners, works, sizes, last_costs) AS g (owner, work, size, last_cost) JOIN queue_turns q ON q.work = g.work
      WHERE NOT EXISTS (SELECT 1 FROM account_turns t WHERE t.account_id = g.owner AND t.work = g.work);
    SELECT array_agg(t.turn / 64 - g.size ORDER BY g.n) INTO rounds
      FROM unnest(owners, works, sizes) WITH ORDINALITY AS g (owner, work, size, n)
      JOIN account_turns t ON t.account_id = g.owner AND t.work = g.work;
  END IF;
  INSERT INTO jobs (operation_id, account_id, action, work, created_at, turn)
    SELECT ids[n], owners[lanes[n]], actions[n], works[lanes[n]], times[n], (rounds[lanes[n]] + turns[n]) * 64 + least(costs[n], 63)
    FROM generate_series(1, many) AS n;

  IF cardinality(file_ids) > 0 THEN
    UPDATE files f SET expires_at = u.until
      FROM (SELECT i.id, max(i.until) AS until FROM unnest(file_ids, file_untils) AS i (id, until) GROUP BY i.id) u
      WHERE f.id = u.id AND f.expires_at < u.until;
  END IF;
  IF cardinality(objects_bound) > 0 THEN
    INSERT INTO bound_objects (object, operation_id)
      SELECT DISTINCT i.object, ids[i.n] FROM unnest(objects_bound, object_places) AS i (object, n);
  END IF;
END $$;
