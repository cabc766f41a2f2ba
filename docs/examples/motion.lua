-- What keyframes and curves there are.
local motion = require "brio.motion"

for _, kind in ipairs(motion.kinds()) do print(kind.name, kind.value) end
--> normal	number
--> input	none
--> superposition	number
--> random	range
local names = {}
for index, curve in ipairs(motion.curves()) do
  names[index] = curve.name .. (curve.handles and " (handles)" or "")
end
print(table.concat(names, ", ", 1, 6))
--> linear, hold, cubic, catmull_rom, bezier (handles), minimum_jerk
print(table.concat(names, ", ", 7))
--> ease_in, ease_out, ease_in_out, anticipate, overshoot
