--- Part of a snapshot: the robot's emotion, its mood and needs, the emotion that a person has set, and the
--- levels of autonomy.
local suggest = require "brio.lib.suggest"

local part = { name = "emotion" }

function part.save(host)
  local emotion, control, told = host.emotion, host.control, {}
  if emotion then
    local needs = {}
    for _, need in ipairs(emotion.needs or {}) do needs[need.name] = need.level end
    told.mood, told.emotion, told.needs = emotion.state.mood, emotion.state.emotion, needs
    told.operator = emotion:taken() and emotion.operator or nil
  end
  if control then
    for name in next, control.levels.rows do
      told.levels = told.levels or {}
      told.levels[name] = control.levels:target(name)
    end
  end
  return next(told) and told or nil
end

local function vector(value)
  return type(value) == "table" and type(value[1]) == "number" and type(value[2]) == "number" and value or nil
end

function part.restore(host, told, _, say)
  local emotion, control = host.emotion, host.control
  local mood, felt = vector(told.mood), vector(told.emotion)
  if emotion and mood and felt then
    emotion.state.mood, emotion.state.emotion = { mood[1], mood[2] }, { felt[1], felt[2] }
    for _, need in ipairs(emotion.needs or {}) do need.level = (told.needs or {})[need.name] or need.level end
  end
  local pinned = vector(told.operator)
  if emotion and pinned then emotion:override(pinned[1], pinned[2], pinned.who) end
  for _, name in ipairs(suggest.keys(control and told.levels or {})) do
    local good, why = control:set_level(name, told.levels[name], 0)
    if not good then say(why) end
  end
end

return part
