--- A study of two conditions with two wizards is held on the simulator, and reported: a session whose engine
--- was killed, wizards' errors, Godspeed answers of two participants in both conditions and of one in one;
--- then its errors are coded again.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

--- The lines of the wizards of a session, by its number: W1 after some seconds, and in one session words that
--- are not the expected ones.
local sessions = {
  { "P01", wait = 1, words = "Hello. I would like to hear about your day." },
  { "P01", wait = 5, words = "Hello. I would like to hear about your day." },
  { "P02", wait = 1, words = "Good morning!" },
  { "P02", wait = 2, words = "Hello. I would like to hear about your day.", killed = true },
  { "P03", wait = 1, words = "Hello. I would like to hear about your day." },
}

--- The answers of P01 and P02 in their first and second sessions, of P03 in the only one: to each third item,
--- and to the others.
local answers = { { 3, 3 }, { 4, 3 }, { 2, 3 }, { 4, 5 }, { 4, 4 } }

local function laid_out(t)
  local folder = t:folder()
  local source = harness.root .. "/behaviors/studies/"
  local text = files.read(source .. "listening.lua"):gsub('"%.%./nodding%.lua"', ("%q"):format(harness.root
    .. "/behaviors/nodding.lua"))
  files.write(folder .. "/study.lua", (text:gsub("participants = 12", "participants = 4")))
  files.write(folder .. "/listening_session.lua", files.read(source .. "listening_session.lua"))
  return { folder = folder, file = folder .. "/study.lua", store = folder .. "/x.db" }
end

