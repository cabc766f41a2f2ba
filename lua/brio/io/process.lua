--- Programs beside a run, which never block a tick: each is started, fed and read by a thread of its own,
--- is started with a list of words (there is no shell), and is killed after a timeout.
---
---     local job = process.start({ "espeak-ng", "--stdin", "-w", "a.wav" }, { input = "hello", timeout = 10
---       }, function(result)
---       print(result.code, result.out, result.error)   -- error: a sentence when it could not be started,
---                                                      hung, or was killed
---     end)
---     process.work()                                    -- once a tick: calls the handlers of ended
---     programs
local door = require "brio.io.input_gate"
local events = require "brio.io.loop_events"
local uv = require "luv"

local process = {}
local Job = {}
Job.__index = Job

--- The most bytes kept of a program's output; default timeout, s.
process.most_output, process.most_errors, process.timeout = 65536, 8192, 20

local alive, count = {}, 0

--- The path of a program: unchanged with a slash, else searched in the folders of PATH; nil: not found.
local function find(name)
  if name:find("/", 1, true) then return uv.fs_access(name, "X") and name or nil end
  for folder in (uv.os_getenv "PATH" or "/usr/bin:/bin"):gmatch "[^:]+" do
    local path = folder .. "/" .. name
    local stat = uv.fs_access(path, "X") and uv.fs_stat(path)
    if stat and stat.type == "file" then return path end
  end
end

--- The path of a program, searched in PATH unless it has a slash; nil: not found.  Recorded on the tape.
function process.find(name)
  return (door.must("program", function() return find(name) or false end)) or nil
end

--- The path of the running program.
function process.program() return uv.exepath() end

