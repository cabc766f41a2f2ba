--- Hosts one behavior in a run: implements what the state machine needs.
---
--- It keeps the time and the events of the tick, calls the behavior's functions with `self`, turns
--- what its states want into objectives, and stops the behavior alone when it fails: the robot then
--- does what the behavior calls safe, or holds its pose.
local lazy = require "brio.lib.lazy"
local behavior = require "brio.behavior.define"
local carry = lazy "brio.run.migrate"
local character = require "brio.character.character"
local charge = require "brio.tree.execution.operator_control"
local context = require "brio.behavior.context"
local copy = require "brio.lib.copy"
local dispatch = require "brio.io.dispatch"
local faults = require "brio.behavior.sandbox.faults"
local geometry = lazy "brio.lib.geometry"
local inside = lazy "brio.behavior.tree_machines_running"
local life = require "brio.motion.random_sequences"
local machine = require "brio.behavior.machine"
local model = require "brio.io.language_model"
local operators = require "brio.operator.operators"
local paths = require "brio.lib.paths"
local perception = require "brio.perception"
local properties = require "brio.behavior.properties"
local scene_objects = require "brio.perception.objects"
local script = require "brio.script"
local sessions, shared = lazy "brio.tree.editing.session", lazy "brio.tree.editing.shared"
local snapshot = require "brio.run.snapshot"
local stages = require "brio.run.stages"
local suggest = require "brio.lib.suggest"
local tasks = lazy "brio.run.tasks"
local tempo = require "brio.behavior.tempo"
local tracks = require "brio.motion.tracks"

local host = {}
local Host = {}
Host.__index = Host

--- Fields that every tick reads and most find empty: a field that is false is found at once, one that is nil
--- is looked for in Host as well.
local empty = { "aside", "before", "emotion", "forced", "front", "gamepad", "halted", "motions", "operator",
  "prepared", "rolled_back", "sessions", "sessions_asked", "shared", "tasks", "unseen" }

--- Make the host of a loaded behavior.  `parts`: definition, machine (compiled), version, solver (see
--- steering.lua), scene, inputs, actuator, description (of the robot), recorder, stream, say(sentence),
--- operator() if there is one: executes people's lines, once a tick; sound (see
--- character/speech/output.lua), model_options: the command line's options of the language model; programs:
--- whether trees may start programs; preview: whether it is a ghost; fast: whether the clock is.
function host.new(parts)
  local self = setmetatable(parts, Host)
  for _, name in ipairs(empty) do self[name] = self[name] or false end
  self.now, self.tick, self.dt, self.stages = 0, 0, 0, stages
  self.events, self.queue, self.finishing = {}, {}, {}
  self.charge = charge.new() -- operator control of trees
  self.shapes = {} -- what the behavior put in the robot's way, by key
  self.geometry = geometry
  self.properties = properties.new(parts.machine, parts.solver, parts.description.roles)
  assert(self.properties:make())
  self.tracks = tracks.new {
    description = parts.description, seed = parts.seed or 0, recorder = parts.recorder,
      actor = parts.solver.actor, now = function() return self.now end,
    emit = function(name, data, about) self:emit(name, data, "tracks", about) end, say = parts.say,
  }
  self.tempo = tempo.new(self)
  self.life = life.new(self)
  self.character = character.new(self)
  self.operators = operators.new(self)
  self:record_requests()
  self.model = model.new(self, parts.definition.fields.model, parts.model_options)
  self.objects = scene_objects.attach(self)
  self.self, self.face = context.new(self, {
    now = 0, dt = 0, _active = false, memory = self:initial_memory(), tune = self:tuned(),
    scene = parts.scene,
    inputs = parts.inputs:face(), robot = parts.description.robot, roles = parts.description.roles,
    poses = parts.description.poses, actuator = parts.actuator, perception = perception,
      name = parts.definition.name,
    detectors = parts.detectors:face(), clouds = parts.clouds:face(),
    cloud_of = function(name) return parts.clouds:find(name) end,
  })
  return self
end

function Host:initial_memory() return copy.deep(self.definition.fields.memory or {}) end

--- The first values of the tunable parameters, by name.
function Host:tuned()
  local tune = {}
  for name, param in next, self.definition.fields.tune or {} do tune[name] = param.value end
  return tune
end

-- The interface that behavior/machine.lua requires -------------------------------------------------------

function Host:call(active, fn, ...) return dispatch.call(self, active, fn, self.face, ...) end

