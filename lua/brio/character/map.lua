--- The map of a robot: remembered places of things, and the free ground.
---
---     character = { map = { file = "flat.map", rooms = { kitchen = { 0, 0, 4, 3 } }, grid = true } }
---     self.map:remember "kitchen"                 where the robot stands now
---     self.map:where "mug"                        where a mug was seen last, when, in which room
---
--- Detections are stored automatically, five times a second: kind, position, first and last time, count,
--- room. With a grid, paths avoid what depth sensors have seen; a scan is processed in slices. The map is
--- kept over runs in a file if one is named: it is read when the run begins and written when it ends. New
--- entries are recorded as events: map_place, map_room, map_door, map_seen.
local lazy = require "brio.lib.lazy"
local geometry = require "brio.lib.geometry"
local kept = lazy "brio.perception.map.file"
local memory = lazy "brio.perception.map.memory"
local occupancy = lazy "brio.occupancy"
local paths = require "brio.lib.paths"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local Map = {}
Map.__index = Map

local world = { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } }

--- Interval between two updates from detections, s; cells of a scan that are processed in a tick; radius
--- around the robot that is free, m.
local every, slice, footprint = 0.2, 4000, 0.25

--- Radius around moving people in which cells are not marked occupied, m.
local mover = 0.45

--- The fields of a behavior's settings.
local kinds_of = { "string", doc = "a kind of object" }
local fields = {
  file = { "string", doc = "the file that the map is kept in from run to run, next to the behavior's" },
  rooms = { "table", doc = "rooms by name: {least x, least y, most x, most y}, or a list of corners {x, y}" },
  grid = { "boolean or table", doc = "the ground is noted in a grid: true, or what brio.occupancy takes" },
  doors = { "list", of = kinds_of, doc = "kinds of objects that are doors", value = { "door" } },
  solids = { "list", of = kinds_of, doc = "kinds that stand on the ground, and are noted in the grid" },
  movers = { "list", of = kinds_of, doc = "kinds that move by themselves", value = { "person" } },
  forget = { "list", of = kinds_of, doc = "kinds that are not remembered" },
}

local usual = schema.defaults(fields)

-- Checks ----------------------------------------------------------------------------------------------

local function fault_of_room(name, shape)
  local said = type(name) == "string" and name ~= "" and type(shape) == "table" and #shape >= 3
  if said and type(shape[1]) == "number" and #shape ~= 4 then said = false end
  for _, item in ipairs(said and shape or {}) do
    local point = type(item) == "table" and item or { item, item }
    if type(point[1]) ~= "number" or type(point[2]) ~= "number" or type(item) ~= type(shape[1])
        or point[1] ~= point[1] or point[2] ~= point[2] then
      said = false
    end
  end
  return not said and ("character.map: the room '%s' must be {least x, least y, most x, most y}, or a list \z
    of corners {x, y}"
    ):format(tostring(name)) or nil
end

local function fault(spec)
  for _, name in ipairs(suggest.keys(spec.rooms or {})) do
    local why = fault_of_room(name, spec.rooms[name])
    if why then return why end
  end
  if type(spec.grid) ~= "table" then return nil end
  local good, why = pcall(occupancy.new, spec.grid)
  return not good and "character.map: " .. tostring(why):gsub("^.-:%d+: ", "") or nil
end

-- Detections ------------------------------------------------------------------------------------------------

function Map:emit(name, about, data) self.host:emit(name, data, "map", about) end

--- Place of the robot: its walking frame, or its first link, at the ground's height.
function Map:here()
  local host = self.host
  return host.stance and host.stance:walking() or host.scene:frame(host.description.robot:links()[1])
end

function Map:remember(name, position, yaw)
  local place, why = self.memory:remember(name, position, yaw, self.host.now)
  if not place then return nil, why end
  self:emit("map_place", name, { name = name, position = place.position, yaw = yaw, room = place.room })
  return place
end

local function take_rooms(self, rooms)
  for _, name in ipairs(suggest.keys(rooms or {})) do self.memory:room(name, rooms[name]) end
end

--- A detected door joins the rooms on both sides of it. A known one keeps the pose of its first detection in
--- this run, closed.
local function note_door(self, object)
  local known = self.memory:known_door(object.id, object.position)
  if known and known.run == self.memory.run then return end
  local name = known and known.name or object.id
  local door = self.memory:door(name, object.pose, known and known.rooms, self.host.now)
  if door and not known then
    self:emit("map_door", name, { name = name, position = door.position, rooms = door.rooms })
  end
end

