--- Writes the rows of a run into the store: events, states, faults, versions, ...  Without a store all
--- functions do nothing.
local journal, store = require "brio.record.journal", require "brio.store"
local script = require "brio.script"

local recorder = {}
local Recorder = {}
Recorder.__index = Recorder

--- Record into `writer` (see brio.store.record); nil: nowhere.
function recorder.new(writer)
  local made = setmetatable({ writer = writer, next_state = 0, next_activation = 0, ordinal = 0,
    versions = {} }, Recorder)
  made.journal = journal.new(function(table_name, row) made:put(table_name, row) end)
  return made
end

--- The data of an event as JSON; nil for nil; the name of its type if it cannot be encoded.
local function json_of(data)
  if data == nil then return nil end
  local good, text = pcall(store.json, data)
  return good and text or store.json(type(data))
end

--- Put a row.  Return whether it is kept: written, or in memory until it can be written.
function Recorder:put(table_name, row)
  return self.writer ~= nil and self.writer:put(table_name, row)
end

--- Put a row with an ordinal, which orders the rows of the same time.
function Recorder:put_next(table_name, row)
  self.ordinal = self.ordinal + 1
  row.ordinal = self.ordinal
  self:put(table_name, row)
end

--- Gaps in the record, {rows, failing, why}: the number of lost rows, whether the store cannot be written
--- now, and the newest reason; nil: no gaps.
function Recorder:loss()
  if not self.writer then return nil end
  local rows, why = self.writer:lost()
  local failing = self.writer:failing()
  return (rows > 0 or failing) and { rows = rows, failing = failing, why = why } or nil
end

--- Whether a line that was just recorded is in the store: nil if it is, else a sentence and "lost" or
--- "waits". `before`: what loss() returned before the line was recorded.
function Recorder:unkept(before)
  local now = self:loss()
  if not now then return nil end
  if now.rows > (before and before.rows or 0) then
    return ("NOT RECORDED, the run store cannot be written: %s"):format(now.why), "lost"
  end
  if not now.failing then return nil end
  return ("not recorded yet, it waits in memory: the run store cannot be written: %s"):format(now.why),
    "waits"
end

--- Record a version of a file; return its hash.
function Recorder:version(name, source, parent, t)
  local hash = store.hash(source)
  if self.writer then self.writer:version(name, source, parent, t) end
  return hash
end

--- An event, {name, data, source, ...}, in a tick, at t s of the run.
function Recorder:event(tick, t, event, version)
  self:put_next("events", {
    tick = tick, t = t, name = event.name, source = event.source, data = json_of(event.data),
      version = version,
  })
end

--- Value of an input: {name, value, source}.
function Recorder:input(tick, t, input)
  if not self.writer then return end
  self.writer:put("inputs", { tick = tick, t = t, name = input.name, value = store.json(input.value),
    source = input.source })
end

--- A fault: severity "info", "warning" or "error"; its source; the message, and a detail such as a traceback.
function Recorder:fault(tick, t, severity, source, message, detail, version)
  if self.on_fault then self.on_fault(message) end
  self:put_next("faults", {
    tick = tick, t = t, severity = severity, source = source, message = message, detail = detail,
      version = version,
  })
end

--- A line of the log; version: of what runs, a hash.
function Recorder:log(t, severity, source, text, version)
  if self.writer then self.journal:log(t, severity, source, text, version) end
end

--- The value of a watched variable, with its unit: see brio.record.journal.
function Recorder:watch(t, name, value, unit) return self.journal:watch(t, name, value, unit) end

--- A view that a person could see: who, which view ("what"), and its content, a table.
function Recorder:view_state(t, who, what, shown)
  if self.writer then self.journal:seen(t, who, what, json_of(shown)) end
end

--- A span or moment (no t1) that a person marks during the run: {tier, t0, t1, label, coder}.
function Recorder:annotate(row)
  self:put("annotations", { tier = row.tier, t0 = row.t0, t1 = row.t1, label = row.label, coder = row.coder,
    live = 1 })
end

--- Interval between repeated reports of a loss that lasts, s.
local again = 10

