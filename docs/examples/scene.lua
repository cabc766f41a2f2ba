-- Detections come in and go; objects made of them persist.
local scene = require "brio.scene"

local s = scene.new { appear_after = 3, lost_after = 1.0 }
for tick = 1, 5 do
  s:update(tick * 0.05, { { kind = "person", id = "ann", position = { 2, 0.1, 1.6 }, confidence = 0.9 } })
  for _, event in ipairs(s:events()) do print(event.change, event.object.id) end  --> appeared	ann
end

s:adopt("visitor", s:find "ann".number)                -- a scene object, which is a frame by its name
print(s:object("visitor").source, s:frame("visitor").position[1])  --> ann	2.0

local nearest = s:nearest("person", { within = 3 })
print(("%s at %.1f m"):format(nearest.id, nearest.position[1]))  --> ann at 2.0 m

s:update(2.0, {})
print(s:events()[1].change, s:find "ann")             --> lost	nil
print(s:object("visitor").stale, s:frame("visitor").position[1])   --> true	2.0

local head = s:declare_frame "head"
for k = 0, 10 do s:set_frame(head, { position = { 0, 0, 1 + k * 0.01 } }, 2 + k * 0.02) end
print(s:pose("head", "world", 2.1).position[3])        --> -1.05
local _, _, code = s:frame("head", 3) -- its newest pose is of 2.2 s
print(code)                                            --> unreachable

-- A detector that takes one thing for a cup and for a bowl in turn: it stays one thing.
local desk = scene.new()
desk:configure("cup", { moves = false, radius = 0.2, lost_after = 60, confusion = { "bowl" } })
for tick = 0, 9 do
  local kind = tick % 3 == 1 and "bowl" or "cup"
  desk:update(tick * 0.1, { { kind = kind, position = { 1, 0, 0.7 }, confidence = 0.8, time = tick * 0.1 } })
end
local one = desk:tracks()[1]
print(#desk:tracks(), one.kind, one.history, one.stable)  --> 1	cup	10	true

desk:update(5, { { kind = "cup", position = { 1, 0, 0.7 }, time = 1 } })
print((desk:refusals().last:match "^[^,]+"))               --> a detection of 'cup' is 4 s old
