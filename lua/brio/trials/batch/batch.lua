--- Does a batch: runs of a tree at points of a space of parameters, in shares that an engine runs
--- (engines.lua). Every run depends on its number and its point alone, so results do not depend on the engine
--- or the shares.
local build = require "brio.trials.batch.build"
local reliability = require "brio.lib.reliability"
local results = require "brio.trials.batch.results"
local shares = require "brio.trials.batch.shares"
local ranges = require "brio.trials.batch.ranges"
local shell = require "brio.trials.batch.shell"
local store = require "brio.store"
local uv = require "luv"

local batch = {}
local Batch = {}
Batch.__index = Batch

--- Runs at each point before an interval can end them.
batch.least_runs = 10

--- Jobs in a row that may bring nothing.
local patience = 2

--- Lists of words as one text, to compare them.
local function text_of(words, points)
  local list = { table.concat(words, "\0") }
  for index, point in ipairs(points) do list[index + 1] = table.concat(point, "\0") end
  return table.concat(list, "\n")
end

--- Whether a value is a list of texts.
local function are_texts(value)
  if type(value) ~= "table" then return false end
  for _, text in ipairs(value) do
    if type(text) ~= "string" then return false end
  end
  return true
end

--- Whether what was read has the form of a batch.json.
local function is_sound(about)
  if not are_texts(about.words) or type(about.points) ~= "table" or type(about.build) ~= "table" then
    return false
  end
  for _, point in ipairs(about.points) do
    if not are_texts(point) then return false end
  end
  return true
end

