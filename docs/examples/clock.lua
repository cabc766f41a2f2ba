-- For commands and tools: behaviors are told the engine's time instead.
local clock = require "brio.clock"

local began = clock.monotonic()
print(clock.monotonic() >= began, clock.wall() > 1.7e9, clock.cpu() > 0)  --> true	true	true
