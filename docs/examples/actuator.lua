-- A simulated joint that goes where it is told, within its limits.
local actuator = require "brio.actuator"

local a = assert(actuator.open {
  driver = "sim",
  axes = { { name = "ear", lower = -1, upper = 1, velocity = 2, acceleration = 20, start = 0 } },
})
a:target("ear", 5)            -- beyond its end: it will stop there
for _ = 1, 200 do a:step(0.005) end
print(("%.2f"):format(a:state("ear").position))  --> 1.00
print(pcall(a.target, a, "eer", 0) == false)     --> true
a:close()
