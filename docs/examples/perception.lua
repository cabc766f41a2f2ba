-- What a sensor saw, put in order.
local perception = require "brio.perception"

local cup = perception.detection { kind = "cup", position = { 1, 1, 0 }, confidence = 0.8 }
local far = perception.detection { kind = "cup", position = { 9, 0, 0 }, confidence = 0.3 }
print(#perception.filter({ cup, far }, { kind = "cup", min_confidence = 0.5 }))  --> 1

local head = { position = { 0, 0, 0 } }
local yaw = perception.bearing(head, { 1, 1, 0 })
print(("%.0f degrees to the left"):format(math.deg(yaw)))                       --> 45 degrees to the left
