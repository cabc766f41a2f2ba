--- Programs that engines run, and the tasks of their jobs as files.
local quoting = require "brio.lib.shell"

local shell = { quote = quoting.quote, line = quoting.line }

--- Run a line.  Return what it prints (both streams) and its exit code.
function shell.run(line)
  local pipe = io.popen("{ " .. line .. "; } 2>&1 </dev/null", "r")
  if not pipe then return "", 1 end
  local text = pipe:read "a"
  local _, _, code = pipe:close()
  return (text:gsub("%s+$", "")), code
end

--- Whether there is a program of that name.
function shell.has(program)
  local _, code = shell.run("command -v " .. shell.quote(program))
  return code == 0
end

--- Write the tasks of a job, a line each.  Return the file's path, or nil and a sentence: of a task with a
--- line break, too, since a reader of lines would run its halves.
function shell.write_tasks(job)
  for _, task in ipairs(job.tasks) do
    if task:find "[\n\r]" then
      return nil, ("a path or a word has a line break: %s; %s runs each share as one line"):format(
        task:match("[^%s']*[\n\r]+[^%s']*"):gsub("[\n\r]", "\\n"), job.on)
    end
  end
  local path = ("%s/jobs/%d.tasks"):format(job.folder, job.round)
  local file, why = io.open(path, "w")
  if not file then return nil, why end
  local good, fault = file:write(table.concat(job.tasks, "\n"), "\n")
  file:close()
  if not good then return nil, ("%s cannot be written: %s"):format(path, fault) end
  return path
end

return shell
