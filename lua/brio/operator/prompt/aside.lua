--- Lines that need more time than the budget of a line: edits of large trees.  They are executed one after
--- the other in the slack, in slices, and answered at their end; meanwhile the robot and other lines
--- continue.
---
---     local aside = asides.of(host)   the host's, created on first use
---     aside:add(request, run, done)   run() is the line; done(good, ...) gets its results or its error
---     aside:work()                    one slice, in the slack after a tick
---     aside:cancel(why)               ends each unfinished line with this sentence
---
--- Changes of the running tree are not sliced: they call aside:whole() before.
local door = require "brio.io.input_gate"
local script = require "brio.script"

local asides = {}
local Aside = {}
Aside.__index = Aside

--- Time of a slice, s.
asides.share = 0.0015

--- The queue of a host, created on first use.
function asides.of(host)
  host.aside = host.aside or setmetatable({ host = host, list = {} }, Aside)
  return host.aside
end

--- Whether no line is waiting.
function Aside:is_empty() return self.list[1] == nil end

--- Append a line: run() executes it; done(good, ...) gets its results or its error.
function Aside:add(request, run, done)
  self.list[#self.list + 1] = { request = request, worker = coroutine.create(run), done = done }
end

--- Called from the worker of a line: the rest of the line runs without interruption.  Elsewhere it does
--- nothing.
function Aside:whole()
  local job = self.list[1]
  if not job or job.worker ~= coroutine.running() then return end
  job.is_whole = true
  coroutine.yield()
end

--- Whether a line is in progress, and the caller is not a part of it.
function Aside:keeps_off()
  local job = self.list[1]
  return job ~= nil and job.begun and job.worker ~= coroutine.running()
end

--- Continue a line for `seconds`; its last part, after aside:whole(), runs to the end.  Return the results of
--- script.work.
local function slice(job, seconds)
  local made = table.pack(script.work(job.worker, seconds))
  if not made[1] and job.is_whole then made = table.pack(script.work(job.worker, math.huge)) end
  return made
end

--- A slice limited by the clock.  Return nil while the line is not finished, else true.
local function slice_by_clock(job)
  job.made = slice(job, asides.share)
  return job.made[1] or nil
end

--- Execute one slice of the first line, in the slack after a tick.
function Aside:work()
  local job = self.list[1]
  if not job then return end
  local operators = self.host.operators
  local before = operators:begin(job.request)
  job.begun = true
  local over = door.ask("edit", slice_by_clock, job)
  -- in a replay it is finished in the same tick as in the run
  while over and not (job.made and job.made[1]) do job.made = slice(job, math.huge) end
  operators:over(before)
  if not over then return end
  table.remove(self.list, 1)
  local good, answer = job.made[2], job.made[3]
  if good then job.done(table.unpack(job.made, 2, job.made.n)) else job.done(false, tostring(answer)) end
end

--- End each unfinished line with this sentence.
function Aside:cancel(why)
  local list = self.list
  self.list = {}
  for _, job in ipairs(list) do
    script.close(job.worker)
    job.done(true, nil, why)
  end
end

return asides
