--- Criteria of runs: written in SQL or in Lua, evaluated in the store of the run.
---
---     "EXISTS(SELECT 1 FROM states WHERE run = :run AND state = 'greet')"    an expression, or a whole
---                                                                            SELECT
---     "lua: count('events', 'person_greeted') >= 2 and faults == 0"
---
--- In SQL :run is the run's number.  In Lua there are: `run` (its row of run_summary), `faults` (their
--- number), `duration`, `outcome`, count(table, name) (rows of the run with `name` in their column name or
--- state), value(sql) and rows(sql) with :run.
local criterion = {}

local Criterion = {}
Criterion.__index = Criterion

--- The environment of criteria.
local plain = { math = math, string = string, tostring = tostring, tonumber = tonumber, ipairs = ipairs,
  pairs = pairs, select = select, table = table, type = type }

--- The tables that count() accepts, and the column with the name.
local counted = { events = "name", states = "state", activations = "name", faults = "source",
  operator = "command",
  notes = "text",  inputs = "name", sources = "name", scene_objects = "name", actions = "name" }

--- Parse a criterion; nil and a sentence on errors.
function criterion.read(text)
  local lua = text:match "^%s*lua:%s*(.+)$"
  if lua then
    local chunk, why = load("return " .. lua, "=criterion", "t")
    if not chunk then return nil, (why:gsub("^criterion:%d+: ", "the criterion: ")) end
    return setmetatable({ text = text, lua = lua }, Criterion)
  elseif not text:match "%S" then
    return nil, "the criterion is empty: SQL, or lua: and an expression, is expected"
  end
  local sql = text:match "^%s*[Ss][Ee][Ll][Ee][Cc][Tt]%f[%W]" or text:match "^%s*[Ww][Ii][Tt][Hh]%f[%W]"
  return setmetatable({ text = text, sql = sql and text or ("SELECT (%s)"):format(text) }, Criterion)
end

--- Run a SQL query with the run's number bound, if the text names it.
local function ask(db, run, sql)
  if sql:find ":run%f[%W]" then return db:query(sql, { run = run }) end
  return db:query(sql)
end

--- The first column of the first row, by the columns' order.
local function first_value(rows, names)
  return rows[1] and rows[1][names[1]]
end

local function environment(db, run, row)
  local env = { run = row, faults = row.faults, duration = row.duration, outcome = row.outcome }
  setmetatable(env, { __index = plain })
  function env.rows(sql)
    local rows, why = ask(db, run, sql)
    return rows or error(why, 0)
  end
  function env.value(sql)
    local rows, names = ask(db, run, sql)
    if not rows then error(names, 0) end
    return first_value(rows, names)
  end
  function env.count(name, of)
    local column = counted[name]
    if not column then error(("count knows no table '%s'"):format(tostring(name)), 0) end
    local rows, why = db:query(("SELECT count(*) AS n FROM %s WHERE run = ?1 AND (?2 IS NULL OR \z
      %s = ?2)"):format(name, column), run, of or require("brio.store").null)
    return rows and rows[1].n or error(why, 0)
  end
  return env
end

--- Whether a run in a store meets the criterion, and its value; nil and a sentence if it cannot be evaluated.
function Criterion:holds(db, run)
  local value
  if self.lua then
    local rows, why = db:query("SELECT * FROM run_summary WHERE run = ?", run)
    if not rows then return nil, why end
    if not rows[1] then return nil, ("there is no run %d"):format(run) end
    local chunk = load("return " .. self.lua, "=criterion", "t", environment(db, run, rows[1]))
    local good
    good, value = pcall(chunk)
    if not good then return nil, (tostring(value):gsub("^criterion:%d+: ", "the criterion: ")) end
  else
    local rows, names = ask(db, run, self.sql)
    if not rows then return nil, "the criterion: " .. names end
    value = first_value(rows, names)
  end
  return value ~= nil and value ~= false and value ~= 0 and value ~= "", value
end

return criterion
