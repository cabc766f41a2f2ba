--- Dialogues of the corpus SCOUT (S. M. Lukin et al., "SCOUT: A Situated and Multi-Modal Human-Robot Dialogue
--- Corpus", LREC-COLING 2024): a participant, the commander, speaks to a robot that two wizards play; one
--- table a session, `p3.05_main2.tsv` being the fifth participant of the third experiment in its second
--- trial.
---
--- A row is: id, time (seconds, or date and time), stream, text, transaction unit, antecedent (the id of the
--- utterance that it answers), relation, context; "None" means empty.  The headings of the sixth and seventh
--- columns are exchanged.  Streams: CMD, the participant; DM->CMD, the dialogue wizard to the participant;
--- DM->RN, the same to the other wizard; RN, the driving wizard.  A relation that ends in "error" was marked
--- as a wizard's error by the corpus's annotators.
local store = require "brio.store"

local scout = { name = "scout", doc = "sessions of the corpus SCOUT: p1.01_main1.tsv, ..." }

--- The study's file, with the facts about the corpus's sessions.
local study_text = [[
return brio.study {
  name = "scout", title = "SCOUT: a robot that is told by voice where to go and what to look at",
  conditions = { { name = "main1", about = "first trial" }, { name = "main2", about = "second trial" } },
  design = "within", counterbalance = "fixed", participants = %d, seed = 1,
  consent = "given to those who recorded the corpus",
  wizards = {
    { code = "DM1", part = "dialogue: answers the participant, and passes on what is to be done" },
    { code = "RN1", part = "navigation: drives the robot, and reports" },
  },
  facts = { experiment = { lowest = 1, highest = 99 } },
  report = {
    robot = {
      autonomy = "The participant speaks to a robot. Two wizards play it: one answers, one drives." },
    wizards = {
      recognition = "The wizard for dialogue hears the participant; the one who drives reads what it writes.",
      production = "Messages to the participant (say) and to the other wizard (instruct); reports (report).",
      error = "Marked by the annotators of the corpus, in the relation of an utterance to what it answers.",
      latency = "From the utterance that is answered (time in the corpus) to the answer. Reports have none.",
    },
  },
}
]]

function scout.sniff(text) return text:find "^id\ttime\tstream\ttext\ttu\t" ~= nil end

-- Times -----------------------------------------------------------------------------------------------

--- Days since 1970 of a date (the proleptic Gregorian calendar).
local function days(year, month, day)
  if month <= 2 then year, month = year - 1, month + 12 end
  return 365 * year + year // 4 - year // 100 + year // 400 + (153 * (month - 3) + 2) // 5 + day - 719469
end

--- A time as a number of seconds; nil: none.
local function seconds_of(text)
  local year, month, day, hour, minute,
    second = text:match "^(%d%d%d%d)%-(%d%d)%-(%d%d) (%d%d):(%d%d):(%d%d%.?%d*)$"
  if not year then return tonumber(text) end
  return 86400 * days(tonumber(year), tonumber(month),
    tonumber(day)) + 3600 * tonumber(hour) + 60 * tonumber(minute) + tonumber(second)
end

--- Rows farther than this from the median of a session do not belong to it, s: some have the date of a clock
--- that was never set.
local farthest = 86400

--- Set the time of each row since the first; a row with a missing or impossible time gets that of the row
--- before.  Return the number of those.
local function set_times(rows)
  local known = {}
  for _, row in ipairs(rows) do
    row.at = seconds_of(row.time)
    if row.at then known[#known + 1] = row.at end
  end
  if #known == 0 then return nil end
  table.sort(known)
  local middle, repaired, first = known[(#known + 1) // 2], 0, nil
  for _, row in ipairs(rows) do
    if row.at and math.abs(row.at - middle) > farthest then row.at, repaired = nil, repaired + 1 end
    first = first or row.at
  end
  local last = first
  for _, row in ipairs(rows) do
    last = row.at or last
    row.t = math.max(0, last - first)
  end
  return repaired
end

-- Rows ------------------------------------------------------------------------------------------------

local function given(cell) return cell ~= "None" and cell ~= "" and cell or nil end

--- The rows of a table; nil and a sentence.
local function rows_of(text)
  local rows, number = {}, 0
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do
    number = number + 1
    if number > 1 and line ~= "" then
      local cells = {}
      for cell in (line .. "\t"):gmatch "(.-)\t" do cells[#cells + 1] = cell end
      if #cells ~= 8 then return nil, ("line %d has %d columns, 8 were expected"):format(number, #cells) end
      if not utf8.len(line) then return nil, ("line %d is not UTF-8"):format(number) end
      rows[#rows + 1] = { id = cells[1], time = cells[2], stream = cells[3],
        text = cells[4]:match '^"(.*)"$' or cells[4],
        unit = given(cells[5]), answers = given(cells[6]), relation = given(cells[7]) }
    end
  end
  return rows
end

--- Actions of wizards in each stream: the actor, and the name.
local streams = {
  ["DM->CMD"] = { who = "DM1", name = "say", cued = true },
    ["DM->RN"] = { who = "DM1", name = "instruct", cued = true },
  RN = { who = "RN1", name = "report" },
}

--- An utterance of a wizard: its text, and as an action; its cue is the utterance that it answers.
local function add_action(list, row, as, at, number)
  local words = store.json(row.text)
  list[#list + 1] = { "operator", { tick = 0, t = row.t, who = as.who, command = as.name,
    arguments = words } }
  local cue = as.cued and row.answers and at[row.answers:match "^(%w+)"]
  list[#list + 1] = { "actions", { id = number, said = 1, operator = as.who == "DM1" and 1 or 2, who = as.who,
    role = "wizard",
    device = "prompt", name = as.name, arguments = words, t_cue = cue and cue <= row.t and cue or nil,
      t_input = row.t,
    t_done = row.t, outcome = "done" } }
  if row.relation and row.relation:find "error$" then
    list[#list + 1] = { "action_mark", { id = number, error_class = "wrong", marked_by = "annotators" } }
  end
end

local function add_annotation(list, tier, from, to, label)
  list[#list + 1] = { "annotations", { tier = tier, t0 = from, t1 = to, label = label, coder = "annotators",
    live = 0 } }
end

--- Add transaction units from their first to their last row.
local function add_units(list, rows)
  local spans, order = {}, {}
  for _, row in ipairs(rows) do
    local span = row.unit and spans[row.unit]
    if row.unit and not span then
      span = { row.t, row.t }
      spans[row.unit], order[#order + 1] = span, row.unit
    end
    if span then span[1], span[2] = math.min(span[1], row.t), math.max(span[2], row.t) end
  end
  for _, unit in ipairs(order) do
    add_annotation(list, "transaction", spans[unit][1], spans[unit][2], unit)
  end
end

local function is_speech(row) return row.text ~= "None" and not row.text:find "^<no speech" end

--- The rows of the store for a session's rows, and the number of those without speech.
local function to_store(rows)
  local list, at, number, silent, last = {}, {}, 0, 0, 0
  for id, who in ipairs { "DM1", "RN1" } do
    list[id] = { "operators", { id = id, who = who, role = "wizard", device = "prompt", attached = 0 } }
  end
  for _, row in ipairs(rows) do
    local as = streams[row.stream]
    at[row.id], last = row.t, math.max(last, row.t)
    if not is_speech(row) then
      silent = silent + 1
    elseif as then
      number = number + 1
      add_action(list, row, as, at, number)
    elseif row.stream == "CMD" then
      add_annotation(list, "participant", row.t, nil, row.text)
    end
    if row.relation then
      add_annotation(list, "relation", row.t, nil,
        ("%s %s%s"):format(row.id, row.relation, row.answers and " of "
        .. row.answers or ""))
    end
  end
  add_units(list, rows)
  return list, last, silent
end

--- One file's session; nil and a sentence.
local function session_of(file)
  local experiment, person, trial = file.name:match "p(%d+)%.(%d+)_main([12])%.tsv$"
  if not experiment then return nil, ("%s: a name such as p1.01_main1.tsv was expected"):format(file.name) end
  if not scout.sniff(file.text) then
    return nil, file.name .. ": line 1 is not the head of such a table: id, time, stream, text, tu, ..."
  end
  local rows, why = rows_of(file.text)
  if not rows then return nil, ("%s: %s"):format(file.name, why) end
  local repaired = set_times(rows)
  if not repaired then return nil, ("%s: there is no time in it"):format(file.name) end
  local list, duration, silent = to_store(rows)
  return { participant = ("p%s-%s"):format(experiment, person),
    facts = { experiment = math.tointeger(tonumber(experiment)) },
    condition = "main" .. trial, trial = tonumber(trial), wizard = "DM1", source = file.name:match "[^/]+$",
      robot = "SCOUT",
    duration = duration, rows = list, repaired = repaired, silent = silent, name = file.name,
    open = not file.text:find "\n$" }
end

--- Read sessions: those of each participant in the order of their trials.
function scout.read(files)
  local sessions, people, count, repaired, silent = {}, {}, 0, 0, 0
  for index, file in ipairs(files) do
    local one, why = session_of(file)
    if not one then return nil, why end
    sessions[index], repaired, silent = one, repaired + one.repaired, silent + one.silent
  end
  table.sort(sessions, function(a, b)
    if a.participant ~= b.participant then return a.participant < b.participant end
    return a.trial < b.trial
  end)
  for _, one in ipairs(sessions) do
    if not people[one.participant] then people[one.participant], count = 0, count + 1 end
    people[one.participant] = people[one.participant] + 1
    one.ordinal = people[one.participant]
  end
  local told = { ("%d rows without speech were left out"):format(silent) }
  if repaired > 0 then
    told[2] = ("%d rows have an impossible date; they get the time of the row before"):format(repaired)
  end
  for _, one in ipairs(sessions) do
    if one.open then told[#told + 1] = one.name .. ": its last line has no end; the file may be cut off" end
  end
  return { study = study_text:format(count), sessions = sessions, told = told }
end

return scout
