--- Converts the buttons and sticks of a gamepad to inputs of a run, by a mapping:
---
---     return { panic = { "BTN_MODE" }, inputs = { stick_x = { axis = "ABS_X", dead = 0.1 }, wave = { button
---       = "BTN_SOUTH" } } }
local paths = require "brio.lib.paths"
local sandbox = require "brio.behavior.sandbox.sandbox"
local schema = require "brio.lib.schema"
local stick = require "brio.devices.stick"
local suggest = require "brio.lib.suggest"

local gamepad = {}

--- Codes of buttons and axes by name, as in linux/input-event-codes.h.
gamepad.buttons = {
  BTN_TRIGGER = 0x120, BTN_THUMB = 0x121, BTN_THUMB2 = 0x122, BTN_TOP = 0x123, BTN_TOP2 = 0x124,
    BTN_PINKIE = 0x125,
  BTN_BASE = 0x126, BTN_BASE2 = 0x127, BTN_BASE3 = 0x128, BTN_BASE4 = 0x129, BTN_BASE5 = 0x12a,
    BTN_BASE6 = 0x12b,
  BTN_SOUTH = 0x130, BTN_EAST = 0x131, BTN_C = 0x132, BTN_NORTH = 0x133, BTN_WEST = 0x134, BTN_Z = 0x135,
    BTN_TL = 0x136,
  BTN_TR = 0x137, BTN_TL2 = 0x138, BTN_TR2 = 0x139, BTN_SELECT = 0x13a, BTN_START = 0x13b, BTN_MODE = 0x13c,
  BTN_THUMBL = 0x13d, BTN_THUMBR = 0x13e, BTN_DPAD_UP = 0x220, BTN_DPAD_DOWN = 0x221, BTN_DPAD_LEFT = 0x222,
  BTN_DPAD_RIGHT = 0x223,
}
gamepad.axes = {
  ABS_X = 0, ABS_Y = 1, ABS_Z = 2, ABS_RX = 3, ABS_RY = 4, ABS_RZ = 5, ABS_THROTTLE = 6, ABS_RUDDER = 7,
    ABS_WHEEL = 8,
  ABS_GAS = 9, ABS_BRAKE = 10, ABS_HAT0X = 16, ABS_HAT0Y = 17, ABS_HAT1X = 18, ABS_HAT1Y = 19,
}

--- Default range of a stick: 16 bits, as of most devices.
local usual_lower, usual_upper = -32768, 32767

-- Mappings ----------------------------------------------------------------------------------------

--- The check of a field whose value is a name in a table, or looks like one of its names.
local function one_of(names, expected)
  return function(value)
    if names[value] then return nil end
    return ("must be %s%s"):format(expected, suggest.hint(tostring(value), suggest.keys(names)))
  end
end

local axis_fault = one_of(gamepad.axes, "the name of an axis, such as ABS_X")
local button_fault = one_of(gamepad.buttons, "the name of a button, such as BTN_SOUTH")

--- The fields of an item of `inputs`.
gamepad.row_fields = {
  axis = { "string", fault = axis_fault, doc = "the kernel's name: this, or a button, is required" },
  button = { "string", fault = button_fault, doc = "the kernel's name" },
  dead = { "number", lower = 0, upper = 0.99, value = 0,
    doc = "share of the way from the middle that counts as 0" },
  invert = { "boolean", value = false, doc = "true: the other way round" },
  one_sided = { "boolean", value = false, doc = "true: from 0 to 1, as of a trigger" },
  lower = { "number", doc = "the device's value at one end; default: as the device reports" },
  upper = { "number", doc = "its value at the other end; default: as the device reports" },
  label = { "string", doc = "for people" },
}

--- The fields of an item of `sticks`.
gamepad.stick_fields = {
  x = { "string", needed = true, fault = axis_fault, doc = "the axis to the right" },
  y = { "string", needed = true, fault = axis_fault, doc = "the other axis" },
  invert_x = { "boolean", value = false, doc = "true: the other way round" },
  invert_y = { "boolean", value = false, doc = "true: the other way round" },
  dead = { "number", lower = 0, upper = stick.most, value = stick.left,
    doc = "share of the way that counts as 0" },
  lower = gamepad.row_fields.lower, upper = gamepad.row_fields.upper, label = gamepad.row_fields.label,
}

