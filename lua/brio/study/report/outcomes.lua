--- Results of questionnaires: scores by scale and condition with their spread and reliability, and
--- differences between conditions with intervals. The figures of the report (see figures.lua) and their
--- computation.
local plots = require "brio.study.report.plots"
local questionnaire = require "brio.study.questionnaires.questionnaire"
local score, statistics = require "brio.study.questionnaires.score", require "brio.lib.statistics"

local outcomes = {}

local level = 0.95

--- Placeholder for the condition of answers without a session.
outcomes.beside = "no session"

local sittings_sql = [[
  SELECT t.sitting, t.participant, coalesce(t.condition, ?2) AS condition, s.variant, s.items, q.name, q.hash,
    q.source
  FROM study_sittings t JOIN sittings s ON s.id = t.sitting JOIN questionnaires q ON q.hash = s.questionnaire
  WHERE t.study = ?1 AND s.outcome = 'finished' AND (t.session IS NOT NULL OR t.condition IS NULL)
  ORDER BY q.name, q.hash, s.variant, t.participant, t.sitting]]

local answers_sql = [[
  SELECT a.sitting, a.item, a.value FROM study_sittings t JOIN answers a ON a.sitting = t.sitting
    WHERE t.study = ?1]]

local function query(study, sql, ...)
  local rows, why = study.db:query(sql, study.found.id, ...)
  if not rows then error({ why = why }, 0) end
  return rows
end

-- What was answered ------------------------------------------------------------------------------------

--- Answers of all sittings of the study: sitting = { item = value }.
local function answers_of(study)
  local list = {}
  for _, row in ipairs(query(study, answers_sql)) do
    list[row.sitting] = list[row.sitting] or {}
    list[row.sitting][row.item] = row.value
  end
  return list
end

--- A questionnaire as asked: { data, variant, title, sittings = { [condition] = { [participant] = sitting }
--- }, again (number of sittings replaced by a later one of the same participant and condition) }.
local function new_sheet(row)
  local data, why = questionnaire.parse(row.source, row.name)
  if not data then error({ why = why }, 0) end
  return { data = data, variant = row.variant, key = row.hash .. (row.variant or ""), again = 0,
    sittings = {},
    title = data.title .. (row.variant and (", variant %s"):format(row.variant) or "") }
end

