--- A report's part about answers: scores by condition, differences between conditions with their intervals,
--- missing answers.
require "brio"
local here = debug.getinfo(1, "S").source:match "^@(.*)/" or "."
package.path = here .. "/../../lib/?.lua;" .. package.path
local answers, questionnaire = require "brio.study.questionnaires.answers", require "brio.ask.questionnaire"
local cautions, outcomes = require "brio.study.report.cautions", require "brio.study.report.outcomes"
local incidents = require "brio.study.report.incidents"
local record, session = require "brio.study.record", require "brio.study.session"
local store, studies = require "brio.store", require "studies"

local close = assert(questionnaire.parse([[
return { name = "close", title = "Close?", sources = { "own" }, permission = "free", lowest = 1, highest = 9,
  groups = { { id = "near", title = "Near" } },
  items = { { id = "heard", group = "near" }, { id = "cold", group = "near", reverse = true } },
  languages = { en = { name = "English", origin = "own", source = "own", instruction = "How was it?",
    labels = { "no", "yes" },
    items = { heard = "It heard me.", cold = "It was cold." } } } }
]], "close.lua"))

--- Hold a session of a participant, and give these answers after it; nil: no answers.
local function hold(path, kept, data, code, of)
  local found = record.find(path, data.name)
  if not found.participants[code] then assert(kept:consent(found.id, code)) end
  local one = assert(session.begin(kept, data, record.find(path, data.name), { participant = code,
    wizard = "W1" }))
  assert(kept:finish(one.id, "finished"))
  local pair = of[one.condition][code]
  if not pair then return end
  local sheet = assert(answers.open(path))
  local sitting = assert(sheet:begin(close, { participant = code, condition = one.condition, language = "en",
    items = { "heard", "cold" } }))
  for index, item in ipairs { "heard", "cold" } do assert(sheet:answer(sitting, item, pair[index], 1)) end
  assert(sheet:finish(sitting, "finished"))
  sheet:close()
end

--- The collected data of a study whose participants have this many sessions each.
local function collected(t, more, sessions, of, look)
  studies.with_store(t, function(path, kept)
    local data = assert(studies.read(more))
    studies.registered(path, kept, data)
    for number = 1, 4 do
      for _ = 1, sessions do hold(path, kept, data, "P0" .. number, of) end
    end
    local db = assert(store.open(path))
    local good, why = pcall(look, { db = db, found = record.read(db, "nod"), data = data })
    db:close()
    t:ok(good, "%s", type(why) == "table" and why.why or why)
  end)
end

local function near(t, got, expected, what)
  t:ok(got and math.abs(got - expected) < 1e-5, "%s is %s, expected %.6f", what, tostring(got), expected)
end

--- A score of s, from one item that counts as it is and one reversed item.
local function scored(s) return { s, 10 - s } end

test("within subjects, differences are those of participants, with Student's interval", function(t)
  local still = { P01 = scored(3), P02 = scored(4), P03 = scored(5), P04 = scored(4) }
  local nodding = { P01 = scored(4), P02 = scored(6), P03 = scored(5), P04 = scored(5) }
  collected(t, "", 2, { still = still, nodding = nodding }, function(study)
    local sheet = outcomes.collect(study)[1]
    t:equal({ #sheet.cells, #sheet.differences, sheet.cells[1].n, sheet.cells[1].condition }, { 2, 1, 4,
      "still" })
    near(t, sheet.cells[1].mean, 4, "mean")
    local one = sheet.differences[1]
    t:equal({ one.name, one.n, one.df }, { "nodding - still", 4, 3 })
    -- of 1, 2, 0, 1: mean 1, SD 0.816497; t(3) = 3.182446
    near(t, one.mean, 1, "difference") near(t, one.sd, 0.816497, "SD")
    near(t, one.lower, 1 - 3.182446 * 0.816497 / 2, "lower") near(t, one.upper, 1 + 3.182446 * 0.816497 / 2,
      "upper")
  end)
end)

test("who did not answer everywhere is in a mean, but in no difference, and that is told", function(t)
  local still = { P01 = scored(3), P02 = scored(4), P03 = scored(5) }
  collected(t, "", 2, { still = still, nodding = { P01 = scored(4), P02 = scored(6), P04 = scored(5) } },
    function(study)
    local sheet = outcomes.collect(study)[1]
    t:equal({ sheet.cells[1].n, sheet.cells[2].n, sheet.differences[1].n }, { 3, 3, 2 })
    near(t, sheet.differences[1].mean, 1.5, "difference")
    local said = table.concat(cautions.of(study), "\n")
    t:ok(said:find("close: 2 participants did not answer in every condition", 1, true), "%s", said)
    -- No session has a run, so nothing is said about errors of wizards.
    t:ok(said:find("8 of 8 sessions that count without a recorded run", 1, true), "%s", said)
    t:ok(not said:find("Errors were", 1, true), "%s", said)
    local counts = incidents.figure(study)[1]
    t:ok(counts:find("Of 8 no run was recorded.", 1, true), "%s", counts)
  end)
end)

test("between subjects, differences are those of groups, with Welch's interval", function(t)
  local given, number = { still = {}, nodding = {} }, { still = 2, nodding = 4 }
  for _, code in ipairs { "P01", "P02", "P03", "P04" } do
    for _, name in ipairs { "still", "nodding" } do given[name][code] = setmetatable({},
      { __index = function(pair, index)
      -- 3 and 4 in the still condition, 5 and 6 in the nodding one, by condition, not by participant
      if not rawget(pair, "s") then number[name], pair.s = number[name] + 1, number[name] + 1 end
      return index == 1 and pair.s or 10 - pair.s
    end }) end
  end
  collected(t, ', design = "between"', 1, given, function(study)
    local one = outcomes.collect(study)[1].differences[1]
    t:equal({ one.name, one.n }, { "nodding - still", 4 })
    -- 5, 6 and 3, 4: variances 0.5, so df = 2, t(2) = 4.302653
    near(t, one.mean, 2, "difference") near(t, one.df, 2, "df")
    near(t, one.lower, 2 - 4.302653 * math.sqrt(0.5), "lower") near(t, one.upper,
      2 + 4.302653 * math.sqrt(0.5), "upper")
    local figure = outcomes.figure(study)
    t:equal(figure[4][2][1][6], "-1.04 to 5.04")
    t:ok(figure[5]:find("Welch's t", 1, true), "%s", figure[5])
  end)
end)

test("where nobody answered, the report says so", function(t)
  collected(t, ', questionnaires = { "godspeed" }', 1, { still = {}, nodding = {} }, function(study)
    t:equal(outcomes.figure(study), {
      "No questionnaire of the study has been answered after a session that counts." })
  end)
  collected(t, "", 1, { still = {}, nodding = {} }, function(study)
    t:equal(outcomes.figure(study), { "The study asks no questionnaire." })
  end)
end)
