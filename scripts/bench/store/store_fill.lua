--- Makes a large store out of a small one:
---     build/brio lua scripts/bench/store/store_fill.lua FROM TO RUNS
--- The runs of FROM are copied to TO repeatedly, with other numbers, days, seeds, participants and, for one
--- in five, another outcome; everything else is unchanged.  Samples and solver results are omitted in all but
--- the first copy of each; their summaries by DOF and second are in all.
local luv = require "luv"
local store = require "brio.store"

local from, to, wanted = arg[1], arg[2], math.tointeger(tonumber(arg[3]))

--- Tables of packed bytes, and those that only replays need.
local thin = { sample_blocks = true, sample_ticks = true, sample_tails = true, solve_blocks = true,
  sample_chunks = true, sample_values = true, solve_rows = true, tapes = true, snapshots = true }

os.remove(to)
assert(luv.fs_copyfile(from, to))
local db = assert(store.change(to))

local function ask(sql) return assert(db:query(sql)) end
local function run(sql) for _ in assert(db:rows(sql)) do end end

local templates = ask("SELECT max(id) AS n FROM runs")[1].n

--- The columns of a table, each as an expression for its value in run k's copy.
local function copied(name, changes)
  local columns, values = {}, {}
  for _, row in ipairs(ask(("SELECT name FROM pragma_table_info('%s')"):format(name))) do
    columns[#columns + 1] = ('"%s"'):format(row.name)
    values[#values + 1] = changes[row.name] or columns[#columns]
  end
  return ('INSERT INTO "%s"(%s) SELECT %s FROM "%s" '):format(name, table.concat(columns, ", "),
    table.concat(values, ", "), name)
end

--- Changes in tables that are not plain rows of a run; {copy} is the copy's number, {run} the number of its
--- first run minus one.
local special = {
  runs = { id = "id + {run}", started_at = "strftime('%Y-%m-%dT%H:%M:%fZ', started_at, '-{hours} hours')",
    uuid = "uuid || '-{copy}'", seed = "{copy}", commands_hash = "commands_hash || '-{copy}'",
    outcome = "CASE (id + {copy}) % 10 WHEN 0 THEN 'failed' WHEN 1 THEN NULL ELSE outcome END" },
  annotations = { id = "NULL", run = "run + {run}" },
  participants = { code = "code || 'x{copy}'" },
  sessions = { id = "id + {copy} * 100", participant = "participant || 'x{copy}'" },
  session_runs = { run = "run + {run}", session = "session + {copy} * 100" },
  session_steps = { run = "run + {run}", session = "session + {copy} * 100" },
  sittings = { id = "id + {copy} * 100", run = "run + {run}", participant = "participant || 'x{copy}'" },
  responses = { sitting = "sitting + {copy} * 100" },
}

--- The column by which the first rows of a table are selected.
local of = { runs = "id", session_runs = "run", session_steps = "run", annotations = "run", sessions = "id",
  sittings = "id", responses = "sitting" }

--- The statements that copy all templates once.
local function statements()
  local list = {}
  local order = { "participants", "runs", "sessions", "sittings", "responses", "session_runs",
    "session_steps", "annotations" }
  for _, name in ipairs(order) do
    local apart = name == "sessions" or name == "sittings" or name == "responses"
    local limit = name == "participants" and "WHERE code NOT LIKE '%x%'"
      or ("WHERE %s <= %d"):format(of[name], apart and 100 or templates)
    list[#list + 1] = copied(name, special[name]) .. limit
  end
  for _, row in ipairs(ask
    [[SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'run'
    WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.name]]) do
    local name = row.name
    if not special[name] and not thin[name] and not name:find "^repeat" then
      list[#list + 1] = copied(name, { run = "run + {run}" }) .. ("WHERE run <= %d"):format(templates)
    end
  end
  return list
end

run "PRAGMA synchronous = OFF"
run "PRAGMA cache_size = -200000"
local list = statements()
run "BEGIN"
for copy = 1, (wanted - 1) // templates do
  local values = { copy = copy, run = copy * templates, hours = 7 * copy }
  for _, sql in ipairs(list) do run((sql:gsub("{(%l+)}", values))) end
end
run(("DELETE FROM runs WHERE id > %d"):format(wanted))

-- every hundred runs the behaviors' files get new versions, each replacing the one before; failed runs get a
-- reason
run [[INSERT INTO versions(hash, name, parent, source, bytes) SELECT substr(v.hash, 1, 56)
    || printf('%08x', k.value), v.name,
  CASE k.value WHEN 1 THEN v.hash ELSE substr(v.hash, 1, 56) || printf('%08x', k.value - 1) END,
  v.source || '-- version ' || k.value || char(10), v.bytes + 14
  FROM versions v JOIN (
    WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 20)
    SELECT value FROM n) k WHERE v.name IN (SELECT behavior FROM runs)]]
run [[UPDATE run_versions SET hash = substr(hash, 1, 56) || printf('%08x', run / 100)
  WHERE run >= 100 AND name IN (SELECT behavior FROM runs)]]
run [[INSERT INTO faults(run, id, tick, t, severity, source, message, version) SELECT r.id, n.column1,
  n.column1 * 1000, n.column1 * 5.0, 'error', 'behavior', r.behavior || ':' || n.column1
    || ': it fell for reason ' || n.column1, u.hash
  FROM runs r JOIN run_versions u ON u.run = r.id AND u.name = r.behavior JOIN (VALUES(1), (2), (3)) n
  WHERE r.outcome = 'failed']]
run "COMMIT"
run "PRAGMA wal_checkpoint(TRUNCATE)"
print(ask("SELECT count(*) AS n FROM runs")[1].n .. " runs")
db:close()
