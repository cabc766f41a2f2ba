--- Shares as the tasks of a Slurm array.
local shell = require "brio.trials.batch.shell"
local uv = require "luv"

local engine = { about = "Slurm", limit = 1000, goes_on = true, elsewhere = true }

function engine.check()
  if not shell.has "sbatch" then
    return nil, "there is no Slurm here: install the package 'slurm-wlm' ('slurm' is another program)"
  end
  local text, code = shell.run "scontrol ping"
  if code ~= 0 or not text:find("UP", 1, true) then
    return nil, "Slurm's controller does not answer: " .. (text:match "[^\n]*" or "")
  end
  local most = shell.run("scontrol show config"):match "MaxArraySize%s*=%s*(%d+)"
  -- indices of an array are below MaxArraySize
  engine.limit = math.max(1, (math.tointeger(tonumber(most)) or 1001) - 1)
  return true
end

--- Cores of all nodes.
function engine.cores()
  return math.tointeger(tonumber((shell.run "sinfo -h -o %C"):match "/(%d+)%s*$"))
end

local script = [[
#!/bin/sh
#SBATCH --job-name=%s
#SBATCH --output=/dev/null
#SBATCH --error=/dev/null
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
# Each task of the array runs its line of the file beside this one.
eval "$(sed -n "${SLURM_ARRAY_TASK_ID}p" %s)"
]]

function engine.start(job)
  local tasks, why = shell.write_tasks(job)
  if not tasks then return nil, why end
  local path = ("%s/jobs/%d.sh"):format(job.folder, job.round)
  local file
  file, why = io.open(path, "w")
  if not file then return nil, why end
  file:write((script:format("brio-" .. job.folder:match "[^/]*$":gsub("[^%w_.-]", "_"), shell.quote(tasks))))
  file:close()
  local words = { "sbatch", "--parsable", ("--array=1-%d%s"):format(#job.tasks,
    job.given_cores and "%" .. job.cores or "") }
  for _, word in ipairs(job.extra) do words[#words + 1] = word end
  words[#words + 1] = path
  local text, code = shell.run(shell.line(words))
  job.id = math.tointeger(tonumber(text:match "(%d+)[^\n]*$"))
  if code ~= 0 or not job.id then return nil, "sbatch: " .. text end
  return true
end

--- Whether a task waits or runs.  A controller that does not answer is waited for.
function engine.going(job)
  local text, code = shell.run(("squeue -h -o %%T -j %d"):format(job.id))
  if code ~= 0 then return not text:find("Invalid job id", 1, true) end
  return text ~= ""
end

--- Ask for the end of a job, and wait for it, half a minute at most: a controller may not answer.
function engine.cancel(job)
  shell.run(("scancel %d"):format(job.id))
  for _ = 1, 150 do
    if not engine.going(job) then return true end
    uv.sleep(200)
  end
  return not engine.going(job)
end

return engine
