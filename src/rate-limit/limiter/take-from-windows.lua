-- Takes from sliding windows, all or nothing per request. Uses Redis's clock, so processes need not agree on the time.
-- KEYS: the windows of every request, one request after the other. Each is a string: the total, the newest bucket and its
-- count, then the older buckets and their counts, oldest first.
-- ARGV: buckets per window; limits per request; quota and window (ms) of each limit; the count of every request, omitted
-- when all are 1.
-- Returns, per request: the granted count, then for each limit the remaining count and the ms until its reset.
local HEADER, BUCKET, HEADER_BYTES, BUCKET_BYTES = '<I4I6I4', '<I6I4', 14, 10
local pack, read = struct.pack, struct.unpack

local BUCKETS, width = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local quotas, lengths, sizes, buckets = {}, {}, {}, {}
for i = 1, width do
  quotas[i], lengths[i] = tonumber(ARGV[1 + 2 * i]), tonumber(ARGV[2 + 2 * i])
  sizes[i] = lengths[i] / BUCKETS
  buckets[i] = math.floor(now / sizes[i])
end
local COUNTS = 2 + 2 * width

-- The window without the buckets that have left it.
local function open(held, bucket)
  local oldest = bucket - BUCKETS
  if held then
    local sum, newest, count = read(HEADER, held)
    if newest >= oldest then
      local at, first = HEADER_BYTES + 1, newest
      while at <= #held do
        local older, many = read(BUCKET, held, at)
        if older >= oldest then
          first = older
          break
        end
        sum, at = sum - many, at + BUCKET_BYTES
      end
      return { sum = sum, first = first, newest = newest, count = count, older = held:sub(at) }
    end
  end
  return { sum = 0, first = bucket, newest = bucket, count = 0, older = '' }
end

local function add(window, bucket, count)
  if bucket > window.newest then
    if window.count > 0 then window.older = window.older .. pack(BUCKET, window.newest, window.count) end
    window.newest, window.count = bucket, 0
  end
  window.sum, window.count, window.hasChanged = window.sum + count, window.count + count, true
end

local held, windows, reply, size = redis.call('MGET', unpack(KEYS)), {}, {}, 0
for request = 1, #KEYS / width do
  local first, granted = (request - 1) * width, tonumber(ARGV[COUNTS + request] or 1)
  for i = 1, width do
    local key = KEYS[first + i]
    local window = windows[key]
    if not window then
      window = open(held[first + i], buckets[i])
      window.length = lengths[i] + 2 * sizes[i]
      windows[key] = window
    end
    granted = math.max(0, math.min(granted, quotas[i] - window.sum))
  end
  reply[size + 1] = granted
  for i = 1, width do
    local window = windows[KEYS[first + i]]
    if granted > 0 then add(window, buckets[i], granted) end
    reply[size + 2 * i] = math.max(0, quotas[i] - window.sum)
    reply[size + 2 * i + 1] = window.sum == 0 and 0 or (window.first + BUCKETS + 1) * sizes[i] - now
  end
  size = size + 1 + 2 * width
end
for key, window in pairs(windows) do
  if window.hasChanged then
    redis.call('SET', key, pack(HEADER, window.sum, window.newest, window.count) .. window.older, 'PX', window.length)
  end
end
return reply
