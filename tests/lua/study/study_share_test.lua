--- Sharing a study, and withdrawal: the contents of an export, and what is kept of a participant who
--- withdrew.
require "brio"
local here = debug.getinfo(1, "S").source:match "^@(.*)/" or "."
package.path = here .. "/../../lib/?.lua;" .. package.path
local export, questionnaire = require "brio.study.export", require "brio.ask.questionnaire"
local record, session = require "brio.study.record", require "brio.study.session"
local store, studies, withdraw = require "brio.store", require "studies", require "brio.study.withdraw"
local answers = require "brio.study.questionnaires.answers"
local side, uv = require "brio.record.side_files", require "luv"
local tables = require "brio.study.export.tables"
local zip = require "brio.formats.zip"

local function files_of(path, data, options)
  local db = assert(store.open(path))
  local files, alone = export.files(db, data, options or {})
  db:close()
  assert(files, alone)
  local by_name = {}
  for _, file in ipairs(files) do by_name[file[1]] = file[2] end
  return by_name, alone, files
end

local function lines(text)
  local list = {}
  for line in text:gmatch "[^\n]+" do list[#list + 1] = line end
  return list
end

-- Secrets -------------------------------------------------------------------------------------------------

--- Texts that no export may contain.
local secrets = { "Annabel", "Quentin", "robotlab7", "/home/quentin", "My name is", "she cried", "badge 4471",
  "2031" }

--- A session with a secret in every field that holds a text, a name, a path or a date of a person.
local function plant(path, kept)
  local data = studies.read ", questionnaires = { \"sus\" }"
  local found = studies.registered(path, kept, data)
  assert(kept:consent(found.id, "P01", { age = 31, robots = "never", hidden = "Annabel" }))
  local one = assert(session.begin(kept, data, record.find(path, "nod"),
    { participant = "P01", wizard = "W1" }))
  local writer = assert(store.record(path))
  local run = assert(writer:begin { behavior = "/home/quentin/b.lua", robot = "pepper", driver = "sim",
    clock = "real", options = '{"world":"/home/quentin/w.lua"}' })
  writer:put("session_runs", { session = one.id })
  writer:version("/home/quentin/b.lua", "-- Quentin wrote this", nil, 0)
  writer:put("operators", { id = 1, who = "Quentin (robotlab7)", role = "wizard", device = "prompt",
    attached = 0 })
  writer:put("operators", { id = 2, who = "W1 (robotlab7)", role = "wizard", device = "prompt",
    attached = 0 })
  writer:put("operator", { tick = 1, t = 1, who = "Quentin (robotlab7)", command = "say",
    arguments = '"My name is Annabel"' })
  writer:put("session_steps", { id = 1, session = one.id, step = "welcome", expected = "say hello, Annabel",
    t_cue = 1, t_begun = 1 })
  writer:put("session_step_end", { id = 1, t_ended = 3, outcome = "done",
    branch = "next, by Quentin (robotlab7)" })
  for id, who in ipairs { "Quentin (robotlab7)", "W1 (robotlab7)" } do
    writer:put("actions", { id = id, operator = id, who = who, role = "wizard", device = "prompt",
      name = "say",
      arguments = '"My name is Annabel"', expected = id == 2 and "say hello, Annabel" or nil,
        step = "welcome", t_cue = 1,
      t_input = 2.00004, t_accept = 2.002, t_dispatch = 2.004 })
    writer:put("action_end", { id = id, t_done = 3, outcome = "interrupted", reason = "she cried",
      interrupted_by = "Quentin (robotlab7)" })
  end
  writer:put("action_mark", { id = 1, error_class = "wrong", marked_by = "Quentin (robotlab7)",
    marked_t = 4 })
  writer:put("notes", { t = 2, text = "she cried, badge 4471" })
  writer:put("annotations", { tier = "note", t0 = 2, label = "badge 4471", coder = "Quentin", live = 1 })
  writer:put("logs", { t = 2, severity = "info", source = "/home/quentin/b.lua", text = "Annabel came" })
  writer:put("events", { tick = 1, t = 2, name = "person_appeared", source = "perception",
    data = '{"id":"Annabel"}' })
  writer:put("states", { id = 1, machine = "nod", state = "greet", cause = "event", detail = "Annabel",
    entered = 1 })
  writer:put("faults", { tick = 1, t = 2, severity = "error", source = "/home/quentin/b.lua",
    message = "Annabel", detail = "/home/quentin" })
  assert(writer:finish { duration = 5.0, ticks = 1000, outcome = "finished", reason = "Quentin stopped it" })
  assert(writer:close())
  assert(kept:finish(one.id, "finished", "she cried"))
  local sus = assert(questionnaire.find "sus")
  local sheet = assert(answers.open(path))
  local items = {}
  for index, item in ipairs(sus.items) do items[index] = item.id end
  local sitting = assert(sheet:begin(sus,
    { participant = "P01", condition = one.condition, run = run, language = "en", items = items }))
  for _, item in ipairs(items) do assert(sheet:answer(sitting, item, 4, 1.5)) end
  assert(sheet:finish(sitting, "finished"))
  sheet:close()
  local db = assert(store.change(path))
  for _, sql in ipairs { "UPDATE runs SET started_at = '2031-01-02T03:04:05.000Z'",
      "UPDATE sessions SET began = '2031-01-02T03:04:05.000Z'",
    "UPDATE participants SET consented_at = '2031-01-01T03:04:05.000Z'" } do assert(db:query(sql)) end
  db:close()
  return data, one
end

test("an export has no name, text, path, machine or date that people left in the store", function(t)
  studies.with_store(t, function(path, kept)
    local data = plant(path, kept)
    local by_name = files_of(path, data)
    local count = 0
    for name, text in pairs(by_name) do
      count = count + 1
      for _, secret in ipairs(secrets) do
        t:ok(not text:lower():find(secret:lower(), 1, true), "%s has '%s' in it", name, secret)
      end
      t:ok(not text:find(path, 1, true) and not text:find "20%d%d%-%d%d%-%d%d", "%s has no path and no date",
        name)
    end
    t:equal(count, #tables.list + 1)
    local file = io.open(path, "rb")
    local bytes = file:read "a" .. (io.open(path .. "-wal", "rb") or file):read "a"
    file:close()
    for _, secret in ipairs(secrets) do t:ok(bytes:find(secret, 1, true), "'%s' was planted", secret) end
  end)
end)

test("an export has what was measured, with codes and times since the session began", function(t)
  studies.with_store(t, function(path, kept)
    local data = plant(path, kept)
    local by_name, alone = files_of(path, data)
    t:equal(alone, 1)
    t:equal(lines(by_name["participants.csv"])[1], "participant,sequence,replaces,state,age,robots")
    t:ok(lines(by_name["participants.csv"])[2]:find "^P01,%d,0,consented,31,never$",
      by_name["participants.csv"])
    local acts = lines(by_name["actions.csv"])
    t:equal(acts[2],
      "1,1,O1,wizard,prompt,say,A001,welcome,,,interrupted,1,wrong,wrong,O1,0,1.0,2.0,2.002,2.004,,3.0")
    t:equal(acts[3],
      "1,1,W1,wizard,prompt,say,A001,welcome,E001,0,interrupted,1,,,,0,1.0,2.0,2.002,2.004,,3.0")
    t:equal(lines(by_name["steps.csv"])[2], "1,1,welcome,E001,1.0,1.0,3.0,done,next")
    t:equal(#lines(by_name["answers.csv"]), 11)
    t:equal(#lines(by_name["plan.csv"]), 9)
    t:ok(lines(by_name["answers.csv"])[2]:find "^1,P01,%a+,sus,", by_name["answers.csv"])
    local book = require("cjson").decode(by_name["codebook.json"])
    for name, text in pairs(by_name) do
      local columns = {}
      for index, one in ipairs(book.files[name] or {}) do columns[index] = one.column end
      if name ~= "codebook.json" then t:equal(table.concat(columns, ","), lines(text)[1], name) end
    end
    local without, none = files_of(path, data, { without_facts = true })
    t:equal({ lines(without["participants.csv"])[1], none }, { "participant,sequence,replaces,state", 0 })
  end)
end)

test("a fact has its own column, whatever its name", function(t)
  studies.with_store(t, function(path, kept)
    local data = assert(require("brio.study.file").parse(studies.text():gsub("robots = {", "state = {")
      :gsub("age = {", "facts = {"), "nod.lua"))
    local found = studies.registered(path, kept, data)
    assert(kept:consent(found.id, "P01", { facts = 31, state = "often" }))
    assert(kept:consent(found.id, "P02", { facts = 40 }))
    local rows = lines(files_of(path, data)["participants.csv"])
    t:equal(rows[1], "participant,sequence,replaces,state,facts,state")
    t:match(rows[2], "^P01,%d,0,consented,31,often$")
    t:match(rows[3], "^P02,%d,0,consented,40,$")
    t:match(rows[4], "^P03,%d,0,planned,,$")
  end)
end)

test("an export is the same however often it is made, and as one file, too", function(t)
  studies.with_store(t, function(path, kept)
    local data = studies.held(path, kept)
    local _, _, files = files_of(path, data)
    local _, _, again = files_of(path, data)
    t:equal(files, again)
    t:equal(zip.crc "123456789", 0xCBF43926) -- the check value of CRC-32
    local name = os.tmpname()
    local file = assert(io.open(name, "wb"))
    file:write(zip.pack(files))
    file:close()
    local pipe = io.popen(("unzip -p %s errors.csv 2>&1"):format(name))
    local text = pipe:read "a"
    if pipe:close() then
      for index, one in ipairs(files) do
        if one[1] == "errors.csv" then t:equal(text, files[index][2]) end
      end
    else
      t:ok(zip.pack(files):find "^PK\3\4", "(unzip is not here)")
    end
    os.remove(name)
  end)
end)

-- Withdrawing -----------------------------------------------------------------------------------------------

local function bytes_of(path)
  local all = {}
  for _, suffix in ipairs { "", "-wal" } do
    local file = io.open(path .. suffix, "rb")
    if file then
      all[#all + 1] = file:read "a"
      file:close()
    end
  end
  return table.concat(all)
end

test("who withdraws leaves nothing but that they did, not even in the file's bytes", function(t)
  studies.with_store(t, function(path, kept)
    local data = plant(path, kept)
    local found = record.find(path, "nod")
    assert(kept:consent(found.id, "P02", { age = 40 }))
    local other = assert(session.begin(kept, data, record.find(path, "nod"),
      { participant = "P02", wizard = "W1" }))
    studies.record_run(path, other.id)
    kept:close()
    local would = assert(withdraw.participant(path, found.id, "P01", false))
    t:equal({ would.runs, would.sessions, would.sittings, would.responses, would.actions },
      { 1, 1, 1, 10, 2 })
    t:equal(#record.find(path, "nod").sessions, 2, "it was only counted")
    local count, shrunk = withdraw.participant(path, found.id, "P01", true)
    t:equal({ count, shrunk }, { would, true })
    local bytes = bytes_of(path)
    for _, secret in ipairs(secrets) do
      t:ok(not bytes:find(secret, 1, true), "'%s' is still in the file", secret)
    end
    local after = record.find(path, "nod")
    local person = after.participants.P01
    t:equal({ person.consent, person.facts, person.consented_at, record.state(after, "P01") },
      { 0, nil, nil, "withdrawn" })
    t:equal({ #after.sessions, after.sessions[1].participant }, { 1, "P02" })
    t:equal(#studies.asked(path, "SELECT * FROM actions"), 7, "the other participant's are all there")
    t:equal(studies.asked(path, "PRAGMA integrity_check")[1].integrity_check, "ok")
    t:equal(studies.asked(path, "PRAGMA foreign_key_check"), {})
    local again = assert(record.open(path))
    t:ok(not session.begin(again, data, after, { participant = "P01", wizard = "W1" }),
      "nothing more is kept of them")
    t:ok(not again:consent(found.id, "P01"), "nor by mistake")
    assert(again:replace(after, "P01", "P01R"))
    again:close()
    local plan = record.find(path, "nod").plan
    t:equal({ plan.P01R[1].condition, plan.P01R[2].condition, plan.P01R[1].instead_of },
      { plan.P01[1].condition, plan.P01[2].condition, "P01" })
    local by_name = files_of(path, data)
    t:ok(by_name["participants.csv"]:find "P01,%d,0,withdrew,,", by_name["participants.csv"])
  end)
end)

test("point clouds that runs kept beside the store go with who withdraws, and no others", function(t)
  local folder = t:temporary ""
  assert(uv.fs_mkdir(folder, 448))
  local path = folder .. "/study.db"
  local kept = assert(record.open(path))
  local data = studies.read ""
  local found, hashes = studies.registered(path, kept, data), {}
  assert(uv.fs_mkdir(side.folder(path), 448))
  for _, code in ipairs { "P01", "P02" } do
    assert(kept:consent(found.id, code))
    local one = assert(session.begin(kept, data, record.find(path, "nod"),
      { participant = code, wizard = "W1" }))
    local run, hash = studies.record_run(path, one.id), store.hash("points of " .. code)
    local db = assert(store.change(path))
    assert(db:query("INSERT INTO files(hash, length, path) VALUES(?1, 13, ?1)", hash))
    assert(db:query("INSERT INTO kept_clouds VALUES(?1, 1, 1, 0.0, 'depth', 0.0, 1, ?2)", run, hash))
    assert(db:query("INSERT INTO tapes VALUES(?1, 1, 1, 0.0, 1, x'00')", run))
    db:close()
    local file = assert(io.open(side.folder(path) .. "/" .. hash, "wb"))
    file:write("points of " .. code)
    file:close()
    hashes[code] = hash
  end
  kept:close()
  assert(withdraw.participant(path, found.id, "P01", false))
  t:equal(side.read(path, hashes.P01), "points of P01", "it was only counted")
  assert(withdraw.participant(path, found.id, "P01", true))
  t:equal({ side.read(path, hashes.P01), side.read(path, hashes.P02) }, { nil, "points of P02" })
  t:equal(studies.asked(path, "SELECT path FROM files"), { { path = hashes.P02 } })
  os.remove(side.folder(path) .. "/" .. hashes.P02)
  for _, name in ipairs { side.folder(path), path, path .. "-wal", path .. "-shm", folder } do
    os.remove(name)
  end
end)

test("answers belong to one study where two have the same codes in a store", function(t)
  studies.with_store(t, function(path, kept)
    local data = plant(path, kept)
    local other = assert(require("brio.study.file").parse(
      studies.text():gsub('"nod"', '"wave"'):gsub("still", "slow"), "wave.lua"))
    local found = studies.registered(path, kept, other)
    assert(kept:consent(found.id, "P01"))
    local sus, sheet = assert(questionnaire.find "sus"), assert(answers.open(path))
    for index, condition in ipairs { "slow", "still", "none" } do
      local id = assert(sheet:begin(sus, { participant = "P01", condition = condition ~= "none" and condition
        or nil, language = "en", items = { sus.items[1].id } }))
      assert(sheet:answer(id, sus.items[1].id, index) and sheet:finish(id, "finished"))
    end
    sheet:close()
    local function of(name)
      local rows = studies.asked(path, [[SELECT coalesce(t.condition, 'none') || coalesce(' ' || s.condition, '') AS line FROM study_sittings t
        JOIN studies u ON u.id = t.study LEFT JOIN sessions s ON s.id = t.session WHERE u.name = ? ORDER BY t.sitting]], name)
      local list = {}
      for index, row in ipairs(rows) do list[index] = row.line end
      return list
    end
    local first = record.find(path, "nod").plan.P01[1].condition
    t:equal(of "nod", first == "still" and { "still still", "still still", "none" }
      or { "nodding nodding", "still", "none" })
    t:equal(of "wave", { "slow", "none" })
    assert(withdraw.participant(path, record.find(path, "wave").id, "P01", true))
    t:equal(of "nod", first == "still" and { "still still", "still still" } or { "nodding nodding", "still" },
      "what belongs to the other study stays")
    t:equal(#studies.asked(path, "SELECT * FROM runs"), 1)
    t:ok(files_of(path, data)["answers.csv"]:find "P01")
  end)
end)

test("a study that is held in two rooms becomes one when their stores are merged", function(t)
  studies.with_store(t, function(path, kept)
    local data = studies.held(path, kept)
    studies.with_store(t, function(other, second)
      local found = studies.registered(other, second, data)
      assert(second:consent(found.id, "P02", { age = 40 }))
      local one = assert(session.begin(second, data, record.find(other, "nod"),
        { participant = "P02", wizard = "W2" }))
      studies.record_run(other, one.id)
      assert(second:finish(one.id, "finished"))
      assert(require("brio.analysis.upkeep.merge").into(path, other))
    end)
    local found = record.find(path, "nod")
    t:equal({ #found.sessions, #found.versions, #found.codes, found.participants.P02.facts },
      { 2, 1, 4, '{"age":40}' })
    t:equal({ found.sessions[1].runs, found.sessions[2].runs }, { { 1 }, { 2 } })
    t:equal(#studies.asked(path, "SELECT * FROM wizard_errors"), 10)
    t:equal(studies.asked(path, "PRAGMA foreign_key_check"), {})
  end)
end)

-- What docs/analysis/studies.md says ------------------------------------------------------------------------

test("the page of studies has every field, way, verb, importer and error, and its queries run", function(t)
  local file = assert(io.open "docs/analysis/studies.md")
  local page = file:read "a"
  file:close()
  local design, command = require "brio.study.design", require "brio.commands.study"
  local known = { "slip", "late", "omitted", "wrong", "system" }
  for name in pairs(design.ways) do known[#known + 1] = name end
  for _, name in ipairs(require("brio.study.import").formats) do known[#known + 1] = name end
  for name in pairs(require("brio.study.file").fields) do known[#known + 1] = name end
  for _, name in ipairs(known) do
    t:ok(page:find("`" .. name .. "`", 1, true), "nothing is said of `%s`", name)
  end
  for _, name in ipairs(command.verbs) do
    t:ok(page:find("\n  " .. name .. " ", 1, true) and require("brio.commands.study." .. name).run,
      "nothing is said of the verb %s", name)
  end
  studies.with_store(t, function(path, kept)
    plant(path, kept)
    local queries = 0
    for query in page:gmatch "```sql\n(.-)```" do
      queries = queries + 1
      t:ok(#studies.asked(path, query) > 0, "nothing comes of: %s", query)
    end
    t:equal(queries, 2)
  end)
end)
