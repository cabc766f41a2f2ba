--- Needs of a robot, which may be neglected or overwhelmed.
---
--- A need's level is from -1 (starved) over a band in which it is satisfied to 1 (overwhelmed). It drifts
--- down, and actions change it. In its band it feeds the mood a little pleasure; under it, displeasure and
--- weariness; over it, displeasure and excitement: Breazeal, "Designing Sociable Robots",
--- 2002, pp. 108-110. The numbers are chosen by us.
---
---     local list = needs.new { affection = true }
---     needs.step(list, 0.005, { affection = { 0.2, 1 } })
local suggest = require "brio.lib.suggest"

local needs = {}

--- Defaults of a need.
needs.defaults = {
  level = 0,                    -- at the beginning
  drift = 300,                  -- s in which it would fall by 1 if nobody did anything
  lower = -0.3, upper = 0.3,    -- the band in which it is satisfied
  satisfied = { 0.1, 0 },       -- valence and arousal that it adds to the temperament in the band,
  under = { -0.35, -0.25 },     -- at -1,
  over = { -0.3, 0.4 },         -- and at 1; straight between
}

local vectors = { satisfied = true, under = true, over = true }

local function is_number(value) return type(value) == "number" and value - value == 0 end

local function is_vector(value)
  return type(value) == "table" and is_number(value[1]) and is_number(value[2]) and #value == 2
    and value[1] ^ 2 + value[2] ^ 2 <= 1 + 1e-9
end

local function fault_of_field(what, key, value)
  if needs.defaults[key] == nil then
    return ("%s has no field '%s'%s"):format(what, key, suggest.hint(key, suggest.keys(needs.defaults)))
  elseif vectors[key] then
    return not is_vector(value) and ("%s: %s must be { valence, arousal } of a length of at most 1"):format(
      what, key) or nil
  elseif not is_number(value) then
    return ("%s: %s must be a number"):format(what, key)
  elseif key == "drift" then
    return value < 1 and ("%s: drift must be seconds, at least 1"):format(what) or nil
  elseif math.abs(value) > 1 then
    return ("%s: %s must be from -1 to 1, not %g"):format(what, key, value)
  end
end

--- The error in the needs of a behavior, {name = true or {...}}; nil: nothing.
function needs.fault(said)
  for _, name in ipairs(suggest.keys(said)) do
    local row, what = said[name], ("need '%s'"):format(name)
    if row ~= true and type(row) ~= "table" then
      return what .. " must be true, or a table of its settings"
    end
    for _, key in ipairs(row == true and {} or suggest.keys(row)) do
      local fault = fault_of_field(what, key, row[key])
      if fault then return fault end
    end
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

--- The level that an action of a strength leads a need to: up to strength 1 it satisfies it; twice as strong,
--- it overwhelms.
local function goal_of(need, gain, strength)
  if gain < 0 then return -1 end
  return math.max(need.level, need.upper + math.max(0, math.min(1, strength - 1)) * (1 - need.upper))
end

--- Let one need go on by `h` s under actions, a list of {gain (1/s), strength}: exact while they do not
--- change. level' = -1/drift + sum gain * strength * (goal - level)
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

--- Let all go on by `h` s, `acting`: lists of actions by need. Returns what they add to the temperament, in
--- the middle.
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

--- Those that went over the edge of their band since the last time: calls tell(need, from, to).
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
