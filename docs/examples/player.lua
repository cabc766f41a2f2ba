-- A player without a robot: two DOFs, a sequence over what is below, a slider beside it, and why it
-- came out so.
local motion = require "brio.motion"
local player = require "brio.player"

local two = player.new { dofs = { { lower = -1, upper = 1 }, { lower = -1, upper = 1 } } }
local rise = motion.sequence { dofs = 2, tracks = {
  { dof = 1, keys = { { 0, kind = "input" }, { 1, 0.5 }, { 2, kind = "input" } } },
} }
local source = two:play(rise, { name = "rise" })
local values
for _ = 0, 100 do values = two:tick({ 0.1, 0.2 }, 0.01) end       -- ticks at 0, 0.01, ... 1 s
print(("%.2f %.2f"):format(values[1], values[2]))                 --> 0.50 0.20
local story, from = two:why(1)
print(from[1].said, from[1].before, from[1].after)                --> on	0.1	0.5
print(story.below, story.owner == source)                         --> 0.1	true

-- Half of it, and a slider in the mixer: the mean of both, by their gains.
two:set(source, "speed", 0)
two:set(source, "gain", 0.5)
local slider = two:live { name = "slider", stage = "mixer" }
two:say(slider, 2, 0.8)
for _ = 1, 100 do values = two:tick({ 0.1, 0.2 }, 0.01) end
print(("%.2f %.2f"):format(values[1], values[2]))                 --> 0.30 0.50
for _, channel in ipairs(two:sources()) do print(channel.name, channel.stage, channel.gain) end
--> rise	sequences	0.5
--> slider	mixer	1.0
local names = {}
for place, stage in ipairs(two:stages()) do names[place] = stage.name end
print(table.concat(names, " < "))
--> merge < eyelids < sequences < keys < random < operator < mixer
