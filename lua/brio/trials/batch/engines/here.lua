--- Shares as processes of this program, which end with it.
local uv = require "luv"

local engine = { about = "processes on this machine", limit = 100000, goes_on = false,
  patience = 20 }

function engine.check() return true end

function engine.cores() return math.max(1, #(uv.cpu_info() or { 1 })) end

--- Start tasks until as many run as there are cores.
local function fill(job)
  while job.running < job.cores and job.next <= #job.tasks do
    local line = job.tasks[job.next]
    job.next = job.next + 1
    local process, why
    process, why = uv.spawn("/bin/sh", { args = { "-c", line }, stdio = { nil, 2, 2 } }, function()
      job.running = job.running - 1
      job.processes[process] = nil
      process:close()
      if not job.over then fill(job) end
    end)
    if not process then
      job.fault, job.next = ("a process cannot be started: %s"):format(why), #job.tasks + 1
      return
    end
    job.processes[process], job.running = true, job.running + 1
  end
end

function engine.start(job)
  job.processes, job.running, job.next = {}, 0, 1
  fill(job)
  return not job.fault or nil, job.fault
end

function engine.going(job)
  uv.run "nowait"
  return job.running > 0 or job.next <= #job.tasks
end

--- End the processes; those that do not end within `engine.patience` s are killed.
function engine.cancel(job)
  job.over, job.next = true, #job.tasks + 1
  for process in next, job.processes or {} do process:kill "sigterm" end
  local timer = uv.new_timer()
  uv.update_time()
  timer:start(engine.patience * 1000, 1000, function()
    for process in next, job.processes or {} do process:kill "sigkill" end
  end)
  while job.running > 0 do uv.run "once" end
  timer:close()
  return true
end

return engine
