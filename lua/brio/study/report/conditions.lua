--- The conditions by the file and by the record: their settings, and the motions of the robot in them.
local counted = require "brio.study.counted_sessions"
local suggest = require "brio.lib.suggest"

local conditions = {}

local fields = { "behavior", "robot", "world", "session" }

--- The settings of a condition, in words: "every = 12".  "" if it has none.
function conditions.settings(one)
  local list = {}
  for _, field in ipairs(fields) do
    if one[field] then list[#list + 1] = ("%s %s"):format(field, tostring(one[field]):match "[^/]*$") end
  end
  for _, name in ipairs(suggest.keys(one.tune or {})) do
    list[#list + 1] = ("%s = %s"):format(name, tostring(one.tune[name]))
  end
  return table.concat(list, ", ")
end

local motions_sql = [[
  SELECT n.condition, s.owner, s.name, count(*) AS times FROM counted n JOIN sources s ON s.run = n.run
  WHERE s.kind = 'sequence' AND s.owner IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 2, 3]]

--- Minutes of the sessions of each condition.
local function minutes_of(study)
  local list = {}
  for _, row in ipairs(counted.rows(study.db, study.found.id,
    "SELECT condition, total(seconds) / 60 AS minutes FROM counted GROUP BY 1")) do
    list[row.condition or false] = row.minutes
  end
  return list
end

--- The table of motions: who started them, and how often a minute in each condition; nil without motions.
function conditions.motions(study)
  local minutes, rows, by = minutes_of(study), {}, {}
  for _, row in ipairs(counted.rows(study.db, study.found.id, motions_sql)) do
    local key = row.owner .. " " .. row.name
    if not by[key] then
      by[key] = { owner = row.owner, name = row.name }
      rows[#rows + 1] = by[key]
    end
    by[key][row.condition or false] = row.times
  end
  local names, cells = { "begun by", "motion" }, {}
  for place, one in ipairs(study.data.conditions) do names[place + 2] = one.name end
  for index, row in ipairs(rows) do
    cells[index] = { row.owner, row.name }
    for place, one in ipairs(study.data.conditions) do
      local n, time = row[one.name] or 0, minutes[one.name] or 0
      cells[index][place + 2] = time > 0 and ("%.1f (%d)"):format(n / time, n) or ""
    end
  end
  return cells[1] and { names, cells, "Motions begun, for each minute of a condition's sessions, and in all" }
end

return conditions
