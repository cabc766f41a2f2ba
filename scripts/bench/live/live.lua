--- Latencies for people who work on a moving robot: from a save to the first tick of the new version, from a
--- key press to its answer, and the cost of both in the ticks.
local files = require "files"
local many_states = require "live.many_states"
local operators = require "live.operators"
local rows = require "rows"
local uv = require "luv"

local live = {}

-- A running program ---------------------------------------------------------------------------------

--- Run the loop for `ms`, or until done() is true.  Return whether it is.
local function go_round(ms, done)
  local over, timer = false, uv.new_timer()
  timer:start(math.floor(ms), 0, function() over = true end)
  local found
  repeat
    found = done and done()
    if not found then uv.run "once" end
  until over or found
  timer:close()
  return found
end

local running = {} -- handles of started processes

--- Start a program; the output of both streams is collected in process.said.
local function spawn(words)
  local process, out, err = { said = "" }, uv.new_pipe(), uv.new_pipe()
  process.input = uv.new_pipe()
  local handle, id = uv.spawn(words[1],
    { args = { table.unpack(words, 2) }, stdio = { process.input, out, err } }, function()
    process.ended = true
  end)
  if not handle then error(words[1] .. ": " .. tostring(id), 0) end
  running[handle] = true
  for _, pipe in ipairs { out, err } do
    pipe:read_start(function(_, bytes) if bytes then process.said = process.said
      .. bytes else pipe:close() end end)
  end
  --- Wait for output that matches; the matched part is removed.
  function process.wait(pattern, ms)
    local last
    go_round(ms or 3000, function()
      local _, to = process.said:find(pattern)
      last = to
      return to
    end)
    if not last then
      error(("%s: '%s' was not said in '%s'"):format(words[2] or words[1], pattern,
        process.said:sub(-300)), 0)
    end
    process.said = process.said:sub(last + 1)
  end
  function process.stop(signal)
    handle:kill(signal or "sigint")
    go_round(5000, function() return process.ended end)
    running[handle] = nil
    handle:close()
    process.input:close()
  end
  return process
end

--- Start a run of a behavior's text in a folder of its own.
local function start(options, text, ...)
  local folder = files.temporary()
  local path, store = folder .. "/made.lua", folder .. "/x.db"
  files.write(path, text)
  local run = spawn { options.build .. "/brio", "run", path, "--store", store, "--socket",
    folder .. "/x.sock", "--quiet", ... }
  run.path, run.store, run.socket, run.folder = path, store, folder .. "/x.sock", folder
  go_round(5000, function()
    go_round(20)
    return uv.fs_stat(run.socket)
  end)
  go_round(500)
  return run
end

local function finish(run)
  run.stop()
  files.remove(run.folder)
end

-- Saving --------------------------------------------------------------------------------------------

local function put(path, text, mode)
  local handle = assert(io.open(path, mode or "w"))
  handle:write(text)
  handle:close()
end

