--- Detections of other programs, and jobs in threads, behind the run's gate: feeds, queries of point
--- clouds, jobs.  In a replay no program is connected.  A stored cloud is available again; another is
--- empty, and its recorded query results are returned.
local cloud = require "brio.cloud"
local door = require "brio.io.input_gate"
local feed = require "brio.feed"
require "brio.occupancy" -- for its grids, which are changed below

local senses = {}

-- Jobs ---------------------------------------------------------------------------------------------

local Job = {}
Job.__index = Job

local function is_done(job) return job:done() end
local function result_of(job, wait) return job:result(wait) end

function Job:done() return door.must("job", is_done, self.real) end
function Job:result(wait) return door.must("job", result_of, self.real, wait) end

--- A job that begin() starts in a thread; begin returns the job, or nil and a sentence.
function senses.job(begin)
  local real
  local began, why = door.must("job", function()
    local sentence
    real, sentence = begin()
    return real ~= nil, sentence
  end)
  if not began then return nil, why end
  return setmetatable({ real = real }, Job)
end

-- Clouds -------------------------------------------------------------------------------------------

--- Clouds from outside, or derived from such.
local outside = setmetatable({}, { __mode = "k" })
--- Sources that are complete in a replay, so that their results follow from the record.
local whole = setmetatable({}, { __mode = "k" })
local class = debug.getregistry()["brio.cloud"]
local methods, length = class.__index, class.__len
local source_of = methods.source

--- Placeholder on the tape: the cloud is empty in a replay.
local mark = "\1cloud"

local function put_down(value)
  if type(value) == "userdata" then
    outside[value] = true
    return { [mark] = true }
  elseif type(value) ~= "table" then
    return value
  end
  local made = {}
  for key, item in next, value do made[key] = put_down(item) end
  return made
end

local function blank()
  local made = cloud.new { points = {} }
  outside[made] = true
  return made
end

local function take_up(value)
  if type(value) ~= "table" then return value end
  if value[mark] then return blank() end
  for key, item in next, value do value[key] = take_up(item) end
  return value
end

local function all(fn, ...)
  local list = table.pack(...)
  for index = 1, list.n do list[index] = fn(list[index]) end
  return table.unpack(list, 1, list.n)
end

local function made_of_whole(value)
  if type(value) == "userdata" and debug.getmetatable(value) == class then
    outside[value], whole[value] = true, true
  elseif type(value) == "table" then
    for _, item in next, value do made_of_whole(item) end
  end
  return value
end

--- Call a method of a cloud from outside.
local function ask(gate, method, ...)
  if whole[(...)] then return all(made_of_whole, method(...)) end
  if gate.replays then return all(take_up, select(2, gate.tape:must "cloud_answer")) end
  local got = table.pack(method(...))
  gate.tape:note("cloud_answer", all(put_down, table.unpack(got, 1, got.n)))
  return table.unpack(got, 1, got.n)
end

for name, method in next, methods do
  if type(name) == "string" and name:sub(1, 2) ~= "__" then
    methods[name] = function(self, ...)
      local gate = door.gate()
      if not gate or not outside[self] then return method(self, ...) end
      if name ~= "later" then return ask(gate, method, self, ...) end
      local words = table.pack(self, ...)
      return senses.job(function() return method(table.unpack(words, 1, words.n)) end)
    end
  end
end

function class.__len(self)
  local gate = door.gate()
  if not gate or not outside[self] then return length(self) end
  return (ask(gate, length, self))
end

-- Grids ------------------------------------------------------------------------------------------

--- Report that a grid uses a cloud that is not stored, so that a replay lacks it.
local grids = debug.getregistry()["brio.occupancy"].__index
local scan = grids.scan

function grids.scan(self, pose, points)
  local gate = door.gate()
  if gate and gate.replays and outside[points] and not whole[points] then
    gate.inexact = gate.inexact or "point clouds went into an occupancy grid and were not kept, so the grid \z
      is empty here: "
      .. "only runs that are recorded with --keep-clouds are exact there"
  end
  return scan(self, pose, points)
end

-- Feeds --------------------------------------------------------------------------------------------

local Feed = {}
Feed.__index = Feed

local function report_of(real) return real:report() end
local function asked_of(real) return real:asked() end
local function note_of(real) return real:note() end

function Feed:report() return door.value("feed", "report " .. self.name, report_of, self.real) end
function Feed:asked() return door.value("feed", "asked " .. self.name, asked_of, self.real) end
function Feed:note() return door.ask("feed", note_of, self.real) end

function Feed:ask(...)
  if self.real then self.real:ask(...) end
end

function Feed:depth(of)
  if self.real then self.real:depth(of) end
end

--- The run uses a new cloud: store its hash (nil: the cloud is not stored), and when it was seen.
local function keep(self, newest, now, tick)
  outside[newest] = true
  if not self.keeps then return nil end
  local hash, bytes = self.real:kept()
  local _, seen = source_of(newest)
  whole[newest] = hash and true or nil
  if not hash then self.unkept = (self.unkept or 0) + 1 end
  door.keep_cloud({ tick = tick, t = now, source = self.name, seen = seen, points = length(newest),
    hash = hash }, bytes)
  return hash, seen
end

--- The same cloud in a replay.
local function kept(self, hash, seen)
  local bytes = hash and door.text(hash)
  self.newest = self.newest or blank()
  whole[self.newest] = bytes and cloud.unpack(bytes, seen, self.newest) and true or nil
  if not bytes then cloud.unpack(cloud.pack(cloud.new { points = {} }), nil, self.newest) end
  if not hash or bytes then return end
  local gate = door.gate()
  gate.inexact = gate.inexact or "a point cloud that was kept is not beside the store any more: " .. hash
end

--- The newest cloud, and whether it is new since the last call.
function Feed:cloud(now, tick)
  local fresh, any, hash, seen = door.ask("cloud", function()
    local newest, came = self.real:cloud(now)
    self.newest = newest
    if not came then return nil, newest ~= nil end
    return true, true, keep(self, newest, now, tick)
  end)
  if fresh and door.replays() then kept(self, hash, seen) end
  if not self.newest and not any then return nil end
  return self.newest, fresh == true
end

function Feed:close()
  if self.real then self.real:close() end
end

--- A feed as from feed.open, behind the gate.
function senses.feed(options)
  local name = options.where .. " " .. (options.content or "detections")
  if door.replays() then return setmetatable({ name = name }, Feed) end
  local real, why, code = feed.open(options)
  if not real then return nil, why, code end
  return setmetatable({ name = name, real = real, keeps = options.keep ~= nil }, Feed)
end

return senses
