--- The journal of speech and observations during a run: rows, limited to the rate of a disk.
local journal = require "brio.record.journal"

--- A journal that writes into a list, and the list by table.
local function written()
  local rows = { logs = {}, watched = {}, watched_values = {} }
  return journal.new(function(name, row) table.insert(rows[name], row) end), rows
end

local source = [[
local brio = require "brio"
local made = brio.behavior "watcher" { robot = "pepper", start = "on" }
made.on = {
  enter = function(self) self:log("begins with %d", 7) end,
  tick = function(self)
    self:watch("half", math.floor(self.now * 2) / 2, "s")
    self:watch("late", self.now >= 0.5)
    self:watch("mood", self.now < 0.3 and "calm" or nil)
  end,
}
return made
]]

test("what a behavior says and watches is kept with time, unit and version", function(t)
  local run = t:run("", { source = source, recorded = true })
  run:advance(0.9)
  run:finish()
  local said = run:sql "SELECT t, severity, source, text, version = (SELECT hash FROM run_versions LIMIT 1) \z
    AS known FROM logs"
  t:equal(said, { { t = said[1].t, severity = "info", source = "watcher", text = "begins with 7",
    known = 1 } })
  t:equal(run:sql "SELECT name, unit, round(started, 3) AS started, value FROM watches WHERE name = 'half' \z
    ORDER BY started", {
    { name = "half", unit = "s", started = said[1].t, value = 0.0 },
      { name = "half", unit = "s", started = 0.5, value = 0.5 } })
  t:equal(run:sql "SELECT round(started, 2) AS started, value FROM watches WHERE name = 'late' ORDER BY \z
    started", {
    { started = said[1].t, value = 0 }, { started = 0.5, value = 1 } })
  t:equal(run:sql "SELECT value FROM watches WHERE name = 'mood' AND value IS NOT NULL",
    { { value = "calm" } })
  t:equal(run:sql("SELECT count(*) AS n FROM watched_values")[1].n, 6)
  t:equal(run:sql("SELECT length(uuid) AS n FROM runs")[1].n, 32)
end)