local function record_stay(self, active, cause, detail, previous)
  self.changed = true
  active.record = self.recorder:enter {
    activation = self.activation, machine = self.definition.name, state = active.state.path,
    previous = previous and previous.path, cause = cause, detail = detail, entered = self.now,
      version = self.version,
  }
end

--- Delete the history of a state, by its name as an active state sees it.  Return true, or nil and the
--- reason.
function Host:forget(active, name)
  local state = behavior.resolve(active.region.spec, name)
  if not state then return nil, ("self:forget: there is no state '%s'"):format(name) end
  machine.forget(self.top, state)
  return true
end

--- A state is active again because the version that had left it was rolled back.
function Host:came_back(active) record_stay(self, active, "rollback", "") end

function Host:entered(active, cause, detail, previous)
  record_stay(self, active, cause, detail, previous)
  if self.desk then self.desk:enter(active.state.path) end
  if active.state.path == "power_on" and not self.mended then self:reset() end
  self.mended = nil
  if active.state.path == "power_off" and not self.power_off then self.power_off = { since = self.now } end
end

function Host:left(active)
  self.changed = true
  if self.tasks then self.tasks:left(active) end
  if self.motions then self.motions:left(active.state.path) end
  self.recorder:leave(active.record, self.now)
end

--- The environment in which the leaves of an active state's tree run: see tree/leaves.lua.
function Host:site(active)
  return { host = self, self = self.face, description = self.description, sequences = self.sequences,
    name = active.state.path, rehearsal = self.rehearsal,
    call = function(fn, ...) return self:call(active, fn, ...) end,
    machine = function(form) return inside.begin(active, self, form) end }
end

--- Start a tree beside those of the states, now, or in the next tick with `make`: see tasks.lua.  Return it
--- (or true), or nil and a sentence.
function Host:task(said)
  local made = self.tasks or tasks.new(self)
  if said.make then return made:begin_later(said) end
  return made:begin(said)
end

--- The recorder of the tree that an active state begins (see tree/execution/running.lua).
function Host:tree_record(active)
  return function(nodes) return self.recorder:tree(active.record, nodes, self) end
end

--- The tree of an active state has paused for its operator, before `node` (nil: at its end).
function Host:tree_waits(active, node, why)
  self:emit("tree_waits", { node = node, why = why }, "tree", node and ("%s: %s"):format(node, why) or why,
    active)
  self.say("warning", ("the tree of '%s' waits%s: %s"):format(active.state.path,
    node and (" at '%s'"):format(node) or "", why))
end

--- Reset the solver's history and all weights: the robot is at rest at its current targets.
function Host:reset()
  local joints = {}
  for _, variable in ipairs(self.description.robot:variables()) do
    joints[variable.name] = self.actuator:target(variable.name)
  end
  local root = self.description.robot:links()[1]
  local base = self.description.base ~= "fixed" and self.solver:frames()[root] or nil
  self.solver:reset({ joints = joints, base = base }, true)
  self.properties.active = {}
  if self.stance then self.stance:forget_weights() end
end

