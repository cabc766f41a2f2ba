--- The leaf `search`: visits places one after the other until an object of a kind is visible.
---
--- If the map remembers where such an object was seen, the nearest place to it is first. At each place the
--- robot turns its head before it goes on. Unreachable places are skipped, and named at the end.
local fields_of = require "brio.lib.fields"
local geometry = require "brio.lib.geometry"
local moves = require "brio.tree.execution.moves"
local neck = require "brio.tree.leaves.neck"
local travel = require "brio.tree.execution.travel"

local fields = moves.merged(travel.fields, {
  what = { "string", doc = "its target: a kind, or an id" },
  places = { "list", of = "string", doc = "names of places of self.map, in turn; without, all of them \z
    by name" },
  room = { "string", doc = "only places in this room" },
  look = { "list", of = "number", value = { 0.8, -0.8, 0 },
    doc = "where the head turns to at each place, one after the other, "
    .. "rad to its left; an empty list: it looks ahead alone" },
  pause = { "number", unit = "s", lower = 0, upper = 60, value = 0.4, doc = "how long it looks there" },
  timeout = { "number", unit = "s", lower = 0, upper = 86400, doc = "until when it must have been found" },
})

--- The searched object, if it is visible now.
local function seen(site, form)
  local here = site.host.stance:walking()
  return site.host.scene:find(form.what) or site.host.scene:nearest(form.what, { of = here.position })
end

--- The places to visit, the most likely first; nil and a sentence.
local function plan_of(site, form)
  local map = site.host.map and site.host.map.memory
  if not map then
    return nil, "the behavior has no map: character = { map = true }, and places that are remembered"
  end
  local list = {}
  for _, name in ipairs(form.places or {}) do
    if not map.places[name] then return nil, ("the map knows no place '%s'"):format(name) end
    list[#list + 1] = map.places[name]
  end
  if not form.places then list = map:list_places() end
  for index = #list, 1, -1 do
    if form.room and list[index].room ~= form.room then table.remove(list, index) end
  end
  if #list == 0 then
    return nil, "the map knows no place to look at" .. (form.room and " in " .. form.room or "")
  end
  local before = map:list_things({ kind = form.what })[1]
  if before then
    local best = 1
    for index, place in ipairs(list) do
      local least = geometry.distance(list[best].position, before.position)
      if geometry.distance(place.position, before.position) < least then best = index end
    end
    table.insert(list, 1, table.remove(list, best))
  end
  return list
end

local function begin_place(site, form, memory)
  memory.number = memory.number + 1
  local place = memory.places[memory.number]
  memory.looked, memory.neck, memory.place = 0, nil, place
  if not place then return end
  memory.trip = travel.new(site, { clearance = form.clearance, known_only = form.known_only,
    settings = form.settings, except = form.except, patience = form.patience })
  memory.trip:aim { x = place.position[1], y = place.position[2], yaw = place.yaw }
end

--- Turn the head to the next side, and observe for a while. Return true after all sides.
local function look_about(site, form, memory)
  local yaw = form.look[memory.looked + 1]
  if not yaw then return true end
  local turn = memory.neck
  if not turn then
    local asked = { "neck", yaw = yaw, speed = 0.4, timeout = 3 }
    turn = { form = fields_of.filled(asked, neck.fields), memory = { key = memory.key },
      begun = site.host.now }
    memory.neck = turn
  end
  if not turn.till then
    local done = neck.work(site, turn.form, turn.memory, not turn.fresh, site.host.now - turn.begun)
    turn.fresh = true
    if done ~= nil then turn.till = site.host.now + form.pause end -- also if the neck does not reach the side
  elseif site.host.now >= turn.till - 1e-9 then
    memory.looked, memory.neck = memory.looked + 1, nil
  end
end

local function words_of_failure(form, memory)
  local names = {}
  for index, place in ipairs(memory.places) do names[index] = place.name end
  local left_out = {}
  for _, one in ipairs(memory.left_out) do left_out[#left_out + 1] = ("%s: %s"):format(one.name, one.why) end
  local visited = #memory.places - #left_out
  return ("no %s was seen at %d of %d places (%s)%s"):format(form.what, visited, #memory.places,
    table.concat(names, ", "), #left_out > 0 and "; not reached: " .. table.concat(left_out, "; ") or "")
end

local function let_go(site, memory)
  if memory.trip then memory.trip:stop() end
  if memory.neck and not memory.neck.till then neck.stop(site, memory.neck.form, memory.neck.memory) end
end

local function begin(site, form, memory, elapsed)
  local ready, why = travel.ready(site, elapsed)
  if not ready then return ready, why end
  memory.places, why = plan_of(site, form)
  if not memory.places then return false, why end
  memory.number, memory.left_out = 0, {}
  begin_place(site, form, memory)
  return true
end

local function visit(site, form, memory)
  if memory.trip then
    local done, why = memory.trip:work()
    if done == nil then return end
    if done == false then
      memory.left_out[#memory.left_out + 1] = { name = memory.place.name, why = why }
      memory.trip:stop()
      begin_place(site, form, memory)
      return
    end
    memory.trip = nil
  end
  if look_about(site, form, memory) then begin_place(site, form, memory) end
end

local function work(site, form, memory, _, elapsed)
  if not memory.places then
    local ready, why = begin(site, form, memory, elapsed)
    if not ready then return ready, why end
  end
  local object = seen(site, form)
  if object then
    let_go(site, memory)
    site.host:emit("search_found", object, "tree", object.id)
    return true
  end
  if form.timeout and elapsed >= form.timeout then
    let_go(site, memory)
    return false, ("no %s was seen in %g s (timeout)"):format(form.what, form.timeout)
  end
  if not memory.place then return false, words_of_failure(form, memory) end
  visit(site, form, memory)
  return nil
end

return {
  name = "search",
  doc = "Visits places one after the other until something of a kind is seen.",
  fields = fields, needs = "what",
  fault = function(form, site)
    for index, yaw in ipairs(form.look) do
      if type(yaw) ~= "number" or math.abs(yaw) > 4 then
        return ("look[%d] must be rad, up to 4"):format(index)
      end
    end
    return travel.fault(site, form)
  end,
  owns = function(form, site)
    local names = travel.owns(form, site)
    table.move(neck.owns({ "neck" }, site), 1, #neck.owns({ "neck" }, site), #names + 1, names)
    return names, true
  end,
  work = work,
  stop = function(site, _, memory) let_go(site, memory) end,
  pause = function(site, _, _, on) site.host.stance:hold(on) end,
  progress = function(_, form, memory)
    if not memory.place then return {} end
    local doing = memory.trip and memory.trip:text() or "looks about"
    return { value = memory.number, text = ("%s %d of %d, for %s: %s"):format(memory.place.name,
      memory.number, #memory.places, form.what, doing) }
  end,
  inherit = { "clearance", "known_only", "patience", "settings" },
}
