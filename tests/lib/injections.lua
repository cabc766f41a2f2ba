--- Faults that tests inject from outside: commands, signals, files, an overloaded machine.
local harness = require "harness"
local files = harness.files

local injections = {}

--- Stop a process for some seconds (SIGSTOP): the fault itself.
function injections.standstill(process, seconds)
  harness.signal(process, "STOP")
  harness.sleep(seconds)
  harness.signal(process, "CONT")
end

--- Load the processor with `count` endless loops; return a function that ends them.
function injections.burn(count)
  local burners = {}
  for i = 1, count do burners[i] = harness.start "sh -c 'while :; do :; done'" end
  return function()
    for _, burner in ipairs(burners) do
      harness.signal(burner, "KILL")
      harness.wait(burner)
    end
  end
end

--- Lock a store as another program would; return a function that unlocks it.
function injections.lock(store, folder)
  os.execute("mkfifo " .. folder .. "/typed")
  local other = harness.start(("sh -c 'exec sqlite3 -batch %s <>%s/typed'"):format(store, folder))
  local typed = assert(io.open(folder .. "/typed", "w"))
  typed:setvbuf "line"
  typed:write ".timeout 200000\nBEGIN EXCLUSIVE;\nSELECT 'locked by', 'another';\n"
  harness.await_output(other, "locked by|another")
  return function()
    typed:write "COMMIT;\nSELECT 'free for', 'all';\n"
    harness.await_output(other, "free for|all")
    typed:close()
    harness.signal(other, "KILL")
    harness.wait(other)
  end
end

--- Send `lines` lines to a run's prompt from each of `count` attached programs, as fast as they can; return
--- once each has some answers, with a function that ends them.
function injections.flood(one, folder, count, lines)
  local floods = {}
  files.write(folder .. "/flood", ("state\nmotors\nwhere\n1 + 1\nfoo(\n"):rep(lines // 5))
  for i = 1, count do
    local command = "sh -c 'exec %s attach %s <%s/flood'"
    floods[i] = harness.start(command:format(harness.program, one.socket, folder))
  end
  for _, flood in ipairs(floods) do harness.await_output(flood, "unknown name 'where'") end
  return function()
    for _, flood in ipairs(floods) do
      harness.signal(flood, "KILL")
      harness.wait(flood)
    end
  end
end

--- Connect to a run's socket `count` times, and write random bytes to every second connection; return once
--- all are connected, with a function that closes them.
function injections.crowd(one, folder, count)
  files.write(folder .. "/crowd.lua", ([[
    local uv, many, tried = require "luv", {}, 0
    for i = 1, %d do
      local pipe = uv.new_pipe()
      pipe:connect(%q, function(fault)
        if not fault and i %% 2 == 0 then pipe:write(("\0\255{"):rep(2000)) end
        tried = tried + 1
        if tried == %d then io.stdout:write "all are there\n" io.stdout:flush() end
      end)
      many[i] = pipe
    end
    uv.new_timer():start(1e6, 1e6, function() end)
    uv.run()]]):format(count, one.socket, count))
  local crowd = harness.start_brio("lua", folder .. "/crowd.lua")
  harness.await_output(crowd, "all are there")
  return function()
    harness.signal(crowd, "KILL")
    harness.wait(crowd)
  end
end

--- A prefix for a command that may write only 1.5 MB into a file: a disk that is full soon.  The shell prints
--- its process id first.
injections.full_disk = "sh -c 'echo $$ >&2; ulimit -S -f 4000; exec \"$@\"' sh"

--- Give a process that was started this way room again; return whether that was possible.
function injections.make_room(one)
  local pid = harness.output_of(one.process):match "%d+"
  return harness.run { "prlimit --pid " .. pid .. " --fsize=unlimited" }.code == 0
end

return injections
