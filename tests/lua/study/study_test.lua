--- Studies: balanced orders, checks of files, codes and consent, sessions, wizards' errors, the report.
require "brio"
local here = debug.getinfo(1, "S").source:match "^@(.*)/" or "."
package.path = here .. "/../../lib/?.lua;" .. package.path
local design, figures = require "brio.study.design", require "brio.study.report.figures"
local headings = require "brio.study.headings"
local markdown, page = require "brio.study.report.markdown", require "brio.draw.html_page"
local record, report = require "brio.study.record", require "brio.study.report"
local session, store, study = require "brio.study.session", require "brio.store", require "brio.study.file"

local studies = require "studies"
local asked, held, read, registered, text = studies.asked, studies.held, studies.read, studies.registered,
  studies.text
local with_store = studies.with_store

local function matches(t, got, expected)
  t:ok(tostring(got):find(expected), "'%s' has '%s' in it", tostring(got), expected)
end

-- Orders ------------------------------------------------------------------------------------------------

local function dealt(way, k, participants, more)
  local plan = { name = "x", kind = "within", way = way, conditions = k, participants = participants,
    seed = 7 }
  for key, value in pairs(more or {}) do plan[key] = value end
  return design.deal(plan)
end

local function orders_of(list)
  local orders = {}
  for n, row in ipairs(list) do orders[n] = row.order end
  return orders
end

