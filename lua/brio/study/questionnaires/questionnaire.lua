--- Questionnaires as data: reading, checking, and the form for a person. docs/analysis/questionnaires.md
--- describes the fields.
local paths = require "brio.lib.paths"
local plain = require "brio.io.data_file"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"

local questionnaire = {}

--- The included ones: each is a file in questionnaires/shipped.
questionnaire.shipped = { "godspeed", "nars", "rosas", "sus", "ueq_s", "affect" }

-- What a file may say ---------------------------------------------------------------------------------

--- Text for a terminal must not contain control characters.
local function text_fault(value)
  if type(value) ~= "string" or value == "" or not utf8.len(value) or value:find "%c" then
    return "must be a text (UTF-8) without control characters"
  end
end

local function name_fault(value)
  if type(value) ~= "string" or not value:find "^%a[%w_]*$" then
    return "must be a name: letters, digits and _"
  end
end

local function wording_fault(value)
  local ends = type(value) == "table" and #value == 2
    and not (text_fault(value[1]) or text_fault(value[2]))
  return text_fault(value) and not ends and 'must be a text, or the two ends { "low", "high" }' or nil
end

local function missing_fault(value)
  if value ~= "middle" and not (type(value) == "number" and value > 0 and value <= 1) then
    return "must be the share that must be answered, above 0 to 1, or \"middle\""
  end
end

local function text(doc, is_needed) return { "text", fault = text_fault, needed = is_needed, doc = doc } end
local function name(doc) return { "text", fault = name_fault, needed = true, doc = doc } end
local function texts(doc, is_needed) return { "list", of = text(), needed = is_needed, doc = doc } end
local function answer(doc) return { "whole", lower = -1000, upper = 1000, needed = true, doc = doc } end

local score_fields = {
  of = { "choice", of = { "mean", "sum" }, needed = true, doc = "how a scale is scored" },
  zero = { "number", doc = "subtracted from each answer" },
  factor = { "number", doc = "that the score is multiplied by" },
}

local language_fields = {
  name = text("of the language", true), source = text "where the wording is from",
  origin = { "choice", of = { "published", "own" }, needed = true, doc = "whose wording it is" },
  instruction = text("before the items", true),
  instructions = { "map", of = text(), doc = "group = instruction" },
  labels = texts "of the two ends, or of each point",
  items = { "map", of = { "string or table", fault = wording_fault }, needed = true,
    doc = "item = text, or { low, high }" },
}

--- The fields of a questionnaire's file.
questionnaire.fields = {
  name = name "of the questionnaire", title = text("of the form", true), about = text "what it asks about",
  sources = texts("publications", true), permission = text("who may use it", true),
  notes = texts "for who uses it",
  lowest = answer "answer", highest = answer "answer",
  missing = { "number or string", fault = missing_fault,
    doc = "share of a scale that must be answered; middle: what is missing counts as the middle" },
  score = { "record", fields = score_fields, doc = "none: the mean" },
  groups = { "list", needed = true, doc = "scales",
    of = { "record", fields = { id = name "in this file", title = text("of the scale", true) } } },
  items = { "list", needed = true, doc = "in the order of the form",
    of = { "record", fields = { id = name "in this file", group = name "its scale",
      reverse = { "boolean", value = false, doc = "true: its answers count the other way round" } } } },
  variants = { "map", doc = "shorter or other forms",
    of = { "record", fields = { about = text("what is other", true), omit = texts "items that are left out",
      turn = texts "items that are turned round" } } },
  languages = { "map", of = { "record", fields = language_fields }, needed = true, doc = "by their codes" },
}

local function refuse(...) return nil, string.format(...) end

--- Names of a list of records, which must differ; nil and a sentence.
local function names_of(list, what)
  local known = {}
  for _, one in ipairs(list) do
    if known[one.id] then return refuse("%s: '%s' is there twice", what, one.id) end
    known[one.id] = one
  end
  if not list[1] then return refuse("%s must not be empty", what) end
  return known
end

--- Whether all names of a list, or all keys of a map, are known.
local function all_known(where, names, known)
  for _, one in ipairs(names) do
    if not known[one] then
      return refuse("%s: there is no '%s'%s", where, one, suggest.hint(one, suggest.keys(known)))
    end
  end
  return true
end

--- Whether a language has every item, in the same form.
local function check_language(where, language, data, items, groups)
  local good, why = all_known(where .. ".items", suggest.keys(language.items), items)
  if good then
    good, why = all_known(where .. ".instructions", suggest.keys(language.instructions or {}), groups)
  end
  if not good then return nil, why end
  for _, item in ipairs(data.items) do
    local said = language.items[item.id]
    if not said then return refuse("%s.items.%s must be given", where, item.id) end
    if type(said) == "string" and not language.labels then
      return refuse("%s.labels must be given: '%s' is a statement without ends", where, item.id)
    end
  end
  local count, points = #(language.labels or {}), data.highest - data.lowest + 1
  if language.labels and count ~= 2 and count ~= points then
    return refuse("%s.labels must be the two ends, or one for each of %d points, not %d", where, points,
      count)
  end
  return true
end

local function check_variants(data, items)
  for _, key in ipairs(suggest.keys(data.variants or {})) do
    local variant, where = data.variants[key], "variants." .. key
    local good, why = all_known(where .. ".omit", variant.omit or {}, items)
    if good then good, why = all_known(where .. ".turn", variant.turn or {}, items) end
    if not good then return nil, why end
  end
  return true
end

