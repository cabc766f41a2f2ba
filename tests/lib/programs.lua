--- Runs one test program and reads its lines as they are printed:
---   ok NAME      not ok NAME      skip NAME: WHY      #   a detail
--- A program that crashes, runs too long or prints no test is a failed test itself.
local uv = require "luv"

local programs = {}

--- The exit code that sanitizers are set to use.
programs.sanitizer_code = 99

local verbs = { { "passed", "^ok%s+(.+)$" }, { "failed", "^not ok%s+(.+)$" }, { "skipped", "^skip%s+(.+)$" } }

local Reader = {}
Reader.__index = Reader

--- A reader of a program's output.  `failed(name, details)` is called at each failed test. Its `result`:
--- counts passed, failed, skipped; names { verdict, name }; skips { name, why }; notes, lines of seed and
--- scale; tail, the last lines that are not verdicts.
function programs.reader(failed)
  local result = { passed = 0, failed = 0, skipped = 0, names = {}, skips = {}, notes = {}, tail = {} }
  return setmetatable({ result = result, details = {}, rest = "", failed = failed }, Reader)
end

--- Report the failure whose details were still to come.
function Reader:tell_pending()
  if self.pending then self.failed(self.pending, self.details) end
  if self.pending then self.details = {} end
  self.pending = nil
end

function Reader:verdict(verb, name)
  local result = self.result
  self:tell_pending()
  if verb == "skipped" then
    local what, why = name:match "^(.-):%s+(.+)$"
    name = what or name
    table.insert(result.skips, { name = name, why = why or "no reason given" })
  end
  result[verb] = result[verb] + 1
  table.insert(result.names, { verb, name })
  if verb == "failed" and #self.details == 0 then self.pending = name -- a reason may follow
  elseif verb == "failed" then self.failed(name, self.details) end
  self.details = {}
end

function Reader:line(line)
  for _, verb in ipairs(verbs) do
    local name = line:match(verb[2])
    if name then return self:verdict(verb[1], name) end
  end
  if line:match "seed" and line:match "scale" then
    table.insert(self.result.notes, (line:gsub("^#%s*", "")))
  end
  if line:match "^#" then table.insert(self.details, line)
  elseif line ~= "" then
    table.insert(self.result.tail, line)
    if #self.result.tail > 25 then table.remove(self.result.tail, 1) end
  end
end

--- Process the next piece of output; "" at its end.
function Reader:feed(piece)
  local text = self.rest .. (piece == "" and self.rest ~= "" and "\n" or piece)
  local from = 1
  for line, after in text:gmatch "([^\n]*)\n()" do
    self:line((line:gsub("\r$", "")))
    from = after
  end
  self.rest = text:sub(from)
  if piece == "" then self:tell_pending() end
end

--- What went wrong with the program itself, or nil.
local function collapse(program, result, code, late)
  local signal = code > 128 and code - 128
  if late then return ("ran longer than %d s and was ended"):format(program.timeout)
  elseif signal then return ("was ended by signal %d"):format(signal)
  elseif code == programs.sanitizer_code then return "a sanitizer reported an error"
  elseif code ~= 0 and result.failed == 0 then return ("exited with code %d, and no test failed"):format(code)
  elseif result.passed + result.failed + result.skipped == 0 then return "printed no test" end
end

--- Processor seconds of a program and what it started, as the shell's `times` prints them.
local function processor_seconds(text)
  local sum = 0
  for minutes, seconds in (text:match "\n(.*)" or ""):gmatch "(%d+)m([%d.]+)s" do
    sum = sum + minutes * 60 + seconds
  end
  return sum
end

--- Start a program { name, command, timeout, environment }.  `told(name, details)` is called at each failed
--- test, also for a failure of the program itself; `done(result)` once, at its end: the reader's result with
--- seconds and processor (both in s).  The program leads a process group of its own; processes that it leaves
--- running are killed.
function programs.start(program, told, done)
  local reader, text_of_times = programs.reader(told), ""
  local out, times = assert(uv.new_pipe(false)), assert(uv.new_pipe(false))
  local started, ends, code, late = uv.hrtime(), 3, nil, false
  local watchdog, handle, pid = uv.new_timer(), nil, nil

  local function finish()
    ends = ends - 1
    if ends > 0 then return end
    watchdog:close()
    local result = reader.result
    result.seconds, result.processor = (uv.hrtime() - started) / 1e9, processor_seconds(text_of_times)
    local why = collapse(program, result, code, late)
    if why then
      result.failed = result.failed + 1
      table.insert(result.names, { "failed", program.name })
      local details = table.move(reader.details, 1, #reader.details, 1, { "#   its last lines:" })
      for _, line in ipairs(result.tail) do details[#details + 1] = "#   " .. line end
      told(program.name .. " " .. why, details)
    end
    done(result)
  end

  local function read_to_end(pipe, take)
    pipe:read_start(function(_, piece)
      take(piece or "")
      if not piece then
        pipe:close()
        finish()
      end
    end)
  end

  handle, pid = assert(uv.spawn("sh", {
    args = { "-c", "exec 2>&1 </dev/null; " .. program.command .. " 3>&-; code=$?; times >&3; exit $code" },
    stdio = { nil, out, nil, times }, env = program.environment, cwd = program.folder, detached = true,
  }, function(exit, signal)
    code = signal > 0 and 128 + signal or exit
    pcall(uv.kill, -pid, "sigkill") -- a process that it left running keeps the pipe open
    handle:close()
    finish()
  end))
  read_to_end(out, function(piece) reader:feed(piece) end)
  read_to_end(times, function(piece) text_of_times = text_of_times .. piece end)
  watchdog:start(program.timeout * 1000, 0, function()
    late = true
    pcall(uv.kill, -pid, "sigkill")
  end)
end

return programs