--- The report that the store is written again, and how many rows are missing.
local function recovered(self, rows)
  local missing = rows - self.lost_before
  self.writing_fails, self.lost_before = false, rows
  return "warning", "the run store is written again: "
    .. (missing == 0 and "nothing is missing, what happened had waited"
    or missing == 1 and "1 row is missing" or missing .. " rows are missing"), true
end

--- The report on writing the store: severity, a sentence, and whether it is a new fault (not a repeated
--- report); nil: nothing to report.  `seconds`: monotonic time of the machine.
function Recorder:news(seconds)
  if not self.writer then return nil end
  local rows, why = self.writer:lost()
  local failing = self.writer:failing()
  local grew = rows > (self.rows_told or 0)
  if self.writing_fails and not failing then
    self.rows_told = rows
    return recovered(self, rows)
  end
  local first = not self.writing_fails and (failing or why ~= "" and not self.told_trouble)
  if not first and not (failing or grew) or not first and seconds - self.told_trouble < again then
    return nil
  end
  self.writing_fails, self.told_trouble, self.rows_told = failing, seconds, rows
  self.lost_before = self.lost_before or 0
  local missing = rows - self.lost_before
  local sentence = ("the run store %s: %s: %s"):format(failing and "cannot be written" or "does not keep all",
    why, missing == 0 and "the robot goes on, and records wait in memory"
      or ("the robot goes on, and %d rows are NOT RECORDED so far"):format(missing))
  return "error", sentence, first
end

--- The devices of the run, as engine:motors() lists them.
function Recorder:devices(list)
  for id, device in ipairs(list) do
    self:put("devices", { id = id, name = device.name, driver = device.driver, words = device.words })
  end
end

--- Statistics of a device up to now: a row of engine:motors().  `rate`: cycles a second since the last
--- sample.
function Recorder:device_sample(id, t, device, rate)
  self:put("device_samples", {
    device = id, t = t, lost = device.lost and 1 or 0, rate = rate, exchanges = device.exchanges,
      failures = device.failures,
    losses = device.losses, retries = device.retries, timeouts = device.timeouts, refused = device.refused,
    strays = device.strays,
    typical_ms = device.typical_ms, slowest_ms = device.slowest_ms, error = device.error,
  })
end

--- A change of an object of the scene: {change, time, who, object}, as scene:changes() lists them.
function Recorder:scene_object(change)
  if not self.writer then return end
  local object, p, q = change.object, change.object.position, change.object.pose.orientation
  self.writer:put("scene_objects", {
    t = change.time, name = object.name, change = change.change, who = change.who, kind = object.kind,
      origin = object.origin,
    source = object.source, x = p[1], y = p[2], z = p[3], qx = q[1], qy = q[2], qz = q[3], qw = q[4],
      seen = object.seen,
  })
end

--- A program that sends detections to the robot: {id, name, sends, place, frame}.
function Recorder:detector(row) self:put("detectors", row) end

--- The statistics of such a program up to now, from feed:report().
function Recorder:detector_sample(id, t, report)
  if not self.writer then return end
  self.writer:put("detector_samples", { detector = id, t = t, sender = report.sender ~= "" and report.sender
    or nil,
    messages = report.messages, frames = report.frames, detections = report.detections,
      refused = store.json(report.refused) })
end

--- A request to such a program: a line of JSON.
function Recorder:detector_request(t, id, request)
  self:put("detector_requests", { t = t, detector = id, request = request })
end

--- A person's line: {tick, t, who, command, arguments (JSON), late_ms}.
function Recorder:operator(row) self:put("operator", row) end

--- A behavior begins; return the number of its activation.
function Recorder:activate(behavior, name, version, t)
  self.next_activation = self.next_activation + 1
  self:put_next("activations", { id = self.next_activation, behavior = behavior, name = name,
    version = version, started = t })
  return self.next_activation
end

--- The end of an activation.
function Recorder:deactivate(id, t, result, reason)
  self:put_next("activation_end", { id = id, ended = t, result = result, reason = reason })
end

