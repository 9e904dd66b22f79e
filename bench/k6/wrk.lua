-- Requests for wrk, told by the environment: MODE (submit, replay, status), KEYS (API keys, comma-separated), PATH_OF_ACTION,
-- IDS (operation ids for `status`, each of the key at its place modulo the number of keys), BODIES (JSON lines for `replay`, likewise).
-- Prints one line of JSON at the end, after the word RESULT.

local mode = os.getenv("MODE")
local action = os.getenv("PATH_OF_ACTION")

local function split(text, separator)
  local parts = {}
  for part in string.gmatch(text or "", "[^" .. separator .. "]+") do parts[#parts + 1] = part end
  return parts
end

local keys = split(os.getenv("KEYS"), ",")
local ids = split(os.getenv("IDS"), ",")
local bodies = split(os.getenv("BODIES"), "\n")
local threads = 0
local turn = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

function init()
  math.randomseed(os.time() * 64 + number)
end

local function uuid()
  local function bits(n) return math.random(0, 2 ^ n - 1) end
  return string.format("%08x-%04x-4%03x-8%03x-%04x%08x", bits(32), bits(16), bits(12), bits(12), bits(16), bits(32))
end

local function headers(index)
  return {
    ["Authorization"] = "Bearer " .. keys[(index - 1) % #keys + 1],
    ["Content-Type"] = "application/json",
  }
end

local make = {
  submit = function()
    local body = '{"idempotency_key":"' .. uuid() .. '","source":{"url":"https://example.com/song.flac"}}'
    return wrk.format("PUT", action, headers(turn), body)
  end,
  replay = function()
    local index = turn % #bodies + 1
    return wrk.format("PUT", action, headers(index), bodies[index])
  end,
  status = function()
    local index = turn % #ids + 1
    return wrk.format("GET", action .. "?id=" .. ids[index], headers(index))
  end,
}

function request()
  turn = turn + 1
  return make[mode]()
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"seconds":%.6f,"errors":%d,"p50_ms":%.3f,"p95_ms":%.3f,"p99_ms":%.3f,"max_ms":%.3f}\n',
    summary.requests,
    summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3,
    latency:percentile(95) / 1e3,
    latency:percentile(99) / 1e3,
    latency.max / 1e3
  ))
end
