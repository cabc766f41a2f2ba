--- The Lua binding of articulated-motion estimation; the estimates themselves are tested in C.
local articulated = require "brio.articulated"

local function arc(turned)
  local track = {}
  for i = 0, 30 do
    local a = 0.03 * i
    local place = { 0.5 * math.cos(a), 0.5 * math.sin(a), 1 }
    track[#track + 1] = turned and { position = place,
      orientation = { 0, 0, math.sin(a / 2), math.cos(a / 2) } } or place
  end
  return track
end

test("a hinge is told from places and from poses, and goes on where it went", function(t)
  for _, turned in ipairs { false, true } do
    local a = assert(articulated.estimate(arc(turned)))
    t:equal(a.kind, "hinge")
    t:equal(a.oriented, turned)
    t:near(a.radius, 0.5, 1e-3)
    t:near(a.axis[3], 1, 1e-6)
    t:near(articulated.value(a, { 0, 0.5, 1 }), math.pi / 2, 1e-3)
    t:near(articulated.value(a, { 0, 0.5, 1 }, 6), math.pi / 2 + 2 * math.pi, 1e-3)
    local pose = articulated.pose(a, math.pi)
    t:near(pose.position[1], -0.5, 2e-3)
    if turned then t:near(math.abs(pose.orientation[3]), 1, 1e-3) end
    t:near(a.probability.fixed + a.probability.slider + a.probability.hinge, 1, 1e-9)
  end
end)

test("what is known of the kind is taken; wrong use is said", function(t)
  local a = assert(articulated.estimate(arc(false), { only = "slider", noise = 0.01 }))
  t:equal(a.kind, "slider")
  t:equal(a.noise, 0.01)
  local none, why, code = articulated.estimate({ { 0, 0, 0 } })
  t:equal(none, nil)
  t:match(why, "at least 6")
  t:equal(code, "unreachable")
  t:raises(function() articulated.estimate({ 1, 2 }) end, "place 1")
  t:raises(function() articulated.estimate(arc(false), { only = "door" }) end, "fixed, slider or hinge")
  t:raises(function() articulated.estimate(arc(false), { noise = -1 }) end, "noise")
  t:raises(function() articulated.value({ kind = "lid" }, { 0, 0, 0 }) end, "lid")
end)
