--- Diagnosis of a store that cannot be read: used when a command has failed on it.
local store = require "brio.store"

local health = {}

--- Maximum number of faults in a report.
local most = 5

--- The tables of a database: { name = {strict, columns (in one text)} }; nil if they cannot be read.
local function tables_of(db)
  local rows = db:query [[SELECT l.name, l.strict, group_concat(c.name || ' ' || c.type) AS columns
    FROM pragma_table_list l, pragma_table_info(l.name) c WHERE l.schema = 'main' AND l.type = 'table'
      GROUP BY l.name]]
  if not rows then return nil end
  local tables = {}
  for _, row in ipairs(rows) do tables[row.name] = row end
  return tables
end

--- Differences from this program's schema.
local function compare(db, add)
  local blank = store.blank()
  local found, expected = tables_of(db), blank and tables_of(blank)
  if blank then blank:close() end
  if not found or not expected then return end
  local names = {}
  for name in next, expected do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local one = found[name]
    if not one then
      add(("the table %s is missing"):format(name))
    elseif one.columns ~= expected[name].columns then
      add(("the table %s has other columns than brio makes"):format(name))
    elseif one.strict ~= expected[name].strict then
      add(("the table %s is not STRICT, so that its values may be of any type"):format(name))
    end
  end
end

--- The faults of the store at `path`: a list of sentences, empty if it has this program's schema.
function health.faults(path)
  local db, why = store.open(path)
  if not db then return { why } end
  local list = {}
  local function add(sentence)
    if #list < most then list[#list + 1] = sentence end
  end
  local version, newest = db:query("PRAGMA user_version"), store.blank()
  if newest then
    local there, here = version and version[1].user_version,
      newest:query("PRAGMA user_version")[1].user_version
    newest:close()
    if there == here then compare(db, add) end
  end
  for _, row in ipairs(db:query("PRAGMA integrity_check(3)") or {}) do
    if row.integrity_check ~= "ok" then add(row.integrity_check) end
  end
  local odd = db:query "SELECT count(*) AS n FROM runs WHERE duration > 1e12 OR duration < 0 OR ticks < 0"
  if odd and odd[1].n > 0 then add "runs holds times that no run can have" end
  db:close()
  return list
end

return health
