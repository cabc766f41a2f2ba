--- `brio sync` with a real PostgreSQL: all rows, each once, after kills at random moments as well.  What
--- needs the server (15 s of processor time) runs under `make soak`, with a hundred kills, or with
--- BRIO_POSTGRES=1, with two; it is skipped where there is no PostgreSQL.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local postgres = require "postgres"
local uv = require "luv"
local test, brio, files = harness.test, harness.brio, harness.files

local folder = files.temporary()
local absent = harness.scale == 1 and not os.getenv "BRIO_POSTGRES"
  and "a server is started under make soak, or with BRIO_POSTGRES=1" or postgres.absent()
local server, failure
if not absent then server, failure = postgres.start() end
absent = absent or failure

local function record(store, seconds, seed)
  return brio("run", "behaviors/kiosk.lua", "--clock", "fast", "--for", tostring(seconds), "--seed",
    tostring(seed or 1), "--store", store)
end

local function sync(store, ...) return brio("sync", server.url, "--store", store, ...) end

local function name_of(store) return (harness.sql(store, "SELECT uuid FROM identity")) end

--- The tables that a store has, with the columns that PostgreSQL has too: name, columns, types.
local function tables_of(store)
  local list = {}
  local rows = harness.sql(store, [[SELECT t.name, group_concat(c.name), group_concat(c.type)
    FROM pragma_table_list t, pragma_table_info(t.name) c WHERE t.schema = 'main' AND t.type = 'table'
    AND t.name NOT LIKE 'sqlite%' AND NOT (t.name = 'sample_blocks' AND c.name = 'id') GROUP BY t.name]])
  for name, columns, types in rows:gmatch "([^|\n]+)|([^|\n]+)|([^|\n]+)" do
    list[#list + 1] = { name = name, columns = columns, types = types }
  end
  return list
end

--- A digest of a table's rows in a store and there, each row as a text with its bytes in hex and its numbers
--- rounded alike, in the order of these texts.
local function digests(store, one)
  local here, there = {}, {}
  local types = {}
  for kind in one.types:gmatch "[^,]+" do types[#types + 1] = kind end
  for column in one.columns:gmatch "[^,]+" do
    local kind = table.remove(types, 1)
    local quoted = '"' .. column .. '"'
    if kind == "BLOB" then
      here[#here + 1] = ("coalesce(lower(hex(%s)), '-')"):format(quoted)
      there[#there + 1] = ("coalesce(encode(%s, 'hex'), '-')"):format(quoted)
    elseif kind == "REAL" then
      -- the whole part of it times 2^20: both print floats with few digits, each in its way
      here[#here + 1] = ("coalesce(CAST(%s * 1048576 AS INTEGER), '-')"):format(quoted)
      there[#there + 1] = ("coalesce(trunc(%s * 1048576)::bigint::text, '-')"):format(quoted)
    else
      here[#here + 1] = ("coalesce(CAST(%s AS TEXT), '-')"):format(quoted)
      there[#there + 1] = ("coalesce(%s::text, '-')"):format(quoted)
    end
  end
  local sql = "SELECT %s FROM %s\"%s\"%s"
  return sql:format(table.concat(here, "||'|'||"), "", one.name, ""),
    sql:format(table.concat(there, "||'|'||"), "brio.", one.name,
      (" WHERE store = '%s'"):format(name_of(store)))
end

local function sorted(text)
  local lines = {}
  for line in (text or ""):gmatch "[^\n]+" do lines[#lines + 1] = line end
  table.sort(lines)
  return table.concat(lines, "\n")
end

--- Compare a store with what the database has of it, table by table.
local function check_equal(t, store)
  local queries, here, names = {}, {}, {}
  for index, one in ipairs(tables_of(store)) do
    local own, other = digests(store, one)
    queries[index], names[index] = other .. ";\nSELECT '=== end';", one.name
    here[index] = sorted(harness.sql(store, own))
  end
  local text, index = server:ask(table.concat(queries, "\n")) .. "\n", 0
  for part in text:gmatch "(.-)=== end\n" do
    index = index + 1
    if sorted(part) ~= here[index] then
      t:fail("%s is\n%s\nthere, and here\n%s", names[index], sorted(part):sub(1, 600),
        here[index]:sub(1, 600))
    end
  end
  t:equal(index, #names, "tables")
  t:check(index > 60, "%d tables", index)
end

local store = folder .. "/robot.db"

test("a store is there whole, and the second time nothing is sent", function(t)
  if absent then t:skip(absent) end
  t:code(record(store, 2), 0)
  harness.sql(store, "INSERT INTO notes(run, id, t, text) SELECT 1, 77, 1.5, 'tab' || char(9) || ' line' || \z
    char(10) || ' \\ \\. \\N é'")
  local run = sync(store)
  t:code(run, 0)
  t:has(run.out, name_of(store) .. "): 1 run,")
  check_equal(t, store)
  t:has(sync(store).out, "0 runs, 0 rows sent")
  t:code(record(store, 1, 2), 0)
  t:has(sync(store).out, ": 1 run,")
  check_equal(t, store)
  local asked = brio("sql", "--on", server.url, "--csv",
    "SELECT behavior, count(*) AS n FROM runs GROUP BY 1;")
  t:equal(asked.out, "behavior,n\nbehaviors/kiosk.lua,2\n", "brio sql --on --csv")
  asked = brio("sql", "--on", server.url, "--json", "--rows", "1", "SELECT id FROM runs ORDER BY id")
  t:equal(asked.out, '[{"id":1}]\n', "brio sql --on --json")
  asked = brio("sql", "--on", server.url, "DELETE FROM runs")
  t:code(asked, 1)
  t:has(asked.err, "cannot execute DELETE in a read-only transaction")
  t:equal(server:ask "SELECT count(*) FROM pg_attribute WHERE attrelid = 'brio.sample_blocks'::regclass AND \z
    attname = 'bytes' AND attstorage = 'e'", "1", "columns of packed bytes that are not packed again")
end)

test("killed at random it has no row twice and no half run, and goes on", function(t)
  if absent then t:skip(absent) end
  local robot, first = folder .. "/killed.db", folder .. "/first.db"
  record(first, 0.1)
  t:code(sync(first), 0) -- the schema is there
  for seed = 1, 2 do record(robot, 1, seed) end
  math.randomseed(1)
  for _ = 1, 2 * harness.scale do
    local process = harness.start_brio("sync", server.url, "--store", robot)
    uv.sleep(math.random(0, 400))
    harness.signal(process, "KILL")
    harness.wait(process)
    local name = name_of(robot)
    t:equal(server:ask(([[SELECT count(*) FROM brio.replicated r WHERE store = '%s' AND kind = 'sample_blocks' AND rows <>
      (SELECT count(*) FROM brio.sample_blocks b WHERE b.store = r.store AND b.run = r.unit)]]):format(name)), "0",
      "runs with other rows than noted")
  end
  t:code(sync(robot), 0)
  check_equal(t, robot)
end)

test("a run that goes on comes piece by piece, and whole when it is over", function(t)
  if absent then t:skip(absent) end
  local robot = folder .. "/live.db"
  local run_on = { socket = folder .. "/live.sock" }
  run_on.process = harness.start_brio("run", "behaviors/kiosk.lua", "--for", "600", "--store", robot,
    "--socket",
    run_on.socket)
  harness.listening(run_on)
  harness.await_row(robot, "SELECT 1 FROM events")
  local run = sync(robot)
  t:code(run, 0)
  t:has(run.out, "still being recorded")
  harness.ended(run_on)
  t:code(sync(robot), 0)
  check_equal(t, robot)
  -- a run that was taken as dead, and lives
  harness.sql(robot, "UPDATE runs SET outcome = NULL, ended_at = NULL, alive_at = '2026-01-01T00:00:00.000Z'")
  t:code(sync(robot), 0)
  harness.sql(robot, "UPDATE runs SET alive_at = '2026-01-01T00:00:01.000Z'; INSERT INTO notes(run, id, t, \z
    text) SELECT 1, 99, 2, 'later'")
  t:code(sync(robot), 0)
  check_equal(t, robot)
end)

test("copies that went on apart are told apart, merged runs do not come twice, removed ones go if asked",
function(t)
  if absent then t:skip(absent) end
  local copy, merged = folder .. "/copy.db", folder .. "/merged.db"
  t:code(brio("backup", copy, "--store", store), 0)
  record(copy, 0.2, 5)
  record(store, 0.2, 6)
  t:code(sync(store), 0)
  local run = sync(copy)
  t:code(run, 1)
  t:has(run.err, "run 3 is another run there")
  t:code(brio("merge", merged, copy), 0)
  run = sync(merged)
  t:code(run, 0)
  t:has(run.out, ": 1 run,")
  t:has(run.out, "2 there already from another store")
  t:equal(server:ask "SELECT count(*) - count(DISTINCT uuid) FROM brio.runs", "0", "runs twice")
  brio("prune", "--runs", "3", "--yes", "--store", store)
  t:code(sync(store), 0)
  local count = ("SELECT count(*) FROM brio.runs WHERE store = '%s'"):format(name_of(store))
  t:equal(server:ask(count), "3", "runs")
  t:has(sync(store, "--mirror").out, "1 removed there")
  t:equal(server:ask(count), "2", "runs after --mirror")
end)

test("a URL that names no database is refused in words", function(t)
  for url, piece in next, { ["mysql://x"] = "postgres://USER@HOST:PORT/DATABASE was expected",
      ["postgres://u@h:x/d"] = "HOST:PORT was expected",
        ["postgres://u@h/d?tls=1"] = "no parameter 'tls'" } do
    local run = brio("sync", url, "--store", folder .. "/none.db")
    t:code(run, 2)
    t:has(run.err, piece)
  end
end)

test("a database that is not there, or no store, is said in words", function(t)
  if absent then t:skip(absent) end
  for _, row in ipairs {
    { { (server.url:gsub("/brio%?", "/nothing?")) }, 1, 'database "nothing" does not exist' },
    { { "postgres://postgres@/brio?host=" .. folder }, 1, "No such file or directory" },
    { { server.url, "--store", folder .. "/none.db" }, 1, "none.db" },
  } do
    local words = row[1]
    if #words == 1 then words[2], words[3] = "--store", store end
    local run = brio("sync", table.unpack(words))
    t:code(run, row[2])
    t:has(run.err, row[3])
  end
end)

if server then server:stop() end
files.remove(folder)
harness.done()
