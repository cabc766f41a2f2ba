--- A whole session of the study in behaviors/studies: consent, two wizards at terminals of their own, a crash
--- in the middle, a session script with deliberate errors, a questionnaire, the report and the export.  Ten
--- minutes with --soak; otherwise the waits of the script are short.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local pty = require "pty"
local test, files = harness.test, harness.files

local soak = harness.scale > 1

local questionnaire = [[
return { name = "close", title = "Close?", sources = { "own" }, permission = "free", lowest = 1, highest = 5,
  groups = { { id = "near", title = "Near" } }, items = { { id = "heard", group = "near" }, { id = "warm", group = "near" } },
  languages = { en = { name = "English", origin = "own", source = "own", instruction = "How was it?", labels = { "no", "yes" },
    items = { heard = "It heard me.", warm = "It was warm." } } } }
]]

local people = "W1 wizard 0123456789abcdef01\nW2 wizard 0123456789abcdef02\n"

--- The study of behaviors/studies in a folder, with a short questionnaire; its waits are as long as the soak
--- has time.
local function laid_out(t)
  local folder = t:folder()
  local source = harness.root .. "/behaviors/studies/"
  local study = files.read(source .. "listening.lua"):gsub('"%.%./nodding%.lua"',
    ("%q"):format(harness.root .. "/behaviors/nodding.lua"))
  study = study:gsub('"godspeed"', '"./close.lua"')
  local script = files.read(source .. "listening_session.lua")
  if not soak then -- "day" and "best_told" end by a word: what is done in them may take long
    script = script:gsub("local minutes = 60", "local minutes = 0.2"):gsub("late = 4", "late = 1")
    for _, step in ipairs { "day", "best_told" } do
      script = script:gsub(('({ "%s", text = "[^"]*", after = {) 2%%.5 %%* minutes'):format(step), "%1 3600")
    end
    t:equal(select(2, script:gsub("3600", "")), 2, "steps without an end of their own")
  end
  files.write(folder .. "/study.lua", study)
  files.write(folder .. "/listening_session.lua", script)
  files.write(folder .. "/close.lua", questionnaire)
  files.write(folder .. "/people", people)
  files.output("chmod 600 " .. folder .. "/people")
  return { folder = folder, study = folder .. "/study.lua", store = folder .. "/x.db" }
end