local function is_order(t, order, k, what)
  local seen = {}
  for _, condition in ipairs(order) do seen[condition] = (seen[condition] or 0) + 1 end
  for condition = 1, k do t:equal(seen[condition], 1, what) end
  t:equal(#order, k, what)
end

test("a Latin square has every condition once in each row and each place", function(t)
  for k = 2, 9 do
    local orders = orders_of(dealt("latin", k, k))
    for _, order in ipairs(orders) do is_order(t, order, k, "latin " .. k) end
    for place = 1, k do
      for condition = 1, k do t:equal(design.balance(orders, k).places[place][condition], 1) end
    end
  end
end)

test("a Williams design is a Latin square in which each condition follows each other one equally often",
  function(t)
  for k = 2, 9 do
    local rows = k % 2 == 0 and k or 2 * k
    t:equal(design.rows { way = "williams", conditions = k }, rows)
    local orders = orders_of(dealt("williams", k, 3 * rows))
    local found = design.balance(orders, k)
    t:ok(found.even_places and found.even_after, "k = %d", k)
    t:equal(found.places[k][k], 3 * rows // k)
    for first = 1, k do
      is_order(t, orders[first], k, "williams " .. k)
      for second = 1, k do
        -- each row has k - 1 neighbors, dealt to k (k - 1) ordered pairs
        t:equal(found.after[first][second], first == second and 0 or 3 * rows // k)
      end
    end
  end
end)

test("a Latin square without Williams's order is not balanced in what follows what, and that is told",
  function(t)
  local found = design.balance(orders_of(dealt("latin", 4, 4)), 4)
  t:ok(found.even_places and not found.even_after)
end)

test("all orders come equally often, random and fixed ones are orders", function(t)
  local seen, count = {}, 0
  for _, order in ipairs(orders_of(dealt("all", 4, 48))) do
    local key = table.concat(order, " ")
    count = count + (seen[key] and 0 or 1)
    seen[key] = (seen[key] or 0) + 1
  end
  t:equal(count, 24)
  for _, times in pairs(seen) do t:equal(times, 2) end
  for _, order in ipairs(orders_of(dealt("random", 5, 20))) do is_order(t, order, 5, "random") end
  for _, order in ipairs(orders_of(dealt("fixed", 3, 4))) do t:equal(order, { 1, 2, 3 }) end
end)

test("blocks of a between-subjects design are balanced, each of them", function(t)
  local list = dealt("block", 3, 36, { kind = "between", block = 6 })
  for block = 0, 5 do
    local counts = { 0, 0, 0 }
    for n = 1, 6 do
      local row = list[block * 6 + n]
      t:equal({ row.block, #row.order }, { block + 1, 1 })
      counts[row.order[1]] = counts[row.order[1]] + 1
    end
    t:equal(counts, { 2, 2, 2 })
  end
  local first, other = dealt("block", 2, 60, { kind = "between" }), 0
  for n = 2, 60 do other = other + (first[n].order[1] == first[n - 1].order[1] and 1 or 0) end
  t:ok(other > 5, "groups do not simply alternate")
end)

test("a plan follows from its seed, and more participants change nothing of what was dealt", function(t)
  for _, way in ipairs { "williams", "latin", "all", "random" } do
    local few, many = dealt(way, 4, 9), dealt(way, 4, 40)
    for n = 1, 9 do t:equal(few[n], many[n]) end
    t:equal(dealt(way, 4, 40), many)
    t:ok(store.json(dealt(way, 4, 40, { seed = 8 })) ~= store.json(many), "%s: another seed, another plan",
      way)
  end
end)

-- Files -------------------------------------------------------------------------------------------------

test("a study's file is read with its defaults", function(t)
  local data = assert(read())
  t:equal({ data.counterbalance, data.seed, data.hash }, { "williams", 11, store.hash(text()) })
  t:equal(study.setting(data, "nodding"), { behavior = "b.lua", tune = { near = 2 } })
  t:equal(study.setting(data, "still"), { behavior = "b.lua", tune = {} })
  t:equal(study.warnings(data), {})
  t:equal({ study.fact(data, "age", "31") }, { 31 })
  t:ok(not study.fact(data, "age", "7") and not study.fact(data, "robots", "Anna")
    and not study.fact(data, "name", "Anna"))
end)

test("what is wrong in a study's file is told where it is", function(t)
  local wrong = {
    [", conditons = {}"] = "no field 'conditons' %(did you mean 'conditions'",
    [", participants = 0"] = "participants must be from 1 to 10000, not 0",
    [", design = \"with\""] = "design must be one of",
    [", counterbalance = \"block\""] = "'block' is not for a design within subjects: all, fixed, latin, \z
      random, williams",
    [", conditions = { \"a\", \"a\" }"] = "'a' is there twice",
    [", conditions = {}"] = "must not be empty",
    [", wizards = { { code = \"Ann\" } }"] = "a code with a digit, such as W1, never a name",
    [", code = \"Anna\""] = "capital letters",
    [", facts = { name = \"text\" }"] = "facts.name",
    [", report = { robots = {} }"] = "report has no field 'robots' %(did you mean 'robot'",
    [", block = 4"] = "block goes with",
    [", title = \"\\27[2J\""] = "without control characters",
  }
  for more, expected in pairs(wrong) do
    local data, why = read(more)
    t:ok(not data and why:find(expected), "%s: %s", more, tostring(why))
  end
  local _, why = study.parse("return require 'os'", "x.lua")
  t:ok(why:find "may require \"brio\" alone", why)
  _, why = study.parse("while true do end return {}", "x.lua")
  t:ok(why:find "'while' does not belong", why)
end)

-- A store with a study ------------------------------------------------------------------------------------

test("nothing of a participant is kept before consent, and only of codes of the plan", function(t)
  with_store(t, function(path, kept)
    local data = read()
    local found = registered(path, kept, data)
    local function begin(wanted) return session.begin(kept, data, record.find(path, "nod"), wanted) end
    matches(t, select(2, begin { participant = "P01", wizard = "W1" }), "before they consented")
    matches(t, select(2, begin { participant = "Anna", wizard = "W1" }), "never a name")
    matches(t, select(2, begin { participant = "P05", wizard = "W1" }), "no participant 'P05'")
    matches(t, select(2, begin { wizard = "W1" }), "say who takes part")
    -- the store itself refuses it, for any program
    local id, why = kept.forms:put("sessions",
      { study = found.id, participant = "P01", condition = "still", ordinal = 1, rehearsal = 0,
      training = 0 })
    t:ok(not id and why:find "consent", "%s", why)
    id, why = kept.forms:put("sessions",
      { study = found.id, condition = "still", rehearsal = 0, training = 0 })
    t:ok(not id and why:find "has a participant", "%s", why)
    assert(kept:consent(found.id, "P01", { age = 31 }))
    t:ok(begin { participant = "P01", wizard = "W1" })
    matches(t, select(2, begin { participant = "P02", wizard = "W1" }), "before they consented")
  end)
end)

test("participants come in the order of their numbers, also beyond 99", function(t)
  with_store(t, function(path, kept)
    local data = assert(study.parse(text():gsub("participants = 4", "participants = 102"), "nod.lua"))
    local found = registered(path, kept, data)
    t:equal({ found.codes[10], found.codes[11], found.codes[99], found.codes[100], #found.codes },
      { "P10", "P11", "P99", "P100", 102 })
    local _, why = session.begin(kept, data, found, { participant = "P200", wizard = "W1" })
    matches(t, why, "from P01 to P102")
    assert(kept:replace(found, "P09", "P09R"))
    found = record.find(path, "nod")
    t:equal(table.concat(found.codes, " ", 8, 11), "P08 P09 P09R P10")
  end)
end)

test("sessions follow the plan, go on after a crash, and are held again when aborted", function(t)
  with_store(t, function(path, kept)
    local data = read()
    local found = registered(path, kept, data)
    assert(kept:consent(found.id, "P01"))
    local function begin(wanted)
      wanted.participant, wanted.wizard = "P01", "W1"
      return session.begin(kept, data, record.find(path, "nod"), wanted)
    end
    local first, second = found.plan.P01[1].condition, found.plan.P01[2].condition
    matches(t, select(2, begin { condition = second }), "by the plan")
    local one = assert(begin { condition = first })
    t:equal({ one.condition, one.ordinal, one.resumed }, { first, 1 })
    local again = assert(begin {})
    t:equal({ again.id, again.resumed }, { one.id, {} })
    assert(kept:finish(one.id, "aborted", "power cut"))
    local anew = assert(begin {})
    t:ok(anew.id ~= one.id and anew.condition == first and anew.ordinal == 1)
    assert(kept:finish(anew.id, "finished"))
    t:equal(begin({}).condition, second)
    t:equal(record.state(record.find(path, "nod"), "P01"), "begun")
    assert(kept:finish(begin({}).id, "finished"))
    matches(t, select(2, begin {}), "has had all 2 sessions")
    t:equal(record.state(record.find(path, "nod"), "P01"), "done")
    matches(t, select(2, session.begin(kept, data, record.find(path, "nod"),
      { participant = "P01", wizard = "W9" })), "no wizard 'W9'")
  end)
end)

test("rehearsals and trainings have no participant, and do not count", function(t)
  with_store(t, function(path, kept)
    local data = read()
    registered(path, kept, data)
    local found = record.find(path, "nod")
    matches(t, select(2, session.begin(kept, data, found, { participant = "P01", rehearsal = true })),
      "has no participant")
    matches(t, select(2, session.begin(kept, data, found, { training = true, condition = "nodin" })),
      "did you mean 'nodding'")
    assert(session.begin(kept, data, found, { rehearsal = true, wizard = "W1" }))
    assert(session.begin(kept, data, found, { training = true, wizard = "W2", condition = "nodding" }))
    found = record.find(path, "nod")
    t:equal(#found.sessions, 2)
    for _, one in ipairs(found.sessions) do t:ok(not record.counts(one)) end
  end)
end)

test("the plan is free until somebody consents; then it changes only with a reason, and its order never",
  function(t)
  with_store(t, function(path, kept)
    local function register(more, why)
      return kept:register(assert(read(more)), record.find(path, "nod"), why)
    end
    assert(register())
    assert(register ", participants = 6, counterbalance = \"latin\"")
    local found = record.find(path, "nod")
    t:equal({ #found.codes, #found.versions, found.hash },
      { 6, 2, assert(read ", participants = 6, counterbalance = \"latin\"").hash })
    assert(kept:consent(found.id, "P01"))
    t:equal(select(2, register ", participants = 6, counterbalance = \"latin\""), 2)
    matches(t, select(2, register ", participants = 6"), "counterbalance was registered and dealt")
    matches(t, select(2, register ", participants = 5, counterbalance = \"latin\""), "cannot be fewer")
    matches(t, select(2, register ", participants = 8, counterbalance = \"latin\""), "say why")
    assert(register(", participants = 8, counterbalance = \"latin\"", "more power"))
    local later = record.find(path, "nod")
    t:equal({ #later.codes, later.versions[3].why, later.hash == found.hash }, { 8, "more power", true })
    for code, places in pairs(found.plan) do t:equal(later.plan[code][1].condition, places[1].condition) end
    assert(register ", participants = 8, counterbalance = \"latin\", report = { robot = { kind = \"two \z
      Peppers\" } }")
    t:equal(#record.find(path, "nod").versions, 4, "what the report says is no part of the plan")
  end)
end)

-- What wizards did ----------------------------------------------------------------------------------------

test("slips, lateness, omissions, wrong acts and failures are told apart", function(t)
  with_store(t, function(path, kept)
    held(path, kept)
    local lines = {}
    for _, row in ipairs(asked(path, "SELECT error, how, coalesce(step, '-') AS step, coalesce(did, '-') AS \z
      did, wizard FROM wizard_errors ORDER BY t")) do
      lines[#lines + 1] = table.concat({ row.error, row.how, row.step, row.did, row.wizard }, ", ")
    end
    t:equal(lines, { "late, derived, late, say well, W1", "omitted, derived, gone, -, W1",
      "slip, derived, slip, say two, W1",
      "system, derived, -, play nod, W1", "wrong, marked, -, say rude, W1" })
    local one = asked(path, "SELECT * FROM script_deviation")[1]
    t:equal({ one.actions, one.expected, one.as_expected, one.unscripted, one.slips, one.late, one.omitted,
      one.wrong, one.system }, { 7, 4, 3.0, 3, 1.0, 1.0, 1.0, 1.0, 1.0 })
    t:ok(math.abs(one.unscripted_share - 3 / 7) < 1e-12)
    local quick = asked(path, "SELECT * FROM wizard_latency")[1]
    t:equal({ quick.actions, quick.with_cue, quick.person_most, quick.late }, { 7, 4, 3.5, 1.0 })
    t:ok(math.abs(quick.person_median - 0.75) < 1e-9 and math.abs(quick.robot_median - 0.05) < 1e-9)
  end)
end)

test("wizards whose codes are alike are told apart", function(t)
  with_store(t, function(path, kept)
    local data = assert(study.parse(text():gsub('"W1"', '"W_1"'):gsub('"W2"', '"Wa1"'), "nod.lua"))
    local found = studies.registered(path, kept, data)
    assert(kept:consent(found.id, "P01"))
    local one = assert(session.begin(kept, data, record.find(path, "nod"),
      { participant = "P01", wizard = "W_1" }))
    local writer = assert(store.record(path))
    assert(writer:begin { behavior = "b.lua" })
    writer:put("session_runs", { session = one.id })
    for id, who in ipairs { "W_1 (lab)", "Wa1 (lab)", "Wa1", "wa1 (lab)" } do
      writer:put("operators", { id = id, who = who, role = "wizard", device = "prompt", attached = 0 })
      writer:put("actions", { id = id, operator = id, who = who, role = "wizard", device = "prompt",
        name = "say", arguments = '"x"', t_input = id, outcome = "done" })
    end
    assert(writer:finish { duration = 9.0, outcome = "finished" })
    assert(writer:close())
    t:equal(asked(path, "SELECT wizard FROM session_actions ORDER BY action"),
      { { wizard = "W_1" }, { wizard = "Wa1" }, { wizard = "Wa1" }, { wizard = "wa1 (lab)" } })
  end)
end)

test("an action that a person marked as no error is none", function(t)
  with_store(t, function(path, kept)
    held(path, kept)
    local writer = assert(store.record(path))
    assert(writer:begin { behavior = "b.lua" })
    writer:put("operators", { id = 1, who = "W1", role = "wizard", device = "prompt", attached = 0 })
    writer:put("actions", { id = 1, operator = 1, who = "W1", role = "wizard", device = "prompt",
      name = "say", arguments = '"x"', expected = "play nod", t_input = 1, outcome = "done" })
    writer:put("action_mark", { id = 1, marked_by = "O1", marked_t = 2 })
    writer:put("actions", { id = 2, operator = 1, who = "W1", role = "wizard", device = "prompt",
      name = "say", arguments = '"100 %_x"', expected = "say 100 %_x", t_input = 1, outcome = "done" })
    assert(writer:finish { duration = 3.0, outcome = "finished" })
    assert(writer:close())
    t:equal(asked(path, "SELECT error FROM wizard_errors WHERE run = 2"), {})
    t:equal(asked(path, "SELECT as_expected FROM session_actions WHERE run = 2 AND action = 2"),
      { { as_expected = 1 } })
  end)
end)

test("words may say more than the script expected, and speech may not", function(t)
  with_store(t, function(path, kept)
    held(path, kept)
    local writer = assert(store.record(path))
    assert(writer:begin { behavior = "b.lua" })
    writer:put("operators", { id = 1, who = "W1", role = "wizard", device = "prompt", attached = 0 })
    local done = { { "feel", "happy 0.7", "feel happy", 1 }, { "feel", "happyish", "feel happy", 0 }, { "say",
      "hello you", "say hello", 0 },
      { "feel", "sad 0.7", "feel happy | feel sad", 1 }, { "look", "at ann 3 s", "look at ... 3", 0 } }
    for id, row in ipairs(done) do
      writer:put("actions", { id = id, operator = 1, who = "W1", role = "wizard", device = "prompt",
        name = row[1],
        arguments = store.json(row[2]), expected = row[3], t_input = id, outcome = "done" })
    end
    assert(writer:finish { duration = 9.0, outcome = "finished" })
    assert(writer:close())
    for id, row in ipairs(done) do
      t:equal(asked(path, "SELECT as_expected FROM session_actions WHERE run = 2 AND action = ?1",
        id)[1].as_expected, row[4],
        row[1] .. " " .. row[2])
    end
  end)
end)

-- The report ----------------------------------------------------------------------------------------------

local function collect(path, data)
  local db = assert(store.open(path))
  local made, why = report.collect(db, "nod", data)
  db:close()
  return assert(made, why)
end

test("the report has every heading, what the record says, and what is missing", function(t)
  with_store(t, function(path, kept)
    local data = held(path, kept)
    local made = collect(path, data)
    local words = report.write(made, markdown)
    local count = 0
    headings.each(function(_, _, question, figure)
      count = count + 1
      t:ok(words:find("### " .. question, 1, true), "%s", question)
      t:ok(not figure or figures[figure], "%s", figure)
    end)
    t:equal(#made.rows, count)
    for _, line in ipairs { "one Pepper", "| W1 | 7 | 1 | 1 | 1 | 1 | 1 | 71.4 |",
        "4 planned, 1 consented, 0 completed, 0 withdrew",
      "report.users.instructions", "mean 31.0", "7 actions: say 4, play 2, look 1.", "7.0 actions a minute",
      "From cue to key, of 3 actions: median 0.50 s", "3 (43 %) were unscripted",
        "| W1 | 30 | 0 | 0 | 0 |" } do
      t:ok(words:gsub("\\", ""):find(line, 1, true), "the report says: %s", line)
    end
    matches(t, report.write(made, page), "^<!DOCTYPE html>.*one Pepper.*</html>\n$")
    t:equal(collect(path).title, "Does a nod help?", "the file as it was registered does, too")
  end)
end)

test("a wizard's training counts whatever they did in it, led or not, and in no other figure", function(t)
  with_store(t, function(path, kept)
    local data = held(path, kept)
    local one = assert(session.begin(kept, data, record.find(path, "nod"),
      { training = true, wizard = "W2" }))
    studies.record_run(path, one.id)
    local words = report.write(collect(path, data), markdown)
    for _, line in ipairs { "| W1 | 30 | 1 | 0 | 1 |", "| W2 |  | 1 | 0 | 1 |", "| W1 |  |  | 1 | 1 |",
        "| W2 |  |  | 0 | 0 |", "7 actions: say 4" } do
      t:ok(words:find(line, 1, true), "the report says: %s\n%s", line, words:sub(1, 4000))
    end
  end)
end)

test("a report with every field said lacks nothing", function(t)
  with_store(t, function(path, kept)
    held(path, kept)
    local parts = {}
    for _, part in ipairs(headings.parts) do
      local fields = {}
      for _, row in ipairs(part.rows) do fields[#fields + 1] = ("%s = \"said\""):format(row[1]) end
      parts[#parts + 1] = ("%s = { %s }"):format(part.key, table.concat(fields, ", "))
    end
    local data = assert(read((", report = { %s }"):format(table.concat(parts, ", "))))
    t:equal(collect(path, data).missing, 0)
  end)
end)

test("what people wrote means nothing in a report but itself", function(t)
  with_store(t, function(path, kept)
    held(path, kept)
    local data = assert(read ", report = { study = { place = \"<script>alert(1)</script> | *x* [y](z)\" } }")
    local made = collect(path, data)
    t:ok(not report.write(made, page):find "<script")
    t:ok(report.write(made, markdown):find("\\<script\\>alert(1)\\</script\\> \\| \\*x\\*", 1, true))
  end)
end)
