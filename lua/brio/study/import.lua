--- Imports sessions recorded by other systems: read by one of the importers below, stored like any other
--- study.
---
--- An importer is { name, doc, sniff(text): whether a file is of its kind, read(files) }.  `files` is a list
--- of { name, text }; read returns nil and a sentence, or
---   study      the text of a study's file: conditions, wizards, known answers of the report
---   sessions   a list of { participant, facts, condition, ordinal, wizard, source (a name), robot, duration
---              (s), rows }; `rows` is a list of { table, row }, in the order for store.record
---   told       a list of sentences about omissions
local record, store, study = require "brio.study.record", require "brio.store", require "brio.study.file"
local suggest = require "brio.lib.suggest"

local import = {}

--- The importers: each is a file in study/import.
import.formats = { "scout", "tablet" }

--- The importer of a name, or the first that recognizes the text of `file`; nil and a sentence.
function import.find(name, text, file)
  if name then
    if suggest.contains(import.formats, name) then return require("brio.study.import." .. name) end
    return nil, ("there is no importer '%s'%s: %s"):format(name, suggest.hint(name, import.formats),
      table.concat(import.formats, ", "))
  end
  for _, format in ipairs(import.formats) do
    local importer = require("brio.study.import." .. format)
    if importer.sniff(text) then return importer end
  end
  return nil, ("%s is of an unknown kind, expected one of %s; --as selects it if the file is cut off"):format(
    file or "the file", table.concat(import.formats, ", "))
end

local function put_all(kept, rows)
  for _, row in ipairs(rows) do
    local good, why = kept.forms:put(row[1], row[2])
    if not good then return nil, why end
  end
  return true
end

--- The rows of the study, its conditions, wizards and participants, and the plan as executed.
local function plan_rows(id, data, sessions)
  local rows, known = {}, {}
  for _, one in ipairs(data.conditions) do
    rows[#rows + 1] = { "conditions", { study = id, name = one.name, place = one.place,
      settings = store.json { about = one.about } } }
  end
  for _, one in ipairs(data.wizards) do
    rows[#rows + 1] = { "wizards", { study = id, code = one.code, training_minutes = one.training_minutes,
      facts = store.json { part = one.part, experience = one.experience } } }
  end
  for index, one in ipairs(sessions) do
    if not known[one.participant] then
      known[one.participant] = true
      rows[#rows + 1] = { "participant_imported", { study = id, code = one.participant, facts = one.facts
        and store.json(one.facts) } }
    end
    rows[#rows + 1] = { "assignments", { study = id, participant = one.participant, place = one.ordinal,
      condition = one.condition,
      sequence = index } }
  end
  rows[#rows + 1] = { "study_versions",
    { study = id, hash = data.hash, source = data.source, why = "imported" } }
  return rows
end

--- Record the run of a session; its number.
local function record_run(writer, one, id)
  local run, why = writer:begin { behavior = one.source, robot = one.robot, driver = "imported",
    clock = "real", engine_version = require "brio.version" }
  if not run then return nil, why end
  writer:put("session_runs", { session = id })
  for _, row in ipairs(one.rows) do writer:put(row[1], row[2]) end
  local good, fault = writer:finish { duration = one.duration, outcome = "finished", reason = "imported" }
  return good and run, fault
end

local function record_session(path, kept, id, one)
  local session, why = kept:begin { study = id, participant = one.participant, condition = one.condition,
    ordinal = one.ordinal, wizard = one.wizard, version = 1 }
  if not session then return nil, why end
  local writer, fault = store.record(path)
  if not writer then return nil, fault end
  local run, wrong = record_run(writer, one, session)
  local closed, late = writer:close()
  if not run or not closed then return nil, wrong or late end
  one.run = run
  return kept:finish(session, "finished")
end

--- Store the results of an importer at `path`.  Return true, or nil and a sentence.
local function keep(kept, path, data, sessions)
  local id, why = kept.forms:put("studies",
    { name = data.name, title = data.title, source = data.source, hash = data.hash,
    late_after = data.late_after })
  if not id then return nil, why end
  local good, fault = put_all(kept, plan_rows(id, data, sessions))
  for _, one in ipairs(sessions) do
    if good then good, fault = record_session(path, kept, id, one) end
  end
  return good and true, fault
end

--- Import files into the store at `path`, which must not have a study of that name.  Return the study and the
--- importer's results (each session has its run's number), or nil and a sentence.
function import.into(path, importer, files)
  local made, why = importer.read(files)
  if not made then return nil, why end
  local data, wrong = study.parse(made.study, importer.name)
  if not data then return nil, wrong end
  local found, fault = record.find(path, data.name)
  if found or fault then return nil, fault or ("the store has a study '%s' already"):format(data.name) end
  local kept, sentence = record.open(path)
  if not kept then return nil, sentence end
  local good, late = keep(kept, path, data, made.sessions)
  kept:close()
  if not good then return nil, late end
  return data, made
end

return import
