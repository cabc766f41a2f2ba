--- Output to terminals.  Every text passes one filter, pretty.visible, so that no name, note or file contains
--- control sequences for the reader's terminal.
---
---     output.guard(true)         -- print and io use the filter from now on; standard output is a terminal
---     output.say("a: ", text)    -- for people
---     output.draw("\27[2J")      -- bytes for the terminal itself, for a screen that brio draws
---
--- print, io.stderr and output.say are for people, so they are always filtered.  io.stdout and io.write may
--- carry data (CSV, a motion, a file) to a pipe or a file; they are filtered only if standard output is a
--- terminal.
local lazy = require "brio.lib.lazy"
local pretty = lazy "brio.lib.pretty"

local output = {}

local stdout, stderr = io.stdout, io.stderr
local own = { print = print, write = io.write, stdout = io.stdout, stderr = io.stderr }

--- Texts and numbers as arguments of `write`, filtered.
local function filtered(...)
  local parts = table.pack(...)
  for index = 1, parts.n do
    if type(parts[index]) == "string" then parts[index] = pretty.visible(parts[index]) end
  end
  return table.unpack(parts, 1, parts.n)
end

--- A stand-in for a standard stream: its texts are filtered if they are for people.
local function stand_in(handle, is_for_people)
  local Stream = { __name = "output" }
  Stream.__index = Stream
  local made = setmetatable({}, Stream)
  function Stream.write(_, ...)
    local good, why, code
    if is_for_people then good, why, code = handle:write(filtered(...))
    else good, why, code = handle:write(...) end
    if not good then return nil, why, code end
    return made
  end
  for _, name in ipairs { "flush", "close", "seek", "setvbuf", "lines", "read" } do
    Stream[name] = function(_, ...) return handle[name](handle, ...) end
  end
  return made
end

--- Write texts for people to standard output.  Return true, or nil, a sentence and a code.
function output.say(...)
  local good, why, code = stdout:write(filtered(...))
  return good and true, why, code
end

--- Write bytes for the terminal itself to standard output, or to standard error.  Return true, or nil, a
--- sentence and a code.
function output.draw(bytes, to_stderr)
  local good, why, code = (to_stderr and stderr or stdout):write(bytes)
  return good and true, why, code
end

--- A line of a screen that brio draws: its styles (ECMA-48, SGR) are kept, everything else is filtered.
function output.styled(line)
  local parts, at = {}, 1
  for from, sign, to in line:gmatch "()(\27%[[%d;]*m)()" do
    parts[#parts + 1] = pretty.visible(line:sub(at, from - 1)) .. sign
    at = to
  end
  parts[#parts + 1] = pretty.visible(line:sub(at))
  return table.concat(parts)
end

--- Let print, io.write, io.stdout and io.stderr use the filter.  `terminal`: whether standard output is one.
--- Replacements of these functions, as in a test that captures the output of a command, are kept.
function output.guard(terminal)
  if io.stdout ~= stdout then return end
  io.stdout = stand_in(stdout, terminal)
  io.stderr = stand_in(stderr, true)
  function io.write(...) return io.stdout:write(...) end
  function print(...)
    local parts = table.pack(...)
    for index = 1, parts.n do parts[index] = tostring(parts[index]) end
    output.say(table.concat(parts, "\t"), "\n")
  end
end

--- Restore Lua's functions: a person's own program decides itself what it prints.
function output.release()
  print, io.write, io.stdout, io.stderr = own.print, own.write, own.stdout, own.stderr
end

return output