--- The fields of a mapping.
gamepad.fields = {
  title = { "string", doc = "for people" },
  match = { "string", doc = "a part of the name of the devices that it is for" },
  panic = { "list", of = { "string", fault = button_fault }, doc = "buttons that stop the motors at once" },
  inputs = { "map", needed = true, of = { "record", fields = gamepad.row_fields },
    doc = "inputs by name, each an axis or a button" },
  sticks = { "map", of = { "record", fields = gamepad.stick_fields },
    doc = "two axes that are a stick: inputs NAME_x and NAME_y" },
}

--- The error in the range of a row: a sentence, or nil.
local function fault_of_range(field, row)
  if (row.lower == nil) ~= (row.upper == nil) or row.lower and row.lower >= row.upper then
    return field .. ": lower must be below upper, and both be there"
  end
end

local function fault_of_stick(field, name, row, mapping)
  for _, axis in ipairs { "_x", "_y" } do
    if mapping.inputs[name .. axis] then
      return ("%s makes the input %s, which inputs has too"):format(field, name .. axis)
    end
  end
  return fault_of_range(field, row)
end

--- The error in a mapping: a sentence, or nil.
function gamepad.fault(mapping)
  local fault = schema.fault(mapping, gamepad.fields, "a mapping")
  if fault then return fault end
  for _, name in ipairs(suggest.keys(mapping.inputs)) do
    local row, field = mapping.inputs[name], "inputs." .. name
    if not name:match "^[%a_][%w_]*$" then
      return ("inputs: '%s' cannot be the name of an input: letters, digits and _"):format(name)
    end
    if (row.axis == nil) == (row.button == nil) then
      return field .. " must have either an axis or a button"
    end
    fault = fault_of_range(field, row)
    if fault then return fault end
  end
  for _, name in ipairs(suggest.keys(mapping.sticks or {})) do
    fault = fault_of_stick("sticks." .. name, name, mapping.sticks[name], mapping)
    if fault then return fault end
  end
end

--- Read a mapping: an included one by name, or a file.  Return it, or nil and a sentence.
function gamepad.read(name)
  local file = name:find "[/.]" and name or ("%s/%s.lua"):format(paths.gamepads(), name)
  local source, why = sandbox.read(file)
  if not source then return nil, why end
  local chunk, fault = load(source, "@" .. file, "t", {})
  if not chunk then return nil, fault end
  local good, mapping = pcall(chunk)
  fault = not good and tostring(mapping) or gamepad.fault(mapping)
  if fault then return nil, ("%s: %s"):format(file, fault) end
  return mapping
end

--- The inputs of a mapping, as rows (see brio.devices.inputs).
function gamepad.rows(mapping)
  local rows = {}
  for name, row in next, mapping.inputs do
    rows[name] = { kind = row.axis and "axis" or "button", label = row.label }
  end
  for name, row in next, mapping.sticks or {} do
    rows[name .. "_x"], rows[name .. "_y"] = { kind = "axis", label = row.label },
      { kind = "axis", label = row.label }
  end
  return rows
end

