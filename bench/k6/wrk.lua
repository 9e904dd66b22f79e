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

local function bits(n) return math.random(0, 2 ^ n - 1) end

-- Version 4, by RFC 9562; 122 random bits.
local function uuid()
  return string.format("%08x-%04x-4%03x-%04x-%04x%08x", bits(32), bits(16), bits(12), 0x8000 + bits(14), bits(16), bits(32))
end

-- A whole request: what is the same in all of them is written once, by wrk itself, and asked as often as a server answers.
local function format(method, path, index, body)
  return wrk.format(method, path, {
    ["Authorization"] = "Bearer " .. keys[(index - 1) % #keys + 1],
    ["Content-Type"] = "application/json",
  }, body)
end

-- `init` prepares what `next` sends: of a submission all but its key, which is a new one each time and has its place where MARK is.
local MARK = "00000000-0000-4000-8000-000000000000"
local prepared = {}

local prepare = {
  submit = function()
    for index = 1, #keys do
      local whole = format("PUT", action, index, '{"idempotency_key":"' .. MARK .. '","source":{"url":"https://source.invalid/song.flac"}}')
      local from, to = string.find(whole, MARK, 1, true)
      prepared[index] = { string.sub(whole, 1, from - 1), string.sub(whole, to + 1) }
    end
  end,
  replay = function()
    for index = 1, #bodies do prepared[index] = format("PUT", action, index, bodies[index]) end
  end,
  status = function()
    for index = 1, #ids do prepared[index] = format("GET", action .. "?id=" .. ids[index], index) end
  end,
}

function init()
  math.randomseed(os.time() * 64 + number)
  prepare[mode]()
end

function request()
  turn = turn % #prepared + 1
  local found = prepared[turn]
  if mode ~= "submit" then return found end
  return found[1] .. uuid() .. found[2]
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
