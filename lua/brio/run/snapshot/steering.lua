--- Part of a snapshot: the goals, weights, inputs and tempo that a person has set, which stay until they
--- are released. Parts of the body that a person had taken are given back: nobody holds them after a crash.
local suggest = require "brio.lib.suggest"
local tempo = require "brio.behavior.tempo"

local part = { name = "steering" }

function part.save(host)
  local told, steering = { goals = {}, weights = {}, inputs = {} }, host.solver
  for slot, value in next, steering.set_goals do told.goals[steering.about[slot].key] = value end
  for slot, value in next, steering.set_weights do told.weights[steering.about[slot].key] = value end
  for _, name in ipairs(host.inputs.names) do
    local item = host.inputs.by_name[name]
    if item.pinned then told.inputs[name] = item.value end
  end
  told.tempo = host.tempo.person ~= 1 and host.tempo.person or nil
  if told.tempo then return told end
  return next(told.goals) and told or next(told.weights) and told or next(told.inputs) and told or nil
end

function part.restore(host, told, _, say)
  local steering = host.solver
  for what, steer in next, { goals = "steer_goal", weights = "steer_weight" } do
    for _, key in ipairs(suggest.keys(told[what] or {})) do
      local slot = steering.handles[key]
      if not (slot and pcall(steering[steer], steering, slot, told[what][key])) then
        say(("what a person had set of '%s' is not set again: it is not there now"):format(key))
      end
    end
  end
  if tempo.fault(told.tempo or 1) == nil then host.tempo:say(told.tempo or 1) end
  for _, name in ipairs(suggest.keys(told.inputs or {})) do
    local good, why = host.inputs:set(name, told.inputs[name], "operator", true)
    if not good then say(why) end
  end
end

return part
