--- A robot's memory of the positions of things: places, rooms, doors, and detected things: position, time,
--- count.
---
--- It is a list of plain facts in the world's frame. Times are relative to the run of the fact; `run` numbers
--- runs, and the present one has the highest number. This module reads no sensor and no clock: its owner
--- reports detections with their times.
local memory = {}
local Memory = {}
Memory.__index = Memory

--- Maximum number of facts of each kind; a new thing replaces the one that was last seen earliest.
memory.most = { places = 1000, rooms = 1000, doors = 1000, things = 2000 }

--- Distance within which a detection of the same kind counts as the same thing, m.
local same_within = 0.5

--- Distance within which a door's handle belongs to a known door, possibly open, m.
local same_door = 1

--- Distance of the points beside a door, along its x axis, that determine the rooms that it joins, m.
local beside = 0.6

local function flat(a, b) return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2) end

--- The names in a table, in order.
local function names_in(list)
  local names = {}
  for name in next, list do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- An empty memory.
function memory.new()
  return setmetatable({ run = 1, places = {}, rooms = {}, doors = {}, things = {}, known = {} }, Memory)
end

local function count_of(list)
  local count = 0
  for _ in next, list do count = count + 1 end
  return count
end

--- Store a fact under a name; nil and a sentence if there are too many.
local function put(self, what, name, fact)
  if not self[what][name] and count_of(self[what]) >= memory.most[what] then
    return nil, ("there may be %d %s in a map, and '%s' is one too many"):format(memory.most[what], what,
      name)
  end
  fact.name = name
  self[what][name] = fact
  return fact
end

-- Rooms -----------------------------------------------------------------------------------------------------

--- A room is a box in the plane, {x min, y min, x max, y max}, or a polygon: a list of corners {x, y}.
function Memory:room(name, shape) return put(self, "rooms", name, { shape = shape }) end

