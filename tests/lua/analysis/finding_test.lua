--- Analysis of runs: intervals, sets of runs, criteria, search for words, moments, families of versions.
require "brio"
local bisect = require "brio.analysis.bisect"
local chart_text = require "brio.draw.chart_text"
local compare = require "brio.analysis.compare"
local criterion = require "brio.analysis.criterion"
local history = require "brio.history"
local intervals = require "brio.lib.intervals"
local lineage = require "brio.analysis.lineage"
local moment = require "brio.analysis.moment"
local moment_words = require "brio.analysis.moment_text"
local sets = require "brio.analysis.run_sets"
local store = require "brio.store"
local verdict = require "brio.analysis.verdict"
local words = require "brio.analysis.search"

-- Intervals -------------------------------------------------------------------------------------------------

test("intervals are those of R and of Newcombe's paper", function(t)
  -- Newcombe 1998, table II, method 10: 56/70 and 48/80
  local difference, low, high = intervals.share_difference(48, 80, 56, 70)
  t:near({ difference, low, high }, { 0.2, 0.0524, 0.3339 }, 5e-5)
  difference, low, high = intervals.share_difference(0, 10, 0, 10)
  t:near({ difference, low, high }, { 0, -0.2775, 0.2775 }, 5e-5)
  -- R 4.2: wilcox.test(b, a, conf.int = TRUE)
  local function shift(a, b, expected)
    t:near({ intervals.shift(a, b) }, expected, 1e-12)
  end
  shift({ 1, 2, 3, 4.1 }, { 4, 5, 6, 7.5 }, { 3, -0.1, 6.5 })
  shift({ 1.2, 3.4, 2.2, 5.9, 4.4, 3.3, 2.8 }, { 4.1, 6.2, 3.9, 7.7, 5.1, 8.3 }, { 2.55, 0.5, 5.0 })
  t:equal({ intervals.shift({ 1, 2, 3 }, { 4, 5, 6 }) }, { 3.0 }, "three of each are too few")
  t:equal(intervals.shift({}, { 1 }), nil)
  t:equal({ intervals.median { 1, 2, 3, 4, 5, 6 } }, { 3.5, 1, 6 }, "the least that six values can say")
  t:equal({ intervals.median { 3, 1, 2 } }, { 2.0 })
  t:equal(intervals.share_difference(0, 0, 1, 2), nil)
end)

test("intervals cover what is true about as often as they say", function(t)
  local stream = require("brio.random").stream(5, "coverage")
  local covered, rounds = { 0, 0, 0 }, 400
  for _ = 1, rounds do
    local a, b, hits_a, hits_b = {}, {}, 0, 0
    for k = 1, 12 do
      a[k], b[k] = stream:uniform(0, 1) ^ 2, stream:uniform(0, 1) ^ 2 + 0.5
      hits_a, hits_b = hits_a + (stream:uniform(0, 1) < 0.7 and 1 or 0),
        hits_b + (stream:uniform(0, 1) < 0.4 and 1 or 0)
    end
    local _, low, high = intervals.shift(a, b)
    covered[1] = covered[1] + (low <= 0.5 and high >= 0.5 and 1 or 0)
    _, low, high = intervals.share_difference(hits_a, 12, hits_b, 12)
    covered[2] = covered[2] + (low <= -0.3 and high >= -0.3 and 1 or 0)
    _, low, high = intervals.median(a)
    covered[3] = covered[3] + (low <= 0.25 and high >= 0.25 and 1 or 0)
  end
  for index, name in ipairs { "shift", "difference", "median" } do
    t:ok(covered[index] / rounds > 0.91, "%s: %.3f", name, covered[index] / rounds)
  end
end)

-- A store of a few runs -------------------------------------------------------------------------------------

