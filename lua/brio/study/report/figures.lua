--- The figures of a study's report from the store, by heading: each is a function(study) that returns a list
--- of texts and tables { names, rows, caption }, or nothing without data.  `study`: { db, found
--- (record.read), data (its file) }.
local balances, cautions = require "brio.study.report.balances", require "brio.study.report.cautions"
local coding = require "brio.study.coding"
local conditions = require "brio.study.report.conditions"
local counted, design = require "brio.study.counted_sessions", require "brio.study.design"
local incidents, outcomes = require "brio.study.report.incidents", require "brio.study.report.outcomes"
local statistics = require "brio.lib.statistics"
local record = require "brio.study.record"
local suggest = require "brio.lib.suggest"
local timing = require "brio.study.report.timing"

local figures = {}

local function ask(study, sql, ...) return counted.rows(study.db, study.found.id, sql, ...) end

local function said(...) return { string.format(...) } end

--- "1 session", "2 sessions"
local function several(n, word) return ("%d %s%s"):format(n, word, n == 1 and "" or "s") end

--- Names with their frequencies: "say 12, play 3".
local function tally(rows, name, number)
  local list = {}
  for index, row in ipairs(rows) do list[index] = ("%s %d"):format(row[name], row[number]) end
  return table.concat(list, ", ")
end

local function rounded(value, digits)
  return value and tonumber(("%." .. (digits or 2) .. "f"):format(value))
end

