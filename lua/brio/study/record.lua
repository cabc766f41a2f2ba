--- A study in a run store: its registration, consents, and sessions.
local forms, store = require "brio.forms", require "brio.store"
local study, suggest = require "brio.study.file", require "brio.lib.suggest"

local record = {}

-- Reading ---------------------------------------------------------------------------------------------

local sessions_sql = [[
  SELECT s.*, (SELECT json_group_array(run) FROM (SELECT run FROM session_runs WHERE session = s.id
    ORDER BY run)) AS runs
  FROM sessions s WHERE study = ?1 ORDER BY id]]

--- Whether the store has tables of studies; that of an older brio does not.
local function knows(db) return db:columns "SELECT 1 FROM study_versions" ~= nil end

local function by_code(rows)
  local map = {}
  for _, row in ipairs(rows) do map[row.code] = row end
  return map
end

--- Whether a code comes before another one: by their numbers, so that P100 comes after P99, and P01R, who
--- replaces P01, after P01.
local function comes_before(a, b)
  local first, second = tonumber(a:match "%d+") or 0, tonumber(b:match "%d+") or 0
  if first ~= second then return first < second end
  return a < b
end

--- Slots of the registered plan: participant = { [place] = { condition, sequence, ... } }, and the
--- participants' codes in order.
local function planned(rows)
  local map, codes = {}, {}
  for _, row in ipairs(rows) do
    if not map[row.participant] then
      map[row.participant] = {}
      codes[#codes + 1] = row.participant
    end
    map[row.participant][row.place] = row
  end
  table.sort(codes, comes_before)
  return map, codes
end

--- The data of a study in a store, by its name: { id, hash and versions (texts), plan and codes (see above),
--- participants and wizards (by code), sessions (in order, each with the list `runs`) }; nil if there are
--- none; nil and a sentence if the store cannot be read.
function record.read(db, name)
  if not knows(db) then return nil end
  local rows, why = db:query("SELECT * FROM studies WHERE name = ?1", name)
  if not rows then return nil, why end
  local found = rows[1]
  if not found then return nil end
  local function all(sql)
    local list, fault = db:query(sql, found.id)
    why = why or not list and fault or nil
    return list or {}
  end
  why = nil
  found.versions = all "SELECT * FROM study_versions WHERE study = ?1 ORDER BY id"
  found.conditions = all "SELECT * FROM conditions WHERE study = ?1 ORDER BY place"
  found.plan, found.codes = planned(all "SELECT * FROM assignments WHERE study = ?1 ORDER BY participant, \z
    place")
  found.participants = by_code(all "SELECT * FROM participants WHERE study = ?1 ORDER BY code")
  found.wizards = by_code(all "SELECT * FROM wizards WHERE study = ?1 ORDER BY code")
  found.sessions = all(sessions_sql)
  for _, session in ipairs(found.sessions) do
    local list = {}
    for run in session.runs:gmatch "%d+" do list[#list + 1] = math.tointeger(tonumber(run)) end
    session.runs = list
  end
  if why then return nil, why end
  return found
end

--- The same for the store at a path; a missing store has no data.
function record.find(path, name)
  local db, why, code = store.open(path)
  if not db then return nil, code ~= "no_file" and why or nil end
  local found, fault = record.read(db, name)
  db:close()
  return found, fault
end

-- Sessions --------------------------------------------------------------------------------------------

--- Whether a session counts for the study.
function record.counts(session)
  return session.rehearsal == 0 and session.training == 0 and session.outcome ~= "aborted"
end

--- The session of a participant's slot, and whether it is still open; nil: none.
function record.session(found, participant, place)
  for _, session in ipairs(found.sessions) do
    if session.participant == participant and session.ordinal == place and record.counts(session) then
      return session, session.ended == nil
    end
  end
end

--- The run of a session that is active now, false if there is none; nil and a sentence if the store cannot be
--- queried.
function record.running(db, session)
  for _, run in ipairs(session.runs) do
    local rows, why = db:query("SELECT process, ended_at FROM runs WHERE id = ?1", run)
    if not rows then return nil, why end
    local one = rows[1]
    if one and not one.ended_at and one.process and not store.ended(one.process) then return run end
  end
  return false
end

--- The next slot of a participant, and its open session; nil: all are done.
function record.next_place(found, participant)
  for place in ipairs(found.plan[participant] or {}) do
    local session, open = record.session(found, participant, place)
    if not session or open then return place, session end
  end
end

--- A participant's state in words: "planned", "consented", "begun", "done", "withdrawn".
function record.state(found, participant)
  local person = found.participants[participant]
  if not person then return "planned" end
  if person.withdrawn_at then return "withdrawn" end
  if not record.next_place(found, participant) then return "done" end
  for _, session in ipairs(found.sessions) do
    if session.participant == participant and record.counts(session) then return "begun" end
  end
  return "consented"
end

-- Writing ---------------------------------------------------------------------------------------------

local Record = {}
Record.__index = Record

--- Open or create the store for writing.  Return nil and a sentence on failure.
function record.open(path)
  local file, why, code = forms.open(path)
  if not file then return nil, why, code end
  return setmetatable({ forms = file, path = path }, Record)
end

function Record:close() self.forms:close() end

--- Put rows one after the other; nil and a sentence at the first failure.
local function put_all(self, rows)
  for _, row in ipairs(rows) do
    local good, why = self.forms:put(row[1], row[2])
    if not good then return nil, why end
  end
  return true
end

local function condition_rows(data, id)
  local rows = {}
  for _, one in ipairs(data.conditions) do
    local settings = study.setting(data, one.name)
    settings.about = one.about
    rows[#rows + 1] = { "conditions", { study = id, name = one.name, place = one.place,
      settings = store.json(settings) } }
  end
  return rows
end

local function wizard_rows(data, id)
  local rows = {}
  for _, one in ipairs(data.wizards) do
    local facts = { part = one.part, experience = one.experience }
    rows[#rows + 1] = { "wizards", { study = id, code = one.code, training_minutes = one.training_minutes,
      facts = next(facts) and store.json(facts) or nil } }
  end
  return rows
end

--- The slots of the plan that are not in `plan` yet.
local function assignment_rows(data, id, plan)
  local rows = {}
  for _, one in ipairs(study.plan(data)) do
    local known = plan and plan[one.participant] or {}
    for place, condition in ipairs(one.conditions) do
      if not known[place] then
        rows[#rows + 1] = { "assignments", { study = id, participant = one.participant, place = place,
          condition = condition, sequence = one.sequence, block = one.block } }
      end
    end
  end
  return rows