--- Whether the contents of a file are consistent; nil and a sentence.
local function check_whole(data)
  if data.highest <= data.lowest then return refuse "highest must be above lowest" end
  local groups, why = names_of(data.groups, "groups")
  local items, fault = names_of(data.items, "items")
  if not (groups and items) then return nil, why or fault end
  local used = {}
  for index, item in ipairs(data.items) do
    local good, sentence = all_known(("items[%d].group"):format(index), { item.group }, groups)
    if not good then return nil, sentence end
    used[item.group] = true
  end
  for _, group in ipairs(data.groups) do
    if not used[group.id] then return refuse("groups: '%s' has no item", group.id) end
  end
  local codes = suggest.keys(data.languages)
  if not codes[1] then return refuse "languages must not be empty" end
  for _, code in ipairs(codes) do
    local good, sentence = check_language("languages." .. code, data.languages[code], data, items, groups)
    if not good then return nil, sentence end
  end
  return check_variants(data, items)
end

-- Reading ---------------------------------------------------------------------------------------------

--- Parse the text of a questionnaire's file.
---@return table? questionnaire the file's data with the fields file, source (its text), hash
---@return string? sentence what is wrong
function questionnaire.parse(source, path)
  local data, why = plain.parse(source, path, questionnaire.fields)
  if not data then return nil, why end
  local good, fault = check_whole(data)
  if not good then return nil, path .. ": " .. fault end
  data.file, data.source, data.hash = path, source, store.hash(source)
  data.score = data.score or { of = "mean" }
  data.missing = data.missing or 0.5
  return data
end

--- Read the questionnaire in a file; results as of questionnaire.parse.
function questionnaire.read(path)
  local data, why, source = plain.read(path)
  if not data then return nil, why end
  return questionnaire.parse(source, path)
end

--- Find a questionnaire: an included one by its name, any other by its file.
function questionnaire.find(word)
  if word:find "[/.]" then return questionnaire.read(word) end
  if suggest.contains(questionnaire.shipped, word) then
    return questionnaire.read(("%sbrio/study/questionnaires/shipped/%s.lua"):format(paths.root, word))
  end
  return refuse("there is no questionnaire '%s'%s; those that ship: %s; another by its file: brio ask \z
    ./mine.lua", word, suggest.hint(word, questionnaire.shipped), table.concat(questionnaire.shipped, ", "))
end

--- The codes of the available languages, the default first: English, else the first one.
function questionnaire.languages(data)
  local codes = suggest.keys(data.languages)
  table.sort(codes, function(a, b)
    if (a == "en") ~= (b == "en") then return a == "en" end
    return a < b
  end)
  return codes
end

-- The form --------------------------------------------------------------------------------------------

--- Whether a questionnaire has a variant; one that was edited may lack the variant of earlier answers.
function questionnaire.has_variant(data, variant) return (data.variants or {})[variant] ~= nil end

--- The items of a variant, with its reversals; all items without a variant.
function questionnaire.items(data, variant)
  local said = variant and questionnaire.has_variant(data, variant) and data.variants[variant] or {}
  local list = {}
  for _, item in ipairs(data.items) do
    if not suggest.contains(said.omit or {}, item.id) then
      local turned = suggest.contains(said.turn or {}, item.id)
      list[#list + 1] = { id = item.id, group = item.group, reverse = (item.reverse or false) ~= turned }
    end
  end
  return list
end

--- Check the names of a language, a variant and groups; return true, or nil and a sentence.
function questionnaire.check_choice(data, choice)
  local language, variants = choice.language, data.variants or {}
  if language and not data.languages[language] then
    return refuse("%s is not there in '%s'; there are %s", data.name, language,
      table.concat(questionnaire.languages(data), ", "))
  end
  if choice.variant and not variants[choice.variant] then
    local names = suggest.keys(variants)
    return refuse("%s has no variant '%s'%s%s", data.name, choice.variant,
      suggest.hint(choice.variant, names), names[1] and "; there are " .. table.concat(names, ", ") or "")
  end
  local groups = names_of(data.groups, "groups")
  for _, group in ipairs(choice.groups or {}) do
    if not groups[group] then
      local names = {}
      for index, one in ipairs(data.groups) do names[index] = one.id end
      return refuse("%s has no group '%s'; there are %s", data.name, group, table.concat(names, ", "))
    end
  end
  return true
end

--- The ids of the items to ask, in order.  choice: groups (in the order of asking), variant, mix (a function
--- that returns a random whole number from 1 to n).
function questionnaire.order(data, choice)
  local ids, items = {}, questionnaire.items(data, choice.variant)
  local function take(group)
    for _, item in ipairs(items) do
      if not group or item.group == group then ids[#ids + 1] = item.id end
    end
  end
  if choice.groups then
    for _, group in ipairs(choice.groups) do take(group) end
  else
    take()
  end
  for last = choice.mix and #ids or 0, 2, -1 do
    local other = choice.mix(last)
    ids[last], ids[other] = ids[other], ids[last]
  end
  return ids
end

--- Display of each item: { id, text or nil, low, high, labels or nil, instruction, lowest, highest }.
function questionnaire.form(data, ids, code)
  local language, groups, form = data.languages[code], {}, {}
  local labels, instructions = language.labels or {}, language.instructions or {}
  for _, item in ipairs(data.items) do groups[item.id] = item.group end
  for index, id in ipairs(ids) do
    local said = language.items[id]
    local ends = type(said) == "table" and said or { labels[1], labels[#labels] }
    form[index] = { id = id, text = type(said) == "string" and said or nil, low = ends[1], high = ends[2],
      labels = type(said) == "string" and #labels > 2 and labels or nil,
      instruction = instructions[groups[id]] or language.instruction, lowest = data.lowest,
        highest = data.highest }
  end
  return form
end

return questionnaire
