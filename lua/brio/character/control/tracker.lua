--- Trackers over UDP: datagrams, JSON objects, with the pose of a link: see
--- docs/operators/shared-control.md.
---
---     {"link": "left_hand", "position": [0.3, 0.2, 0.9], "orientation": [0, 0, 0, 1], "seq": 12, "time":
---       3.25, "clutch": true}
---
--- Each datagram is validated separately: one that is truncated, not an object, not finite, late, or not
--- newer than the one before is rejected, counted by its reason, and reported once. With a clutch, only
--- motion of the tracker while it is held moves the link, relative to its present pose; without one the pose
--- is absolute. After a silence the pose is held, then the part is released.
local lazy = require "brio.lib.lazy"
local clip = lazy "brio.formats.clip"
local document = lazy "brio.formats.json"
local rotation = lazy "brio.lib.rotation"
local stream = lazy "brio.character.control.stream"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local tracker = {}
local Tracker = {}
Tracker.__index = Tracker

--- Default settings, s: silence after which the pose is held, and after which the part is released; both our
--- choice, the first as ten missed datagrams of a tracker with 60 Hz.
tracker.stale, tracker.gone = 0.17, 1.5

--- Maximum number of links at once, and of datagrams in a tick.
local most_streams, most_a_tick = 8, 32

--- Silence after which a sender with restarted numbers counts as a new one, s.
local begins_anew = 1

function tracker.new(control)
  return setmetatable({ control = control, host = control.host, streams = {}, order = {},
    counts = { taken = 0 }, told = {} }, Tracker)
end

-- A datagram ------------------------------------------------------------------------------------------------

--- Reject a datagram: a reason, under which it is counted, and a sentence.
local function refuse(self, reason, sentence)
  self.counts[reason] = (self.counts[reason] or 0) + 1
  if not self.told[reason] then
    self.told[reason] = true
    self.host.say("warning", ("a tracker's datagram is refused: %s (%s; further ones are counted)"):format(
      sentence, reason))
  end
  return nil, sentence
end

--- The fields of a datagram.
tracker.fields = {
  link = { "string", needed = true, doc = "a link or a role of the robot" },
  part = { "string", doc = "the part that follows; none: that which carries the link" },
  what = { "choice", of = { "pose", "position", "orientation", "direction" },
    doc = "the part of the pose that is followed; default: what the number of joints permits" },
  frame = { "string", value = "world", doc = "a link, or \"world\"" },
  who = { "string", value = "tracker", doc = "the person's name" },
  position = { "vector", size = 3, unit = "m", doc = "this or an orientation is required" },
  orientation = { "vector", size = 4, doc = "x, y, z, w" },
  scale = { "number", lower = 1e-3, upper = 100, value = 1, doc = "of the position" },
  stale = { "number", unit = "s", lower = 0.01, upper = 60, value = tracker.stale,
    doc = "silence after which the pose is held" },
  seq = { "number", doc = "greater in each datagram" },
  time = { "number", unit = "s", doc = "when it was measured, of the sender's clock" },
  clutch = { "boolean", doc = "true: what the tracker moves from now on counts; none: the pose itself" },
}

--- Maximum length of a name, bytes.
local longest_name = 64

