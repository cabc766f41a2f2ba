--- The faculty of emotion: its state, the expression in face and posture, and the effect on motions.
---
---     character = { emotion = { temperament = { 0.1, 0 } } }
---     self.emotion:feel("happy", 0.8, 3)     self.emotion:event "praise"     self.emotion:act "pet"
---     host.emotion.valence, .arousal, .intensity, .name, .speed, .amplitude, .liveliness
---     host.emotion:override(0.3, -0.5, "ann")   host.emotion:release(2)
---
--- The dynamics are in emotion/affect.lua and emotion/needs.lua, the expressions in emotion/expressions.lua,
--- the settings in emotion/settings.lua. The robot is moved by one live source, "emotion", at the bottom of
--- the stage merge.
local affect = require "brio.character.emotion.affect"
local expressions = require "brio.character.emotion.expressions"
local face_of = require "brio.character.emotion.interface"
local graph = require "brio.character.emotion.graph"
local modulation = require "brio.character.emotion.modulation"
local names = require "brio.character.emotion.names"
local needs = require "brio.character.emotion.needs"
local settings = require "brio.character.emotion.settings"
local suggest = require "brio.lib.suggest"
local words = require "brio.character.emotion.words"

local Emotion = {}
Emotion.__index = Emotion

--- Below other live values of the face.
local priority = -100

--- Recording of a changing emotion: minimum interval, s, and minimum change.
local record_every, record_least = 0.1, 1e-3

--- Time for which another name must hold before it is used, s.
local settle = 0.15

--- A joint is released when its expression contributes less than this, and taken again above twice that.
local joint_least = 0.004

local nothing = {}

local is_number = require("brio.lib.fields").is_number