--- The ways in which editors save files.
local ways = {
  put,
  function(path, text)
    put(path .. ".new", text)
    os.rename(path .. ".new", path)
  end,
  function(path, text)
    os.rename(path, path .. "~")
    put(path, text)
  end,
  function(path, text)
    os.remove(path)
    go_round(20)
    put(path, text)
  end,
  function(path, text)
    put(path, text:sub(1, #text // 2))
    go_round(30)
    put(path, text:sub(#text // 2 + 1), "a")
  end,
  function(path, text)
    put(path, "")
    go_round(50)
    put(path, text)
  end,
}

local function kiosk(options)
  return (files.read(options.root .. "/behaviors/kiosk.lua"):gsub('world = "[^"]*",?', "", 1))
end

local head = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "s1", memory = { n = 0 } }
]]

--- A behavior of a thousand functions in one state.
local function functions()
  local parts = { head, "local f = {}" }
  for n = 1, 1000 do parts[#parts + 1] = ("function f.f%d(self) return self.now * %d end"):format(n, n) end
  parts[#parts + 1] = "made.s1 = { tick = function(self) self.memory.n = f.f1(self) end,"
  parts[#parts + 1] = "  wants = { want.joint_match { joint = 'HeadYaw', goal = 0.2 } } }\nreturn made\n"
  return table.concat(parts, "\n")
end

--- A behavior of a thousand states.
local function states() return many_states(1000) end

--- Save `count` times in all ways in turn; times in ms from the close of the file to the run's report that
--- the new version is running.
local function save_often(run, text, count, between)
  local times = {}
  for n = 1, count do
    ways[n % #ways + 1](run.path, text .. "-- " .. n .. "\n")
    local closed = uv.hrtime()
    run.wait "runs in place of [^\n]*\n"
    times[n] = (uv.hrtime() - closed) / 1e6
    go_round(between + n % 5)
  end
  table.sort(times)
  return times
end

local function saves(options, list)
  for _, kind in ipairs { { "the kiosk", kiosk(options), 120 }, { "1,000 functions", functions(), 60 },
      { "1,000 states", states(), 60 } } do
    local run = start(options, kind[2])
    list[#list + 1] = rows.percentiles("save to first tick: " .. kind[1], "ms",
      save_often(run, kind[2], kind[3], 150), { p99 = 50 })
    finish(run)
  end
end

local function swap(options, list)
  local path = files.temporary() .. "/made.lua"
  files.write(path, functions())
  local out = files.output(("%s/brio lua %s/scripts/bench/live/swap.lua %s")
    :format(files.quote(options.build), options.root, path))
  local times = {}
  for ms in out:gmatch "[%d.]+" do times[#times + 1] = tonumber(ms) end
  table.sort(times)
  list[#list + 1] = rows.percentiles("swap of 1,000 functions, script thread's CPU", "ms", times, { p99 = 1 })
  files.remove(path:match "^(.*)/")
end

--- The CPU time that 1,000 states cost until they run. Both parts go on at once: with the 10 ms in which a
--- save settles, the check must fit into the 50 ms from a save to the first tick, and so must the
--- preparation, which gets half of the time.
local function takeover(options, list)
  local path, times = files.temporary() .. "/made.lua", { check = {}, preparation = {} }
  files.write(path, states())
  local out = files.output(("%s/brio lua %s/scripts/bench/live/takeover.lua %s")
    :format(files.quote(options.build), options.root, path))
  for part, ms in out:gmatch "(%a+) ([%d.]+)" do table.insert(times[part], tonumber(ms)) end
  for _, part in ipairs { "check", "preparation" } do
    table.sort(times[part])
    list[#list + 1] = rows.percentiles(("%s of 1,000 states, CPU"):format(part), "ms", times[part],
      { p99 = part == "check" and 40 or 20 })
  end
  files.remove(path:match "^(.*)/")
end

--- The cost of the gaze in a tick, with one person and with a hundred.  The limit is 5 % of a tick of 5 ms.
local function gaze(options, list)
  for _, case in ipairs { { "one person", 1, { p99 = 250 } }, { "100 people", 100 } } do
    local out = files.output(("%s/brio lua %s/scripts/bench/live/gaze.lua %d"):format(
      files.quote(options.build), options.root,
      case[2]))
    local times = {}
    for us in out:gmatch "[%d.]+" do times[#times + 1] = tonumber(us) end
    table.sort(times)
    list[#list + 1] = rows.percentiles("a gaze's part of a tick, " .. case[1], "us", times, case[3])
  end
end

--- The number of ticks in a store that began late by over half a period between two times of the run, and of
--- all.
local function late(store, from, to)
  local between = (" from solves where t >= %g and t < %g"):format(from, to)
  local all = rows.numbers(store, "select count(*)" .. between)[1]
  return rows.numbers(store, "select count(*)" .. between .. " and late_us > 2500")[1], all
end

--- Robot time in a store so far, s.
local function robot_time(run)
  go_round(120) -- buffered rows are committed every 50 ms
  return rows.numbers(run.store, "select max(t) from solves")[1]
end

--- Alternate `seconds` without and with does(run); collect(from, to, busy) is called for each.
local function in_turns(run, turns, seconds, does, collect)
  for turn = 1, 2 * turns do
    local from = robot_time(run)
    if turn % 2 == 0 then does(seconds) else go_round(seconds * 1000) end
    collect(from, robot_time(run), turn % 2 == 0)
  end
end

local function late_ticks(options, list)
  for _, kind in ipairs { { "the kiosk", kiosk(options) }, { "1,000 states", states() } } do
    local run, counted = start(options, kind[2]), { [true] = { 0, 0 }, [false] = { 0, 0 } }
    in_turns(run, 3, 5, function(seconds) save_often(run, kind[2], seconds * 4, 150) end,
      function(from, to, busy)
      local some, all = late(run.store, from, to)
      counted[busy][1], counted[busy][2] = counted[busy][1] + some, counted[busy][2] + all
    end)
    finish(run)
    for _, busy in ipairs { false, true } do
      local name = ("late ticks of %s, %s"):format(kind[1],
        busy and "a save every 0.2 s" or "no saves, same run")
      local some, all = table.unpack(counted[busy])
      list[#list + 1] = rows.one(name, ("in 1,000, of %d"):format(math.tointeger(all)), some * 1000 / all)
    end
  end
end

-- Prompts -------------------------------------------------------------------------------------------

--- At a terminal: from the Enter key to the line of the answer.
local function keys(options, list)
  local run, times = start(options, kiosk(options)), {}
  local command = ("TERM=dumb HOME=%s %s/brio attach %s"):format(run.folder, options.build, run.socket)
  local prompt = spawn { "script", "-qefc", command, "/dev/null" }
  prompt.wait "brio> "
  for n = 1, 300 do
    prompt.input:write "self.now"
    prompt.wait "self%.now"
    local pressed = uv.hrtime()
    prompt.input:write "\r"
    prompt.wait "%d%.?%d*\r*\n"
    times[n] = (uv.hrtime() - pressed) / 1e6
    go_round(n % 11)
  end
  prompt.stop "sighup"
  finish(run)
  table.sort(times)
  list[#list + 1] = rows.percentiles("Enter key at `brio attach` to the answer", "ms", times, { p99 = 10 })
end

--- Attach a program to a run's socket that sends `line` each second.
local function attach(run, line, every)
  local pipe, timer = uv.new_pipe(), uv.new_timer()
  pipe:connect(run.socket, function()
    pipe:read_start(function() end)
    timer:start(every, every, function() pipe:write(('{"id":1,"line":"%s"}\n'):format(line)) end)
  end)
  return function()
    timer:close()
    pipe:close()
  end
end

--- Attaching itself is not measured, only being attached: measure from this time after it, s.
local settled = 0.4

local function crowd(options, list)
  local run, cost = start(options, kiosk(options)), { [true] = {}, [false] = {} }
  in_turns(run, 11, 2.4, function(seconds)
    local ends = {}
    for n = 1, 10 do ends[n] = attach(run, n % 2 == 0 and "state" or "self.now", 1000) end
    go_round(seconds * 1000)
    for _, close in ipairs(ends) do close() end
  end, function(from, to, busy)
    local query = ("select avg(tick_us) from solves where t >= %g and t < %g"):format(from + settled, to)
    local mean = rows.numbers(run.store, query)[1]
    table.insert(cost[busy], mean)
  end)
  finish(run)
  for _, busy in ipairs { true, false } do table.sort(cost[busy]) end
  local without, with = cost[false][6], cost[true][6] -- the medians
  list[#list + 1] = rows.one("mean tick, nobody attached", "us", without)
  list[#list + 1] = rows.one("mean tick, ten prompts that ask once a second", "us", with)
  list[#list + 1] = rows.one("ten prompts add to a tick", "%", math.max(0, (with / without - 1) * 100),
    { value = 5 })
end

--- Measure only how soon a save is taken over, and what that costs.  Return {rows, notes, missed}.
function live.measure_saves(options)
  local result = rows.measure("live", { { "saves", saves }, { "swap", swap }, { "takeover", takeover } },
    options)
  for handle in pairs(running) do handle:kill "sigkill" end -- of failed parts
  return rows.count_missed(result)
end

--- Measure the latencies.  Return {rows, notes}.
function live.measure(options)
  local parts = { { "saves", saves }, { "swap", swap },
    { "takeover", takeover }, { "late ticks", late_ticks }, { "keys", keys },
    { "ten prompts", crowd },
    { "operators", operators.part { start = start, finish = finish, in_turns = in_turns, go_round = go_round,
      kiosk = kiosk, settled = settled } }, { "gaze", gaze } }
  local result = rows.measure("live", parts, options)
  for handle in pairs(running) do handle:kill "sigkill" end -- of failed parts
  return result
end

return live
