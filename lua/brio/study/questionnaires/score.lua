--- Scores of answers: of each person, and of a group of items over all persons.
local questionnaire = require "brio.study.questionnaires.questionnaire"
local statistics = require "brio.lib.statistics"

local score = {}

--- An answer to an item, reversed if the item is; nil if there is none.
local function turned(data, item, value)
  if not value then return nil end
  return item.reverse and data.lowest + data.highest - value or value
end

--- The score of a person for the items of one group, by the questionnaire's rule; nil if too few are
--- answered.
---@param answers table item = value, false or nil where there is none
function score.person(data, items, answers)
  local given = {}
  for _, item in ipairs(items) do given[#given + 1] = turned(data, item, answers[item.id]) end
  if #given == 0 then return nil end
  if data.missing == "middle" then
    while #given < #items do given[#given + 1] = (data.lowest + data.highest) / 2 end
  elseif #given / #items < data.missing then
    return nil
  end
  local mean, said = statistics.mean(given), data.score
  return (said.factor or 1) * (mean - (said.zero or 0)) * (said.of == "sum" and #items or 1)
end

--- The groups of a questionnaire with their items, in the order of the file: { id, title, items }.
function score.groups(data, variant)
  local list, by_id = {}, {}
  for _, group in ipairs(data.groups) do
    by_id[group.id] = { id = group.id, title = group.title, items = {} }
    list[#list + 1] = by_id[group.id]
  end
  for _, item in ipairs(questionnaire.items(data, variant)) do table.insert(by_id[item.group].items, item) end
  return list
end

--- Whether any item of a group was asked in a sitting.
local function was_asked(group, sitting)
  local asked = {}
  for _, id in ipairs(sitting.items) do asked[id] = true end
  for _, item in ipairs(group.items) do
    if asked[item.id] then return true end
  end
  return false
end

--- The answers of a sitting to a group, with reversals, as a row; nil if one is missing.
local function complete_row(data, group, sitting)
  local row = {}
  for index, item in ipairs(group.items) do
    row[index] = turned(data, item, sitting.answers[item.id])
    if not row[index] then return nil end
  end
  return row
end

--- Statistics of each item: its mean and deviation over all answers, the rest over complete rows.
local function items_of(data, group, sittings, rows)
  local list = statistics.items(rows)
  for index, item in ipairs(group.items) do
    local given = {}
    for _, sitting in ipairs(sittings) do given[#given + 1] = turned(data, item, sitting.answers[item.id]) end
    local one = list[index] or {}
    list[index] = { item = item.id, reverse = item.reverse, n = #given, mean = statistics.mean(given),
      sd = statistics.deviation(given), rest = one.rest, without = one.without }
  end
  return list
end

--- The scores of one group of items over sittings:
---@return table sheet { group, title, k (items), asked, n (persons with a score), mean, sd, lowest, highest,
---  complete (rows for alpha), alpha, lower, upper (Feldt's interval), why (alpha is nil), between (mean
---  correlation of items), items }
function score.group(data, group, sittings, level)
  local asked, scores, rows = {}, {}, {}
  for _, sitting in ipairs(sittings) do
    if was_asked(group, sitting) then
      asked[#asked + 1] = sitting
      scores[#scores + 1] = score.person(data, group.items, sitting.answers)
      rows[#rows + 1] = complete_row(data, group, sitting)
    end
  end
  local alpha, why = statistics.alpha(rows)
  if #group.items == 1 then why = "one item alone" end
  local sheet = { group = group.id, title = group.title, k = #group.items, asked = #asked, n = #scores,
    mean = statistics.mean(scores), sd = statistics.deviation(scores), complete = #rows, alpha = alpha,
      why = why,
    between = statistics.between(rows), items = items_of(data, group, asked, rows) }
  for _, value in ipairs(scores) do
    sheet.lowest, sheet.highest = math.min(sheet.lowest or value, value),
      math.max(sheet.highest or value, value)
  end
  if alpha then sheet.lower, sheet.upper = statistics.interval(alpha, #rows, #group.items, level) end
  return sheet
end

--- The scores of every group that was asked.  sittings: { items = ids, answers = item -> value }.
---@param choice table { variant, level (of the interval; 0.95) }
function score.sheets(data, sittings, choice)
  local list = {}
  for _, group in ipairs(score.groups(data, choice.variant)) do
    local sheet = score.group(data, group, sittings, choice.level or 0.95)
    if sheet.asked > 0 then list[#list + 1] = sheet end
  end
  return list
end

return score
