--- Writes the table of faults in docs/devices/safety.md from the measurements of the last complete run of
--- tests/program/faults/forty_test.lua (build/faults.json).
---
---     BRIO_FORTY=all lua5.4 tests/program/faults/forty_test.lua && lua5.4 scripts/docs_faults.lua
---     lua5.4 scripts/docs_faults.lua --check
---
--- --check: fail if the table does not have the tested faults, in their order, with the robot's reaction. Its
--- figures are measured, and may differ each time.
local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = ("%s/../tests/program/?.lua;%s/../tests/lib/?.lua;"):format(here, here) .. package.path

local files = require "files"
local fault_rows = require "fault_rows"

local page, results = here .. "/../docs/devices/safety.md", here .. "/../build/faults.json"
local first, last = "<!-- faults: made by scripts/docs_faults.lua -->\n", "<!-- end of faults -->\n"

--- The page before, in and after the table.
local function parts()
  local text = assert(files.read(page))
  local _, from = text:find(first, 1, true)
  local to = from and text:find(last, from, true)
  if not to then error(("docs/devices/safety.md: no table between %sand %s"):format(first, last), 0) end
  return text:sub(1, from), text:sub(from + 1, to - 1), text:sub(to)
end

local function verdict(row, result)
  if result.kept then return "kept" end
  return "missed" .. (row.why and ": " .. row.why or "")
end

local function line(row, result)
  local noticed = result.noticed and ("%.2f s"):format(result.noticed) or "–"
  return ("| %s | %s | %s | %.2f | %.2f | %s |\n"):format(row.name, noticed, row.does, result.speed,
    result.acceleration, verdict(row, result))
end

--- The table of what was measured.
local function made()
  local text = files.read(results)
  if not text then
    error("no build/faults.json: BRIO_FORTY=all lua5.4 tests/program/faults/forty_test.lua", 0)
  end
  local measured, by_name = require "cjson".decode(text), {}
  for _, result in ipairs(measured.rows) do by_name[result.name] = result end
  local machine = "Measured on %d cores that other programs shared, %d engines side by side.\n\n"
  local lines = { machine:format(measured.cores, measured.at_once),
    "| fault | noticed after | what the robot does | speed | acceleration | verdict |\n",
    "| --- | --- | --- | --- | --- | --- |\n" }
  for _, row in ipairs(fault_rows.list) do
    local result = by_name[row.name]
    lines[#lines + 1] = result and line(row, result) or error("build/faults.json has no row: " .. row.name, 0)
  end
  return table.concat(lines)
end

--- Whether the table has rows for the tested faults.
local function is_current(table_text)
  local k = 0
  for name, does in table_text:gmatch "\n| ([^|\n]+) | [^|\n]+ | ([^|\n]+) | %d" do
    k = k + 1
    local row = fault_rows.list[k]
    if not row or row.name ~= name or row.does ~= does then return false, name end
  end
  return k == #fault_rows.list, ("%d rows, and %d faults are tried"):format(k, #fault_rows.list)
end

local before, between, behind = parts()
if arg[1] == "--check" then
  local current, why = is_current(between)
  if current then return end
  error(("docs/devices/safety.md: its table of faults is old (%s): "
    .. "run lua5.4 scripts/docs_faults.lua"):format(why), 0)
end
files.write(page, before .. made() .. behind)
