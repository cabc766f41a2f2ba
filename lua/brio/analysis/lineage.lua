--- The versions of files as trees: each below the one that it replaced, with its times of use and its faults.
local sets = require "brio.analysis.run_sets"

local lineage = {}

--- The runs that used each version, and how long: by hash {runs = list, seconds, times}.
local function uses_of(db)
  local rows, why = db:query("SELECT u.run, u.hash, u.t, coalesce(lead(u.t) OVER (PARTITION BY u.run, \z
    u.name ORDER BY u.id),"
    .. " r.duration) AS till, r.started_at FROM run_versions u JOIN runs r ON r.id = u.run ORDER BY u.run, \z
      u.id")
  if not rows then return nil, why end
  local uses = {}
  for _, row in ipairs(rows) do
    local one = uses[row.hash] or { runs = {}, seconds = 0, times = 0, first = row.started_at }
    uses[row.hash] = one
    if one.runs[#one.runs] ~= row.run then one.runs[#one.runs + 1] = row.run end
    one.seconds, one.times, one.last = one.seconds + math.max(0, (row.till or row.t) - row.t), one.times + 1,
      row.started_at
  end
  return uses
end

--- Failures and results of each version: by hash.
local function faults_of(db)
  local rows, why = db:query("SELECT version AS hash, count(*) AS n FROM faults WHERE version IS NOT NULL \z
    AND severity <>"
    .. " 'warning'"
    .. " GROUP BY version")
  if not rows then return nil, why end
  local faults = {}
  for _, row in ipairs(rows) do faults[row.hash] = row.n end
  return faults
end

--- Versions that were rolled back: by the first twelve digits, why.
local function rolled_back(db)
  local found = {}
  for _, row in ipairs(db:query("SELECT data ->> '$.from' AS version, data ->> '$.why' AS why FROM events"
    .. " WHERE name = 'rolled_back' AND json_valid(data)") or {}) do
    if row.version then found[row.version] = row.why or "it failed" end
  end
  return found
end

--- Whether `hash` would be its own ancestor below `above`: data in a store may be wrong.
local function is_circle(by_hash, hash, above)
  local steps = 0
  while above and steps < 1000000 do
    if above == hash then return true end
    above, steps = by_hash[above] and by_hash[above].above, steps + 1
  end
  return false
end

--- The versions of each file: list of {name, roots = list of {hash, name, bytes, first_seen, runs, seconds,
--- times, faults, rolled_back, children = list}}; `file`: only of this one.  nil, sentence on failure.
function lineage.of(db, file)
  local rows, why = db:query("SELECT hash, name, parent, bytes, first_seen FROM versions WHERE ?1 IS NULL \z
    OR name = ?1"
    .. " OR substr(name, -length(?1) - 1) = '/' || ?1 ORDER BY name, rowid",
      file or require("brio.store").null)
  if not rows then return nil, why end
  local uses, faults
  uses, why = uses_of(db)
  if uses then faults, why = faults_of(db) end
  if not faults then return nil, why end
  local back, by_hash, files, of = rolled_back(db), {}, {}, {}
  for _, row in ipairs(rows) do by_hash[row.hash] = row end
  for _, row in ipairs(rows) do
    local used = uses[row.hash] or { runs = {}, seconds = 0, times = 0 }
    row.runs, row.seconds, row.times, row.first, row.last = used.runs, used.seconds, used.times, used.first,
      used.last
    row.faults, row.rolled_back, row.children = faults[row.hash] or 0, back[row.hash:sub(1, 12)], {}
    if not of[row.name] then
      of[row.name] = { name = row.name, roots = {} }
      files[#files + 1] = of[row.name]
    end
    local above = by_hash[row.parent or ""]
    if above and above.children and above.name == row.name
        and not is_circle(by_hash, row.hash, row.parent) then
      row.above = row.parent
      table.insert(above.children, row)
    else
      table.insert(of[row.name].roots, row)
    end
  end
  for _, row in ipairs(rows) do row.above = nil end
  return files
end

local function counted(number, one, many) return ("%d %s"):format(number, number == 1 and one or many) end

--- A version in one line.
local function line_of(row)
  local parts = { row.hash:sub(1, 12), (row.first or row.first_seen or ""):sub(1, 16) }
  if #row.runs > 0 then
    parts[#parts + 1] = ("run%s %s"):format(#row.runs == 1 and "" or "s", sets.text(row.runs))
    parts[#parts + 1] = ("%.1f s"):format(row.seconds)
  else
    parts[#parts + 1] = "never used"
  end
  parts[#parts + 1] = counted(row.bytes, "byte", "bytes")
  if row.faults > 0 then parts[#parts + 1] = counted(row.faults, "fault", "faults") end
  if row.rolled_back then parts[#parts + 1] = "rolled back: " .. row.rolled_back:match "^[^\n]*" end
  return table.concat(parts, ", ")
end

--- Lines for a version and all below it.  An only child is directly below its parent: most histories are
--- linear.
local function add_lines(lines, row, head)
  while true do
    lines[#lines + 1] = head .. line_of(row)
    if #row.children ~= 1 then break end
    row = row.children[1]
  end
  for index, child in ipairs(row.children) do
    local last = index == #row.children
    add_lines(lines, child, (head:gsub("[|`]%- $",
      function(mark) return mark:sub(1, 1) == "|" and "|  " or "   " end))
      .. (last and "`- " or "|- "))
  end
end

--- The trees as lines.
function lineage.lines(files)
  local lines = {}
  for _, file in ipairs(files) do
    lines[#lines + 1] = (#lines > 0 and "\n" or "") .. file.name
    for _, root in ipairs(file.roots) do add_lines(lines, root, "  ") end
  end
  return lines
end

return lineage