--- The part of a mapping for the front.  `means_panic(name)`: whether an input of that name means the panic
--- stop.
function gamepad.options(mapping, device, means_panic)
  local codes = {}
  for index, name in ipairs(mapping.panic or {}) do codes[index] = gamepad.buttons[name] end
  for _, name in ipairs(suggest.keys(mapping.inputs)) do
    local button = mapping.inputs[name].button
    if button and means_panic and means_panic(name) then codes[#codes + 1] = gamepad.buttons[button] end
  end
  return { path = device, match = mapping.match, panic = codes }
end

-- Values ------------------------------------------------------------------------------------------

--- The value of an axis, -1 to 1 (0 to 1: one_sided), from the device's report.
function gamepad.value(row, raw, lower, upper)
  if row.lower then lower, upper = row.lower, row.upper end
  if not (lower < upper) then lower, upper = usual_lower, usual_upper end
  local share = math.max(0, math.min(1, (raw - lower) / (upper - lower)))
  local value = row.one_sided and share or 2 * share - 1
  local dead = row.dead or 0
  local size = math.abs(value)
  value = size <= dead and 0 or (size - dead) / (1 - dead) * (value < 0 and -1 or 1)
  return row.invert and 0 - value or value
end

--- Position of a stick's axis, -1 to 1, from the device's report.
local function way_of(row, axis, raw, lower, upper)
  local way = gamepad.value({ lower = row.lower, upper = row.upper }, raw, lower, upper)
  return row["invert_" .. axis] and 0 - way or way
end

local Gamepad = {}
Gamepad.__index = Gamepad

--- Make the converter of a front's events to a run's inputs.
function gamepad.new(mapping)
  local self = setmetatable({ mapping = mapping, button = {}, axis = {}, panic = {}, sticks = {} }, Gamepad)
  for _, name in ipairs(suggest.keys(mapping.inputs)) do
    local row = mapping.inputs[name]
    local list, code = row.axis and self.axis or self.button,
      gamepad.axes[row.axis] or gamepad.buttons[row.button]
    list[code] = list[code] or {}
    table.insert(list[code], { name = name, row = row })
  end
  for _, name in ipairs(suggest.keys(mapping.sticks or {})) do
    local row = mapping.sticks[name]
    local made = { name = name, row = row, stick = stick.new(row.dead) }
    self.sticks[#self.sticks + 1] = made
    for _, axis in ipairs { "x", "y" } do
      local code = gamepad.axes[row[axis]]
      self.axis[code] = self.axis[code] or {}
      table.insert(self.axis[code], { of = made, axis = axis })
    end
  end
  for _, name in ipairs(mapping.panic or {}) do self.panic[gamepad.buttons[name]] = name end
  return self
end

--- The state is unknown: release all sticks and buttons.
local function let_go(self, run)
  for _, name in ipairs(suggest.keys(self.mapping.inputs)) do
    run.inputs:set(name, run.inputs:find(name).rest, "gamepad")
  end
  for _, one in ipairs(self.sticks) do one.stick:let_go() end
end

local takers = {}

function takers.button(self, run, code, value)
  for _, item in ipairs(self.button[code] or {}) do run.inputs:set(item.name, value == 1, "gamepad") end
  if value == 1 and self.panic[code] then -- the front has already raised it
    run.recorder:operator { tick = run.host.tick, t = run.host.now, who = "gamepad", command = "panic" }
  end
end

function takers.axis(self, run, code, raw, lower, upper)
  for _, item in ipairs(self.axis[code] or {}) do
    local of = item.of
    if of then of.stick:put(item.axis, way_of(of.row, item.axis, raw, lower, upper), run.host.now)
    else run.inputs:set(item.name, gamepad.value(item.row, raw, lower, upper), "gamepad") end
  end
end

function takers.found(self, run)
  run:tell("info", "there is a gamepad")
  run.host:emit("gamepad_found", nil, "gamepad")
end

function takers.lost(self, run)
  let_go(self, run)
  run:tell("warning", "the gamepad is gone: its sticks and buttons count as released")
  run.host:emit("gamepad_lost", nil, "gamepad")
end

takers.anew = let_go

--- Time, s, after which the gamepad of a page that has fallen silent counts as released.
gamepad.silence = 0.5

--- Whether a name is the kernel's of a button or an axis.
function Gamepad.knows(name) return gamepad.buttons[name] ~= nil or gamepad.axes[name] ~= nil end

--- Take one input of a page's gamepad: a kernel's name of a button, 0 or 1, or of an axis, -1 to 1 (a
--- trigger:
--- 0 to 1).  Return true; nil: there is no such name.
function Gamepad:hear(run, name, value)
  local button, axis = gamepad.buttons[name], gamepad.axes[name]
  if not (button or axis) then return nil end
  self.heard = run.host.now
  if button then
    takers.button(self, run, button, value > 0.5 and 1 or 0)
    return true
  end
  for _, item in ipairs(self.axis[axis] or {}) do
    local of, row = item.of, item.row
    if of then of.stick:put(item.axis, way_of(of.row, item.axis, value, -1, 1), run.host.now)
    else
      local share = row.one_sided and value or (value + 1) / 2
      local lower, upper = row.lower or usual_lower, row.upper or usual_upper
      run.inputs:set(item.name, gamepad.value(row, lower + share * (upper - lower), lower, upper), "gamepad")
    end
  end
  return true
end

--- Release what a page holds.
function Gamepad:forget(run)
  if self.heard then let_go(self, run) end
  self.heard = nil
end

--- Process the events since the last tick.
function Gamepad:work(run)
  if self.heard and run.host.now > self.heard + gamepad.silence then self:forget(run) end
  while true do
    local what, code, value, lower, upper, received = run.front:gamepad()
    if not what then break end
    self.received = received
    takers[what](self, run, code, value, lower, upper)
  end
  for _, one in ipairs(self.sticks) do
    local x, y = one.stick:read(run.host.now)
    if x ~= one.x then run.inputs:set(one.name .. "_x", x, "gamepad") end
    if y ~= one.y then run.inputs:set(one.name .. "_y", y, "gamepad") end
    one.x, one.y = x, y
  end
end

return gamepad
