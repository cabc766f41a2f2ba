--- What other programs sense for a run, and questions in threads of their own, behind the run's door: feeds, the answers of point
--- clouds, jobs.  In a replay nobody is heard and a cloud is empty: what was answered then is answered again.
local cloud = require "brio.cloud"
local door = require "brio.door"
local feed = require "brio.feed"

local senses = {}

-- Jobs ---------------------------------------------------------------------------------------------

local Job = {}
Job.__index = Job

local function is_done(job) return job:done() end
local function result_of(job, wait) return job:result(wait) end

function Job:done() return door.must("job", is_done, self.real) end
function Job:result(wait) return door.must("job", result_of, self.real, wait) end

--- A question that begin() puts to a thread: what it returns, which is a job, or nil and a sentence.
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

--- Clouds that came from outside, or out of such.
local outside = setmetatable({}, { __mode = "k" })
local class = debug.getregistry()["brio.cloud"]
local methods, length = class.__index, class.__len

--- What stands on the tape for values that are none: what is a cloud comes back as an empty one.
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

--- Ask a cloud from outside.
local function ask(gate, method, ...)
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

--- The newest cloud, and whether it came since the last time.
function Feed:cloud(now)
  local fresh, any = door.ask("cloud", function()
    local newest, came = self.real:cloud(now)
    self.newest = newest
    if newest then outside[newest] = true end
    return came and true or nil, newest ~= nil
  end)
  if fresh and door.replays() then self.newest = self.newest or blank() end
  if not self.newest and not any then return nil end
  return self.newest, fresh == true
end

function Feed:close()
  if self.real then self.real:close() end
end

--- A feed as feed.open makes it, behind the door.
function senses.feed(options)
  local name = options.where .. " " .. (options.content or "detections")
  if door.replays() then return setmetatable({ name = name }, Feed) end
  local real, why, code = feed.open(options)
  if not real then return nil, why, code end
  return setmetatable({ name = name, real = real }, Feed)
end

return senses
