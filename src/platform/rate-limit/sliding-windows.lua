-- Takes from sliding windows, all or nothing per request. One hash per limit: `sum`, `first` (the oldest bucket that
-- counts) and a field per bucket. The clock is Redis's own, so processes need not agree on the time.
-- KEYS: the limits of every ask, one ask after the other.
-- ARGV: buckets per window; then per ask its count and its number of limits, then quota and window (ms) of each.
-- Returns, per ask: how many were granted, then for each limit what remains and in how many ms more does.
local BUCKETS = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Drops the buckets that have left the window. Runs at most once per bucket and limit.
local function forget(window)
  local fields, oldest = redis.call('HGETALL', window.key), window.bucket - BUCKETS
  local gone, kept, first = {}, 0, window.bucket
  for i = 1, #fields, 2 do
    local bucket = tonumber(fields[i])
    if bucket and bucket < oldest then
      gone[#gone + 1] = fields[i]
    elseif bucket then
      kept = kept + fields[i + 1]
      first = math.min(first, bucket)
    end
  end
  window.sum, window.first = kept, first
  redis.call('HDEL', window.key, unpack(gone))
  redis.call('HSET', window.key, 'sum', kept, 'first', first)
end

local function open(key, quota, length)
  local size = length / BUCKETS
  local bucket = math.floor(now / size)
  local held = redis.call('HMGET', key, 'sum', 'first', bucket)
  local window = {
    key = key, quota = quota, length = length, size = size, bucket = bucket,
    sum = tonumber(held[1] or 0), first = tonumber(held[2] or bucket), count = tonumber(held[3] or 0),
  }
  if window.first < bucket - BUCKETS then forget(window) end
  return window
end

local function add(window, count)
  if window.sum == 0 then window.first = window.bucket end
  window.sum = window.sum + count
  redis.call('HSET', window.key, 'sum', window.sum, 'first', window.first, window.bucket, window.count + count)
  if window.count == 0 then redis.call('PEXPIRE', window.key, window.length + 2 * window.size) end
end

local answer, key, arg = {}, 0, 1
while arg < #ARGV do
  local granted, windows = tonumber(ARGV[arg + 1]), {}
  local limits = tonumber(ARGV[arg + 2])
  arg = arg + 2
  for i = 1, limits do
    windows[i] = open(KEYS[key + i], tonumber(ARGV[arg + 1]), tonumber(ARGV[arg + 2]))
    granted = math.max(0, math.min(granted, windows[i].quota - windows[i].sum))
    arg = arg + 2
  end
  key = key + limits
  answer[#answer + 1] = granted
  for i = 1, limits do
    if granted > 0 then add(windows[i], granted) end
    local window = windows[i]
    answer[#answer + 1] = math.max(0, window.quota - window.sum)
    answer[#answer + 1] = window.sum == 0 and 0 or (window.first + BUCKETS + 1) * window.size - now
  end
end
return answer