--- Apply a behavior's settings: at the start, and after each reload.
local function take_settings(self, spec)
  self.set = settings.whole(spec, self.host.description)
  self.needs = needs.new(self.set.needs, self.needs)
  self.bound = {}
  for _, name in ipairs(suggest.keys(self.set.actions)) do
    if self.set.actions[name].input then self.bound[#self.bound + 1] = name end
  end
end

local function new(host, spec)
  local self = setmetatable({ host = host, time = 0, override_share = 0, given = {}, happened = {},
    strengths = {}, levels = {}, heard = {}, shown = { 0, 0 }, name = names.neutral }, Emotion)
  take_settings(self, spec)
  self.state = affect.new(self.set)
  self.face = face_of(self)
  self:look()
  if self.set.expressions.none then
    host.say("info", ("robot '%s' has no expressions: its emotion changes how it moves, and \z
      nothing else"):format(
      host.description.name))
  end
  return self
end

--- The behavior was reloaded: the emotion stays.
function Emotion:use(spec)
  take_settings(self, spec)
  self.state:use(self.set)
  if self.source then self.host.tracks:stop_source(self.source, 0.5, "reloaded") end
  self.source, self.given = nil, {}
end

-- Input ------------------------------------------------------------------------------------------------

--- An emotion as people give it, a name or {valence, arousal}, as a vector; nil and a sentence.
function Emotion:vector(what, intensity)
  if intensity ~= nil and not (is_number(intensity) and intensity >= 0 and intensity <= 1) then
    return nil, ("an intensity must be from 0 to 1, not %s"):format(tostring(intensity))
  end
  if type(what) == "string" then return names.vector(self.set.known, what, intensity) end
  local x, y = type(what) == "table" and (what[1] or what.valence),
    type(what) == "table" and (what[2] or what.arousal)
  if not (is_number(x) and is_number(y)) then
    local said = type(what) == "table" and ("{ %s, %s }"):format(tostring(x), tostring(y)) or tostring(what)
    return nil, ("an emotion is a name, or { valence, arousal }, not %s"):format(said)
  end
  x, y = affect.clamped(x * (intensity or 1), y * (intensity or 1))
  return { x, y }
end

--- Feel an emotion for `seconds` (default: settings.hold): it rises quickly, and decays slowly. Return true;
--- nil and a sentence.
function Emotion:feel(what, intensity, seconds)
  local vector, why = self:vector(what, intensity)
  if not vector then return nil, why end
  seconds = seconds or self.set.hold
  if not (type(seconds) == "number" and seconds >= 0) then return nil, "seconds must be at least 0" end
  local before = self.state.felt
  local gain = self.set.gain
  self.state:feel({ vector[1] * gain, vector[2] * gain }, seconds)
  local felt = self.state.felt
  if not before or before[1] ~= felt[1] or before[2] ~= felt[2] then
    self.host:emit("emotion_felt", { name = type(what) == "string" and what or nil, valence = vector[1],
      arousal = vector[2], seconds = seconds }, "emotion", type(what) == "string" and what or nil)
  end
  return true
end

--- The row of an event or an action; nil and a sentence.
local function row_of(rows, name, what)
  local row = rows[name]
  if row then return row end
  local known = suggest.keys(rows)
  return nil, ("there is no %s '%s'%s: there are %s"):format(what, tostring(name),
    suggest.hint(tostring(name), known), table.concat(known, ", "))
end

--- An event: it pushes the emotion once, with less effect if it was repeated. Return the strength of the
--- effect.
function Emotion:event(name, strength)
  local row, why = row_of(self.set.events, name, "event")
  if not row then return nil, why end
  strength = strength == nil and 1 or strength
  if not (is_number(strength) and strength >= 0 and strength <= 2) then
    return nil, "a strength must be from 0 to 2"
  end
  local last = self.happened[name]
  local share = last and graph.at(row.repetition or self.set.repetition, self.time - last) or 1
  local by = strength * share * self.set.gain
  local vector = { row.vector[1] * by, row.vector[2] * by }
  if row.decay then self.state:pulse(vector, row.decay) else self.state:push(vector) end
  self.happened[name] = self.time
  self.host:emit("emotion_event", { name = name, strength = strength, share = share }, "emotion", name)
  return strength * share
end

--- Act on the robot for `seconds` (1); a repeated call extends the action.
function Emotion:act(name, strength, seconds)
  local row, why = row_of(self.set.actions, name, "action")
  if not row then return nil, why end
  strength, seconds = strength == nil and 1 or strength, seconds == nil and 1 or seconds
  if not (is_number(strength) and strength >= 0 and strength <= 2) then
    return nil, "a strength must be from 0 to 2"
  end
  if not (type(seconds) == "number" and seconds >= 0) then return nil, "seconds must be at least 0" end
  local by = strength * self.set.gain
  local fresh = self.state:act(name, { row.vector[1] * by, row.vector[2] * by }, seconds)
  self.strengths[name] = strength
  if fresh then self.host:emit("emotion_action", { name = name, strength = strength }, "emotion", name) end
  return true
end

-- The operator -------------------------------------------------------------------------------------------

--- Set an operator's emotion, which hides the robot's own, which continues below. It can be called at any
--- rate, for example by a stick.
function Emotion:override(valence, arousal, who)
  if not (is_number(valence) and is_number(arousal)) then
    return nil, "valence and arousal must be finite numbers"
  end
  local x, y = affect.clamped(valence, arousal)
  if not (self.ease and self.ease.to == 1) then
    self.ease = { from = self.override_share, to = 1, lasts = self.set.take, age = 0 }
    self.host:emit("emotion_taken", { valence = x, arousal = y, who = who }, "operator", who)
  end
  self.operator = { x, y, who = who }
  return true
end

--- Return to the robot's own emotion within `seconds` (settings.release).
function Emotion:release(seconds)
  if seconds ~= nil and not (is_number(seconds) and seconds >= 0 and seconds <= 60) then
    return nil, "seconds must be from 0 to 60"
  end
  if not (self.ease and self.ease.to == 1) then return false end
  self.host:emit("emotion_released", { who = self.operator.who }, "operator", self.operator.who)
  self.ease = { from = self.override_share, to = 0, lasts = seconds or self.set.release, age = 0 }
  return true
end

--- Whether an operator has control of the emotion.
function Emotion:taken() return self.ease ~= nil and self.ease.to == 1 end

--- Fade the operator's share: it takes effect at once when it comes, and begins and ends smoothly when it
--- goes.
local function ease(self, dt)
  local on = self.ease
  if not on then return end
  on.age = on.age + dt
  local s = on.lasts > 0 and math.min(1, on.age / on.lasts) or 1
  local share = on.to == 1 and 1 - (1 - s) * (1 - s) or s * s * (3 - 2 * s)
  self.override_share = on.from + (on.to - on.from) * share
  if s >= 1 and on.to == 0 then self.ease, self.operator = nil, nil end
end

-- A tick ----------------------------------------------------------------------------------------------------

--- Actions on needs: lists of {rate, strength} by need.
local function acting(self)
  if #self.state.stimuli == 0 then return nothing end
  local lists = {}
  for _, stimulus in ipairs(self.state.stimuli) do
    local row = self.set.actions[stimulus.key]
    for need, gain in next, row and row.needs or {} do
      lists[need] = lists[need] or {}
      table.insert(lists[need], { gain, self.strengths[stimulus.key] or 1 })
    end
  end
  return lists
end

--- Inputs that are actions, as a touched head is petting: they continue while the input is set.
local function feel_inputs(self, dt)
  for _, name in ipairs(self.bound) do
    local value = self.host.self.inputs[self.set.actions[name].input]
    local strength = value == true and 1 or is_number(value) and math.max(0, math.min(2, value)) or 0
    if strength > 0 then self:act(name, strength, 2 * dt) end
  end
end

--- Update the fields that others read. The level of autonomy scales the robot's own emotion in motion, not an
--- operator's.
function Emotion:look()
  local x, y = self.state:total()
  local share, operator, control = self.override_share, self.operator or { 0, 0 }, self.host.control
  local level = control and control:level "emotion" or 1
  self.valence, self.arousal = x + share * (operator[1] - x), y + share * (operator[2] - y)
  self.intensity = math.min(1, math.sqrt(self.valence ^ 2 + self.arousal ^ 2))
  self.angle = names.angle(self.valence, self.arousal)
  local shown = self.shown
  shown[1], shown[2] = level * x + share * (operator[1] - level * x),
    level * y + share * (operator[2] - level * y)
  for _, name in ipairs { "speed", "amplitude", "liveliness" } do
    self[name] = modulation.factor(self.set.modulation[name], shown[1], shown[2])
  end
end

--- Scale speed and amplitude of playing sources by the emotion; five times a second.
local function modulate(self)
  if self.time < (self.modulated or 0) then return end
  self.modulated = self.time + 0.2
  self.host.tracks.mood = self
  self.host.tracks:modulate()
end

--- Emit an event when the name of the emotion has changed for a moment: names that it only passes are
--- ignored.
local function notice(self)
  local name = names.of(self.set.known, self.valence, self.arousal, self.name)
  if name ~= self.next_name then self.next_name, self.next_since = name, self.time end
  if name ~= self.name and self.time - self.next_since >= settle - 1e-9 then
    local from = self.name
    self.name = name
    self.host:emit("emotion_changed", { from = from, to = name, intensity = self.intensity }, "emotion", name)
  end
  needs.notice(self.needs, function(need, from, to)
    self.host:emit("need_changed", { need = need.name, from = from, to = to, level = need.level }, "emotion",
      need.name)
  end)
end

--- The source of the expressions, created when needed; nil if there is no room. While an operator has control
--- it belongs to the operator, so levels of autonomy do not apply.
local function source_of(self)
  local tracks, owner = self.host.tracks, self.ease and "operator" or "autonomy"
  local source = self.source
  if source and source.owner == owner and tracks.playing[source.source] == source then return source end
  if source then tracks:stop_source(source, 0.5, "taken over") end
  self.given, self.bent = {}, nil
  self.source = tracks:live("emotion",
    { stage = "merge", priority = priority, tau = self.set.smooth, fade = 0.5,
    follow = self.set.expressions.follow, owner = owner, faculty = owner == "autonomy" and "emotion" or nil,
    by = owner == "operator" and self.operator.who or "emotion" })
  return self.source
end

--- Set a DOF's value if it has changed; nil releases it.
local function say(self, row, value)
  if self.given[row.name] == value then return end
  self.given[row.name] = value
  self.host.tracks:say_value(self.source, row.name, value, row.over)
end

--- Express the emotion: the robot's own, scaled by its level, blended with the operator's.
local function express(self)
  local rows, shares = self.set.expressions.rows, self.set.modulation
  if #rows == 0 or not source_of(self) then return end
  local x, y = self.valence, self.arousal
  if self.ease then x, y = self.shown[1], self.shown[2] end
  local angle, intensity = names.angle(x, y), math.min(1, math.sqrt(x * x + y * y))
  self.bent = intensity > (self.bent and joint_least or 2 * joint_least)
  for _, row in ipairs(rows) do
    local share = row.outside and shares.face or shares.posture
    local value = expressions.value(row, angle, intensity * share)
    if row.over and not self.bent then value = nil end
    say(self, row, value)
  end
end

--- Record the emotion in the store.
local function record(self, now)
  if now < (self.looked or -1) + record_every - 1e-9 then return end
  self.looked = now
  local row = self.recorded
  local mood = self.state.mood
  local fresh = { t = now, valence = self.valence, arousal = self.arousal, intensity = self.intensity,
    name = self.name,
    mood_valence = mood[1], mood_arousal = mood[2], operator = self.override_share, needs = {} }
  local moved = not row or row.name ~= fresh.name or math.abs(row.operator - fresh.operator) > record_least
    or math.abs(row.valence - fresh.valence) > record_least
      or math.abs(row.arousal - fresh.arousal) > record_least
  for _, need in ipairs(self.needs) do
    fresh.needs[need.name] = math.floor(need.level * 1e6 + 0.5) / 1e6
    moved = moved or math.abs(need.level - (self.levels[need.name] or 2)) > 0.01
  end
  if not moved then return end
  for name, level in next, fresh.needs do self.levels[name] = level end
  self.recorded = fresh
  self.host.recorder:emotion(fresh)
end

--- Process an event: emotions in the behavior's `on` are felt in the next tick.
function Emotion:hear(event)
  for _, name in ipairs(event.source ~= "emotion" and self.set.on[event.name] or nothing) do
    if #self.heard < 32 then self.heard[#self.heard + 1] = name end
  end
end

local function feel_heard(self)
  local heard = self.heard
  if #heard == 0 then return end
  self.heard = {}
  for _, name in ipairs(heard) do self:event(name) end
end

function Emotion:work(now, dt)
  feel_inputs(self, dt)
  feel_heard(self)
  self.feed = self.feed or function(h) return needs.step(self.needs, h, acting(self)) end
  self.state:step(dt, self.feed)
  self.time = self.time + dt
  ease(self, dt)
  self:look()
  modulate(self)
  notice(self)
  express(self)
  record(self, now)
end

--- On hold the emotion does not change.
function Emotion:pause() end

--- Release the robot; the emotion stays.
function Emotion:stop()
  self.host.tracks.mood, self.modulated = nil, nil
  self.host.tracks:modulate()
  if self.source then self.host.tracks:stop_source(self.source, 0.5, "stopped") end
  self.source, self.given = nil, {}
end

return {
  name = "emotion",
  about = "what the robot feels: its face, its posture, and how it moves",
  fields = settings.fields,
  fault = settings.fault,
  new = new,
  words = words,
}
