--- Detectors: other programs that send detections (brio.feed), and the behavior's requests to them.
---
---     detectors = { camera = { from = "udp:7001", frame = "head_camera", axes = "optical" } }
---
--- are rows of a behavior or a robot's file; `--detections` adds to them.  Their detections go into the
--- scene.  A behavior has them as self.detectors.camera, to select models, classes and thresholds.
--- docs/perception/detectors.md describes the messages.
local door = require "brio.io.input_gate"
local feed = require "brio.feed"
local fields = require "brio.lib.fields"
local lazy = require "brio.lib.lazy"
local paths = require "brio.lib.paths"
local senses = lazy "brio.io.feeds"
local store = require "brio.store"
local records = lazy "brio.perception.records"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local detectors = {}
local Detectors = {}
Detectors.__index = Detectors
local Detector = { __name = "detector" }
Detector.__index = Detector

local reasons = feed.reasons()

--- Sentences for reasons of rejection, by name.
detectors.reasons = reasons

--- Default silence after which a detector is lost, s.
detectors.silent = 1

--- Maximum number of detectors.
detectors.most = 16

--- Ticks between two records of a detector's statistics.
local record_every = 200

-- Rows --------------------------------------------------------------------------------------------

local function text(value) return type(value) == "string" and value ~= "" end

local function names(value)
  if type(value) ~= "table" then return false end
  for key, name in next, value do
    if math.type(key) ~= "integer" or not text(name) then return false end
  end
  return true
end

--- The error in rows of detectors: a sentence, or nil.  `what`: the word for them, `record`: the fields of a
--- row.
function detectors.fault(rows, what, record)
  if rows == nil then return nil end
  what, record = what or "detectors", record or records.detector
  if type(rows) ~= "table" then return what .. ' must be a table of name = { from = "udp:7001" }' end
  for name, row in next, rows do
    local place = ("%s.%s"):format(what, tostring(name))
    if type(name) ~= "string" or not name:match "^[%a_][%w_]*$" then
      return ("%s: '%s' is no name: letters, digits and _"):format(what, tostring(name))
    end
    if type(row) ~= "table" or row.from == nil then
      return place .. ' must be a table with from, as in { from = "udp:7001" }'
    end
    local why = schema.fault(row, record, place)
    if why then return why end
    if row.from:match "^program:" or row.from:match "^output:" then
      return place .. ": only a person starts programs, by --detections"
    end
  end
end

--- Parse a person's argument: "[NAME=]WHERE[,KEY=VALUE ...]".  Return the name (nil: absent) and the row; nil
--- and a sentence.
function detectors.read(said, record)
  record = record or records.detector
  local name, rest = said:match "^([%a_][%w_]*)=(.+)$"
  rest = rest or said
  local row = { from = rest:match "^[^,]+" }
  for key, value in rest:gmatch ",([%a_]+)=([^,]*)" do
    if not record[key] then
      return nil, ("there is no %s%s"):format(key, suggest.hint(key, suggest.keys(record)))
    end
    row[key] = tonumber(value) or value == "true" or value ~= "false" and value
    local why = fields.fault(row[key], record[key])
    if why then return nil, key .. " " .. why end
  end
  if not row.from then return nil, "give its address: udp:[HOST:]PORT, unix:PATH or file:PATH" end
  return name, row
end

--- The rows of one run: `base` (a robot's), overridden by `more` (a behavior's), overridden by those a person
--- `said`, a list of texts, with `default` for a name.  Paths of a behavior are relative to its `folder`.
--- Return them; nil and a sentence.
function detectors.rows(parts)
  local rows = {}
  for name, row in next, parts.base or {} do rows[name] = row end
  for name, row in next, parts.more or {} do
    local own = {}
    for key, value in next, row do own[key] = value end
    own.from = own.from:gsub("^file:([^/])",
      function(first) return ("file:%s/%s"):format(parts.folder, first) end)
    rows[name] = own
  end
  for index, words in ipairs(parts.said or {}) do
    local name, row = detectors.read(words, records[parts.kind or "detector"])
    if not row or type(row) == "string" then return nil, ("'%s': %s"):format(words, row) end
    row.asked_for = true
    rows[name or index == 1 and parts.default or parts.default .. index] = row
  end
  return rows
end

-- One detector ------------------------------------------------------------------------------------

