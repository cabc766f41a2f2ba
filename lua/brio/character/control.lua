--- Shared control: a person takes a part of the body, or a share of it, and gives it back; autonomy continues
--- elsewhere, and its level can be changed at run time.
---
--- Every source of motion has an owner: autonomy (the faculties of the character, random life), script (the
--- behavior), operator. A taken part is a live source of the stage `operator`, above all combined sources.
--- Objectives of states and faculties for the links and joints of such a part yield by the same share: so
--- nothing pulls against the person, and the rest of the body does not compensate. It is bridged at its start
--- and end, as all sources are.
---
--- Functions for other faculties (host.control, in every run):
---
---     host.control:taken(part)            a person's share of a part, group, DOF or link, up to 1;
---                                         false: none
---     host.control:level(faculty, part)   the level of autonomy of a faculty, on a part if one is given:
---                                         0 to 1
---
--- Sources and objectives that a faculty creates in new, use and work belong to it: levels and takings apply
--- to them automatically. Sources that it creates elsewhere must name it: host.tracks:live(name, { owner =
--- "autonomy", faculty = "gaze" }).
local lazy = require "brio.lib.lazy"
local aims = lazy "brio.character.control.aims"
local joystick = lazy "brio.character.control.joystick"
local levels = lazy "brio.character.control.levels"
local parts = lazy "brio.robots.parts"
local robots = require "brio.robots.catalog"
local tracker = lazy "brio.character.control.tracker"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local Control = {}
Control.__index = Control

--- Settings of a behavior. fade: our choice, within a person's reaction time; back: the return time that
--- Reachy Mini's users settled on (conversation app, issue 131); follow: ten times that of playing sequences,
--- a hundred times that of a state's first property; tau and gradual: our choice.
local fields = {
  fade = { "number", unit = "s", lower = 0, upper = 60, value = 0.3,
    doc = "transition to the person's values" },
  back = { "number", unit = "s", lower = 0, upper = 60, value = 1.5, doc = "transition back" },
  follow = { "number", lower = 1, upper = 1e6, value = 5000,
    doc = "weight with which joints follow the person" },
  tau = { "number", unit = "s", lower = 0.001, upper = 5, value = 0.05,
    doc = "smoothing of the person's values" },
  gradual = { "number", unit = "s", lower = 0, upper = 3600, value = 1,
    doc = "duration of a change of level" },
  level = { "number", lower = 0, upper = 1, doc = "the initial level of all autonomy; default 1" },
  joystick = { "boolean or table",
    doc = "true: the gamepad uses the robot's joystick.lua; a table: the same rows" },
}
local defaults = schema.defaults(fields)

--- Smoothing of the source itself, s: it reports its speed to the transitions.
local smoothing = 0.01

-- Parts and owners --------------------------------------------------------------------------------------

--- The parts in the robot's file now: it may be edited during the run.
function Control:index()
  local description = self.host.description
  if not self.known or self.known.said ~= description.parts then
    self.known = parts.index(description)
    self.known.said = description.parts
  end
  return self.known
end

--- The DOFs of a name, or nil and a sentence.
function Control:find(name) return parts.find(self:index(), name) end

--- A person's share of a part, the maximum over its DOFs: up to 1; false: none.
function Control:taken(name)
  local most = 0
  for _, dof in ipairs(self:find(name) or {}) do
    local taking = self.of[dof]
    if taking then most = math.max(most, taking.share) end
  end
  return most > 0 and most
end

--- The level of autonomy of a faculty; on a part, the lowest of its DOFs.
function Control:level(faculty, part)
  local value = self.levels:of(levels.all) * (faculty and faculty ~= levels.all and self.levels:of(faculty)
    or 1)
  if not part then return value end
  local least = 1
  for _, dof in ipairs(self:find(part) or {}) do least = math.min(least, self:level_on(dof)) end
  return value * least
end

--- The level of the parts that a DOF belongs to.
function Control:level_on(dof)
  local value = 1
  for _, part in ipairs(self.part_order) do
    if self.part_levels[part][dof] then value = value * self.levels:of(part) end
  end
  return value
end

--- The names of the parts that the robot's file has.
function Control:parts() return suggest.keys(self.host.description.parts or {}) end

-- Effects -------------------------------------------------------------------------------------------------

