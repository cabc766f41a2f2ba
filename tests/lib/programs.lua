--- Running test programs and reading the lines they print:
---   ok NAME      not ok NAME      skip NAME: WHY      #   a detail
--- A program that crashes, runs too long or prints no test is a failed test itself.
local files = require "files"

local programs = {}

local verbs = { { "passed", "^ok%s+(.+)$" }, { "failed", "^not ok%s+(.+)$" }, { "skipped", "^skip%s+(.+)$" } }

--- Sort a program's output: counts, the lines worth showing, and skips { name, why }.
function programs.read(text)
  local result = { passed = 0, failed = 0, skipped = 0, shown = {}, skips = {}, tail = {}, notes = {} }
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do
    local known = line == ""
    for _, verb in ipairs(verbs) do
      local name = line:match(verb[2])
      if name then
        known = true
        result[verb[1]] = result[verb[1]] + 1
        if verb[1] == "failed" then table.insert(result.shown, line) end
        if verb[1] == "skipped" then
          local what, why = name:match "^(.-):%s+(.+)$"
          table.insert(result.skips, { name = what or name, why = why or "no reason given" })
        end
      end
    end
    if line:match "^#" then table.insert(result.shown, line)
    elseif not known then table.insert(result.tail, line) end
    if line:match "seed" and line:match "scale" then table.insert(result.notes, (line:gsub("^#%s*", ""))) end
  end
  return result
end

local function last_lines(text, count)
  local lines = {}
  for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
  return table.move(lines, math.max(1, #lines - count + 1), #lines, 1, {})
end

--- What went wrong with the program itself, or nil.
local function collapse(program, result, code)
  local signal = code > 128 and code - 128
  if code == 124 then return ("ran longer than %d s and was ended"):format(program.timeout)
  elseif signal == 9 then return ("was killed; it may run for %d s at most"):format(program.timeout)
  elseif signal then return ("was ended by signal %d"):format(signal)
  elseif code == programs.sanitizer_code then return "a sanitizer reported an error"
  elseif code ~= 0 and result.failed == 0 then return ("exited with code %d, and no test failed"):format(code)
  elseif result.passed + result.failed + result.skipped == 0 then return "printed no test" end
end

--- The exit code that sanitizers are told to use.
programs.sanitizer_code = 99

--- Start a program { name, command, timeout }.  Return a function that waits for its end and returns its result:
--- passed, failed, skipped, shown, skips, seconds; and one that says whether it has ended.
function programs.start(program)
  local folder = files.temporary()
  local command = ("start=$(date +%%s.%%N); timeout -k 5 %d %s >%s/out 2>&1 </dev/null; " ..
                   "echo $? $start $(date +%%s.%%N) >%s/end")
    :format(program.timeout, program.command, folder, folder)
  local pipe = assert(io.popen(command, "r"))
  local function has_ended() return (files.read(folder .. "/end") or ""):find "\n" ~= nil end
  local function finish()
    pipe:read "a"
    pipe:close()
    local text = files.read(folder .. "/out") or ""
    local code, from, to = (files.read(folder .. "/end") or "1 0 0"):match "(%d+) (%S+) (%S+)"
    files.remove(folder)
    local result = programs.read(text)
    result.seconds = tonumber(to) - tonumber(from)
    local why = collapse(program, result, math.tointeger(tonumber(code)))
    if why then
      result.failed = result.failed + 1
      table.insert(result.shown, ("not ok %s %s; its last lines:"):format(program.name, why))
      for _, line in ipairs(last_lines(text, 25)) do table.insert(result.shown, "#   " .. line) end
    elseif result.failed == 0 then
      result.shown = {}
    end
    return result
  end
  return finish, has_ended
end

return programs
