--- The panic stop for people: reports who pressed and released it to everybody, stops what people play, and
--- holds the queue until a person confirms it after the release.  The stop itself is the motor side's and
--- independent of this.
local taped = require "brio.io.run_tape"

local stop = {}
local Stop = {}
Stop.__index = Stop

--- Interval of the check whether the motors are still held, s.
stop.period = 0.1

--- Make it for a desk, with its queue.
function stop.new(desk) return setmetatable({ run = desk.run, queue = desk.queue, due = 0 }, Stop) end

--- Stop the sources started by people, as they would continue from their middle after the release. Return
--- their names.
local function end_plays(tracks)
  local names = {}
  for _, playing in ipairs(tracks:list()) do
    if (playing.owner == "operator" or playing.by) and not playing.live then
      names[#names + 1] = playing.name
      tracks:stop_source(playing, 0, "panic stop")
    end
  end
  return names
end

--- The stop has begun: by a person at a prompt (`who`), or in another way (nil).
local function begin(self, who)
  if self.on then
    self.who = self.who or who
    return
  end
  self.on, self.who, self.since, self.seen = true, who, self.run.host.now, false
  self.stopped = end_plays(self.run.host.tracks)
  local tasks = self.run.host.tasks
  if tasks then tasks:stop_all("panic stop", function(task) return task.who ~= nil end) end
  self.queue:hold()
  local count = #self.queue.list
  if count > 0 then
    local sentence = "%d lines are queued: after `release` they wait until somebody types `queue confirm`"
    self.run:tell("warning", sentence:format(count))
  end
end

--- The stop has ended.
local function finish(self)
  self.on, self.who = false, nil
  local count = #self.queue.list
  if count == 0 then return self.queue:go_on() end
  local sentence = "%d lines are queued: `queue confirm` continues them, `unqueue all` removes them"
  self.run:tell("warning", sentence:format(count))
end

--- A person at a prompt pressed it.
function Stop:pressed(who)
  begin(self, who)
  self.run:tell("warning", ("%s pressed the panic stop"):format(who or "somebody"))
end

--- A person released it.
function Stop:released(who)
  self.run:tell("info", self.on and ("%s released the panic stop"):format(who or "somebody")
    or ("%s let the motors go on"):format(who or "somebody"))
end

--- An event occurred.
function Stop:hear(event)
  if event.name ~= "panic" or event.source ~= "motors" then return end
  begin(self)
  self.seen = true
end

--- Work of a tick.
function Stop:work(now)
  if not self.on then
    if self.queue.held and #self.queue.list == 0 then self.queue:go_on() end
    return
  end
  if not self.seen or now < self.due then return end
  self.due = now + stop.period
  for _, cause in ipairs(taped.motors(self.run).held_by) do
    if cause == "panic" then return end
  end
  finish(self)
end

--- Continue the queue at a person's request.  Return a sentence, or nil and the reason.
function Stop:confirm(who)
  if self.on then return nil, self:refusal() end
  if not self.queue.held then return nil, "nothing in the queue waits to be confirmed" end
  local count = #self.queue.list
  self.queue:go_on()
  self.run:tell("info", ("%s confirmed the queue"):format(who or "somebody"))
  return ("%d lines continue"):format(count)
end

--- Why nothing may be played or executed now: a sentence; nil: it may.
function Stop:refusal()
  return self.on and "the panic stop holds the robot, and nothing plays: `release` first" or nil
end

--- Who pressed it, in words; nil: it is not active.
function Stop:by()
  return self.on and (self.who and "pressed by " .. self.who or "not pressed at a prompt") or nil
end

return stop