--- The share of a faculty's motion that counts: its level, or all of it if a person requests it, as an
--- emotion set with a stick. A faculty that applies levels itself is not scaled, for example because half a
--- blink makes no sense.
local function counting(self, faculty)
  local made, level = self.host[faculty or false], self:level(faculty)
  if type(made) ~= "table" then return level end
  if made.heeds_level then return 1 end
  return level + (1 - level) * (made.override_share or 0)
end

--- The share of a source on each DOF.
local function share_out(self, playing)
  if playing.owner ~= "autonomy" then return end
  local player, level = self.host.tracks.player, counting(self, playing.faculty)
  for number, dof in ipairs(self.host.description.dofs) do
    player:share(playing.source, number, level * self:level_on(dof.name))
  end
end

local none = {}

--- How much an objective yields to a person, and the share of its weight that remains.
local function weigh(self, slot, about, tau)
  local solver, yield, level = self.host.solver, 0, about.owner == "autonomy" and self:level(about.faculty)
    or 1
  -- which DOFs an objective concerns matters only while a person has some, or a part has a level
  local counts = next(self.of) or self.part_order[1]
  if counts then about.dofs = about.dofs or parts.of_objective(self:index(), about.args) end
  for _, dof in ipairs(counts and about.dofs or none) do
    local taking = self.of[dof]
    yield = math.max(yield, taking and taking.share or 0)
    if about.owner == "autonomy" then
      level = math.min(level, self:level(about.faculty) * self:level_on(dof))
    end
  end
  solver:scale(slot, level, tau)
  if yield ~= (about.yield or 0) then solver:yield(slot, yield, tau) end
  about.yield = yield
end

local function weigh_all(self, tau)
  for slot, about in next, self.host.solver.about do weigh(self, slot, about, tau) end
end

--- A new objective.
local function look_at_objective(self, slot, about) weigh(self, slot, about, 0) end

-- Taking and giving ---------------------------------------------------------------------------------------

--- Report and record an action of a person on a part.
local function tell(self, event, data)
  self.host:emit(event, data, "operator", data.who)
end

--- Remove a DOF from a taking. `how`: fade (s).
local function drop(self, taking, dof)
  self.host.tracks:say_value(taking.playing, dof, nil)
  self.aims:forget(dof)
  self.of[dof], taking.count = nil, taking.count - 1
end

--- The end of a taking.
local function finish(self, taking, fade, why)
  taking.ended = why
  for _, dof in ipairs(taking.dofs) do
    if self.of[dof] == taking then
      self.of[dof] = nil
      self.aims:forget(dof)
    end
  end
  self.host.tracks:stop_source(taking.playing, fade, why)
  for place, one in ipairs(self.takings) do
    if one == taking then table.remove(self.takings, place) break end
  end
end

--- The resting position of a DOF that moves when it is taken: this share of its speed times the fade ahead.
local ahead = 0.4

--- Take its DOFs over at their current positions.
local function seize(self, taking, fade)
  local host = self.host
  for _, name in ipairs(taking.dofs) do
    local before = self.of[name]
    local number = host.tracks.numbers[name]
    local dof, story = host.description.dofs[number], host.tracks.player:why(number)
    local rate = story.rate == story.rate and story.rate or 0
    local value = host.tracks:told(name, host.actuator:target(name))
    if before then drop(self, before, name) end
    self.of[name] = taking
    value = math.max(dof.lower, math.min(dof.upper, value + ahead * rate * fade))
    self.aims:put(dof, value)
    host.tracks:say_value(taking.playing, name, value)
  end
end

--- Whether a person may take anything now; otherwise a sentence.
local function may_take(self)
  if self.host.power_off then return nil, "the run is ending" end
  return true
end

--- Why a person may not have some DOFs now, because another person at a prompt has them: see
--- operator/operators/locks.lua.
local function refusal(self, dofs, who)
  return self.host.operators and self.host.operators.locks:refusal(dofs, who)
end

--- The same for changes of parts that a person controls already.
local function refusal_to_give(self, dofs, who)
  return self.host.operators and self.host.operators.locks:refusal_to_give(dofs, who)
end

