/** Rate limits and open long-polls of all nodes, counted in Redis. */
import type { Tallies } from "../../ports/mod.ts";
import { openRedis, type RedisAddress } from "./client.ts";

const PREFIX = "tonwerk:tally:";
/** Beyond this a request does not wait for it: the node counts alone. */
const WAIT_MS = 250;
/** How long a node that got no answer in time asks no more. */
const PAUSE_MS = 1_000;

/** A token bucket on the server's clock: level and time in a hash that is forgotten once it is full again. */
const TAKE = `
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
local per_minute = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local known = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = tonumber(known[1]) or per_minute
local at = tonumber(known[2]) or ms
level = math.min(per_minute, level + math.max(0, ms - at) * per_minute / window)
local ok = 0
if level >= 1 then
  level = level - 1
  ok = 1
end
redis.call('HSET', KEYS[1], 'level', tostring(level), 'at', ms)
redis.call('PEXPIRE', KEYS[1], window + 1000)
return { ok, tostring(level) }`;

/**
 * A sorted set of members by the time when they are forgotten: a node that was killed holds nobody's place for long.
 */
const ENTER = `
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ms)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], ms + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3] + 1000)
return 1`;

interface Scripts {
  takeToken(key: string, per_minute: number, window_ms: number): Promise<[number, string]>;
  enterSet(key: string, member: string, most: number, ms: number): Promise<number>;
}

export function createRedisTallies(address: RedisAddress): Tallies {
  const redis = openRedis(address);
  redis.defineCommand("takeToken", { numberOfKeys: 1, lua: TAKE });
  redis.defineCommand("enterSet", { numberOfKeys: 1, lua: ENTER });
  const scripts = redis as unknown as Scripts;
  let silent_until = 0;
  const isUp = () => redis.status === "ready" && performance.now() >= silent_until;

  /** Undefined where there is no answer in time. */
  async function ask<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        silent_until = performance.now() + PAUSE_MS;
        resolve(undefined);
      }, WAIT_MS);
    });
    try {
      return await Promise.race([asked.catch(() => undefined), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    get up() {
      return isUp();
    },
    async take(name, per_minute, window_ms = 60_000) {
      const answer = isUp() ? await ask(scripts.takeToken(PREFIX + name, per_minute, window_ms)) : undefined;
      return answer && { ok: answer[0] === 1, level: Number(answer[1]) };
    },
    async enter(name, member, most, ms) {
      const answer = isUp() ? await ask(scripts.enterSet(PREFIX + name, member, most, ms)) : undefined;
      return answer === undefined ? undefined : answer === 1;
    },
    leave(name, member) {
      if (isUp()) redis.zrem(PREFIX + name, member).catch(() => undefined);
    },
    async close() {
      redis.disconnect();
    },
  };
}