--- The answered questionnaires of a study, a list.
local function sheets_of(study)
  local list, answers, sheet = {}, answers_of(study), nil
  for _, row in ipairs(query(study, sittings_sql, outcomes.beside)) do
    if not sheet or sheet.key ~= row.hash .. (row.variant or "") then
      sheet = new_sheet(row)
      list[#list + 1] = sheet
    end
    local of = sheet.sittings[row.condition] or {}
    sheet.sittings[row.condition] = of
    sheet.again = sheet.again + (of[row.participant] and 1 or 0)
    local items = {}
    for id in row.items:gmatch '"([%w_]+)"' do items[#items + 1] = id end
    of[row.participant] = { items = items, answers = answers[row.sitting] or {} }
  end
  return list
end

--- The names of conditions in which a questionnaire was answered, in the order of the file.
local function conditions_of(study, sheet)
  local names = {}
  for _, one in ipairs(study.data.conditions) do
    if sheet.sittings[one.name] then names[#names + 1] = one.name end
  end
  if sheet.sittings[outcomes.beside] then names[#names + 1] = outcomes.beside end
  return names
end

--- The participants with a score in a scale, and their scores, in the order of their codes.
local function scores_of(sheet, group, condition)
  local codes, list, by_code = {}, {}, {}
  for code in next, sheet.sittings[condition] or {} do codes[#codes + 1] = code end
  table.sort(codes)
  for _, code in ipairs(codes) do
    local value = score.person(sheet.data, group.items, sheet.sittings[condition][code].answers)
    if value then list[#list + 1], by_code[code] = value, value end
  end
  return list, by_code, #codes
end

--- One scale in one condition: { group, condition, scores, by_code, n, mean, sd, lower, upper, alpha,
--- alpha_lower, alpha_upper, complete (rows for alpha), why (alpha is undefined) }.
local function cell_of(sheet, group, condition)
  local list, by_code, asked = scores_of(sheet, group, condition)
  local made, sittings = statistics.mean_interval(list, level), {}
  for _, sitting in next, sheet.sittings[condition] or {} do sittings[#sittings + 1] = sitting end
  local found = score.group(sheet.data, group, sittings, level)
  made.group, made.condition, made.scores, made.by_code, made.asked = group, condition, list, by_code, asked
  made.alpha, made.alpha_lower, made.alpha_upper = found.alpha, found.lower, found.upper
  made.complete, made.why = found.complete, found.why
  return made
end

--- Scores of participants with both: two parallel lists, and their differences.
local function paired(first, second)
  local codes, differences = {}, {}
  for code in next, first.by_code do
    if second.by_code[code] then codes[#codes + 1] = code end
  end
  table.sort(codes)
  for index, code in ipairs(codes) do differences[index] = first.by_code[code] - second.by_code[code] end
  return differences
end

--- The difference of two cells (later in the file minus earlier): { group, name, n, mean, sd, df, lower,
--- upper, d }.
local function difference_of(study, first, second)
  local made
  if study.data.design == "within" then
    local differences = paired(second, first)
    made = statistics.mean_interval(differences, level)
    made.df, made.d = made.n > 1 and made.n - 1 or nil, statistics.d_z(differences)
  else
    made = statistics.welch(second.scores, first.scores, level)
    made.n, made.d = made.n_a + made.n_b, statistics.d(second.scores, first.scores)
  end
  made.group, made.name = first.group, ("%s - %s"):format(second.condition, first.condition)
  return made
end

--- All results: a list of { title, data, again, cells, differences, conditions }, one for each answered
--- questionnaire.
function outcomes.collect(study)
  local list = {}
  for index, sheet in ipairs(sheets_of(study)) do
    local made = { title = sheet.title, data = sheet.data, again = sheet.again, cells = {}, differences = {},
      conditions = conditions_of(study, sheet) }
    for _, group in ipairs(score.groups(sheet.data, sheet.variant)) do
      local of = {}
      for place, condition in ipairs(made.conditions) do
        of[place] = cell_of(sheet, group, condition)
        made.cells[#made.cells + 1] = of[place]
        for before = 1, place - 1 do
          local both = condition ~= outcomes.beside
          if both then made.differences[#made.differences + 1] = difference_of(study, of[before],
            of[place]) end
        end
      end
    end
    list[index] = made
  end
  return list
end

-- In tables ----------------------------------------------------------------------------------------------

local function number(value) return value and (("%.2f"):format(value):gsub("^%-(0%.00)$", "%1")) or "" end

local function interval(lower, upper) return lower and ("%.2f to %.2f"):format(lower, upper) or "none" end

local function means_table(sheet)
  local rows = {}
  for index, cell in ipairs(sheet.cells) do
    rows[index] = { sheet.data.name, cell.group.title, #cell.group.items, cell.condition, cell.n,
      number(cell.mean),
      number(cell.sd), interval(cell.lower, cell.upper), number(cell.alpha) ~= "" and number(cell.alpha)
        or "none",
      interval(cell.alpha_lower, cell.alpha_upper) }
  end
  return { { "questionnaire", "scale", "items", "condition", "n", "mean", "SD", "95 % interval of the mean",
    "alpha",
    "95 % interval of alpha" }, rows, ("%s: scores by scale and condition"):format(sheet.title) }
end

local function differences_table(study, sheet)
  local within, rows = study.data.design == "within", {}
  for index, one in ipairs(sheet.differences) do
    rows[index] = { one.group.title, one.name, one.n, number(one.mean) }
    table.move(within and { number(one.sd), one.df or "" } or { number(one.df) }, 1, 2, 5, rows[index])
    table.insert(rows[index], interval(one.lower, one.upper))
    table.insert(rows[index], one.d and number(one.d) or "none")
  end
  local names = within and { "scale", "difference", "pairs", "mean", "SD of differences", "df",
    "95 % interval", "d_z" }
    or { "scale", "difference", "participants", "mean", "df", "95 % interval", "d" }
  return { names, rows, ("%s: differences between conditions"):format(sheet.title) }
end

--- Method of the table of differences.
local function method_of(study, sheet)
  local list, least = {}, math.huge
  for _, one in ipairs(sheet.differences) do least = math.min(least, one.n) end
  list[1] = study.data.design == "within"
    and
      "Differences are within participants; the interval is Student's t of the paired differences, mean ± \z
        t(df) SD/√n. It "
      .. "assumes that participants are independent and their differences about normally distributed."
    or
      "Differences are between groups; the interval is Welch's t, which does not assume equal variances. \z
        It assumes that "
      .. "participants are independent and scores about normally distributed in each group."
  if least < 20 then
    list[2] = ("With %d %s that cannot be checked from the data."):format(least, study.data.design == "within"
      and (least == 1 and "pair" or "pairs") or (least == 1 and "participant" or "participants"))
  end
  if #sheet.differences > 1 then
    list[#list + 1] =
      ("%d intervals stand in this table, each of 95 %% by itself: they are not corrected for their number.")
      :format(#sheet.differences)
  end
  list[#list + 1] = study.data.design == "within" and "d_z is the mean over the SD of differences."
    or "d is Cohen's: the difference over the pooled SD."
  return table.concat(list, " ")
end

-- The figure ---------------------------------------------------------------------------------------------

--- The minimum and maximum score of a scale.
local function range_of(data, group)
  local said, k = data.score, data.score.of == "sum" and #group.items or 1
  local function at(mean) return (said.factor or 1) * (mean - (said.zero or 0)) * k end
  return at(data.lowest), at(data.highest)
end

local function picture_of(sheet)
  local spec = { title = sheet.title .. ": scores by scale and condition", rows = {}, legend = {} }
  local seen, place = {}, {}
  for index, name in ipairs(sheet.conditions) do spec.legend[index], place[name] = { name, index }, index end
  for index, cell in ipairs(sheet.cells) do
    local from, to = range_of(sheet.data, cell.group)
    spec.from, spec.to = math.min(spec.from or from, from), math.max(spec.to or to, to)
    spec.rows[index] = { label = ("%s (n = %d)"):format(cell.condition, cell.n),
      color = place[cell.condition],
      heading = not seen[cell.group] and cell.group.title or nil, points = cell.scores, mean = cell.mean,
        lower = cell.lower,
      upper = cell.upper }
    seen[cell.group] = true
  end
  spec.axis = ("score (%g to %g)"):format(spec.from, spec.to)
  return { picture = plots.dots(spec), caption =
    ("%s. A dot is one participant's score, the upright stroke the mean, the line "
    .. "its 95 %% interval (Student's t), cut at the ends of the scale."):format(sheet.title) }
end

--- Scoring of a questionnaire, in a sentence.
local function scoring_of(sheet)
  local data = sheet.data
  local reversed = {}
  for _, item in ipairs(data.items) do
    if item.reverse then reversed[#reversed + 1] = item.id end
  end
  return
    ("%s (%d items, answers %g to %g): a participant's score in a scale is the %s of its items%s. SD has \z
      n - 1 below it; "
    ..
      "alpha is Cronbach's, of the answers in one condition in which no item is missing, with Feldt's \z
        interval.%s"):format(
    sheet.title, #data.items, data.lowest, data.highest, data.score.of, reversed[1]
    and (", %s turned round"):format(table.concat(reversed, ", ")) or "", sheet.again > 0
    and
      (" %d earlier answers of the same participant in the same condition are left out."):format(sheet.again)
      or "")
end

--- Contents for the report: texts, tables, pictures.
function outcomes.figure(study)
  local list = {}
  for _, sheet in ipairs(outcomes.collect(study)) do
    list[#list + 1] = scoring_of(sheet)
    list[#list + 1] = means_table(sheet)
    list[#list + 1] = picture_of(sheet)
    if sheet.differences[1] then
      list[#list + 1] = differences_table(study, sheet)
      list[#list + 1] = method_of(study, sheet)
    end
  end
  if not list[1] then
    list[1] = study.data.questionnaires[1] and
      "No questionnaire of the study has been answered after a session that counts."
      or "The study asks no questionnaire."
  end
  return list
end

return outcomes