--- Give a person control of a part. how: share (1), fade (s), who; dofs: these instead, under that name;
--- handed: its present holder agrees. Return the taking, or nil and the reason.
function Control:take(name, how)
  how = how or {}
  local dofs, why = how.dofs, nil
  if not dofs then dofs, why = self:find(name) end
  if not dofs then return nil, why end
  local may, fault = may_take(self)
  if not may then return nil, fault end
  fault = not how.handed and refusal(self, dofs, how.who)
  if fault then return nil, fault end
  local fade, share = how.fade or self.spec.fade, how.share or 1
  local playing, sentence = self.host.tracks:live("take " .. name,
    { stage = "operator", owner = "operator", by = how.who,
    fade = { fade, self.spec.back }, tau = smoothing, follow = self.spec.follow, gain = share })
  if not playing then return nil, sentence end
  local taking = { name = name, dofs = dofs, count = #dofs, playing = playing, share = share, who = how.who }
  seize(self, taking, fade)
  self.takings[#self.takings + 1] = taking
  for place = #self.takings - 1, 1, -1 do
    if self.takings[place].count <= 0 then finish(self, self.takings[place], fade, "taken over") end
  end
  weigh_all(self, fade / 5)
  tell(self, share < 1 and "share" or "take", { part = name, share = share, who = how.who })
  return taking
end

--- The taking of that name, if there is one.
local function taking_of(self, name)
  for _, taking in ipairs(self.takings) do
    if taking.name == name then return taking end
  end
end

--- Set a person's share of a part, from 0 to 1; autonomy has the rest. Return true, or nil and the reason.
function Control:share(name, share, how)
  how = how or {}
  if not (type(share) == "number" and share >= 0 and share <= 1) then
    return nil, "a share is a number from 0 to 1"
  end
  local taking = taking_of(self, name)
  if share == 0 then return self:give(name, how.fade, how.who) end
  local fault = taking and refusal_to_give(self, taking.dofs, how.who)
  if fault then return nil, fault end
  if not taking then
    local good, why = self:take(name, { share = share, fade = how.fade, who = how.who })
    return good and true, why
  end
  taking.share = share
  self.host.tracks.player:set(taking.playing.source, "gain", share)
  weigh_all(self, self.spec.fade / 5)
  tell(self, "share", { part = name, share = share, who = how.who })
  return true
end

--- Release some DOFs, each by itself.
local function give_dofs(self, dofs, fade)
  local count = 0
  for _, dof in ipairs(dofs) do
    local taking = self.of[dof]
    if taking then
      count = count + 1
      drop(self, taking, dof)
      if taking.count == 0 then finish(self, taking, fade, "given back") end
    end
  end
  return count
end

--- Release a part within `seconds`; "all": everything. Return true, or nil and the reason.
function Control:give(name, seconds, who)
  local fade, taking = seconds or self.spec.back, taking_of(self, name)
  local dofs, why = self:find(name)
  if not dofs then return nil, why end
  local fault = name ~= levels.all and refusal_to_give(self, taking and taking.dofs or dofs, who)
  if fault then return nil, fault end
  if taking then finish(self, taking, fade, "given back")
  elseif name == levels.all then
    for place = #self.takings, 1, -1 do
      local one = self.takings[place]
      if not refusal_to_give(self, one.dofs, who) then finish(self, one, fade, "given back") end
    end
  elseif give_dofs(self, dofs, fade) == 0 then
    return nil, ("nobody has taken %s"):format(name)
  end
  weigh_all(self, fade / 5)
  tell(self, "give", { part = name, seconds = fade, who = who })
  return true
end

--- Move a DOF to a value; it is taken if the person does not have it yet. Return true, or nil and why.
function Control:move(name, value, who)
  local number = self.host.tracks.numbers[name]
  local dof = number and self.host.description.dofs[number]
  if not dof then
    return nil, ("the robot has no DOF '%s'%s"):format(tostring(name), suggest.hint(tostring(name),
      suggest.keys(self.host.tracks.numbers)))
  end
  if not (type(value) == "number" and value - value == 0) then
    return nil, ("%s must go to a finite number"):format(name)
  end
  if value < dof.lower or value > dof.upper then
    return nil, ("%s goes from %g to %g %s, not to %g"):format(name, dof.lower, dof.upper, dof.unit, value)
  end
  local taking = self.of[name]
  if not taking or who and taking.who and taking.who ~= who then
    local why
    taking, why = self:take(name, { who = who })
    if not taking then return nil, why end
  end
  self.aims:go(name, value)
  return true
end

--- Whether a taking still has any DOF.
function Control:goes_on(taking)
  for _, dof in ipairs(taking.dofs) do
    if self.of[dof] == taking then return true end
  end
  return false
end

--- End a taking whose person has released it.
function Control:end_taking(taking)
  finish(self, taking, self.spec.back, "given back")
  weigh_all(self, self.spec.back / 5)
  tell(self, "give", { part = taking.name, seconds = self.spec.back, who = taking.who })
end

-- Levels --------------------------------------------------------------------------------------------------

--- Whether a name is of a faculty, or of another autonomous source.
local function is_faculty(self, name)
  if suggest.contains(self:faculties(), name) then return true end
  for _, playing in ipairs(self.host.tracks:list()) do
    if playing.owner == "autonomy" and playing.faculty == name then return true end
  end
  return false
end

--- Move the level of all, of a faculty or of a part to a value from 0 to 1 within `seconds`. Return true, or
--- nil and the reason.
function Control:set_level(name, value, seconds, who)
  if not (type(value) == "number" and value >= 0 and value <= 1) then
    return nil, "a level is a number from 0 to 1"
  end
  if not (seconds == nil or type(seconds) == "number" and seconds >= 0 and seconds <= 3600) then
    return nil, "a level goes in 0 to 3600 seconds"
  end
  if name ~= levels.all and not is_faculty(self, name) then
    local dofs, why = self:find(name)
    if not dofs then return nil, why .. "; faculties are " .. table.concat(self:faculties(), ", ") end
    if not self.part_levels[name] then self.part_order[#self.part_order + 1] = name end
    self.part_levels[name] = {}
    for _, dof in ipairs(dofs) do self.part_levels[name][dof] = true end
  end
  self.levels:set(name, value, seconds or self.spec.gradual)
  tell(self, "level", { of = name, level = value, seconds = seconds or self.spec.gradual, who = who })
  return true
end

--- The names of levels other than parts.
function Control:faculties()
  local names = { "life" }
  for _, name in ipairs(self.host.character:faculties()) do
    if name ~= "control" then names[#names + 1] = name end
  end
  return names
end

-- As a faculty --------------------------------------------------------------------------------------------

--- Use a joystick's rows from now on; nil: none.
function Control:use_joystick(said)
  if said == self.joystick_said then return end
  if self.joystick then self.joystick:stop() end
  self.joystick_said, self.joystick = said, said and joystick.new(self, said)
end

--- The rows in force: a behavior's own, or the robot's. Return them, or nil and a sentence.
local function joystick_of(description, said)
  if type(said) == "table" then return said end
  if not said then return nil end
  local found, why = robots.data(description, "joystick")
  if found then return found end
  return nil, why or ("%s has no joystick.lua: give the rows, { rows = ... }"):format(description.name)
end

--- Turn the robot's joystick rows on or off at a person's request. Return true, or nil and the reason.
function Control:set_joystick(on)
  local said, why = joystick_of(self.host.description, on and (self.own_joystick or true))
  local fault = said and joystick.fault(said, self.host.description)
  if on and (fault or not said) then return nil, fault or why end
  self:use_joystick(said)
  return true
end

--- The motors continue after a panic stop or a fault: taken DOFs stay where they were stopped, until they are
--- moved.
local function stay(self)
  local tracks = self.host.tracks
  for _, dof in ipairs(self.host.description.dofs) do
    local taking = self.of[dof.name]
    if taking then
      local value = math.max(dof.lower, math.min(dof.upper, self.host.actuator:state(dof.name).command))
      self.aims:put(dof, value)
      tracks:say_value(taking.playing, dof.name, nil) -- otherwise it would move to its old target
      tracks:say_value(taking.playing, dof.name, value)
    end
  end
end

--- Process an event: a button, or that the motors continue.
function Control:hear(event)
  if event.name == "motors_go_on" and event.source == "motors" then return stay(self) end
  if event.name ~= "button_pressed" or not self.joystick or self.host.held_since or self.host.power_off then
    return
  end
  if type(event.data) == "table" then self.joystick:press(event.data.name) end
end

function Control:use(spec)
  local own = type(spec.joystick) == "table" and spec.joystick or nil
  if spec.joystick ~= nil and spec.joystick ~= self.said_joystick then
    self.own_joystick = own
    self:use_joystick((joystick_of(self.host.description, spec.joystick)))
  end
  self.said_joystick = spec.joystick
  self.spec = {}
  for name, value in next, defaults do self.spec[name] = spec[name] or value end
  if spec.level and spec.level ~= self.said_level then
    self:set_level(levels.all, spec.level, self.host.tick == 0 and 0 or nil)
  end
  self.said_level = spec.level
end

--- Work of a tick for people's control: it continues after a failure of the behavior. On hold nothing moves.
function Control:attend(dt)
  local host = self.host
  if host.front then self.tracker:hear(host.front) end
  if host.held_since or host.power_off then return end
  for place = #self.takings, 1, -1 do -- a source may have been stopped by others
    local playing = self.takings[place].playing
    if playing.why or host.tracks.playing[playing.source] ~= playing then
      self:end_taking(self.takings[place])
    end
  end
  if self.joystick then self.joystick:work(dt) end
  self.tracker:work()
  if not next(self.takings) then return end
  self.aims:work(dt, self.spec.tau, function(name, value) host.tracks:say_value(self.of[name].playing, name,
    value) end)
end

--- Its work in a tick failed: everything is released and reported.
function Control:fail(why)
  self.host.say("error", "shared control failed, and everything is given back: " .. why)
  self.joystick, self.joystick_said = nil, nil
  self:stop()
end

function Control:work(_, dt)
  local changed = self.levels:work(dt)
  local persons = self.host.emotion and self.host.emotion.override_share or 0
  if not changed and persons == self.persons then return end
  self.persons = persons
  for _, playing in next, self.host.tracks.playing do share_out(self, playing) end
  weigh_all(self, 0.05)
end

function Control:pause() end

--- The behavior failed, or the run ends: everything is released.
function Control:stop()
  if self.joystick then self.joystick:stop() end
  self.tracker:stop()
  for place = #self.takings, 1, -1 do finish(self, self.takings[place], self.spec.back, "let go") end
  weigh_all(self, self.spec.back / 5)
end

-- For behaviors -------------------------------------------------------------------------------------------

local Face = { __name = "self.control" }
Face.__index = Face

--- Return the results of a method, or raise its error for wrong arguments.
local function done(result, why)
  if result then return result end
  error(why, 3)
end

--- Whether another owner than this behavior has any DOF of a part: a behavior does not take parts from
--- people.
local function is_anothers(self, part)
  local dofs = done(self._control:find(part))
  for _, dof in ipairs(dofs) do
    local taking = self._control.of[dof]
    if taking and taking.who ~= self._who then return true end
  end
  return false
end

--- Give a person control of a part. how: share (1), fade (s). Return whether that was possible: not if
--- another has it already.
function Face:take(part, how)
  how = how or {}
  if is_anothers(self, part) then return false end
  return (self._control:take(part, { share = how.share, fade = how.fade, who = self._who })) ~= nil
end

--- Set a person's share of a part; autonomy has the rest. Return whether that was possible: not if another
--- has it already.
function Face:share(part, share)
  if is_anothers(self, part) then return false end
  return done(self._control:share(part, share, { who = self._who }))
end

--- Release a part within `seconds`. Return whether that was possible: not if another has it, or nobody.
function Face:give(part, seconds)
  if is_anothers(self, part) then return false end
  return (self._control:give(part, seconds, self._who)) == true
end

--- Move a DOF that it has taken, or take it. Return whether that was possible: not if another has it already.
function Face:move(dof, value)
  if is_anothers(self, dof) then return false end
  return done(self._control:move(dof, value, self._who))
end

--- A person's share of a part, up to 1; false: none.
function Face:taken(part) return self._control:taken(part) end

--- The level of autonomy of all, a faculty or a part; with a value it moves there within `seconds`.
function Face:level(name, value, seconds)
  name = name or levels.all
  if value ~= nil then done(self._control:set_level(name, value, seconds, self._who)) end
  return self._control.levels:of(name)
end

-- The faculty ---------------------------------------------------------------------------------------------

local function new(host, spec)
  local self = setmetatable({ host = host, of = {}, takings = {}, aims = aims.new(), levels = levels.new(),
    part_levels = {}, part_order = {} },
    Control)
  self.face = setmetatable({ _control = self, _who = "behavior " .. host.definition.name }, Face)
  self.tracker = tracker.new(self)
  self:use(spec)
  host.tracks.on_source = function(playing) share_out(self, playing) end
  host.solver.on_objective = function(slot, about) look_at_objective(self, slot, about) end
  for slot, about in next, host.solver.about do look_at_objective(self, slot, about) end
  return self
end

local function fault(spec, description)
  local said, why = joystick_of(description, spec.joystick)
  local wrong = said and joystick.fault(said, description) or why
  if wrong and said and said ~= spec.joystick then
    wrong = robots.data_file(description, "joystick") .. ": " .. wrong
  end
  return wrong and "character.control: " .. wrong or nil
end

return {
  name = "control", always = true,
  about = "people take parts of the body, share them and give them back; levels of autonomy",
  fields = fields,
  fault = fault, new = new, words = lazy "brio.character.control.words",
}
