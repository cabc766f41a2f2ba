--- Needs of a robot, which can be neglected or overwhelmed.
---
--- A need's level goes from -1 (starved) over a band in which it is satisfied to 1 (overwhelmed). It drifts
--- down, and actions change it. Within its band it adds a little pleasure to the mood; below it, displeasure
--- and weariness; above it, displeasure and excitement: Breazeal, "Designing Sociable Robots", 2002, pp.
--- 108-110. The numbers are our choice.
---
---     local list = needs.new { affection = true }
---     needs.step(list, 0.005, { affection = { 0.2, 1 } })
local names = require "brio.character.emotion.names"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local needs = {}

local function vector(doc, value)
  return { "vector", size = 2, value = value, fault = names.fault_of_vector, doc = doc }
end

--- The fields of a need, with their defaults.
needs.fields = {
  level = { "number", lower = -1, upper = 1, value = 0, doc = "at the beginning" },
  drift = { "number", unit = "s", lower = 1, value = 300,
    doc = "time in which it falls by 1 if nobody cares" },
  lower = { "number", lower = -1, upper = 1, value = -0.3,
    doc = "lower end of the band in which it is satisfied" },
  upper = { "number", lower = -1, upper = 1, value = 0.3, doc = "upper end of that band" },
  satisfied = vector("change of the temperament within the band: { valence, arousal }", { 0.1, 0 }),
  under = vector("change of the temperament at -1", { -0.35, -0.25 }),
  over = vector("change at 1; linear in between", { -0.3, 0.4 }),
}
needs.defaults = schema.defaults(needs.fields)

--- The error in the needs of a behavior, {name = true or {...}}; nil: nothing.
function needs.fault(said)
  for _, name in ipairs(suggest.keys(said)) do
    local row, what = said[name], ("need '%s'"):format(name)
    if row ~= true and type(row) ~= "table" then
      return what .. " must be true, or a table of its settings"
    end
    local fault = row ~= true and schema.fault(row, needs.fields, what)
    if fault then return fault end
    local lower, upper = row ~= true and row.lower or needs.defaults.lower,
      row ~= true and row.upper or needs.defaults.upper
    if lower >= upper then return ("%s: lower, %g, must be below upper, %g"):format(what, lower, upper) end
  end
end

--- Make the needs, in the order of their names; those of `before` with the same name keep their levels.
function needs.new(said, before)
  local list = {}
  for _, name in ipairs(suggest.keys(said)) do
    local row = { name = name }
    for key, value in next, needs.defaults do row[key] = value end
    for key, value in next, said[name] == true and {} or said[name] do row[key] = value end
    for _, old in ipairs(before or {}) do
      if old.name == name then row.level, row.where = old.level, old.where end
    end
    row.where = row.where or needs.where(row)
    list[#list + 1] = row
  end
  return list
end

--- State of a need: "under", "satisfied" or "over" its band.
function needs.where(need)
  return need.level < need.lower and "under" or need.level > need.upper and "over" or "satisfied"
end

--- Contribution of one need to the temperament: valence, arousal. Continuous.
function needs.feeds(need)
  local from, to, share = need.satisfied, nil, 0
  if need.level < need.lower then
    to, share = need.under, (need.lower - need.level) / math.max(need.lower + 1, 1e-9)
  elseif need.level > need.upper then
    to, share = need.over, (need.level - need.upper) / math.max(1 - need.upper, 1e-9)
  end
  if not to then return from[1], from[2] end
  return from[1] + share * (to[1] - from[1]), from[2] + share * (to[2] - from[2])
end

--- The level to which an action leads a need: up to strength 1 it satisfies the need; at strength 2 it
--- overwhelms.
local function goal_of(need, gain, strength)
  if gain < 0 then return -1 end
  return math.max(need.level, need.upper + math.max(0, math.min(1, strength - 1)) * (1 - need.upper))
end

--- Advance one need by `h` s under actions, a list of {gain (1/s), strength}; exact for constant actions.
--- level' = -1/drift + sum gain * strength * (goal - level)
local function go_on(need, h, actions)
  local rate, pull = 0, -1 / need.drift
  for _, action in ipairs(actions or {}) do
    local k = math.abs(action[1]) * action[2]
    rate, pull = rate + k, pull + k * goal_of(need, action[1], action[2])
  end
  if rate > 1e-12 then
    need.level = pull / rate + (need.level - pull / rate) * math.exp(-rate * h)
  else
    need.level = need.level + pull * h
  end
  need.level = math.max(-1, math.min(1, need.level))
end

--- Advance all needs by `h` s; `acting`: lists of actions by need. Return their contribution to the
--- temperament, at the middle of the step.
function needs.step(list, h, acting)
  local add = { 0, 0 }
  for _, need in ipairs(list) do
    go_on(need, h / 2, acting[need.name])
    local x, y = needs.feeds(need)
    add[1], add[2] = add[1] + x, add[2] + y
    go_on(need, h / 2, acting[need.name])
  end
  return add
end

--- Call tell(need, from, to) for each need that has crossed the edge of its band since the last call.
function needs.notice(list, tell)
  for _, need in ipairs(list) do
    local where = needs.where(need)
    if where ~= need.where then
      local from = need.where
      need.where = where
      tell(need, from, where)
    end
  end
end

return needs
