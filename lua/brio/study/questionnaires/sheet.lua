--- Answers as a table (CSV): imported from paper or another program, and exported.
---
--- Wide: a row for each sitting, a column for each item.  Long: columns `item` and `value`, a row for each
--- answer.  Both may have the columns participant, condition, run and language.
local columns, csv = require "brio.lib.columns", require "brio.formats.motion.readers.csv"
local questionnaire = require "brio.study.questionnaires.questionnaire"
local score, suggest = require "brio.study.questionnaires.score", require "brio.lib.suggest"

local sheet = {}

local about = { "participant", "condition", "run", "language" }

--- Columns of brio's own that are not answers.
local ours = { "sitting", "variant", "begun_at", "ended_at", "outcome" }

--- Fields of a sitting in a row of the table.
local fields = { "sitting", "participant", "condition", "run", "language", "variant", "begun_at", "ended_at",
  "outcome" }

local function is_ours(name) return suggest.contains(ours, name) or name:find "^score_" ~= nil end

--- The value of a cell: a whole number, or false for an empty one; nil if it is neither.
local function value_of(cell)
  if cell == nil or cell == "" or cell == "NA" then return false end
  return math.tointeger(tonumber(cell))
end

--- The rows of a text as { line, fields by name }; nil and a sentence.
function sheet.rows(text)
  local head, separator, list, number = nil, nil, {}, 0
  for line in (text:gsub("^\u{FEFF}", "") .. "\n"):gmatch "(.-)\r?\n" do
    number = number + 1
    local cells
    if line:find "[^%s,;]" then
      separator = separator or csv.separator(line)
      cells = csv.cells(line, separator)
      if not cells then return nil, ("line %d: a quote that does not end"):format(number) end
      if head and #cells > #head then
        return nil, ("line %d has %d cells, the head %d"):format(number, #cells, #head)
      end
    end
    if cells and head then
      local row = { line = number, fields = {} }
      for index, name in ipairs(head) do row.fields[name] = cells[index] ~= "" and cells[index] or nil end
      list[#list + 1] = row
    elseif cells then
      head = cells
    end
  end
  if not head then return nil, "it is empty: a head with the names of columns was expected" end
  return list, head
end

local function check_head(head, known, long)
  local seen = {}
  for _, name in ipairs(head) do
    if seen[name] then return nil, ("column '%s' is there twice"):format(name) end
    seen[name] = true
    local good = suggest.contains(about, name) or is_ours(name) or known[name]
      or (long and (name == "item" or name == "value"))
    if not good then
      local names = suggest.keys(known)
      table.move(about, 1, #about, #names + 1, names)
      return nil, ("there is no item '%s'%s"):format(name, suggest.hint(name, names))
    end
  end
  return true
end

local function sitting_of(row)
  local one = { line = row.line, answers = {} }
  for _, name in ipairs(about) do one[name] = row.fields[name] end
  return one
end

--- Add an answer to a sitting; nil and a sentence.
local function put(data, one, line, item, cell)
  local value = value_of(cell)
  if value == nil or value and (value < data.lowest or value > data.highest) then
    return nil, ("line %d: '%s' is no answer to '%s': a whole number from %d to %d, or nothing"):format(line,
      cell, item, data.lowest, data.highest)
  end
  if one.answers[item] ~= nil then return nil, ("line %d: '%s' is answered twice"):format(line, item) end
  one.answers[item] = value
  return true
end

local function read_wide(data, rows, head, known)
  local list = {}
  for _, row in ipairs(rows) do
    local one = sitting_of(row)
    for _, name in ipairs(head) do
      if known[name] then
        local good, why = put(data, one, row.line, name, row.fields[name])
        if not good then return nil, why end
      end
    end
    list[#list + 1] = one
  end
  return list
end

local function read_long(data, rows, known)
  local list, by_key = {}, {}
  for _, row in ipairs(rows) do
    local one, item = sitting_of(row), row.fields.item or ""
    local key = table.concat({ one.participant or "", one.condition or "", one.run or "" }, "\0")
    if not by_key[key] then by_key[key], list[#list + 1] = one, one end
    if not known[item] then
      return nil, ("line %d: there is no item '%s'%s"):format(row.line, item,
        suggest.hint(item, suggest.keys(known)))
    end
    local good, why = put(data, by_key[key], row.line, item, row.fields.value)
    if not good then return nil, why end
  end
  return list
end

--- Read sittings: { line, participant, condition, run, language (texts or nil), answers = item -> value or
--- false }. Return nil and a sentence on errors.
function sheet.read(data, text)
  local rows, head = sheet.rows(text)
  if not rows then return nil, head end
  local known = {}
  for _, item in ipairs(data.items) do known[item.id] = true end
  local long = suggest.contains(head, "item") and suggest.contains(head, "value")
  local good, why = check_head(head, known, long)
  if not good then return nil, why end
  if long then return read_long(data, rows, known) end
  return read_wide(data, rows, head, known)
end

--- Sittings as wide CSV, with the score of each group at the end; none of a variant that the questionnaire
--- has no more.
function sheet.text(data, sittings)
  local head, lines = { table.unpack(fields) }, {}
  for _, item in ipairs(data.items) do head[#head + 1] = item.id end
  for _, group in ipairs(data.groups) do head[#head + 1] = "score_" .. group.id end
  lines[1] = columns.csv_line(head, #head)
  for _, one in ipairs(sittings) do
    local values = { one.id }
    for index = 2, #fields do values[index] = one[head[index]] end
    for index, item in ipairs(data.items) do values[#fields + index] = one.answers[item.id] or nil end
    local scored = not one.variant or questionnaire.has_variant(data, one.variant)
    for index, group in ipairs(scored and score.groups(data, one.variant) or {}) do
      values[#fields + #data.items + index] = score.person(data, group.items, one.answers)
    end
    lines[#lines + 1] = columns.csv_line(values, #head)
  end
  return table.concat(lines, "\n") .. "\n"
end

return sheet
