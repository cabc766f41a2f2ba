--- self.gaze of behaviors.
local attention = require "brio.character.gaze.attention"
local chain = require "brio.robots.chain"
local suggest = require "brio.lib.suggest"

local face = {}
local Face = { __name = "gaze" }

--- The parts of the gaze that move a link of the robot, and therefore must not follow it: {head = true, torso
--- = true}.  Nil and a sentence if no part is left.
local function moved_by(gaze, target, link)
  local moved, variable = {}, nil
  local own = chain.variables(gaze.host.description.robot, link)
  for _, part in ipairs { "torso", "head" } do
    local common = gaze[part] and chain.common(gaze[part].said.moves, own)
    moved[part], variable = common and true, common or variable
  end
  if gaze.eyes or not gaze.head or not moved.head then return moved end
  return nil, ("it cannot look at its own '%s': '%s' moves both that and the gaze"):format(target,
    variable)
end

--- Resolve a target: a position {x, y, z}, the id of an object or person, an object of the scene, a kind of
--- them (the nearest), a named place, a link or role of the robot.  Return a function that returns its
--- position, its name and its kind, and for a link the parts of the gaze that move it; or nil and a sentence.
function face.target(gaze, target)
  local host = gaze.host
  local scene = host.scene
  if type(target) == "table" then
    local place = target.position or target
    local fault = attention.fault_of_place(place, "a target")
    if fault then return nil, fault end
    local x, y, z = place[1], place[2], place[3]
    return function() return x, y, z end, target.id, target.kind or "point"
  elseif type(target) ~= "string" then
    return nil, ("a target is a name or a place {x, y, z}, not %s"):format(type(target))
  end
  local function of_object(object)
    if object then return object.position[1], object.position[2], object.position[3] end
  end
  local object = scene:find(target)
  if object then return function() return of_object(scene:find(target)) end, target, object.kind end
  local chosen = scene:object(target)
  if chosen then return function() return of_object(scene:object(target)) end, target, chosen.kind end
  local point = (gaze.settings.points or {})[target] or gaze.attention.points[target]
  if point then
    return function() return point[1] or point.x, point[2] or point.y, point[3] or point.z end, target,
      "point"
  end
  local near = scene:nearest(target, { of = gaze.view })
  if near then
    local id = near.id
    return function() return of_object(scene:find(id)) end, id, near.kind
  end
  local link = host.description.roles[target] or target
  if scene:frame(link) then
    local moved, why
    local own = suggest.contains(host.description.robot:links(), link)
    if own then moved, why = moved_by(gaze, target, link) end
    if why then return nil, why end
    return function()
      local p = scene:frame(link).position
      return p[1], p[2], p[3]
    end, target, "link", moved
  end
  local names = suggest.keys(gaze.settings.points or {})
  for _, row in ipairs(gaze.attention:targets(host.now)) do names[#names + 1] = row.target end
  for role in next, host.description.roles do names[#names + 1] = role end
  table.sort(names)
  return nil, ("there is nothing '%s' to look at%s"):format(target, suggest.hint(target, names))
end

local how_fields = { seconds = "number", why = "string", priority = "number", by = "string" }

local function checked_how(how)
  if how == nil then return {} end
  if type(how) ~= "table" then error("gaze:look_at expects a table of how to look", 3) end
  for _, key in ipairs(suggest.keys(how)) do
    local expected = how_fields[key]
    if not expected then
      error(("gaze:look_at has no '%s'%s"):format(key, suggest.hint(key, suggest.keys(how_fields))), 3)
    end
    if type(how[key]) ~= expected or how[key] ~= how[key] then
      error(("gaze:look_at: %s must be a %s"):format(key, expected), 3)
    end
  end
  return how
end

--- Look at a target for `seconds` (default: until `free`).  how: {seconds, why, priority = 0, by}; the
--- highest priority counts, then the newest.  Return true, or nil and the reason: the target does not exist
--- now.
function Face:look_at(target, how)
  how = checked_how(how)
  local gaze = self._gaze
  local place, name, kind, moved = face.target(gaze, target)
  if not place and type(target) ~= "string" then error("gaze:look_at: " .. name, 2) end
  if not place then return nil, name end
  gaze:order { place = place, name = name, kind = kind, moved = moved,
    why = how.why or "told to", priority = how.priority or 0,
    till = how.seconds and gaze.host.now + how.seconds, by = how.by or "behavior" }
  return true
end

--- Its target: {target, kind, why, since, position, away}; nil: none.
function Face:at()
  local gaze = self._gaze
  local fix = gaze.fix
  if not fix then return nil end
  return { target = fix.name, kind = fix.kind, why = fix.why, since = gaze.since,
    position = { fix.x, fix.y, fix.z }, away = gaze.averted or false }
end

--- End the order: attention chooses again.
function Face:free() self._gaze:free() end

--- Look away now, for `seconds`, or for a usual time.
function Face:avert(seconds)
  if seconds ~= nil and not (type(seconds) == "number" and seconds > 0 and seconds < math.huge) then
    error("gaze:avert expects seconds above 0", 2)
  end
  self._gaze:avert(seconds)
end

--- Set the salience of a kind of object, a person having 1; nil: as in the behavior's `attend`, 0: none.
function Face:attend(kind, salience)
  if type(kind) ~= "string" then error("gaze:attend expects a kind of object, as the scene names it", 2) end
  if salience ~= nil and not (type(salience) == "number" and salience >= 0 and salience < math.huge) then
    error("gaze:attend: salience must be a number of at least 0, or nil", 2)
  end
  self._gaze.attention:attend(kind, salience)
end

--- Set a named place that attracts the gaze; nil removes it.
function Face:point(name, place, salience)
  if type(name) ~= "string" then error("gaze:point expects a name", 2) end
  if place == nil then return self._gaze.attention:point(name) end
  local fault = attention.fault_of_place(place, "gaze:point: place")
  if fault then error(fault, 2) end
  if salience ~= nil and not (type(salience) == "number" and salience >= 0 and salience < math.huge) then
    error("gaze:point: salience must be a number of at least 0", 2)
  end
  self._gaze.attention:point(name, place[1], place[2], place[3], salience)
end

--- A sound at a position {x, y, z}: it attracts the gaze for a moment.
function Face:heard(place, name)
  local fault = attention.fault_of_place(place, "gaze:heard: place")
  if fault then error(fault, 2) end
  local gaze = self._gaze
  gaze.attention:sound(gaze.host.now, name or "sound", place[1], place[2], place[3])
  gaze.due_look = 0
end

--- All possible targets: {target, kind, salience, position} each, the most salient first.
function Face:targets() return self._gaze.attention:targets(self._gaze.host.now) end

--- Ids of the people in contact, in the order of their arrival.
function Face:engaged() return self._gaze.engagement:names() end

--- The object of a faculty's methods; it is read-only.
function face.of(gaze)
  return setmetatable({}, {
    __index = function(_, key)
      if key == "_gaze" then return gaze end
      return Face[key]
    end,
    __newindex = function() error("self.gaze cannot be written to", 2) end,
    __name = "gaze", __metatable = false,
  })
end

return face