--- The error in a datagram's object: a sentence, or nil.
local function fault_of(said)
  if type(said) ~= "table" or #said > 0 then return "it is no JSON object" end
  local fault = schema.fault(said, tracker.fields, "the datagram")
  if fault then return fault end
  for _, key in ipairs { "link", "part", "frame", "who" } do
    if said[key] and (said[key] == "" or #said[key] > longest_name) then
      return ("%s must be a name of at most %d bytes"):format(key, longest_name)
    end
  end
  if not (said.position or said.orientation) then return "it has neither position nor orientation" end
end

local function read(text)
  local good, said = pcall(document.json, text)
  if good then return said end
  local sentence = clip.failure(said)
  if not sentence then error(said, 0) end
end

--- Whether a datagram is late: its time is by the sender's clock, so it is compared with the fastest datagram
--- so far.
local function is_late(row, said, received)
  if not said.time then return false end
  local ahead = received - said.time
  row.quickest = math.min(row.quickest or ahead, ahead)
  return ahead - row.quickest > row.stale
end

--- The stream of a datagram's link, created for a new one; nil and a sentence if that is impossible.
local function row_of(self, said, now)
  local row = self.streams[said.link]
  if row and now - row.heard > begins_anew then row.seq, row.time, row.quickest = nil, nil, nil end
  if row then return row end
  if #self.order >= most_streams then return nil, ("there are %d streams already"):format(most_streams) end
  local frame = said.frame ~= "world" and said.frame or nil
  if frame then
    local description = self.host.description
    frame = description.roles[frame] or frame
    if not pcall(description.robot.link, description.robot, frame) then
      return nil, ("there is no link '%s'"):format(frame)
    end
  end
  local made, why = stream.new(self.control, said.link, { part = said.part, what = said.what, frame = frame,
    who = said.who or "tracker" })
  if not made then return nil, why end
  row = { name = said.link, stream = made, heard = now, stale = said.stale or tracker.stale, engaged = false }
  self.streams[said.link] = row
  self.order[#self.order + 1] = row
  return row
end

--- The clutch is closed: motion counts from the present poses of tracker and link.
local function engage(row, p, q)
  row.from = { p[1], p[2], p[3], q[1], q[2], q[3], q[4] }
  row.link = { row.stream:place() }
  row.engaged = true
end

--- The link's pose from the tracker's motion since the clutch was closed.
local function moved(row, p, q, scale)
  local f, l = row.from, row.link
  local x, y, z = l[1] + scale * (p[1] - f[1]), l[2] + scale * (p[2] - f[2]), l[3] + scale * (p[3] - f[3])
  local tx, ty, tz, tw = rotation.times(q[1], q[2], q[3], q[4], -f[4], -f[5], -f[6], f[7])
  return x, y, z, rotation.times(tx, ty, tz, tw, l[4], l[5], l[6], l[7])
end

--- Set the received pose as the link's target.
local function follow(row, said)
  local one = row.stream
  local p, q = said.position, said.orientation
  if q then q = { rotation.normalized(q[1], q[2], q[3], q[4]) } end
  if not (p and q) then
    local x, y, z, qx, qy, qz, qw = one:place()
    p, q = p or row.from and { row.from[1], row.from[2], row.from[3] } or { x, y, z },
      q or row.from and { row.from[4], row.from[5], row.from[6], row.from[7] } or { qx, qy, qz, qw }
  end
  if said.clutch == nil then
    local scale = said.scale or 1
    one:want(scale * p[1], scale * p[2], scale * p[3], q[1], q[2], q[3], q[4])
    return
  end
  if not row.engaged then engage(row, p, q) end
  one:want(moved(row, p, q, said.scale or 1))
end

--- Process a datagram received at `received` (s of any steady clock). Return true, or nil and the reason.
function Tracker:take(text, received)
  local now = self.host.now
  local said = read(text)
  if said == nil then return refuse(self, "cut", "it is no whole JSON") end
  local fault = fault_of(said)
  if fault then return refuse(self, "wrong", fault) end
  local row, why = row_of(self, said, now)
  if not row then return refuse(self, "unknown", why) end
  if said.seq and row.seq and said.seq <= row.seq or said.time and row.time and said.time <= row.time then
    return refuse(self, "out of order", ("'%s' has sent newer data already"):format(said.link))
  end
  if is_late(row, said, received) then
    return refuse(self, "late", ("'%s' is %.2f s behind"):format(said.link, row.stale))
  end
  row.seq, row.time, row.heard, row.stale = said.seq or row.seq, said.time or row.time, now,
    said.stale or row.stale
  if said.clutch == false then
    self.counts.taken, row.engaged = self.counts.taken + 1, false
    return true
  end
  if row.lost then
    return refuse(self, "taken over", ("somebody else has %s now"):format(row.stream.joints.part))
  end
  local good, sentence = row.stream:begin()
  if not good then return refuse(self, "not now", sentence) end
  follow(row, said)
  row.held = nil
  self.counts.taken = self.counts.taken + 1
  return true
end

-- A tick ----------------------------------------------------------------------------------------------------

--- Process everything received since the last tick.
function Tracker:hear(front)
  for _ = 1, most_a_tick do
    local text, received = front:datagram()
    if not text then
      self.left_out = received
      return
    end
    if self.host.held_since then
      refuse(self, "on hold", "the robot is on hold")
    else
      self:take(text, received)
    end
  end
end

--- Silence: the pose is held, then given back.
local function look_after(row, now)
  local silent = now - row.heard
  if row.stream.taking and not row.stream:has() then
    row.stream.taking, row.lost = nil, true
  end
  if row.lost and silent > begins_anew then row.lost = nil end
  if silent > row.stale and not row.held then row.held, row.engaged = true, false end
  if silent > row.stale + tracker.gone and row.stream.taking then row.stream:finish() end
end

function Tracker:work()
  local now = self.host.now
  for _, row in ipairs(self.order) do
    look_after(row, now)
    if not row.held then row.stream:work() end
  end
end

function Tracker:stop()
  for _, row in ipairs(self.order) do
    row.stream:finish()
    row.engaged = false
  end
end

--- Status of the senders, in words.
function Tracker:lines()
  local lines, now = {}, self.host.now
  for _, row in ipairs(self.order) do
    local one = row.stream
    local state = row.lost and "somebody else has it" or not one.taking and "given back"
      or row.held and "silent: held"
      or "followed"
    local off = one.off and (", %.3f m and %.2f rad off"):format(one.off.position or 0,
      one.off.orientation or 0) or ""
    lines[#lines + 1] = ("%s: %s of %s, %s, heard %.2f s ago%s"):format(row.name, one.what, one.joints.part,
      state, now - row.heard, off)
  end
  local counts = {}
  for _, reason in ipairs(suggest.keys(self.counts)) do
    counts[#counts + 1] = ("%s %d"):format(reason, self.counts[reason])
  end
  if (self.left_out or 0) > 0 then counts[#counts + 1] = ("left out %d"):format(self.left_out) end
  lines[#lines + 1] = "datagrams: " .. table.concat(counts, ", ")
  return lines
end

return tracker
