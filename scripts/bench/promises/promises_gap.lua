--- Measures stalls of the machine itself: a program for each processor sleeps 1 ms repeatedly and records
--- late wake-ups.  A high figure during a stall means nothing for brio.
local files = require "files"
local uv = require "luv"

local gap = {}

--- The program: prints a line "end gap" (s of the monotonic clock) for each sleep longer than 3 ms, minus 1
--- ms.
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

--- Start the programs.
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

--- The longest stall of a processor between two times of the monotonic clock, s.
function gap.between(from, to)
  local longest = 0
  uv.sleep(10) -- a gap is reported at its end
  for index = 1, #running do
    for late, length in (files.read(("%s/%d"):format(folder, index - 1)) or ""):gmatch "(%S+) (%S+)\n" do
      local over, took = tonumber(late), tonumber(length)
      if over > from and over - took < to then longest = math.max(longest, took) end
    end
  end
  return longest
end

--- Stop the programs.
function gap.stop()
  for _, handle in ipairs(running) do
    handle:kill "sigkill"
    handle:close()
  end
  running = {}
  files.remove(folder)
end

return gap