local function study(place, ...)
  local words = { "study", ... }
  words[#words + 1] = "--store"
  words[#words + 1] = place.store
  return harness.brio(table.unpack(words))
end

local function done(t, made)
  t:code(made, 0)
  return made.out
end

--- The engine of a session is killed while it runs.
local function killed(place, code)
  local before = harness.number(place.store, "SELECT max(run) FROM session_runs")
  local process = harness.start_brio("run", "--study", place.file, "--participant", code, "--wizard", "W1",
    "--store", place.store,
    "--quiet", "--rate", 50, "--motor-rate", 200)
  harness.await_row(place.store, "SELECT 1 FROM states WHERE run > " .. before)
  harness.signal(process, "KILL")
  harness.wait(process)
end

local function hold(t, place, one)
  local said =
    ("@W1\n1 check all\n+0 step next\n+%d say %s\n@W2\n9 play nod\n+0 play shake\n+1 step end\n"):format(
      one.wait,
    one.words)
  files.write(place.folder .. "/said.txt", said)
  if one.killed then killed(place, one[1]) end
  done(t, harness.brio("run", "--study", place.file, "--participant", one[1], "--wizard", "W1", "--store",
    place.store,
    "--operator", place.folder .. "/said.txt", "--clock", "fast", "--for", 12, "--seed", 7, "--quiet",
      "--rate", 50))
end

local function ask(t, place, code, values)
  local lines = {}
  for item = 1, 24 do lines[item] = item % 3 == 0 and values[1] or values[2] end
  t:code(harness.run { ("exec %s study ask %s %s --plain --store %s"):format(files.quote(harness.program),
    place.file, code,
    place.store), input = table.concat(lines, "\n") .. "\n" }, 0)
end

local function held(t)
  local place, consented = laid_out(t), {}
  done(t, study(place, "assign", place.file))
  for index, one in ipairs(sessions) do
    if not consented[one[1]] then
      done(t, study(place, "consent", place.file, one[1], "--fact", "age=" .. 20 + index, "--fact",
        "robots_before=never"))
    end
    consented[one[1]] = true
    hold(t, place, one)
    ask(t, place, one[1], answers[index])
    done(t, study(place, "end", place.file, one[1]))
  end
  return place
end

local function reported(t, place)
  done(t, study(place, "report", place.file, "--out", place.folder .. "/report.html"))
  return (done(t, study(place, "report", place.file)):gsub("\\", "")), files.read(place.folder
    .. "/report.html")
end

-- The text -------------------------------------------------------------------------------------------------

local said = {
  "4 planned, 3 consented, 2 completed",
  "| seldom | the robot nods every 12 s | every = 12 | 2 | 2 |", -- the plan
  "| begun by | motion | seldom | often |", "Held from 20",
  "As planned: places are balanced",
  "Held to the end so far, and in the figures: 5 sessions of 3 participants.",
  "As held: places are not balanced",
  "5 sessions begun with a participant: 0 aborted, 0 not ended, 1 in which a run failed or was killed \z
    (of these, 1 in the figures).",
  "its process was killed or the machine stopped; went on in run",
  "Seed of the order: 4711.", "| pepper | sim | fast | 50 |", " cores | ", "| godspeed (questionnaire) | ",
  "| nodding.lua | ",
  "no time to the robot's first motion is given: none was looked for, or it is unsure by more than 200 ms",
  "Godspeed Questionnaire Series I-V (24 items, answers 1 to 5)",
  "| questionnaire | scale | items | condition | n | mean | SD | 95 % interval of the mean | alpha | 95 % \z
    interval of alpha |",
  "| scale | difference | pairs | mean | SD of differences | df | 95 % interval | d_z |",
  "With 2 pairs that cannot be checked from the data.",
  "5 intervals stand in this table, each of 95 % by itself: they are not corrected for their number.",
  "- 3 participants of 4 planned took part so far",
  "- godspeed: 1 participant did not answer in every condition",
  "- In 1 session that counts the robot's run failed or was killed, 1 of them went on in another run",
  -- What W2 does while W1 is to speak is no slip.
  "| W1 | 5 | 1 | 1 | 0 |", "| W2 | 10 | 0 | 0 | 0 | 0 | 0 | 0 |",
  "- 5 of 6 runs were on the fast clock", "- Errors were derived from the script and marked by who was there",
}

--- Every row of a table below a caption: its cells.
local function rows_below(text, caption)
  local list = {}
  local from = select(2, text:find(caption .. ":\n\n", 1, true))
  for line in (text:sub(from + 1):match "^(.-)\n\n" .. "\n"):gmatch "|(.-)|\n" do
    list[#list + 1] = {}
    for cell in (line .. "|"):gmatch " ?(.-) ?|" do table.insert(list[#list], cell) end
  end
  return list
end

--- Check that sentences and the tables beside them agree.
local function check_text(t, text)
  for _, line in ipairs(said) do t:has(text, line) end
  t:check(not text:find("Each condition equally often", 1, true),
    "the promise of the plan is not what was held")


  local means, differences = {}, {}
  for _, row in ipairs(rows_below(text, "Godspeed Questionnaire Series I-V: scores by scale and condition"))
    do
    means[row[2] .. " " .. row[4]] = row
  end
  for _, row in ipairs(rows_below(text, "Godspeed Questionnaire Series I-V: differences between conditions"))
    do
    differences[row[1]] = row
  end
  local one, other = means["Likeability seldom"], means["Likeability often"]
  t:equal(one[5] + other[5], 5.0, "participants who answered")
  t:equal(differences.Likeability[3] .. " " .. differences.Likeability[6], "2 1",
    "pairs and degrees of freedom")
end

--- Likeability: items 12 to 16 of 24, so 12 and 15 have the first value, the three others the second.
local function check_likeability(t, place, text)
  local by = {}
  for index, one in ipairs(sessions) do
    local condition = harness.sql(place.store, ([[SELECT condition FROM sessions WHERE participant = '%s'
      ORDER BY ordinal]])
      :format(one[1]))
    local first = index > 1 and sessions[index - 1][1] == one[1]
    condition = condition:match(first and "\n(%a+)" or "^(%a+)")
    by[condition .. one[1]] = (2 * answers[index][1] + 3 * answers[index][2]) / 5
  end
  local a, b = by.oftenP01 - by.seldomP01, by.oftenP02 - by.seldomP02
  t:has(text, ("| Likeability | often - seldom | 2 | %.2f | %.2f | 1 |"):format((a + b) / 2,
    math.abs(a - b) / math.sqrt(2)))
end

-- The pictures ---------------------------------------------------------------------------------------------

--- The texts of a picture: { left, right, top, bottom, text }; here a letter is at most 0.62 of its size
--- wide.
local function boxes(svg)
  local list = {}
  for x, y, size, anchor, text in svg:gmatch
    '<text x="([%d.-]+)" y="([%d.-]+)" font%-size="([%d.]+)" text%-anchor="(%a+)"[^>]*>(.-)</text>' do
    local wide = 0.62 * size * utf8.len(text)
    local left = anchor == "start" and x or anchor == "end" and x - wide or x - wide / 2
    list[#list + 1] = { left = tonumber(left), right = left + wide, top = y - 0.8 * size,
      bottom = y + 0.2 * size, text = text }
  end
  return list
end

local function check_pictures(t, page)
  local titles = {}
  for svg in page:gmatch "<svg.-</svg>" do
    local width, height = svg:match 'viewBox="0 0 ([%d.]+) ([%d.]+)"'
    titles[#titles + 1] = svg:match "<title>(.-)</title>"
    local list = boxes(svg)
    t:check(#list > 5, "%s has %d texts", titles[#titles], #list)
    for index, one in ipairs(list) do
      t:check(one.left >= 0 and one.right <= tonumber(width) and one.bottom <= tonumber(height),
        "'%s' is on the paper", one.text)
      for other = 1, index - 1 do
        local two = list[other]
        t:check(one.left >= two.right or two.left >= one.right or one.top >= two.bottom
          or two.top >= one.bottom,
          "'%s' and '%s' lie on each other", one.text, two.text)
      end
    end
  end
  t:equal(table.concat(titles, "; "), "Wizards&#39; errors, by session; Time from cue to key, by session; "
    .. "Godspeed Questionnaire Series I-V: scores by scale and condition", "titles")
  for _, axis in ipairs { ">errors<", ">time from cue to key (s)<", ">score (1 to 5)<",
    ">late after 4 s<" } do t:has(page, axis) end
end

-- Coding ---------------------------------------------------------------------------------------------------

--- A coder's sheet: `judge` returns the class of a line.
local function filled(sheet, judge)
  local lines = {}
  for line in sheet:gmatch "[^\n]+" do lines[#lines + 1] = #lines == 0 and line or line .. judge(line) end
  return table.concat(lines, "\n") .. "\n"
end

local function check_coding(t, place)
  local sheet = place.folder .. "/sheet.csv"
  done(t, study(place, "code", place.file, "--out", sheet))
  local empty = files.read(sheet)
  t:check(not empty:find ",late" and not empty:find ",slip", "the sheet shows what was found: %s", empty)
  local judges = { C1 = function(line) return line:find "Good morning" and "wrong" or "none" end,
    W2 = function(line) return line:find "Good morning" and "slip" or "none" end }
  for _, coder in ipairs { "C1", "W2" } do
    files.write(sheet, filled(empty, judges[coder]))
    t:has(done(t, study(place, "code", place.file, sheet, "--coder", coder)), "judgements of " .. coder)
  end
  local bad = study(place, "code", place.file, sheet, "--coder", "Anna")
  t:code(bad, 2)
  t:has(bad.err, "never a name: not 'Anna'")
  files.write(sheet, filled(empty, function() return "slipp" end))
  bad = study(place, "code", place.file, sheet, "--coder", "C3")
  t:code(bad, 2)
  t:has(bad.err,
    "line 2: an error is one of slip, late, omitted, wrong, system, none, not 'slipp' (did you mean 'slip'?)")
  t:equal(harness.sql(place.store, "SELECT count(*) FROM codings WHERE coder = 'C3'"), "0",
    "what a bad sheet kept")
end

--- The late line of the second session is no error, as the coder sees in the video; the first class stays.
local function check_corrections(t, place)
  local list = done(t, study(place, "correct", place.file))
  local run, number = list:match "(%d+)%s+(%d+)%s+P01%s+%S+%s+W1%s+welcome [^\n]-late"
  t:check(run and number, "a late line: %s", list)
  local bad = study(place, "correct", place.file, run, number, "none", "--coder", "C1")
  t:code(bad, 2)
  t:has(bad.err, "say why it is corrected: --why TEXT")
  bad = study(place, "correct", place.file, run, "99", "none", "--coder", "C1", "--why", "x")
  t:code(bad, 2)
  t:has(bad.err, "has no action or omitted step '99'")
  local lates = "SELECT count(*) FROM wizard_errors WHERE error = 'late'"
  local before = harness.number(place.store, lates)
  t:has(done(t, study(place, "correct", place.file, run, number, "none", "--coder", "C1", "--why",
    "the cue came late")),
    "none, was late")
  t:equal(harness.number(place.store, lates), before - 1, "late ones that count")
  t:equal(harness.sql(place.store, ([[SELECT error_class IS NULL, marked_by, corrected_why
    FROM session_actions WHERE run = %s
    AND action = %s]]):format(run, number)), "1|C1|the cue came late", "what counts")
  t:has(done(t, study(place, "correct", place.file)), "the cue came late")
end

test("a study of two conditions with two wizards is reported from its rows, with pictures, and coded again",
  function(t)
  local place = held(t)
  local text, page = reported(t, place)
  check_text(t, text)
  check_likeability(t, place, text)
  check_pictures(t, page)
  check_coding(t, place)
  check_corrections(t, place)
  text = reported(t, place)
  -- 15 judgements in three classes are fewer than 2 * 3^2
  t:has(text, "| C1 | W2 | 15 | 0.93 | 0.87 | 0.48 | too few |")
  t:has(text, "- W2 coded the errors and was a wizard")
  t:has(text, "1 of the classes that count were corrected after the session, by C1; the first ones are kept.")
  t:check(not text:find("how far two people would agree", 1, true), "there are two coders")
end)

test("the clocks of a run on the real clock stand side by side, and a run on the fast one has none",
  function(t)
  local store = t:folder() .. "/x.db"
  local process = harness.start_brio("run", harness.root .. "/behaviors/kiosk.lua", "--store", store,
    "--quiet", "--rate", 50)
  harness.await_row(store, "SELECT 1 FROM clocks WHERE t > 1")
  harness.signal(process, "INT")
  harness.wait(process)
  t:equal(harness.sql(store, [[SELECT count(*) FROM (SELECT *, lag(t) OVER w AS t0,
    lag(machine_s) OVER w AS m0, lag(utc_s) OVER w AS u0
    FROM clocks WINDOW w AS (ORDER BY id)) WHERE t <= t0 OR machine_s <= m0 OR utc_s <= u0]]), "0",
      "clocks that go back")
  t:equal(harness.sql(store, [[SELECT t || ' ' || machine_s FROM clocks WHERE id = 1]]), "0.0 0.0",
    "the first row")
  t:code(harness.brio("run", harness.root .. "/behaviors/kiosk.lua", "--store", store, "--quiet", "--clock",
    "fast", "--for", 1), 0)
  t:equal(harness.sql(store, "SELECT count(*) FROM clocks WHERE run = 2"), "0", "rows of the fast clock")
end)

harness.done()