local function study(place, ...)
  local words = { "study", ... }
  words[#words + 1] = "--store"
  words[#words + 1] = place.store
  return harness.brio(table.unpack(words))
end

--- A run of P01's session that people attach to.
local function begun(place)
  place.runs = (place.runs or 0) + 1
  local run = { store = place.store, socket = ("%s/s%d"):format(place.folder, place.runs),
    folder = place.folder }
  run.process = harness.start_brio("run", "--study", place.study, "--participant", "P01", "--wizard", "W1",
    "--store", place.store,
    "--socket", run.socket, "--operators", place.folder .. "/people", "--speak-with", "none", "--quiet",
    "--rate", soak and 200 or 50, "--motor-rate", soak and 1000 or 200)
  return harness.listening(run)
end

--- A wizard's terminal.
local function attached(run, code)
  local token = people:match(code .. " wizard (%x+)")
  local one = pty.start(("exec %s attach %s --token %s"):format(files.quote(harness.program), run.socket,
    token), { folder = run.folder, width = 100, height = 30 })
  one:sees "brio>"
  return one
end

--- Type a line, and check its effect.
local function says(one, line, piece)
  one:type(line .. "\r")
  one:sees(piece)
end

--- Type a line, and check that it leads to a step that lasts half a second, or already to the next: on a busy
--- machine the screen may lag.
local function says_shortly(one, line, step, next_step)
  one:type(line .. "\r")
  one:waits(("%s or %s on the screen"):format(step, next_step), function(made)
    local text = made:text()
    return harness.contains(text, step) or harness.contains(text, next_step)
  end)
end

--- The robot's run is killed in the middle of the welcome.
local function crashed(t, place)
  local run = begun(place)
  local one = attached(run, "W1")
  says(one, "check all", "ready")
  says(one, "step next", "1/10 welcome")
  harness.signal(run.process, "KILL")
  harness.wait(run.process)
  one:type "\3\4"
  t:check(one:close(), "the prompt does not end")
end

--- All ten steps, with a slip, a late line, a wrong one, and an omitted nod.
local function held(place, one, two)
  says(one, "check all", "ready")
  says(one, "step next", "1/10 welcome")
  says(one, "say Hello. I would like to hear about your day.", "2/10 day")
  two:type "\27OP"
  two:sees "play nod: plays nod"
  if not soak then one:type "step next\r" end
  one:sees "3/10 best"
  says(one, "say What was the best day?", "not: say")
  says(one, "say What was the best moment of it?", "4/10 best_told")
  says(two, "say Anna, you poor thing!", "says: Anna")
  says(two, "mark-wrong wrong", "marked as wrong")
  if not soak then one:type "step next\r" end
  one:sees "5/10 worst"
  harness.go_on(place.store, soak and 4.2 or 1.2) -- too late
  says_shortly(one, "say And what was the worst?", "6/10 worst_told", "7/10 tomorrow")
  says(two, "note Anna cried a little", "noted")
  one:sees "7/10 tomorrow"
  says_shortly(one, "say And tomorrow?", "8/10 plans", "9/10 nod")
  one:sees "9/10 nod"
  says(one, "step next", "10/10 goodbye")
  says(one, "say Thank you. Goodbye.", "checklist after")
end

local function whole_session(t, place)
  local run = begun(place)
  local one, two = attached(run, "W1"), attached(run, "W2")
  harness.await_output(run.process, "goes on after run 1")
  local twice = harness.brio("run", "--study", place.study, "--participant", "P01", "--wizard", "W1",
    "--store", place.store, "--for", 1)
  t:code(twice, 1)
  t:has(twice.err, "run 2 of this session goes on")
  t:has(study(place, "end", place.study, "P01").err, "stop it first")
  held(place, one, two)
  local last = "SELECT t_done FROM actions WHERE run = 2 AND name = 'say' ORDER BY id DESC LIMIT 1"
  harness.await_row(place.store, last) -- the robot says it to the end
  for _, screen in ipairs { one, two } do
    screen:type "\3\4"
    t:equal(screen:close(), 0, "exit code of the prompt")
  end
  t:equal(harness.ended(run), 0, "exit code of the run")
end

--- The record of a session in the store.
local function check_store(t, place)
  local function sql(query) return harness.sql(place.store, query) end
  t:equal(sql "SELECT participant, ordinal, wizard, rehearsal, training, outcome FROM sessions",
    "P01|1|W1|0|0|", "sessions")
  t:equal(sql "SELECT group_concat(run) FROM session_runs WHERE session = 1", "1,2", "runs of the session")
  t:equal(sql "SELECT length(script) FROM sessions", "64", "the script's hash")
  t:equal(sql "SELECT group_concat(step || ' ' || outcome, ', ') FROM session_steps WHERE run = 2 AND \z
    session = 1",
    "welcome done, day done, best done, best_told done, worst done, worst_told done, tomorrow done, plans \z
      done, nod omitted, "
    .. "goodbye done", "steps")
  t:equal(sql [[SELECT group_concat(error || ' ' || wizard || ' ' || coalesce(step, '-'), ', ') FROM (SELECT * FROM wizard_errors
    WHERE run = 2 AND (error <> 'late' OR step = 'worst') ORDER BY t)]],
    "slip W1 best, wrong W2 best_told, late W1 worst, omitted W1 nod", "errors")
  t:equal(sql "SELECT group_concat(DISTINCT role) || ' ' || count(DISTINCT who) FROM operators \z
      WHERE run = 2 AND role = 'wizard'",
    "wizard 2", "operators")
  t:equal(sql "SELECT seldom.n FROM (SELECT count(*) AS n FROM runs WHERE json_extract(options, \z
    '$.tune.every') IN (3, 12)) seldom", "2",
    "runs with the condition's number")
end

