--- Answers in a run store: sittings that begin, continue and end, and reading them.
local forms, store = require "brio.forms", require "brio.store"

local record = {}

--- Whether a word is a code for a participant: a store must not contain names of people.
function record.is_code(word)
  return #word <= 32 and word:find "^[%w_-]+$" ~= nil and word:find "%d" ~= nil
end

-- Reading ---------------------------------------------------------------------------------------------

local sittings_sql = [[
  SELECT s.id, q.name, q.hash, s.participant, s.condition, s.run, s.language, s.variant, s.items, s.seed,
    s.process,
         s.begun_at, s.ended_at, s.outcome
  FROM sittings s JOIN questionnaires q ON q.hash = s.questionnaire WHERE q.name = ?1 ORDER BY s.id]]

local answers_sql = [[
  SELECT a.sitting, a.item, a.value, a.seconds FROM answers a JOIN sittings s ON s.id = a.sitting
  WHERE a.questionnaire = ?1 ORDER BY a.sitting, a.place]]

--- Parse a JSON list of ids, as written by this module.
local function ids_of(json)
  local list = {}
  for id in json:gmatch '"([%w_]+)"' do list[#list + 1] = id end
  return list
end

--- All sittings of a questionnaire, oldest first, each with its answers: item = value, false if it was
--- skipped. Return nil and a sentence if the store cannot be read.  A store without the table has none.
function record.sittings(db, name)
  local list, by_id = {}, {}
  if not db:columns "SELECT 1 FROM sittings" then return list end -- a store of an older brio
  local rows, why = db:query(sittings_sql, name)
  if not rows then return nil, why end
  for _, row in ipairs(rows) do
    row.items, row.answers, row.seconds = ids_of(row.items), {}, {}
    list[#list + 1], by_id[row.id] = row, row
  end
  local answers, fault = db:query(answers_sql, name)
  if not answers then return nil, fault end
  for _, answer in ipairs(answers) do
    local one = by_id[answer.sitting]
    one.answers[answer.item], one.seconds[answer.item] = answer.value or false, answer.seconds
  end
  return list
end

local function same_items(a, b)
  local known = {}
  for _, id in ipairs(a) do known[id] = true end
  for _, id in ipairs(b) do
    if not known[id] then return false end
  end
  return #a == #b
end

--- The newest sitting of a list that matches a new request and is not abandoned; nil if there is none. If the
--- run is only given as the last one (`last_run`), an unfinished sitting for an earlier run matches, too.
function record.match(list, wanted)
  for index = #list, 1, -1 do
    local one = list[index]
    local run = one.run == wanted.run or wanted.last_run and one.run and not one.ended_at
    local same = run and one.participant == wanted.participant and one.condition == wanted.condition
      and one.variant == wanted.variant and same_items(one.items, wanted.items)
    if same and one.outcome ~= "abandoned" then return one end
  end
end

--- Whether another process is asking this sitting's questions now.
function record.is_busy(sitting)
  local process = sitting.process
  return process ~= nil and not sitting.ended_at and process ~= store.process() and not store.ended(process)
end

-- Writing ---------------------------------------------------------------------------------------------

local Record = {}
Record.__index = Record

--- Open or create the store for answers.  Return nil and a sentence on failure.
function record.open(path)
  local file, why, code = forms.open(path)
  if not file then return nil, why, code end
  return setmetatable({ forms = file }, Record)
end

--- Store a questionnaire's text and items, once.
function Record:keep(data)
  local good, why = self.forms:put("questionnaires",
    { hash = data.hash, name = data.name, title = data.title, source = data.source })
  if not good then return nil, why end
  local rows = {}
  for place, item in ipairs(data.items) do
    rows[place] = { questionnaire = data.hash, item = item.id, place = place, subscale = item.group,
      reverse = item.reverse or false, lowest = data.lowest, highest = data.highest }
  end
  return self.forms:put("items", rows)
end

--- Begin a sitting: { participant, condition, run, language, variant, items (ids in order), seed }.  Return
--- its number, or nil and a sentence.
function Record:begin(data, wanted)
  local good, why = self:keep(data)
  if not good then return nil, why end
  local row = { questionnaire = data.hash, process = store.process(),
    items = store.json(store.array { table.unpack(wanted.items) }) }
  for _, field in ipairs { "participant", "condition", "run", "language", "variant", "seed" } do
    row[field] = wanted[field]
  end
  local id, fault = self.forms:put("sittings", row)
  if not id and fault:find "sitting_open" then
    return nil, ("%s is being asked this in another terminal"):format(wanted.participant)
  end
  return id, fault
end

--- Continue a sitting that another process left.
function Record:go_on(id, language)
  return self.forms:put("sitting_process", { id = id, process = store.process(), language = language })
end

--- Store an answer; value false: skipped.
function Record:answer(id, item, value, seconds)
  return self.forms:put("responses", { sitting = id, item = item, value = value or nil, seconds = seconds })
end

--- End a sitting: "finished" or "abandoned".
function Record:finish(id, outcome)
  return self.forms:put("sitting_end", { id = id, outcome = outcome })
end

--- Remove all answers of a participant.  Return true, or nil and a sentence.
function Record:forget(participant)
  local good, why = self.forms:put("forget_responses", { participant = participant })
  if good then good, why = self.forms:put("forget_sittings", { participant = participant }) end
  return good and true, why
end

--- Close the store.
function Record:close() self.forms:close() end

return record
