--- Shares by GNU parallel, in a session of its own.
local shell = require "brio.trials.batch.shell"
local uv = require "luv"

local engine = { about = "GNU parallel", limit = 100000, goes_on = true }

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
  local file, why = io.open(base .. ".tasks", "w")
  if not file then return nil, why end
  file:write(table.concat(job.tasks, "\n"), "\n")
  file:close()
  local words = { "parallel", "--will-cite", "--jobs", tostring(job.cores), "--joblog", base .. ".joblog" }
  for _, word in ipairs(job.extra) do words[#words + 1] = word end
  -- `setsid`: the end of this program's terminal does not end the job
  local text, code = shell.run(("setsid %s <%s >%s 2>&1 & echo $!"):format(shell.line(words),
    shell.quote(base .. ".tasks"), shell.quote(base .. ".log")))
  local pid = math.tointeger(tonumber(text))
  if code ~= 0 or not pid then return nil, "GNU parallel cannot be started: " .. text end
  job.id = pid
  return true
end

function engine.going(job)
  local words = words_of(job.id)
  return words ~= nil and words:find(("%s/jobs/%d."):format(job.folder, job.round), 1, true) ~= nil
end

--- The first signal ends the beginning of tasks, the second ends those that run.
function engine.cancel(job)
  for _ = 1, 2 do
    if engine.going(job) then uv.kill(job.id, "sigterm") end
    uv.sleep(50)
  end
  while engine.going(job) do uv.sleep(50) end
end

return engine
