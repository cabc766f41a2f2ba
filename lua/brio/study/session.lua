--- Sessions of a study: the next one of a participant, its beginning, and its continuation after a crash.
local record = require "brio.study.record"
local study = require "brio.study.file"
local suggest = require "brio.lib.suggest"
local sandbox, store = require "brio.behavior.sandbox.sandbox", require "brio.store"

local session = {}

local function refuse(...) return nil, string.format(...) end

--- Check that a code is one of the plan's; nil and a sentence that explains why codes are required.
function session.check_code(found, data, code)
  if found.plan[code] then return true end
  if not study.is_code(code) then
    return refuse("a participant is one of the study's codes, such as %s, never a name: not '%s'",
      study.code(data, 1), code)
  end
  return refuse("the study has no participant '%s'%s: its codes go from %s to %s", code,
    suggest.hint(code, found.codes), found.codes[1], found.codes[#found.codes])
end

--- Check that a participant may have a session: in the plan, with consent and not withdrawn.
function session.check_participant(found, data, code)
  local good, why = session.check_code(found, data, code)
  if not good then return nil, why end
  local person = found.participants[code]
  if person and person.withdrawn_at then
    return refuse("%s has withdrawn: nothing of them is kept any more", code)
  end
  if not person or person.consent ~= 1 then
    return refuse("nothing of %s may be kept before they consented: brio study consent %s %s", code,
      data.file, code)
  end
  return true
end

--- The wizard of the session: the given one, or the only one; nil: none; false and a sentence: unknown.
local function wizard_of(data, code)
  if not code then return #data.wizards == 1 and data.wizards[1].code or nil end
  if data.wizard[code] then return code end
  local names = suggest.keys(data.wizard)
  return false, ("the study names no wizard '%s'%s"):format(code, suggest.hint(code, names))
end

--- The hash of a condition's session script; nil: it has none, or it cannot be read.
local function script_of(data, condition)
  local file = study.setting(data, condition).session
  local text = file and sandbox.read(study.path(data, file))
  return text and store.hash(text)
end

--- A rehearsal or training: a session without a participant.
local function apart(kept, data, found, wanted)
  if wanted.participant then
    return refuse("a %s has no participant: it does not count, and keeps nothing of anybody",
      wanted.training and "training"
      or "rehearsal")
  elseif wanted.condition and not data.condition[wanted.condition] then
    return refuse("there is no condition '%s'%s", wanted.condition,
      suggest.hint(wanted.condition, suggest.keys(data.condition)))
  end
  local condition = wanted.condition or data.conditions[1].name
  local row = { study = found.id, condition = condition, wizard = wanted.wizard,
    script = script_of(data, condition),
    rehearsal = wanted.rehearsal, training = wanted.training, version = #found.versions }
  local id, why = kept:begin(row)
  if not id then return nil, why end
  return { id = id, condition = row.condition, wizard = wanted.wizard, rehearsal = wanted.rehearsal,
    training = wanted.training }
end

--- Begin the next session of a participant, or continue the open one.  `kept`: the store, open for writing,
--- `wanted`: { participant, condition, wizard, rehearsal, training }.  Return { id, participant, condition,
--- ordinal, wizard, resumed (its earlier runs) }, or nil and a sentence.
function session.begin(kept, data, found, wanted)
  local wizard, wrong = wizard_of(data, wanted.wizard)
  if wizard == false then return nil, wrong end
  wanted.wizard = wizard
  if wanted.rehearsal or wanted.training then return apart(kept, data, found, wanted) end
  local code = wanted.participant
  if not code then
    return refuse("say who takes part: --participant %s (or --rehearse, --training)", study.code(data, 1))
  end
  local good, why = session.check_participant(found, data, code)
  if not good then return nil, why end
  local place, open = record.next_place(found, code)
  if not place then return refuse("%s has had all %d sessions", code, #found.plan[code]) end
  local condition = found.plan[code][place].condition
  if wanted.condition and wanted.condition ~= condition then
    return refuse("session %d of %s is '%s' by the plan, not '%s'", place, code, condition, wanted.condition)
  end
  local made = { participant = code, condition = condition, ordinal = place, wizard = wizard }
  if open then
    made.id, made.wizard, made.resumed = open.id, open.wizard, open.runs
    return made
  end
  made.id, why = kept:begin { study = found.id, participant = code, condition = condition, ordinal = place,
    wizard = wizard, script = script_of(data, condition), version = #found.versions }
  if not made.id then return nil, why end
  return made
end

--- Whether a session may get another run: none of its runs is active.
local function is_free(path, made)
  if not made.resumed then return true end
  local db, why = store.open(path)
  if not db then return nil, why end
  local run, fault = record.running(db, { runs = made.resumed })
  db:close()
  if run == nil then return nil, fault end
  if run then return refuse("run %d of this session goes on: brio attach leads to it", run) end
  return true
end

--- Read a study's file, update the store, and begin or continue a session: everything for `brio run --study`.
--- Return the session, with `study` and `setting` (see study.setting); nil and a sentence.
function session.open(path, file, wanted)
  local data, why = study.read(file)
  if not data then return nil, why end
  local found, fault = record.find(path, data.name)
  if fault then return nil, fault end
  if not found and not (wanted.rehearsal or wanted.training) then
    return refuse("the study is not registered in %s yet: brio study assign %s", path, file)
  end
  local kept, wrong = record.open(path)
  if not kept then return nil, wrong end
  local good, sentence = kept:register(data, found)
  local made
  if good then
    found, sentence = record.find(path, data.name)
    if found then made, sentence = session.begin(kept, data, found, wanted) end
  end
  kept:close()
  if made then good, sentence = is_free(path, made) end
  if not (made and good) then return nil, sentence end
  made.study, made.setting = data, study.setting(data, made.condition)
  return made
end

--- End an open session; `outcome`: "finished" or "aborted".
function session.close(path, id, outcome, notes)
  local kept, why = record.open(path)
  if not kept then return nil, why end
  local good, fault = kept:finish(id, outcome, notes)
  kept:close()
  return good and true, fault
end

return session
