--- The leaf `go_to`: walks to a remembered place, into a room, or up to a visible object, around obstacles.
local gait = require "brio.motion.gait"
local geometry = require "brio.lib.geometry"
local moves = require "brio.tree.execution.moves"
local travel = require "brio.tree.execution.travel"

--- Directions from an object, relative to the one towards the robot, in which it may stand before it, rad.
local around = { 0, 0.6, -0.6, 1.2, -1.2, 1.9, -1.9, 2.6, -2.6, math.pi }

local fields = moves.merged(travel.fields, {
  place = { "string", doc = "where to: a place or a room of self.map, what was seen (its kind or id), or a \z
    frame" },
  at = { "vector", size = 2, unit = "m", doc = "a point of the world instead" },
  yaw = { "number", unit = "rad", lower = -7, upper = 7,
    doc = "its heading there; default: that of the place, or ahead" },
  distance = { "number", unit = "m", lower = 0, upper = 20, value = 0.8,
    doc = "how far before a thing it stops, facing it" },
  tolerance = { "number", unit = "m", lower = 0.01, upper = 100, value = 0.1,
    doc = "how far off it may be in the end" },
  timeout = { "number", unit = "s", lower = 0, upper = 86400, doc = "until when it must be there" },
})

--- Places to stand before a thing at a point.
local function before(site, point, form)
  local here = site.host.stance:walking().position
  local towards, list = math.atan(here[2] - point[2], here[1] - point[1]), {}
  for index, turn in ipairs(around) do
    local way = towards + turn
    list[index] = { x = point[1] + form.distance * math.cos(way),
      y = point[2] + form.distance * math.sin(way),
      yaw = form.yaw or way + math.pi }
  end
  return list
end

--- Goals of a named place: a list, in order of preference; nil and a sentence.
local function goals_of(site, form)
  local host, here = site.host, site.host.stance:walking().position
  local function ahead(x, y) return form.yaw or math.atan(y - here[2], x - here[1]) end
  if form.at then return { { x = form.at[1], y = form.at[2], yaw = ahead(form.at[1], form.at[2]) } } end
  local map = host.map and host.map.memory
  local place = map and map.places[form.place]
  if place then return { { x = place.position[1], y = place.position[2], yaw = form.yaw or place.yaw } } end
  local middle = map and map:middle_of(form.place)
  if middle then return { { x = middle[1], y = middle[2], yaw = ahead(middle[1], middle[2]) } } end
  local object = host.scene:find(form.place) or host.scene:nearest(form.place, { of = here })
  local thing = object or map and map:list_things({ kind = form.place })[1]
  if thing then return before(site, thing.position, form) end
  local frame = host.scene:frame(site.description.roles[form.place] or form.place)
  if frame then return before(site, frame.position, form) end
  return nil, ("it is not known where '%s' is: no place or room of the map, nothing that was seen, \z
    no frame"):format(form.place)
end

local function next_goal(site, form, memory)
  memory.tried = memory.tried + 1
  local goal = memory.goals[memory.tried]
  local last = memory.tried == #memory.goals
  memory.trip = travel.new(site, { clearance = form.clearance, known_only = form.known_only,
    settings = form.settings,
    except = form.except, patience = last and form.patience or math.min(form.patience, 1) })
  memory.trip:aim(goal)
  memory.goal = goal
end

local function arrived(site, form, memory)
  local here = site.host.stance:walking()
  local far = geometry.distance({ here.position[1], here.position[2], 0 },
    { memory.goal.x, memory.goal.y, 0 })
  if far <= form.tolerance then return true end
  return false, ("it stands %.2f m from its goal (tolerance %g m)"):format(far, form.tolerance)
end

local function work(site, form, memory, _, elapsed)
  if not memory.trip then
    local ready, why = travel.ready(site, elapsed)
    if not ready then return ready, why end
    memory.goals, why = goals_of(site, form)
    if not memory.goals then return false, why end
    memory.tried = 0
    next_goal(site, form, memory)
  end
  if form.timeout and elapsed >= form.timeout then
    memory.trip:stop()
    return false, ("it is not there in %g s (timeout): it %s"):format(form.timeout, memory.trip:text())
  end
  local done, why = memory.trip:work()
  if done == nil then return nil end
  if done then return arrived(site, form, memory) end
  memory.trip:stop()
  if memory.tried < #memory.goals then
    next_goal(site, form, memory)
    return nil
  end
  return false, why
end

return {
  name = "go_to",
  doc = "Walks to a remembered place, into a room, or up to something that was seen, around obstacles.",
  fields = fields,
  fault = function(form, site)
    if (form.place == nil) == (form.at == nil) then
      return "give either place or at"
    end
    return travel.fault(site, form)
  end,
  owns = travel.owns,
  work = work,
  stop = function(_, _, memory) if memory.trip then memory.trip:stop() end end,
  pause = function(site, _, _, on) site.host.stance:hold(on) end,
  progress = function(site, _, memory)
    if not memory.goal then return {} end
    local here = site.host.stance:walking().position
    return { error = geometry.distance({ here[1], here[2], 0 }, { memory.goal.x, memory.goal.y, 0 }),
      unit = "m", text = memory.trip:text() }
  end,
  capture = function(_, site)
    if not site.host.stance.body then return nil, "this robot does not walk: " .. site.host.stance.why end
    local here = site.host.stance:walking()
    return { at = { here.position[1], here.position[2] }, yaw = gait.yaw(here) }, { "place" }
  end,
  inherit = { "clearance", "known_only", "patience", "settings" },
}