end

--- A text of a value, equal for equal values.
local function flat(value)
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  for _, item in ipairs(value) do parts[#parts + 1] = flat(item) end
  for _, key in ipairs(suggest.keys(value)) do parts[#parts + 1] = key .. "=" .. flat(value[key]) end
  return "{" .. table.concat(parts, ",") .. "}"
end

--- Planned fields that differ between the registration and a study's present file: a list of names; nil and a
--- sentence.
function record.changed(found, data)
  local last = found.versions[#found.versions]
  local before, why = study.parse(last.source, "the registered file")
  if not before then return nil, why end
  local list = {}
  for _, field in ipairs(study.planned) do
    if flat(before[field]) ~= flat(data[field]) then list[#list + 1] = field end
  end
  return list, before
end

--- Fields that must not change after sessions were assigned.
local fixed = { conditions = true, design = true, counterbalance = true, block = true, seed = true,
  code = true }

local function names_of(conditions)
  local list = {}
  for index, one in ipairs(conditions) do list[index] = one.name end
  return table.concat(list, ",")
end

--- Whether a change may be registered: true, or nil and a sentence.
local function allowed(found, data, why)
  local list, before = record.changed(found, data)
  if not list then return nil, before end
  for _, field in ipairs(list) do
    local same = field == "conditions" and names_of(before.conditions) == names_of(data.conditions)
    if fixed[field] and not same then
      return nil, ("%s was registered and dealt to participants: it cannot change; give the study another \z
        name"):format(field)
    end
  end
  if data.participants < before.participants then
    return nil, ("%d participants were registered: there cannot be fewer"):format(before.participants)
  end
  if #list > 0 and not why then
    return nil, ("%s changed since it was registered: say why with --why TEXT"):format(
      table.concat(list, ", "))
  end
  return true
end

--- Whether the plan may still be assigned again: nobody has consented yet.
function record.free(found) return next(found.participants) == nil end

--- Rows for a study's file: conditions, wizards, the plan, the version.
local function rows_of(data, id, found, why)
  local free, rows = found and record.free(found), {}
  if free then
    rows = { { "forget_assignments", { study = id } }, { "forget_conditions", { study = id } } }
  end
  local plan = not free and found and found.plan or nil
  for _, more in ipairs { condition_rows(data, id), wizard_rows(data, id),
      assignment_rows(data, id, plan) } do
    table.move(more, 1, #more, #rows + 1, rows)
  end
  if free then rows[#rows + 1] = { "study_anew", { id = id, source = data.source, hash = data.hash } } end
  rows[#rows + 1] = { "study_changed", { id = id, title = data.title, late_after = data.late_after } }
  rows[#rows + 1] = { "study_versions", { study = id, hash = data.hash, source = data.source, why = why } }
  return rows
end

--- Register a study's file, or a change of it.  `found`: the study in the store (record.find), `why`: the
--- reason of the change.  Return the study's id and the number of its version; nil and a sentence.
function Record:register(data, found, why)
  if found and found.versions[1] then
    local last = found.versions[#found.versions]
    if last.hash == data.hash then return found.id, last.id end
    local good, fault = record.free(found), nil
    if not good then good, fault = allowed(found, data, why) end
    if not good then return nil, fault end
  end
  local id = found and found.id
  if not id then
    local made, fault = self.forms:put("studies",
      { name = data.name, title = data.title, source = data.source, hash = data.hash,
      late_after = data.late_after })
    if not made then return nil, fault end
    id = made
  end
  local good, wrong = put_all(self, rows_of(data, id, found, why))
  if not good then return nil, wrong end
  return id, (found and #found.versions or 0) + 1
end

--- Store a participant's consent, and facts.
function Record:consent(id, code, facts)
  return self.forms:put("participants",
    { study = id, code = code, facts = facts and store.json(facts) or nil })
end

--- Store facts about a participant.
function Record:facts(id, code, facts)
  return self.forms:put("participant_facts", { study = id, code = code, facts = store.json(facts) })
end

--- Begin a session: { study, participant, condition, ordinal, wizard, script, rehearsal, training, version }.
--- Return its id.
function Record:begin(row)
  row.rehearsal, row.training = row.rehearsal and 1 or 0, row.training and 1 or 0
  local id, why = self.forms:put("sessions", row)
  if not id and why:find "UNIQUE" then return nil, ("%s has this session already"):format(row.participant) end
  return id, why
end

--- End a session: "finished" or "aborted".
function Record:finish(id, outcome, notes)
  return self.forms:put("session_end", { id = id, outcome = outcome, notes = notes })
end

--- Add a note to a session.
function Record:note(id, text) return self.forms:put("session_note", { id = id, notes = text }) end

--- Let another participant replace one who withdrew.
function Record:replace(found, gone, code)
  local rows = {}
  for place, one in ipairs(found.plan[gone]) do
    rows[place] = { "assignments", { study = found.id, participant = code, place = place,
      condition = one.condition, sequence = one.sequence, block = one.block, instead_of = gone } }
  end
  return put_all(self, rows)
end

return record
