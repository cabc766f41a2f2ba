--- Copying, merging and pruning stores: nothing is lost or duplicated, and every row keeps its references.
require "brio"
local store = require "brio.store"
local merge, prune = require "brio.analysis.upkeep.merge", require "brio.analysis.upkeep.prune"

--- Record runs, each {robot, events = N, text = version}; append to the store.
local function record(path, runs)
  local writer = assert(store.record(path))
  for _, one in ipairs(runs) do
    writer:begin { behavior = "x.lua", robot = one.robot }
    writer:dofs({ "a", "b" }, { "rad", "m" })
    local hash = writer:version("x.lua", one.text or "return {}")
    writer:put("activations", { id = 1, behavior = "x", version = hash, started = 0 })
    writer:put("states", { id = 1, activation = 1, state = one.robot, entered = 0, version = hash })
    for tick = 1, one.events or 3 do
      writer:sample(tick, tick / 200, { 1, 2 }, { 1, tick }, { 1, 2 })
      writer:put("events", { tick = tick, t = tick / 200, name = one.robot .. tick, version = hash })
    end
    writer:put("annotations", { tier = "note", t0 = 0.5, label = "of " .. one.robot, live = 1 })
    writer:finish { duration = 1, ticks = one.events or 3, outcome = "finished" }
  end
  assert(writer:close())
end

local function change(path, ...)
  local db = assert(store.change(path))
  for _, sql in ipairs { ... } do assert(db:query(sql)) end
  db:close()
end

local function ask(path, sql, ...)
  local db = assert(store.open(path))
  local rows, why = db:query(sql, ...)
  db:close()
  return assert(rows, why)
end

local function whole(t, path)
  t:equal(ask(path, "PRAGMA integrity_check"), { { integrity_check = "ok" } })
  t:equal(ask(path, "PRAGMA foreign_key_check"), {})
end

--- The rows of every table, without the ids that a merge renumbers: a text to compare.
local function content(path)
  return ask(path, [[SELECT group_concat(text, ' ') AS text FROM (
    SELECT r.robot || '.' || e.name || '.' || e.t || '.' || v.source AS text FROM events e JOIN runs r ON r.id = e.run JOIN versions v ON v.hash = e.version
    UNION ALL SELECT r.robot || '.' || a.label || '.' || a.tier FROM annotations a JOIN runs r ON r.id = a.run
    UNION ALL SELECT r.robot || '.' || s.name || '.' || s.tick || '.' || s.command FROM samples s JOIN runs r ON r.id = s.run
    UNION ALL SELECT coalesce(r.robot, 'no run') || '.' || s.participant || '.' || p.item || '.' || p.value FROM sittings s
      JOIN responses p ON p.sitting = s.id LEFT JOIN runs r ON r.id = s.run
    ORDER BY 1)]])[1].text
end

local people = {
  "INSERT INTO questionnaires(hash, name, source) VALUES('q1', 'godspeed', 'the file')",
  "INSERT INTO items VALUES('q1', 'friendly', 1, 'III', 0, 1, 5)",
}

