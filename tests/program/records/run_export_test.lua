--- Exported runs: each format is read by a reader that shares no code with its writer.
package.path = arg[0]:match "^(.*)/[^/]*$" .. "/../?.lua;" .. package.path
local harness = require "harness"
local cjson = require "cjson"

local files, quote = harness.files, harness.files.quote
local readers = harness.root .. "/tests/readers"

local folder = files.temporary()
local store = folder .. "/runs.db"

--- Text that people type and programs print, in SQL: commas, quotes, lines, control characters, an invalid
--- UTF-8 byte, an emoji, tags.
local hostile = "'a,\"b\"' || char(13, 10) || 'c;</script><script>alert(1)</script>&amp;]]>' || char(0, 1, \z
  27) || "
  .. "CAST(x'ff' AS TEXT) || '\u{1F600} ''=1+1'"

--- One run of a behavior, with such text from people and programs in it.
local function record()
  local run = harness.brio("run", "behaviors/kiosk.lua", "--robot", "pepper", "--for", "6", "--clock", "fast",
    "--store", store)
  assert(run.code == 0, run.text)
  local sql = ("INSERT INTO events(run, id, tick, t, name, source, data) VALUES (1, 900, 1, 1.5, %s, \z
    'test', '{\"a\":[1]}'),"
    .. "(1, 901, 1, 1.5, 'again', 'test', 'no json');"
    .. "INSERT INTO notes(run, id, t, text) VALUES (1, 900, 2.5, %s);"
    .. "INSERT INTO faults(run, id, t, severity, source, message) VALUES (1, 900, 3, 'error', 'test', %s);"
    .. "INSERT INTO operator(run, id, t, who, command, arguments) VALUES (1, 900, 3.5, %s, 'say', \z
      '[\"hi\"]');"
    .. "INSERT INTO annotations(run, tier, t0, t1, label, coder, live) VALUES (1, %s, 1, 2, %s, 'ann', 0),"
    .. "(1, 'talk', 1, 3, 'one', 'ann', 0), (1, 'talk', 2, 4, 'over it', 'bob', 0);"
    .. "INSERT INTO versions(hash, name, source, bytes) VALUES (printf('%%064d', 7), 'behaviors/kiosk.lua', \z
      'new ' || %s, 9);"
    .. "INSERT INTO run_versions(run, id, t, name, hash) VALUES (1, 900, 2, 'behaviors/kiosk.lua', \z
      printf('%%064d', 7));"
    .. "INSERT INTO dofs(run, dof, name, unit) VALUES (1, 999, %s, 'rad');"):format(hostile, hostile, hostile,
      hostile, hostile,
    hostile, hostile, hostile)
  local answer, why = harness.sql(store, sql)
  assert(answer, why)
end

record()

local function export(...) return harness.brio("export", ...) end

--- The content of a file according to an independent reader; nil where Python is missing (the test reports
--- it).
local function read(t, kind, path)
  if files.output "command -v python3" == "" then t:skip "python3 is not here to read it" end
  local run = harness.run(("python3 %s/run_files.py %s %s"):format(quote(readers), kind, quote(path)))
  if not t:code(run, 0) then return nil end
  return cjson.decode(run.out)
end

local function has(list, value)
  for _, one in ipairs(list) do
    if one == value then return true end
  end
  return false
end

harness.test("without words, the formats are listed", function(t)
  local run = export()
  t:code(run, 0)
  for _, name in ipairs { "csv", "mcap", "elan", "lsl", "glb", "lua" } do t:has(run.out, "~\n  " .. name) end
end)

harness.test("a run becomes tables of comma-separated values that read back", function(t)
  local out = t:folder() .. "/tables"
  t:code(export("1", "--as", "csv", "--store", store, "--out", out), 0)
  local events = read(t, "csv", out .. "/events.csv")
  t:check(events and has(events.texts,
    "a,\"b\"\r\nc;</script><script>alert(1)</script>&amp;]]>\u{FFFD}\1\27\u{FFFD}\u{1F600} '=1+1"),
    "the hostile text reads back, but for what is no text")
  local rows = harness.number(store, "SELECT count(*) FROM events WHERE run = 1")
  t:equal(events.rows, rows, "rows of events")
  local samples = read(t, "csv", out .. "/samples.csv")
  t:equal(samples.rows, harness.number(store, "SELECT count(DISTINCT tick) FROM samples WHERE run = 1"),
    "ticks")
  t:equal(samples.names[3], "HeadYaw.goal", "the third column")
  for _, name in ipairs { "runs", "versions", "states", "story", "solves", "dofs", "annotations" } do
    t:check(files.exists(out .. "/" .. name .. ".csv"), "%s.csv is there", name)
  end
end)

