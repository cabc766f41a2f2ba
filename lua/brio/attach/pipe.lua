--- A prompt whose lines come from a pipe: said one after the other, as in `echo state | brio attach`.
local answers = require "brio.attach.answers"
local cli = require "brio.cli"
local clients = require "brio.client"
local uv = require "luv"

local pipe = {}

--- Call take(line) for every line of standard input, then finished().
local function read_lines(take, finished)
  local kind, part = uv.guess_handle(0), ""
  local function feed(bytes)
    part = clients.each_line(part .. bytes, function(text) take((text:gsub("\r$", ""))) end)
  end
  local function ended()
    if part ~= "" then take(part) end
    finished()
  end
  local input = kind == "pipe" and uv.new_pipe(false) or kind == "tty" and uv.new_tty(0, true)
  if not input then
    feed(io.read "a")
    return ended()
  end
  if kind == "pipe" then input:open(0) end
  input:read_start(function(fault, bytes)
    if bytes and not fault then return feed(bytes) end
    input:close()
    ended()
  end)
end

--- Say the lines of standard input one after the other.  Return the exit code, and whether something was left unsaid.
function pipe.say_all(client)
  local lines, at, begun, busy, over, code = {}, 1, nil, false, false, 0
  local function failed(why)
    cli.error("%s", why)
    code = 3
  end
  local say_next
  local heard
  local function answered(reply)
    heard()
    busy = false
    if reply.more then return say_next() end
    begun = nil
    local text, why = answers.text(reply)
    if not text then failed(why) elseif text ~= "" then print(text) end
    io.stdout:flush()
    say_next()
  end
  function say_next()
    if busy or not client.open then return end
    local text = lines[at]
    if not text or answers.leaves(text) then
      if over or text then
        if begun then failed("the input ends in the middle of: " .. begun) end
        client:close()
      end
      return
    end
    at, busy = at + 1, true
    begun = begun and begun .. "\n" .. text or text
    heard = client:watch_silence()
    client:ask({ line = begun }, answered)
  end
  read_lines(function(text)
    lines[#lines + 1] = text
    say_next()
  end, function()
    over = true
    say_next()
  end)
  while client.open do uv.run "once" end
  return code, busy or lines[at] ~= nil and not answers.leaves(lines[at])
end

return pipe
