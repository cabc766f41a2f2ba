-- Detections come in and go; objects made of them persist.
local scene = require "brio.scene"

local s = scene.new { appear_after = 3, lost_after = 1.0 }
for tick = 1, 5 do
  s:update(tick * 0.05, { { kind = "person", id = "ann", position = { 2, 0.1, 1.6 }, confidence = 0.9 } })
  for _, event in ipairs(s:events()) do print(event.change, event.object.id) end  --> appeared	ann
end

local nearest = s:nearest("person", { within = 3 })
print(("%s at %.1f m"):format(nearest.id, nearest.position[1]))  --> ann at 2.0 m

s:update(2.0, {})
print(s:events()[1].change, s:find "ann")             --> lost	nil
