--- The inputs of a robot as named values and events: buttons, touch, ranges, a microphone's level, an IMU,
--- the sticks of a gamepad.
---
--- Inputs are rows in a robot's file or a world's (`inputs = { touch_head = { kind = "touch" } }`).  Devices
--- measure them; a simulated world sets them by paths over time; people at the prompt, tests and gamepads set
--- them.  Changes are processed once a tick, in the order of names, and recorded: the same changes in the
--- same ticks give the same run.
local copy = require "brio.lib.copy"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local inputs = {}
local Inputs = {}
Inputs.__index = Inputs

-- Kinds -------------------------------------------------------------------------------------------

local is_number = require("brio.lib.fields").is_number

local function flag(value) return type(value) == "boolean" end

local function numbers(count)
  return function(value)
    if type(value) ~= "table" or #value ~= count then return false end
    for index = 1, count do
      if not is_number(value[index]) then return false end
    end
    return true
  end
end

local three, four = numbers(3), numbers(4)

--- Reports of an IMU; unknown fields are absent.
local imu_fields = { acceleration = three, rate = three, orientation = four }

local function imu(value)
  if type(value) ~= "table" then return false end
  for key, field in next, value do
    if not (imu_fields[key] and imu_fields[key](field)) then return false end
  end
  return true
end

--- Tilt of a body from upright, rad, by its orientation; nil if unknown.
local function tilt(value)
  local q = value.orientation
  if not q then return nil end
  local norm = q[1] ^ 2 + q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2
  if norm <= 0 then return nil end
  return math.acos(math.max(-1, math.min(1, 1 - 2 * (q[1] ^ 2 + q[2] ^ 2) / norm)))
end

--- The kinds of inputs.  `good(value)`: whether a value is valid, `expected`: a description of valid ones;
--- `rest`: the value until another is known.  `edge`: events for true and false.  `threshold`: a field of the
--- row; its events report that a number (of `measure`) has crossed it, `side` 1 for rising and -1 for
--- falling, with the hysteresis `back`.
inputs.kinds = {
  { name = "button", unit = "", doc = "a button, pressed or not", good = flag, expected = "true or false",
    rest = false, edge = { "button_pressed", "button_released" } },
  { name = "touch", unit = "", doc = "a place that feels a hand", good = flag, expected = "true or false",
    rest = false, edge = { "touched", "touch_ended" } },
  { name = "range", unit = "m", doc = "distance to the nearest thing in front of a sensor; `near` (m) \z
    makes events",
    good = function(value) return is_number(value) and value >= 0 end, expected = "meters, at least 0",
      rest = 1e3,
    threshold = { field = "near", side = -1, back = function(near) return 0.1 * near end,
      events = { "range_near", "range_clear" } } },
  { name = "microphone", unit = "dB", doc = "level of sound, dB below full scale; `loud` (dB) makes events",
    good = function(value) return is_number(value) and value <= 0 end, expected = "decibels, at most 0",
      rest = -120,
    threshold = { field = "loud", side = 1, back = function() return 3 end,
      events = { "sound_began", "sound_ended" } } },
  { name = "imu", unit = "m/s^2, rad/s",
    doc = "acceleration {x, y, z}, rate of turning {x, y, z}, orientation {x, y, z, w}; "
      .. "`tilt` (rad) makes events", good = imu,
    expected = "a table of acceleration and rate, three numbers each, and orientation, four numbers",
      rest = {}, measure = tilt,
    threshold = { field = "tilt", side = 1, back = function(limit) return 0.2 * limit end,
      events = { "tilted", "upright" } } },
  { name = "axis", unit = "1", doc = "a stick or trigger, -1 to 1",
    good = function(value) return is_number(value) and math.abs(value) <= 1 end,
      expected = "a number from -1 to 1", rest = 0 },
  { name = "number", unit = "", doc = "any number", good = is_number, expected = "a finite number",
    rest = 0 },
}

local kinds = {}
for _, kind in ipairs(inputs.kinds) do kinds[kind.name] = kind end

-- Rows --------------------------------------------------------------------------------------------

local threshold_docs = { near = "nearer than this makes events", loud = "louder than this makes events",
  tilt = "a tilt of more than this makes events" }
local threshold_units = { near = "m", loud = "dB", tilt = "rad" }

local function line_fault(value)
  return type(value) ~= "string" and not is_number(value)
    and "must be a text or a number: its connection at the device" or nil
end

local function panic_fault(value)
  return value ~= true and value ~= false and value ~= "released"
    and 'must be true (while it is pressed), "released" (while it is not) or false' or nil