harness.test("one table, some DOFs and a span of time, to the terminal", function(t)
  local run = export("last", "--as", "csv", "--table", "samples", "--dof", "HeadYaw", "--from", "1", "--to",
    "1.1", "--store", store,
    "--out", "-")
  t:code(run, 0)
  t:equal(select(2, run.out:gsub("\r\n", "")), 22, "lines: 21 ticks and the names")
  t:has(run.out, "tick,t,HeadYaw.goal,HeadYaw.command,HeadYaw.measured\r\n")
  local wanted = harness.sql(store, "SELECT command FROM samples WHERE run = 1 AND name = 'HeadYaw' AND \z
    tick = 210")
  t:equal(tonumber(run.out:match "\n210,[^,]*,[^,]*,([^,]*),"), tonumber(wanted), "the command of tick 210")
end)

harness.test("a run becomes tiers of ELAN, beside a recording that began before it", function(t)
  local out = t:folder() .. "/run.eaf"
  t:code(export("1", "--as", "elan", "--store", store, "--out", out, "--media", "a film.mp4", "--media",
    "/data/s.wav",
    "--offset", "10.5"), 0)
  local found = read(t, "eaf", out)
  t:equal(found.media[1].RELATIVE_MEDIA_URL, "./a%20film.mp4", "the film")
  t:equal(found.media[2].MEDIA_URL, "file:///data/s.wav", "the sound")
  local states = found.tiers["states: kiosk"]
  t:equal(states[1][1], 10500, "the first state begins with the run, ms")
  t:equal(states[1][3], "power_on", "the first state")
  t:check(found.tiers["annotations: talk (2)"], "what overlaps has a tier of its own")
  t:check(found.tiers.events[1][3]:find "again$", "events of one moment are one annotation")
  t:check(found.tiers.notes[1][3]:find("</script><script>", 1, true), "markup stays text")
  t:equal(found.tiers.notes[1][1], 13000, "a note at 2.5 s")
end)

--- An .eaf with one more tier, as ELAN writes it: an annotation with times of its own, and one that refers to
--- it; other programs write both in one line.
local function annotated(text, from, to)
  text = text:gsub("</TIME_ORDER>",
    ('<TIME_SLOT TIME_SLOT_ID="n1" TIME_VALUE="%d"/>\n<TIME_SLOT TIME_SLOT_ID="n2" TIME_VALUE="%d"/>\n%%0')
    :format(from, to))
  return (text:gsub("<LINGUISTIC_TYPE ", [=[
<TIER LINGUISTIC_TYPE_REF="brio" TIER_ID="gaze at robot" ANNOTATOR="C2">
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="x1" TIME_SLOT_REF1="n1" TIME_SLOT_REF2="n2">
<ANNOTATION_VALUE>lächelt &lt;up&gt; &amp; <![CDATA[</s>]]></ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>
</ANNOTATION><ANNOTATION><REF_ANNOTATION ANNOTATION_ID="x2"
  ANNOTATION_REF="x1"><ANNOTATION_VALUE>süß</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION><ANNOTATION><!-- é
--><REF_ANNOTATION ANNOTATION_ID="ß" ANNOTATION_REF="x1"><ANNOTATION_VALUE EXT_REF="é>">sure</ANNOTATION_VALUE>
</REF_ANNOTATION></ANNOTATION></TIER>
%0]=], 1))
end

harness.test("what people annotated in ELAN comes back, once, and nothing else does", function(t)
  local out = t:folder() .. "/run.eaf"
  t:code(export("1", "--as", "elan", "--store", store, "--out", out, "--offset", "10.5"), 0)
  local function annotate(...) return harness.brio("annotate", "1", out, "--store", store, ...) end
  local before = harness.number(store, "SELECT count(*) FROM annotations")
  local none = annotate("--coder", "C2")
  t:code(none, 0)
  t:has(none.out, "0 annotations of C2 are new")
  local text = files.read(out)
  files.write(out, annotated(text, 11500, 12250))
  t:has(annotate("--coder", "C2").out, "3 annotations of C2 are new")
  t:has(annotate("--coder", "C2").out, "0 annotations of C2 are new")
  t:equal(harness.number(store, "SELECT count(*) FROM annotations"), before + 3, "annotations")
  t:equal(harness.sql(store,
    "SELECT tier, t0, t1, label, live FROM annotations WHERE coder = 'C2' ORDER BY label"),
    "gaze at robot|1.0|1.75|lächelt <up> & </s>|0\ngaze at robot|1.0|1.75|sure|0\n"
    .. "gaze at robot|1.0|1.75|süß|0", "what came back")
  local wrong = { { "never a name: not 'Ann'", "--coder", "Ann" }, { "say who annotated" },
    { "has no tier 'gazes'", "--coder", "C2", "--tier", "gazes" } }
  for _, case in ipairs(wrong) do t:has(annotate(table.unpack(case, 2)).err, case[1]) end
  files.write(out, (text:gsub('NAME="brio.uuid">%x', 'NAME="brio.uuid">x')))
  t:has(annotate("--coder", "C2").err, "was exported from another run than run 1")
  files.write(out, text:sub(1, #text // 2))
  t:code(annotate("--coder", "C2"), 1)
  files.write(out, "<a/>")
  t:has(annotate("--coder", "C2").err, "ANNOTATION_DOCUMENT was expected")
  t:code(harness.brio("sql", "--store", store, "SELECT count(*) FROM annotations"), 0)
end)

harness.test("a run becomes streams as a lab recorder writes them", function(t)
  local out = t:folder() .. "/run.xdf"
  t:code(export("1", "--as", "lsl", "--store", store, "--out", out, "--offset", "100"), 0)
  local found = read(t, "xdf", out)
  local by = {}
  for _, stream in ipairs(found.streams) do by[stream.name] = stream end
  t:equal(by["brio states: kiosk"].texts[1], "power_on", "the first marker")
  t:equal(by["brio states: kiosk"].times[1], 100, "its time")
  local command = by["brio command"]
  t:equal(command.count, harness.number(store, "SELECT count(DISTINCT tick) FROM samples WHERE run = 1"),
    "samples")
  t:equal(command.labels[1], "HeadYaw", "the first channel")
  t:equal(command.last[1], harness.number(store,
    "SELECT command FROM samples WHERE run = 1 AND name = 'HeadYaw' ORDER BY tick DESC LIMIT 1"),
      "the last command")
  t:check(found.boundaries >= 1, "there are boundaries to begin anew at")
  local list = t:folder() .. "/markers.csv"
  t:code(export("1", "--as", "lsl", "--store", store, "--out", list), 0)
  t:equal(read(t, "csv", list).names[2], "tier", "markers as a table")
end)

--- The folder with the reference reader of MCAP files; without it the test is skipped.
local function mcap_reader(t)
  local place = os.getenv "BRIO_READERS" or harness.build .. "/readers"
  if files.output "command -v node" == "" then t:skip "node is not here to run the reference reader" end
  if not files.exists(place .. "/node_modules/@mcap/core/package.json") then
    t:skip "the reference reader is not here: make readers fetches it from npm"
  end
  return place
end

harness.test("a run becomes an MCAP file that the reference reader accepts", function(t)
  local out, place = t:folder() .. "/run.mcap", mcap_reader(t)
  t:code(export("1", "--as", "mcap", "--store", store, "--out", out), 0)
  local run = harness.run(("BRIO_READERS=%s node %s/mcap.mjs %s"):format(quote(place), quote(readers),
    quote(out)))
  if not t:code(run, 0) then return end
  local found = cjson.decode(run.out)
  t:check(found.whole and found.ordered, "whole, and read in order of time")
  t:check(found.checks.data and found.checks.summary, "the check codes of data and summary")
  t:equal(found.messages, found.counted, "messages by the index, and as counted")
  t:equal(found.streamed, found.counted, "messages from front to end")
  local ticks = harness.number(store, "SELECT count(DISTINCT tick) FROM samples WHERE run = 1")
  t:equal(found.topics["/dofs"].count, ticks, "a message a tick")
  t:equal(found.topics["/log"].schema, "foxglove.Log", "the log's schema")
  t:check(found.topics["/log"].first.message:find("</script>", 1, true), "hostile text stays text")
  t:equal(found.topics["/tf"].schema, "foxglove.FrameTransforms", "frames")
  t:equal(found.topics["/tf"].first.transforms[1].parent_frame_id, "world", "the first frame's parent")
  t:equal(found.topics["/joint_states"].schema, "foxglove.JointStates", "joint states")
  t:equal(found.topics["/states"].first.state, "power_on", "the first state")
  t:equal(found.topics["/dofs"].last.HeadYaw.command, harness.number(store,
    "SELECT command FROM samples WHERE run = 1 AND name = 'HeadYaw' ORDER BY tick DESC LIMIT 1"),
      "the last command")
end)

harness.test("a run becomes one page that needs nothing besides itself", function(t)
  local out = t:folder() .. "/run.html"
  t:code(export("1", "--store", store, "--out", out), 0)
  local found = read(t, "html", out)
  for _, words in ipairs { "Run 1: kiosk on pepper", "It finished", "What happened when", "power_on",
      "HeadYaw", "Faults", "Versions",
    "a,\"b\"", "c;</script><script>alert(1)</script>&amp;]]>", "\u{1F600}",
    "+new a,\"b\"", "-local brio = require" } do
    t:has(found.text, words)
  end
  t:equal(found.tags.script, nil, "scripts")
  t:check(found.tags.svg >= 3, "plots")
end)

harness.test("a run becomes a film of the robot's shapes", function(t)
  local out = t:folder() .. "/run.glb"
  t:code(export("1", "--as", "glb", "--store", store, "--out", out, "--rate", "20", "--from", "1", "--to",
    "4"), 0)
  local found = read(t, "glb", out)
  t:equal(found.frames, 61, "frames: 3 s of 20 a second, and the last")
  t:check(math.abs(found["end"] - 3) < 1e-6, "the film ends at 3 s")
  t:check(found.meshes > 5 and found.triangles > 1000, "the robot has shapes")
  t:check(found.channels > 0, "links move")
  local refused = export("1", "--as", "glb", "--store", store, "--out", out, "--robot", "pannda")
  t:code(refused, 1)
  t:has(refused.err, "panda")
end)

harness.test("what cannot be is said, and leaves no file", function(t)
  local place = t:folder()
  local function refused(code, sentence, ...)
    local run = export(...)
    t:code(run, code)
    t:has(run.err, sentence)
  end
  refused(2, "there is no format 'mcp' (did you mean 'mcap'?)", "1", "--as", "mcp", "--store", store)
  refused(2, "mcap has no use for --table", "1", "--as", "mcap", "--table", "events", "--store", store)
  refused(1, "there is no run 7", "7", "--as", "mcap", "--store", store, "--out", place .. "/x.mcap")
  refused(1, "it has", "1", "--as", "csv", "--table", "evnts", "--store", store, "--out", place .. "/x.csv")
  refused(1, "it has nothing from 99.00 s on", "1", "--as", "lsl", "--from", "99", "--store", store,
    "--out", place .. "/x.xdf")
  refused(1, "no DOF 'HeadYav'", "1", "--as", "csv", "--dof", "HeadYav", "--store", store, "--out",
    place .. "/x.csv")
  refused(2, "--to must be after --from", "1", "--as", "lsl", "--from", "2", "--to", "1", "--store", store)
  refused(1, "/no/such/folder", "1", "--as", "elan", "--store", store, "--out", "/no/such/folder/x.eaf")
  if files.output "test -c /dev/full && echo yes" == "yes" then
    refused(1, "No space left", "1", "--as", "lsl", "--store", store, "--out", "/dev/full")
  end
  t:equal(files.output("ls " .. quote(place)), "", "files left behind")
end)

harness.test("of a damaged store, what can be read is in the report, and nothing is half written", function(t)
  local bad, out = t:folder() .. "/bad.db", t:folder()
  t:check(harness.sql(store, "VACUUM INTO '" .. bad .. "'"), "a copy")
  t:check(harness.sql(bad, "UPDATE sample_blocks SET bytes = CAST(substr(bytes, 1, 20) || x'0102' || \z
    substr(bytes, 23) AS BLOB) WHERE dof = 3"),
    "some bytes of it are others")
  local report = export("1", "--as", "html", "--store", bad, "--out", out .. "/run.html")
  t:code(report, 0)
  t:has(report.err, "DOF 3")
  t:has(read(t, "html", out .. "/run.html").text, "This could not be read: ")
  local film = export("1", "--as", "mcap", "--store", bad, "--out", out .. "/run.mcap")
  t:code(film, 1)
  t:has(film.err, "DOF 3")
  t:equal(files.output("ls " .. quote(out)), "run.html", "files")
end)

harness.test("a run is exported while it is still recorded", function(t)
  local live, out = t:folder() .. "/live.db", t:folder() .. "/live.xdf"
  local process = harness.start_brio("run", "behaviors/kiosk.lua", "--robot", "pepper", "--store", live)
  harness.await_row(live, "SELECT count(*) > 20 FROM samples WHERE run = 1 AND name = 'HeadYaw'")
  local run = export("last", "--as", "lsl", "--store", live, "--out", out)
  t:code(run, 0)
  harness.signal(process, "INT")
  t:equal(harness.wait(process), 0, "the run ends well")
  local found = read(t, "xdf", out)
  t:check(found.streams[#found.streams].count > 20, "samples so far")
end)

files.remove(folder)
harness.done()
