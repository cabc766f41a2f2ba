--- Idle motion of a robot: breathing, drifting, blinking, moving its ears, shifting its weight.
---
---     character = { idle = true }                        what the robot's idle.lua says, at level 0.5
---     character = { idle = { level = 0.8, gestures = { ears = { ... }, posture = false } } }
---
--- Motions are added to the values below, gestures play in the stage `random`. Both avoid DOFs of other
--- owners, and joints that carry a link with a goal of a state. No gesture plays twice in a row. Level 0 is
--- still, 1 is lively; a row may have a minimum level of its own (`from`). The emotion scales all of it.
local asked = require "brio.character.idle.asked"
local gestures = require "brio.character.idle.gestures"
local motions = require "brio.character.idle.motions"
local robots = require "brio.robots.catalog"
local rows = require "brio.character.idle.rows"
local suggest = require "brio.lib.suggest"
local words = require "brio.character.idle.words"

local idle = {
  name = "idle",
  about = "breathing, drifting, blinks and small gestures, by level from still (0) to lively (1)",
  fields = {
    level = { "number", lower = 0, upper = 1, value = 0.5, doc = "from 0, still, to 1, lively" },
    motions = { "table", doc = "motions over the robot's of the same name; false removes one",
      lua = "table<string, brio.IdleMotion|false>" },
    gestures = { "table", doc = "gestures over the robot's of the same name; false removes one",
      lua = "table<string, brio.IdleGesture|false>" },
  },
  words = words,
}

--- The default level.
idle.level = idle.fields.level.value

--- Time constants, s: of changes of the level, and with which motion leaves a DOF and returns to it.
idle.settle, idle.yield = 0.5, 0.3

--- The faculty applies levels itself: at a lower level it does less, but each motion fully.
local Idle = { heeds_level = true }
Idle.__index = Idle

--- The error in its settings on a robot, for a behavior with `sequences` by name; nil: none.
function idle.fault(spec, description, sequences)
  local known = {}
  local data, why = robots.data(description, "idle")
  if why then return why end
  for name in next, description.sequences or {} do known[name] = true end
  for name in next, sequences or {} do known[name] = true end
  local wrong = data and rows.fault_of_file(data, description, known)
  if wrong then return robots.data_file(description, "idle") .. ": " .. wrong end
  return rows.fault(rows.of(spec, data), description, known)
end

-- The faculty ---------------------------------------------------------------------------------------------

function idle.new(host, spec)
  local self = setmetatable({ host = host, motions = {}, gestures = {}, off = {}, gates = {}, level = 0 },
    Idle)
  self.asked = asked.new(host)
  self.face = idle.face_of(self)
  self:use(spec)
  self.level = self.aim
  return self
end

--- Update the rows of `kind` (motions or gestures): unchanged ones continue, new ones are created, removed
--- ones end.
local function update(self, list, kind, said)
  for _, name in ipairs(suggest.keys(list)) do
    if not said[name] then
      list[name]:stop()
      list[name] = nil
    end
  end
  for _, name in ipairs(suggest.keys(said)) do
    if list[name] then list[name]:use(said[name]) else list[name] = kind.new(self.host, name, said[name]) end
  end
  return suggest.keys(list)
end

--- Apply other settings: rows and, if the behavior's level has changed, the level.
function Idle:use(spec)
  local data = robots.data(self.host.description, "idle")
  local all = rows.of(spec, data)
  self.motion_names = update(self, self.motions, motions, all.motions)
  self.gesture_names = update(self, self.gestures, gestures, all.gestures)
  if not self.aim or spec.level ~= self.said then
    self.said, self.aim = spec.level, spec.level or idle.level
  end
end

--- The level for a row with the minimum level `from`.
local function level_of(level, row)
  local from = row.from or 0
  return level > from and (level - from) / (1 - from) or 0
end

--- The share of a DOF for idle motion: it goes to 0 if another owner has it.
local function gate_of(self, dt, taken)
  local gates, share = self.gates, 1 - math.exp(-dt / idle.yield)
  for number = 1, #self.host.description.dofs do
    local open = gates[number] or 1
    local aim = taken(number) and 0 or 1
    gates[number] = math.abs(aim - open) > 1e-4 and open + share * (aim - open) or aim
  end
  return function(number) return gates[number] end
end

--- Values for all rows in this tick. An emotion changes the speed and amplitude of sequences by
--- tracks:modulate; here it changes the liveliness of the rest.
local function mood_of(self, dt)
  local emotion, off, wanted = self.host.emotion, self.off, self.asked:now()
  local function taken(number) return off[number] or wanted and wanted[number] end
  local lively = emotion and emotion.liveliness or 1
  return {
    gate = gate_of(self, dt, taken), taken = (wanted or next(off)) and taken or nil,
    felt = function(name) return emotion and emotion.name == name and emotion.intensity or 0 end,
    wait = 2 ^ (1 - 2 * self.level) / lively, size = math.min(1.2, 0.6 + 0.8 * self.level),
    lively = math.sqrt(lively), talks = self.talks,
    quick = self.host.tempo.now * (emotion and emotion.speed or 1),
  }