end

--- Fields of a row in a robot's file: the device and position, and the meaning.
local place_fields = {
  device = { "text", doc = "the device that senses it" },
  link = { "string", doc = "of an IMU, a touch or a number: the link that it is on, for physics" },
  line = { "string or number", fault = line_fault, doc = "its connection at the device" },
  scale = { "number", value = 1, doc = "of the device's unit, of an input that is a number" },
  offset = { "number", value = 0, doc = "of the kind's unit, of an input that is a number" },
  panic = { "boolean or string", value = false, fault = panic_fault,
    doc = "true: it is the panic stop; released: while it is not pressed" },
}

--- Fields of a row of a world's file.
local path_fields = {
  path = { "list", of = "any", doc = "{ seconds, value }, in the order of time" },
  linear = { "boolean", value = false, doc = "true: numbers in between are interpolated" },
}

--- The fields of a row of some kind; `more`: those of its file.
local function fields_of(kind, more)
  local function rest_fault(value) return not kind.good(value) and "must be " .. kind.expected or nil end
  local made = { kind = { "text", doc = "what it is" }, label = { "string", doc = "for people" },
    rest = { "any", fault = rest_fault, doc = "its value until one is known" } }
  local name = kind.threshold and kind.threshold.field
  if name then made[name] = { "number", unit = threshold_units[name], doc = threshold_docs[name] } end
  for key, field in next, more do made[key] = field end
  return made
end

--- The fields of all kinds of inputs in a robot's file.
inputs.fields = { kind = { "choice", of = suggest.keys(kinds), needed = true, doc = "what it is" } }
for _, kind in ipairs(inputs.kinds) do
  for key, field in next, fields_of(kind, place_fields) do
    inputs.fields[key] = inputs.fields[key] or field
  end
end

--- The error in the device and the meaning of an input: fields of a robot's file.
local function fault_of_place(field, row, kind)
  for _, name in ipairs { "scale", "offset" } do
    if row[name] ~= nil and not is_number(kind.rest) then
      return ("%s.%s: only an input that is a number has it"):format(field, name)
    end
  end
  if row.panic and kind.good ~= flag then
    return field .. ".panic: only a button or a touch can mean the panic stop"
  end
  if row.panic == "released" and not (row.device or row.line) then
    return field .. '.panic = "released" needs a device that senses it: nobody else tells that it is not \z
      pressed'
  end
end

--- The error in the path of an input in a simulated world.
local function fault_of_path(field, row, kind)
  local before = -math.huge
  for index, point in ipairs(row.path) do
    local place = ("%s.path[%d]"):format(field, index)
    if type(point) ~= "table" or not is_number(point[1]) then return place .. " must be {seconds, value}" end
    if point[1] < before then
      return ("%s: its time, %g s, must not be before %g s, that of the one before"):format(place, point[1],
        before)
    end
    if not kind.good(point[2]) then return ("%s: its value must be %s"):format(place, kind.expected) end
    before = point[1]
  end
  if row.linear and not is_number(kind.rest) then
    return ("%s.linear: only numbers can be in between"):format(field)
  end
end

--- The error in rows of inputs: a sentence that begins with the field, or nil.  `known`: rows of a robot, to
--- which a world's rows may add a path without a kind; nil: rows of a robot's file, which have no paths.
function inputs.fault(rows, known)
  if type(rows) ~= "table" then return "inputs must be a table of name = { kind = ... }" end
  for key in next, rows do
    if type(key) ~= "string" or not key:match "^[%a_][%w_]*$" then
      return ("inputs: '%s' cannot be the name of an input: letters, digits and _"):format(tostring(key))
    end
  end
  for _, name in ipairs(suggest.keys(rows)) do
    local field, row = "inputs." .. name, rows[name]
    if type(row) ~= "table" then return field .. " must be a table: { kind = ... }" end
    local said = row.kind or known and known[name] and known[name].kind
    local kind = kinds[said]
    if not kind then
      local hint = type(said) == "string" and suggest.hint(said, suggest.keys(kinds)) or ""
      return ("%s.kind must be one of %s%s"):format(field, table.concat(suggest.keys(kinds), ", "), hint)
    end
    if known and known[name] and known[name].kind ~= said then
      return ("%s.kind must be %s, as in the robot's file"):format(field, known[name].kind)
    end
    local fault = schema.fault_at(row, fields_of(kind, known and path_fields or place_fields), field)
      or not known and fault_of_place(field, row, kind)
      or row.path ~= nil and fault_of_path(field, row, kind) or nil
    if fault then return fault end
  end
