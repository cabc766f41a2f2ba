--- Parses sets of runs: "3", "3,5,8-12", "last", "last 20", "kiosk", "all", "version=6f1e",
--- "behavior=kiosk,since=2026-11-01" (docs/analysis/finding.md).
---
--- Runs are united; NAME=VALUE removes those that do not match.  A word of hex digits with a letter in it is
--- a version if a run used one with that beginning; otherwise it is a name, like every other word.
local names = require "brio.lib.run_names"
local suggest = require "brio.lib.suggest"

local sets = {}

--- Tables and views of a store by name, so that an older store gets only queries that it supports.
function sets.has(db, name)
  local rows = db:query("SELECT 1 FROM sqlite_master WHERE name = ? AND type IN ('table', 'view')", name)
  return rows ~= nil and rows[1] ~= nil
end

--- A condition on `r` (a row of runs) for each name; ?1 is the value.  `needs`: a table that an older store
--- lacks.
local keys = {
  behavior = { sql = "(r.behavior = ?1 OR replace(r.behavior, '.lua', '') = ?1"
    .. " OR substr(r.behavior, -length(?1) - 1) = '/' || ?1"
    .. " OR substr(r.behavior, -length(?1) - 5) = '/' || ?1 || '.lua')" },
  robot = { sql = "r.robot = ?1" },
  driver = { sql = "r.driver = ?1" },
  clock = { sql = "r.clock = ?1" },
  seed = { sql = "r.seed = CAST(?1 AS INTEGER)" },
  date = { sql = "substr(r.started_at, 1, length(?1)) = ?1" },
  since = { sql = "r.started_at >= ?1" },
  before = { sql = "r.started_at < ?1" },
  outcome = { sql = "(SELECT s.outcome FROM run_summary s WHERE s.run = r.id) = ?1" },
  engine = { sql = "r.engine_version = ?1" },
  version = { sql = "r.id IN (SELECT u.run FROM run_versions u WHERE substr(u.hash, 1, length(?1)) = \z
    lower(?1))" },
  condition = { sql = "r.id IN (SELECT s.run FROM sittings s WHERE s.condition = ?1)", needs = "sittings",
    also = { "session_runs", "r.id IN (SELECT n.run FROM session_runs n JOIN sessions s ON s.id = n.session \z
      WHERE"
      .. " s.condition = ?1)" } },
  participant = { sql = "r.id IN (SELECT s.run FROM sittings s WHERE s.participant = ?1)", needs = "sittings",
    also = { "session_runs",
      "r.id IN (SELECT n.run FROM session_runs n JOIN sessions s ON s.id = n.session WHERE s.participant = \z
        ?1)" } },
}

--- The runs in `ids` that match NAME=VALUE, or nil and a sentence.
local function narrowed(db, name, value)
  local key = keys[name]
  if not key then
    return nil, ("runs cannot be selected by '%s'%s: expected one of %s"):format(name,
      suggest.hint(name, suggest.keys(keys)), table.concat(suggest.keys(keys), ", "))
  end
  local ways = {}
  if not key.needs or sets.has(db, key.needs) then ways[1] = key.sql end
  if key.also and sets.has(db, key.also[1]) then ways[#ways + 1] = key.also[2] end
  if #ways == 0 then return nil, ("this store knows no %s"):format(name) end
  local rows, why = db:query(("SELECT r.id FROM runs r WHERE %s ORDER BY r.id"):format(
    table.concat(ways, " OR ")), value)
  if not rows then return nil, why end
  local found = {}
  for _, row in ipairs(rows) do found[row.id] = true end
  return found
end

local function all_runs(db)
  local rows, why = db:query "SELECT id FROM runs ORDER BY id"
  if not rows then return nil, why end
  local list = {}
  for index, row in ipairs(rows) do list[index] = row.id end
  return list
end

--- Whether some run used a version whose hash begins with this text.
local function is_version(db, part)
  if #part < 4 or not part:match "^%x+$" then return false end
  local rows = db:query("SELECT 1 FROM run_versions WHERE substr(hash, 1, length(?1)) = lower(?1) LIMIT 1",
    part)
  return rows ~= nil and rows[1] ~= nil
end

--- Parse one part of a word: adds runs to `wanted`, or returns a restriction; nil and a sentence if it is
--- invalid.
local function read_part(db, part, list, wanted)
  local from, to = part:match "^(%d+)%-(%d+)$"
  from, to = math.tointeger(tonumber(from or part)), math.tointeger(tonumber(to or part))
  local last = part:match "^last%s*(%d*)$"
  if from and to then
    for _, id in ipairs(list) do wanted[id] = wanted[id] or id >= from and id <= to end
    return true
  elseif last then
    for index = math.max(1, #list + 1 - (math.tointeger(tonumber(last)) or 1)), #list do
      wanted[list[index]] = true
    end
    return true
  elseif part == "all" then
    for _, id in ipairs(list) do wanted[id] = true end
    return true
  elseif is_version(db, part) then return "version", part end
  local name, value = part:match "^(%a+)=(.+)$"
  if name then return name, value end
  local named = part:match "^[%a_./]" and names.newest(db, part) -- a misspelled number is not a name
  if named then
    wanted[named] = true
    return true
  end
  return nil, ("'%s' is no set of runs: numbers of runs (3,5,8-12), last, last N, all, a behavior's or \z
    robot's name, a version's"
    .. " hash or NAME=VALUE are expected"):format(part)
end

--- The numbers of the runs for a word, in order; nil and a sentence if there are none. `may_be_empty`: then
--- an empty list is returned instead, unless a word is invalid.
function sets.runs(db, word, may_be_empty)
  local list, why = all_runs(db)
  if not list then return nil, why end
  local wanted, kept = {}, {}
  for part in word:gmatch "[^,]+" do
    part = part:match "^%s*(.-)%s*$"
    local name, value = read_part(db, part, list, wanted)
    if not name then return nil, value end
    if value then
      local left, fault = narrowed(db, name, value)
      if not left then return nil, fault end
      kept[#kept + 1] = left
    end
  end
  if next(wanted) == nil and #kept > 0 then for _, id in ipairs(list) do wanted[id] = true end end
  local found = {}
  for _, id in ipairs(list) do
    local fits = wanted[id]
    for _, left in ipairs(kept) do fits = fits and left[id] end
    if fits then found[#found + 1] = id end
  end
  if #found == 0 and not may_be_empty then return nil, ("there is no run in '%s'"):format(word) end
  return found
end

--- Numbers of runs as people write them: "1-4, 7".
function sets.text(list)
  local parts, index = {}, 1
  while index <= #list do
    local last = index
    while list[last + 1] == list[last] + 1 do last = last + 1 end
    parts[#parts + 1] = last > index and ("%d-%d"):format(list[index], list[last]) or tostring(list[index])
    index = last + 1
  end
  return table.concat(parts, ", ")
end

return sets