local function note(self, object)
  if self.forgets[object.kind] then return end
  if self.is_door[object.kind] then note_door(self, object) end
  local thing, change = self.memory:see(object, self.host.now)
  if change then
    self:emit("map_seen", object.id, { kind = thing.kind, id = thing.id, position = thing.position,
      room = thing.room, change = change })
  end
  if self.grid and self.is_solid[object.kind] and self.put[object.id] ~= thing then
    self.put[object.id] = thing
    self.grid:put { name = object.id, kind = "box", size = object.size, pose = object.pose }
  end
end

--- Mark the ground of the robot as free, and exclude moving people.
local function tend_grid(self, objects)
  local here, movers = self:here(), {}
  if here then self.grid:clear(here.position[1], here.position[2], footprint) end
  for _, object in ipairs(objects) do
    if self.is_mover[object.kind] then
      movers[#movers + 1] = { object.position[1], object.position[2] }
      if not self.moving[object.id] then self.grid:clear(object.position[1], object.position[2], mover) end
      self.moving[object.id] = true
    end
  end
  self.grid:leave_out(movers, mover)
end

--- Process all present detections.
local function look(self)
  local objects = self.host.scene:objects()
  for _, object in ipairs(objects) do
    if self.host.now - object.last_seen < every + 1e-9 then note(self, object) end
  end
  if self.grid then tend_grid(self, objects) end
end

--- Clouds received in this tick from any sensor are scans for the grid, each from the pose of its frame at
--- that time.
local function take_clouds(self)
  local host = self.host
  for _, source in ipairs(host.clouds.list) do
    local cloud = source.at == host.now and host.clouds.newest[source.name]
    local about = cloud and cloud:facts()
    local frame = about and about.frame
    local pose = frame and (frame == "" and world or host.scene:frame(frame, about.time)
      or host.scene:frame(frame))
    if pose then self.grid:scan(pose, cloud) end
  end
end

function Map:work(now)
  if self.paused then return end
  if self.grid then
    take_clouds(self)
    self.grid:work(slice)
  end
  if now < self.next_look - 1e-9 then return end
  self.next_look = now + every
  look(self)
end

function Map:pause(on) self.paused = on end

function Map:stop() end

-- Files -----------------------------------------------------------------------------------------------------

--- Read the file of an earlier run; nil: there is none, or it is invalid, which is reported, and then it is
--- not overwritten.
local function read(self, path)
  local found, why, code = kept.read(path)
  if found then
    self.host.say("debug", ("the map %s: run %d"):format(path, found.run))
    return found
  end
  if code ~= "no_file" then
    self.unreadable = true
    self.host.say("warning", ("the map cannot be read, and is not overwritten: %s"):format(why))
  end
end

local function path_of(self, file)
  return paths.beside(self.host.definition.file, file)
end

--- Write the map to its file, or to another one. Return true, or nil and a sentence.
function Map:keep(file)
  local path = file and path_of(self, file) or self.path
  if not path then return nil, "the map has no file: character = { map = { file = ... } }" end
  if self.unreadable and path == self.path then
    return nil, path .. " could not be read, and is not written over"
  end
  return kept.write(path, self.memory)
end

function Map:close()
  if not self.path or self.unreadable then return end
  local good, why = self:keep()
  if not good then self.host.say("warning", "the map is not kept: " .. why) end
end

-- Set-up ----------------------------------------------------------------------------------------------------

local function set_of(list)
  local set = {}
  for _, name in ipairs(list) do set[name] = true end
  return set
end

function Map:use(spec)
  local path = spec.file and path_of(self, spec.file)
  if path ~= self.path then
    self.path, self.unreadable = path, nil
    self.memory = path and read(self, path) or self.memory
  end
  take_rooms(self, spec.rooms)
  self.is_door, self.is_solid = set_of(spec.doors or usual.doors), set_of(spec.solids or {})
  self.forgets, self.is_mover = set_of(spec.forget or {}), set_of(spec.movers or usual.movers)
  if spec.grid and not self.grid then
    self.grid = occupancy.new(type(spec.grid) == "table" and spec.grid or {})
  end
  if not spec.grid then self.grid = nil end
end

-- For behaviors ---------------------------------------------------------------------------------------------

local Face = { __name = "self.map" }
Face.__index = Face

local function check_name(name, what)
  if type(name) ~= "string" or name == "" then error(what .. " expects a name", 3) end
end

--- Whether a value is a finite number: a file of a map holds no other.
local function is_finite(value) return type(value) == "number" and value - value == 0 end

--- The position of a point {x, y [, z]}, or of an object with a position.
local function point_of(said, what)
  local point = type(said) == "table" and (said.position or said) or nil
  if not point or not (is_finite(point[1]) and is_finite(point[2]) and is_finite(point[3] or 0)) then
    error(what .. " expects a point {x, y} of finite numbers", 3)
  end
  return point
end

--- Remember the robot's position, or a pose, under a name. Return the place, or nil and the reason.
function Face:remember(name, pose)
  check_name(name, "self.map:remember")
  local at = pose or self._map:here()
  if not at then return nil, "the robot is nowhere yet" end
  local p = point_of(at, "self.map:remember")
  local yaw = at.orientation and select(3, geometry.rpy(at.orientation)) or at.yaw or 0
  if not is_finite(yaw) then error("self.map:remember expects a finite yaw", 2) end
  return self._map:remember(name, { p[1], p[2], p[3] or 0 }, yaw)
end

--- Forget a place, a room or a door; return whether there was one.
function Face:forget(name)
  check_name(name, "self.map:forget")
  return self._map.memory:forget(name)
end

--- A place by its name: {name, position, yaw, room, time, run}; nil: unknown.
function Face:place(name) return self._map.memory.places[name] end

--- All places, or those in a room.
function Face:places(room) return self._map.memory:list_places(room) end

--- The place nearest to a point (the robot), in a room if one is given, and its distance.
function Face:nearest(point, room)
  local at = point and point_of(point, "self.map:nearest") or (self._map:here() or {}).position
  if not at then return nil end
  return self._map.memory:nearest(at, room)
end

--- Set a room: {x min, y min, x max, y max}, or a list of corners {x, y}.
function Face:room(name, shape)
  local why = fault_of_room(name, shape)
  if why then error((why:gsub("^character%.map: ", "self.map:room: ")), 2) end
  local made, reason = self._map.memory:room(name, shape)
  if made then self._map:emit("map_room", name, { name = name, shape = shape }) end
  return made, reason
end

--- The room of a point (the robot); nil: unknown.
function Face:room_of(point)
  local at = point and point_of(point, "self.map:room_of") or (self._map:here() or {}).position
  return at and self._map.memory:room_of(at)
end

--- Set a door: a pose, x through it, and the rooms it joins (those on both sides of it).
function Face:door(name, pose, rooms)
  check_name(name, "self.map:door")
  local p = point_of(pose, "self.map:door")
  for index, room in ipairs(rooms or {}) do
    if type(room) ~= "string" or room == "" then
      error(("self.map:door expects names of rooms: rooms[%d]"):format(index), 2)
    end
  end
  local door, why = self._map.memory:door(name,
    { position = { p[1], p[2], p[3] or 0 }, orientation = pose.orientation }, rooms,
    self._map.host.now)
  if door then
    self._map:emit("map_door", name, { name = name, position = door.position, rooms = door.rooms })
  end
  return door, why
end

--- The doors that lead to a room, or all.
function Face:doors(room) return self._map.memory:list_doors(room) end

--- The doors from one room to another, in order; nil: no path is known.
function Face:way(from, to) return self._map.memory:doors_between(from, to) end

--- The last detection of a kind, or of an id: {kind, id, position, room, first, last, count, run}; nil: never
--- seen.
function Face:where(kind, room)
  check_name(kind, "self.map:where")
  return self._map.memory:list_things({ kind = kind, room = room })[1]
end

--- All things that were seen, the newest first: {kind =, room =, since = seconds of this run}.
function Face:seen(about) return self._map.memory:list_things(about or {}) end

--- A remembered thing does not exist any more.
function Face:gone(thing) return self._map.memory:gone(thing) end

--- Add a scan of a depth sensor at a pose: points in its frame. Return whether it was accepted: one scan is
--- processed at a time.
function Face:scan(pose, points)
  if not self._map.grid then
    error("self.map:scan: the map has no grid: character = { map = { grid = true } }", 2)
  end
  return self._map.grid:scan(pose, points)
end

--- State of a point of the ground: "unknown", "free" or "occupied", and the probability that it is occupied.
function Face:ground(x, y)
  if not self._map.grid then return "unknown", 0.5 end
  return self._map.grid:at(x, y)
end

--- The grid (see brio.occupancy), or nil.
function Face:grid() return self._map.grid end

--- Write the map to its file now, or to another one. Return true, or nil and the reason. It may take long: do
--- not call it in a tick.
function Face:keep(file) return self._map:keep(file) end

local function new(host, spec)
  local self = setmetatable({ host = host, memory = memory.new(), next_look = 0, put = {}, moving = {} }, Map)
  self.face = setmetatable({ _map = self }, Face)
  self:use(spec)
  return self
end

return {
  name = "map",
  about = "remembers places, doors and what was seen: where, when, how often; and what of the ground is free",
  fields = fields, fault = fault, new = new,
}