--- Each action has its times, in order; an expected one has its cue, a motion the time of its first movement.
local function check_times(t, place)
  local rows = harness.sql(place.store,
    [[SELECT name, expected IS NOT NULL, t_cue, t_input, t_accept, t_dispatch, t_first_motion, t_done
    FROM actions WHERE run = 2 AND name IN ('say', 'play') ORDER BY id]])
  local count = 0
  for line in (rows or ""):gmatch "[^\n]+" do
    local name, expected, rest = line:match "^(%a+)|(%d)|(.*)$"
    local times = {}
    for cell in (rest .. "|"):gmatch "(.-)|" do times[#times + 1] = tonumber(cell) or false end
    count = count + 1
    t:equal(times[1] ~= false, expected == "1", "a cue of " .. line)
    local last = times[1] or 0
    for place_of = 2, 6 do
      local moves = place_of == 5 and name == "say" -- it moves or not
      t:check(times[place_of] or moves, "time %d is missing: %s", place_of, line)
      if times[place_of] then
        t:check(times[place_of] >= last - 1e-9, "time %d is before the one before it: %s", place_of, line)
        last = times[place_of]
      end
    end
  end
  t:equal(count, 8, "actions with times")
end

local function check_report(t, place)
  local report = place.folder .. "/report"
  t:code(study(place, "report", place.study, "--out", report .. ".md"), 0)
  local text = files.read(report .. ".md"):gsub("\\", "")
  for _, line in ipairs { "### How often did they err, and how was that measured?", "| W1 | 6 | 1 |",
      "From cue to key, of 5 actions", "Left out: 1 action that the script did not expect.",
    "12 planned, 1 consented", "1 of them went on in another run", "| close | near |",
      "Each condition equally often",
    "From key to the robot's first motion" } do
    t:has(text:lower(), line:lower())
  end
  for _, secret in ipairs { "Anna", "| " .. files.output "id -un" .. " |" } do
    t:check(not text:find(secret, 1, true), "the report has '%s' in it", secret)
  end
  t:code(study(place, "report", place.study, "--out", report .. ".html"), 0)
  local page = files.read(report .. ".html")
  t:has(page, "<!DOCTYPE html>")
  t:check(not page:find "https?://[^ ]*[^ ]*%.js" and not page:find "<script",
    "the page needs nothing besides itself")
end

local function check_export(t, place)
  t:code(study(place, "export", place.study, "--out", place.folder .. "/shared"), 0)
  local all = files.output("cat " .. place.folder .. "/shared/*")
  for _, secret in ipairs { "Anna", "cried", place.folder, files.output "hostname", "20%d%d%-%d%d", "Goodbye",
      "0123456789abcdef" } do
    if #secret > 3 then t:check(not all:find(secret), "the export has '%s' in it", secret) end
  end
  t:equal(files.output("grep -c . " .. place.folder .. "/shared/actions.csv"),
    tostring(1 + harness.number(place.store, "SELECT count(*) FROM session_actions")), "lines of actions.csv")
  t:equal(files.output("grep -c . " .. place.folder .. "/shared/answers.csv"), "3", "lines of answers.csv")
  t:has(files.read(place.folder .. "/shared/errors.csv"), ",W2,wrong,marked,")
end

--- Both runs of the session, the killed one and the one that went on from it, repeat from the store alone.
local function check_replays(t, place)
  local away = place.folder .. "/away"
  files.output(("mkdir %s && mv %s/*.lua %s/people %s"):format(away, place.folder, place.folder, away))
  for run = 1, 2 do
    local replayed = harness.brio("replay", run, "--store", place.store)
    t:code(replayed, 0)
    t:has(replayed.text, "equal to the bit")
  end
end

test("a session of a study is held by two wizards, goes on after a crash, and is reported and shared",
  function(t)
  if not pty.is_here() then t:skip "there is no script(1) to make a terminal" end
  local place = laid_out(t)
  t:code(study(place, "assign", place.study), 0)
  local early = harness.brio("run", "--study", place.study, "--participant", "P01", "--wizard", "W1",
    "--store", place.store, "--for", 1)
  t:code(early, 1)
  t:has(early.err, "before they consented")
  t:code(study(place, "consent", place.study, "P01", "--fact", "age=31", "--fact", "robots_before=never"), 0)
  crashed(t, place)
  whole_session(t, place)
  check_store(t, place)
  check_times(t, place)
  local asked = harness.run { ("exec %s study ask %s P01 --plain --store %s"):format(
    files.quote(harness.program), place.study, place.store),
    input = "4\n5\n" }
  t:code(asked, 0)
  local ended = study(place, "end", place.study, "P01")
  t:code(ended, 0)
  t:check(not ended.out:find "not answered", "%s", ended.out)
  t:has(study(place, "status", place.study).out, "(done)")
  check_report(t, place)
  check_export(t, place)
  check_replays(t, place)
end)

test("a study is begun, rehearsed and withdrawn from at the command line, and what is wrong is said",
  function(t)
  local folder = t:folder()
  local function run(...)
    local words = { ... }
    words[#words + 1] = { cwd = folder }
    return harness.brio(table.unpack(words))
  end
  t:code(run("study", "new", "nod"), 0)
  files.write(folder .. "/nod_behavior.lua",
    files.read(harness.root .. "/behaviors/nodding.lua"):gsub('  world = "kiosk_world.lua",\n', ""))
  t:code(run("study", "check", "nod.lua"), 0)
  t:code(run("study", "new", "nod"), 1)
  t:code(run("check", "nod.lua"), 0)
  files.write(folder .. "/bad.lua", (files.read(folder .. "/nod.lua"):gsub('minutes = 10,',
    'minutes = 10, tune = { nera = 1 },')))
  for _, words in ipairs { { "check", "bad.lua" }, { "study", "check", "bad.lua" } } do
    local bad = run(table.unpack(words))
    t:code(bad, 3)
    t:has(bad.text, "no number 'nera' to tune (did you mean 'near'?)")
  end
  files.write(folder .. "/said.txt", "@W1\n0.2 play nod\n1 note hm\n")
  local rehearsed = run("run", "--study", "nod.lua", "--rehearse", "--operator", "said.txt", "--clock",
    "fast")
  t:code(rehearsed, 0)
  t:has(rehearsed.err, "nod: rehearsal, 'still'")
  t:code(run("study", "assign", "nod.lua"), 0)
  t:has(run("study", "status", "nod.lua").out, "rehearsals: 1")
  t:has(run("study", "next", "nod.lua").out, "brio study consent nod.lua P01")
  t:code(run("study", "consent", "nod.lua", "P01"), 0)
  t:code(run("run", "--study", "nod.lua", "--participant", "P01", "--clock", "fast", "--for", 0.1), 0)
  t:code(run("study", "end", "nod.lua", "P01", "--outcome", "aborted"), 0)
  t:code(run("search", "nodding"), 0)
  t:check(files.exists(folder .. "/brio.db-search"), "brio search makes an index")
  t:has(run("study", "withdraw", "nod.lua", "P01").out, "--yes does it")
  t:has(run("study", "withdraw", "nod.lua", "P01", "--yes").out, "P01 withdrew")
  t:check(not files.exists(folder .. "/brio.db-search"), "the index has words of who withdrew")
  t:equal(harness.sql(folder .. "/brio.db", "SELECT group_concat(id) FROM runs"), "1", "runs that are left")
  for _, wrong in ipairs { { 2, "no verb 'asign' (did you mean 'assign'?)", "study", "asign", "nod.lua" },
    { 2, "never a name: not 'Anna'", "study", "consent", "nod.lua", "Anna" },
      { 1, "has withdrawn", "study", "consent", "nod.lua", "P01" },
    { 2, "no fact 'agee' (did you mean 'age'?)", "study", "consent", "nod.lua", "P02", "--fact", "agee=3" },
    { 1, "no session of P02 is open", "study", "end", "nod.lua", "P02" },
      { 2, "goes with --study", "run", "x.lua", "--participant", "P01" },
    { 2, "--store none does not go with --study", "run", "--study", "nod.lua", "--store", "none" },
    { 1, "there is no study 'x'", "study", "report", "x" } } do
    local got = run(table.unpack(wrong, 3))
    t:code(got, wrong[1])
    t:has(got.err, wrong[2]:match "[^\n]*$")
  end
end)

harness.done()
