-- A stage for behaviors: people who come and go.
local world = require "brio.world"

local w = world.new {
  seed = 1,
  people = { { id = "ann", path = { { 0, 4, 0 }, { 4, 2, 0 } } } },
}
w:advance(2)
print(("%.1f"):format(w:pose("ann").position[1]))  --> 3.0
print(w:detect()[1].kind)                          --> person
w:advance(5)
print(w:pose("ann"))                               --> nil
