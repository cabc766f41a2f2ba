--- brio ask: the questionnaires that ship, faults in a data file, scores compared with R, a participant's
--- screen and input, answers in the store and in tables.
require "brio"
local interview = require "brio.study.questionnaires.interview"
local panel = require "brio.study.questionnaires.panel"
local questionnaire, record = require "brio.ask.questionnaire", require "brio.study.questionnaires.answers"
local score, sheet = require "brio.ask.score", require "brio.study.questionnaires.sheet"
local statistics, store = require "brio.lib.statistics", require "brio.store"

local function near(t, got, expected, what)
  t:ok(got and math.abs(got - expected) < 5e-9 * math.max(1, math.abs(expected)), "%s is %s, expected %.12g",
    what, tostring(got), expected)
end

--- Additional hours of sleep of ten persons under two drugs: Student, "The probable error of a mean",
--- Biometrika 6 (1908) 1-25, R's data set `sleep`. Results of R 4.2.2: t.test(extra ~ group, paired = TRUE)
--- and t.test(extra ~ group).
local sleep = { { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2 }, { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5,
  1.6, 4.6, 3.4 } }

test("intervals of differences are what R's t.test says of Student's sleep data", function(t)
  local differences = {}
  for index, value in ipairs(sleep[1]) do differences[index] = value - sleep[2][index] end
  local paired = statistics.mean_interval(differences, 0.95)
  local welch = statistics.welch(sleep[1], sleep[2], 0.95)
  local function close(got, expected, what)
    t:ok(math.abs(got - expected) < 1e-6, "%s is %.9g, expected %.9g", what, got, expected)
  end
  close(paired.mean, -1.58, "mean")
  close(paired.lower, -2.4598858, "lower")
  close(paired.upper, -0.7001142, "upper")
  close(welch.lower, -3.3654832, "Welch's lower") close(welch.upper, 0.2054832, "Welch's upper")
  t:ok(math.abs(welch.df - 17.776) < 5e-4, "degrees of freedom %.6f", welch.df)
  -- effsize's cohen.d(extra ~ group), paired = FALSE; the mean of the differences over their SD
  close(statistics.d(sleep[1], sleep[2]), -0.8321811, "d")
  close(statistics.d_z(differences), -1.58 / 1.2299955, "d_z")
  t:equal({ statistics.d({ 2, 2 }, { 3, 3 }), statistics.d_z { 1 } }, {})
  t:equal({ statistics.mean_interval({ 3 }, 0.95).lower, statistics.welch({ 1 }, { 2, 3 }, 0.95).lower }, {})
  t:equal(statistics.welch({ 2, 2 }, { 3, 3 }, 0.95).lower, nil, "nothing varies")
end)

--- The table of J. Cohen, "Weighted kappa", Psychological Bulletin 70 (1968) 213-220, times 200, as in R's
--- psych: cohen.kappa gives 0.49 unweighted.
test("kappa is what its author's table gives", function(t)
  local made = statistics.kappa { { 88, 14, 18 }, { 10, 40, 10 }, { 2, 6, 12 } }
  near(t, made.observed, 0.70, "agreement") near(t, made.expected, 0.41, "agreement by chance")
  near(t, made.kappa, 0.29 / 0.59, "kappa")
  near(t, statistics.kappa({ { 20, 5 }, { 10, 15 } }).kappa, 0.4, "kappa of two classes")
  t:equal(statistics.kappa({ { 7, 0 }, { 0, 0 } }).kappa, nil, "one class alone")
  t:equal(statistics.kappa({}).kappa, nil, "nothing was coded")
end)

