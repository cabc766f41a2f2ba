--- The longest single call of the HTTP client while it receives a large answer:
---     build/brio lua scripts/bench/promises/promises_http.lua
--- Prints "longest begin end" (s, the last two of the monotonic clock).
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$"
local stub = dofile(here .. "/../../../tests/lib/stub.lua")
local http = require "brio.io.http"
local uv = require "luv"

local body = ("x"):rep(2 ^ 24)
local server = stub.new(function() return { stub.answer(200, body) } end)
local got
assert(http.request({ url = server.url, timeout = 240, most = 2 ^ 25 }, function(result) got = result end))
local began, longest = uv.hrtime(), 0
while not got do
  local before = uv.hrtime()
  http.work()
  longest = math.max(longest, uv.hrtime() - before)
  uv.sleep(1)
end
assert(got.body and #got.body == #body, got.error)
print(("%.9f %.6f %.6f"):format(longest * 1e-9, began * 1e-9, uv.hrtime() * 1e-9))
server:close()
