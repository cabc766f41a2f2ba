--- The Lua environment of the prompt: the environment of behaviors, and the run's objects.
---
--- Assigned names are kept until the run ends, for everybody at the prompt.
local paths = require "brio.lib.paths"
local random = require "brio.random"
local reasons = require "brio.behavior.wants.why"
local sandbox = require "brio.behavior.sandbox.sandbox"
local suggest = require "brio.lib.suggest"

local environment = {}

--- The run's objects by name, evaluated on access.
environment.things = {
  { "self", "what the behavior's functions get", function(run) return run.host.face end },
  { "memory", "what the behavior remembers", function(run) return run.host.self.memory end },
  { "tune", "its tunable numbers, kept within their ranges", function(_, checked) return checked end },
  { "robot", "the model", function(run) return run.description.robot end },
  { "scene", "what is around", function(run) return run.scene end },
  { "solver", "what finds the pose", function(run) return run.solver end },
  { "actuator", "the device's axes", function(run) return run.actuator end },
  { "why", "why(DOF): the contributions to its value",
    function(run) return function(dof) return tostring(reasons.of(run.host, dof)) end end },
}

--- Set a tunable number of the host's behavior.  Return it, or nil and the error.
function environment.set_tune(host, name, value)
  local params = host.definition.fields.tune or {}
  local param = params[name]
  if not param then
    local wrong = tostring(name)
    return nil, ("there is no parameter to tune '%s'%s"):format(wrong,
      suggest.hint(wrong, suggest.keys(params)))
  end
  if type(value) ~= "number" or not (value >= param.lower and value <= param.upper) then
    local expected = ("%s must be a number from %g to %g %s"):format(name, param.lower, param.upper,
      param.unit)
    return nil, expected .. ", not " .. tostring(value)
  end
  host.self.tune[name] = value
  return value
end

--- self.tune at the prompt: assigned values are checked.
local function checked_tune(run)
  return setmetatable({}, {
    __index = function(_, name) return run.host.self.tune[name] end,
    __newindex = function(_, name, value)
      local good, why = environment.set_tune(run.host, name, value)
      if not good then error(why, 2) end
    end,
    __pairs = function() return pairs(run.host.self.tune) end,
    __shown = function() return run.host.self.tune end,
  })
end

--- Create the environment of a run; `say` receives printed output.
function environment.new(run, say)
  local base = sandbox.environment(paths.folder(run.loaded.file), say, random.stream(run.seed, "prompt"), {})
  local tune, things = checked_tune(run), {}
  for _, thing in ipairs(environment.things) do things[thing[1]] = thing[3] end
  local env = {}
  base._G = nil
  local function names()
    local all = suggest.keys(base)
    for name in pairs(things) do all[#all + 1] = name end
    for name in next, env do all[#all + 1] = tostring(name) end
    table.sort(all)
    return all
  end
  setmetatable(env, {
    __index = function(_, name)
      if things[name] then return things[name](run, tune) end
      local value = rawget(base, name)
      if value == nil then
        error(("unknown name '%s'%s"):format(tostring(name), suggest.hint(tostring(name), names())), 2)
      end
      return value
    end,
    __newindex = function(_, name, value)
      if things[name] then error(("%s is the run's: assign to its fields"):format(name), 2) end
      rawset(env, name, value)
    end,
    __name = "the prompt's names",
  })
  return env, names
end

return environment
