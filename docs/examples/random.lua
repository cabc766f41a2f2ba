-- The same seed and name give the same numbers, whoever else draws.
local random = require "brio.random"

local a, b = random.stream(7, "dice"), random.stream(7, "dice")
print(a:whole(6) == b:whole(6), a:uniform() == b:uniform())  --> true	true
local c = random.stream(7, "weather")
print(a:uniform() == c:uniform())                            --> false