--- The thread's function, without upvalues. `words` are separated by zero bytes. It writes to a pipe, the
--- file `back`: the process id and a newline, and the result at the end.
local function carry(back, path, words, input, most_output, most_errors, timeout)
  local luv = require "luv"
  local args, out, errors, exit = {}, {}, {}, { code = -1, signal = 0, failure = "" }
  local handles, open, child, pid = {}, 2, nil, nil
  local answer = luv.new_pipe(false)
  local function over()
    for _, handle in ipairs(handles) do
      if not handle:is_closing() then handle:close() end
    end
    if child then luv.kill(-pid, "sigkill") end -- also kills the processes that it has started
    if child and not child:is_closing() then child:close() end
  end
  local function keep(list, most)
    local size = 0
    return function(_, bytes)
      if bytes and size < most then list[#list + 1] = bytes:sub(1, most - size) end
      size = size + #(bytes or "")
      open = bytes and open or open - 1
      if open == 0 and exit.over then over() end
    end
  end
  local function begin()
    for word in words:gmatch "([^%z]*)%z" do args[#args + 1] = word end
    for index = 1, 3 do handles[index] = luv.new_pipe(false) end
    local clock = luv.new_timer()
    handles[4] = clock
    child, pid = luv.spawn(path, { args = args, stdio = { handles[1], handles[2], handles[3] },
      detached = true }, function(code, signal)
        exit.code, exit.signal, exit.over = code, signal, true
        if open == 0 then return over() end
        clock:stop()
        -- its last output may still arrive; processes that it has started are not waited for
        clock:start(50, 0, over)
      end)
    if not child then
      exit.failure = tostring(pid)
      return over()
    end
    answer:write(pid .. "\n")
    handles[2]:read_start(keep(out, most_output))
    handles[3]:read_start(keep(errors, most_errors))
    handles[1]:write(input)
    handles[1]:shutdown(function() handles[1]:close() end)
    clock:start(math.floor(timeout * 1000), 0, function()
      exit.failure = "hung"
      luv.kill(-pid, "sigkill")
    end)
  end
  answer:open(back)
  local good, why = pcall(begin)
  if not good then
    exit.failure = tostring(why)
    over()
  end
  luv.run()
  answer:write((child and "" or "0\n")
    .. string.pack("<i4i4s4s4s4", exit.code, exit.signal, table.concat(out),
    table.concat(errors), exit.failure), function() answer:close() end)
  luv.run()
end

--- Created in this thread: luv 1.44 dumps a function of more than a kilobyte incorrectly.
local code_of_thread = string.dump(carry)

--- The error of a program, as a sentence; nil: success.
local function sentence_of(job, code, signal, errors, failure)
  local name = job.name
  local words = "" -- only the last line: libraries print warnings before it
  for line in errors:gmatch "[^\r\n]+" do
    words = line:find "%S" and line:gsub("%c+", " "):sub(1, 300) or words
  end
  if job.killed then return name .. " was stopped" end
  if failure == "hung" then return ("%s took more than %g s, and was killed"):format(name, job.timeout) end
  if failure ~= "" then return ("%s cannot be started: %s"):format(name, failure) end
  if signal ~= 0 then return ("%s was ended by signal %d"):format(name, signal) end
  if code ~= 0 then return ("%s failed (%d)%s"):format(name, code, words ~= "" and ": " .. words or "") end
end

--- The thread has reported the result.
local function finish(job, told, done)
  job.answer:close()
  uv.thread_join(job.thread)
  alive[job], count = nil, count - 1
  local good, code, signal, out, errors,
    failure = pcall(string.unpack, "<i4i4s4s4s4", told, (told:find "\n" or 0) + 1)
  if not good then code, signal, out, errors, failure = -1, 0, "", "", "its thread ended" end
  job.pid = nil
  done { code = code, out = out, error = sentence_of(job, code, signal, errors, failure) }
end

--- A handler of the thread's reports.
local function listener(job, done)
  local parts = {}
  return function(_, bytes)
    if not bytes then return finish(job, table.concat(parts), done) end
    parts[#parts + 1] = bytes
    if job.pid then return end
    job.pid = math.tointeger(table.concat(parts):match "^(%d+)\n")
    if job.pid == 0 then job.pid = nil return end
    if job.killed then job:kill() elseif job.paused then job:pause(true) end
  end
end

local launch

--- Start a program: a list of words. options: input (its standard input), timeout (s). done(result) is called
--- from process.work when it has ended. Return the job (:kill(), :pause(on)), or nil and a sentence.
function process.start(command, options, done)
  local path = process.find(command[1])
  if not path then return nil, ("there is no program '%s'"):format(command[1]) end
  local job = setmetatable({ name = command[1]:match "[^/]*$", timeout = options.timeout or process.timeout },
    Job)
  local source = events.source(function(result)
    job.over = true
    done(result)
  end)
  local why = door.ask("program", function()
    local good, sentence = launch(job, path, command, options,
      function(result) events.push(source, result) end)
    return not good and sentence or nil
  end)
  if why then return nil, why end
  return job
end

--- Start the thread of a job. Return whether that was possible, and why not.
function launch(job, path, command, options, done)
  local ends, sentence = uv.pipe({ nonblock = true }, { nonblock = true })
  if not ends then return nil, ("%s cannot be started: %s"):format(job.name, sentence) end
  job.answer = uv.new_pipe(false)
  job.answer:open(ends.read)
  job.answer:read_start(listener(job, done))
  local words = {}
  for index = 2, #command do words[index - 1] = tostring(command[index]):gsub("%z", "") .. "\0" end
  job.thread, sentence = uv.new_thread(code_of_thread, ends.write, path, table.concat(words),
    options.input or "", process.most_output, process.most_errors, job.timeout)
  if not job.thread then
    job.answer:close()
    uv.fs_close(ends.write)
    return nil, ("%s cannot be started: %s"):format(job.name, sentence)
  end
  alive[job], count = true, count + 1
  return true
end

--- Kill it at once, with all processes that it has started.
function Job:kill()
  self.killed = true
  if self.pid and not self.over then uv.kill(-self.pid, "sigkill") end
end

--- Suspend it, or resume it.
function Job:pause(on)
  self.paused = on
  if self.pid and not self.over then uv.kill(-self.pid, on and "sigstop" or "sigcont") end
end

--- Process the results of programs: once a tick. It costs nothing without active programs.
function process.work()
  events.run("nowait", count > 0)
end

--- Kill the remaining programs, and wait for their end, for 2 s at most.
function process.close()
  for _ = 1, 1000 do
    if count == 0 then break end
    for job in pairs(alive) do job:kill() end -- including jobs that had not begun
    uv.run "nowait"
    uv.sleep(2)
  end
  events.flush()
end

return process