--- What is wrong with going on with what `about` (batch.json) says; nil: nothing.
local function hindrance(about, options, own)
  local here = options.folder.given
  if not is_sound(about) then
    return here .. "/batch.json is no file of a batch"
  elseif text_of(about.words, about.points) ~= text_of(options.words, options.points) then
    return ("%s has another batch (%s): give another --folder, or the same options"):format(here,
      table.concat(about.words, " "))
  end
  local fault = build.difference(about.build, own)
  return fault and ("%s was begun with another build: %s; results of different builds are not mixed: give \z
    another --folder"):format(here, fault)
end

--- Begin a batch or go on with one.  options: folder (see folder.lua), words (of `brio repeat`, without the
--- number of runs), points (lists of words NAME=VALUE), times, until_failure, width (nil: all runs), engine,
--- on (its name), cores, given_cores, each (runs of a share; nil: measured), extra, directory, progress(done,
--- all).  `repeated`: the repetition.  Return it, or nil and a sentence.
function batch.new(repeated, options)
  local self = setmetatable({ options = options, folder = options.folder, build = build.of(repeated) }, Batch)
  local about, why = self.folder:read()
  if why then return nil, why end
  why = about and hindrance(about, options, self.build)
  if why then return nil, why end
  local good, fault = true, nil
  if not about then
    local points = {}
    for index, point in ipairs(options.points) do points[index] = store.array { table.unpack(point) } end
    good, fault = self.folder:write { words = store.array { table.unpack(options.words) },
      points = store.array(points), build = self.build }
  end
  if good then good, fault = self:look() end
  return good and self or nil, fault
end

function Batch:look() return self.folder:look(self.build, #self.options.points) end

--- The results of a point that count: from the first on without a gap, up to a failure if that ends them, or
--- to the first number of runs whose interval is narrow enough.  And whether that is all.
function Batch:counted(point)
  local options = self.options
  local list = results.in_a_row(self.folder.found[point], options)
  local last = list[#list]
  local over = #list == options.times or options.until_failure and last ~= nil and last.outcome ~= "success"
  local good = 0
  for number, result in ipairs(options.width and list or {}) do
    good = good + (result.outcome == "success" and 1 or 0)
    local low, high = reliability.wilson(good, number)
    if number >= batch.least_runs and high - low <= options.width then
      return table.move(list, 1, number, 1, {}), true
    end
  end
  return list, over
end

--- For each point the numbers of the runs that are still needed.
function Batch:missing()
  local list = {}
  for point = 1, #self.options.points do
    local found, _, over = self.folder.found[point], self:counted(point)
    list[point] = {}
    for number = 1, over and 0 or self.options.times do
      if not found[number] then table.insert(list[point], number) end
    end
  end
  return list
end

--- The line of a shell that does a share.
local function task_of(self, share)
  local words = { uv.exepath(), table.unpack(self.options.words) }
  for _, word in ipairs(self.options.points[share.point]) do
    words[#words + 1], words[#words + 2] = "--vary", word
  end
  words[#words + 1], words[#words + 2] = "--times", tostring(self.options.times)
  words[#words + 1], words[#words + 2] = "--only", ranges.text(share.runs)
  local lines, log = self.folder:next_share(share.point)
  return ("cd %s && exec %s >%s 2>%s"):format(shell.quote(self.options.directory), shell.line(words),
    shell.quote(lines), shell.quote(log))
end

--- A job of an engine for a list of shares.
local function job_of(self, list, cores)
  local options, tasks = self.options, {}
  for index, share in ipairs(list) do tasks[index] = task_of(self, share) end
  self.round = self.round + 1
  return { folder = self.folder.path, round = self.round, tasks = tasks, cores = cores, extra = options.extra,
    given_cores = options.given_cores, on = options.on }
end

--- Milliseconds between two looks, which take longer the more there is.
local function pause_of(self, all)
  return math.min(10000, (self.options.pause or 250) + self.folder.last + all // 100)
end

--- Wait, but no longer than until something happens: the end of a process, a signal.
local function wait(milliseconds)
  local timer = uv.new_timer()
  uv.update_time() -- a timer that is due at once would let the loop wait without end
  timer:start(milliseconds, 0, function() end)
  uv.run "once"
  timer:close()
end

--- End a job.  Return true, or nil and a sentence: it does not end.
local function end_job(engine, job)
  if engine.cancel(job) then return true end
  return nil, ("job %d of %s was told to end, and has not ended yet: try again later"):format(job.id,
    engine.about)
end

--- Follow a job no longer, for a reason: it ends, unless it may be another program's by now.  Return nil and
--- a sentence.
local function give_up(engine, job, why, taken_over)
  if taken_over and engine.elsewhere then return nil, why end
  local good, fault = end_job(engine, job)
  return nil, good and why or why .. "; " .. fault
end

--- Look at a job until it is over, or enough is known.  Stopped, it leaves a job that goes on by itself
--- (job.left), but none that only measures.  Return true, or nil and a sentence.
function Batch:follow(engine, job)
  local all = #self.options.points * self.options.times
  repeat
    local going = engine.going(job)
    local held, fault = self.folder:keep_lock()
    if not held then return give_up(engine, job, fault, true) end
    local good, why = self:look()
    if not good then return give_up(engine, job, why, false) end
    local left = shares.count(self:missing())
    self.options.progress(all - left, all)
    if going and (left == 0 or self.stopped) then
      job.left = left > 0 and engine.goes_on and not job.measures
      if job.left then return true end
      good, why = end_job(engine, job)
      if not good then return nil, why end
      going = false
    end
    if going then wait(pause_of(self, all)) end
  until not going
  return job.fault == nil or nil, job.fault
end

--- Do a list of shares by an engine; `measures`: only to see how long runs take.
function Batch:work(engine, list, cores, measures)
  local job = job_of(self, list, cores)
  job.measures = measures
  local good, why = engine.start(job)
  if not good then return nil, why end
  if engine.goes_on then
    good, why = self.folder:keep_job(job)
    if not good then
      engine.cancel(job)
      return nil, why
    end
  end
  good, why = self:follow(engine, job)
  if good and not job.left then self.folder:forget_job() end
  return good, why
end

--- Seconds of a run, from the first few that are missing, which count like all others.  They run where the
--- others will; of an engine elsewhere the time in its queue does not count, as far as the share's files say.
--- nil: it was stopped; nil and a sentence.
local function measured(self, missing)
  local engine = self.options.engine
  if not engine.elsewhere then engine = require "brio.trials.batch.engines.here" end
  for point, runs in ipairs(missing) do
    if #runs > 0 then
      local some = table.move(runs, 1, math.min(4, #runs), 1, {})
      local began = uv.hrtime()
      local good, why = self:work(engine, { { point = point, runs = some } }, 1, true)
      if not good or self.stopped then return nil, why end
      local seconds = (uv.hrtime() - began) / 1e9
      return (engine.elsewhere and self.folder:seconds_of_last() or seconds) / #some
    end
  end
end

--- Follow a job that an earlier program began.  Return true, or nil and a sentence.
local function go_on(self)
  local job = self.folder:job()
  self.round = self.folder:last_round()
  local engine = job and require("brio.trials.batch.engines").find(tostring(job.on))
  if not engine then return true end
  job = { folder = self.folder.path, id = math.tointeger(job.id), round = math.tointeger(job.round) }
  if not (job.id and job.round) then return true end
  local good, why = self:follow(engine, job)
  if good and not job.left then self.folder:forget_job() end
  return good, why
end

--- Why nothing came, with the words of the newest log.
local function failure(self, left)
  local said = self.folder:complaint()
  return ("%d runs are missing, and the last job brought none of them%s"):format(left,
    said and ("; %s ends with: %s"):format(said.path, said.text) or "")
end

--- End the job of a folder that goes on without this program, whatever has changed since it began.  Return
--- whether there was one; nil and a sentence: it does not end.
function batch.cancel(folder)
  local job = folder:job()
  local engine = job and require("brio.trials.batch.engines").find(tostring(job.on))
  if not engine then return false end
  job = { folder = folder.path, id = math.tointeger(job.id), round = math.tointeger(job.round) }
  local going = job.id and job.round and engine.going(job)
  if going then
    local good, why = end_job(engine, job)
    if not good then return nil, why end
  end
  folder:forget_job()
  return going
end

--- Run what is missing, until nothing is, or it is stopped (self.stopped).  Return true, or nil and a
--- sentence.
function Batch:run()
  local options, vain = self.options, 0
  local good, why = go_on(self)
  if not good then return nil, why end
  local each = options.each
  while not self.stopped do
    local missing = self:missing()
    local left = shares.count(missing)
    if left == 0 then return true end
    if vain == patience then return nil, failure(self, left) end
    if not each then
      local seconds
      seconds, why = measured(self, missing)
      if not seconds then return not why or nil, why end
      missing = self:missing()
      each = shares.size(seconds, math.max(1, shares.count(missing)), options.cores, options.engine.limit)
    end
    local list = shares.divide(missing, each)
    if #list > options.engine.limit then
      list = table.move(list, 1, options.engine.limit, 1, {})
    end
    if #list > 0 then good, why = self:work(options.engine, list, options.cores) end
    if not good then return nil, why end
    vain = shares.count(self:missing()) < left and 0 or vain + 1
  end
  return true
end

return batch