--- Settings of all classes and models, or of one.
local settings = {
  confidence = { 0, 1, "least confidence" }, mask = { 0, 1, "threshold of masks" },
  nms = { 0, 1, "overlap above which the less sure goes" },
  erosion = { 0, 1000, "pixels that masks lose at their edge" },
  outlier = { 0, 1000, "how far points may stand out, in deviations" },
}

detectors.settings = settings

local function check_setting(what, key, value, level)
  local known = settings[key]
  if not known then
    error(("%s has no '%s'%s"):format(what, key, suggest.hint(key, suggest.keys(settings))), level + 1)
  end
  if type(value) ~= "number" or not (value >= known[1] and value <= known[2]) then
    error(("%s: %s must be a number from %g to %g, not %s"):format(what, key, known[1], known[2],
      tostring(value)), level + 1)
  end
end

--- Apply the settings of a class: true, false, a confidence, or a table of settings.
local function take_class(classes, name, said, level)
  local what = "class '" .. tostring(name) .. "'"
  if not text(name) or #name > 23 then
    error("a class's name is a text of 1 to 23 letters, not " .. tostring(name), level + 1)
  end
  local class = classes[name] or {}
  if type(said) == "boolean" then class.enabled = said
  elseif type(said) == "number" then
    check_setting(what, "confidence", said, level + 1)
    class.enabled, class.confidence = true, said
  elseif type(said) == "table" then
    for key, value in next, said do
      if key == "enabled" then
        if type(value) ~= "boolean" then error(what .. ": enabled must be true or false", level + 1) end
      else check_setting(what, key, value, level + 1) end
      class[key] = value
    end
  else error(what .. " must be true, false, a confidence or a table of settings, not " .. type(said),
    level + 1) end
  classes[name] = class
end

local function take_settings(into, said, level)
  for key, value in next, said do
    if key == "classes" then
      if type(value) ~= "table" then error("classes must be a table by name", level + 1) end
      into.classes = into.classes or {}
      for name, class in next, value do take_class(into.classes, name, class, level + 1) end
    elseif key ~= "model" then
      check_setting("a detector", key, value, level + 1)
      into[key] = value
    end
  end
end

--- The minimum of a setting over some settings, and whether any wants its class.
local function least(list, key)
  local found
  for _, item in ipairs(list) do found = math.min(found or math.huge, item[key] or 0) end
  return found
end

