--- The argument `self` of a behavior's functions.
---
---   self.now, self.dt      time of the run and since the last tick, s
---   self.memory            the behavior's memory: a table of its own, kept by name
---   self.tune              the values of its tunable parameters
---   self.scene             people and objects: see brio.scene
---   self.inputs            buttons, touch, ranges, ... by name
---   self.detectors         detectors by name, to configure them
---   self.clouds            the newest point clouds, by the name of their sensor
---   self.robot             the model: see brio.robot; self.roles, self.poses from its robot file
---   self.actuator          targets of DOFs outside the kinematic tree, and measured states
---   self.state             path of the state whose function runs
local lazy = require "brio.lib.lazy"
local shapes = lazy "brio.behavior.shapes"
local reasons = lazy "brio.behavior.wants.why"

local context = {}
local Self = {}

--- The value that `run` yields when it waits.
local Wait = { __name = "wait" }

local function wait_for(wait) return coroutine.yield(setmetatable(wait, Wait)) end

--- Whether a value was yielded by a waiting `run`.
function context.is_wait(value) return getmetatable(value) == Wait end

--- Raise unless the caller is the running state's own `run`.
local function only_in_run(self, what)
  local active = self._active
  if not (active and active.thread and coroutine.running() == active.thread) then
    error(what .. " may only be used inside a state's run function, and in no coroutine of its own", 3)
  end
end

--- The time at which a wait of at most `timeout` seconds (nil: no limit) expires.
local function deadline(self, what, timeout)
  if timeout == nil then return nil end
  if type(timeout) ~= "number" or not (timeout >= 0) then
    error(what .. ": timeout must be seconds, at least 0", 3)
  end
  return self.now + timeout
end

--- Wait for `seconds`.  Only in `run`.
function Self:wait(seconds)
  if type(seconds) ~= "number" or not (seconds >= 0) then
    error("self:wait expects seconds, at least 0", 2)
  end
  only_in_run(self, "self:wait")
  return wait_for { kind = "wait", till = self.now + seconds }
end

--- Wait for an event; return its data (true when it has none), or nil, "timeout" after `timeout`
--- seconds.  Events of this tick that came behind the one that `run` waited for before count, too.  Only in
--- `run`.
function Self:await(event, timeout)
  if type(event) ~= "string" then error("self:await expects an event's name", 2) end
  only_in_run(self, "self:await")
  local host = self._host
  return wait_for { kind = "event", event = event, seen = host.heard or #host.events,
    till = deadline(self, "self:await", timeout) }
end

--- Wait until condition(self) is true; return its value, or nil, "timeout".  Only in `run`.
function Self:await_until(condition, timeout)
  if type(condition) ~= "function" then error("self:await_until expects a function", 2) end
  only_in_run(self, "self:await_until")
  return wait_for { kind = "condition", condition = condition,
    till = deadline(self, "self:await_until", timeout) }
end

--- The state whose function runs; raise if there is none, as at the prompt.
local function running_state(self, what)
  return self._active or error(what .. " may only be used in a state's own functions", 3)
end

--- Emit an event for the machine and the store.
function Self:emit(event, data)
  if type(event) ~= "string" then error("self:emit expects an event's name", 2) end
  self._host:emit(event, data, "behavior")
end

--- True in one tick in every `seconds` of the state, the first time after that time.  All calls in that
--- tick return true.
function Self:every(seconds)
  if type(seconds) ~= "number" or not (seconds > 0) then error("self:every expects seconds above 0", 2) end
  local active = running_state(self, "self:every")
  local beat = active.every[seconds]
  if not beat then
    beat = { next = active.entered + seconds }
    active.every[seconds] = beat
  end
  if beat.asked == self.now then return beat.due end
  beat.asked, beat.due = self.now, self.now >= beat.next - 1e-9
  if beat.due then
    beat.next = beat.next + seconds * math.max(1, math.ceil((self.now - beat.next) / seconds + 1e-9))
  end
  return beat.due
end

--- Delete the history of a state, by its name as a transition has it: it is next entered as for the first
--- time, even if it keeps a history.
function Self:forget(name)
  local active = running_state(self, "self:forget")
  if type(name) ~= "string" then error("self:forget expects a state's name", 2) end
  local good, why = self._host:forget(active, name)
  if not good then error(why, 2) end
end

--- Seconds since the state was entered.
function Self:elapsed()
  local active = running_state(self, "self:elapsed")
  return self.now - active.entered
end

