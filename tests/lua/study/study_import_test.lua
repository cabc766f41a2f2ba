--- Imported sessions: the corpus SCOUT and logs of a robot face on a tablet, and other files, which are
--- refused.
require "brio"
local here = debug.getinfo(1, "S").source:match "^@(.*)/" or "."
package.path = here .. "/../../lib/?.lua;" .. package.path
local export = require "brio.study.export"
local import = require "brio.study.import"
local markdown = require "brio.study.report.markdown"
local report, store, studies = require "brio.study.report", require "brio.store", require "studies"

local head = "id\ttime\tstream\ttext\ttu\trel\tant\tcontext\n"

local function row(...) return table.concat({ ... }, "\t") .. "\n" end

local small = head .. row("1", "1976-08-28 17:53:14.00", "DM->RN", '"calibrate"', "1", "1",
  "translation-r-direct", "None")
  .. row("2", "2018-06-25 10:00:00.50", "CMD", '"go to the door"', "2", "None", "None", "None")
  .. row("3A", "2018-06-25 10:00:04.00", "DM->RN", '"go to the door, "', "2", "2",
    "translation-r-direct-error", "None")
  .. row("3B", "None", "DM->RN", '"image"', "2", "3A", "continue", "None")
  .. row("4", "2018-06-25 10:00:06.00", "DM->CMD", '"executing..."', "2", "2*", "ack-doing", "None")
  .. row("5", "2018-06-25 10:01:00.00", "RN", '"<no speech>"', "None", "None", "None", "None")
  .. row("6", "2018-06-25 10:02:00.50", "RN", '"done"', "2", "3B*", "ack-done", "None")

local function read(name, text)
  return require("brio.study.import." .. name).read { { name = "p4.07_main2.tsv", text = text } }
end

