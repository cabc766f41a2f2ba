--- Sessions of a robot face on a tablet, as logged in TabletRobotFace's user studies: a JSON object of
--- streams, each a list of { timestamp (ms), value }.  `trace` has the transitions of the program's state
--- machine, `SpeechSynthesis` the utterances of the face. There is no wizard: the program controls the face.
local clip, document = require "brio.formats.clip", require "brio.formats.json"
local store = require "brio.store"

local tablet = { name = "tablet", doc = "sessions of a robot face on a tablet: JSON with the streams trace \z
  and SpeechSynthesis" }

local study_text = [[
return brio.study {
  name = "tablet", title = "A robot face on a tablet asks how people are",
  conditions = { { name = "face", about = "the face asks, and answers by what it sees of the person" } },
  design = "within", counterbalance = "fixed", participants = %d, seed = 1,
  consent = "given to those who recorded the sessions",
  report = {
    robot = { kind = "a face drawn on a tablet", autonomy = "All by its program; there is no wizard." },
  },
}
]]

function tablet.sniff(text)
  return text:find '^%s*{' ~= nil and text:find('"SpeechSynthesis"', 1, true) ~= nil
end

--- A stream: a list of { t (s), value }.
local function stream(data, name, where)
  local list = {}
  for index, row in ipairs(document.list(data, name, where)) do
    list[index] = { t = document.number(row, "timestamp", where) / 1000, value = row.value }
  end
  return list
end

--- Stays in the states of the program: from entering to leaving a state.
local function add_states(rows, trace, where)
  local state, id = nil, 0
  for _, row in ipairs(trace) do
    local stamped = document.is_table(row.value) and row.value.stateStamped
    local now = document.text(stamped, "state", where)
    if now ~= state then
      if state then rows[#rows + 1] = { "state_end", { id = id, left_at = row.t } } end
      id = id + 1
      local input = document.is_table(row.value.input) and row.value.input.discrete
      rows[#rows + 1] = { "states", { id = id, machine = "face", state = now, previous = state,
        cause = state and "event"
        or "start",
        detail = document.is_table(input) and type(input.type) == "string" and input.type or nil,
          entered = row.t } }
      state = now
    end
  end
end

--- One file's session.
local function session_of(file, number)
  local data, rows, last = document.json(file.text, file.name), {}, 0
  local trace = stream(data, "trace", file.name)
  add_states(rows, trace, file.name)
  for _, row in ipairs(stream(data, "SpeechSynthesis", file.name)) do
    rows[#rows + 1] = { "events", { tick = 0, t = row.t, name = "said", source = "face",
      data = store.json { text = document.text(row.value, "text", file.name) } } }
    last = math.max(last, row.t)
  end
  if trace[1] then last = math.max(last, trace[#trace].t) end
  return { participant = ("T%02d"):format(number), condition = "face", ordinal = 1,
    source = file.name:match "[^/]+$", robot = "tablet face", duration = last, rows = rows }
end

--- Read sessions, a file each.
function tablet.read(files)
  local sessions = {}
  for index, file in ipairs(files) do
    local good, one = pcall(session_of, file, index)
    if not good then
      if not clip.failure(one) then error(one, 0) end
      return nil, clip.failure(one)
    end
    sessions[index] = one
  end
  return { study = study_text:format(#sessions), sessions = sessions,
    told = { "what the camera saw and the screen showed was left out" } }
end

return tablet