local function is_within(shape, x, y)
  if type(shape[1]) == "number" then
    return x >= shape[1] and y >= shape[2] and x <= shape[3] and y <= shape[4]
  end
  local inside, last = false, shape[#shape]
  for _, corner in ipairs(shape) do
    if (corner[2] > y) ~= (last[2] > y)
        and x < (last[1] - corner[1]) * (y - corner[2]) / (last[2] - corner[2]) + corner[1] then
      inside = not inside
    end
    last = corner
  end
  return inside
end

--- The name of the room that contains a point, the first by name if rooms overlap; nil: unknown.
function Memory:room_of(point)
  for _, name in ipairs(names_in(self.rooms)) do
    if is_within(self.rooms[name].shape, point[1], point[2]) then return name end
  end
end

--- The center of a room.
function Memory:middle_of(name)
  local room = self.rooms[name]
  if not room then return nil end
  local shape = room.shape
  if type(shape[1]) == "number" then return { (shape[1] + shape[3]) / 2, (shape[2] + shape[4]) / 2, 0 } end
  local x, y = 0, 0
  for _, corner in ipairs(shape) do x, y = x + corner[1] / #shape, y + corner[2] / #shape end
  return { x, y, 0 }
end

-- Places ----------------------------------------------------------------------------------------------------

--- Remember a place: {position, yaw}, at a time.
function Memory:remember(name, position, yaw, time)
  return put(self, "places", name, { position = { position[1], position[2], position[3] or 0 }, yaw = yaw,
    time = time, run = self.run, room = self:room_of(position) })
end

--- Forget a place, a room or a door of that name; return whether there was one.
function Memory:forget(name)
  local was = self.places[name] or self.rooms[name] or self.doors[name]
  self.places[name], self.rooms[name], self.doors[name] = nil, nil, nil
  return was ~= nil
end

--- All places, or those in a room, by name.
function Memory:list_places(room)
  local list = {}
  for _, name in ipairs(names_in(self.places)) do
    if not room or self.places[name].room == room then list[#list + 1] = self.places[name] end
  end
  return list
end

--- The place nearest to a point, and its distance, m; nil: none is known.
function Memory:nearest(point, room)
  local best, far
  for _, place in ipairs(self:list_places(room)) do
    local distance = flat(place.position, point)
    if not far or distance < far then best, far = place, distance end
  end
  return best, far
end

-- Doors -----------------------------------------------------------------------------------------------------

--- Remember a door: its pose (x through it), and the rooms that it joins; without them, those on both sides
--- of it.
function Memory:door(name, pose, rooms, time)
  local p, q = pose.position, pose.orientation or { 0, 0, 0, 1 }
  local x, y = 1 - 2 * (q[2] ^ 2 + q[3] ^ 2), 2 * (q[1] * q[2] + q[3] * q[4])
  local joined = rooms
  if not joined then
    joined = {}
    for _, way in ipairs { beside, -beside } do
      joined[#joined + 1] = self:room_of { p[1] + way * x, p[2] + way * y }
    end
  end
  return put(self, "doors", name, { position = { p[1], p[2], p[3] }, yaw = math.atan(y, x), rooms = joined,
    time = time, run = self.run })
end

--- The known door for a detected one at a point: of that name, else one that is there; nil: it is new.
function Memory:known_door(name, point)
  if self.doors[name] then return self.doors[name] end
  for _, other in ipairs(names_in(self.doors)) do
    if flat(self.doors[other].position, point) <= same_door then return self.doors[other] end
  end
end

local function joins(door, room)
  for _, name in ipairs(door.rooms) do
    if name == room then return true end
  end
  return false
end

--- The doors that lead to a room, or all, by name.
function Memory:list_doors(room)
  local list = {}
  for _, name in ipairs(names_in(self.doors)) do
    if not room or joins(self.doors[name], room) then list[#list + 1] = self.doors[name] end
  end
  return list
end

--- The shortest sequence of doors from a room to another; nil: no known doors lead there.
function Memory:doors_between(from, to)
  local came, queue, head = { [from] = false }, { from }, 1
  while queue[head] and queue[head] ~= to do
    for _, door in ipairs(self:list_doors(queue[head])) do
      for _, room in ipairs(door.rooms) do
        if came[room] == nil then came[room], queue[#queue + 1] = { door, queue[head] }, room end
      end
    end
    head = head + 1
  end
  if came[to] == nil then return nil end
  local list, room = {}, to
  while came[room] do
    table.insert(list, 1, came[room][1])
    room = came[room][2]
  end
  return list
end

-- Things ----------------------------------------------------------------------------------------------------

--- Remove the thing that was last seen earliest.
local function make_room(self)
  if #self.things < memory.most.things then return end
  local oldest = 1
  for index, thing in ipairs(self.things) do
    local least = self.things[oldest]
    if thing.run < least.run or thing.run == least.run and thing.last < least.last then oldest = index end
  end
  local gone = table.remove(self.things, oldest)
  if self.known[gone.id] == gone then self.known[gone.id] = nil end
end

--- The thing for an object: of that id in this run, else of its kind near that position, unless that is
--- another one that is visible now.
local function find_thing(self, object, now)
  local known = self.known[object.id]
  if known and known.kind == object.kind then return known end
  local best, far = nil, same_within
  for _, thing in ipairs(self.things) do
    local distance = thing.kind == object.kind and flat(thing.position, object.position) or math.huge
    local seen_now = thing.run == self.run and thing.last >= now - 1e-9 and self.known[thing.id] == thing
    if distance <= far and not seen_now then best, far = thing, distance end
  end
  return best
end

--- An object of the scene is visible, at a time of this run. Return its entry, and "new", "moved" (to another
--- room), or nil.
function Memory:see(object, now)
  local thing, change = find_thing(self, object, now), nil
  local p, room = object.position, self:room_of(object.position)
  if not thing then
    make_room(self)
    thing = { kind = object.kind, first = now, count = 0, run = self.run, last = -math.huge, seen_in = {} }
    self.things[#self.things + 1] = thing
    change = "new"
  elseif thing.room ~= room and room then
    change = "moved"
  end
  if self.known[object.id] ~= thing or thing.run ~= self.run or now - thing.last > 1 then
    thing.count = thing.count + 1
  end
  self.known[object.id] = thing
  thing.id, thing.position, thing.room, thing.last, thing.run = object.id, { p[1], p[2], p[3] }, room, now,
    self.run
  thing.size = object.size and { object.size[1], object.size[2], object.size[3] } or thing.size
  return thing, change
end

local function is_newer(a, b)
  if a.run ~= b.run then return a.run > b.run end
  if a.last ~= b.last then return a.last > b.last end
  return a.position[1] < b.position[1]
end

--- The things that were seen: of a kind or id, in a room, since a time of this run; the newest first.
--- `about`: {kind, room, since}.
function Memory:list_things(about)
  local list = {}
  for _, thing in ipairs(self.things) do
    local fits = (not about.kind or thing.kind == about.kind or thing.id == about.kind)
      and (not about.room or thing.room == about.room)
      and (not about.since or thing.run == self.run and thing.last >= about.since)
    if fits then list[#list + 1] = thing end
  end
  table.sort(list, is_newer)
  return list
end

--- Remove a thing: a person has found that it is gone.
function Memory:gone(thing)
  for index, one in ipairs(self.things) do
    if one == thing then
      table.remove(self.things, index)
      self.known[thing.id] = nil
      return true
    end
  end
  return false
end

return memory