--- "median 0.71, 90 % within 1.2, at most 1.9"
local function spread(list, unit)
  return ("median %.2f %s, 90 %% within %.2f %s, at most %.2f %s"):format(counted.median(list), unit,
    counted.quantile(list, 0.9), unit,
    list[#list], unit)
end

-- The robot -------------------------------------------------------------------------------------------

function figures.robots(study)
  local rows = ask(study,
    "SELECT robot, driver, count(*) AS runs FROM counted WHERE robot IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2")
  local list = {}
  for index, row in ipairs(rows) do list[index] = ("%s (driver %s): %s"):format(row.robot,
      row.driver or "none",
    several(row.runs, "run")) end
  return list
end

function figures.autonomy(study)
  local rows = ask(study,
    [[SELECT s.owner, total(coalesce(c.ended, n.seconds) - c.started) AS seconds FROM counted n
    JOIN contributions c ON c.run = n.run JOIN sources s ON s.run = c.run AND s.id = c.source
      WHERE s.owner IS NOT NULL
    GROUP BY 1 ORDER BY 1]])
  local whole, parts = 0, {}
  for _, row in ipairs(rows) do whole = whole + row.seconds end
  if whole <= 0 then return end
  for index, row in ipairs(rows) do
    parts[index] = ("%s %.0f %%"):format(row.owner, 100 * row.seconds / whole)
  end
  local list = said("Of what moved joints over the behavior's own goals, by time: %s.",
    table.concat(parts, ", "))
  list[2] = conditions.motions(study)
  return list
end

-- Participants ----------------------------------------------------------------------------------------

function figures.participants(study)
  local states, found = {}, study.found
  for _, code in ipairs(found.codes) do
    local state = record.state(found, code)
    states[state] = (states[state] or 0) + 1
  end
  local done, aborted = 0, 0
  for _, one in ipairs(found.sessions) do
    if record.counts(one) and one.ended then done = done + 1 end
    if one.outcome == "aborted" then aborted = aborted + 1 end
  end
  return said("%d planned, %d consented, %d completed, %d withdrew; %s held to the end, %d aborted.",
    #found.codes,
    (states.consented or 0) + (states.begun or 0) + (states.done or 0), states.done or 0,
      states.withdrawn or 0,
    several(done, "session"), aborted)
end

--- The values of a fact: of numbers mean, deviation and range; of words their frequencies.
local function fact_row(rows, kind, name)
  local numbers, counts = {}, {}
  for _, row in ipairs(rows) do
    if row.fact == name and kind.lowest then numbers[#numbers + 1] = tonumber(row.value) end
    if row.fact == name then counts[tostring(row.value)] = (counts[tostring(row.value)] or 0) + 1 end
  end
  if kind.lowest and #numbers > 0 then
    table.sort(numbers)
    return { name, #numbers, ("mean %.1f, SD %s, %g to %g %s"):format(statistics.mean(numbers),
      statistics.deviation(numbers) and ("%.1f"):format(statistics.deviation(numbers)) or "none", numbers[1],
        numbers[#numbers], kind.unit or "") }
  end
  local list, n = {}, 0
  for _, word in ipairs(kind) do
    if counts[word] then list[#list + 1], n = ("%s %d"):format(word, counts[word]), n + counts[word] end
  end
  return { name, n, table.concat(list, ", ") }
end

function figures.facts(study)
  local rows, why = study.db:query(
    [[SELECT f.key AS fact, f.value FROM participants p, json_each(coalesce(p.facts, '{}')) f
    WHERE p.study = ?1 AND p.consent = 1]], study.found.id)
  if not rows then error({ why = why }, 0) end
  local out = {}
  for _, name in ipairs(suggest.keys(study.data.facts)) do
    out[#out + 1] = fact_row(rows, study.data.facts[name], name)
  end
  return out[1] and { { { "fact", "n", "values" }, out } }
end

-- Wizards ---------------------------------------------------------------------------------------------

--- Which wizard took part in which session, as leader or with an action; ?1 is the study.
local took = [[
  WITH took AS (
    SELECT id AS session, wizard FROM sessions WHERE study = ?1 AND wizard IS NOT NULL
    UNION SELECT session, wizard FROM session_actions WHERE study = ?1),
  part AS (
    SELECT t.wizard, s.id, s.wizard IS t.wizard AS led, s.rehearsal, s.training,
      s.outcome IS 'aborted' AS aborted,
      (SELECT total(r.duration) / 60 FROM session_runs sr JOIN runs r ON r.id = sr.run
      WHERE sr.session = s.id) AS minutes
    FROM took t JOIN sessions s ON s.id = t.session)
]]

--- The rows of a query after that beginning.
local function ask_took(study, sql)
  local rows, why = study.db:query(took .. sql, study.found.id)
  if not rows then error({ why = why }, 0) end
  return rows
end

function figures.wizards(study)
  local rows = ask_took(study,
    [[SELECT w.code, w.facts ->> 'part' AS part, w.facts ->> 'experience' AS experience,
      count(p.id) AS sessions, count(CASE WHEN p.led THEN 1 END) AS led
    FROM wizards w LEFT JOIN part p ON p.wizard = w.code AND NOT (p.rehearsal OR p.training OR p.aborted)
    WHERE w.study = ?1 GROUP BY w.code ORDER BY w.code]])
  local out = {}
  for index, row in ipairs(rows) do
    out[index] = { row.code, row.part, row.experience, row.sessions, row.led }
  end
  return out[1] and { { { "wizard", "part", "experience", "sessions", "of them led" }, out } }
end

function figures.training(study)
  local rows = ask_took(study, [[SELECT w.code, w.training_minutes AS minutes, total(p.training) AS trainings,
      total(p.rehearsal) AS rehearsals, total(p.minutes) AS recorded
    FROM wizards w LEFT JOIN part p ON p.wizard = w.code AND (p.rehearsal OR p.training)
    WHERE w.study = ?1 GROUP BY w.code ORDER BY w.code]])
  local out, known = {}, false
  for index, row in ipairs(rows) do
    known = known or row.minutes or row.trainings + row.rehearsals > 0
    out[index] = { row.code, row.minutes, math.tointeger(row.trainings), math.tointeger(row.rehearsals),
      rounded(row.recorded, 1) }
  end
  return known and { { { "wizard", "minutes of training before", "trainings recorded", "rehearsals recorded",
    "minutes recorded" }, out } }
end

function figures.views(study)
  local rows = ask(study,
    [[SELECT v.what, count(*) AS times FROM counted n JOIN view_states v ON v.run = n.run GROUP BY 1 ORDER
    BY 2 DESC, 1]])
  return rows[1] and said("What was on wizards' screens, and how often it changed: %s.",
    tally(rows, "what", "times"))
end

function figures.production(study)
  local rows = ask(study,
    [[SELECT a.name, count(*) AS times FROM counted n JOIN session_actions a ON a.run = n.run GROUP BY 1
    ORDER BY 2 DESC, 1]])
  if not rows[1] then return end
  local sum = ask(study, "SELECT total(seconds) / 60 AS minutes FROM counted")[1].minutes
  local whole = 0
  for _, row in ipairs(rows) do whole = whole + row.times end
  local list = said("%s: %s.", several(whole, "action"), tally(rows, "name", "times"))
  if sum > 0 then list[2] = ("%.1f actions a minute."):format(whole / sum) end
  return list
end

local kinds = { "slip", "late", "omitted", "wrong", "system" }

--- Rows of errors by a column: its value, actions, each kind, and errors for a hundred actions.
local function errors_by(study, column)
  local counts = ask(study,
    ([[SELECT a.%s AS who, count(*) AS actions FROM counted n JOIN session_actions a ON a.run = n.run
    GROUP BY 1]]):format(column))
  local found = ask(study,
    ([[SELECT e.%s AS who, e.error, count(*) AS times FROM counted n JOIN wizard_errors e ON e.run =
    n.run GROUP BY 1, 2]]):format(column))
  local names, by_name = {}, {}
  local function row_of(name)
    if not study.found.wizards[name or false] and column == "wizard" then
      name = name and "others" or "nobody"
    end
    name = name or "none"
    if not by_name[name] then by_name[name], names[#names + 1] = { actions = 0, errors = 0 }, name end
    return by_name[name]
  end
  for _, row in ipairs(counts) do
    local one = row_of(row.who)
    one.actions = one.actions + row.actions
  end
  for _, row in ipairs(found) do
    local one = row_of(row.who)
    one[row.error], one.errors = (one[row.error] or 0) + row.times, one.errors + row.times
  end
  table.sort(names)
  local out = {}
  for index, name in ipairs(names) do
    local one = by_name[name]
    out[index] = { name, one.actions }
    for place, kind in ipairs(kinds) do out[index][place + 2] = one[kind] or 0 end
    out[index][8] = one.actions > 0 and rounded(100 * one.errors / one.actions, 1) or nil
  end
  return out
end

function figures.errors(study)
  local by_wizard = errors_by(study, "wizard")
  if not by_wizard[1] then return end
  local how = ask(study,
    "SELECT e.how, count(*) AS times FROM counted n JOIN wizard_errors e ON e.run = n.run GROUP BY 1 \z
      ORDER BY 1")
  local function names(first)
    return { first, "actions", "slip", "late", "omitted", "wrong", "system", "for 100 actions" }
  end
  local limit = study.found.late_after
  return {
    "A slip is not what the script expected; late is more than the limit after the cue"
      .. (limit and (" (%g s unless the script has another limit)"):format(limit) or "")
      .. "; omitted was expected and never done, without a slip in its place; wrong was marked by hand; "
      .. "system is the robot's.",
    how[1] and ("Found how: %s."):format(tally(how, "how", "times")) or "There was none.",
    { names "wizard", by_wizard, "Errors by wizard" }, { names "condition", errors_by(study, "condition"),
      "Errors by condition" },
    timing.errors(study, kinds),
  }
end

function figures.latency(study)
  local rows = ask(study, [[SELECT
    CASE WHEN a.expected IS NULL OR a.as_expected THEN a.person_s END AS person_s,
    a.person_s IS NOT NULL AND a.expected IS NOT NULL AND NOT a.as_expected AS other,
    a.robot_s, 1000 * a.robot_error_s AS error_ms, a.name, n.session, n.participant, n.condition,
    a.wizard, n.ordinal
    FROM counted n JOIN session_actions a ON a.run = n.run]])
  local person, robot, list = counted.numbers(rows, "person_s"), counted.numbers(rows, "robot_s"), {}
  if person[1] then
    local others = 0
    for _, row in ipairs(rows) do others = others + row.other end
    list[1] = ("From cue to key, of %s: %s.%s"):format(several(#person, "action"), spread(person, "s"),
      others > 0 and (" Left out: %s that the script did not expect."):format(several(others, "action"))
        or "")
    list[2], list[3] = timing.table(study, rows), timing.picture(study, rows)
  end
  for index, value in ipairs(robot) do robot[index] = value * 1000 end
  if #robot < #rows then
    list[#list + 1] = ("Of %s no time to the robot's first motion is given: none was looked for, or it is \z
      unsure by"
      .. " more than 200 ms, as on a robot that moves by itself."):format(several(#rows - #robot, "action"))
  end
  if not robot[1] then return list[1] and list end
  local sure = ("From key to the robot's first motion, of %s: %s."):format(several(#robot, "action"),
    spread(robot, "ms"))
  local unsure = counted.numbers(rows, "error_ms")
  if unsure[1] then
    sure = sure .. (" The motion began earlier by as much as this: %s."):format(spread(unsure, "ms"))
  end
  list[#list + 1] = sure
  return list[1] and list
end

function figures.deviation(study)
  local one = ask(study,
    [[SELECT count(*) AS actions, count(a.expected) AS expected, total(a.as_expected) AS kept
    FROM counted n JOIN session_actions a ON a.run = n.run]])[1]
  if one.actions == 0 then return end
  local steps = ask(study,
    [[SELECT p.outcome, count(*) AS times FROM counted n JOIN session_steps p ON p.run = n.run GROUP BY 1
    ORDER BY 2 DESC, 1]])
  local list = said("Of %s the script expected something at %d, and it was done at %d; %d (%.0f %%) were \z
    unscripted.",
    several(one.actions, "action"),
    one.expected, one.kept, one.actions - one.expected, 100 * (one.actions - one.expected) / one.actions)
  for _, row in ipairs(steps) do row.outcome = row.outcome or "not ended" end
  if steps[1] then list[2] = ("Steps of the script: %s."):format(tally(steps, "outcome", "times")) end
  return list
end

-- The study -------------------------------------------------------------------------------------------

function figures.registered(study)
  local found, list = study.found, {}
  if found.versions[1].why == "imported" then return end
  list[1] = ("Registered %s, SHA-256 of the file %s."):format(found.made_at:sub(1, 10), found.hash)
  local since = false
  for _, version in ipairs(found.versions) do
    if since then
      list[#list + 1] = ("Changed %s (version %d): %s."):format(version.made_at:sub(1, 10), version.id,
        version.why
        or "outside the plan")
    end
    since = since or version.hash == found.hash
  end
  return list
end

--- A sentence on whether conditions are equally often in each place, and after each other.
local function balance_words(balance, places)
  if places < 2 then return "nothing is balanced within one place" end
  return ("places are %s, and what directly follows what is %s"):format(balance.even_places and "balanced"
    or "not balanced",
    balance.even_after and "balanced" or "not balanced")
end

--- The table of a balance: how often each condition was in each place.
local function places_table(data, balance, word, caption)
  local rows, names = {}, { "condition", "what", "set to" }
  for place in ipairs(balance.places) do names[place + 3] = ("%s %d"):format(word, place) end
  for index, one in ipairs(data.conditions) do
    rows[index] = { one.name, one.about, conditions.settings(one) }
    for place, counts in ipairs(balance.places) do rows[index][place + 3] = counts[index] end
  end
  return { names, rows, caption }
end

function figures.design(study)
  local data = study.data
  local plan, done, orders = balances(study)
  local rows = design.rows { way = data.counterbalance, conditions = #data.conditions, block = data.block }
  local list = said("%s subjects. The plan of %d participants was made the way '%s' (%s%s), seed %d.",
    data.design == "within" and "Within" or "Between", #study.found.codes, data.counterbalance,
    design.ways[data.counterbalance].doc, rows and (", in blocks of %d participants"):format(rows) or "",
      data.seed)
  list[2] = places_table(data, plan, "planned in place", data.design == "within"
    and ("As planned: %s"):format(balance_words(plan, #plan.places)) or "Groups as planned")
  if not orders[1] then return list end
  local count = 0
  for _, order in ipairs(orders) do count = count + #order end
  list[3] = ("Held to the end so far, and in the figures: %s of %s."):format(several(count, "session"),
    several(#orders, "participant"))
  list[4] = places_table(data, done, "held in place", data.design == "within"
    and ("As held: %s"):format(balance_words(done, #done.places)) or "Groups as held")
  return list
end

--- A sentence with the dates between which the counted sessions were held.
local function held_from_to(study)
  local row = study.db:query([[SELECT min(substr(began, 1, 10)) AS first, max(substr(began, 1, 10)) AS last
    FROM sessions WHERE study = ?1 AND rehearsal = 0 AND training = 0 AND outcome IS NOT 'aborted']],
    study.found.id)
  row = row and row[1] or {}
  return row.first and ("Held from %s to %s (UTC)."):format(row.first, row.last) or nil
end

function figures.sessions(study)
  local rows = ask(study, "SELECT session, total(seconds) / 60 AS minutes, count(run) AS runs FROM \z
    counted GROUP BY 1")
  local minutes, again = counted.numbers(rows, "minutes"), 0
  if not minutes[1] then return end
  for _, row in ipairs(rows) do again = again + (row.runs > 1 and 1 or 0) end
  local list = said("%s: %s.", several(#rows, "session"), spread(minutes, "min"))
  if study.data.minutes then list[1] = list[1] .. (" Planned were %g min."):format(study.data.minutes) end
  list[2] = held_from_to(study)
  if again > 0 then
    list[#list + 1] = ("%d of them went on in another run after an interruption."):format(again)
  end
  return list
end

function figures.questionnaires(study)
  local names = study.data.questionnaires
  return names[1] and said("Asked after each session: %s. See the results.", table.concat(names, ", "))
end

figures.answers, figures.incidents, figures.cautions = outcomes.figure, incidents.figure, cautions.figure
figures.agreement = coding.figure

function figures.versions(study)
  local rows = ask(study,
    [[SELECT v.name, count(DISTINCT v.hash) AS versions FROM counted n JOIN run_versions v ON v.run = n.run
    GROUP BY 1 HAVING count(DISTINCT v.hash) > 1 ORDER BY 1]])
  local runs = ask(study, "SELECT count(run) AS runs FROM counted")[1].runs
  if runs == 0 then return end
  if not rows[1] then return { "Every session ran with the same version of every file." } end
  for _, row in ipairs(rows) do row.name = row.name:match "[^/]+$" end
  return said("Files of which sessions ran with several versions: %s.", tally(rows, "name", "versions"))
end

--- Description of a machine, from the JSON of its run: "Linux 6.1, AMD EPYC, 4 cores".
local machine =
  "coalesce(m.machine ->> 'system' || ' ' || (m.machine ->> 'release') || ', ' || (m.machine ->> 'processor')"
  .. " || ', ' || (m.machine ->> 'cores') || ' cores', 'not recorded')"

--- "3, 1" in order: "1, 3".
local function sorted_numbers(text)
  local list = {}
  for number in (text or ""):gmatch "%-?%d+" do list[#list + 1] = math.tointeger(number) end
  table.sort(list)
  return list[1] and table.concat(list, ", ") or "none"
end

function figures.software(study)
  local runs = ask(study, ([[SELECT m.engine_version, m.robot, m.driver, m.clock, m.tick_rate, %s AS machine,
    count(*) AS runs,
    group_concat(DISTINCT m.seed) AS seeds FROM counted n JOIN runs m ON m.id = n.run
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6]]):format(machine))
  if not runs[1] then return nil end
  local rows, files = {}, {}
  for index, row in ipairs(runs) do
    rows[index] = { "brio " .. (row.engine_version or "?"), row.robot, row.driver, row.clock, row.tick_rate,
      row.machine, row.runs, sorted_numbers(row.seeds) }
  end
  local versions = ask(study, [[SELECT v.name, v.hash, count(DISTINCT v.run) AS runs FROM counted n
    JOIN run_versions v ON v.run = n.run GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2]])
  for index, row in ipairs(versions) do files[index] = { row.name:match "[^/]+$", row.hash:sub(1, 12),
    row.runs } end
  local asked = study.db:query([[SELECT DISTINCT q.name, q.hash FROM study_sittings t
    JOIN sittings s ON s.id = t.sitting
    JOIN questionnaires q ON q.hash = s.questionnaire WHERE t.study = ?1 ORDER BY 1, 2]], study.found.id)
      or {}
  for _, row in ipairs(asked) do files[#files + 1] = { row.name .. " (questionnaire)", row.hash:sub(1,
    12) } end
  return {
    ("Seed of the order: %d. Robot time is counted in ticks; on the fast clock it is no time of a \z
      person."):format(
      study.data.seed),
    { { "program", "robot", "driver", "clock", "ticks (Hz)", "machine", "runs", "seeds" }, rows,
      "What the runs ran on" },
    { { "file", "SHA-256, first 12 digits", "runs" }, files, "Files that ran" },
  }
end

function figures.consent(study)
  local found, n = study.found, 0
  for _, person in next, found.participants do n = n + (person.consent == 1 and 1 or 0) end
  return said("%s consented%s; no data of others are kept.", several(n, "participant"),
    study.data.consent and " (" .. study.data.consent .. ")" or "")
end

return figures