test("stores of two robots become one, and merging again adds nothing", function(t)
  local a, b, into = t:temporary ".db", t:temporary ".db", t:temporary ".db"
  record(a, { { robot = "ann" }, { robot = "bob", text = "return 1" } })
  change(a, "UPDATE versions SET name = '/another/machine/x.lua'")
  record(b, { { robot = "cy" }, { robot = "di", text = "return 1" }, { robot = "eve" } })
  change(a, people[1], people[2], "INSERT INTO sittings(id, questionnaire, participant, run, language, \z
    items) VALUES(1, 'q1', 'P01', 2, 'en', '[]')",
    "INSERT INTO responses(sitting, id, item, value) VALUES(1, 1, 'friendly', 4)")
  change(b, people[1], people[2], "INSERT INTO sittings(id, questionnaire, participant, run, language, \z
    items) VALUES(1, 'q1', 'P02', 3, 'en', '[]')",
    "INSERT INTO responses(sitting, id, item, value) VALUES(1, 1, 'friendly', 2), (1, 2, 'friendly', 3)")
  record(into, {})
  local report = assert(merge.into(into, a))
  t:equal({ report.runs, report.known, report.first, report.last, report.differ }, { 2, 0, 1, 2, {} })
  t:equal(content(into), content(a))
  report = assert(merge.into(into, b))
  t:equal({ report.runs, report.known, report.first, report.last, report.differ }, { 3, 0, 3, 5, {} })
  whole(t, into)
  local both = content(into)
  local words = {}
  for _, path in ipairs { a, b } do
    for word in content(path):gmatch "%S+" do words[#words + 1] = word end
  end
  local merged = {}
  for word in both:gmatch "%S+" do merged[#merged + 1] = word end
  table.sort(words)
  table.sort(merged)
  t:equal(merged, words)
  t:equal(ask(into, "SELECT count(*) AS n FROM versions")[1].n, 2)
  t:equal(ask(into, "SELECT s.participant, r.robot FROM sittings s JOIN runs r ON r.id = s.run ORDER BY 1"),
    { { participant = "P01", robot = "bob" }, { participant = "P02", robot = "eve" } })
  for _, path in ipairs { a, b, into } do
    report = assert(merge.into(into, path))
    t:equal({ report.runs, report.rows, report.differ }, { 0, 0, {} })
  end
  t:equal(content(into), both)
end)

test("runs and answers that came later come when a store is merged again", function(t)
  local a, into = t:temporary ".db", t:temporary ".db"
  record(a, { { robot = "ann" } })
  record(into, { { robot = "zoe" } })
  assert(merge.into(into, a))
  record(a, { { robot = "bob" } })
  change(a, "INSERT INTO annotations(run, tier, t0, label, live) VALUES(1, 'gaze', 1, 'afterwards', 0)",
    people[1], people[2])
  local report = assert(merge.into(into, a))
  t:equal({ report.runs, report.known }, { 1, 1 })
  t:equal(ask(into, "SELECT r.robot, label FROM annotations a JOIN runs r ON r.id = a.run ORDER BY a.id"), {
    { robot = "zoe", label = "of zoe" }, { robot = "ann", label = "of ann" },
      { robot = "bob", label = "of bob" },
    { robot = "ann", label = "afterwards" } })
  change(a, "UPDATE questionnaires SET title = 'another'")
  report = assert(merge.into(into, a))
  t:equal(report.differ, { { table = "questionnaires", rows = 1 } })
  t:equal(ask(into, "SELECT title FROM questionnaires"), { {} })
  whole(t, into)
end)

test("a study that goes on at two machines is one, and what refuses people's rows does not refuse \z
  merged ones", function(t)
  local a, b = t:temporary ".db", t:temporary ".db"
  for index, path in ipairs { a, b } do
    record(path, { { robot = "r" .. index } })
    change(path, "INSERT INTO studies(id, name, source, hash) VALUES(" .. index .. ", 'warmth', 'x', 'h')",
      ("INSERT INTO conditions VALUES(%d, 'warm', 1, NULL)"):format(index),
      ("INSERT INTO participants(study, code, consent) VALUES(%d, 'P0%d', 1)"):format(index, index),
      ("INSERT INTO sessions(study, participant, condition, ordinal) VALUES(%d, 'P0%d', 'warm', 1)"):format(
        index, index),
      "INSERT INTO session_runs VALUES(1, 1)")
  end
  change(b, "UPDATE participants SET consent = 0")
  local report = assert(merge.into(a, b))
  t:equal(report.differ, {})
  whole(t, a)
  t:equal(ask(a, "SELECT s.participant, s.study, r.robot FROM session_runs x JOIN sessions s ON s.id = \z
    x.session JOIN runs r ON r.id = x.run ORDER BY 1"),
    { { participant = "P01", study = 1, robot = "r1" }, { participant = "P02", study = 1, robot = "r2" } })
  local db = assert(store.change(a))
  local refused = db:query "INSERT INTO sessions(study, participant, condition, ordinal) VALUES(1, 'P02', \z
    'warm', 2)"
  db:close()
  t:ok(not refused, "the triggers are there again")
  -- two machines held the same session of the same participant: merged whole or not at all
  local c = t:temporary ".db"
  record(c, { { robot = "r3" } })
  change(c, "INSERT INTO studies(id, name, source, hash) VALUES(1, 'warmth', 'x', 'h')",
    "INSERT INTO conditions VALUES(1, 'warm', 1, NULL)",
    "INSERT INTO participants(study, code, consent) VALUES(1, 'P01', 1)",
      "INSERT INTO sessions(study, participant, condition, ordinal, began) VALUES(1, 'P01', 'warm', 1, 'x')")
  local before = content(a)
  local none, why = merge.into(a, c)
  t:ok(none == nil and why:find("was not merged", 1, true) and why:find("UNIQUE", 1, true), why)
  t:equal(content(a), before)
  whole(t, a)
end)

test("a run that goes on is left out, and a copy can be made of it", function(t)
  local live, into, copy = t:temporary ".db", t:temporary ".db", t:temporary ".db"
  record(live, { { robot = "ann" } })
  record(into, {})
  local writer = assert(store.record(live))
  writer:begin { robot = "on" }
  writer:put("notes", { text = "so far" })
  local report = assert(merge.into(into, live))
  t:equal({ report.runs, report.left_out }, { 1, 1 })
  t:ok(assert(store.backup(live, copy)) > 8192, "a copy")
  t:equal(ask(copy, "SELECT outcome FROM run_summary"), { { outcome = "finished" }, { outcome = "runs" } })
  local none, why = prune.store(live, { older = 0 })
  t:ok(none == nil and why:find("run 2 is being recorded", 1, true), why)
  writer:finish { outcome = "stopped" }
  writer:close()
  t:equal(merge.into(into, live).runs, 1)
  t:equal(ask(into, "SELECT text FROM notes"), { { text = "so far" } })
end)

test("a copy is whole, replaces nothing unasked, and never the store itself", function(t)
  local a, copy = t:temporary ".db", t:temporary ".db"
  record(a, { { robot = "ann", events = 400 } })
  t:ok(store.backup(a, copy), "a copy")
  whole(t, copy)
  t:equal(content(copy), content(a))
  local none, why = store.backup(a, copy)
  t:ok(none == nil and why:find("is there already: it is replaced only with --force", 1, true), why)
  t:ok(store.backup(a, copy, true), "with force")
  none, why = store.backup(a, a, true)
  t:ok(none == nil and why:find("is the store itself", 1, true), why)
  none, why = store.backup(t:temporary ".db", copy, true)
  t:ok(none == nil and why:find("cannot open", 1, true), why)
  none, why = store.backup(a, "/no/such/folder/x.db")
  t:ok(none == nil and why ~= "", why)
  whole(t, copy)
  local file = assert(io.open(a, "r+b"))
  file:seek("set", 5 * 8192)
  file:write(("x"):rep(3 * 8192))
  file:close()
  none, why = store.backup(a, copy, true)
  t:ok(none == nil and why:find("damaged", 1, true) or why:find("malformed", 1, true), why)
  whole(t, copy)
  none, why = merge.into(copy, a)
  t:ok(none == nil and why ~= "", why)
  whole(t, copy)
end)

test("runs go, or their samples only, and only with a word", function(t)
  local a = t:temporary ".db"
  record(a, { { robot = "ann", events = 4000 }, { robot = "bob", text = "return 1" },
    { robot = "cy", text = "return 2" }, { robot = "di" } })
  change(a, "DELETE FROM annotations WHERE run <> 3")
  local before = content(a)
  local report = assert(prune.store(a, { older = 0, keep_last = 1 }))
  t:equal(content(a), before)
  t:equal(#report.runs, 3)
  t:ok(report.runs[1].bytes > report.runs[2].bytes and report.after < report.before,
    "the first run was the largest")
  t:match(report.runs[3].stays, "people's data %(annotations%)")
  report = assert(prune.store(a, { runs = { [1] = true }, samples = true, done = true, vacuum = true }))
  t:equal(report.vacuum, true)
  t:equal(ask(a, "SELECT count(*) AS n FROM samples WHERE run = 1"), { { n = 0 } })
  t:equal(ask(a, "SELECT count(*) AS n FROM events WHERE run = 1"), { { n = 4000 } })
  whole(t, a)
  assert(prune.store(a, { older = 0, keep = { [1] = true }, keep_last = 1, done = true, vacuum = true }))
  t:equal(ask(a, "SELECT id, robot FROM runs ORDER BY id"),
    { { id = 1, robot = "ann" }, { id = 3, robot = "cy" }, { id = 4, robot = "di" } })
  t:equal(ask(a, "SELECT source FROM versions ORDER BY 1"),
    { { source = "return 2" }, { source = "return {}" } })
  assert(prune.store(a, { runs = { [3] = true }, studied = true, done = true }))
  t:equal(ask(a, "SELECT count(*) AS n FROM annotations"), { { n = 0 } })
  whole(t, a)
  record(a, { { robot = "eve" } })
  t:equal(ask(a, "SELECT max(id) AS id FROM runs"), { { id = 5 } })
end)

test("the newest runs that stay are those of the store, not of the old ones", function(t)
  local a = t:temporary ".db"
  for index = 1, 5 do record(a, { { robot = "r" .. index } }) end
  change(a, "DELETE FROM annotations",
    "UPDATE runs SET started_at = '2020-01-01T00:00:00.000Z' WHERE id <= 3",
    "UPDATE runs SET started_at = '2199-01-01T00:00:00.000Z' WHERE id = 4")
  local function gone(what)
    local list = {}
    for index, row in ipairs(assert(prune.store(a, what)).runs) do list[index] = row.run end
    return list
  end
  t:equal(gone { older = 30, keep_last = 2 }, { 1, 2, 3 })
  t:equal(gone { older = 30, keep_last = 3 }, { 1, 2 })
  t:equal(gone { keep_last = 1 }, { 1, 2, 3, 4 }, "also a run of a clock that was wrong")
end)

test("a store is made as small as is asked, the oldest runs first", function(t)
  local a = t:temporary ".db"
  for index = 1, 4 do record(a, { { robot = "r" .. index, events = 2000 } }) end
  change(a, "DELETE FROM annotations")
  local all = prune.store(a, { older = 0 })
  local target = all.before - all.runs[1].bytes - all.runs[2].bytes // 2
  assert(prune.store(a, { to_size = target, done = true, vacuum = true }))
  t:equal(ask(a, "SELECT id FROM runs ORDER BY id"), { { id = 3 }, { id = 4 } })
  local file = assert(io.open(a, "rb"))
  t:ok(file:seek "end" <= target + 65536, "the file is %d bytes", file:seek "end")
  file:close()
  whole(t, a)
end)

-- Names of stores and rows ----------------------------------------------------------------------------------

test("every store has a name of its own, which copies keep and merging does not change", function(t)
  local a, b, copy = t:temporary ".db", t:temporary ".db", t:temporary ".db"
  record(a, { { robot = "ann" } })
  record(b, {})
  assert(store.backup(a, copy))
  local function name(path) return ask(path, "SELECT uuid FROM identity")[1].uuid end
  local first = name(a)
  t:ok(first:match "^%x%x%x%x%x%x%x%x%-%x%x%x%x%-4%x%x%x%-[89ab]%x%x%x%-%x%x%x%x%x%x%x%x%x%x%x%x$",
    "%s is no UUID of version 4", first)
  t:ok(first ~= name(b), "two stores have one name")
  t:equal(name(copy), first)
  local own = name(b)
  assert(merge.into(b, a))
  t:equal(name(b), own)
  change(b, "INSERT INTO identity(uuid) VALUES('another')")
  t:equal(ask(b, "SELECT uuid, runs, merged_stores FROM store_summary"),
    { { uuid = own, runs = 1, merged_stores = 1 } })
end)

test("rows that look alike stay two, through two merges and back", function(t)
  local a, b, c = t:temporary ".db", t:temporary ".db", t:temporary ".db"
  record(a, { { robot = "ann" } })
  local alike = "INSERT INTO repeats(made_at, behavior, seed, times, until_failure, nodes) VALUES('2026', \z
    'x.lua', 1, 1, 0, '[]')"
  change(a, alike, alike)
  record(b, {})
  record(c, {})
  assert(merge.into(b, a))
  change(a, alike)
  for _, pair in ipairs { { b, a }, { c, b }, { c, a }, { a, c }, { b, c }, { b, a } } do
    assert(merge.into(pair[1], pair[2]))
  end
  for _, path in ipairs { a, b, c } do
    t:equal(ask(path, "SELECT count(*) AS n FROM repeats"), { { n = 3 } })
    t:equal(ask(path, "SELECT count(*) AS n FROM annotations"), { { n = 1 } })
    whole(t, path)
  end
  t:equal(ask(c, "SELECT count(DISTINCT o.number) AS n FROM origins o, main.identity i WHERE o.kind = \z
    'repeats' AND o.other = ?", ask(a, "SELECT uuid FROM identity")[1].uuid), { { n = 3 } })
end)

test("two stores that went on from one copy keep the rows of both", function(t)
  local a, copy, into = t:temporary ".db", t:temporary ".db", t:temporary ".db"
  record(a, { { robot = "ann" } })
  assert(store.backup(a, copy))
  change(a, "INSERT INTO annotations(run, tier, t0, label, live) VALUES(1, 'gaze', 1, 'in the one', 0)")
  change(copy, "INSERT INTO annotations(run, tier, t0, label, live) VALUES(1, 'gaze', 1, 'in the other', 0)")
  record(a, { { robot = "bob" } })
  record(copy, { { robot = "cy" } })
  record(into, {})
  for _ = 1, 2 do
    for _, path in ipairs { a, copy } do assert(merge.into(into, path)) end
  end
  t:equal(ask(into, "SELECT robot FROM runs ORDER BY 1"), { { robot = "ann" }, { robot = "bob" },
    { robot = "cy" } })
  t:equal(ask(into, "SELECT label FROM annotations WHERE tier = 'gaze' ORDER BY 1"),
    { { label = "in the one" }, { label = "in the other" } })
end)

test("the number of a removed row is never given again", function(t)
  local a, b = t:temporary ".db", t:temporary ".db"
  record(a, { { robot = "ann" }, { robot = "bob" } })
  assert(prune.store(a, { runs = { [2] = true }, studied = true, done = true, vacuum = true }))
  record(b, { { robot = "cy" } })
  local report = assert(merge.into(a, b))
  t:equal({ report.first, report.last }, { 3, 3 })
  assert(prune.store(a, { runs = { [3] = true }, studied = true, done = true }))
  record(a, { { robot = "di" } })
  t:equal(ask(a, "SELECT id, robot FROM runs ORDER BY id"), { { id = 1, robot = "ann" },
    { id = 4, robot = "di" } })
end)
