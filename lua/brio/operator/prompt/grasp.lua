--- The tree of the word `fetch`: a hand goes to a thing, grasps it, and brings it to a place or back.
---
--- Where the hand grasps is known from `hands` of the robot's file: the point of grasp in the hand's frame.
--- The hand approaches along the axis of its frame that is nearest to that point's direction.  Ways to hold
--- it are tried in an order: from above, then level from the shoulder, each turned about the approach by
--- steps, those near the hand's present orientation first.  A leaf that cannot get to its pose fails before
--- it moves, so the first way that is within reach is taken.
local geometry = require "brio.lib.geometry"
local grips = require "brio.robots.grips"
local limbs = require "brio.robots.limbs"
local suggest = require "brio.lib.suggest"

local grasp = {}

--- Distance at which the approach begins, m; turns about it that are considered, and how many of them are
--- tried for each direction; the permitted tilt, rad.
local ahead, turns, tried, tilt = 0.1, 8, 4, 0.3

--- The hand of a limb, of robot.lua: {link, grip, grasp, ...}; nil and a sentence.
local function hand_of(description, limb)
  for _, name in ipairs(suggest.keys(description.hands or {})) do
    local hand = description.hands[name]
    if suggest.contains(limbs.chain(description.robot, hand.link), limb.dofs[#limb.dofs]) then return hand end
  end
  return nil, ("the file of the robot %s does not say where its hand grasps: robot.lua needs `hands`"):format(
    description.name)
end

--- The name of the grips of that hand; nil and a sentence.
local function grips_of(description, hand)
  local all, why = grips.hands(description)
  if not all then return nil, why end
  for _, name in ipairs(suggest.keys(all)) do
    local own = all[name]
    if suggest.contains(own.dofs, hand.grip) and own.grips.open and own.grips.close then return name end
  end
  return nil, ("the hand with %s has no grips `open` and `close`"):format(hand.grip)
end

--- What a limb grasps with: {link, grip, grasp, ..., fingers = the name of its grips}; nil and a sentence.
function grasp.hand(description, limb)
  local known, why = hand_of(description, limb)
  if not known then return nil, why end
  local hand = setmetatable({}, { __index = known })
  hand.fingers, why = grips_of(description, hand)
  if not hand.fingers then return nil, why end
  return hand
end

--- The axis of the hand's frame, {x, y, z} of 0, 1 and -1, along which it approaches.
local function approach_axis(point)
  local axis, best = 3, 0
  for k = 1, 3 do
    if math.abs(point[k]) > best then axis, best = k, math.abs(point[k]) end
  end
  local made = { 0, 0, 0 }
  made[axis] = point[axis] < 0 and -1 or 1
  return made
end

local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

--- The rotation by an angle about a unit vector.
local function about(axis, angle)
  local s = math.sin(angle / 2)
  return { s * axis[1], s * axis[2], s * axis[3], math.cos(angle / 2) }
end

--- The shortest rotation from one unit vector to another.
local function from_to(a, b)
  local c = a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
  if c < -1 + 1e-9 then -- opposite: about any axis across
    local k = math.abs(a[1]) < 0.9 and { 1, 0, 0 } or { 0, 1, 0 }
    local x = cross(a, k)
    local n = math.sqrt(x[1] ^ 2 + x[2] ^ 2 + x[3] ^ 2)
    return about({ x[1] / n, x[2] / n, x[3] / n }, math.pi)
  end
  local x, w = cross(a, b), math.sqrt(2 * (1 + c))
  return { x[1] / w, x[2] / w, x[3] / w, w / 2 }
end

--- Orientations of the hand in which `axis` points along `way`, a unit vector: nearest to the present first.
local function turned(axis, way, present)
  local base, list = from_to(axis, way), {}
  for k = 1, turns do
    list[k] = geometry.times(about(way, 2 * math.pi * (k - 1) / turns), base)
  end
  table.sort(list, function(a, b) return geometry.angle(a, present) < geometry.angle(b, present) end)
  return table.move(list, 1, tried, 1, {})
end

--- All ways to hold a thing at a point: a list of {orientation, way}.
local function holds(run, limb, hand, point)
  local frames, list = run.solver:frames(), {}
  local from = frames[run.description.robot:joint(limb.dofs[1]).child].position
  local x, y = point[1] - from[1], point[2] - from[2]
  local far = math.sqrt(x * x + y * y)
  local axis, ways = approach_axis(hand.grasp), { { 0, 0, -1 } }
  if far > 0.05 then ways[2] = { x / far, y / far, 0 } end
  for _, way in ipairs(ways) do
    for _, orientation in ipairs(turned(axis, way, frames[hand.link].orientation)) do
      list[#list + 1] = { orientation = orientation, way = way }
    end
  end
  return list
end

--- The pose of the hand's link with its point of grasp at `point`, back along the approach by `back`.
local function pose_at(hand, hold, point, back)
  local turn = geometry.turn(hold.orientation, hand.grasp)
  local p = {}
  for k = 1, 3 do p[k] = point[k] - turn[k] - back * hold.way[k] end
  return { position = p, orientation = hold.orientation }
end

--- A leaf `arm` of the limb; `more`: its other fields.
local function arm(parts, name, more)
  local node = { "arm", name = name, side = parts.limb.side, part = parts.limb.side == nil and parts.limb.part
    or nil, plan = "seen", hold = "always", touch = { parts.object }, orientation_tolerance = tilt }
  for key, value in next, parts.fields do
    if type(key) == "string" then node[key] = value end
  end
  for key, value in next, more do node[key] = value end
  return node
end

--- The nodes that bring the hand to the thing, one way after the other until one is within reach; and those
--- that lift it off again, the same way back.  They share which way was taken.
local function approach(parts, hand, frame, list)
  local there, back = { "selector", name = "a way to hold it" }, { "selector", name = "off with it" }
  local into, chosen = geometry.inverse(frame), nil
  for k, hold in ipairs(list) do
    local before, at = pose_at(hand, hold, frame.position, ahead), pose_at(hand, hold, frame.position, 0)
    there[k + 1] = { "sequence", name = "way " .. k,
      arm(parts, ("before it, way %d"):format(k), { link = hand.link, frame = parts.object,
        pose = geometry.within(into, before), position_tolerance = 0.03 }),
      arm(parts, ("to it, way %d"):format(k), { link = hand.link, frame = parts.object,
        pose = geometry.within(into, at), position_tolerance = 0.01, speed = parts.fields.speed or 0.3,
        plan = true }),
      { "action", name = ("way %d is taken"):format(k), tick = function()
        chosen = k
        return true
      end } }
    back[k + 1] = { "sequence", name = ("off, way %d"):format(k),
      { "condition", name = ("it was way %d"):format(k), holds = function() return chosen == k end },
      arm(parts, ("off with it, way %d"):format(k), { link = hand.link, frame = "world", pose = before,
        position_tolerance = 0.05, plan = true }) }
  end
  return there, back
end

--- The nodes that bring the thing to a place: held as is possible there.
local function bring(parts, hand, place)
  local node = { "selector", name = "to the place" }
  local base = parts.run.scene:frame(parts.run.description.roles[place.frame] or place.frame or "")
  if place.frame and not base then return nil, ("there is no frame '%s'"):format(place.frame) end
  local point = base and geometry.within(base, { position = place.position }).position or place.position
  for k, hold in ipairs(holds(parts.run, parts.limb, hand, point)) do
    node[k + 1] = arm(parts, ("to the place, way %d"):format(k), { link = hand.link, frame = "world",
      pose = pose_at(hand, hold, point, 0) })
  end
  return node
end

--- The tree: {run, limb, hand, object = name of what is fetched, [place = {position, frame}], fields =
--- further fields of its arms}.  Nil and a sentence: it is not possible.
function grasp.tree(parts)
  local run, limb, hand, why = parts.run, parts.limb, parts.hand, nil
  local frame, joints = run.scene:frame(parts.object), {}
  if not frame then return nil, ("the robot does not see '%s' any more"):format(parts.object) end
  for _, name in ipairs(limb.dofs) do joints[name] = run.host.actuator:target(name) end
  local last = arm(parts, "back with it", { joints = joints })
  if parts.place then last, why = bring(parts, hand, parts.place) end
  if not last then return nil, why end
  local there, back = approach(parts, hand, frame, holds(run, limb, hand, frame.position))
  return { "sequence", name = "fetch " .. parts.object,
    { "hand", name = "open", hand = hand.fingers, grip = "open", hold = "always" }, there,
    { "hand", name = "close", hand = hand.fingers, grip = "close", success = "holds", timeout = 5,
      hold = "always" },
    back, last }
end

return grasp
