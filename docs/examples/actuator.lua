-- Simulated joints that go where they are told, within their limits; a motor let go; a button on the same
-- device.
local actuator = require "brio.actuator"

local a = assert(actuator.open {
  driver = "sim",
  axes = {
    { name = "ear", lower = -1, upper = 1, velocity = 2, acceleration = 20, start = 0 },
    { name = "lid", lower = 0, upper = 1, velocity = 5, acceleration = 50, start = 1 },
  },
  groups = { face = { "ear", "lid" } },
  inputs = { { name = "nose", line = "0=0 0.5=1" } },
})
a:target("ear", 5)            -- beyond its end: it will stop there
for _ = 1, 200 do a:step(0.005) end
print(("%.2f"):format(a:state("ear").position))  --> 1.00
print(pcall(a.target, a, "eer", 0) == false)     --> true
print(a:groups().face[2])                        --> lid
print(a:inputs().nose)                           --> 1.0

a:set_limits("ear", { upper = 0.5 })             -- tighter than at opening; it moves there within them
a:targets { ear = 1, lid = 0 }                   -- all or none
a:enable("lid", false)                           -- told nothing any more
a:power()                                        -- and its motor is limp
for _ = 1, 200 do a:step(0.005) end
print(("%.2f %.2f"):format(a:state("ear").position, a:state("lid").position))  --> 0.50 1.00
print(a:state("lid").enabled)                    --> false
a:close()
