--- What is said and watched while a run goes on: as rows, never more than a disk can take.
local journal = require "brio.journal"

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
  local said = run:sql "SELECT t, severity, source, text, version = (SELECT hash FROM run_versions LIMIT 1) AS known FROM logs"
  t:equal(said, { { t = said[1].t, severity = "info", source = "watcher", text = "begins with 7", known = 1 } })
  t:equal(run:sql "SELECT name, unit, round(started, 3) AS started, value FROM watches WHERE name = 'half' ORDER BY started", {
    { name = "half", unit = "s", started = said[1].t, value = 0.0 }, { name = "half", unit = "s", started = 0.5, value = 0.5 } })
  t:equal(run:sql "SELECT round(started, 2) AS started, value FROM watches WHERE name = 'late' ORDER BY started", {
    { started = said[1].t, value = 0 }, { started = 0.5, value = 1 } })
  t:equal(run:sql "SELECT value FROM watches WHERE name = 'mood' AND value IS NOT NULL", { { value = "calm" } })
  t:equal(run:sql("SELECT count(*) AS n FROM watched_values")[1].n, 6)
  t:equal(run:sql("SELECT length(uuid) AS n FROM runs")[1].n, 32)
end)

test("a flood of lines is cut, and what is missing is counted", function(t)
  local made, rows = written()
  for tick = 0, 1999 do made:log(tick / 200, "info", "x", ("line %d"):format(tick), "v") end
  made:close(10)
  local missing = 0
  for _, row in ipairs(rows.logs) do missing = missing + (tonumber(row.text:match "^(%d+) lines are missing") or 0) end
  local kept = 0
  for _, row in ipairs(rows.logs) do kept = kept + (row.source == "x" and 1 or 0) end
  t:equal(kept + missing, 2000)
  t:ok(kept >= 100 and kept <= 100 + 10 * 20 + 1, "%d lines kept", kept)
  made, rows = written()
  made:log(0, "info", "x", ("ä"):rep(4000))
  t:ok(#rows.logs[1].text < 4010 and utf8.len(rows.logs[1].text), "a long line of %d bytes", #rows.logs[1].text)
end)

test("a variable that changes in every tick is kept twenty times a second, and its last value always", function(t)
  local made, rows = written()
  for tick = 1, 2000 do
    made:watch(tick / 200, "x", tick < 1995 and tick or 1995)
    made:work(tick / 200)
  end
  made:close(10)
  t:ok(#rows.watched_values >= 200 and #rows.watched_values <= 50 + 200 + 2, "%d values kept", #rows.watched_values)
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
