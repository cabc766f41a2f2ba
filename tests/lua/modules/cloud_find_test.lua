--- The Lua binding of finders in clouds.
local cloud = require "brio.cloud"
local random = require "brio.random"

--- A table's top (0.8 by 1.2 m, 0.75 m high, its edge 1 m ahead), two things on it, and a wall with a door
--- ajar.
local function scene()
  local stream, points = random.stream(7, "scene"), {}
  local function sheet(n, corner, u, v)
    for _ = 1, n do
      local a, b = stream:uniform(0, 1), stream:uniform(0, 1)
      local p = {}
      for k = 1, 3 do p[k] = corner[k] + a * u[k] + b * v[k] + stream:uniform(-0.001, 0.001) end
      points[#points + 1] = p
    end
  end
  sheet(6000, { 1, -0.6, 0.75 }, { 0.8, 0, 0 }, { 0, 1.2, 0 })
  sheet(600, { 1.2, -0.3, 0.85 }, { 0.1, 0, 0 }, { 0, 0.2, 0 })
  sheet(600, { 1.2, -0.3, 0.77 }, { 0, 0.2, 0 }, { 0, 0, 0.08 })
  sheet(600, { 1.3, 0.2, 0.9 }, { 0.1, 0, 0 }, { 0, 0.1, 0 })
  sheet(600, { 1.3, 0.2, 0.77 }, { 0, 0.1, 0 }, { 0, 0, 0.13 })
  sheet(4000, { 3, 1, 0 }, { 0, 1.5, 0 }, { 0, 0, 2.5 })
  sheet(4000, { 3, -0.9, 0 }, { 0, 1, 0 }, { 0, 0, 2.5 })
  sheet(5000, { 3, 1, 0 }, { 0.5, -0.75, 0 }, { 0, 0, 2 })
  return assert(cloud.new { points = points, viewpoint = { position = { 0, 0, 1.5 } } })
end

test("planes, things and normals of a cloud", function(t)
  local c = scene()
  local planes, labeled = c:planes { labels = true }
  local top
  for i, plane in ipairs(planes) do
    if plane.normal[3] > 0.99 and math.abs(plane.pose.position[3] - 0.75) < 0.01 and not top then top = i end
  end
  t:ok(top, "the top is among the planes")
  t:near(planes[top].area, 0.96, 0.05)
  t:near(planes[top].size[1], 1.2, 0.03)
  t:equal(labeled:labels()[top], planes[top].points)
  t:equal(#labeled, #c)
  local things, sorted = c:clusters { above = planes[top], distance = 0.04, labels = true }
  t:equal(#things, 2)
  t:equal(sorted:labels()[1], things[1].points)
  local high = { things[1].size[3], things[2].size[3] }
  table.sort(high)
  t:near(high[1], 0.08, 0.02)
  t:near(high[2], 0.13, 0.02)
  local normals = c:normals(0.06)
  t:equal(#normals, #c)
  t:near(math.abs(normals:point(20)[3]), 1, 0.02)
  local edges, of = c:edges { length = 0.5, tilt = 0.1 }
  t:ok(#edges >= 3 and #of >= 1, "edges of the top")
end)

test("the edge of a table, a door and its frame", function(t)
  local c = scene()
  local edge = assert(c:table_edge { least = 20 })
  t:near(edge.pose.position[1], 1, 0.01)
  t:near(edge.height, 0.75, 0.005)
  t:near(edge.left[2] - edge.right[2], edge.length, 0.01)
  t:near(edge.swept.left, 0.97, 0.08)
  local door, all = assert(c:door_panel { width = { 0.6, 1.2 } })
  t:equal(door, all[1])
  t:near(door.width, 0.9, 0.05)
  t:equal(door.hinge, "left")
  t:equal(door.told_by, "ajar")
  local near = assert(c:door_panel { near = { 3.44, 0.32, 1 } })
  t:equal(near.told_by, "handle")
  local frame, why, code = c:door_frame {
    panel = { position = near.right, orientation = near.pose.orientation },
                                          width = near.width, least = 1000000 }
  t:equal(frame, nil)
  t:match(why, "latch post")
  t:equal(code, "unreachable")
  frame = assert(c:door_frame { panel = { position = near.right, orientation = near.pose.orientation },
                                width = near.width, span = 1, least = 20 })
  t:near(math.abs(frame.angle), math.atan(0.5, 0.75), 0.15)
  t:equal(#frame.counts, 37)
end)

test("what is wrong or missing is said", function(t)
  local c = scene()
  local edge, why, code = c:table_edge { from = { position = { 0, 50, 0 } } }
  t:equal(edge, nil)
  t:match(why, "no table edge")
  t:equal(code, "unreachable")
  t:equal(select(3, cloud.new { points = {} }:planes()), "unreachable")
  t:equal(select(3, c:door_panel { near = { 9, 9, 9 } }), "unreachable")
  t:raises(function() c:planes { tilts = 1 } end, "tilt")
  t:raises(function() c:planes { tilt = 0 / 0 } end, "tilt")
  t:raises(function() c:clusters { above = { normal = { 0, 0, 1 }, offset = 0 } } end, "hull")
  t:raises(function() c:clusters { above = { normal = { 0, 0, 5 }, offset = 0 } } end, "length 1")
  t:raises(function() c:planes { up = { 0, 0, 0 } } end, "direction")
  t:raises(function() c:normals(-1) end, "radius")
  t:raises(function() c:door_frame { width = 0.01 } end, "width")
end)

test("each finder says what it found, with lines that can be drawn", function(t)
  local c = scene()
  local found = {}
  for _, row in ipairs(require("brio.perception.finders").list) do
    local things = assert(row.find(c, c:facts()), row.name)
    t:ok(#things > 0 and #row.doc > 10, row.name .. " finds something")
    for _, thing in ipairs(things) do
      t:ok(#thing.text > 20 and not thing.text:find("nan", 1, true), thing.text)
      for _, line in ipairs(thing.lines) do
        for _, point in ipairs(line) do t:equal(#point, 3) end
      end
    end
    found[row.name] = things
  end
  t:near(found.table[1].values.pose.position[1], 1, 0.01)
  t:equal(found.doors[1].values.hinge, "left")
  t:equal(#found.things, 2)
  for _, row in ipairs(require("brio.perception.finders").list) do
    local none, why = row.find(cloud.new { points = {} }, cloud.new({ points = {} }):facts())
    t:ok(none == nil and #why > 10, row.name .. " says why nothing was found")
  end
end)
