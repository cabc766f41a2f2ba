--- Shares by GNU parallel, in a session of its own.
local shell = require "brio.trials.batch.shell"
local uv = require "luv"

local engine = { about = "GNU parallel", limit = 100000, goes_on = true,
  patience = 20 }

function engine.check()
  local text = shell.run "parallel --version"
  if text:find("GNU parallel", 1, true) then return true end
  return nil, "there is no GNU parallel here: install the package 'parallel' (that of moreutils is another \z
    program)"
end

function engine.cores() return math.max(1, #(uv.cpu_info() or { 1 })) end

--- The words of a process, by /proc; nil if there is none.
local function words_of(pid)
  local file <close> = io.open(("/proc/%d/cmdline"):format(pid), "rb")
  return file and file:read "a"
end

function engine.start(job)
  local base = ("%s/jobs/%d"):format(job.folder, job.round)
  local tasks, why = shell.write_tasks(job)
  if not tasks then return nil, why end
  local words = { "parallel", "--will-cite", "--jobs", tostring(job.cores), "--joblog", base .. ".joblog" }
  for _, word in ipairs(job.extra) do words[#words + 1] = word end
  -- `setsid`: the end of this program's terminal does not end the job
  local text, code = shell.run(("setsid %s <%s >%s 2>&1 & echo $!"):format(shell.line(words),
    shell.quote(tasks), shell.quote(base .. ".log")))
  local pid = math.tointeger(tonumber(text))
  if code ~= 0 or not pid then return nil, "GNU parallel cannot be started: " .. text end
  job.id = pid
  return true
end

function engine.going(job)
  local words = words_of(job.id)
  return words ~= nil and words:find(("%s/jobs/%d."):format(job.folder, job.round), 1, true) ~= nil
end

--- The processes of a session, by /proc: its tasks, and theirs.
local function members_of(session)
  local list = {}
  local listed = uv.fs_scandir "/proc"
  while listed do
    local name = uv.fs_scandir_next(listed)
    if not name then break end
    local file <close> = name:find "^%d+$" and io.open(("/proc/%s/stat"):format(name), "r") or nil
    -- PID (NAME) STATE PARENT GROUP SESSION; the name may have blanks and brackets
    local found = file and (file:read "a" or ""):match "^.*%) %S+ %d+ %d+ (%d+)"
    if found and math.tointeger(tonumber(found)) == session then list[#list + 1] = math.tointeger(name) end
  end
  return list
end

--- Wait until a job is over, so many times 50 ms at most.  Return whether it is.
local function wait_for_end(job, times)
  for _ = 1, times do
    if not engine.going(job) then return true end
    uv.sleep(50)
  end
  return not engine.going(job)
end

--- The first signal ends the beginning of tasks, the second those that run; what still runs after
--- `engine.patience` s is killed.
function engine.cancel(job)
  for _ = 1, 2 do
    if engine.going(job) then uv.kill(job.id, "sigterm") end
    uv.sleep(50)
  end
  if wait_for_end(job, engine.patience * 20) then return true end
  for _, pid in ipairs(members_of(job.id)) do uv.kill(pid, "sigkill") end
  return wait_for_end(job, 100)
end

return engine
