--- `brio study status`: prints the progress of the study.
local columns, record, store = require "brio.lib.columns", require "brio.study.record", require "brio.store"
local words = require "brio.study.words"

local verb = { words = "FILE", least = 1, most = 1, reads = true, summary = "the sessions of each \z
  participant" }

--- A row for a slot of the plan: its condition, and the status of its session.
local function cell(found, code, place)
  local condition, session, open = found.plan[code][place].condition, record.session(found, code, place)
  return condition .. (open and " (open)" or session and " (done)" or "")
end

local function rows_of(found)
  local names, rows = { "participant", "state" }, {}
  for n, code in ipairs(found.codes) do
    rows[n] = { participant = code, state = record.state(found, code) }
    for place in ipairs(found.plan[code]) do
      names[place + 2] = "session " .. place
      rows[n]["session " .. place] = cell(found, code, place)
    end
  end
  return rows, names
end

local function count(found, fn)
  local n = 0
  for _, session in ipairs(found.sessions) do n = n + (fn(session) and 1 or 0) end
  return n
end

function verb.run(args, context)
  local found = context:registered()
  if not found then return 1 end
  local rows, names = rows_of(found)
  if args.json then
    print(store.json { study = found.name, registered = found.made_at, hash = found.hash,
      versions = #found.versions, participants = store.array(rows) })
    return 0
  end
  print(words.study(context.data))
  print(("registered %s, version %d"):format(found.made_at:sub(1, 10), #found.versions))
  print(columns.text(names, rows))
  print(("sessions: %d done, %d aborted; rehearsals: %d; trainings: %d"):format(
    count(found, function(one) return record.counts(one) and one.ended end),
    count(found, function(one) return one.outcome == "aborted" end),
    count(found, function(one) return one.rehearsal == 1 end),
      count(found, function(one) return one.training == 1 end)))
  return 0
end

return verb
