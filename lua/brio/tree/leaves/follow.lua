--- The leaf `follow`: walks behind a person at a distance; a lost person is searched where they were last
--- seen.
local gait = require "brio.motion.gait"
local geometry = require "brio.lib.geometry"
local moves = require "brio.tree.execution.moves"
local travel = require "brio.tree.execution.travel"

--- Tolerance of the distance while the person stands, m; angle to the person above which the robot turns,
--- rad.
local slack, aside = 0.25, 0.45

--- Distance beyond the last seen position, in the person's direction, at which it searches, m.
local beyond = 0.9

--- Angle to both sides of that direction by which it turns, rad.
local to_side = 1.2

local fields = moves.merged(travel.fields, {
  who = { "string", value = "person", doc = "a kind, of which the nearest is followed, or the id of one" },
  distance = { "number", unit = "m", lower = 0.4, upper = 20, value = 1.2, doc = "how far behind it stays" },
  seconds = { "number", unit = "s", lower = 0, upper = 86400,
    doc = "after this time it succeeds as soon as it stands behind them; default: it follows until it is \z
      stopped" },
  lost = { "number", unit = "s", lower = 0, upper = 3600, value = 15,
    doc = "it fails if they are out of sight for this time" },
  appear = { "number", unit = "s", lower = 0, upper = 3600, value = 10,
    doc = "it fails if nobody is there for this time at its start" },
})

--- Record all people other than the followed one, who are excluded later too.
local function note_others(site, form, memory)
  for _, object in ipairs(site.host.scene:objects(form.who)) do
    if object.id ~= memory.id then memory.others[object.id] = true end
  end
end

--- The followed person if visible: the same one as before, else the nearest who is not excluded; nil:
--- nobody.
local function find(site, form, memory)
  local scene = site.host.scene
  memory.others = memory.others or {}
  local known = memory.id and scene:find(memory.id) or scene:find(form.who)
  if known then return known end
  local of = memory.last and memory.last.position or site.host.stance:walking().position
  local best, least = nil, memory.last and 4 or math.huge
  for _, object in ipairs(scene:objects(form.who)) do
    local far = geometry.distance(object.position, of)
    if far < least and not memory.others[object.id] then best, least = object, far end
  end
  return best
end

local function tell(site, memory, name, who)
  if memory.told == name then return end
  memory.told = name
  site.host:emit(name, { id = who }, "tree", who)
end

--- Goal pose, {x, y, yaw}: on the line towards the person, at the distance; nil: the present one is good.
local function goal_of(site, form, object)
  local here = site.host.stance:walking()
  local x, y = object.position[1] - here.position[1], object.position[2] - here.position[2]
  local far, way = math.sqrt(x * x + y * y), math.atan(y, x)
  local bearing = math.abs((way - gait.yaw(here) + math.pi) % (2 * math.pi) - math.pi)
  if far < form.distance + slack and bearing < aside then return nil end
  local ahead = math.max(0, far - form.distance)
  return { x = here.position[1] + ahead * math.cos(way), y = here.position[2] + ahead * math.sin(way),
    yaw = way }
end

--- Distance to the last seen position while the person may still stand there, m.
local room = 0.8

--- First place of the search: in front of the last seen position.
local function before_last(site, memory)
  local here, last = site.host.stance:walking().position, memory.last.position
  local x, y = last[1] - here[1], last[2] - here[2]
  local far = math.sqrt(x * x + y * y)
  local share = math.max(0, far - room) / math.max(far, 1e-6)
  return { x = here[1] + share * x, y = here[2] + share * y, yaw = math.atan(y, x) }
end

--- The person's probable position: a little beyond the last seen one.
local function guess(memory, share)
  local last = memory.last
  local v = last.velocity
  local speed = math.sqrt(v[1] ^ 2 + v[2] ^ 2)
  local way = speed > 0.1 and math.atan(v[2], v[1]) or memory.way or 0
  local x, y = share * beyond * math.cos(way), share * beyond * math.sin(way)
  return { x = last.position[1] + x, y = last.position[2] + y, yaw = way }
end

--- Move a goal back towards the robot until the grid is free around it; if it never is, the robot's own
--- position.
local function with_room(site, form, goal)
  local grid = site.host.map and site.host.map.grid
  local here = site.host.stance:walking().position
  for step = 0, 10 do
    local at = { goal.x + (here[1] - goal.x) * step / 10, goal.y + (here[2] - goal.y) * step / 10 }
    if not grid or not grid:meets(at, at, math.min(2, form.clearance)) then
      return { x = at[1], y = at[2], yaw = goal.yaw }
    end
  end
  return { x = here[1], y = here[2], yaw = goal.yaw }
end

local function begin_trip(site, form, memory, goal)
  memory.trip = memory.trip or travel.new(site, { clearance = form.clearance, known_only = form.known_only,
    settings = form.settings, except = form.except, patience = form.patience, steps = 3 })
  memory.trip:aim(with_room(site, form, goal))
end

--- The person is visible: follow.
local function go_after(site, form, memory, object)
  memory.id, memory.last, memory.seen, memory.guesses = object.id, object, site.host.now, 0
  note_others(site, form, memory)
  tell(site, memory, "follow_sees", object.id)
  local goal = goal_of(site, form, object)
  if not goal then
    if memory.trip then memory.trip:stop() end -- no more steps: the person may have stopped, or come back
    memory.trip, memory.arrived = nil, true
    return nil
  end
  memory.way, memory.arrived = goal.yaw, false
  begin_trip(site, form, memory, goal)
end

--- The person is not visible: go to the last position, a little beyond, and turn to both sides.
local function look_for(site, form, memory)
  tell(site, memory, "follow_lost", memory.id)
  if memory.guesses == 0 then memory.guesses, memory.looking = 1, before_last(site, memory) end
  begin_trip(site, form, memory, memory.looking)
  memory.arrived = false
end

--- The place of the search is reached: go a little farther in the same direction, then to both sides, and
--- so on.
local function look_on(memory)
  memory.guesses = memory.guesses + 1
  local farther, side = (memory.guesses + 1) // 3, (memory.guesses - 2) % 3
  memory.looking = guess(memory, farther)
  if side > 0 then memory.looking.yaw = memory.looking.yaw + (side == 1 and to_side or -to_side) end
end

local function words_of_loss(site, memory)
  local p = memory.last.position
  local words = "%s was lost: not seen for %.3g s (lost), last at (%.1f, %.1f)"
  return words:format(memory.id, site.host.now - memory.seen, p[1], p[2])
end

local function travel_on(memory, seen)
  if not memory.trip or memory.arrived then return nil end
  local done, why = memory.trip:work()
  if done == nil then return nil end
  if done then
    memory.arrived = seen
    if not seen then look_on(memory) end
    return nil
  end
  memory.trip:stop()
  memory.trip = nil
  if not seen then
    look_on(memory)
    return nil
  end
  return false, why
end

local function work(site, form, memory, _, elapsed)
  local ready, why = travel.ready(site, elapsed)
  if not ready then return ready, why end
  local object = find(site, form, memory)
  if form.seconds and elapsed >= form.seconds and object and not goal_of(site, form, object) then
    if memory.trip then memory.trip:stop() end
    return true
  end
  if object then
    go_after(site, form, memory, object)
  elseif not memory.last then
    if elapsed < form.appear then return nil end
    return false, ("there is no %s to follow, for %g s (appear)"):format(form.who, form.appear)
  elseif site.host.now - memory.seen >= form.lost then
    if memory.trip then memory.trip:stop() end
    return false, words_of_loss(site, memory)
  else
    look_for(site, form, memory)
  end
  return travel_on(memory, object ~= nil)
end

return {
  name = "follow",
  doc = "Stays behind somebody at a distance, and looks for them where they were seen last when they are \z
    lost.",
  fields = fields,
  fault = function(form, site) return travel.fault(site, form) end,
  owns = travel.owns,
  seconds = function(form) return form.seconds end,
  work = work,
  stop = function(_, _, memory) if memory.trip then memory.trip:stop() end end,
  pause = function(site, _, _, on) site.host.stance:hold(on) end,
  progress = function(site, form, memory)
    if not memory.last then return { text = "nobody is seen" } end
    local here, p = site.host.stance:walking().position, memory.last.position
    local far = math.sqrt((p[1] - here[1]) ^ 2 + (p[2] - here[2]) ^ 2)
    local ago = site.host.now - memory.seen
    return { value = far, error = math.abs(far - form.distance), unit = "m", nominal = form.seconds,
      text = ago < 0.5 and ("%.1f m behind %s"):format(far, memory.id)
        or ("%s was seen %.1f s ago"):format(memory.id, ago) }
  end,
  inherit = { "clearance", "distance", "settings" },
}