--- Ratings of 160 films by two critics: 0.389 with a standard error of 0.060 (A. Agresti, Categorical Data
--- Analysis, on agreement).  Answers of 91 couples: 0.129 and 0.069 (the same; R's vcd, SexualFun: 0.0686).
test("the interval of kappa", function(t)
  local films = statistics.kappa({ { 24, 8, 13 }, { 8, 13, 11 }, { 10, 9, 64 } }, 0.95)
  t:equal({ ("%.3f %.3f"):format(films.kappa, films.error) }, { "0.389 0.060" })
  t:equal({ ("%.2f %.2f"):format(films.lower, films.upper) }, { "0.27 0.51" })
  local couples = { { 7, 7, 2, 3 }, { 2, 8, 3, 7 }, { 1, 5, 4, 9 }, { 2, 8, 9, 14 } }
  local made = statistics.kappa(couples, 0.95)
  t:equal({ ("%.4f %.4f"):format(made.kappa, made.error) }, { "0.1293 0.0686" })
  t:equal(statistics.kappa({ { 2, 0 }, { 0, 3 } }, 0.95).upper, 1, "coders who agree wholly")
end)

local function find(name) return assert(questionnaire.find(name)) end

-- Reference values of others ------------------------------------------------------------------------------

--- Twelve persons, six items of 1 to 5; the third and the fifth are reversed; 0: skipped.
local answered = {
  { 4, 5, 2, 4, 1, 3 }, { 3, 3, 3, 4, 2, 4 }, { 5, 5, 1, 5, 1, 4 }, { 2, 1, 4, 2, 5, 3 },
    { 3, 4, 2, 3, 3, 3 }, { 4, 4, 2, 4, 2, 5 },
  { 1, 2, 5, 2, 4, 1 }, { 5, 4, 1, 4, 2, 3 }, { 2, 3, 4, 3, 3, 2 }, { 4, 4, 0, 5, 1, 4 },
    { 3, 2, 3, 3, 4, 2 }, { 4, 0, 2, 3, 2, 4 },
}

--- Results of R 4.2.2 with psych 2.2.9: alpha(complete cases), alpha.ci(..., p.val = .05), rowMeans(na.rm),
--- colMeans(na.rm).
local of_r = {
  alpha = 0.9511439114, lower = 0.8821491151, upper = 0.9859886421, lower_90 = 0.8976096035,
    upper_90 = 0.9826329515,
  between = 0.7751004838, mean = 3.391666667, sd = 1.073474958,
  without = { 0.9343991180, 0.9406748911, 0.9361192931, 0.9367778145, 0.9384137427, 0.9626391097 },
  rest = { 0.9117166266, 0.8617064580, 0.8982735753, 0.9436646206, 0.8799173125, 0.6511170134 },
  means = { 3.333333333, 3.363636364, 3.363636364, 3.500000000, 3.500000000, 3.166666667 },
  sds = { 1.230914910, 1.286291357, 1.286291357, 1.000000000, 1.314257481, 1.114640858 },
}

--- A questionnaire of one group with those six items.
local function six()
  local data = { name = "six", lowest = 1, highest = 5, score = { of = "mean" }, missing = 0.5,
    groups = { { id = "A", title = "A" } }, items = {} }
  for index, id in ipairs { "a", "b", "c", "d", "e", "f" } do
    data.items[index] = { id = id, group = "A", reverse = index == 3 or index == 5 }
  end
  return data
end

local function sittings_of(data, rows)
  local list, ids = {}, {}
  for index, item in ipairs(data.items) do ids[index] = item.id end
  for n, row in ipairs(rows) do
    list[n] = { items = ids, answers = {} }
    for index, value in ipairs(row) do list[n].answers[ids[index]] = value ~= 0 and value end
  end
  return list
end

test("alpha, its interval, and items are what R's psych says", function(t)
  local data = six()
  local list = sittings_of(data, answered)
  local got = score.sheets(data, list, {})[1]
  t:equal({ got.k, got.asked, got.n, got.complete }, { 6, 12, 12, 10 })
  for _, name in ipairs { "alpha", "lower", "upper", "between", "mean", "sd" } do
    near(t, got[name], of_r[name], name)
  end
  for index, item in ipairs(got.items) do
    near(t, item.rest, of_r.rest[index], "r with rest " .. index)
    near(t, item.without, of_r.without[index], "alpha without " .. index)
    near(t, item.mean, of_r.means[index], "mean " .. index)
    near(t, item.sd, of_r.sds[index], "sd " .. index)
  end
  got = score.sheets(data, list, { level = 0.9 })[1]
  near(t, got.lower, of_r.lower_90, "90 %") near(t, got.upper, of_r.upper_90, "90 %")
end)

test("an alpha below zero, of two items, and one that a manual prints", function(t)
  local data = six()
  data.items[3].reverse, data.items[5].reverse = false, false
  local got = score.sheets(data, sittings_of(data, answered), {})[1]
  near(t, got.alpha, -1.951401869, "not turned") near(t, got.lower, -6.1193853642, "lower") near(t, got.upper,
    0.1535722726, "upper")
  local rows = {}
  for _, row in ipairs(answered) do
    if row[2] ~= 0 and row[3] ~= 0 then rows[#rows + 1] = { row[1], row[2] } end
  end
  local alpha = statistics.alpha(rows)
  near(t, alpha, 0.8778761062, "two items")
  local lower, upper = statistics.interval(alpha, #rows, 2, 0.95)
  near(t, lower, 0.5083299170, "lower") near(t, upper, 0.9696661523, "upper")
  local q1, q2, q3 = { 1, 5, 2, 3, 4, 2, 3, 4, 3, 2 }, { 2, 4, 1, 2, 4, 1, 2, 5, 2, 1 },
    { 2, 5, 1, 3, 3, 2, 2, 4, 2, 2 }
  rows = {} -- the example of CronbachAlpha in R's fmsb
  for n = 1, 10 do rows[n] = { q1[n], q2[n], q3[n] } end
  near(t, statistics.alpha(rows), 0.9295039164, "fmsb's example")
end)

test("quantiles of F are those of R's qf", function(t)
  for _, one in ipairs { { 0.975, 29, 174, 1.661538417028813 }, { 0.025, 29, 174, 0.536965542527491 },
      { 0.975, 1, 1, 647.789011477844 },
    { 0.95, 199, 995, 1.19084966254369 }, { 0.5, 3, 7, 0.870944253187285 } } do
    near(t, statistics.f_quantile(one[1], one[2], one[3]), one[4], "quantile")
  end
end)

test("where alpha is not defined it is said why", function(t)
  local function why(rows) return select(2, statistics.alpha(rows)) end
  t:equal(why { { 1 }, { 2 } }, "one item alone")
  t:equal(why { { 1, 2 } }, "fewer than two complete answers")
  t:equal(why {}, "fewer than two complete answers")
  t:equal(why { { 1, 2 }, { 2, 1 } }, "everybody's sum is the same")
  local affect = find "affect"
  local got = score.sheets(affect, { { items = { "valence" }, answers = { valence = 3 } } }, {})
  t:equal({ #got, got[1].group, got[1].why, got[1].mean, got[1].sd },
    { 1, "valence", "one item alone", 3, nil })
end)

-- The questionnaires that ship ----------------------------------------------------------------------------

local function counts(data)
  local by_group, list = {}, {}
  for _, item in ipairs(data.items) do by_group[item.group] = (by_group[item.group] or 0) + 1 end
  for index, group in ipairs(data.groups) do list[index] = by_group[group.id] end
  return table.concat(list, " ")
end

test("those that ship have as many items in each group as their papers say", function(t)
  local expected = { godspeed = "5 6 5 5 3", nars = "6 5 3", rosas = "6 6 6", sus = "10", ueq_s = "4 4",
    affect = "1 1 1" }
  for _, name in ipairs(questionnaire.shipped) do t:equal(counts(find(name)), expected[name], name) end
end)

test("each language of each says whether it was published, and a default is there", function(t)
  for _, name in ipairs(questionnaire.shipped) do
    local data = find(name)
    local codes = questionnaire.languages(data)
    t:equal(codes[1], "en")
    t:ok(#codes >= 3, "%s has %d languages", name, #codes)
    for _, code in ipairs(codes) do
      local language = data.languages[code]
      t:equal(language.origin == "own", language.source:find "^our own" ~= nil, name .. " " .. code)
    end
  end
end)

local function reversed(data, variant)
  local list = {}
  for _, item in ipairs(questionnaire.items(data, variant)) do
    if item.reverse then list[#list + 1] = item.id end
  end
  return table.concat(list, " ")
end

test("what is reversed, and what a variant leaves out", function(t)
  t:equal(reversed(find "nars"), "nars_3 nars_5 nars_6")
  t:equal(reversed(find "sus"), "sus_2 sus_4 sus_6 sus_8 sus_10")
  t:equal(reversed(find "godspeed"), "surprised")
  t:equal(reversed(find "godspeed", "as_printed"), "")
  t:equal(#questionnaire.items(find "godspeed", "likeability_4"), 23)
  t:equal(table.concat(questionnaire.order(find "godspeed",
    { groups = { "III", "V" }, variant = "likeability_4" }), " "),
    "friendly kind pleasant nice relaxed calm surprised")
end)

--- The score of the only, or named, group when every item has that answer; `but` overrides some.
local function score_of(name, group, value, but)
  local data = find(name)
  for _, one in ipairs(score.groups(data)) do
    if one.id == group then
      local answers = {}
      for _, item in ipairs(one.items) do answers[item.id] = value end
      for id, other in next, but or {} do answers[id] = other end
      return score.person(data, one.items, answers)
    end
  end
end

test("scores are those of the questionnaires' authors", function(t)
  local best = { sus_2 = 1, sus_4 = 1, sus_6 = 1, sus_8 = 1, sus_10 = 1 }
  t:equal(score_of("sus", "SUS", 5, best), 100)
  t:equal(score_of("sus", "SUS", 1, { sus_2 = 5, sus_4 = 5, sus_6 = 5, sus_8 = 5, sus_10 = 5 }), 0)
  t:equal(score_of("sus", "SUS", 3), 50)
  best.sus_1 = false -- counts as 3
  t:equal(score_of("sus", "SUS", 5, best), 95)
  -- Brooke's own example: contributions 4 1 1 4 1 2 1 1 4 3, together 22, times 2.5
  t:equal(score_of("sus", "SUS", 0, { sus_1 = 5, sus_2 = 4, sus_3 = 2, sus_4 = 1, sus_5 = 2, sus_6 = 3,
    sus_7 = 2, sus_8 = 4, sus_9 = 5, sus_10 = 2 }), 55)
  t:equal({ score_of("nars", "S1", 5), score_of("nars", "S2", 5), score_of("nars", "S3", 5) }, { 30, 25, 3 })
  t:equal({ score_of("ueq_s", "pragmatic", 7), score_of("ueq_s", "hedonic", 1) }, { 3, -3 })
  t:equal(score_of("godspeed", "V", 5), 11 / 3)
end)

test("with too few answers there is no score, with half of them there is", function(t)
  t:equal(score_of("godspeed", "III", 4, { like = false, kind = false }), 4)
  t:equal(score_of("godspeed", "III", 4, { like = false, kind = false, nice = false }), nil)
  t:equal(score_of("nars", "S1", 2, { nars_4 = false, nars_7 = false }), 12)
end)

-- Data files ------------------------------------------------------------------------------------------------

local whole = [[return {
  name = "mine", title = "Mine", sources = { "us" }, permission = "ours", lowest = 1, highest = 3,
  groups = { { id = "A", title = "A" } }, items = { { id = "x", group = "A" }, { id = "y", group = "A", reverse = true } },
  variants = { short = { about = "one", omit = { "y" } } },
  languages = { en = { name = "English", origin = "own", source = "us", instruction = "Say:",
    items = { x = { "low", "high" }, y = { "bad", "good" } } } },
}]]

local function read(t, text)
  local path = t:temporary ".lua"
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return questionnaire.read(path)
end

test("a file of one's own is read, and known by its content", function(t)
  local data = assert(read(t, whole))
  t:equal({ data.name, data.hash, #data.items }, { "mine", store.hash(whole), 2 })
end)

test("every fault in a questionnaire's file is named", function(t)
  for _, fault in ipairs {
    { 'lowest = 1', 'lowest = 3', "highest must be above lowest" },
    { 'lowest = 1', 'lowest = 1.5', "lowest must be a whole number" },
    { 'lowest = 1', 'lowst = 1', "no field 'lowst' %(did you mean 'lowest'" },
    { 'sources = { "us" }, ', '', "needs 'sources'" },
    { 'id = "y", group = "A"', 'id = "x", group = "A"', "items: 'x' is there twice" },
    { 'id = "y", group = "A"', 'id = "y", group = "B"', "items%[2%]%.group: there is no 'B'" },
    { 'groups = {', 'groups = { { id = "B", title = "B" },', "groups: 'B' has no item" },
    { 'y = { "bad", "good" }', '', "languages%.en%.items%.y must be given" },
    { 'y = { "bad", "good" }', 'y = "good", z = "?"', "languages%.en%.items: there is no 'z'" },
    { 'y = { "bad", "good" }', 'y = "good"', "languages%.en%.labels must be given: 'y' is a statement" },
    { 'y = { "bad", "good" }', 'y = { "bad" }', "languages%.en%.items%.y must be a text, or the two ends" },
    { 'instruction = "Say:"', 'instruction = "Say:", labels = { "a", "b", "c", "d" }',
      "labels must be the two ends, or one for each of 3" },
    { 'origin = "own"', 'origin = "mine"', "origin must be one of" },
    { 'instruction = "Say:"', 'instruction = "\\27[2J"',
      "instruction must be a text %(UTF%-8%) without control characters" },
    { '{ "bad", "good" }', '{ "b\\xff", "good" }', "items%.y must be a text, or the two ends" },
    { 'omit = { "y" }', 'omit = { "yy" }', "variants%.short%.omit: there is no 'yy'" },
    { 'items = { { id = "x", group = "A" }, { id = "y", group = "A", reverse = true } }', 'items = {}',
      "items must not be empty" },
    { 'return {', 'return while {', "'while' does not belong" },
    { 'return {', 'return {{', "expected" },
  } do
    local from, to = whole:find(fault[1], 1, true)
    local data, why = read(t, whole:sub(1, from - 1) .. fault[2] .. whole:sub(to + 1))
    t:ok(not data and why:find(fault[3]), "%s: %s", fault[2], tostring(why))
  end
  t:match(select(2, questionnaire.find "godsped"), "did you mean 'godspeed'")
  t:match(select(2, questionnaire.find "./nowhere.lua"), "cannot read")
end)

-- What a participant sees -----------------------------------------------------------------------------------

--- An interview over a form; answers go into a list of {item, value, seconds}.
local function talk_of(name, code, given)
  local data, kept = find(name), {}
  local talk = interview.new(questionnaire.form(data, questionnaire.order(data, {}), code), given or {},
    function(...)
    kept[#kept + 1] = { ... }
    return true
  end)
  return talk, kept
end

--- The width of a line at a terminal, in cells.
local function width(line)
  local count = 0
  for _, code in utf8.codes((line:gsub("\27%[[%d;]*m", ""))) do
    count = count + ((code >= 0x1100 and code <= 0x115f or code >= 0x2e80 and code <= 0xa4cf
      or code >= 0xff00 and code <= 0xff60) and 2 or 1)
  end
  return count
end

test("every item of every questionnaire fits terminals of any width, in every language", function(t)
  for _, name in ipairs(questionnaire.shipped) do
    for _, code in ipairs(questionnaire.languages(find(name))) do
      local talk = talk_of(name, code)
      local shown = panel.new(talk, { language = code, colored = true })
      for at = 1, #talk.form + 1 do
        talk.at = at
        for _, room in ipairs { 24, 40, 80, 200 } do
          local lines = shown:lines(room, 24)
          t:ok(#lines <= 24, "%s %s %d: %d lines", name, code, at, #lines)
          for _, line in ipairs(lines) do
            t:ok(width(line) <= room, "%s %s %d: %d cells of %d: %s", name, code, at, width(line), room, line)
          end
        end
      end
    end
  end
end)

local function seen(shown) return (table.concat(shown:lines(80, 24), "\n"):gsub("\27%[[%d;]*m", "")) end

test("number keys answer, b goes back, s skips, Enter goes on, and nothing is lost", function(t)
  local talk, kept = talk_of("godspeed", "en")
  local shown = panel.new(talk, { language = "en" })
  t:match(seen(shown), "Questionnaire +1 of 24")
  t:match(seen(shown), "fake +○ +○ +○ +○ +○ +natural")
  shown:type("3", 2) shown:type("5", 5)
  t:equal(kept, { { "natural", 3, 2 }, { "humanlike", 5, 3 } })
  shown:type("b", 6)
  t:match(seen(shown), "machinelike +○ +○ +○ +○ +● +humanlike")
  shown:type("4", 7.5) shown:type("s", 8)
  t:equal({ kept[3], kept[4] }, { { "humanlike", 4, 1.5 }, { "conscious", false, 0.5 } })
  shown:type("bbb", 9) shown:type("\r\r\r", 10)
  t:equal({ talk.at, #kept }, { 4, 4 })
  shown:type("7", 11)
  t:match(seen(shown), "number from 1 to 5")
  shown:type("x", 11) shown:type("0", 11)
  t:equal({ talk.at, #kept }, { 4, 4 })
  shown:type("\27[C\27[C\27", 12) shown:type("[C\27OD\r", 13) -- arrows, one of them in pieces
  t:equal(kept[5], { "lifelike_1", 2, 3 })
end)

test("a byte that begins no character is passed over, and the key after it counts once", function(t)
  local talk, kept = talk_of("godspeed", "en")
  local shown = panel.new(talk, { language = "en" })
  shown:type("\x804", 1) -- the sign of the euro in Windows' characters, and 4
  shown:type("\xA4\xBF5é3", 2)
  t:equal(kept, { { "natural", 4, 1 }, { "humanlike", 5, 1 }, { "conscious", 3, 0 } })
end)

test("leaving is asked about; the end is seen before it is over", function(t)
  local talk = talk_of("affect", "de")
  local shown = panel.new(talk, { language = "de" })
  shown:type("q", 1)
  t:match(seen(shown), "Aufhören%?")
  shown:type("n", 1) t:ok(not shown.left, "n stays")
  shown:type("9s1", 2)
  t:match(seen(shown), "Vielen Dank!\n +ohne Antwort: 1")
  shown:type("b", 3) t:equal(talk:item().id, "dominance")
  shown:type("\r", 3) t:ok(not shown.finished, "one more Enter") shown:type("\r", 3) t:ok(shown.finished,
    "finished")
  shown = panel.new(talk_of("affect", "de"), { language = "de" })
  shown:type("\3y", 1)
  t:ok(shown.left, "Ctrl-C and y leaves")
end)

test("an answer that cannot be kept does not count, and that is seen", function(t)
  local data = find "affect"
  local talk = interview.new(questionnaire.form(data, questionnaire.order(data, {}), "en"), {},
    function() return nil, "the disk is full" end)
  local shown = panel.new(talk, { language = "en" })
  shown:type("5", 1)
  t:match(seen(shown), "the disk is full")
  t:equal({ talk.at, talk:count() }, { 1, 0 })
end)

test("an interview goes on where it was left, and refuses what is no answer", function(t)
  local talk = talk_of("affect", "en", { valence = 4, arousal = false })
  t:equal({ talk:item().id, talk:count() }, { "dominance", 2 })
  for _, value in ipairs { 0, 10, 2.5, 0 / 0, math.huge } do
    local good, why = talk:answer(value)
    t:ok(not good and why:find "from 1 to 9", "%s: %s", value, tostring(why))
  end
  t:equal(talk:answer(9), true)
  t:equal(talk:item(), nil)
  t:equal({ talk:answer(1) }, { nil, "everything is answered" })
end)

test("scales beyond nine points are typed as numbers", function(t)
  local kept = {}
  local talk = interview.new({ { id = "x", low = "none", high = "all", lowest = 0, highest = 100,
    instruction = "Say:" } }, {}, function(...) kept[#kept + 1] = { ... } return true end)
  local shown = panel.new(talk, { language = "xx" })
  shown:type("1011\127\r", 1)
  t:match(seen(shown), "number from 0 to 100")
  shown:type("85\r", 2)
  t:equal(kept[1][2], 85)
end)

-- The store, and tables -------------------------------------------------------------------------------------

test("a sitting is kept, read, gone on with, ended, and forgotten", function(t)
  local path, data = t:temporary ".db", find "affect"
  local kept = assert(record.open(path))
  local wanted = { participant = "P1", condition = "A", language = "de",
    items = { "arousal", "valence", "dominance" }, seed = 7 }
  local id = assert(kept:begin(data, wanted))
  t:equal({ kept:begin(data, wanted) }, { nil, "P1 is being asked this in another terminal" })
  assert(kept:answer(id, "arousal", 3, 1.25) and kept:answer(id, "arousal", 4, 0.5)
    and kept:answer(id, "valence", false))
  local db = assert(store.open(path))
  local one = assert(record.sittings(db, "affect"))[1]
  t:equal({ one.participant, one.condition, one.language, one.seed, one.hash, one.items },
    { "P1", "A", "de", 7, data.hash, wanted.items })
  t:equal(one.answers, { arousal = 4, valence = false })
  t:equal(record.match({ one }, { participant = "P1", condition = "A",
    items = { "valence", "arousal", "dominance" } }), one)
  t:equal(record.match({ one }, { participant = "P1", condition = "B", items = wanted.items }), nil)
  t:ok(not record.is_busy(one), "our own process is no other")
  assert(kept:finish(id, "finished"))
  t:equal(db:query("SELECT given, value, outcome FROM answers WHERE item = 'arousal'"),
    { { given = 2, value = 4, outcome = "finished" } })
  t:equal(kept:forget "P1", true)
  t:equal(db:query("SELECT (SELECT count(*) FROM sittings) + (SELECT count(*) FROM responses) AS n"),
    { { n = 0 } })
  db:close() kept:close()
end)

test("codes are codes, names are refused", function(t)
  for code, good in next, { P7 = true, ["vp-012_b"] = true, Anna = false, ["P 7"] = false, [""] = false,
      ["P7;"] = false } do
    t:equal(record.is_code(code), good, code)
  end
end)

test("answers are read from wide and long tables", function(t)
  local data = find "affect"
  local wide = assert(sheet.read(data,
    "\u{FEFF}participant;condition;valence;arousal;dominance;score_valence\r\nP1;A;3;NA;9;3\r\n\r\nP2;B;1;2;\z
      \r\n"))
  t:equal(wide, { { line = 2, participant = "P1", condition = "A",
    answers = { valence = 3, arousal = false, dominance = 9 } },
    { line = 4, participant = "P2", condition = "B",
      answers = { valence = 1, arousal = 2, dominance = false } } })
  t:equal(assert(sheet.read(data, "item,value\nvalence,3\narousal,\n")),
    { { line = 2, answers = { valence = 3, arousal = false } } })
  for text, sentence in next, {
    [""] = "it is empty",
    ["participant,valense\nP1,3\n"] = "no item 'valense' (did you mean 'valence'?)",
    ["participant,valence\nP1,10\n"] = "line 2: '10' is no answer to 'valence': a whole number from 1 to 9",
    ["participant,valence\nP1,2.5\n"] = "'2.5' is no answer",
    ["participant,valence,valence\nP1,2,2\n"] = "column 'valence' is there twice",
    ["item,value\nvalence,3\nvalence,4\n"] = "line 3: 'valence' is answered twice",
    ["item,value\nfoo,3\n"] = "line 2: there is no item 'foo'",
    ["participant,valence\nP1,3,4\n"] = "line 2 has 3 cells, the head 2",
    ['participant,valence\n"P1,3\n'] = "line 2: a quote that does not end",
  } do
    local list, why = sheet.read(data, text)
    t:ok(not list and why:find(sentence, 1, true), "%s: %s", text, tostring(why))
  end
end)

test("answers to a variant that the file has no more are exported without a score", function(t)
  local less = whole:gsub("variants = .-,\n", "", 1)
  for _, text in ipairs { less, (whole:gsub("short = ", "long = ")) } do
    local data = assert(read(t, text))
    local made = sheet.text(data, { { id = 1, participant = "P1", variant = "short", answers = { x = 3 } },
      { id = 2, participant = "P2", answers = { x = 3, y = 1 } } })
    t:match(made, "\n1,P1,,,,short,,,,3,,\n2,P2,,,,,,,,3,1,3%.0\n$")
  end
end)

test("what is exported can be read again", function(t)
  local data = find "affect"
  local text = sheet.text(data, { { id = 1, participant = "P1", condition = 'A, "b"', language = "en",
    answers = { valence = 3, arousal = false } } })
  t:match(text, "\n1,P1,\"A, \"\"b\"\"\",,en,,,,,3,,,3%.0,,\n$")
  local back = assert(sheet.read(data, text))
  t:equal({ back[1].condition, back[1].answers },
    { 'A, "b"', { valence = 3, arousal = false, dominance = false } })
end)
