--- Joystick control: functions of a gamepad's sticks and buttons, as rows of data. As in Saldien
--- et al., "A Motion System for Social and Animated Robots", IJARS 2014: one stick is the emotion, another
--- moves the trunk, triggers and buttons wink, fall asleep, nod, shake the head and look pathetic.
---
---     return { rows = {
---       { does = "emotion", stick = "stick_left" },
---       { does = "place", stick = "stick_right", x = { TrunkPan = 1 }, y = { TrunkTilt = 1 } },
---       { does = "turn", stick = "stick_right", held = "shoulder_left", x = { NeckPan = -1.5 }, y = {
---         NeckTilt = -1 } },
---       { does = "play", button = "trigger_left", play = "wink" },
---     } }
---
--- A row's sticks and buttons are inputs of the run (docs/operators/gamepads.md); missing inputs have no
--- effect. A trigger, or a direction of the cross, can be a button: "trigger_left", "cross_y", "-cross_y". A
--- stick takes its DOFs like `take`, unless another person has them, and releases them after it has rested
--- for a while.
local clock = require "brio.clock"
local rotation = require "brio.lib.rotation"
local store = require "brio.store"
local stream = require "brio.character.control.stream"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local joystick = {}
local Joystick = {}
Joystick.__index = Joystick

--- A trigger is pressed above the first value, and released below the second: shares of its travel.
local pressed, let_go = 0.5, 0.3

--- Time after which DOFs that a stick has moved are released, s: our choice.
joystick.rest = 2

-- Values ----------------------------------------------------------------------------------------------------

local function value_of(self, name)
  local item = name and self.host.inputs.by_name[name]
  if not item then return 0 end
  local value = item.value
  return value == true and 1 or type(value) == "number" and value or 0
end

--- The position of a row's stick; 0, 0 while its button is released, or an excluding one is held.
local function stick_of(self, row)
  local held = value_of(self, row.held) > pressed
  if row.held and not held or not row.held and self.shifted[row.stick] then return 0, 0 end
  return value_of(self, row.stick .. "_x"), value_of(self, row.stick .. "_y")
end

-- Kinds of rows ---------------------------------------------------------------------------------------------

--- Each kind of row: its fields other than `does`, checked; and work(self, row, dt), called in every tick, or
--- press(self, row).
local kinds = {}

--- The emotion vector: valence to the right, arousal up. When the stick is released, the robot's own emotion
--- returns.
kinds.emotion = { fields = { stick = "stick" }, needs = { "stick" }, work = function(self, row)
  local emotion, x, y = self.host.emotion, stick_of(self, row)
  if not emotion then return end
  if x ~= 0 or y ~= 0 then
    emotion:override(x, y, "gamepad")
    row.on = true
  elseif row.on then
    emotion:release()
    row.on = false
  end
end }

--- Call work for the DOFs of a row with the stick's value: name, factor and the stick's share.
local function each_dof(row, x, y, work)
  for _, axis in ipairs { "x", "y" } do
    local share = axis == "x" and x or y
    for _, dof in ipairs(row[axis .. "_dofs"]) do work(dof, row[axis][dof], share) end
  end
end

