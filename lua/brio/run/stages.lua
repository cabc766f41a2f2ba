--- The behavior's part of a tick as a list of stages, in their order.
---
--- `name`: of the stage in a profile.
--- `work(host, now, dt)`: the time of the run and the time since the tick before, s.
--- `needs(host)`: whether this tick has the stage; without it each tick has.
--- `budget`: the stage calls functions of the behavior, so the CPU time of a script limits it.  An error in it
--- calls `fail(host, why)`, or Host:fail.
local lazy = require "brio.lib.lazy"
local migrate = lazy "brio.run.migrate"

--- Whether the behavior acts: no person holds it, and it has not failed.
local function acts(host) return not (host.held_since or host.halted) end

--- Whether time goes on for the behavior: no person holds it.
local function goes_on(host) return not host.held_since end

--- Take over a version of the file that is ready, or keep the newest one that has stood its trial.
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

--- What is due where a person holds the behavior: it sees nothing of what happens.
local function hold(host, _, dt)
  host.events, host.queue = {}, {}
  if host.motions then host.motions:work(dt, true) end
end

return {
  { name = "versions", work = take_over, needs = function(host) return host.before or host.prepared end },
  { name = "tracks", work = play },
  { name = "reports", work = function(host)
    host:report_objectives()
    host:report_nearness()
  end },
  { name = "operators", work = function(host) host.operators:work() end, budget = true,
    fail = function(host, why) host.operators:fail(why) end },
  { name = "desk", work = function(host) host:act("operator", nil, host.operator) end,
    needs = function(host) return host.operator end },
  { name = "inputs", work = function(host) host.inputs:tell(host) end },
  { name = "model", work = function(host) host.model:work() end },
  { name = "control", work = function(host, _, dt) host.control:attend(dt) end, budget = true,
    fail = function(host, why) host.control:fail(why) end, needs = function(host) return host.control end },
  { name = "detectors", work = function(host) host.detectors:work(host) end,
    needs = function(host) return host.detectors.list[1] end },
  { name = "clouds", work = function(host) host.clouds:work(host) end,
    needs = function(host) return host.clouds.list[1] end },
  { name = "scene", work = function(host) host:notice() end },
  { name = "power off", work = function(host) host:start_power_off(host.stopping) end,
    needs = function(host) return host.stopping ~= "" and not host.power_off end },
  { name = "restart", work = function(host) host:restart() end,
    needs = function(host) return host.halted and host.forced end },
  { name = "hold", work = hold, needs = function(host) return host.held_since end },
  { name = "objects", work = function(host) host.objects:work() end, budget = true, needs = acts },
  { name = "states", work = function(host) host:step() end, budget = true, needs = acts },
  { name = "tempo", work = function(host) host.tempo:work() end, needs = goes_on },
  -- Motions of leaves: a behavior that failed in this tick lets go of them.
  { name = "motions", work = function(host, _, dt) host.motions:work(dt * host.tempo.now) end,
    needs = function(host) return host.motions and goes_on(host) end },
  { name = "life", work = function(host, now)
    host:act("autonomy", "life", host.life.work, host.life, now)
  end, needs = function(host) return host.life.order[1] and acts(host) end },
  { name = "character", work = function(host, now, dt) host.character:work(now, dt) end, budget = true,
    needs = function(host) return host.character.list[1] and acts(host) end },
}
