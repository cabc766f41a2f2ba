--- A study's file: plain data with the plan, read and checked.  docs/analysis/studies.md describes the
--- fields.
local design, headings = require "brio.study.design", require "brio.study.headings"
local fields = require "brio.lib.fields"
local paths = require "brio.lib.paths"
local plain = require "brio.io.data_file"
local store = require "brio.store"
local suggest = require "brio.lib.suggest"

local study = {}

local brio = { study = function(data) return data end }

--- Names that a study's file may use: the constructor, which has no side effects.
study.known = { brio = brio, require = function(name)
  if name ~= "brio" then
    error(("a study's file may require \"brio\" alone, not '%s'"):format(tostring(name)), 2)
  end
  return brio
end }

-- What a file may say ---------------------------------------------------------------------------------

local function text_fault(value)
  if type(value) ~= "string" or value == "" or not utf8.len(value)
      or value:find "[%c]" and value:find "[^\n%C]" then
    return "must be a text (UTF-8) without control characters"
  end
end

local function name_fault(value)
  if type(value) ~= "string" or #value > 40 or not value:find "^%a[%w_-]*$" then
    return "must be a name: letters, digits, _ and -, at most 40"
  end
end

local function prefix_fault(value)
  if type(value) ~= "string" or not value:find "^%u%u?%u?%-?$" then
    return 'must be one to three capital letters, such as "P"'
  end
end

--- Whether a word is a code: a store must not contain names of people.
function study.is_code(word)
  return type(word) == "string" and #word <= 32 and word:find "^[%w_-]+$" ~= nil and word:find "%d" ~= nil
end

local function code_fault(value)
  if not study.is_code(value) then return "must be a code with a digit, such as W1, never a name" end
end

local function text(doc) return { "text", fault = text_fault, doc = doc } end

--- The fields of a condition; all but its name may also be fields of the study, for all conditions.
study.condition_fields = {
  name = { "text", needed = true, fault = name_fault, doc = "of the condition" },
  about = text "what it is, for people and the report",
  behavior = text "the behavior's file", robot = text "the robot", world = text "the simulated world's file",
  session = text "the session script's file",
  tune = { "map", of = "number", doc = "parameter = value" },
}

local function condition_fault(value)
  if type(value) == "string" then return name_fault(value) end
  return fields.fault(value, { "record", fields = study.condition_fields })
end

local fact_fields = {
  lowest = { "number", needed = true, doc = "of a number" },
  highest = { "number", needed = true, doc = "of a number" }, unit = text "of a number",
}

--- A fact about participants: its allowed words, or a range of numbers.  Free text is excluded, as it could
--- contain a name.
local function fact_fault(value)
  if type(value) == "table" and #value > 0 then
    return fields.fault(value, { "list", of = text "one of its words" })
  end
  return fields.fault(value, { "record", fields = fact_fields })
end

local wizard_fields = {
  code = { "text", needed = true, fault = code_fault, doc = "such as W1, never a name" },
  part = text "what this one does", experience = text "with wizardry",
  training_minutes = { "number", unit = "min", lower = 0, doc = "of training before the study" },
}

--- The fields of `report`: a table for each part, with a text for each heading.
local function report_fields()
  local parts = {}
  headings.each(function(part, field)
    parts[part.key] = parts[part.key] or { "record", fields = {}, doc = "texts of the report's part" }
    parts[part.key].fields[field] = text "under the heading of its name"
  end)
  return parts
end

--- The fields that a file may have.
study.fields = {
  name = { "text", needed = true, fault = name_fault, doc = "of the study" },
  title = { "text", needed = true, fault = text_fault, doc = "of the report" },
  about = text "what it is",
  conditions = { "list", needed = true, of = { "string or table", fault = condition_fault },
    doc = "names, or { name = ... } with settings" },
  design = { "choice", of = { "within", "between" }, needed = true, doc = "within or between subjects" },
  counterbalance = { "choice", of = suggest.keys(design.ways),
    doc = "how orders are made; none: williams within, block between" },
  block = { "whole", lower = 1, upper = 1000, doc = "participants of a block" },
  participants = { "whole", lower = 1, upper = 10000, needed = true, doc = "how many are planned" },
  seed = { "whole", lower = 0, upper = 1 << 53, value = 0, doc = "of the orders" },
  code = { "text", fault = prefix_fault, value = "P", doc = "what participants' codes begin with" },
  questionnaires = { "list", of = text "a name or a file", doc = "asked after each session" },
  minutes = { "number", unit = "min", above = 0, doc = "how long a session takes" },
  late_after = { "number", unit = "s", above = 0, doc = "after a cue an action is late" },
  consent = text "which form participants sign",
  wizards = { "list", of = { "record", fields = wizard_fields }, doc = "who leads sessions" },
  facts = { "map", of = { "table", fault = fact_fault },
    doc = "what is known of participants: words, or { lowest, highest }" },
  report = { "record", fields = report_fields(), doc = "what the report says that no record has" },
  behavior = study.condition_fields.behavior, robot = study.condition_fields.robot,
  world = study.condition_fields.world, session = study.condition_fields.session,
  tune = study.condition_fields.tune,
}

--- Fields of the plan: after registration a change needs a reason.
study.planned = { "conditions", "design", "counterbalance", "block", "seed", "code", "participants",
  "questionnaires", "behavior", "robot", "world", "session", "tune", "late_after" }

-- What holds between fields ---------------------------------------------------------------------------

local function refuse(...) return nil, string.format(...) end

