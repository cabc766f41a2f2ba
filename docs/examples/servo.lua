-- Bus servos looked at and set up: here emulated ones; for real ones give the port's name instead.
local servo, emulator = require "brio.servo", require "brio.emulator"

local bus = servo.open(emulator.open("dynamixel", { servos = 3 }), "dynamixel")
local found = bus:scan(0, 10)
print(#found, found[1].id, found[1].name)                    --> 3	1	XM430-W350
assert(bus:set(3, "id", 9))
assert(bus:set(9, "max_position_limit", 3000))
print(bus:get(9, "Max Position Limit"))                      --> 3000
print((select(2, bus:get(3, "ID"))))
--> servo 3 did not answer on dynamixel at 1000000 baud, after 3 requests
assert(bus:torque(1, true))
assert(bus:write({ [1] = bus:position(1, 0.5) }, "goal_position"))
print(bus:read({ 1, 2 }, "goal_position")[1])                --> 2374
print(bus:errors(1))                                         --> nothing