--- A random number from `lower` (0) to `upper` (1) of this behavior's own seeded stream.
function Self:random(lower, upper) return self._host.stream:uniform(lower or 0, upper or 1) end

--- A random item of a list, uniformly distributed.
function Self:choose(list)
  if type(list) ~= "table" or #list == 0 then error("self:choose expects a list with items", 2) end
  return list[self._host.stream:whole(#list)]
end

--- Write a sentence to the log and the store.
function Self:log(...) self._host.say("info", string.format(...), self._host.definition.name) end

--- Record a variable in the store whenever its value changes: a number, a text, true, false or nil, with
--- its unit.
function Self:watch(name, value, unit)
  if type(name) ~= "string" then error("self:watch expects a name, which is a text", 2) end
  if unit ~= nil and type(unit) ~= "string" then error("self:watch expects a unit, which is a text", 2) end
  local host = self._host
  local good, kept, why = pcall(host.recorder.watch, host.recorder, host.now, name, value, unit)
  if not good then error(kept, 2) end
  if kept or host.watched_too_many then return end
  host.watched_too_many = true
  host.say("warning", why, host.definition.name)
end

--- The pose of a link (or role), a confirmed object or person, by name; nil if there is none.
function Self:where(name)
  return self._host.scene:frame(self.roles[name] or name)
end

--- Add an obstacle for the robot under a key, or move it: {kind, size, [points, link (or role), pose,
--- physical]}, as for solver:shape; nil removes it.  Return true, or nil, a sentence and a code if there is
--- no room.
function Self:shape(key, shape)
  if type(key) ~= "string" then error("self:shape expects a key, which is a text", 2) end
  if shape ~= nil and type(shape) ~= "table" then
    error("self:shape expects a table that describes a shape, or nil", 2)
  end
  return shapes.put(self._host, key, shape)
end

--- A handle of a sequence or source that plays.
local Playing = { __name = "what plays" }
Playing.__index = Playing

--- Whether it is still playing.
function Playing:on() return self._tracks.playing[self._playing.source] == self._playing end

--- Stop it, with a transition of `fade` seconds; without `fade` a loop plays to its end.
function Playing:stop(fade) return self._tracks:stop(self._playing.source, fade) > 0 end

--- Change "speed", "amplitude", "gain", "mirror" or "time" (s of the sequence) while it plays.
function Playing:set(field, value)
  if not self:on() then return false end
  local good, why = pcall(self._tracks.set, self._tracks, self._playing, field, value)
  if not good then error((tostring(why):gsub("^.-:%d+: ", "")), 2) end
  return true
end

--- Set a live source's value of a DOF (nil: release it); with `over`, it is added to the value below.
function Playing:say(dof, value, over)
  local good, why = pcall(self._tracks.say_value, self._tracks, self._playing, dof, value, over)
  if not good then error((tostring(why):gsub("^.-:%d+: ", "")), 2) end
end

--- Create a playing handle for `work`.
local function playing_of(self, work, ...)
  local tracks = self._host.tracks
  local good, playing, why = pcall(work, tracks, ...)
  if not good then error((tostring(playing):gsub("^.-:%d+: ", "")), 3) end
  if not playing then return nil, why end
  return setmetatable({ name = playing.name, _tracks = tracks, _playing = playing }, Playing)
end

--- Play a sequence: its name, among the behavior's `sequences` and the robot's own, or a table as in
--- docs/animation/sequences.md.  how: {priority, amplitude, speed, mirror, hold, fade, stage, start, gain,
--- mask (the DOFs and groups that it may move)}.  Return a handle (:on(), :stop(fade), :set(field, value)),
--- or nil and the reason.
function Self:play(name, how)
  if type(name) == "string" then
    local found, why = self._host.tracks:find(name)
    if not found then error(why, 2) end
  end
  return playing_of(self, self._host.tracks.play, name, how, self.name)
end

--- Start a live source, whose values the behavior sets.  how: as for play, with stage "merge" by default,
--- and tau (s). Return it (:say(dof, value), :stop(fade)), or nil and the reason.
function Self:live(name, how)
  if type(name) ~= "string" then error("self:live expects a name", 2) end
  return playing_of(self, self._host.tracks.live, name, how)
end

--- Stop everything that plays under a name; return whether there was anything.
function Self:stop(name, fade)
  if type(name) ~= "string" then error("self:stop expects a sequence's name", 2) end
  return self._host.tracks:stop(name, fade) > 0
end

--- Whether anything plays under a name.
function Self:plays(name)
  for _, playing in ipairs(self._host.tracks:list()) do
    if playing.name == name then return true end
  end
  return false
end

--- Whether the behavior or the robot has a sequence of that name.
function Self:knows(name) return type(name) == "string" and self._host.tracks:find(name) ~= nil end

--- A handle of a task.
local Task = { __name = "task" }
Task.__index = Task

--- "running", "success" or "failure"; then the reason of a failure, a sentence.
function Task:status() return self._task:status() end

--- What it does now, in words: the leaves that run, how far they are, what they plan around.
function Task:text() return self._task:text() end

--- Stop it: what it moves brakes and holds.
function Task:stop()
  local tasks = self._host.tasks
  if tasks then tasks:stop(self._task, "it was stopped") end
end

--- Start a task of the active state, if there is one.
local function start(self, form, name)
  local task, why = self._host:task { form = form, name = name, active = self._active or nil }
  if not task then error(why, 3) end
  return setmetatable({ name = task.name, _host = self._host, _task = task }, Task)
end

--- Start a tree, or a single leaf, beside the tree of the state.  It ends with the state; its end is the
--- event `task_done` or `task_failed`, with {task = name, node, why}.  Return a handle (:status(), :text(),
--- :stop()).  Raises where the tree has an error, or no task can begin.
function Self:task(tree, name)
  if type(tree) ~= "table" then error("self:task expects a tree, which is a table", 2) end
  if name ~= nil and type(name) ~= "string" then error("self:task expects a name, which is a text", 2) end
  return start(self, tree, name)
end

--- Bring an arm somewhere: a task with the leaf `arm` and these fields (docs/trees/actions.md), {side, pose,
--- frame, joints, preset, waypoints, plan, keep, ...}.  `name` is that of the task.
function Self:reach(fields)
  if type(fields) ~= "table" then error("self:reach expects a table of fields of the leaf arm", 2) end
  local form = { "arm" }
  for key, value in next, fields do
    if type(key) ~= "string" then error("self:reach expects fields by name", 2) end
    form[key] = value
  end
  return start(self, form, fields.name)
end

--- The explanation of a DOF's value: {dof, value, owner, from = {...}, ...}; tostring gives sentences.
function Self:why(dof) return reasons.of(self._host, dof) end

--- Whether the robot has a DOF of that name, in the kinematic tree or outside it.
function Self:has(dof)
  for _, known in ipairs(self._host.description.dofs) do
    if known.name == dof then return true end
  end
  return false
end

--- The newest point cloud of that name; without a name, the newest of all; nil if there is none.
function Self:cloud(name)
  if name ~= nil and type(name) ~= "string" then error("self:cloud expects a name", 2) end
  return self._host.clouds:find(name)
end

--- Whether this run has an input of that name.
function Self:senses(name) return self._host.inputs:has(name) end

--- The level orientation that turns the x axis of a link at its present position towards `point`.
function Self:towards(link, point)
  local from = self:where(link)
  if not from then error("self:towards: there is no link '" .. tostring(link) .. "'", 2) end
  return self._host.geometry.towards(from.position, point)
end

--- Fields that a behavior may assign, and their types.
local settable = { memory = "table" }

local function refuse(fields, key, value)
  if settable[key] then
    error(("self.%s must be a %s, not %s"):format(key, settable[key], type(value)), 3)
  elseif fields[key] ~= nil then
    error(("self.%s cannot be set"):format(key), 3)
  end
  local name = type(key) == "string" and "." .. key or ""
  error(("self%s cannot be set: a behavior's data belong in self.memory%s"):format(name, name), 3)
end

--- A read-only view of `fields` for the behavior's functions.
local function face_of(fields)
  return setmetatable({}, {
    __index = fields, __metatable = false,
    __pairs = function() return pairs(fields) end, __shown = function() return fields end,
    __newindex = function(_, key, value)
      if settable[key] ~= type(value) then refuse(fields, key, value) end
      fields[key] = value
    end,
  })
end

--- The names of the methods of `self`.
function context.methods()
  local names = {}
  for name in next, Self do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- Make the context of one behavior.  Return its fields, for the host, and the read-only view that
--- functions get.
function context.new(host, fields)
  for key in next, fields do
    if Self[key] then error("a behavior's field '" .. key .. "' hides self:" .. key) end
  end
  local self = setmetatable(fields, { __index = Self })
  rawset(self, "_host", host)
  return self, face_of(self)
end

return context
