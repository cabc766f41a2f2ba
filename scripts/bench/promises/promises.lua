--- brio's promises about time, in wall clock time: each promise measured several times, with its limit and
--- the time for which the machine itself was stalled meanwhile.  A limit applies to a value minus that gap.
local gap = require "promises.promises_gap"
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$" or "."

local promises = {}

local sources = { "promises.promises_runs", "promises.promises_prompt", "promises.promises_motors",
  "promises.promises_work" }

local function share(sorted, part)
  return sorted[math.min(#sorted, math.floor(part * #sorted) + 1)] or 0 / 0
end

--- A row from a part {name, unit, factor (of the unit to seconds), most (limit), least (optional)} and its
--- list of {value, gap}, in s.
local function row_of(part, list)
  local row = { name = part.name, unit = part.unit, limit = part.most, least = part.least, count = #list }
  row.gap = 0
  local values, held, lowest = {}, -math.huge, math.huge
  for i, one in ipairs(list) do
    local value, still = one.value * part.factor, one.gap * part.factor
    values[i] = value
    row.gap = math.max(row.gap, still)
    held, lowest = math.max(held, value - still), math.min(lowest, value + still)
  end
  table.sort(values)
  row.p50, row.p95, row.most = share(values, 0.5), share(values, 0.95), values[#values]
  row.held = math.max(0, held)
  local holds = #list > 0 and held <= part.most and (not part.least or lowest >= part.least)
  row.verdict = holds and "PASS" or "over"
  return row
end

--- Measure all promises.  Return {rows, notes, missed: number of those that failed or could not be measured}.
function promises.measure(options)
  package.path = here .. "/../../../tests/program/?.lua;" .. package.path
  local harness = require "harness"
  harness.build, harness.program = options.build, options.build .. "/brio"
  local result = { rows = {}, notes = {}, missed = 0 }
  gap.start()
  for _, source in ipairs(sources) do
    for _, part in ipairs(require(source)) do
      io.stderr:write("  promises: ", part.name, "\n")
      local good, list = pcall(part.measure, options)
      local row = good and row_of(part, list)
      if row then result.rows[#result.rows + 1] = row end
      local why = not good and ("%s: not measured: %s"):format(part.name, tostring(list))
      if why then result.notes[#result.notes + 1] = why end
      if not row or row.verdict ~= "PASS" then result.missed = result.missed + 1 end
    end
  end
  gap.stop()
  return result
end

local function number(value)
  return (value == 0 and "%.0f" or value < 10 and "%.2f" or value < 1000 and "%.1f" or "%.0f"):format(value)
end

--- The rows as texts.
function promises.table_of(result)
  local rows = {
    { "what", "unit", "times", "p50", "p95", "most", "machine's gap", "most less it", "limit", "" },
  }
  for _, row in ipairs(result.rows) do
    local limit = row.least and ("%s to %s"):format(number(row.least), number(row.limit)) or number(row.limit)
    rows[#rows + 1] = { row.name, row.unit, tostring(row.count), number(row.p50), number(row.p95),
      number(row.most), number(row.gap), number(row.held), limit, row.verdict }
  end
  return rows
end

return promises