--- Local filter of detections, by the request: see feed:ask.
local function kept(asked, known)
  local all = { asked.settings }
  for _, name in ipairs(suggest.keys(asked.models)) do all[#all + 1] = asked.models[name] end
  local wanted = { confidence = least(all, "confidence"), known_only = known ~= nil, classes = {} }
  for _, name in ipairs(known or {}) do wanted.classes[name] = { on = true } end
  for _, set in ipairs(all) do
    wanted.erosion, wanted.outlier = wanted.erosion or set.erosion, wanted.outlier or set.outlier
    for name, class in next, set.classes or {} do
      local own = wanted.classes[name] or {}
      own.on = own.said_on or class.enabled ~= false
      own.said_on = own.said_on or class.enabled == true
      own.confidence = class.confidence and math.min(own.confidence or 1, class.confidence) or own.confidence
      own.erosion, own.outlier = class.erosion or own.erosion, class.outlier or own.outlier
      wanted.classes[name] = own
    end
  end
  return wanted
end

--- Send the request: to the sender, and to the local filter.
local function say(self)
  local asked = self._asked
  self._number = self._number + 1
  local line = store.json { request = self._number, use = asked.use and store.array(asked.use) or nil,
    settings = next(asked.settings) and asked.settings or nil, models = next(asked.models) and asked.models
      or nil }
  if self.feed then self.feed:ask(self._number, line, kept(asked, self._row.classes)) end
  self._told(self, line)
  return self._number
end

--- Set thresholds and classes, of all models or of `model`: others do not change.  Return the request's
--- number.
function Detector:configure(said)
  if type(said) ~= "table" then error("detector:configure expects a table, as in { confidence = 0.5 }", 2) end
  local into = self._asked.settings
  if said.model ~= nil then
    if not text(said.model) then error("model must be a text", 2) end
    into = self._asked.models[said.model] or {}
    self._asked.models[said.model] = into
  end
  take_settings(into, said, 2)
  return say(self)
end

local function set_classes(self, list, enabled)
  if type(list) == "string" then list = { list } end
  if not names(list) then error("give a class's name, or a list of them", 3) end
  local classes = {}
  for _, name in ipairs(list) do classes[name] = enabled end
  take_settings(self._asked.settings, { classes = classes }, 3)
  return say(self)
end

--- Enable a class, or a list of them.
function Detector:enable(list) return set_classes(self, list, true) end

--- Disable a class, or a list of them.
function Detector:disable(list) return set_classes(self, list, false) end

--- Use these models, each in turn; nil: the detector's own choice.
function Detector:use(models)
  if type(models) == "string" then models = { models } end
  if models ~= nil and not names(models) then
    error("detector:use expects a model's name, or a list of them", 2)
  end
  self._asked.use = models
  return say(self)
end

--- Reset all requests: the detector's own choice of everything.
function Detector:reset()
  self._asked = { settings = {}, models = {} }
  return say(self)
end

--- Whether the newest request was acknowledged, or there is no sender that could: true; false while it waits;
--- nil and the reason of a refusal.
function Detector:acknowledged()
  if self._number == 0 or not self.feed or not self._two_way then return true end
  local talk = self.feed:asked()
  if talk.acknowledged < self._number then return false end
  if talk.refused ~= "" then return nil, talk.refused end
  return true
end

--- Its status: {name, from, frame, here, sender, frames, detections, messages, refused, over, asked,
--- acknowledged, answer}.
function Detector:state()
  local done, why = self:acknowledged()
  local state = { name = self.name, from = self.from, frame = self._row.frame, here = self.here, over = false,
    sender = "",
    frames = 0, detections = 0, messages = 0, refused = {}, asked = self._number, acknowledged = done == true,
      answer = why }
  if not self.feed then return state end
  local report = self.feed:report()
  for _, key in ipairs { "sender", "frames", "detections", "messages", "refused", "over" } do
    state[key] = report[key]
  end
  state.from = self._row.label or report.where
  return state
end

-- All of a run ------------------------------------------------------------------------------------

--- Open the detectors in rows.  parts: rows, fast (the clock), say(level, sentence).  On the fast clock a
--- live one is not opened; it is refused if a person requested it.  Return them; nil and a sentence.
function detectors.open(parts)
  local self = setmetatable({ by_name = {}, list = {}, say = parts.say, fast = parts.fast }, Detectors)
  local group = {}
  for _, name in ipairs(suggest.keys(parts.rows)) do
    local row = parts.rows[name]
    local detector = setmetatable({ name = name, from = row.label or row.from, here = false, _row = row,
      _number = 0, _asked = { settings = {}, models = {} }, _told = function(...) self:told(...) end },
        Detector)
    local good, why = self:open_one(detector)
    if not good then
      self:close()
      return nil, ("detector '%s': %s"):format(name, why)
    end
    self.by_name[name], self.list[#self.list + 1] = detector, detector
    detector.number = #self.list
    if detector.feed and detector.feed.real then
      group[#group + 1] = { feed = detector.feed.real, frame = row.frame and parts.roles[row.frame]
        or row.frame }
    end
  end
  if #self.list > detectors.most then
    self:close()
    return nil, ("at most %d detectors can be heard, not %d"):format(detectors.most, #self.list)
  end
  self.group = #group > 0 and feed.group(group) or nil
  return self
end

--- The detectors of a run (see runner.new): its robot's, its behavior's, and those of the command line;
--- `others`: further rows by name, of its cameras. Return values as above.
function detectors.of_run(run, said, others)
  local loaded, description = run.loaded, run.description
  local rows, why = detectors.rows { base = description.detectors, more = loaded.definition.fields.detectors,
    said = said, folder = paths.folder(loaded.file), default = "detector" }
  if not rows then return nil, "--detections: " .. why end
  for name, row in next, others or {} do
    if rows[name] then return nil, ("'%s' is both a camera and a detector"):format(name) end
    rows[name] = row
  end
  return detectors.open { rows = rows, fast = run.fast, roles = description.roles,
    say = function(level, sentence) run:tell(level, sentence) end }
end

function Detectors:open_one(detector)
  local row = detector._row
  local live = not (row.from:match "^file:" or row.from:match "^output:")
  if live and self.fast and not row.asked_for then
    self.say("debug", ("detector '%s' is not heard on the fast clock"):format(detector.name))
    return true
  end
  local made, why = senses.feed { where = row.from, detector = #self.list + 1, lockstep = self.fast,
    clock = row.clock,
    axes = row.axes, rate = row.rate, oldest = row.oldest, silent = row.silent, speed = row.speed,
      begin = row.begin,
    again = row.again, depth = row.depth ~= nil }
  if not made then return nil, why end
  -- the folder in which a camera shows its pictures is another one in each process, and none in a replay
  detector.feed, detector._two_way = made,
    door.look("way", (row.from:gsub(" look=%S*$", "")), function() return made:report().two_way end)
  if row.classes then made:ask(1, "", kept(detector._asked, row.classes)) end
  return true
end

--- self.detectors of a behavior: each by its name; nil if there is none.
function Detectors:face()
  return setmetatable({}, { __index = self.by_name, __metatable = false,
    __newindex = function() error("self.detectors cannot be set", 2) end,
    __pairs = function() return pairs(self.by_name) end, __shown = function() return self.by_name end })
end

--- Report a request to a detector: calls on_request(detector, line).
function Detectors:told(detector, line)
  if self.on_request then self.on_request(detector, line) end
end

--- Record a source {number, feed} of a host's run if it is new, and its statistics in each second with
--- messages.
function detectors.record(what, source, place, frame, host)
  if not source.recorded then
    source.recorded = { messages = 0 }
    host.recorder:detector { id = source.number, name = source.name, sends = what, place = place or "offered",
      frame = frame }
  end
  if not source.feed or host.tick % record_every ~= 0 then return end
  local report = source.feed:report()
  if report.messages == source.recorded.messages then return end
  source.recorded.messages = report.messages
  host.recorder:detector_sample(source.number, host.now, report)
end

--- The sentence of a note.
local function sentence_of(what, source, note)
  local detail = note.detail ~= "" and " (" .. note.detail .. ")" or ""
  local within = note.seconds >= 1 and (" in %.0f s"):format(note.seconds) or ""
  return ("%s '%s': %d refused%s: %s%s"):format(what, source.name, note.count, within, note.words, detail)
end

--- The notes of a feed in lockstep are derived from its counts, so that they are the same in each run.
local function notes_of_counts(source, report)
  local list, told = {}, source._told_counts or {}
  for _, reason in ipairs(suggest.keys(report.refused)) do
    local fresh = report.refused[reason] - (told[reason] or 0)
    if fresh > 0 and reason ~= "off" then
      list[#list + 1] = { reason = reason, count = fresh, seconds = 0, words = reasons[reason], detail = "" }
    end
    told[reason] = report.refused[reason]
  end
  source._told_counts = told
  return list
end

--- Ticks between two checks for senders.
local look_every = 20

--- A new cloud of that name has come: give it to the detectors whose boxes and masks are located in it.
function Detectors:see_depth(name, cloud)
  for _, detector in ipairs(self.list) do
    if detector.feed and detector._row.depth == name then detector.feed:depth(cloud) end
  end
end

--- Report the rejections of a source {name, feed} to the host, once a tick: host:sensor_fault(what, source,
--- sentence, reason).
function detectors.tell_notes(what, source, fast, host)
  if not fast then
    local note = source.feed:note()
    while note do
      host:sensor_fault(what, source, sentence_of(what, source, note), note.reason)
      note = source.feed:note()
    end
  elseif host.tick % look_every == 0 then
    for _, note in ipairs(notes_of_counts(source, source.feed:report())) do
      host:sensor_fault(what, source, sentence_of(what, source, note), note.reason)
    end
  end
end

--- Once a tick: report rejections to the host, and connected and lost senders: host:sensor_event(name,
--- detector).
function Detectors:work(host)
  for _, detector in ipairs(self.list) do
    detectors.record("detections", detector, detector.from, detector._row.frame, host)
    if detector.feed then
      detectors.tell_notes("detector", detector, self.fast, host)
      if host.tick % look_every == 0 then self:look_at(detector, detector.feed:report(), host) end
    end
  end
end

function Detectors:look_at(detector, report, host)
  local here = report.heard ~= nil and host.now - report.heard <= (detector._row.silent or detectors.silent)
  if here == detector.here then return end
  detector.here = here
  host:sensor_event(here and "detector_heard" or "detector_lost", detector)
end

--- End all threads.
function Detectors:close()
  for _, detector in ipairs(self.list) do
    if detector.feed then detector.feed:close() end
    detector.feed = nil
  end
end

return detectors