--- Write one run: `plan` has behavior, version (a text), parent, states as {name, from, to}, faults, robot,
--- outcome.
local function put_run(writer, plan)
  writer:begin { behavior = plan.behavior or "behaviors/kiosk.lua", robot = plan.robot or "toy",
    seed = plan.seed or 1, clock = "fast", tick_rate = 200 }
  writer:dofs({ "HeadYaw" }, { "rad" })
  local hash = writer:version(plan.behavior or "behaviors/kiosk.lua", plan.version, plan.parent)
  local rows = { { "activations", { id = 1, behavior = "kiosk", name = "kiosk", version = hash,
    started = 0 } } }
  for index, stay in ipairs(plan.states or {}) do
    rows[#rows + 1] = { "states", { id = index, activation = 1, machine = "kiosk", state = stay[1],
      cause = "timer", entered = stay[2], version = hash } }
    rows[#rows + 1] = { "state_end", { id = index, left_at = stay[3] } }
  end
  for tick = 0, 30 do
    local x = 0.1 * math.sin(tick / 10)
    writer:sample(tick, tick / 200, { x }, { x }, { x + 0.01 })
    writer:put("solves", { tick = tick, t = tick / 200, status = "converged" })
  end
  for _, row in ipairs(plan.rows or {}) do rows[#rows + 1] = row end
  for number = 1, plan.faults or 0 do
    rows[#rows + 1] = { "faults", { t = number, severity = "error", source = "kiosk", message = "it fell",
      version = hash } }
  end
  rows[#rows + 1] = { "activation_end", { id = 1, ended = plan.length or 10, result = "done" } }
  for _, row in ipairs(rows) do assert(writer:put(row[1], row[2])) end
  writer:finish { duration = plan.length or 10.0, ticks = 31, outcome = plan.outcome or "finished",
    commands_hash = plan.commands }
  return hash
end

--- Sixteen runs of two versions: of the second one all but two fail, and its greeting is longer.
local function two_versions(t)
  local path = t:temporary ".db"
  t.remove[#t.remove + 1] = path .. "-search"
  local writer = assert(store.record(path))
  local old, new
  for k = 1, 8 do
    old = put_run(writer, { version = "return 1",
      states = { { "idle", 0, 2 + k / 10 }, { "greet", 2, 3 + k / 100 } },
      rows = k == 1 and { { "notes", { t = 1.5, text = "the visitor's dog barked, nodding happily" } },
        { "events", { tick = 1, t = 0.5, name = "person_appeared", data = '{"id":"ann"}' } },
        { "operator", { tick = 2, t = 1.0, who = "eve", command = "note", arguments = '"door is stuck"' } },
        { "inputs", { tick = 0, t = 0, name = "button", value = "false", source = "rest" } },
        { "inputs", { tick = 4, t = 2.5, name = "button", value = "true", source = "operator" } } } or nil })
  end
  for k = 1, 8 do
    new = put_run(writer, { version = "return 2", parent = old, faults = k % 2,
      outcome = k > 2 and "failed" or "finished",
      states = { { "idle", 0, 2 + k / 10 }, { "greet", 2, 5 + k / 100 } },
        commands = k < 4 and "same" or nil })
  end
  assert(writer:close())
  return assert(store.open(path)), path, old, new
end

test("runs are meant by numbers, versions and what tells them apart", function(t)
  local db, _, old, new = two_versions(t)
  local function list(word) return sets.text(assert(sets.runs(db, word))) end
  t:equal(list "3", "3")
  t:equal(list "1,5-7,last", "1, 5-7, 16")
  t:equal(list "last 3", "14-16")
  t:equal(list "all", "1-16")
  t:equal(list(old:sub(1, 8)), "1-8")
  t:equal(list("version=" .. new:sub(1, 6):upper()), "9-16")
  t:equal(list "outcome=failed", "11-16")
  t:equal(list "1-12,outcome=failed", "11-12")
  t:equal(list "behavior=kiosk", "1-16")
  t:equal(list "since=2020-01-01,seed=1", "1-16")
  t:equal(list "kiosk", "16", "a name is its newest run, as in every command")
  t:equal(list "1-2, kiosk", "1-2, 16")
  for word, sentence in next, { ["17"] = "no run in '17'", ["behaviour=x"] = "did you mean 'behavior'",
      ["nonsense!"] = "no set of runs", ["1-"] = "no set of runs",
    ["behavior=kiosk' OR 1=1 --"] = "no run in", [""] = "no run in", ["condition=a"] = "no run in" } do
    local found, why = sets.runs(db, word)
    t:ok(found == nil and why:find(sentence, 1, true), "%s: %s", word, tostring(why))
  end
  db:close()
end)

test("two versions are compared, and what can be said is said", function(t)
  local db, _, old, new = two_versions(t)
  local found = assert(compare.of(db, old:sub(1, 10), new:sub(1, 10), {}))
  local by_name = {}
  for _, row in ipairs(found.rows) do by_name[row.name] = row end
  local finished = by_name["runs that finished"]
  t:equal({ finished.a.hits, finished.a.count, finished.b.hits, finished.b.count }, { 8, 8, 2, 8 })
  t:near({ finished.difference, finished.high }, { -0.75, -0.2795 }, 1e-3)
  local greet = by_name["stay in greet"]
  t:near({ greet.difference, greet.low, greet.high }, { 2, 1.96, 2.04 }, 0.011)
  t:ok(by_name["HeadYaw, error of following (rms)"].a.median > 0.0099, "motion")
  local text = table.concat(verdict.lines(found), "\n")
  for _, part in ipairs { "runs that finished: more often with A", "stay in greet: longer with B",
      "stay in idle: no difference shows",
    "2 of the 8 runs of B moved bit for bit", "only randomized runs" } do
    t:ok(text:find(part, 1, true), "%s is not in\n%s", part, text)
  end
  local one = assert(compare.of(db, "1", "9", { motion = false, success = "lua: faults == 0" }))
  text = table.concat(verdict.lines(one), "\n")
  t:ok(text:find("No difference shows", 1, true) and text:find("1 and 1 values are too few", 1, true), text)
  local none, why = compare.of(db, "1-3", "1-4", { motion = false })
  t:ok(none == nil and why:find("nothing to compare", 1, true), why)
  none, why = compare.of(db, "1", "2", { dofs = { "HeadYav" } })
  t:ok(none == nil and why:find("did you mean 'HeadYaw'", 1, true), why)
  none, why = compare.of(db, "1", "2", { success = "SELEC" })
  t:ok(none == nil and why:find("criterion", 1, true), why)
  db:close()
end)

test("a criterion is SQL or Lua, and what is wrong with it is said", function(t)
  local db = two_versions(t)
  for text, holds in next, { ["EXISTS(SELECT 1 FROM states WHERE run = :run AND state = 'greet')"] = true,
    ["SELECT count(*) FROM faults WHERE run = :run"] = false,
      ["lua: count('states', 'greet') == 1 and duration == 10"] = true,
    ["lua: value 'SELECT max(left_at) FROM states WHERE run = :run' > 3"] = true,
      ["lua: faults > 0"] = false } do
    local got, why = assert(criterion.read(text)):holds(db, 1)
    t:equal(got, holds, text .. (got == nil and why or ""))
  end
  for text, sentence in next, { ["SELECT x FROM nowhere"] = "no such table",
      ["lua: count('nix')"] = "no table 'nix'",
    ["lua: os.exit()"] = "nil value", ["DELETE FROM runs"] = "syntax", ["lua: error {}"] = "criterion" } do
    local made = assert(criterion.read(text))
    local got, why = made:holds(db, 1)
    t:ok(got == nil and tostring(why):find(sentence, 1, true) or text:find "error", "%s: %s", text,
      tostring(why))
  end
  t:equal(criterion.read "lua: (", nil)
  t:equal(criterion.read " ", nil)
  db:close()
end)

-- Words -----------------------------------------------------------------------------------------------------

test("words are found in any form, with where they stand", function(t)
  local db, path, old = two_versions(t)
  local function hits(typed, options)
    local list = {}
    for index, hit in ipairs(assert(words.find(path, typed, options or {})).hits) do
      list[index] = hit.kind .. " " .. (hit.run or hit.row)
    end
    return table.concat(list, ", ")
  end
  t:equal(hits "dogs nod", "note 1")
  t:equal(hits "stuck", "operator 1")
  t:equal(hits "bark* -cat", "note 1")
  t:equal(hits "zebra OR dog", "note 1")
  t:equal(hits '"dog barked"', "note 1")
  t:equal(hits '"barked dog"', "")
  t:equal(hits "ann", "event 1")
  t:equal(hits("return 1", { kind = "version" }), "version " .. old)
  t:equal(hits("fell", { runs = { 9, 10 } }), "fault 9")
  for _, typed in ipairs { "", '"', "-dog", "()", "*" } do
    local found, why = words.find(path, typed, {})
    t:ok(found == nil and why:find("no word", 1, true), typed .. tostring(why))
  end
  t:equal(hits [[NEAR(dog, "x') AND text:dog]], "", "nothing of what is typed is SQL or FTS5's own")
  local found = words.find(path, "dog", {})
  words.explain(db, found)
  t:equal({ found.hits[1].t, found.hits[1].states }, { 1.5, "idle" })
  db:close()
  -- what is recorded later is found, too; a file that is no index is left alone
  local writer = assert(store.record(path))
  put_run(writer, { version = "return 3", rows = { { "notes", { t = 0, text = "a zebra" } } } })
  writer:close()
  t:equal(hits "zebra", "note 17")
  local file = assert(io.open(path .. "-search", "w"))
  file:write(("no index at all\n"):rep(2000))
  file:close()
  t:equal(hits "zebra", "note 17")
end)

-- Moments ---------------------------------------------------------------------------------------------------

test("a moment has the state of everything then", function(t)
  local db = two_versions(t)
  local run = assert(history.run(db, 1))
  local found = assert(moment.of(db, run, 2.05))
  t:equal(next(found.failed), nil)
  t:equal({ #found.states, found.states[1].state, found.states[2].state }, { 2, "idle", "greet" })
  t:equal({ found.inputs[1].name, found.inputs[1].value }, { "button", "false" })
  t:equal(moment.of(db, run, 2.5).inputs[1].value, "true")
  t:equal(#moment.of(db, run, 0.4).events, 0)
  t:equal(moment.of(db, run, 0.5).events[1].name, "person_appeared")
  t:near(moment.of(db, run, 0.05).dofs[1].command, 0.1 * math.sin(1), 1e-6, "the DOF at tick 10")
  t:equal(found.versions[1].name, "behaviors/kiosk.lua")
  local text = table.concat(moment_words.lines(found), "\n")
  for _, part in ipairs { "kiosk: greet, since 2.00 s", "button = false", "HeadYaw", "eve said note" } do
    t:ok(text:find(part, 1, true), "%s is not in\n%s", part, text)
  end
  for _, wrong in ipairs { -1, 1e9 } do
    local none, why = moment.of(db, run, wrong)
    t:ok(none == nil and why:find("it lasts from 0 to 10.00 s", 1, true), tostring(why))
  end
  db:close()
end)

-- Versions --------------------------------------------------------------------------------------------------

test("versions are a tree below those that they replaced, circles or not", function(t)
  local db, _, old, new = two_versions(t)
  local files = assert(lineage.of(db))
  t:equal({ #files, #files[1].roots, files[1].roots[1].hash, files[1].roots[1].children[1].hash },
    { 1, 1, old, new })
  t:equal({ files[1].roots[1].children[1].faults, sets.text(files[1].roots[1].runs) }, { 4, "1-8" })
  t:match(table.concat(lineage.lines(files), "\n"), "runs 9%-16, 80%.0 s, 8 bytes, 4 faults")
  db:close()
  local path = t:temporary ".db"
  local writer = assert(store.record(path))
  put_run(writer, { version = "a", parent = store.hash "b" })
  put_run(writer, { version = "b", parent = store.hash "a" })
  writer:close()
  local circle = assert(store.open(path))
  files = assert(lineage.of(circle))
  t:equal(#lineage.lines(files), 3, "each of a circle is told once")
  circle:close()
end)

test("a break among versions is found in as many steps as the logarithm says", function(t)
  for count = 2, 64 do
    local versions = {}
    for k = 1, count do versions[k] = k end
    for _, broken in ipairs { 2, count // 2 + 1, count } do
      local found = assert(bisect.search(versions,
        function(k) return { hits = k < broken and 1 or 0, count = 1 } end, {}))
      t:equal(found.found, broken)
      t:ok(found.steps <= 2 + math.ceil(math.log(count, 2)), "%d of %d: %d steps", broken, count, found.steps)
    end
  end
  local function all(good) return function() return { hits = good, count = 4 } end end
  t:match(bisect.search({ 1, 2 }, all(4), {}).why, "nothing is broken")
  t:match(bisect.search({ 1, 2 }, all(0), {}).why, "oldest")
  t:equal(bisect.search({ 1, 2, 3 }, function(k) return { hits = k == 3 and 1 or 3, count = 4 } end,
    { least = 0.5 }).found, 3)
  local none, why = bisect.search({ 1, 2 }, function() return nil, "it cannot be asked" end, {})
  t:equal({ none == nil, why }, { true, "it cannot be asked" })
end)

test("a chart is drawn in characters, with and without UTF-8", function(t)
  local spec = { title = "x", from = 0, to = 10, panels = {
    { title = "a", unit = "rad", lines = { { label = "a", points = { 0, 0, 5, 1, 10, 0 } } } },
    { title = "s", bands = { { row = "m", label = "greet", from = 2, to = 8 },
      { row = "m", label = "x", from = 8, to = 9 } } },
    { title = "e", events = { { 1, "one" }, { 1.1, "two" }, { 9.99, "at the edge" }, { 11, "outside" } } } } }
  for _, width in ipairs { 10, 80, 200 } do
    for _, utf8_ in ipairs { true, false } do
      for _, line in ipairs(chart_text.lines(spec, width, utf8_)) do
        t:ok((utf8.len(line) or #line) <= math.max(38, width), "%d: %s", width, line)
      end
    end
  end
  local text = table.concat(chart_text.lines(spec, 80, false), "\n")
  for _, part in ipairs { "|greet-", "'one", "'two", "*", "'0" } do
    t:ok(text:find(part, 1, true), "%s is not in\n%s", part, text)
  end
  t:ok(not text:find "outside", "what is outside is not drawn")
end)
