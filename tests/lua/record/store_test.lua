--- brio.store and brio.history: recording, SQL queries, exact JSON, and a run's story.
require "brio"
local columns, history, store = require "brio.lib.columns", require "brio.history", require "brio.store"

--- A store with one short run of two DOFs; returns it open for reading, and the version's hash.
local function recorded(t)
  local path = t:temporary ".db"
  local writer = assert(store.record(path))
  t:equal(writer:begin { behavior = "behaviors/kiosk.lua", robot = "toy", seed = 2 ^ 53 | 0 }, 1)
  t:equal(writer:dofs({ "HeadYaw", "Ear" }, { "rad", "1" }), true)
  local hash = assert(writer:version("behaviors/kiosk.lua", "return {}"))
  local place = { machine = "kiosk", version = hash }
  local function enter(row)
    for key, value in next, place do row[key] = value end
    t:equal(writer:put("states", row), true)
  end
  enter { id = 1, state = "idle", cause = "start", entered = 0 }
  for tick = 0, 24 do writer:sample(tick, tick / 200, { tick / 10, 0 / 0 }, { 1, 0 / 0 }, { -tick, 0.5 }) end
  for tick = 1, 3 do writer:put("events", { tick = tick, t = tick / 200, name = "ping" }) end
  writer:put("state_end", { id = 1, left_at = 0.1 })
  enter {
    id = 2, state = "greet", previous = "idle", cause = "event", detail = "person_appeared (ann)",
    entered = 0.1,
  }
  t:equal(writer:finish { duration = 0.125, ticks = 25, outcome = "finished" }, true)
  t:equal(writer:close(), true)
  return assert(store.open(path)), hash, path
end

test("what is put is what is read", function(t)
  local db, hash = recorded(t)
  local rows, names = db:query("SELECT seed, outcome, lost_rows, reason FROM runs")
  t:equal(table.concat(names, " "), "seed outcome lost_rows reason")
  t:equal(rows[1], { seed = 9007199254740992, outcome = "finished", lost_rows = 0 })
  t:equal(math.type(rows[1].seed), "integer")
  t:equal(db:query("SELECT hash FROM versions")[1].hash, hash)
  t:equal(hash, store.hash "return {}")
  t:equal(db:query("SELECT tick, goal, command, measured FROM samples WHERE name = :name AND tick = :tick",
    { name = "HeadYaw", tick = 13 }), { { tick = 13, goal = 1.3, command = 1.0, measured = -13.0 } })
  t:equal(db:query("SELECT count(*) AS n, count(goal) AS goals FROM samples WHERE name = ?", "Ear"),
    { { n = 25, goals = 0 } })
  db:close()
end)

test("wrong use raises, the world's failures are sentences", function(t)
  local db = recorded(t)
  local rows, why, code = db:query "SELEC 1"
  t:ok(rows == nil and code == "format" and why:find("syntax error", 1, true), why)
  rows, why = db:query "DELETE FROM runs"
  t:ok(rows == nil and why:find("reading only", 1, true), why)
  rows, why = db:query "SELECT 1; SELECT 2"
  t:ok(rows == nil and why:find("one statement", 1, true), why)
  t:ok(not pcall(db.query, db, "SELECT 1", 5), "a parameter that the SQL does not have")
  local next_row = db:rows "SELECT 1"
  db:close()
  t:ok(not pcall(next_row) and not pcall(db.query, db, "SELECT 1"), "a closed database")
  db:close()
  db, why, code = store.open(t:temporary ".db")
  t:ok(db == nil and code == "no_file", why)
end)

test("a writer names tables and columns that do not exist", function(t)
  local writer = assert(store.record(t:temporary ".db"))
  local _, why = pcall(writer.put, writer, "event", {})
  t:ok(why:find("did you mean 'events'", 1, true), why)
  _, why = pcall(writer.put, writer, "events", { nam = "x" })
  t:ok(why:find("no column 'nam'", 1, true), why)
  t:equal(writer:put("notes", { t = 0, text = "before the run" }), false)
  t:equal(writer:lost(), 1)
  t:ok(not pcall(store.record, t:temporary ".db", { wiat = true }), "an option that does not exist")
  local good, lost = writer:close()
  t:ok(good == nil and lost:find("1 rows were lost", 1, true), lost)
end)

test("JSON is exact", function(t)
  t:equal(store.json { b = 0.1 + 0.2, a = math.mininteger, c = {}, d = store.array {}, e = 1.0, f = "é\"\n" },
    '{"a":-9223372036854775808,"b":0.30000000000000004,"c":{},"d":[],"e":1.0,"f":"é\\"\\n"}')
  t:equal(store.json { 1, { 2, true }, store.null, 1e300, 0 / 0 }, "[1,[2,true],null,1e+300,null]")
  t:equal(store.json(nil), "null")
  local cycle = {}
  cycle.cycle = cycle
  for i, wrong in ipairs { cycle, { print }, { 1, nil, 3 }, { 1, x = 2 }, { [true] = 1 } } do
    t:ok(not pcall(store.json, wrong), "JSON of what it cannot say, case " .. i)
  end
end)

test("what a state does as it is entered is told after it, what it was entered for before", function(t)
  local path = t:temporary ".db"
  local writer = assert(store.record(path))
  assert(writer:begin { behavior = "b.lua" })
  for index, row in ipairs { { "knock", "behavior" }, { "greeted", "behavior" }, { "touched", "world" },
    { "later", "behavior" } } do
    writer:put("events", { tick = 20, t = index == 4 and 0.2 or 0.1, name = row[1], source = row[2] })
  end
  writer:put("states", { id = 1, machine = "m", state = "open", previous = "shut", cause = "event",
    detail = "knock (ann)", entered = 0.1 })
  assert(writer:finish { duration = 0.3, outcome = "finished" })
  assert(writer:close())
  local db, lines = assert(store.open(path)), {}
  for _, item in ipairs(assert(history.story(db, 1))) do lines[#lines + 1] = item.sentence end
  db:close()
  t:equal(lines, { "event knock", "event touched", "m: shut -> open, because knock (ann)", "event greeted",
    "event later" })
end)

test("a run is told as a story", function(t)
  local db = recorded(t)
  local lines = {}
  for _, item in ipairs(assert(history.story(db, 1))) do lines[#lines + 1] = history.line(item) end
  t:equal(lines, {
    "    0.00 s  loads behaviors/kiosk.lua, version " .. store.hash("return {}"):sub(1, 8),
    "    0.00 s  kiosk: starts in idle",
    "    0.01 s  event ping (3 times, until 0.01 s)",
    "    0.10 s  kiosk: idle -> greet, because person_appeared (ann)",
  })
  t:equal(history.summary(assert(history.run(db, "last"))),
    "run 1: kiosk on toy, seed 9007199254740992, 0.12 s, 25 ticks, finished, no faults")
  local run, why = history.run(db, 9)
  t:ok(run == nil and why == "there is no run 9", why)
  db:close()
end)

test("rows line up", function(t)
  t:equal(columns.text({ "name", "n" }, { { name = "ü", n = 1 }, { n = 10.5, name = "a\nb" } }),
    "name  n\n----  ----\nü        1\na\\nb  10.5")
end)