--- Conditions as records with their position; nil and a sentence.
local function conditions_of(data)
  local known = {}
  for place, one in ipairs(data.conditions) do
    one = type(one) == "string" and { name = one } or one
    if known[one.name] then return refuse("conditions: '%s' is there twice", one.name) end
    one.place, known[one.name], data.conditions[place] = place, one, one
  end
  if #data.conditions > 26 then
    return refuse("conditions: there are %d, at most 26 can be", #data.conditions)
  end
  if #data.conditions == 0 then return refuse "conditions must not be empty" end
  data.condition = known
  return true
end

local function check_design(data)
  data.counterbalance = data.counterbalance or (data.design == "within" and "williams" or "block")
  local way = design.ways[data.counterbalance]
  if not way[data.design] then
    local names = {}
    for _, known in ipairs(suggest.keys(design.ways)) do
      if design.ways[known][data.design] then names[#names + 1] = known end
    end
    return refuse("counterbalance: '%s' is not for a design %s subjects: %s are", data.counterbalance,
      data.design, table.concat(names, ", "))
  elseif #data.conditions > (way.most or 26) then
    return refuse("counterbalance: '%s' is for at most %d conditions", data.counterbalance, way.most)
  elseif data.block and data.counterbalance ~= "block" then
    return refuse "block goes with counterbalance = \"block\""
  elseif data.block and data.block % #data.conditions ~= 0 then
    return refuse("block: %d participants are not a multiple of %d conditions", data.block, #data.conditions)
  end
  return true
end

local function check_wizards(data)
  local known = {}
  for _, one in ipairs(data.wizards or {}) do
    if known[one.code] then return refuse("wizards: '%s' is there twice", one.code) end
    known[one.code] = one
  end
  data.wizards, data.wizard = data.wizards or {}, known
  return true
end

local function check_facts(data)
  for key, one in next, data.facts or {} do
    if one.lowest and one.lowest > one.highest then
      return refuse("facts.%s: lowest is above highest", key)
    end
  end
  data.facts = data.facts or {}
  return true
end

--- The code of participant number n, which does not depend on the number of participants.
function study.code(data, n) return ("%s%02d"):format(data.code or "P", n) end

--- The number of a participant by the code; nil: the study has no such code.
function study.number(data, word)
  local n = type(word) == "string" and math.tointeger(tonumber(word:match "(%d+)$"))
  return n and n >= 1 and n <= data.participants and study.code(data, n) == word and n or nil
end

--- Parse a study's text.  Return it, with its defaults, and with `source`, `hash`, `file`, `condition` and
--- `wizard` (by name and code); nil and a sentence.
function study.parse(source, file)
  local data, why, kind = plain.parse(source, file, study.fields, study.known)
  if not data then return nil, why, kind end
  for _, step in ipairs { conditions_of, check_design, check_wizards, check_facts } do
    local good, wrong = step(data)
    if not good then return nil, ("%s: %s"):format(file, wrong), "format" end
  end
  data.seed, data.questionnaires, data.report = data.seed or 0, data.questionnaires or {}, data.report or {}
  data.file, data.source, data.hash = file, source, store.hash(source)
  return data
end

--- Read a study's file.
function study.read(file)
  local data, why, source = plain.read(file, nil, study.known)
  if not data then return nil, why end
  return study.parse(source, file)
end

--- The path of a file that the study names, relative to the study's.
function study.path(data, word)
  return paths.beside(data.file, word)
end

--- The settings of a run in a condition: { behavior, robot, world, session, tune }: the condition's own, else
--- the study's.
function study.setting(data, condition_name)
  local own, made = data.condition[condition_name] or {}, {}
  for _, key in ipairs { "behavior", "robot", "world", "session" } do made[key] = own[key] or data[key] end
  made.tune = {}
  for _, from in ipairs { data.tune or {}, own.tune or {} } do
    for key, value in next, from do made.tune[key] = value end
  end
  return made
end

--- Whether a fact may be stored: its value, or nil and a sentence.
function study.fact(data, key, word)
  local kind = data.facts[key]
  if not kind then
    return refuse("the study declares no fact '%s'%s", key, suggest.hint(key, suggest.keys(data.facts)))
  end
  if kind.lowest then
    local value = tonumber(word)
    if not value or value < kind.lowest or value > kind.highest then
      return refuse("fact %s must be a number from %g to %g, not '%s'", key, kind.lowest, kind.highest, word)
    end
    return value
  elseif not suggest.contains(kind, word) then
    return refuse("fact %s must be one of %s, not '%s'", key, table.concat(kind, ", "), word)
  end
  return word
end

--- The plan of all participants: a list of { participant, sequence, block, conditions (names) }.
function study.plan(data)
  local dealt = design.deal { name = data.name, kind = data.design, way = data.counterbalance,
    conditions = #data.conditions, participants = data.participants, seed = data.seed, block = data.block }
  local list = {}
  for n, row in ipairs(dealt) do
    list[n] = { participant = study.code(data, n), sequence = row.sequence, block = row.block,
      order = row.order, conditions = {} }
    for place, index in ipairs(row.order) do list[n].conditions[place] = data.conditions[index].name end
  end
  return list
end

--- Warnings about a valid plan: a list of sentences.
function study.warnings(data)
  local list = {}
  local rows = design.rows { way = data.counterbalance, conditions = #data.conditions, block = data.block }
  if rows and data.participants % rows ~= 0 then
    list[#list + 1] = ("%d participants are not a multiple of %d rows: the last block is not complete, \z
      and the order not balanced")
      :format(data.participants, rows)
  end
  if #data.conditions == 1 then list[#list + 1] = "there is one condition: nothing is compared" end
  if not data.seed or data.seed == 0 then
    list[#list + 1] = "seed is 0, as everybody's is who says none: choose one, so that nobody can guess the \z
      order"
  end
  if #data.wizards == 0 then list[#list + 1] = "no wizards are named: their training cannot be reported" end
  if not data.late_after then list[#list + 1] = "late_after is not said: no action counts as late" end
  return list
end

return study
