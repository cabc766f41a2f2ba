--- The engines that run the shares of a batch, one file each.
---
--- An engine is a record: `about` (a text), `limit` (most tasks of a job), `goes_on` (whether a job outlives
--- the program that began it), `elsewhere` (whether tasks run on other machines: then nothing is computed on
--- this one), and functions: `check()`: true, or nil and what is missing; `cores()`: number of cores it has,
--- or nil; `start(job)`: true, or nil and a sentence; `going(job)`: whether a task of it waits or runs, after
--- a look at what happened; `cancel(job)`: whether it ended, after a bounded time.  A job is {folder, round,
--- on (the engine's name), tasks (lines of a shell), cores, extra (options of the engine)}; what an engine
--- adds in `job.id` is kept in the batch's folder.
local suggest = require "brio.lib.suggest"

local engines = {}

engines.list = { "here", "parallel", "slurm" }

--- The engine of a name; nil and a sentence.
function engines.find(name)
  for _, known in ipairs(engines.list) do
    if known == name then return require("brio.trials.batch.engines." .. name) end
  end
  return nil, ("--on must be one of %s, not '%s'%s"):format(table.concat(engines.list, ", "), name,
    suggest.hint(name, engines.list))
end

return engines
