--- Limits of a study's data: each sentence is derived from rows of the store.
local balances = require "brio.study.report.balances"
local counted, incidents = require "brio.study.counted_sessions", require "brio.study.report.incidents"
local outcomes = require "brio.study.report.outcomes"

local cautions = {}

local function ask(study, sql) return counted.rows(study.db, study.found.id, sql) end

local function several(n, word) return ("%d %s%s"):format(n, word, n == 1 and "" or "s") end

-- Each checks the study and adds sentences: look(study, say).

local function held(study, say)
  local plan, done, orders = balances(study)
  local consented = 0
  for _, person in next, study.found.participants do
    consented = consented + (person.consent == 1 and 1 or 0)
  end
  if consented < #study.found.codes then
    say("%s of %d planned took part so far: this report is not a final result.",
      several(consented, "participant"), #study.found.codes)
  end
  if orders[1] and study.data.design == "within" and plan.even_places and not done.even_places then
    say "As sessions were held, conditions are not balanced over places: an effect of order, such as \z
      practice or fatigue, is in the differences between conditions."
  end
end

local function small(study, say, found)
  for _, sheet in ipairs(found) do
    local least, alphas, none = math.huge, {}, 0
    for _, one in ipairs(sheet.differences) do least = math.min(least, one.n) end
    for _, cell in ipairs(sheet.cells) do
      if cell.alpha and cell.alpha < 0.7 then alphas[cell.group.title] = true end
      none = none + (cell.alpha and 0 or 1)
    end
    if least < 20 then
      say("%s: with as few as %d %s in a comparison, an interval that includes zero does not show that \z
        there is no difference.",
        sheet.data.name, least, study.data.design == "within" and "pairs" or "participants")
    end
    local names = {}
    for name in next, alphas do names[#names + 1] = name end
    table.sort(names)
    if names[1] then
      say("%s: alpha is below 0.70 in a condition for %s: there the items may not measure one thing.",
        sheet.data.name, table.concat(names, ", "))
    end
    if none > 0 then
      say("%s: alpha is not defined in %d of %d cells (too few complete answers, or none that differ).",
        sheet.data.name, none, #sheet.cells)
    end
  end
end

--- Number of participants with a score of a scale in one condition but not in another.
local function incomplete(study, sheet)
  local counts, some, n = {}, {}, 0
  for _, cell in ipairs(sheet.cells) do
    for code in next, cell.condition ~= outcomes.beside and cell.by_code or {} do
      local key = cell.group.id .. " " .. code
      counts[key] = (counts[key] or 0) + 1
    end
  end
  for key, times in next, counts do
    local code = key:match " (%S+)$"
    if times < #study.data.conditions and not some[code] then some[code], n = true, n + 1 end
  end
  return n
end

local function missing(study, say, found)
  for _, sheet in ipairs(found) do
    local n = study.data.design == "within" and incomplete(study, sheet) or 0
    if n > 0 then
      say("%s: %s did not answer in every condition; such answers are in the means, but not in every \z
        difference.", sheet.data.name, several(n, "participant"))
    end
  end
end

local function broken(study, say)
  local n, again, without, counts = 0, 0, 0, 0
  for _, one in ipairs(incidents.collect(study)) do
    counts = counts + (one.counts and 1 or 0)
    without = without + (one.counts and not one.runs[1] and 1 or 0)
    n = n + (one.counts and one.broken and 1 or 0)
    again = again + (one.counts and one.broken and #one.runs > 1 and 1 or 0)
  end
  if without > 0 then
    say("%d of %s that count without a recorded run: what the robot and the wizards did there is not known.",
      without, several(counts, "session"))
  end
  if n > 0 then
    say("In %s that count%s the robot's run failed or was killed, %d of them went on in another run: what \z
      participants saw there is not what was planned.", several(n, "session"), n == 1 and "s" or "", again)
  end
end

local function wizards(study, say)
  local rows = ask(study, [[SELECT DISTINCT a.wizard, n.condition FROM counted n
    JOIN session_actions a ON a.run = n.run]])
  local by, names, conditions = {}, {}, {}
  for _, row in ipairs(rows) do
    local known = row.wizard and study.found.wizards[row.wizard]
    if known and not by[row.wizard] then
      by[row.wizard] = 0
      names[#names + 1] = row.wizard
    end
    if known then by[row.wizard] = by[row.wizard] + 1 end
    if row.condition then conditions[row.condition] = true end
  end
  local k = 0
  for _ in next, conditions do k = k + 1 end
  if #names == 1 then
    say("Of the wizards only %s acted: effects of this person and of the method cannot be separated.",
      names[1])
  end
  table.sort(names)
  for _, name in ipairs(names) do
    if by[name] < k then
      say("%s acted in %d of %d conditions: there the wizard and the condition go together.", name,
        by[name], k)
    end
  end
end

local function coding(study, say)
  local coders = ask(study, [[SELECT DISTINCT c.coder FROM counted n JOIN codings c ON c.run = n.run
    WHERE c.counts = 0]])
  local judged = ask(study, [[SELECT count(*) AS n FROM counted n JOIN session_actions a ON a.run = n.run]])
  if #coders < 2 and judged[1].n > 0 then
    say("Errors were %s: how far two people would agree on them is not known.", #coders == 0
      and "derived from the script and marked by who was there" or "coded by one person besides")
  end
  for _, row in ipairs(coders) do
    if study.found.wizards[row.coder] then
      say("%s coded the errors and was a wizard: that judgement is not an independent one.", row.coder)
    end
  end
end

local function machine(study, say)
  local row = ask(study, [[SELECT count(n.run) AS runs, total(n.driver IS 'sim'
    OR n.driver IS 'simulator') AS simulated,
    total(r.clock = 'fast') AS fast, count(DISTINCT r.engine_version) AS versions
    FROM counted n JOIN runs r ON r.id = n.run]])[1]
  local runs = row.runs
  if runs == 0 then return end
  if row.simulated > 0 then
    say("%d of %d runs were on the simulator: nothing in them is about a robot that moves in a room.",
      row.simulated, runs)
  end
  if row.fast > 0 then
    say("%d of %d runs were on the fast clock: their times are the robot's, and no person's.", row.fast, runs)
  end
  if row.versions > 1 then say("Sessions ran with %d versions of brio.", row.versions) end
  local changed = ask(study, [[SELECT v.name FROM counted n JOIN run_versions v ON v.run = n.run GROUP BY 1
    HAVING count(DISTINCT v.hash) > 1]])
  if changed[1] then
    say("%s changed between sessions: participants did not all meet the same robot.", several(#changed,
      "file"))
  end
end

local function times(study, say)
  local row = ask(study, [[SELECT total(a.t_cue IS NULL) AS without, count(*) AS actions,
    total(a.robot_s IS NOT NULL) AS moved
    FROM counted n JOIN session_actions a ON a.run = n.run]])[1]
  if row.without > 0 then
    say("%d of %d actions had no cue: how long the wizard took for them is not known.", row.without,
      row.actions)
  end
  if row.moved > 0 then
    say "The time to the first motion is that of the command, not of the robot's body."
  end
end

local looks = { held, small, missing, broken, wizards, coding, machine, times }

--- Sentences on the limits of the study's data, a list.
function cautions.of(study)
  local list, found = {}, outcomes.collect(study)
  local function say(...) list[#list + 1] = string.format(...) end
  for _, look in ipairs(looks) do look(study, say, found) end
  return list
end

--- Contents for the report.
function cautions.figure(study)
  local list = cautions.of(study)
  if study.data.design == "within" then
    list[#list + 1] =
      "Each participant met several conditions: what one condition left behind for the next is not \z
        separated from it."
  end
  return { { list = list } }
end

return cautions
