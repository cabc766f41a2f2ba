--- A small study for tests: its file, a store with it, and a run of a session in which a wizard makes every
--- kind of error.
local record, session = require "brio.study.record", require "brio.study.session"
local store, study = require "brio.store", require "brio.study.file"

local studies = {}

local small = [[
local brio = require "brio"
return brio.study { name = "nod", title = "Does a nod help?", conditions = { "still", { name = "nodding", tune = { near = 2 } } },
  design = "within", participants = 4, seed = 11, late_after = 2, questionnaires = {}, consent = "form 1",
  behavior = "b.lua", wizards = { { code = "W1", training_minutes = 30 }, { code = "W2" } },
  facts = { age = { lowest = 18, highest = 99 }, robots = { "never", "often" } },
  report = { robot = { kind = "one Pepper" } } MORE }
]]

--- The study's file, with more fields.
function studies.text(more) return (small:gsub("MORE", more or "")) end

--- The study, with more fields.
function studies.read(more) return study.parse(studies.text(more), "nod.lua") end

--- A store of its own, deleted when work(path, kept) returns.
function studies.with_store(t, work)
  local path = os.tmpname()
  local kept = assert(record.open(path))
  local good, why = xpcall(work, debug.traceback, path, kept)
  kept:close()
  for _, suffix in ipairs { "", "-wal", "-shm" } do os.remove(path .. suffix) end
  t:ok(good, "%s", why)
end

--- Register a study; return what the store has of it.
function studies.registered(path, kept, data)
  assert(kept:register(data, record.find(path, data.name)))
  return record.find(path, data.name)
end

--- A run of a session: steps and actions with all kinds of errors.
function studies.record_run(path, session_id, more)
  local writer = assert(store.record(path))
  local run = assert(writer:begin { behavior = "b.lua", robot = "pepper", driver = "sim", clock = "fast" })
  writer:put("session_runs", { session = session_id })
  writer:put("operators", { id = 1, who = "W1 (lab)", role = "wizard", device = "prompt", attached = 0 })
  local steps = {
    { "welcome", "say hello ...", 1, 4, "done" }, { "ask", "play nod | play shake", 5, 9, "done" },
      { "late", "say well", 10, 18, "done" },
    { "gone", "say goodbye", 20, 25, "omitted" }, { "slip", "say \"one\"", 26, 30, "omitted" },
  }
  for id, row in ipairs(steps) do
    writer:put("session_steps", { id = id, session = session_id, step = row[1], expected = row[2],
      t_cue = row[3], t_begun = row[3] })
    writer:put("session_step_end", { id = id, t_ended = row[4], outcome = row[5] })
  end
  local actions = more or {
    { "say", '"Hello, you"', "welcome", 1, 1.5 }, { "play", '"shake"', "ask", 5, 5.4 },
      { "say", '"well"', "late", 10, 13.5 },
    { "say", '"two"', "slip", 26, 27 }, { "look", '"at me"', nil, nil, 31 },
      { "play", '"nod"', nil, nil, 33, "error" },
    { "say", '"rude"', nil, nil, 35 },
  }
  for id, row in ipairs(actions) do
    local step = row[3]
    local expected
    for _, one in ipairs(steps) do expected = step == one[1] and one[2] or expected end
    writer:put("actions", { id = id, operator = 1, who = "W1 (lab)", role = "wizard", device = "prompt",
      name = row[1], arguments = row[2],
      step = step, expected = expected, t_cue = row[4], t_input = row[5], t_accept = row[5] + 0.002,
        t_dispatch = row[5] + 0.004 })
    writer:put("action_end", { id = id, t_first_motion = row[5] + 0.05, t_done = row[5] + 1,
      outcome = row[6] or "done" })
  end
  if not more then
    writer:put("action_mark", { id = 7, error_class = "wrong", marked_by = "O1", marked_t = 40 })
  end
  assert(writer:finish { duration = 60.0, ticks = 12000, outcome = "finished" })
  assert(writer:close())
  return run
end

--- A session of P01 with such a run; returns the study and the session.
function studies.held(path, kept)
  local data = studies.read()
  local found = studies.registered(path, kept, data)
  assert(kept:consent(found.id, "P01", { age = 31, robots = "never" }))
  local one = assert(session.begin(kept, data, record.find(path, "nod"),
    { participant = "P01", wizard = "W1" }))
  studies.record_run(path, one.id)
  return data, one
end

--- The rows of a query.
function studies.asked(path, sql, ...)
  local db = assert(store.open(path))
  local rows = assert(db:query(sql, ...))
  db:close()
  return rows
end

return studies
