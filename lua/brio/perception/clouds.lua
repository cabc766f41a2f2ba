--- The newest point clouds of a run, by the name of their sensor: from other programs (brio.feed),
--- recordings, and other sources, such as the camera of a simulated world.
---
---     clouds = { depth = { from = "shm:depth", frame = "head_camera", axes = "optical" } }
---
--- are rows of a behavior or a robot's file; `--clouds` adds to them.  A behavior has them as
--- self.clouds.depth or self:cloud "depth".  docs/perception/detectors.md describes the messages.
require "brio.cloud" -- defines the class of a feed's clouds
local detectors = require "brio.perception.detectors"
local lazy = require "brio.lib.lazy"
local paths = require "brio.lib.paths"
local records = lazy "brio.perception.records"
local senses = lazy "brio.io.feeds"
local suggest = require "brio.lib.suggest"

local clouds = {}
local Clouds = {}
Clouds.__index = Clouds

--- The error in rows of clouds: a sentence, or nil.
function clouds.fault(rows) return rows ~= nil and detectors.fault(rows, "clouds", records.cloud) or nil end

--- The clouds of a run (see runner.new): its robot's, its behavior's, and those of the command line, a list
--- of texts. Return them; nil and a sentence.
function clouds.of_run(run, said)
  local loaded, description = run.loaded, run.description
  local rows, why = detectors.rows { base = description.clouds, more = loaded.definition.fields.clouds,
    said = said, folder = paths.folder(loaded.file), default = "cloud", kind = "cloud" }
  if not rows then return nil, "--clouds: " .. why end
  return clouds.open { rows = rows, fast = run.fast, roles = description.roles, keep = run.keep_clouds,
    say = function(level, sentence) run:tell(level, sentence) end }
end

--- Open the sources in rows: parts as for detectors.open.
function clouds.open(parts)
  local self = setmetatable({ by_name = {}, list = {}, newest = {}, fast = parts.fast }, Clouds)
  for _, name in ipairs(suggest.keys(parts.rows)) do
    local row = parts.rows[name]
    local live = not row.from:match "^file:"
    local source = { name = name, from = row.from, row = row, silent = row.silent or detectors.silent,
      here = false }
    if live and self.fast and not row.asked_for then
      parts.say("debug", ("clouds '%s' are not taken on the fast clock"):format(name))
    else
      local made, why = senses.feed { where = row.from, content = "clouds", lockstep = self.fast,
        clock = row.clock,
        axes = row.axes, rate = row.rate, oldest = row.oldest, silent = row.silent, speed = row.speed,
          begin = row.begin,
        again = row.again, unit = row.unit, points = row.points, period = row.period,
        frame = row.frame and parts.roles[row.frame] or row.frame, keep = parts.keep }
      if not made then
        self:close()
        return nil, ("clouds '%s': %s"):format(name, why)
      end
      source.feed = made
    end
    self.list[#self.list + 1], self.by_name[name] = source, source
  end
  return self
end

--- Add a source of clouds, by name: take(now) returns the newest cloud (nil: none) and whether it is new,
--- once a tick.
function Clouds:offer(name, take)
  local source = self.by_name[name]
  if not source then
    source = { name = name, here = false, silent = math.huge, row = {} }
    self.list[#self.list + 1], self.by_name[name] = source, source
  end
  source.take = take
end

--- self.clouds of a behavior: the newest of each by its name; nil if there is none.
function Clouds:face()
  return setmetatable({}, { __index = self.newest, __metatable = false,
    __newindex = function() error("self.clouds cannot be set", 2) end,
    __pairs = function() return pairs(self.newest) end, __shown = function() return self.newest end })
end

--- The newest cloud of that name; without a name, of the source whose cloud is newest.
function Clouds:find(name)
  if name then return self.newest[name] end
  local best
  for _, source in ipairs(self.list) do
    if self.newest[source.name] and (not best or source.at > best.at) then best = source end
  end
  return best and self.newest[best.name]
end

--- Status of each: a list of {name, from, frame, here, frames, detections (points), refused, ...}.
function Clouds:states()
  local list = {}
  for _, source in ipairs(self.list) do
    local report = source.feed and source.feed:report() or { refused = {} }
    report.name, report.frame, report.here = source.name, source.row.frame, source.here
    report.from = report.where or source.from or "offered"
    list[#list + 1] = report
  end
  return list
end

--- Once a tick: get the newest clouds, and report rejected ones and senders to the host.
function Clouds:work(host)
  for index, source in ipairs(self.list) do
    local cloud, fresh
    source.number = #host.detectors.list + index
    detectors.record("clouds", source, source.from, source.row.frame, host)
    if source.feed then cloud, fresh = source.feed:cloud(host.now, host.tick)
    elseif source.take then cloud, fresh = source.take(host.now) end
    if fresh then
      source.at = host.now
      host.detectors:see_depth(source.name, cloud)
      if source.feed and source.feed.unkept and not source.told then
        source.told = true
        host.say("warning", ("clouds '%s': one could not be kept: there is no room for it; kept_clouds in \z
          the store counts them")
          :format(source.name))
      end
    end
    self.newest[source.name] = cloud
    local here = cloud ~= nil and host.now - (source.at or 0) <= source.silent
    if here ~= source.here then
      source.here = here
      host:sensor_event(here and "clouds_heard" or "clouds_lost", source)
    end
    if source.feed then detectors.tell_notes("clouds", source, self.fast, host) end
  end
end

--- End all threads.
function Clouds:close()
  for _, source in ipairs(self.list) do
    if source.feed then source.feed:close() end
    source.feed = nil
  end
end

return clouds