local function ask(path, sql)
  local lines = {}
  for _, one in ipairs(studies.asked(path, sql)) do lines[#lines + 1] = one.line end
  return lines
end

test("a dialogue becomes actions with cues, errors that were marked, and annotations", function(t)
  studies.with_store(t, function(path)
    local importer = assert(import.find(nil, small))
    local data, made = import.into(path, importer, { { name = "x/p4.07_main2.tsv", text = small } })
    t:equal(made and made.sessions[1].run, 1, "its run's number")
    assert(data, made)
    t:equal(made.told, { "1 rows without speech were left out",
      "1 rows have an impossible date; they get the time of the row before" })
    t:equal(ask(path, "SELECT wizard || ' ' || did || ' ' || coalesce(t_cue, '-') || ' ' || t_input AS line \z
      FROM session_actions ORDER BY action"),
      { "DM1 instruct calibrate 0.0 0.0", "DM1 instruct go to the door, 0.0 3.5",
        "DM1 instruct image 3.5 3.5", "DM1 say executing... 0.0 5.5", "RN1 report done - 120.0" })
    t:equal(ask(path, "SELECT error || ' ' || how || ' ' || marked_by || ' ' || t AS line FROM \z
      wizard_errors"), { "wrong marked annotators 3.5" })
    t:equal(ask(path, "SELECT tier || ' ' || t0 || ' ' || coalesce(t1, '-') || ' ' || label AS line FROM \z
      annotations ORDER BY tier, id LIMIT 4"),
      { "participant 0.0 - go to the door", "relation 0.0 - 1 translation-r-direct of 1",
        "relation 3.5 - 3A translation-r-direct-error of 2",
        "relation 3.5 - 3B continue of 3A" })
    t:equal(ask(path, "SELECT t0 || ' ' || t1 AS line FROM annotations WHERE tier = 'transaction' AND label \z
      = '2'"), { "0.0 120.0" })
    t:equal(ask(path, "SELECT participant || ' ' || condition || ' ' || ordinal || ' ' || outcome AS line \z
      FROM sessions"), { "p4-07 main2 1 finished" })
    t:equal(ask(path, "SELECT count(*) || ' ' || max(who) AS line FROM operator"), { "5 RN1" })
    local _, why = import.into(path, importer, { { name = "p4.07_main2.tsv", text = small } })
    t:ok(why:find "has a study 'scout' already", "%s", why)
  end)
end)

test("what is no dialogue is told where it is wrong", function(t)
  local wrong = {
    [head] = "there is no time in it",
    [head .. "1\t2\tCMD\n"] = "line 2 has 3 columns, 8 were expected",
    [head .. row("1", "1", "CMD", '"\xff"', "1", "1", "x", "None")] = "line 2 is not UTF%-8",
    [head .. row("1", "soon", "CMD", '"x"', "1", "1", "x", "None")] = "there is no time",
  }
  for _, time in ipairs { "2018-06-25 10:00:00.5.0", "2018-06-25 10:00:.", "2018-06-25 10:00:" } do
    wrong[head .. row("1", time, "CMD", '"x"', "1", "1", "x", "None")] = "there is no time"
  end
  for text, expected in pairs(wrong) do
    local made, why = read("scout", text)
    t:ok(not made and why:find(expected), "%s: %s", expected, tostring(why))
  end
  t:ok(select(2, require("brio.study.import.scout").read {
    { name = "a.tsv", text = small } }):find "such as p1.01_main1.tsv")
  t:ok(select(2, require("brio.study.import.scout").read {
    { name = "p1.01_main3.tsv", text = small } }):find "such as p1.01_main1.tsv", "there are two trials")
  for text, expected in pairs { ["{"] = "no JSON", ["[]"] = "no list 'trace'",
      ['{"trace":[{"timestamp":1,"value":3}],"SpeechSynthesis":[]}'] =
    "expected one with 'state'" } do
    local made, why = read("tablet", text)
    t:ok(not made and why:find(expected), "%s: %s", expected, tostring(why))
  end
  t:ok(select(2, import.find(nil, "hello", "b.tsv")):find "^b.tsv is of an unknown kind")
  local _, cut = read("scout", small:sub(1, 20))
  t:ok(cut:find "^p4.07_main2.tsv: line 1 is not the head", "%s", cut)
  t:equal(read("scout", small:sub(1, -2)).told[3],
    "p4.07_main2.tsv: its last line has no end; the file may be cut off")
  t:equal(#read("scout", small).told, 2)
  t:ok(select(2, import.find("scuot")):find "did you mean 'scout'")
end)

-- The real ones ---------------------------------------------------------------------------------------------

local data_folder = "../shared/data/hri/"

local function files(t, pattern)
  local list = {}
  local pipe = io.popen("ls " .. data_folder .. pattern .. " 2>/dev/null")
  for name in pipe:lines() do
    local file = assert(io.open(name, "rb"))
    list[#list + 1] = { name = name, text = file:read "a" }
    file:close()
  end
  pipe:close()
  if #list == 0 then t:skip(data_folder .. pattern .. " is not here") end
  return list
end

test("the sessions of SCOUT become a study, its report and an export", function(t)
  local list = files(t, "scout_woz/*.tsv")
  if #list == 0 then return end
  studies.with_store(t, function(path)
    local data, made = import.into(path, assert(import.find("scout")), list)
    assert(data, made)
    local counts = { ["DM->CMD"] = 0, ["DM->RN"] = 0, RN = 0, CMD = 0 }
    local words = { ["DM->CMD"] = "say", ["DM->RN"] = "instruct", RN = "report" }
    for _, file in ipairs(list) do
      for line in file.text:gmatch "[^\n]+" do
        local stream, text = line:match "^[^\t]*\t[^\t]*\t([^\t]*)\t\"(.-)\"\t"
        if counts[stream] and not text:find "^<no speech" then counts[stream] = counts[stream] + 1 end
      end
    end
    for stream, word in pairs(words) do
      t:equal(ask(path, ("SELECT count(*) AS line FROM actions WHERE name = '%s'"):format(word)),
        { counts[stream] }, stream)
    end
    t:equal(ask(path, "SELECT count(*) AS line FROM annotations WHERE tier = 'participant'"), { counts.CMD })
    t:equal(ask(path, "SELECT count(*) AS line FROM sessions"), { #list })
    t:equal(ask(path, "SELECT count(*) AS line FROM actions WHERE t_input < 0 OR t_cue > t_input"), { 0 })
    t:equal(ask(path, "PRAGMA foreign_key_check"), {})
    local db = assert(store.open(path))
    local text = report.write(assert(report.collect(db, "scout")), markdown)
    for _, expected in ipairs { "3395 actions: say 1725, instruct 920, report 750.",
        "| DM1 | 2645 | 0 | 0 | 0 | 14 | 0 | 0.5 |",
      "From cue to key, of 2613 actions: median 5.37 s", "12 sessions: median 2" } do
      if #list == 12 then t:ok(text:find(expected, 1, true), "the report says: %s", expected) end
    end
    local shared, why = export.files(db, data, {})
    db:close()
    for _, file in ipairs(assert(shared, why)) do
      t:ok(not file[2]:lower():find "doorway" and not file[2]:find "20%d%d%-%d%d",
        "%s has no words and no dates", file[1])
      if file[1] == "actions.csv" then
        t:equal(select(2, file[2]:gsub("\n", "")), 1 + counts["DM->CMD"] + counts["DM->RN"] + counts.RN)
      end
    end
  end)
end)

test("a session of a face on a tablet becomes states and what it said", function(t)
  local list = files(t, "tablet_face_log/*.json")
  if #list == 0 then return end
  studies.with_store(t, function(path)
    local data, made = import.into(path, assert(import.find(nil, list[1].text)), list)
    assert(data, made)
    t:equal(ask(path, "SELECT state || ' ' || round(entered, 2) AS line FROM states LIMIT 3"),
      { "S1 1.05", "S2 5.83", "S3 7.58" })
    t:equal(ask(path, "SELECT data ->> 'text' AS line FROM events WHERE t < 8"),
      { "How are you?", "I'm happy to hear that!" })
    local db = assert(store.open(path))
    t:ok(report.write(assert(report.collect(db, "tablet")), markdown):find("1 session: median", 1, true))
    db:close()
  end)
end)
