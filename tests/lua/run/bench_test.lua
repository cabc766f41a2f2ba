--- The biped that is bolted down at a bench (scripts/bench/standing/bolted.lua), with hands that hold by
--- friction: what it has, and in the soak a can that it puts onto a tray.
package.path = "tests/lua/run/?.lua;" .. package.path
require "brio"
local physical = require "physical"
local runner = require "brio.runner"

local bolted = dofile "scripts/bench/standing/bolted.lua"

--- Open a run with it; `work(run)` goes on.
local function with_run(t, work)
  local folder = t:temporary "_bolted"
  assert(os.execute("mkdir " .. folder))
  local run, why = runner.new { clock = "fast", seed = 1, rate = 100, physics = "mujoco",
    file = "behaviors/pick_and_place.lua", robot = bolted.write(folder), say = function() end }
  local good, wrong = pcall(function()
    t:ok(run, "%s", tostring(why))
    work(run)
  end)
  if run then run:close() end
  os.execute("rm -r " .. folder)
  if not good then error(wrong, 0) end
end

test("a robot with feet on a fixed base has the frame of what stands on the ground", function(t)
  physical.needs_library(t)
  with_run(t, function(run)
    for _ = 1, 5 do run.engine:tick() end
    local frame = run.host.scene:frame "walking"
    t:ok(frame, "there is no frame")
    t:near(frame.position[1], 0, 1e-3)
    t:near(frame.position[3], 0, 0.01)
  end)
end)

test("in physics a hand takes a can, holds it by friction, and sets it onto a tray", function(t)
  physical.needs_library(t)
  if not t:long() then t:skip "5 s of a processor: make soak" end
  with_run(t, function(run)
    local highest = 0
    while run.engine:tick() and run.host.now < 20 and run.host:state() == "placing" do
      highest = math.max(highest, run.world:pose "can".position[3])
    end
    local can = run.world:pose "can".position
    t:equal(run.host:state(), "placed")
    t:ok(not run.physics:fault(), "%s", tostring(run.physics:fault()))
    t:ok(highest > 1.02, "it was never higher than %g m", highest)
    -- the tray is 22 cm wide, and 1 cm thick on a bench of 0.92 m; the can is 7 cm high
    t:near(can[1], 0.34, 0.08)
    t:near(can[2], -0.36, 0.08)
    t:near(can[3], 0.965, 3e-3)
  end)
end)
