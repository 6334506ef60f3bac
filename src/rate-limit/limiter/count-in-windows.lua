-- Counts requests that have passed already, also beyond the quota. Each window is as take-from-windows.lua describes it; this
-- script takes two thirds of that one's time per window, because each of its windows appears once and decides nothing.
-- KEYS: the windows, all of the same length.
-- ARGV: buckets per window; length of the windows (ms); the count of every window, omitted when all are 1.
-- Returns a string: per window its total and the ms until its reset, 4 bytes each. One reply is read faster than many numbers.
local HEADER, BUCKET, HEADER_BYTES, BUCKET_BYTES = '<I4I6I4', '<I6I4', 14, 10
local pack, read, call = struct.pack, struct.unpack, redis.call

local BUCKETS, length = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = call('TIME')
local now, size = time[1] * 1000 + math.floor(time[2] / 1000), length / BUCKETS
local bucket = math.floor(now / size)
-- Redis formats a number given to a command more slowly than it copies a string.
local lifetime = string.format('%d', length + 2 * size)

local held, reply = call('MGET', unpack(KEYS)), {}
for i, key in ipairs(KEYS) do
  local count, window = tonumber(ARGV[2 + i] or 1), held[i]
  local sum, first, newest, newestCount, older = 0, bucket, bucket, 0, ''
  if window then
    local total, last, lastCount = read(HEADER, window)
    if last >= bucket - BUCKETS then
      local at = HEADER_BYTES + 1
      sum, first, newest, newestCount = total, last, last, lastCount
      while at <= #window do
        local one, many = read(BUCKET, window, at)
        if one >= bucket - BUCKETS then
          first = one
          break
        end
        sum, at = sum - many, at + BUCKET_BYTES
      end
      older = window:sub(at)
      if newest < bucket then
        newest, newestCount, older = bucket, 0, older .. pack(BUCKET, last, lastCount)
      end
    end
  end
  sum = sum + count
  call('PSETEX', key, lifetime, pack(HEADER, sum, newest, newestCount + count) .. older)
  reply[i] = pack('<I4I4', sum, (first + BUCKETS + 1) * size - now)
end
return table.concat(reply)
