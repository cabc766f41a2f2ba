--- Measurements are rounded to their step when they are read, so that scripts see what the store keeps.
local actuator = require "brio.actuator"

local function opened(step)
  return actuator.open { driver = "simulator", seed = 3,
    axes = { { name = "a", velocity = 3, acceleration = 10, step = step } },
    settings = { noise = 0.01 } }
end

--- The measurements on the way to a target.
local function readings(device)
  device:target("a", 0.7)
  local list = {}
  for index = 1, 40 do
    device:step(0.01)
    list[index] = device:state("a").position
  end
  return list
end

test("what an axis reports is a multiple of its step", function(t)
  local off = 0
  for _, x in ipairs(readings(opened(0.003))) do
    t:ok(math.abs(x / 0.003 - math.floor(x / 0.003 + 0.5)) < 1e-9, "%.17g is no multiple of 0.003", x)
  end
  for _, x in ipairs(readings(opened(0))) do off = off + (x == math.floor(x * 1e6 + 0.5) / 1e6 and 1 or 0) end
  t:ok(off < 5, "without a step %d of 40 numbers are rounded", off)
end)

test("a step is a number, not below 0", function(t)
  t:raises(function() opened(-1) end, "step")
  t:raises(function() opened "fine" end, "step")
end)
