-- Noise over time: smooth, within -1 and 1, the same for the same seed.
local noise = require "brio.noise"

local largest, steepest, before = 0, 0, nil
for tick = 0, 20000 do
  local now = noise.value(42, 0.3 * tick / 200) -- at 0.3 Hz, 200 times a second
  largest = math.max(largest, math.abs(now))
  steepest = math.max(steepest, math.abs(now - (before or now)) * 200)
  before = now
end
print(largest > 0.5 and largest <= 1, steepest < 2)       --> true	true
print(noise.value(42, 1.5) == noise.value(42, 1.5))       --> true
print(noise.value(42, 1.5) == noise.value(43, 1.5))       --> false

-- Several octaves: slow and fast at once, like living movement.
local sum = 0
for tick = 1, 20000 do sum = sum + noise.octaves(7, 0.1 * tick, 6) ^ 2 end
local one = 0
for tick = 1, 20000 do one = one + noise.value(7, 0.1 * tick) ^ 2 end
print(math.abs(math.sqrt(sum / one) - 1) < 0.2)           --> true
