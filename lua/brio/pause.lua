--- Long work in pieces: whoever prepares a new version of a behavior in the slack between ticks
--- stops at these points when the slack is used up, and goes on in the next.
local clock = require "brio.clock"
local script = require "brio.script"

local pause = {}

local worker, till

--- A point at which work may be cut.  Does nothing unless it is the worker that comes by, and its
--- time is over.
function pause.point()
  if worker and clock.monotonic() > till and coroutine.running() == worker and coroutine.isyieldable() then
    coroutine.yield()
  end
end

--- Let the coroutine `thread` work for `seconds`.  Return whether it ended, and then what it
--- returned: true, values... or false, what was raised.
function pause.work(thread, seconds)
  worker, till = thread, clock.monotonic() + seconds
  local result = table.pack(script.resume(thread))
  worker = nil
  if result[1] and coroutine.status(thread) ~= "dead" then return false end
  return true, table.unpack(result, 1, result.n)
end

return pause
