--- Generates the pictures of `brio monitor` in docs, with the drawing code of the command, of a run with two
--- faults.
---
---     build/brio lua scripts/docs_monitor.lua [--check]
---     build/brio lua scripts/docs_monitor.lua --of TYPESCRIPT WIDTH HEIGHT PICTURE.svg
---
--- --check: fail if the pictures are out of date.  --of: a picture of a program's terminal output, as
--- recorded by script(1).
package.path = "scripts/make/?.lua;tests/lib/?.lua;" .. package.path
local generated = require "generated"
local screen = require "screen"

if arg[1] == "--of" then
  local made = screen.new(math.tointeger(tonumber(arg[3])), math.tointeger(tonumber(arg[4])))
  local text = assert(generated.read(arg[2]), "no such file")
  made:write((text:gsub("\27%[%?1049l.*", ""):gsub("^Script started[^\n]*\n", "")))
  generated.writer():write(arg[5], made:svg "a terminal")
  return
end

--- The status of a run after some seconds, with machine-dependent values replaced.
local function snapshot()
  local runner, axes = require "brio.runner", require "brio.operator.axes"
  local run = assert(runner.new { file = "behaviors/kiosk.lua", robot = "pepper", clock = "fast", seed = 3,
    faults = { "heat 84 of HeadPitch at 2", "heat 66 of LElbowYaw", "stall RShoulderPitch at 5" } })
  run:advance(8.4)
  local view = axes.snapshot(run)
  run:close()
  view.tick_p50_us, view.tick_p99_us, view.late_ticks, view.rate = 171, 318, 0, 200
  view.motors.threaded, view.motors.late_p99_us, view.motors.lost = true, 58, 0
  for _, device in ipairs(view.motors.devices) do device.rate = 1000 end
  return view
end

local keys = "q quits   arrows, Page keys scroll   P panic stop"

local log = {
  { level = "warning", text = "HeadPitch is at 84 C, above 80: it is only reported" },
  { level = "info", text = "ann came: hello" },
}

local function picture(view, width, height)
  local made = screen.new(width, height)
  local monitor = require "brio.terminal.monitor"
  for index, line in ipairs((monitor.window(view,
      { width = width, height = height, log = log, keys = keys }))) do
    made:write(("\27[%d;1H%s"):format(index, require("brio.terminal.styled").text(line, true)))
  end
  return made:svg(("brio monitor in a window of %d by %d characters"):format(width, height))
end

local view = snapshot()
local pictures = { ["docs/operators/monitor.svg"] = { 80, 24 },
  ["docs/operators/monitor-wide.svg"] = { 160, 24 } }
local writer = generated.writer("build/brio lua scripts/docs_monitor.lua", arg[1] == "--check")
for path, size in pairs(pictures) do writer:write(path, picture(view, size[1], size[2])) end
writer:finish()
