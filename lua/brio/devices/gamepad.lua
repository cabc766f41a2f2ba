--- What the buttons and sticks of a gamepad are to a run: a mapping, which is data, makes inputs of them.
---
---     return { panic = { "BTN_MODE" }, inputs = { stick_x = { axis = "ABS_X", dead = 0.1 }, wave = { button
---       = "BTN_SOUTH" } } }
local paths = require "brio.lib.paths"
local sandbox = require "brio.behavior.loading.sandbox"
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

--- Default range of a stick: 16 bits, as most have.
local usual_lower, usual_upper = -32768, 32767

-- Mappings ----------------------------------------------------------------------------------------

local function number(value)
  return type(value) == "number" and value == value and math.abs(value) < math.huge
end
local function flag(value) return type(value) == "boolean" end
local function text(value) return type(value) == "string" end

--- The fields of a row: which values are good, and what was expected.
local fields = {
  axis = { function(value) return gamepad.axes[value] ~= nil end, "the name of an axis, such as ABS_X" },
  button = { function(value) return gamepad.buttons[value] ~= nil end,
    "the name of a button, such as BTN_SOUTH" },
  dead = { function(value) return number(value) and value >= 0 and value < 1 end,
    "a share from 0 to less than 1" },
  invert = { flag, "true or false" }, one_sided = { flag, "true or false" },
    lower = { number, "a finite number" },
  upper = { number, "a finite number" }, label = { text, "a text" },
}

--- The same of a stick.
local stick_fields = {
  x = fields.axis, y = fields.axis, invert_x = fields.invert, invert_y = fields.invert, lower = fields.lower,
  upper = fields.upper, label = fields.label,
  dead = { function(value) return number(value) and value >= 0 and value <= stick.most end,
    "a share from 0 to 0.3" },
}

--- The error in the fields of a row, one by one.
local function fault_of_fields(field, row, known_fields, expected)
  if type(row) ~= "table" then return ("%s must be a table: %s"):format(field, expected) end
  for _, key in ipairs(suggest.keys(row)) do
    local known = known_fields[key]
    if not known then
      return ("%s: there is no field %s%s"):format(field, key, suggest.hint(key, suggest.keys(known_fields)))
    end
    if not known[1](row[key]) then return ("%s.%s must be %s"):format(field, key, known[2]) end
  end
end

local function fault_of_row(field, row)
  local fault = fault_of_fields(field, row, fields, "{ axis = ... } or { button = ... }")
  if fault then return fault end
  if (row.axis == nil) == (row.button == nil) then return field .. " must have either an axis or a button" end
  if (row.lower == nil) ~= (row.upper == nil) or row.lower and row.lower >= row.upper then
    return field .. ": lower must be below upper, and both be there"
  end
end

local function fault_of_sticks(mapping)
  if mapping.sticks ~= nil and type(mapping.sticks) ~= "table" then
    return "sticks must be a table of name = { x = ..., y = ... }"
  end
  for _, name in ipairs(suggest.keys(mapping.sticks or {})) do
    local row, field = mapping.sticks[name], "sticks." .. name
    local fault = fault_of_fields(field, row, stick_fields, "{ x = ..., y = ... }")
    if fault then return fault end
    if not (row.x and row.y) then return field .. " must have both axes, x and y" end
    if (row.lower == nil) ~= (row.upper == nil) or row.lower and row.lower >= row.upper then
      return field .. ": lower must be below upper, and both be there"
    end
    for _, axis in ipairs { "_x", "_y" } do
      if mapping.inputs[name .. axis] then
        return ("%s makes the input %s, which inputs has too"):format(field, name .. axis)
      end
    end
  end
end

--- The error in a mapping: a sentence, or nil.
function gamepad.fault(mapping)
  if type(mapping) ~= "table" then return "a mapping must be a table: { inputs = { ... } }" end
  local known = { title = true, match = true, panic = true, inputs = true, sticks = true }
  for _, key in ipairs(suggest.keys(mapping)) do
    if not known[key] then
      return ("there is no field %s%s"):format(key, suggest.hint(key, suggest.keys(known)))
    end
  end
  for _, key in ipairs { "title", "match" } do
    if mapping[key] ~= nil and not text(mapping[key]) then return key .. " must be a text" end
  end
  if mapping.panic ~= nil and type(mapping.panic) ~= "table" then return "panic must be a list of buttons" end
  for index, name in ipairs(mapping.panic or {}) do
    if not gamepad.buttons[name] then
      return ("panic[%d]: there is no button '%s'%s"):format(index, tostring(name),
        suggest.hint(tostring(name), suggest.keys(gamepad.buttons)))
    end
  end
  if type(mapping.inputs) ~= "table" then
    return "inputs must be a table of name = { axis = ... } or { button = ... }"
  end
  for _, name in ipairs(suggest.keys(mapping.inputs)) do
    if not name:match "^[%a_][%w_]*$" then
      return ("inputs: '%s' cannot be the name of an input: letters, digits and _"):format(name)
    end
    local fault = fault_of_row("inputs." .. name, mapping.inputs[name])
    if fault then return fault end
  end
  return fault_of_sticks(mapping)
end

--- Read a mapping: the name of one that ships, or a file.  Return it, or nil and a sentence.
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

--- The inputs that a mapping makes, as rows (see brio.devices.inputs).
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

--- The value of an axis, -1 to 1 (0 to 1: one_sided), from what the device reports.
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

--- Make what turns a front's events into a run's inputs.
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

--- All sticks are let go, all buttons up: nothing is known.
local function let_go(self, run)
  for _, name in ipairs(suggest.keys(self.mapping.inputs)) do
    run.inputs:set(name, run.inputs:find(name).rest, "gamepad")
  end
  for _, one in ipairs(self.sticks) do one.stick:let_go() end
end

local takers = {}

function takers.button(self, run, code, value)
  for _, item in ipairs(self.button[code] or {}) do run.inputs:set(item.name, value == 1, "gamepad") end
  if value == 1 and self.panic[code] then -- the front has raised it already
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
  run:tell("warning", "the gamepad is gone: its sticks and buttons count as let go")
  run.host:emit("gamepad_lost", nil, "gamepad")
end

takers.anew = let_go

--- Process the events since the last tick.
function Gamepad:work(run)
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