end

-- Values ------------------------------------------------------------------------------------------

--- Make the inputs of a run from rows by name; later lists add to those before.
function inputs.new(...)
  local self = setmetatable({ by_name = {}, names = {}, paths = {}, walked = {}, due = {} }, Inputs)
  for _, rows in ipairs { ... } do self:declare(rows) end
  return self
end

--- Add rows.  An existing input keeps its kind and gets the new fields.
function Inputs:declare(rows)
  for _, name in ipairs(suggest.keys(rows)) do
    local row, item = rows[name], self.by_name[name]
    if not item then
      local kind = kinds[row.kind]
      local rest = row.rest
      if rest == nil then rest = copy.deep(kind.rest) end
      item = { name = name, kind = kind, rest = rest, value = rest, label = row.label, source = "rest",
        fresh = true }
      self.by_name[name] = item
      self.due[#self.due + 1] = item
      self.names[#self.names + 1] = name
    end
    item.panic = item.panic or row.panic == true
    item.scale, item.offset = row.scale or item.scale or 1, row.offset or item.offset or 0
    local threshold = item.kind.threshold
    if threshold then item.limit = row[threshold.field] or item.limit end
  end
  table.sort(self.names)
end

--- Follow the paths of a world's rows from now on.
function Inputs:follow(rows)
  self:declare(rows)
  self.paths, self.walked, self.next_step = {}, {}, nil
  for _, name in ipairs(suggest.keys(rows)) do
    if rows[name].path then
      self.paths[name] = { points = rows[name].path, linear = rows[name].linear, at = 0 }
      self.walked[#self.walked + 1] = name
    end
  end
end

--- The input of that name; nil and a sentence if there is none.
function Inputs:find(name)
  local item = self.by_name[name]
  if item then return item end
  local hint = suggest.hint(tostring(name), self.names)
  return nil, #self.names == 0 and "this run has no inputs"
    or ("there is no input '%s'%s"):format(tostring(name), hint)
end

--- Set an input from the next tick on.  `pinned`: the world does not change it until `free`.  Return true, or
--- nil and the error.
function Inputs:set(name, value, source, pinned, who)
  local item, why = self:find(name)
  if not item then return nil, why end
  if not item.kind.good(value) then return nil, ("%s must be %s"):format(name, item.kind.expected) end
  if pinned then item.pinned = true end
  if item.pinned and not pinned then return true end
  if not item.changes then item.changes, self.due[#self.due + 1] = {}, item end
  table.insert(item.changes, { value = copy.deep(value), source = source, who = who })
  return true
end

--- The names of the inputs that mean the panic stop if a person sets them.
function Inputs:panic_names()
  local list = {}
  for _, name in ipairs(self.names) do
    if self.by_name[name].panic then list[#list + 1] = name end
  end
  return list
end

--- Let the simulated world set an input again.
function Inputs:free(name)
  local item, why = self:find(name)
  if not item then return nil, why end
  item.pinned = nil
  local path = self.paths[name]
  -- its next step sets the value again
  if path then path.at, path.said, path.next, self.next_step = 0, nil, nil, nil end
  if not path or path.points[1] == nil or path.points[1][1] > (self.now or 0) then
    self:set(name, item.rest, "rest")
  end
  return true
end

--- The value of a path at a time; nil before it begins.  It is constant until the time path.next.
local function value_at(path, now)
  local points = path.points
  while points[path.at + 1] and points[path.at + 1][1] <= now + 1e-9 do path.at = path.at + 1 end
  local from, to = points[path.at], points[path.at + 1]
  path.next = path.linear and from and to and 0 or to and to[1] or math.huge
  if not from then return nil end
  if not (path.linear and to and to[1] > from[1]) then return from[2] end
  return from[2] + (to[2] - from[2]) * math.max(0, math.min(1, (now - from[1]) / (to[1] - from[1])))
end

--- Set the inputs whose paths have another value now.
local function walk(self, now)
  if (self.next_step or 0) > now + 1e-9 then return end
  local first = math.huge
  for _, name in ipairs(self.walked) do
    local path, value = self.paths[name], nil
    if (path.next or 0) <= now + 1e-9 then value = value_at(path, now) end
    first = math.min(first, path.next)
    if value ~= nil and not copy.equal(value, path.said) then
      path.said = value
      self:set(name, value, "world")
    end
  end
  self.next_step = first
end

--- A device's report as a value of a kind; nil if it is invalid.
local function sensed(item, reported)
  local kind = item.kind
  if kind.good == flag then
    if type(reported) == "number" then return reported > 0.5 end
    return nil
  end
  if type(reported) == "number" then reported = item.offset + item.scale * reported end
  if kind.good(reported) then return reported end
  return nil
end

--- Process reports of devices, by name.  Only a change sets an input; an unknown one gets its rest value.
function Inputs:sense(reports)
  for _, name in ipairs(self.names) do
    local item, value = self.by_name[name], nil
    if reports[name] ~= nil then value = sensed(item, reports[name]) end
    if value == nil and item.reported ~= nil then
      item.reported = nil
      self:set(name, item.rest, "device")
    elseif value ~= nil and not copy.equal(value, item.reported) then
      item.reported = value
      self:set(name, value, "device")
    end
  end
end

--- The event for a new value, or nil.
local function event_of(item, value)
  local kind = item.kind
  if kind.edge then return item.value ~= value and kind.edge[value and 1 or 2] or nil end
  local threshold = kind.threshold
  if not (threshold and item.limit) then return nil end
  local measure = value
  if kind.measure then measure = kind.measure(value) end
  if not measure then return nil end
  local beyond = threshold.side * (measure - item.limit)
  local was = item.beyond or false
  local now = beyond > 0 or was and beyond > -threshold.back(item.limit)
  item.beyond = now
  return now ~= was and threshold.events[now and 1 or 2] or nil
end

local function by_name(a, b) return a.name < b.name end

--- Process the changes of one input: see Inputs:work.
local function take(self, item, changed, happened)
  if item.fresh then
    item.fresh = nil
    changed(item)
  end
  local changes = item.changes
  item.changes = nil
  for _, change in ipairs(changes or {}) do
    if not copy.equal(change.value, item.value) then
      local event = event_of(item, change.value)
      item.value, item.source, item.since = change.value, change.source, self.now
      changed(item)
      local stops = item.panic and item.value == true and change.source ~= "device"
      if stops and self.on_panic then self.on_panic(item) end
      if event then happened(event, item, change.who) end
    end
  end
end

--- Process the changes of all inputs up to a time.
local function take_all(self, now, changed, happened)
  local due = self.due
  self.now = now
  if due[2] then table.sort(due, by_name) end
  for _ = 1, #due do -- changes made meanwhile are for the next tick
    take(self, table.remove(due, 1), changed, happened)
  end
end

--- Process the changes since the last tick: changed(item) is called for every value, happened(event, item,
--- who) for every event. Several changes of one input in a tick make events each, so that no press is too
--- short to be noticed. Inputs are processed in the order of their names.
function Inputs:work(now, changed, happened)
  walk(self, now)
  take_all(self, now, changed, happened)
end

--- A button plays the sequence that its key is bound to.
local function press(host, name, who)
  local _, why = host.life:press(name, who)
  if why then host.say("warning", ("button %s: %s"):format(name, why)) end
end

--- Functions of a host for inputs, which work() calls.
local function hearing(host)
  local function changed(item) host.recorder:input(host.tick, host.now, item) end
  local function happened(event, item, who)
    local presser = who or item.source == "gamepad" and "gamepad" or nil
    if event == "button_pressed" then press(host, item.name, presser) end
    if event == "button_released" then host.life:let_go(item.name) end
    host:emit(event, { name = item.name, value = item.value }, item.source,
      who and item.name .. ", by " .. who or item.name)
  end
  return { changed, happened }
end

--- Process the changes since the last tick of a host: record them, and emit events.
function Inputs:tell(host)
  walk(self, host.now)
  self.now = host.now
  if not self.due[1] then return end
  self.hearing = self.hearing or hearing(host)
  take_all(self, host.now, self.hearing[1], self.hearing[2])
end

--- View of the inputs for behaviors: values by name, read-only.
function Inputs:face()
  local function each()
    local made = {}
    for _, name in ipairs(self.names) do made[name] = copy.deep(self.by_name[name].value) end
    return made
  end
  return setmetatable({}, {
    __index = function(_, name)
      local item, why = self:find(name)
      if not item then error("self.inputs: " .. why, 2) end
      return copy.deep(item.value)
    end,
    __newindex = function(_, name) error(
      ("self.inputs.%s cannot be set: it is sensed"):format(tostring(name)), 2) end,
    __pairs = function()
      local index = 0
      return function()
        index = index + 1
        local name = self.names[index]
        if name then return name, copy.deep(self.by_name[name].value) end
      end
    end, __shown = each, __metatable = false,
  })
end

--- Whether there is an input of that name.
function Inputs:has(name) return self.by_name[name] ~= nil end

return inputs