--- Emit an event.  `about`: a word for the history, who or what.  With `origin`, an active state, only that
--- state and the states around it receive it.
function Host:emit(name, data, source, about, origin)
  local event = { name = name, data = data, source = source or "machine", about = about, time = self.now,
    origin = origin }
  local list = self.reacting and self.events or self.queue
  list[#list + 1] = event
  self.recorder:event(self.tick, self.now, event, self.version)
  self.character:hear(event)
  if self.desk then self.desk:hear(event) end
end

-- A tick ------------------------------------------------------------------------------------------

--- Emit the events of the scene: person_appeared, person_lost, ...
function Host:notice()
  if not self.scene:stirs() then return end
  for _, change in ipairs(self.scene:events()) do
    local object = change.object
    self:emit(object.kind .. "_" .. change.change, object, "perception", object.id)
  end
  self:note_objects(true)
end

--- Record the changes of scene objects; if `tells`, also emit them as events.
function Host:note_objects(tells)
  for _, change in ipairs(self.scene:changes()) do
    self.recorder:scene_object(change)
    local word, object = change.change, change.object
    if tells and (word == "stale" or word == "seen") then
      self:emit("scene_object_" .. word, object, "perception", object.name)
    end
  end
end

--- Record the requests to detectors.
function Host:record_requests()
  self.detectors.on_request = function(detector, line)
    self.recorder:detector_request(self.now, detector.number, line)
  end
end

--- A part of another program's data was rejected.
function Host:sensor_fault(what, source, sentence, reason)
  self.recorder:fault(self.tick, self.now, "warning", what .. " " .. source.name, sentence, reason,
    self.version)
  self.say("warning", sentence)
end

--- Another program is connected, or lost.
function Host:sensor_event(name, source)
  self:emit(name, { name = source.name }, "perception", source.name)
end

--- The active states, outer ones first, with the time constant of the most recent change.
function Host:active_states()
  local list, newest = {}, -1
  self.top:each_outer_first(function(active)
    list[#list + 1] = active
    if active.record > newest then newest, list.blend = active.record, active.state.blend end
  end)
  return list
end

local function begin(self)
  local saved = self.saved
  self.saved = nil
  if saved then snapshot.begin(self, saved) end
  if self.top then return end
  self.top = machine.new(self.machine, self)
  local first = self.machine.states.power_on or self.machine.states[self.definition.fields.start]
  self.top:enter(first, "start", "")
end

--- Mark an active state as not having seen any event of the queue.
local function forget_seen(active)
  active.seen, active.taken, active.latest = 0, nil, nil
  if active.waits and active.waits.seen then active.waits.seen = 0 end
end

--- Discard the events of this tick.
local function forget_events(self)
  if self.events[1] or self.unseen then
    self.unseen = false
    self.top:each_outer_first(forget_seen)
  end
  if self.events[1] or self.queue[1] then self.events, self.queue = self.queue, {} end
end

--- Keep a halted tree until it has ended: its finally branches run in the next ticks.
function Host:finish(tree) self.finishing[#self.finishing + 1] = tree end

local function finish_trees(self)
  local list = self.finishing
  for index = #list, 1, -1 do
    local tree = table.remove(list, index)
    if not tree:finish(self.now) then table.insert(list, index, tree) end
  end
end

--- React to events, run the states' functions of every tick, and apply what the states want.
function Host:step()
  self.reacting = true
  if not self.top then begin(self) end
  local forced = self.forced
  if forced then
    self.forced = nil
    machine.force(self.top, forced.state, "force", forced.who)
  end
  -- transitions first, then the functions of the states that are active now
  self.top:react()
  self.reacting = false
  self.top:work(self.dt)
  if #self.finishing > 0 then finish_trees(self) end
  -- goals and weights are set again only after a change of states
  if self.changed then
    self.changed = false
    self.properties:apply(self:active_states())
    self.tempo:look()
  end
  self.properties:update(self)
  forget_events(self)
  self.reacting = true -- events between ticks are for the next one
end

--- Update `acts`: true unless the behavior has failed or a person holds it.
local function update_acts(self) self.acts = not (self.held_since or self.halted) end

--- Leave every state and remove its objectives; what remains holds the pose.
local function abandon(self, result, reason)
  local top = self.top
  if top then
    top:each_inner_first(function(active)
      -- the effects of an error must not prevent this
      if active.tree then pcall(active.tree.tell, active.tree) end
      active.thread, active.tree = nil, nil
      self.recorder:leave(active.record, self.now)
    end)
  end
  self.top, self.halted, self.self._active, self.finishing = nil, true, false, {}
  update_acts(self)
  self.properties:release(0.1)
  if self.tasks then self.tasks:stop_all(("the behavior ended: %s"):format(reason or result)) end
  if self.policies then self.policies:leave_all "stopped" end
  self.character:stop()
  if self.motions then self.motions:release() end
  self.tracks:stop_all(nil, result)
  self.recorder:deactivate(self.activation, self.now, result, reason)
end

--- The error for the author of the behavior: the first line, and all of it with only the behavior's part of
--- the traceback.  An error raised in brio's own library is attributed to the line that called it.
local function for_author(message)
  local head, trace = message:match("^(.-)\nstack traceback:\n(.*)$")
  if not head then return message:match("^[^\n]*"), message end
  local lines = {}
  for line in trace:gmatch("[^\n]+") do
    local own = line:find(paths.root, 1, true)
    if own and line:find("io/dispatch.lua", 1, true) then break end
    if not own and not line:find("%[C%]: in function 'error'") and not line:find("%[C%]: in %?") then
      lines[#lines + 1] = line
    end
  end
  local first = head:match("^[^\n]*")
  if first:sub(1, #paths.root) == paths.root or not first:find("^[^%s:]+:%d+: ") then
    local place = ""
    for _, line in ipairs(lines) do
      place = line:match("^%s*([^%[].-:%d+: )in ")
      if place then break end
    end
    first = (place or "") .. first:gsub("^.-:%d+: ", "", 1)
  end
  local rest = head:sub(#head:match("^[^\n]*") + 1)
  if #lines > 0 then rest = rest .. "\nstack traceback:\n" .. table.concat(lines, "\n") end
  return first, first .. rest
end

--- Start again in `state` after the machine was stopped.
local function revive(self, state, cause, detail)
  self.halted = false
  update_acts(self)
  self.activation = self.recorder:activate(self.definition.name, state.name, self.version, self.now)
  self.events, self.queue = {}, {}
  self.top = machine.new(self.machine, self)
  return dispatch.call(self, dispatch.tick, machine.force, self.top, state, cause, detail)
end

--- Replace the running version by a prepared one (see reload.lua), between two ticks.
function Host:swap(prepared)
  self.fell_back, self.failed = nil, nil
  if self.halted and not self.power_off then -- starts again, possibly while the robot still moves
    self.halted, self.activation, self.mended = nil, nil, true
    update_acts(self)
  end
  local good, why = dispatch.call(self, dispatch.tick, carry.swap, self, prepared)
  if not good then self:fail(why) end
end

--- The version of the file in which the failure occurred: the behavior's own, or a module's.
function Host:version_of(message)
  local file = faults.origin(message, self.hashes)
  return file and self.hashes[file] or self.version
end

--- The behavior failed: record it.  Roll back to the version before if this one is on trial; else enter the
--- behavior's safe state, once, or hold the pose.
function Host:fail(message)
  local first
  first, message = for_author(message)
  if carry.on_trial(self) then return self:roll_back(first, message) end
  self.failed = self.failed or first
  self.recorder:fault(self.tick, self.now, "error", self.definition.name, first, message,
    self:version_of(first))
  self.say("error", ("behavior '%s' failed and was stopped: %s"):format(self.definition.name, message))
  abandon(self, "failed", first)
  -- enter the safe state once; a second failure holds the pose
  local safe = self.definition.fields.safe
  if not safe or self.fell_back or self.power_off then return end
  self.fell_back = true
  local good, why = revive(self, behavior.resolve(self.machine, safe), "failed", first)
  if not good then self:fail(why) end
end

--- The robot's poses and roles have changed: see robots/live.lua.
function Host:take_robot()
  local before, description = self.properties, self.description
  self.self.poses, self.self.roles = description.poses, description.roles
  self.objects:name_roles()
  if not before:moved(description.roles) then return end
  self.before = nil -- the version before refers to other links
  self.properties = properties.new(self.machine, self.solver, description.roles, before)
  self.properties:take_over(before, self.now, carry.blend)
  self.changed = true
end

--- Send the behavior to a state after a failure, at a person's request.
function Host:restart()
  local forced = self.forced
  self.forced = nil
  if self.held_since then self:go_on() end
  local good, why = revive(self, forced.state, "force", forced.who)
  if not good then self:fail(why) end
end

--- Go to a compiled state in this tick at a person's request; also after a failure.
function Host:force(state, who) self.forced = { state = state, who = who } end

--- Hold the pose: the behavior is paused and receives no events.
function Host:hold()
  self.held_since = self.now
  update_acts(self)
  self.solver:hold()
  self.character:pause(true)
end

--- Continue after hold().  The timers did not run during it.  Return how long it lasted, s.
function Host:go_on()
  local held = self.now - self.held_since
  self.held_since, self.unseen = nil, true -- events that states had seen are gone
  update_acts(self)
  self.solver:go_on()
  self.character:pause(false)
  if self.tasks then self.tasks:skip(held) end
  if not self.top then return held end
  machine.shift(self.top, held)
  return held
end

--- The file that differs between two versions, each {file = hash}: the behavior's own, or else a module.
local function changed_file(now, before, own)
  if now[own] ~= before[own] then return own end
  for _, file in ipairs(suggest.keys(now)) do
    if now[file] ~= before[file] then return file end
  end
  return own
end

--- A new version failed: continue with the one before, in its state.
function Host:roll_back(first, message)
  local file = changed_file(self.hashes, self.before.hashes, self.definition.file)
  local failed, to = self.hashes[file] or self.version, self.before.hashes[file] or self.before.version
  self.recorder:fault(self.tick, self.now, "error", self.definition.name, first, message, failed)
  local good, why = dispatch.call(self, dispatch.tick, carry.back, self)
  if not good then
    self.before = nil
    return self:fail(why)
  end
  self.recorder:event(self.tick, self.now, { name = "rolled_back", source = "reload",
    data = { name = file, from = failed:sub(1, 12), to = to:sub(1, 12), why = first } }, self.version)
  -- reported in the slack, after the report on the version
  self.rolled_back = { t = self.now, why = first, sentence =
    ("behavior '%s': version %s%s failed in its first second and was rolled back to %s: %s"):format(
      self.definition.name, failed:sub(1, 8), file ~= self.definition.file and " of " .. file or "",
        to:sub(1, 8), message) }
end

--- Report objectives that failed in the last solve.  An objective in Lua is skipped in a solve in which it
--- fails; the behavior continues.
function Host:report_objectives()
  local faults = self.solver.solver:faults()
  if not faults then return end
  for _, fault in ipairs(faults) do
    local first, message = for_author(fault.message)
    self.recorder:fault(self.tick, self.now, "error", fault.key, first, message, self:version_of(first))
    self.say("error", ("objective '%s' failed, and is left out while it fails: %s"):format(fault.key,
      message))
  end
end

--- Report bodies that came so near in the last solve that the robot brakes at its limit: once for each
--- time.
function Host:report_nearness()
  local pair = self.solver.solver:too_near()
  if pair and not self.too_near then
    local what = ("%s and %s come too near: the robot brakes as hard as it may"):format(pair[1], pair[2])
    self.recorder:fault(self.tick, self.now, "warning", "solver", what, nil, self.version)
    self:emit("too_near", { a = pair[1], b = pair[2] }, "solver")
  end
  self.too_near = pair ~= nil
end

--- Do the behavior's part of a tick.  `stopping`: the reason why the run ends, "" if it continues.  Return
--- false when power-off is complete.
function Host:work(now, dt, stopping)
  script.remembers(self.self.memory)
  local actor = self.solver.actor
  actor.owner, actor.faculty = false, false
  self.now, self.dt, self.stopping = now, dt, stopping
  self.ending = stopping ~= "" and not self.power_off
  update_acts(self)
  local fields = self.self
  fields.now, fields.dt = now, dt
  -- an index loop and inlined conditions: this runs in every tick
  local list, guard = self.stages, dispatch.stage
  for index = 1, #list do
    local stage = list[index]
    local field = stage.field
    if not field or self[field] then
      local needs = stage.needs
      if not needs or needs(self) then
        if stage.guarded then
          local good, why = guard(self, stage, now, dt)
          if not good then (stage.fail or self.fail)(self, why) end
        else stage.work(self, now, dt) end
      end
    end
  end
  self.tick = self.tick + 1
  return not (self.power_off and self:powered_off())
end

--- Start the sequences, stages and random life of the behavior's version, which may be new.
function Host:play_on()
  if self.taken ~= self.definition then
    self.taken = self.definition
    local fields = self.definition.fields
    self.tracks:use(self.sequences)
    self.tracks:use_stages(self.halted and {} or fields.stages)
    self.life:use(fields.life, fields.keys)
    self.character:use(fields.character)
    self.model:use(fields.model)
  end
  local held = self.held_since ~= nil
  if held ~= self.paused then
    self.paused = held
    self.tracks.player:pause(held)
  end
  self.tracks:work()
end

--- Run one of the behavior's own stages in the mixing of tracks.
function Host:stage(number)
  local stage = self.tracks:stage(number)
  if not stage or self.halted then return end
  local good, why = dispatch.call(self, dispatch.tick, stage.work, self.face, stage.face)
  if good then return end
  self.tracks:use_stages {}
  self:fail(why)
end

require "brio.run.power_off" (Host, revive)

--- End of the run: leave the states that are still active.
function Host:close(result, reason)
  if self.sessions then sessions.slack(self, true) end
  if self.shared then shared.slack(self, true) end
  if not self.activation then return end
  self:report_objectives()
  if not self.halted then abandon(self, result, reason) end
  self:note_objects()
  self.operators:close()
  self.tracks:close(self.now)
  self.character:close()
  self.model:close()
  if self.policies then self.policies:close() end
end

--- The path of the innermost active state of the first regions, which people call "the state".
function Host:state()
  local region, path = self.top, nil
  while region and region.current do
    path = region.current.state.path
    region = region.current.regions[1]
  end
  return path
end

return host