--- Take a row's DOFs when its stick leaves the center, unless another person has them; release them after a
--- time of rest.
local function hold_dofs(self, row, moves, rest, dt)
  if moves then
    row.rests = 0
    if row.taking and self.control:goes_on(row.taking) then return true end
    local free = {}
    for _, dof in ipairs(row.dofs) do
      if not self.control.of[dof] then free[#free + 1] = dof end
    end
    row.taking = #free > 0 and self.control:take(row.name, { dofs = free, who = "gamepad", fade = 0.1 })
      or nil
    return true
  elseif row.rests then
    row.rests = row.rests + dt
    if row.rests < rest then return true end
    if row.taking and self.control:goes_on(row.taking) then self.control:end_taking(row.taking) end
    row.rests, row.taking = nil, nil
  end
  return false
end

--- Set the targets of the row's DOFs that this or another person has.
local function aim(self, row, x, y, to)
  each_dof(row, x, y, function(dof, factor, share)
    local at = self.control.aims.rows[dof]
    if at and self.control.of[dof] then self.control.aims:go(dof, to(self.dofs[dof], at, factor, share)) end
  end)
end

--- The stick sets the DOF's position: from its rest position to the ends of its range, or a given distance.
kinds.place = { fields = { stick = "stick", held = "button", x = "dofs", y = "dofs", name = "name" },
  needs = { "stick" }, work = function(self, row, dt)
    local x, y = stick_of(self, row)
    local moves = x ~= 0 or y ~= 0
    if not hold_dofs(self, row, moves, 0.3, dt) then return end
    aim(self, row, x, y, function(dof, _, factor, share)
      local way = factor * share
      return dof.rest + (way > 0 and way * (dof.upper - dof.rest) or way * (dof.rest - dof.lower))
    end)
  end }

--- The stick sets a speed in the DOF's unit per second; the DOF stays when the stick is released.
kinds.turn = { fields = { stick = "stick", held = "button", x = "dofs", y = "dofs", name = "name",
  rest = "seconds" }, needs = { "stick" }, work = function(self, row, dt)
    local x, y = stick_of(self, row)
    local moves = x ~= 0 or y ~= 0
    if not hold_dofs(self, row, moves, row.rest or self.rest, dt) or not moves then return end
    aim(self, row, x, y, function(_, at, factor, share)
      local ahead = 0.25 * math.abs(factor) -- limits the distance to a target that a slower DOF cannot follow
      return math.max(at.value - ahead, math.min(at.value + ahead, at.aim + factor * share * dt))
    end)
  end }

--- The stream of a row's link, created on first use; false if that is impossible.
local function stream_of(self, row)
  local made = self.streams[row.link]
  if made == nil then
    local why
    made, why = stream.new(self.control, row.link,
      { what = row.what, part = row.part, frame = row.frame, who = "gamepad" })
    if not made then self.host.say("warning", ("the joystick cannot lead %s: %s"):format(row.link, why)) end
    self.streams[row.link] = made or false
    if made then table.insert(self.led, made) end
  end
  return made
end

--- The vector that a row's stick gives.
local function blend(row, field, x, y)
  local a, b = row[field .. "x"], row[field .. "y"]
  return (a and a[1] * x or 0) + (b and b[1] * y or 0), (a and a[2] * x or 0) + (b and b[2] * y or 0),
    (a and a[3] * x or 0) + (b and b[3] * y or 0)
end

--- Maximum distance of a target from the hand that cannot follow it, m.
local leash = 0.03

--- Move the target at the stick's velocity.
local function twist(self, row, one, x, y, dt)
  if not one:has() then
    if not one:begin() then return end
    one:want(one:place())
  end
  local g = one.goal
  local vx, vy, vz = blend(row, "", x, y)
  local wx, wy, wz = blend(row, "turn_", x, y)
  local px, py, pz, qx, qy, qz, qw = g[1], g[2], g[3], g[4], g[5], g[6], g[7]
  if one.off and one.what ~= "orientation" and (one.off.position or 0) > leash then
    px, py, pz = one:place()
  end
  local speed = math.sqrt(wx * wx + wy * wy + wz * wz)
  if speed > 0 then
    local s = math.sin(speed * dt / 2) / speed
    qx, qy, qz, qw = rotation.normalized(
      rotation.times(s * wx, s * wy, s * wz, math.cos(speed * dt / 2), qx, qy, qz, qw))
  end
  one:want(px + vx * dt, py + vy * dt, pz + vz * dt, qx, qy, qz, qw)
  one.idle = 0
end

--- The stick is the velocity of a link's target, m/s, and with turn_x and turn_y rad/s, along the axes of
--- `frame` (the world).
kinds.twist = { fields = { stick = "stick", held = "button", link = "text", part = "part", what = "text",
  frame = "text",
    x = "vector", y = "vector", turn_x = "vector", turn_y = "vector", rest = "seconds" },
      needs = { "stick", "link" },
  work = function(self, row, dt)
    local x, y = stick_of(self, row)
    if x == 0 and y == 0 then return end
    local one = stream_of(self, row)
    if one then twist(self, row, one, x, y, dt) end
  end }

--- Move the controlled DOFs; release those that have rested for a while.
local function lead(self, dt)
  for _, one in ipairs(self.led) do
    if one.taking then
      one.idle = one.idle + dt
      if one.idle > self.rest or not one:has() then one:finish() else one:work() end
    end
  end
end

--- Record the effect of a button, with its latency.
local function note(self, command, what)
  local host, pad = self.host, self.host.gamepad
  local late = pad and pad.received and (clock.monotonic() - pad.received) * 1000
  host.recorder:operator { tick = host.tick, t = host.now, who = "gamepad", command = command,
    arguments = store.json(what), late_ms = late }
  local at = pad and pad.received
  host.operators:did({ who = "gamepad", role = "wizard", device = "gamepad", input = at, received = at },
    command, what)
end

--- Play a sequence of the behavior or the robot, with priority over the controlled part.
kinds.play = { fields = { button = "button", play = "text", mirror = "flag", amplitude = "number",
  speed = "number" }, needs = { "button", "play" }, press = function(self, row)
    local tracks = self.host.tracks
    if not tracks:find(row.play) then
      if not row.told then
        self.host.say("warning", ("the joystick's %s: there is no sequence '%s'"):format(row.button,
          row.play))
      end
      row.told = true
      return
    end
    tracks:play(row.play, { stage = "operator", priority = 1, owner = "operator", mirror = row.mirror,
      amplitude = row.amplitude, speed = row.speed }, "gamepad")
    note(self, "play", row.play)
  end }

--- Take a part, or release it.
kinds.take = { fields = { button = "button", part = "part" }, needs = { "button", "part" },
  press = function(self, row)
  if self.control:taken(row.part) then self.control:give(row.part, nil, "gamepad")
  else self.control:take(row.part, { who = "gamepad" }) end
  note(self, "take", row.part)
end }

--- Release everything.
kinds.give = { fields = { button = "button" }, needs = { "button" }, press = function(self)
  self.control:give("all", nil, "gamepad")
  note(self, "give", "all")
end }

--- Raise or lower the level of autonomy by a step at each press.
kinds.level = { fields = { button = "button", by = "number", of = "text" }, needs = { "button", "by" },
  press = function(self, row)
    local name = row.of or "all"
    local to = math.max(0, math.min(1, self.control.levels:target(name) + row.by))
    self.control:set_level(name, to, nil, "gamepad")
    note(self, "level", ("%s %g"):format(name, to))
  end }

-- Checking --------------------------------------------------------------------------------------------------

--- The types of rows' fields.
local types = {
  stick = { "text", doc = "a stick, such as stick_left" },
  button = { "text", doc = "an input; held: that has to be held meanwhile" },
  text = { "text", doc = "a name" }, name = { "text", doc = "for people" },
  part = { "text", doc = "a part of the body" },
  flag = { "boolean", value = false, doc = "true: with left and right exchanged" },
  number = { "number", doc = "how much" },
  seconds = { "number", unit = "s", lower = 0, doc = "after which it goes back" },
  dofs = { "map", of = "number", doc = "DOF = how much of the stick" },
  vector = { "vector", size = 3, doc = "m/s or rad/s along x, y and z" },
}

--- The meaning of fields whose type does not show it.
local docs = {
  amplitude = "of the sequence; 1: unchanged", by = "how much a press changes it",
  frame = "a link; none: the world",
  held = "an input that has to be held meanwhile",
  button = "an input; - before it: the other side of a cross",
  link = "the link that is led", of = "a faculty or a part; none: all", part = "a part of the body",
  play = "a sequence", speed = "of the sequence; 1: unchanged",
  what = "pose, position, orientation or direction",
  x = "to the right. place: DOF = share of its range; turn: DOF = units a second; twist: m/s", y = "up: as x",
  turn_x = "to the right: rad/s about x, y, z", turn_y = "up: rad/s about x, y, z",
}

--- The record of a kind of row, of its fields and of what it needs.
local function record_of(kind)
  if kind.record then return kind.record end
  local made = { does = { "text", doc = "the kind of row" } }
  for name, of in next, kind.fields do
    local field = {}
    for key, value in next, types[of] do field[key] = value end
    field.needed, field.doc = suggest.contains(kind.needs, name) or nil, docs[name] or field.doc
    made[name] = field
  end
  kind.record = made
  return made
end

--- The fields of all kinds of rows together.
local function row_fields()
  local made = {}
  for _, name in ipairs(suggest.keys(kinds)) do
    for key, field in next, record_of(kinds[name]) do
      local free = {}
      for part, value in next, field do free[part] = value end
      free.needed = nil
      made[key] = free
    end
  end
  made.does = { "choice", of = suggest.keys(kinds), needed = true, doc = "the kind of row" }
  made.x[1], made.y[1] = "map or list", "map or list" -- of DOFs, or a direction
  return made
end

--- The fields of a joystick's table.
joystick.fields = {
  title = { "text", doc = "for people" },
  rows = { "list", needed = true, of = { "record", fields = row_fields() },
    doc = "what sticks and buttons do" },
  rest = types.seconds,
}

local frame_fields = { title = joystick.fields.title, rest = joystick.fields.rest,
  rows = { "list", of = "any", needed = true } }

local function fault_of_dofs(row, what, dofs)
  for _, axis in ipairs { "x", "y" } do
    for _, name in ipairs(suggest.keys(row[axis] or {})) do
      if not dofs[name] then
        return ("%s.%s: the robot has no DOF '%s'%s"):format(what, axis, name,
          suggest.hint(name, suggest.keys(dofs)))
      end
    end
  end
end

local function fault_of_row(row, what, dofs)
  if type(row) ~= "table" then return what .. " must be a table: { does = ... }" end
  local kind = kinds[row.does]
  if not kind then
    return ("%s.does must be one of %s%s"):format(what, table.concat(suggest.keys(kinds), ", "),
      type(row.does) == "string" and suggest.hint(row.does, suggest.keys(kinds)) or "")
  end
  return schema.fault(row, record_of(kind), ("%s (%s)"):format(what, row.does))
    or kind.fields.x == "dofs" and fault_of_dofs(row, what, dofs) or nil
end

--- The error in a joystick's table on a robot: a sentence, or nil.
function joystick.fault(said, description)
  local fault = schema.fault(said, frame_fields, "joystick")
  if fault then return fault end
  local dofs = {}
  for _, dof in ipairs(description.dofs) do dofs[dof.name] = dof end
  for index, row in ipairs(said.rows) do
    fault = fault_of_row(row, ("joystick.rows[%d]"):format(index), dofs)
    if fault then return fault end
  end
end

-- Working ---------------------------------------------------------------------------------------------------

local function prepared(row, index)
  local made, dofs = { name = ("joystick %d"):format(index) }, kinds[row.does].fields.x == "dofs"
  for key, value in next, row do made[key] = value end
  if dofs then made.x, made.y = made.x or {}, made.y or {} end
  local side, input = (row.button or ""):match "^(%-?)(.+)$"
  made.input, made.side = input, side == "-" and -1 or 1
  made.x_dofs, made.y_dofs, made.dofs = suggest.keys(dofs and made.x or {}),
    suggest.keys(dofs and made.y or {}), {}
  for _, list in ipairs { made.x_dofs, made.y_dofs } do
    table.move(list, 1, #list, #made.dofs + 1, made.dofs)
  end
  return made
end

--- Make the functions of a joystick's table, which joystick.fault has passed.
function joystick.new(control, said)
  local self = setmetatable({ control = control, host = control.host, rows = {}, dofs = {}, down = {},
    shifted = {}, streams = {}, led = {}, rest = said.rest or joystick.rest }, Joystick)
  for _, dof in ipairs(self.host.description.dofs) do self.dofs[dof.name] = dof end
  for index, row in ipairs(said.rows) do self.rows[index] = prepared(row, index) end
  return self
end

--- Find the rows whose trigger, an input that is an axis, was pressed.
local function look_at_triggers(self)
  for _, row in ipairs(self.rows) do
    local item = row.input and self.host.inputs.by_name[row.input]
    if item and type(item.value) == "number" then
      local down = row.side * item.value > (self.down[row] and let_go or pressed)
      if down and not self.down[row] then kinds[row.does].press(self, row) end
      self.down[row] = down
    end
  end
end

--- Work of a tick.
function Joystick:work(dt)
  for _, row in ipairs(self.rows) do
    if row.held then self.shifted[row.stick] = false end
  end
  for _, row in ipairs(self.rows) do
    if row.held and value_of(self, row.held) > pressed then self.shifted[row.stick] = true end
  end
  look_at_triggers(self)
  for _, row in ipairs(self.rows) do
    local work = kinds[row.does].work
    if work then work(self, row, dt) end
  end
  lead(self, dt)
end

--- A button was pressed, by name.
function Joystick:press(name)
  for _, row in ipairs(self.rows) do
    if row.input == name then kinds[row.does].press(self, row) end
  end
end

--- Release everything.
function Joystick:stop()
  for _, one in ipairs(self.led) do one:finish() end
  for _, row in ipairs(self.rows) do
    if row.taking and self.control:goes_on(row.taking) then self.control:end_taking(row.taking) end
    if row.does == "emotion" and row.on and self.host.emotion then self.host.emotion:release() end
    row.taking, row.rests, row.on = nil, nil, nil
  end
end

--- The function of each row, in words.
function Joystick:lines()
  local lines = {}
  for _, row in ipairs(self.rows) do
    local with = row.held and (" with %s held"):format(row.held) or ""
    local what = row.play or row.link or row.part or row.by and ("%+g"):format(row.by)
      or table.concat(row.dofs, " ")
    lines[#lines + 1] = ("%-16s %s %s%s"):format(row.stick or row.button, row.does, what, with)
  end
  return lines
end

return joystick