end

function Idle:work(now, dt)
  local aim = self.aim * self.host.control:level "idle"
  local gap = aim - self.level
  self.level = math.abs(gap) > 1e-4 and self.level + gap * (1 - math.exp(-dt / idle.settle)) or aim
  local mood = mood_of(self, dt)
  for _, name in ipairs(self.motion_names) do
    local motion = self.motions[name]
    local level = self.off[name] and 0 or level_of(self.level, motion.row)
    motion:work(dt, level * mood.lively, mood.quick, mood.gate)
  end
  for _, name in ipairs(self.gesture_names) do
    local gesture = self.gestures[name]
    gesture:work(now, dt, self.off[name] and 0 or level_of(self.level, gesture.row), mood)
  end
end

--- Process an event: it may trigger gestures.
function Idle:hear(event)
  if event.name == "speaking" then self.talks = true elseif event.name == "said" then self.talks = false end
  for _, name in ipairs(self.gesture_names) do self.gestures[name]:hear(event.name) end
end

--- While the robot is on hold nothing becomes due.
function Idle:pause(on)
  local now = self.host.now
  if on then
    self.held_since = now
  elseif self.held_since then
    for _, name in ipairs(self.gesture_names) do self.gestures[name]:wait(now - self.held_since) end
    self.held_since = nil
  end
end

--- Release everything, smoothly; `work` starts again.
function Idle:stop()
  for _, name in ipairs(self.motion_names) do self.motions[name]:stop() end
  for _, name in ipairs(self.gesture_names) do self.gestures[name]:stop() end
end

-- What people say -----------------------------------------------------------------------------------------

--- Set the level, from 0 (still) to 1 (lively).
function Idle:set_level(level, who)
  if type(level) ~= "number" or not (level >= 0 and level <= 1) then
    return nil, "a level is from 0 (still) to 1 (lively)"
  end
  self.aim = level
  self.host:emit("idle_level", { level = level }, "idle", who)
  return true
end

--- Switch a row, a DOF or a group of DOFs off or on: everything with the name.
function Idle:switch(name, off)
  local numbers, row = rows.numbers({ name }, self.host.description),
    self.motions[name] or self.gestures[name]
  if row then self.off[name] = off or nil end
  for _, number in ipairs(numbers) do self.off[number] = off or nil end
  if row or numbers[1] then return true end
  local known = {}
  for _, list in ipairs { self.motion_names, self.gesture_names } do
    table.move(list, 1, #list, #known + 1, known)
  end
  for _, dof in ipairs(self.host.description.dofs) do
    known[#known + 1], known[#known + 2] = dof.name, dof.group
  end
  return nil, ("idle life has no row, and the robot no DOF or group, '%s'%s"):format(tostring(name),
    suggest.hint(tostring(name), known))
end

--- Play a gesture of a row now, such as "blink".
function Idle:gesture(name)
  local gesture = self.gestures[name]
  if not gesture then
    return nil, ("there is no idle gesture '%s'%s"):format(tostring(name),
      suggest.hint(tostring(name), self.gesture_names))
  end
  gesture:ask()
  return true
end

--- Blink, if the robot can: for example with a large turn of the gaze.
function Idle:blink() return self.gestures.blink ~= nil and self:gesture "blink" end

--- All rows, for people: {name, kind, off, level, count}.
function Idle:list()
  local list = {}
  for kind, names in next, { motion = self.motion_names, gesture = self.gesture_names } do
    for _, name in ipairs(names) do
      local one = self[kind .. "s"][name]
      list[#list + 1] = { name = name, kind = kind, off = self.off[name] == true,
        level = self.off[name] and 0 or level_of(self.level, one.row), count = one.count }
    end
  end
  table.sort(list, function(a, b) return a.kind > b.kind or a.kind == b.kind and a.name < b.name end)
  return list
end

--- self.idle of behaviors.
function idle.face_of(self)
  local face = {}
  local function checked(good, why)
    if not good then error(why, 3) end
    return good
  end

  --- The level; with a number, set it.
  function face.level(_, level)
    if level ~= nil then checked(self:set_level(level)) end
    return self.aim
  end

  --- Switch a row, a DOF or a group off; and on again.
  function face.off(_, name) return checked(self:switch(name, true)) end
  function face.on(_, name) return checked(self:switch(name, nil)) end

  --- A gesture now.
  function face.gesture(_, name) return checked(self:gesture(name)) end

  --- All rows: {name, kind, off, level, count}.
  function face.list() return self:list() end

  return face
end

return idle
