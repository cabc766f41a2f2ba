--- The behavior's part of a tick as a list of stages, in their order.
---
--- `name`: of the stage in a profile.
--- `work(host, now, dt)`: the time of the run and the time since the tick before, s.
--- `field`: a tick has the stage only if this field of the host is true; it costs less than a function.
--- `needs(host)`: the same as a function.
--- `budget`: the stage calls functions of the behavior, so the CPU time of a script limits it (see
--- io/dispatch.lua).  An error in it calls `fail(host, why)`, or Host:fail.
--- `owner`, `faculty`: to whom the motions and objectives that the stage starts belong.
local lazy = require "brio.lib.lazy"
local migrate = lazy "brio.run.migrate"

--- Take over a version of the file that is ready, or drop the kept version once the new one has passed its
--- trial.
local function take_over(host)
  if host.before then migrate.on_trial(host) end
  local prepared = host.prepared
  if not prepared then return end
  host.prepared = nil
  host:swap(prepared)
  if prepared.done then prepared.done() end
end

--- Begin the record of the version that runs; play its sequences on.
local function play(host, now)
  host.activation = host.activation
    or host.recorder:activate(host.definition.name, nil, host.version, now)
  host.reacting = true
  host:play_on()
end

--- The work that is due while a person holds the behavior, which gets no events.
local function hold(host, _, dt)
  host.events, host.queue = {}, {}
  if host.motions then host.motions:work(dt, true) end
end

--- Motions of leaves; a behavior that failed in this tick releases them.
local function move(host, _, dt)
  if not host.held_since then host.motions:work(dt * host.tempo.now) end
end

local function fail_operators(host, why) host.operators:fail(why) end
local function fail_control(host, why) host.control:fail(why) end

local stages = {
  { name = "versions", work = take_over, needs = function(host) return host.before or host.prepared end },
  { name = "tracks", work = play },
  { name = "reports", work = function(host)
    host:report_objectives()
    host:report_nearness()
  end },
  { name = "operators", budget = "tick", work = function(host) host.operators:work() end,
    fail = fail_operators },
  { name = "desk", field = "operator", owner = "operator", work = function(host) host.operator() end },
  { name = "inputs", work = function(host) host.inputs:tell(host) end },
  { name = "model", work = function(host) host.model:work() end },
  { name = "control", field = "control", budget = "tick",
    work = function(host, _, dt) host.control:attend(dt) end, fail = fail_control },
  { name = "detectors", work = function(host) host.detectors:work(host) end,
    needs = function(host) return host.detectors.list[1] end },
  { name = "clouds", work = function(host) host.clouds:work(host) end,
    needs = function(host) return host.clouds.list[1] end },
  { name = "scene", work = function(host) host:notice() end },
  { name = "power off", field = "ending", work = function(host) host:start_power_off(host.stopping) end },
  { name = "restart", field = "forced", work = function(host) if host.halted then host:restart() end end },
  { name = "hold", field = "held_since", work = hold },
  { name = "objects", field = "acts", needs = function(host) return host.objects.order[1] end,
    budget = "tick", work = function(host) host.objects:work() end },
  { name = "states", field = "acts", budget = "tick", work = function(host) host:step() end },
  { name = "tasks", field = "tasks", needs = function(host) return host.acts end, budget = "tick",
    work = function(host) host.tasks:work() end },
  { name = "tempo", field = "acts", work = function(host) host.tempo:work() end },
  { name = "motions", field = "motions", work = move },
  { name = "life", field = "acts", needs = function(host) return host.life.order[1] end,
    owner = "autonomy", faculty = "life", work = function(host, now) host.life:work(now) end },
  { name = "character", field = "acts", budget = "tick", owner = "autonomy",
    work = function(host, now, dt) host.character:work(now, dt) end },
}

-- A field that is false is found sooner than one that is nil.
for _, stage in ipairs(stages) do
  stage.field, stage.needs = stage.field or false, stage.needs or false
  stage.budget, stage.owner = stage.budget or false, stage.owner or false
  stage.guarded = stage.budget or stage.owner
end

return stages
