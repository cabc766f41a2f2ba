--- Several operators from outside: tokens and roles, `brio attach HOST` through a stand-in for ssh, a
--- connection that is cut, and rubbish at the socket: long lines, half-closed and slow connections, a hundred
--- of them, names that are code. One run.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local uv = require "luv"
local test, files = harness.test, harness.files

local folder = files.temporary()
local run = { store = folder .. "/x.db", socket = folder .. "/x.sock" }
files.write(folder .. "/made.lua", [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "calm" }
made.calm = { wants = { brio.want.joint_limits {} } }
return made
]])
files.write(folder .. "/people", "# of the lab\nann wizard   # on the left\neve observer\nmax author \z
  0123456789abcdef\n")
os.execute("chmod 600 " .. folder .. "/people; mkdir " .. folder .. "/bin")
files.write(folder .. "/bin/ssh", ([[#!/bin/sh
# Stands in for ssh: says what it was asked for, and does it here; its own process is the way there.
echo "$*" >>%s/asked
echo $$ >>%s/ways
while [ "$1" != "--" ]; do shift; done
[ "$2" = unreachable ] && { echo "no way to $2" >&2; exit 255; }
exec sh -c "exec $3"
]]):format(folder, folder))
os.execute("chmod +x " .. folder .. "/bin/ssh")

local brio = files.quote(harness.program)
run.process = harness.start(("%s run %s/made.lua --store %s --socket %s --operators %s/people --quiet "
  .. "--rate 50 --motor-rate 200") -- slow, for machines with much to do
  :format(brio, folder, run.store, run.socket, folder))
harness.listening(run)
harness.await_answer(run, "state", "calm, for")

--- Send lines through `brio attach`, with options.
local function attached(place, lines, options)
  local command = ("PATH=%s/bin:$PATH %s attach %s --program %s %s")
    :format(folder, brio, options or "", brio, place)
  return harness.run { command, input = lines .. "\n" }
end

local function token_of(name)
  return (files.read(folder .. "/people") or ""):match("\n" .. name .. " %l+ (%x+)")
end

test("who may attach is in a file, which is completed; roles hold", function(t)
  local text = files.read(folder .. "/people")
  t:has(text, "~^# of the lab\nann wizard %x+  # on the left\neve observer %x+\nmax author \z
    0123456789abcdef\n$")
  t:equal(#(token_of "ann" or ""), 32, "a token's length")
  t:equal(files.output("stat -c %a " .. folder .. "/people"), "600", "its mode")
  local here = run.socket
  t:has(attached(here, "who", "--token " .. token_of "ann" .. " --as bob").out,
    "~ann %(%g+%) %(you%), wizard from a pipe")
  t:has(attached(here, "take head", "--token " .. token_of "eve").err,
    "`take` needs a wizard: you are here as observer")
  t:has(attached(here, "1 + 1", "--token " .. token_of "ann").err, "a line of Lua needs an author")
  t:has(attached(here, "1 + 1", "--token 0123456789abcdef").out, "2")
  t:has(attached(here, "1 + 1").out, "2")
  t:has(attached(here, "1 + 1", "--role observer").err, "needs an author")
  t:has(attached(here, "state", "--role king").err, "there is no such role")
  t:has(attached(here, "state", "--role author --token " .. token_of "eve").err,
    "you are here as observer, and cannot be author")
  t:has(attached(here, "state", "--token 0123456789abcdeX").err, "that is no token of this run")
end)

test("a file of people that is wrong, or that others may read, is refused", function(t)
  local path = folder .. "/wrong"
  local function refused(text, piece, mode)
    files.write(path, text)
    os.execute(("chmod %s %s"):format(mode or "600", path))
    local answer = harness.brio("run", folder .. "/made.lua", "--store", "none", "--for", "0.1",
      "--operators", path)
    t:code(answer, 2)
    t:has(answer.err, piece)
  end
  refused("ann wizard\n", "chmod 600", "644")
  refused("ann\n", "line 1: a line is NAME ROLE")
  refused("ann wizzard\n", "there is no role 'wizzard' (did you mean 'wizard'?)")
  refused("ann wizard short\n", "a token has 16 to 64 bytes")
  refused("a(b wizard\n", "a name has no brackets")
  refused("ann wizard\nann author\n", "line 2: ann is there already")
  refused("# nobody\n", "nobody is in it")
  local answer = harness.brio("run", folder .. "/made.lua", "--store", "none", "--operators", path
    .. "/people")
  t:has(answer.err, "/wrong/people cannot be written: not a directory\n")
end)

test("a run at another machine is reached through ssh; its clock is compared", function(t)
  local answer = attached("lab@robot:" .. run.socket, "who\njoint HeadYaw 0.1\ngive HeadYaw", "--as ann")
  t:code(answer, 0)
  t:has(answer.out, "~ann %(%g+%) %(you%), author")
  t:has(files.read(folder .. "/asked"), "-- lab@robot ")
  t:has(attached("lab@robot:" .. run.socket, "sql SELECT 'it''s ' || (6 * 7) AS said").out, "it's 42")
  t:has(files.read(folder .. "/asked"), "~lab@robot %g+ 'sql' '%-%-store'")
  t:has(attached("robot:" .. folder .. "/nothing.sock", "state").err,
    "cannot attach to robot: cannot attach to " .. folder .. "/nothing.sock")
  t:has(attached("unreachable", "state").err, "ssh unreachable: no run answered there")
  for _, name in ipairs { "'ro;bot'", "'a b'", "'$(id)'", "\"$(printf 'a\\033[2J')\"", "'a@-oProxyCommand'",
      "'@a'", "'a@b@c'" } do
    local refused = attached(name, "state")
    t:code(refused, 2)
    t:has(refused.err, "is no socket, and no host either")
    t:check(not refused.err:find "\27", "control characters are shown")
  end
  t:check(not (files.read(folder .. "/asked")):find "ProxyCommand", "none of them reached ssh")
end)

test("a connection that is cut comes back; nothing is lost, and nothing is done twice", function(t)
  local pipe = folder .. "/pipe"
  files.output("mkfifo " .. pipe)
  files.write(folder .. "/ways", "")
  local keys = assert(uv.fs_open(pipe, "r+", 0))
  local there = harness.start(("env PATH=%s/bin:%s %s attach robot:%s --as ann --program %s <%s")
    :format(folder, os.getenv "PATH", brio, run.socket, brio, pipe))
  local function types(line) assert(uv.fs_write(keys, line .. "\n", -1)) end
  local function waits(pattern) harness.await_output(there, "~" .. pattern) end
  types "memory.cut = (memory.cut or 0) + 1"
  types "take head"
  waits "head: yours"
  harness.signal({ pid = (files.read(folder .. "/ways") or ""):match "%d+" }, "KILL")
  types "memory.cut = memory.cut + 1"
  waits "the connection is back"
  types "'cut ' .. memory.cut"
  waits "cut 2"
  types "who"
  waits "ann %(%g+%) %(you%), author from a pipe, for %d+ s, has head"
  types "give head"
  types "quit"
  local code, text = harness.wait(there)
  t:equal(code, 0, "exit code: " .. text)
  uv.fs_close(keys)
end)

--- Use the socket directly, from Lua.
local function speak(t, script)
  local file = folder .. "/speak.lua"
  files.write(file, ("local uv = require 'luv'\nlocal path = %q\n"):format(run.socket) .. script)
  local spoken = harness.run { "exec " .. brio .. " lua " .. files.quote(file) }
  t:code(spoken, 0)
  return spoken.out
end

test("long lines, half-closed and slow connections, and a hundred of them: the run goes on", function(t)
  local out = speak(t, ([[
    local heard, closed, mega, crowded = {}, 0, %d, false
    local function connect(begin)
      local pipe = uv.new_pipe(false)
      pipe:connect(path, function(fault)
        if fault then -- too many at once for a run that stalls: again a little later
          pipe:close()
          local pause = uv.new_timer()
          return pause:start(20, 0, function() pause:close() connect(begin) end)
        end
        pipe:read_start(function(_, bytes)
          if bytes then heard[#heard + 1] = bytes else closed = closed + 1 end
        end)
        begin(pipe)
      end)
    end
    connect(function(pipe) -- a line of so many MB
      local piece, count = ("x"):rep(1 << 20), 0
      local function more()
        count = count + 1
        if count > mega then return pipe:write '\n{"id":1,"line":"\'long\'"}\n' end
        pipe:write(piece, more)
      end
      more()
    end)
    connect(function(pipe) pipe:write('{"id":1,"line":"\'half\'"}\n', function() pipe:shutdown() end) end)
    for i = 1, 5 do connect(function(pipe) -- a byte now and then
      local timer, text, at = uv.new_timer(), '{"id":1,"line":"1"}', 0
      timer:start(0, 20, function()
        at = at + 1
        pipe:write(text:sub(at, at))
        if at == #text then timer:close() end
      end)
    end) end
    local timer, looks = uv.new_timer(), 0
    timer:start(50, 50, function() -- 200 s and more: a watchdog
      local text = table.concat(heard)
      -- Who never sent a line makes way, so the silent ones come once the long line has been heard.
      if not crowded and text:find("65536 bytes at most", 1, true) then
        crowded = true
        for i = 1, 93 do connect(function() end) end
      end
      local _, refused = text:gsub("it made way", "")
      local long = text:find("65536 bytes at most", 1, true) ~= nil and text:find('long', 1, true) ~= nil
      looks = looks + 1
      if looks < 4000 and not (refused >= 93 - 32 and long) then return end
      print(refused, long)
      os.exit(0)
    end)
    uv.run()
  ]]):format(harness.scale >= 10 and 100 or 20))
  local refused, long = out:match "^(%d+)%s+(%a+)"
  t:check(tonumber(refused) and tonumber(refused) >= 93 - 32, "%s made way, in words", tostring(refused))
  t:equal(long, "true", "a line that is too long is said to be")
  harness.await_answer(run, "1 + 1", "~^2\n$") -- there is room again
end)

test("names and arguments that are SQL, Lua or escapes stay names and arguments", function(t)
  for _, name in ipairs { "x'); DROP TABLE actions;--", "$(touch " .. folder .. "/owned)",
      "]]..os.exit()..[[", "\27[2J\27]0;x\7", "a\nb" } do
    local answer = harness.say(run, "who\ntake HeadYaw\ngive HeadYaw\nask " .. name:gsub("\n", " "), "--as",
      name)
    t:check(not answer.out:find "\27", "no escape comes back")
    t:has(answer.out, "HeadYaw: yours")
  end
  t:check(not files.exists(folder .. "/owned"), "nothing was done")
end)

test("what was done and refused is recorded, and the run ends well", function(t)
  local code, text = harness.ended(run)
  t:check(code == 0, "exit code %s: %s", tostring(code), text)
  local function ask(query) return harness.sql(run.store, query) end
  t:equal(ask "SELECT count(*) FROM actions WHERE outcome = 'refused'", "3", "refused")
  t:equal(ask "SELECT count(*) FROM actions WHERE name = 'lua' AND arguments LIKE '%memory.cut + 1%' AND \z
    outcome = 'done'", "1", "done once")
  t:equal(ask [[SELECT count(*) FROM actions WHERE t_input > t_accept OR t_accept > t_dispatch OR t_dispatch > t_first_motion
    OR t_dispatch > t_done]], "0", "times in order")
  t:equal(ask [[SELECT count(*) FROM actions WHERE t_input < 0
    OR t_done > (SELECT max(t1) FROM solve_blocks) + 1]], "0", "times of this run")
  t:equal(ask "SELECT count(*) > 0 FROM actions WHERE t_input_error > 0", "1", "the other machine's error")
  t:equal(ask "SELECT max(abs(offset_s) - offset_error) <= 0 AND count(offset_s) >= 2 FROM operators", "1",
    "its clock is this one")
  t:equal(ask "SELECT group_concat(how) FROM locks WHERE part = 'head'", "given", "the lock outlived the cut")
  t:equal(ask "SELECT count(*) FROM operators WHERE how = 'lost' AND session IS NOT NULL", "1", "lost once")
  t:equal(ask "SELECT group_concat(name) FROM sqlite_master WHERE name = 'actions'", "actions", "tables")
end)

files.remove(folder)
harness.done()
