import type { DatabaseSync } from "node:sqlite";
import { AFTER_ALL_IDS } from "../../base/ids.ts";
import type { OperationFilter, SearchFilter, Status, Work } from "../../ports/mod.ts";
import { likePatterns } from "../shared/word_patterns.ts";
import { prepare } from "./connection.ts";
import { prepareListed } from "./listing.ts";
import { LISTED_COLUMNS, OPERATION_COLUMNS, type OperationRow } from "./rows.ts";

/**
 * An account's operations, newest first: those that are `processing` through their jobs, those that have ended through
 * indexes of their own, so that a submission writes none of these. Each statement stops at the limit; one that ended
 * meanwhile is listed once.
 */
export function createLists(db: DatabaseSync) {
  const one = prepare<OperationRow>(db, `SELECT ${OPERATION_COLUMNS} FROM operations WHERE id = ?`);
  const jobs = prepare<{ operation_id: string }>(
    db,
    `SELECT operation_id FROM job_lists WHERE account_id = ?1 AND action = ?2 AND operation_id < ?3 AND operation_id > ?4
     ORDER BY operation_id DESC LIMIT ?5`,
  );
  // Of all accounts, a thousand or two.
  const newest = prepare<{ operation_id: string }>(
    db,
    `SELECT operation_id FROM jobs WHERE operation_id < ?3 AND operation_id > ?4
     AND account_id = ?1 AND (?2 IS NULL OR action IN (SELECT value FROM json_each(?2))) ORDER BY operation_id DESC LIMIT ?5`,
  );
  const listed = prepareListed(db);
  const actionsOf = prepareActions(db);
  const taggedIn = (columns: string) =>
    prepare<OperationRow>(
      db,
      `SELECT ${columns} FROM (SELECT operation_id AS wanted FROM operation_metadata
           WHERE account_id = ?1 AND key = ?2 AND value = ?3 AND operation_id < ?4 AND operation_id > ?5) CROSS JOIN operations ON id = wanted
       WHERE (?6 IS NULL OR action IN (SELECT value FROM json_each(?6))) AND status IN (SELECT value FROM json_each(?7))
         AND NOT EXISTS (SELECT 1 FROM json_each(?8) x WHERE NOT EXISTS (SELECT 1 FROM operation_metadata n
           WHERE n.account_id = ?1 AND n.key = x.key AND n.value = x.value AND n.operation_id = wanted))
       ORDER BY wanted DESC LIMIT ?9`,
    );
  // One statement for each filter, and the index that each is to use, from which rows come newest first. SQLite counts both
  // bounds of the id as very narrow, and would read all that the account has for what is rare in it.
  const pages = (columns: string) => {
    const page = (index: string, where = "") =>
      prepare<OperationRow>(
        db,
        `SELECT ${columns} FROM operations INDEXED BY ${index} WHERE account_id = ?1 AND id < ?2 AND id > ?4
         AND status <> 'processing' ${where} ORDER BY id DESC LIMIT ?3`,
      );
    return {
      all: page("operations_ended"),
      ofAction: page("operations_ended_action", "AND action = ?5"),
      ofStatus: page("operations_ended_status", "AND status = ?5"),
      ofBoth: page("operations_ended_action_status", "AND action = ?5 AND status = ?6"),
      tagged: taggedIn(columns),
    };
  };
  const whole = pages(OPERATION_COLUMNS);
  const brief = pages(LISTED_COLUMNS);
  // Without what is long.
  const bare = pages("id");
  const having = prepare<OperationRow>(
    db,
    `SELECT ${LISTED_COLUMNS} FROM (SELECT value AS wanted FROM json_each(?1)) CROSS JOIN operations ON id = wanted
     WHERE NOT EXISTS (SELECT 1 FROM json_each(?2) word WHERE request NOT LIKE word.value)`,
  );

  function processing(account_id: string, filter: OperationFilter): OperationRow[] {
    const { actions, before = AFTER_ALL_IDS, after = "", limit } = filter;
    // In this order: what is listed meanwhile is found twice, never not at all.
    const until = listed().operation_id;
    const ids = new Set<string>();
    const wanted = actions === undefined ? null : JSON.stringify(actions);
    for (const { operation_id } of newest.all(account_id, wanted, before, [until, after].sort()[1]!, limit))
      ids.add(operation_id);
    for (const name of actions ?? actionsOf(account_id))
      for (const { operation_id } of jobs.all(account_id, name, before, after, limit)) ids.add(operation_id);
    return [...ids]
      .sort()
      .reverse()
      .slice(0, limit)
      .flatMap((id) => one.look(id) ?? []);
  }

  type Pages = typeof whole;

  function ended(
    { all, ofAction, ofStatus, ofBoth }: Pages,
    account_id: string,
    filter: OperationFilter,
    statuses: readonly Status[],
  ): OperationRow[] {
    const { actions, before = AFTER_ALL_IDS, after = "", limit } = filter;
    const start = [account_id, before, limit, after] as const;
    if (statuses.length === ENDED.length)
      return actions?.flatMap((action) => ofAction.all(...start, action)) ?? all.all(...start);
    return statuses.flatMap(
      (status) => actions?.flatMap((action) => ofBoth.all(...start, action, status)) ?? ofStatus.all(...start, status),
    );
  }

  function withPairs(account_id: string, filter: OperationFilter, statuses: readonly Status[]): OperationRow[] {
    const { metadata = {}, actions, before = AFTER_ALL_IDS, after = "", limit, reports = false } = filter;
    const [[key, value] = ["", ""], ...others] = Object.entries(metadata);
    const wanted = actions === undefined ? null : JSON.stringify(actions);
    const more = JSON.stringify(Object.fromEntries(others));
    const { tagged } = reports ? whole : brief;
    return tagged.all(account_id, key, value, before, after, wanted, JSON.stringify(statuses), more, limit);
  }

  function list(set: Pages, account_id: string, filter: OperationFilter): OperationRow[] {
    const { statuses = ["processing", ...ENDED], limit } = filter;
    if (filter.metadata !== undefined) return withPairs(account_id, filter, statuses);
    const found = [
      // In this order: what ends between the two is in both, never in neither.
      ...(statuses.includes("processing") ? processing(account_id, filter) : []),
      ...ended(
        set,
        account_id,
        filter,
        ENDED.filter((status) => statuses.includes(status)),
      ),
    ];
    const rows = new Map(found.map((row) => [row.id, row]));
    return [...rows.values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
  }

  return {
    list: (account_id: string, filter: OperationFilter) =>
      list(filter.reports === true ? whole : brief, account_id, filter),

    /** Reads requests of these alone, and no further column of those that do not have the words. */
    search(account_id: string, filter: SearchFilter, words: readonly string[]) {
      const ids = list(bare, account_id, filter).map(({ id }) => id);
      return {
        rows: having.all(JSON.stringify(ids), JSON.stringify(likePatterns(words))),
        reached: ids.length < filter.limit ? null : ids.at(-1)!,
      };
    },
  };
}

const ENDED: readonly Status[] = ["ready", "failed"];

/**
 * The turn of the account's latest listed job of this kind of work, 0 where it has none: one look at each of its
 * actions.
 */
export function prepareLatestTurn(db: DatabaseSync): (account_id: string, work: Work) => number {
  const latest = prepare<{ turn: number }>(
    db,
    `SELECT j.turn FROM job_lists l CROSS JOIN jobs j ON j.operation_id = l.operation_id
     WHERE l.account_id = ? AND l.action = ? AND j.work = ? ORDER BY l.operation_id DESC LIMIT 1`,
  );
  const actionsOf = prepareActions(db);
  return (account_id, work) =>
    actionsOf(account_id).reduce((turn, action) => Math.max(turn, latest.look(account_id, action, work)?.turn ?? 0), 0);
}

/** The actions of the account's listed jobs: one step through the index for each, however many jobs there are. */
function prepareActions(db: DatabaseSync): (account_id: string) => readonly string[] {
  const next = prepare<{ action: string }>(
    db,
    "SELECT action FROM job_lists WHERE account_id = ? AND action > ? ORDER BY action LIMIT 1",
  );
  return (account_id) => {
    const actions: string[] = [];
    for (let row = next.look(account_id, ""); row !== undefined; row = next.look(account_id, row.action))
      actions.push(row.action);
    return actions;
  };
}
