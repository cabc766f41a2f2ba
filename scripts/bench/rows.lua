--- Rows of figures: percentiles or single values, each with its limit.
local files = require "files"

local rows = {}

--- The numbers that a query finds in a store, in ascending order.
function rows.numbers(store, query)
  local found = {}
  local command = ("sqlite3 -cmd '.load build/brio_samples' %s %s"):format(files.quote(store),
    files.quote(query))
  for _, line in ipairs(files.lines(command)) do
    found[#found + 1] = tonumber(line)
  end
  table.sort(found)
  return found
end

local function share(sorted, part)
  return sorted[math.min(#sorted, math.floor(part * #sorted) + 1)] or 0 / 0
end

--- A row of percentiles of numbers in ascending order.
function rows.percentiles(name, unit, sorted, limit)
  return { name = name, unit = unit, p50 = share(sorted, 0.5), p95 = share(sorted, 0.95),
    p99 = share(sorted, 0.99),
           most = sorted[#sorted], limit = limit }
end

--- A row of one value.
function rows.one(name, unit, value, limit)
  return { name = name, unit = unit, value = value, limit = limit }
end

--- Compare `row` with its limit, with times scaled to this machine.
local function judge(row, scale)
  if not row.limit then return end
  for _, field in ipairs { "p50", "p99", "value" } do
    if row[field] and row.limit[field] then
      row.held, row.limit_at = field, row.limit[field] * (row.limit.scaled and scale or 1)
      -- A limit of 0, such as paths that touch something, has no share of it.
      row.share = row.limit_at ~= 0 and row[field] / row.limit_at or nil
      row.verdict = row[field] <= row.limit_at and "PASS" or "over"
    end
  end
end

--- Measure parts, a list of {name, function(options, list of rows)}.  Return {rows, notes}; limits that
--- are scaled are multiplied by `scale`, if it is known.
function rows.measure(what, parts, options, scale)
  local result = { rows = {}, notes = {} }
  for _, part in ipairs(parts) do
    io.stderr:write("  ", what, ": ", part[1], "\n")
    local good, why = pcall(part[2], options, result.rows)
    if not good then result.notes[#result.notes + 1] = part[1] .. ": " .. tostring(why) end
  end
  for _, row in ipairs(result.rows) do judge(row, scale) end
  return result
end

--- Count in `missed` the limits of a result that were exceeded, and the parts that could not be measured.
function rows.count_missed(result)
  result.missed = #result.notes
  for _, row in ipairs(result.rows) do
    if row.verdict == "over" then result.missed = result.missed + 1 end
  end
  return result
end

return rows
