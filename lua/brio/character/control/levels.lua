--- Levels of autonomy: the share of autonomous motion that counts, from 0 to 1: of everything, of a faculty
--- of the character, of a part of the body. They multiply. Each moves to a new value within a given time,
--- along a quintic with rest at both ends.
local levels = {}
local Levels = {}
Levels.__index = Levels

--- The name of the level of all.
levels.all = "all"

function levels.new() return setmetatable({ rows = {}, moving = 0 }, Levels) end

--- The present value of a level.
function Levels:of(name)
  local row = self.rows[name]
  return row and row.value or 1
end

--- Its target.
function Levels:target(name)
  local row = self.rows[name]
  return row and row.to or 1
end

--- Move a level to a value in `seconds`.
function Levels:set(name, value, seconds)
  local row = self.rows[name] or { value = 1 }
  self.rows[name] = row
  row.from, row.to, row.gone, row.length = row.value, value, 0, math.max(seconds, 1e-6)
end

--- Advance the time. Return whether anything changed.
function Levels:work(dt)
  local changed = false
  for _, row in next, self.rows do
    if row.gone < row.length then
      row.gone = row.gone + dt
      local x = math.min(1, row.gone / row.length)
      local value = row.from + (row.to - row.from) * x ^ 3 * (10 - 15 * x + 6 * x * x)
      row.value = x == 1 and row.to or math.max(0, math.min(1, value)) -- rounding may give a value below 0
      changed = true
    end
  end
  return changed
end

return levels