--- A state is entered; return the stay's number.
function Recorder:enter(row)
  self.next_state = self.next_state + 1
  row.id = self.next_state
  self:put_next("states", row)
  return row.id
end

--- A source of tracks begins; return its number.
function Recorder:source(row)
  self.next_source = (self.next_source or 0) + 1
  row.id = self.next_source
  self:put("sources", row)
  return row.id
end

--- The end of a source of tracks.
function Recorder:source_end(id, t, why) self:put("source_end", { id = id, ended = t, reason = why }) end

--- A source becomes the owner of a DOF: {source, dof, started}; return the contribution's number.
function Recorder:contribution(row)
  self.next_contribution = (self.next_contribution or 0) + 1
  row.id = self.next_contribution
  self:put("contributions", row)
  return row.id
end

--- By how much a source moves DOFs now: { DOF = amount }.
function Recorder:moves(source, t, moved)
  self:put("moves", { source = source, t = t, moved = store.json(moved) })
end

--- The robot's emotion: {t, valence, arousal, intensity, name, mood_valence, mood_arousal, operator, needs
--- (by name)}.
function Recorder:emotion(row)
  if not self.writer then return end
  row.needs = store.json(row.needs)
  self.writer:put("emotions", row)
end

--- The state of the run: {tick, t, state, pose}; see run/snapshot.lua.
function Recorder:snapshot(row) self:put("snapshots", row) end

--- A source has lost a DOF.
function Recorder:contribution_end(id, t) self:put("contribution_end", { id = id, ended = t }) end

--- The number of a tree's shape, which describes its nodes. A new shape is written first.
function Recorder:shape(nodes)
  local text = nodes:described()
  self.shapes = self.shapes or {}
  if not self.shapes[text] then
    self.next_shape = (self.next_shape or 0) + 1
    self.shapes[text] = self.next_shape
    self:put("tree_shapes", { id = self.next_shape, nodes = text })
  end
  return self.shapes[text]
end

--- What a running tree reports to its recorder (see tree/execution/running.lua).
local TreeRecord = {}
TreeRecord.__index = TreeRecord

--- A tree begins in a stay in a state.  nodes: as brio.nodes runs them; host: has the time, `now`.
--- Return the tree's record, nil without a store.
function Recorder:tree(state, nodes, host)
  if not self.writer then return nil end
  self.next_tree = (self.next_tree or 0) + 1
  local record = setmetatable({ recorder = self, host = host, tree = self.next_tree,
    shape = self:shape(nodes) }, TreeRecord)
  self:put("trees", { id = record.tree, shape = record.shape, state = state, started = host.now })
  return record
end

--- The nodes of the running tree have been edited.
function TreeRecord:edited(nodes) self.shape = self.recorder:shape(nodes) end

--- Record the changes of the tree in a tick, and the reasons of failures that are new or differ from the last
--- one of the node.
function TreeRecord:changed(nodes)
  local words, owner = nodes:words(), self.recorder
  local changed = nodes:pack()
  if not changed then return end
  owner.next_record = (owner.next_record or 0) + 1
  owner:put("tree_records", { id = owner.next_record, tree = self.tree, shape = self.shape,
    t = self.host.now, changed = changed })
  for index = 1, words and #words or 0, 2 do
    owner:put("tree_words", { tree = self.tree, node = words[index], record = owner.next_record,
      why = words[index + 1] })
  end
end

--- Record the values of the tunable numbers that have changed.  params: as brio.param made them; values:
--- both by name.
function Recorder:parameters(t, params, values)
  self.tuned = self.tuned or {}
  for name, param in next, params do
    local value = values[name]
    if value ~= self.tuned[name] and type(value) == "number" and value == value then
      self.tuned[name] = value
      self:put("parameters", { name = name, t = t, value = value, unit = param.unit })
    end
  end
end

--- The end of a stay in a state.
function Recorder:leave(id, t)
  self:put("state_end", { id = id, left_at = t })
end

-- A replay records nothing, and a row is written as a whole: no script is cut in here.
script.apart(Recorder)
script.apart(TreeRecord)

return recorder
