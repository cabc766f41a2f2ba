--- Export of a study for sharing: tables as CSV and a codebook as JSON, without identifying information.
local anonymous, columns = require "brio.study.export.anonymous", require "brio.lib.columns"
local document = require "brio.formats.json"
local record = require "brio.study.record"
local study = require "brio.study.file"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"
local tables = require "brio.study.export.tables"

local export = {}

--- Times and lengths rounded to a ten-thousandth of a second, their precision.
local function short(value)
  if math.type(value) ~= "float" then return value end
  return tonumber(("%.4f"):format(value))
end

local ways = {
  person = function(codes, value) return codes:person(value) end,
  action = function(codes, value) return codes:text(value, "A") end,
  expected = function(codes, value) return codes:text(value, "E") end,
  branch = function(codes, value) return codes:branch(value) end,
}

--- The facts of a participant by name, only those that the study declares.
local function facts_of(data, json)
  local said, facts = json and document.json(json, "facts") or {}, {}
  for _, name in ipairs(suggest.keys(data.facts)) do
    local value = said[name]
    if value ~= nil and study.fact(data, name, document.shown(value)) ~= nil then
      facts[name] = math.tointeger(value) or value
    end
  end
  return facts
end

--- The columns of a file: names and meanings, with one for each fact in place of "facts".
local function columns_of(spec, data, without_facts)
  local list = {}
  for index = 3, #spec do
    local one = spec[index]
    if one.as ~= "facts" then
      list[#list + 1] = one
    elseif not without_facts then
      for _, name in ipairs(suggest.keys(data.facts)) do
        list[#list + 1] = { name, "of the participant", as = "fact" }
      end
    end
  end
  return list
end

--- One file: its CSV, or nil and a sentence.
local function csv_of(about, spec, list)
  local rows, why = about.db:query((tables.with .. spec[2]), about.found.id)
  if not rows then return nil, why end
  local names, lines = {}, {}
  for index, one in ipairs(list) do names[index] = one[1] end
  lines[1] = columns.csv_line(names, #names)
  for _, row in ipairs(rows) do
    local facts, cells = row.facts and facts_of(about.data, row.facts) or {}, {}
    for index, one in ipairs(list) do
      local value
      if one.as == "fact" then value = facts[one[1]] else value = row[one[1]] end
      if value ~= nil and ways[one.as] then value = ways[one.as](about.codes, value) end
      cells[index] = short(value)
    end
    lines[#lines + 1] = columns.csv_line(cells, #names)
  end
  return table.concat(lines, "\n") .. "\n"
end

--- The texts of the questionnaires' items, by questionnaire and item.
local function questionnaires_of(about)
  local known, list = require "brio.study.questionnaires.questionnaire", {}
  for _, word in ipairs(about.data.questionnaires) do
    local one = known.find(word:find "[/.]" and study.path(about.data, word) or word)
    if one then
      local items = {}
      for index, item in ipairs(one.items) do
        items[index] = { item = item.id, subscale = item.group, reverse = item.reverse or false }
      end
      list[#list + 1] = { name = one.name, title = one.title, lowest = one.lowest, highest = one.highest,
        items = store.array(items) }
    end
  end
  return store.array(list)
end

local function codebook_of(about, files)
  local data, conditions = about.data, {}
  for index, one in ipairs(data.conditions) do
    conditions[index] = { name = one.name, about = one.about, tune = study.setting(data, one.name).tune }
  end
  return store.json {
    study = data.name, title = data.title, about = data.about, design = data.design,
      counterbalance = data.counterbalance,
    conditions = store.array(conditions), registered = about.found.hash,
      questionnaires = questionnaires_of(about),
    late_after = about.found.late_after, facts = data.facts, made_by = "brio " .. require "brio.version",
      files = files,
    left_out = store.array { "texts that people wrote or said (lines at the prompt, notes, \z
      annotations, logs)", "times of the day and dates",
      "names of operators, machines and files: codes stand for them",
        "samples of joints: brio export writes those of a run" },
  } .. "\n"
end

--- Number of participants with unique facts, which may identify them.
local function alone(about)
  local counts, n = {}, 0
  for _, person in next, about.found.participants do
    local facts, parts = person.consent == 1 and facts_of(about.data, person.facts) or {}, {}
    for _, name in ipairs(suggest.keys(facts)) do
      parts[#parts + 1] = name .. "=" .. document.shown(facts[name])
    end
    if parts[1] then
      local key = table.concat(parts, ",")
      counts[key] = (counts[key] or 0) + 1
    end
  end
  for _, count in next, counts do n = n + (count == 1 and 1 or 0) end
  return n
end

--- Files to share: a list of { name, text }, and the number of participants with unique facts; nil and a
--- sentence.  `options`: { without_facts }.
function export.files(db, data, options)
  local found, why = record.read(db, data.name)
  if not found then return nil, why or ("there is no study '%s' in this store"):format(data.name) end
  local about = { db = db, data = data, found = found, codes = anonymous.new(data.wizard) }
  local files, described = {}, {}
  for _, spec in ipairs(tables.list) do
    local list = columns_of(spec, data, options.without_facts)
    local text, fault = csv_of(about, spec, list)
    if not text then return nil, fault end
    local meanings = {}
    for index, one in ipairs(list) do meanings[index] = { column = one[1], meaning = one[2] } end
    files[#files + 1] = { spec[1] .. ".csv", text }
    described[spec[1] .. ".csv"] = store.array(meanings)
  end
  files[#files + 1] = { "codebook.json", codebook_of(about, described) }
  return files, options.without_facts and 0 or alone(about)
end

return export
