--- How the biped goes to a table: parts of trees, and the edge of a table as an object of the scene.
local brio = require "brio"

local tables = {}

--- Distance of the center of the feet from an edge, m: things near the edge are then in reach.
tables.distance = 0.20

tables.edge = brio.scene_object "edge" {
  doc = "The middle of the edge of a table that is nearest to a frame: on the ground, level, facing the \z
    table.",
  frames = { "table", "from" },
  needs = { "table", "from" },
  work = function(at)
    local seen, from = at.objects.table, at.frames.from.position
    local size = seen and seen.size
    if not size or size[1] == 0 then return nil, "it is not known how large the table is" end
    local middle, turned = at.frames.table.position, at.yaw(at.frames.table)
    local best, edge
    for side = 0, 3 do
      local yaw = turned + side * math.pi / 2
      local half = (side % 2 == 0 and size[1] or size[2]) / 2
      local x, y = middle[1] - half * math.cos(yaw), middle[2] - half * math.sin(yaw)
      local before = (from[1] - x) * -math.cos(yaw) + (from[2] - y) * -math.sin(yaw)
      if not best or before > best then best, edge = before, { x = x, y = y, yaw = yaw } end
    end
    return { position = { edge.x, edge.y, 0 }, orientation = { 0, 0, math.sin(edge.yaw / 2),
      math.cos(edge.yaw / 2) } }
  end,
}

--- The volume in front of the robot, not beside or behind it; in the frame "walking".
tables.ahead = { kind = "box", size = { 6, 1.6, 3 }, pose = { position = { 3, 0, 1 } } }

--- Search for a detection of `class`, turning to the left by quarters and a little back, until it is seen;
--- with `region`, in that volume in front of the robot.
function tables.look_for(class, region)
  return { "retry", name = "look around for the " .. class, times = 5,
    { "fallback", name = "look for the " .. class,
    try = { { "setup_object", name = "see the " .. class, object = class, class = class, history = 5,
      timeout = 0.7,
      region = region, region_frame = region and "walking" } },
    catch = { { "walk", name = "turn", stance = { -0.15, 0, 0 }, focal = { -0.15, 1, 0 } },
      { "fail", name = "it was not seen there" } } } }
end

--- Walk to a table of `class`: it is then an object of that name, and its edge one named "NAME edge".
function tables.walk_to(class)
  local edge = class .. " edge"
  local function walk(name, distance)
    return { "walk", name = name, frame = edge, stance = { -distance, 0, 0 }, focal = { 1, 0, 0 } }
  end
  return { "sequence", name = "go to the " .. class,
    tables.look_for(class),
    { "setup_object", object = edge, derive = "edge", with = { table = class, from = "pelvis" } },
    { "freeze_object", object = edge },
    walk("walk to the " .. class, tables.distance + 0.25),
    { "setup_object", name = "look again", object = class, class = class, history = 5, timeout = 3 },
    { "setup_object", object = edge, derive = "edge", with = { table = class, from = "pelvis" } },
    { "freeze_object", object = edge },
    walk("step up to it", tables.distance),
    { "proximity", name = "it is near enough", a = "walking", b = edge, distance = "xy",
      min = tables.distance - 0.03,
      max = tables.distance + 0.03, timeout = 1 } }
end

return tables