test("a flood of lines is cut, and what is missing is counted", function(t)
  local made, rows = written()
  for tick = 0, 1999 do made:log(tick / 200, "info", "x", ("line %d"):format(tick), "v") end
  made:close(10)
  local missing = 0
  for _, row in ipairs(rows.logs) do
    missing = missing + (tonumber(row.text:match "^(%d+) lines are missing") or 0)
  end
  local kept = 0
  for _, row in ipairs(rows.logs) do kept = kept + (row.source == "x" and 1 or 0) end
  t:equal(kept + missing, 2000)
  t:ok(kept >= 100 and kept <= 100 + 10 * 20 + 1, "%d lines kept", kept)
  made, rows = written()
  made:log(0, "info", "x", ("ä"):rep(4000))
  t:ok(#rows.logs[1].text < 4010 and utf8.len(rows.logs[1].text), "a long line of %d bytes",
    #rows.logs[1].text)
end)

test("a variable that changes in every tick is kept twenty times a second, and its last value always",
  function(t)
  local made, rows = written()
  for tick = 1, 2000 do
    made:watch(tick / 200, "x", tick < 1995 and tick or 1995)
    made:work(tick / 200)
  end
  made:close(10)
  t:ok(#rows.watched_values >= 200 and #rows.watched_values <= 50 + 200 + 2, "%d values kept",
    #rows.watched_values)
  local last = rows.watched_values[#rows.watched_values]
  t:equal(last.value, 1995)
  t:near(last.t, 1995 / 200, 1e-9)
  for index = 2, #rows.watched_values do
    t:ok(rows.watched_values[index].t > rows.watched_values[index - 1].t, "values are in order")
  end
end)

test("what cannot be kept is refused, and there is an end to variables", function(t)
  local made, rows = written()
  t:raises(function() made:watch(0, "x", {}) end, "expects a number, a text, true, false or nil, not a table")
  made:watch(0, "nan", 0 / 0)
  t:equal(rows.watched_values[1], { variable = 1, t = 0 })
  for index = 1, 300 do made:watch(0, "v" .. index, index) end
  t:equal(#rows.watched, 256)
  t:match(select(2, made:watch(0, "one more", 1)), "256 variables are watched already")
  made:watch(0, "v1", ("é"):rep(1000))
  t:ok(#rows.watched_values[#rows.watched_values].value <= 404, "a long text")
end)

test("what was begun and ended is found in one place, whoever did it", function(t)
  local store = require "brio.store"
  local path = t:temporary ".db"
  local writer = assert(store.record(path))
  writer:begin { robot = "pepper" }
  writer:put("activations", { id = 1, behavior = "kiosk", started = 0 })
  writer:put("activation_end", { id = 1, ended = 9, result = "done", reason = "time" })
  writer:put("tree_shapes", { id = 1, nodes = '[["sequence","all",0,1],["action","turn",1,2]]' })
  writer:put("trees", { id = 1, shape = 1, started = 1 })
  for id, row in ipairs { { t = 1.0, changed = "[1,5]" }, { t = 2.0, changed = "[3,7]" } } do
    writer:put("tree_records", { id = id, tree = 1, shape = 1, t = row.t, changed = row.changed })
  end
  writer:put("tree_words", { tree = 1, node = 2, record = 2, why = "it is stuck" })
  for id, row in ipairs { { "nod", "sequence", "script", "over" },
      { "blink", "sequence", "autonomy", "stopped" }, { "hand", "live", "operator" } } do
    writer:put("sources", { id = id, name = row[1], kind = row[2], stage = "x", priority = 0, owner = row[3],
      started = 3 })
    if row[4] then writer:put("source_end", { id = id, ended = 4, reason = row[4] }) end
  end
  writer:put("events", { t = 5, name = "speaking", source = "speech", data = '{"number":1,"text":"Hello."}' })
  writer:put("events", { t = 6, name = "said", source = "speech", data = '{"number":1,"why":"hushed"}' })
  writer:put("events", { t = 7, name = "gaze", source = "gaze", data = '{"target":"ann","why":"is new"}' })
  writer:put("operators", { id = 1, who = "bea", role = "wizard", device = "prompt", attached = 0 })
  writer:put("actions", { id = 1, operator = 1, who = "bea", role = "wizard", device = "prompt",
    name = "play", t_dispatch = 8 })
  writer:put("action_end", { id = 1, t_done = 8.5, outcome = "interrupted", reason = "another came" })
  writer:finish { duration = 10 }
  writer:close()
  local db = assert(store.open(path))
  local list = {}
  for index, row in ipairs(db:query "SELECT * FROM all_actions ORDER BY started, kind, name") do
    list[index] = ("%s %s %s %s-%s %s %s"):format(row.kind, row.name, row.whose, row.started, row.ended,
      row.result, row.reason)
  end
  db:close()
  t:equal(list, { "behavior kiosk script 0.0-9.0 done time", "node all script 1.0-2.0 failure nil",
    "node turn script 1.0-2.0 failure it is stuck",
    "live hand operator 3.0-nil nil nil", "sequence blink autonomy 3.0-4.0 stopped stopped",
      "sequence nod script 3.0-4.0 done over",
    "speech Hello. script 5.0-6.0 stopped hushed", "gaze ann autonomy 7.0-10.0 done is new",
      "operator play operator 8.0-8.5 interrupted another came" })
end)

test("what a person asks to see is kept, and what a person changes is no view", function(t)
  local operators = require "brio.operator.desk.operators"
  local run = t:run("none", { source = source, recorded = true,
    operators = assert(operators.read("", "said")) })
  run:advance(0.1)
  for _, line in ipairs { "status", "states", "note hello" } do
    run.run.prompt:perform { kind = "say", text = line, who = "ann", role = "wizard", device = "prompt",
      received = 0 }
    run:advance(0.01)
  end
  run:finish()
  local views = run:sql "SELECT who, what, json_extract(shown, '$.shown') <> '' AS shown FROM view_states \z
    ORDER BY id"
  t:equal(views, { { who = "ann", what = "status", shown = 1 }, { who = "ann", what = "states", shown = 1 } })
end)
