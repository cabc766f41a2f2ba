--- Common parts of the measurements of promises: a folder for one of them, runs with input, a wire to a run's
--- socket.
local files = require "files"
local gap = require "promises.promises_gap"
local harness = require "harness"
local uv = require "luv"

local tools = { harness = harness, files = files, gap = gap.between }

local left = {} -- processes that a measurement started

local start = harness.start
harness.start = function(command)
  local process = start(command)
  left[#left + 1] = process
  return process
end

--- Now, s of the monotonic clock.
function tools.now() return uv.hrtime() * 1e-9 end

--- The functions that helpers of tests expect of their test: here any error ends the measurement.
local Place = {}
Place.__index = Place

function Place:folder()
  self.folders[#self.folders + 1] = files.temporary()
  return self.folders[#self.folders]
end

function Place.check(_, holds, ...) return holds or error(string.format(...), 0) end

function Place:equal(got, expected, what)
  return self:check(got == expected, "%s is %s", what, tostring(got))
end

function Place:code(run, expected)
  return self:check(run.code == expected, "exit code %s: %s", run.code, run.text:sub(-300))
end

function Place.skip(_, why) error(why, 0) end

--- Do one measurement in a folder of its own, which is removed afterwards in any case.
function tools.once(body)
  local place = setmetatable({ folders = {} }, Place)
  local result = table.pack(pcall(body, place))
  for _, process in ipairs(left) do harness.signal(process, "KILL") end
  for _, process in ipairs(left) do
    while not harness.has_ended(process) do harness.sleep(0.01) end
    files.remove(process.folder)
  end
  left = {}
  for _, folder in ipairs(place.folders) do files.remove(folder) end
  if not result[1] then error(result[2], 0) end
  return table.unpack(result, 2, result.n)
end

--- Measure `count` times; body(place) returns the value and optionally the interval of the monotonic clock in
--- which it was measured (default: the whole measurement).  Return the list of {value, gap}.
function tools.repeated(count, body)
  local list = {}
  for n = 1, count do
    local began = tools.now()
    local value, from, to = tools.once(function(place) return body(place, n) end)
    if not value then error("no value", 0) end
    list[#list + 1] = { value = value, gap = gap.between(from or began, to or tools.now()) }
  end
  return list
end

--- Write a behavior and run it, with a store and a socket.  Return {process, store, socket, folder}.
function tools.run(place, text, ...)
  local folder = place:folder()
  local run = { store = folder .. "/x.db", socket = folder .. "/x.sock", folder = folder }
  files.write(folder .. "/made.lua", text)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", run.store, "--socket", run.socket,
    "--quiet", ...)
  harness.listening(run)
  place:check(not harness.has_ended(run.process), "the run ended: %s", harness.output_of(run.process))
  return run
end

--- Run the loop until condition() is true; return its value.
local function go_round(what, condition)
  local watchdog, over = uv.new_timer(), false
  watchdog:start(60000, 0, function() over = true end)
  local found = condition()
  while not found and not over do
    uv.run "once"
    found = condition()
  end
  watchdog:close()
  return found or error("waited for a minute: " .. what, 0)
end

--- A wire to the socket of a run: wire.say(line) returns the time of writing, wire.hears(piece) waits for a
--- piece of text and returns its time, wire.close().
function tools.wire(run)
  local wire, pipe, said, id, there = {}, uv.new_pipe(), "", 1, false
  pipe:connect(run.socket, function(fault)
    there = not fault
    pipe:read_start(function(_, bytes) if bytes then said = said .. bytes end end)
    pipe:write '{"id":1,"who":"somebody","device":"prompt","session":""}\n'
  end)
  go_round("a connection", function() return there end)
  function wire.say(line)
    id = id + 1
    local now = tools.now()
    pipe:write(('{"id":%d,"t":%.9f,"line":"%s"}\n'):format(id, now, line))
    uv.run "nowait"
    return now
  end
  function wire.hears(piece)
    go_round(piece .. ", instead of " .. said:sub(-300), function()
      local _, to = said:find(piece, 1, true)
      if to then said = said:sub(to + 1) end
      return to
    end)
    return tools.now()
  end
  function wire.close() pipe:close() end
  return wire
end

--- Wait for the end of a process; return the time at which it was seen.
function tools.is_over(process)
  go_round("the end of a run", function() return process.code end)
  return tools.now()
end

return tools
