--- How long the machine itself stood still: one program for each processor that sleeps 1 ms again and
--- again and notes when it came back late.  A figure that is high while one of them was late says nothing
--- about brio.
local files = require "files"
local uv = require "luv"

local gap = {}

--- What each of them runs: a line "end gap" (s of the monotonic clock) for each sleep that lasted over 3
--- ms, 1 ms taken off.
local sleeper = [[
local uv = require "luv"
io.stdout:setvbuf "no"
local parent, last = uv.os_getppid(), uv.hrtime()
while uv.os_getppid() == parent do
  uv.sleep(1)
  local now = uv.hrtime()
  local took = now - last
  if took > 3e6 then io.stdout:write(("%.6f %.6f\n"):format(now * 1e-9, took * 1e-9 - 1e-3)) end
  last = now
end
]]

local folder, running = nil, {}

--- Start to watch the machine.
function gap.start()
  folder = files.temporary()
  files.write(folder .. "/sleeper.lua", sleeper)
  for cpu = 0, #uv.cpu_info() - 1 do
    local out = assert(uv.fs_open(("%s/%d"):format(folder, cpu), "w", 420))
    local handle = uv.spawn("taskset", { args = { "-c", tostring(cpu), "lua5.4", folder .. "/sleeper.lua" },
      stdio = { nil, out, nil } }, function() end)
    uv.fs_close(out)
    running[#running + 1] = handle or error("there is no taskset(1) to watch the machine with", 0)
  end
end

--- The longest that a processor was away between two times of the monotonic clock, s.
function gap.between(from, to)
  local longest = 0
  uv.sleep(10) -- a gap is told of when it ends
  for index = 1, #running do
    for late, length in (files.read(("%s/%d"):format(folder, index - 1)) or ""):gmatch "(%S+) (%S+)\n" do
      local over, took = tonumber(late), tonumber(length)
      if over > from and over - took < to then longest = math.max(longest, took) end
    end
  end
  return longest
end

--- Watch no more.
function gap.stop()
  for _, handle in ipairs(running) do
    handle:kill "sigkill"
    handle:close()
  end
  running = {}
  files.remove(folder)
end

return gap
