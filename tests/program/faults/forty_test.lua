--- Forty faults (tests/lib/fault_rows.lua), judged frame by frame by an arm in another process: what detected
--- each fault, how soon, the robot's reaction, and the share of its limits used over windows of 50 ms.
---
--- `make test` tries four of them, others each day; `make soak` all, and writes build/faults.json, from which
--- scripts/docs_faults.lua makes the table in docs/devices/safety.md.  BRIO_FORTY=all: all of them.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local device = require "device"
local fault_rows = require "fault_rows"
local judge = require "judge"
local cjson = require "cjson"
local test, files, uv = harness.test, harness.files, require "luv"

local rows = fault_rows.list

--- The number of engines that run side by side: each takes about a sixth of a core.
local at_once = 3

local function now()
  local seconds, microseconds = uv.gettimeofday()
  return seconds + microseconds * 1e-6
end

-- One row --------------------------------------------------------------------------------------------

--- Start a row's fault; returns its time (s since 1970; nil: at fault_rows.at), and a function that ends it.
local function begin(row, one, robot, t)
  if row.fault or row.by then return row.by and now() end
  local from = now()
  if row.tick then device.say(one, "go spinning") end
  local finish = row.act and row.act(one, robot, t)
  return row.noticed_from == "end" and now() or from, finish
end

--- Wait until a fault is reported; returns the time, s since 1970.
local function await_notice(row, one, robot)
  if row.by then
    local said = row.by(one, robot)
    assert(harness.contains(said, row.says), said)
  elseif row.says then device.await_said(robot, row.says)
  end
  return now()
end

--- Wait for the expected reaction of a robot to a fault.
local awaits = {
  ["goes on"] = function(row, _, robot) device.goes_on(robot, row.name) end,
  holds = function(row, _, robot) device.await_rest(robot, row.name) end,
  ends = function(_, one) harness.wait(one.process) end,
}

--- The delay between the start of a `--fault` and its report, by the run's own clock, s.
local function noticed_by_record(row, one)
  local query = "SELECT min(t) - %g FROM faults WHERE instr(message, '%s')"
  return harness.number(one.store, query:format(fault_rows.at, row.says))
end

--- Wait until a robot moves; on a busy machine a fault with a fixed time may occur before that.
local function await_motion(row, robot)
  if not row.fault then return device.await_motion(robot, row.name) end
  device.await(robot, "motion", function()
    local frames = robot:frames()
    return device.moves(frames) or frames[#frames].at > frames[1].at + fault_rows.at
  end)
end

--- Wait for 1 s of a `--fault` in a robot that moves.
local function await_fault(robot)
  local first = robot:frames()[1].at
  device.await(robot, "the fault's time", function()
    local frames = robot:frames()
    return frames[#frames].at > first + fault_rows.at + 1
  end)
end

--- End a run, and its robot; make the checks that apply to every run.
local function close(t, row, one, robot)
  if row.after ~= "ends" then
    harness.signal(one.process, "INT")
    local code, text = harness.wait(one.process)
    t:check(row.lost or code == 0 or code == 3, "exit code %s: %s", tostring(code), text)
  end
  robot:finish()
  if not row.lost then device.whole(t, one) end
  if not row.left then device.ends_at_rest(t, robot:frames(), row.name) end
end

--- Release a robot that holds after a fault has ended: it goes on.
local function release(row, one, robot)
  device.await_said(robot, row.back)
  device.release(one)
  device.goes_on(robot, row.name .. ", released")
end

--- Try one row; returns its result.
local function try(t, row)
  local robot = device.start(t)
  files.write(robot.folder .. "/made.lua", fault_rows.behavior(row))
  files.write(robot.folder .. "/robot.lua", fault_rows.robot())
  local words = { "--robot", robot.folder }
  if row.fault then words[3], words[4] = "--fault", row.fault end
  words[#words + 1] = row.options or {}
  local one = device.run(t, robot, table.unpack(words))
  await_motion(row, robot)
  local from, finish = begin(row, one, robot, t)
  if row.fault and not row.says then await_fault(robot) end
  local noticed = await_notice(row, one, robot)
  awaits[row.after](row, one, robot)
  if finish then finish() end
  if row.back then release(row, one, robot) end
  close(t, row, one, robot)
  local made = judge.measure(robot:frames(), device.limits)
  made.noticed = row.says and (row.fault and noticed_by_record(row, one) or from and noticed - from) or nil
  if row.began == "soon" then made.noticed = nil end
  return made
end

--- The row as a test: assertions for any machine, and the strict figures as measured.
local function test_row(row)
  test(row.name, function(t)
    local made = try(t, row)
    t:check(made.windows > 500, "%d windows were judged", made.windows)
    t:check(judge.keeps(made, row.unseen and judge.unseen or judge.always), "%s, at %.3f s of joint %d",
      judge.described(made), made.worst and made.worst.at or 0, made.worst and made.worst.joint or 0)
    files.write(os.getenv "BRIO_FORTY_RESULT" or "/dev/null", cjson.encode {
      name = row.name, noticed = made.noticed, speed = made.speed, acceleration = made.acceleration,
      kept = judge.keeps(made, judge.strict) })
  end)
end

if os.getenv "BRIO_FORTY_ROW" then
  test_row(rows[tonumber(os.getenv "BRIO_FORTY_ROW")])
  harness.done()
end

-- All of them ----------------------------------------------------------------------------------------

local all = harness.scale > 1 or os.getenv "BRIO_FORTY" == "all"

--- The numbers of the rows to try: all, those with a piece of their names, or four that change each day.
local function chosen()
  local numbers, day = {}, tonumber(os.getenv "BRIO_TEST_SEED" or "") or os.time() // 86400
  for k = 1, #rows do numbers[k] = k end
  if arg[1] or all then return numbers end
  local few = {}
  for k = 0, 3 do few[k + 1] = (day + 7 * k) % #rows + 1 end
  print(("# 4 of %d faults (seed %d; BRIO_FORTY=all or make soak: all)"):format(#rows, day))
  return few
end

--- The outcome of a row's process: its verdict, and its output.
local function start_row(number, folder)
  local result = ("%s/%d.json"):format(folder, number)
  local command = "env BRIO_FORTY_ROW=%d BRIO_FORTY_RESULT=%s lua5.4 %s"
  return { number = number, result = result,
    process = harness.start(command:format(number, result, files.quote(arg[0]))) }
end

local function shown(result)
  local noticed = result.noticed and ("noticed after %.2f s, "):format(result.noticed) or ""
  print(("# %s: %s%s"):format(result.name, noticed, judge.described(result)))
end

--- Run the rows of `numbers`, several side by side; returns their outcomes by number: {code, text, result}.
local function run_rows(numbers, folder)
  local waiting, running, outcomes = table.move(numbers, 1, #numbers, 1, {}), {}, {}
  harness.await("the rows", function()
    for k = #running, 1, -1 do
      local one = running[k]
      if harness.has_ended(one.process) then
        table.remove(running, k)
        local code, text = harness.wait(one.process)
        local line = files.read(one.result)
        outcomes[one.number] = { code = code, text = text, result = line and cjson.decode(line) }
      end
    end
    while #waiting > 0 and #running < at_once do
      running[#running + 1] = start_row(table.remove(waiting, 1), folder)
    end
    return #running == 0
  end, { seconds = harness.patience * (1 + #numbers / at_once) })
  return outcomes
end

local numbers, outcomes = chosen(), nil
if arg[1] then
  for k = #numbers, 1, -1 do
    if not rows[k].name:find(arg[1], 1, true) then table.remove(numbers, k) end
  end
  table.remove(arg, 1) -- the rows are chosen
end

test("there are forty faults at least", function(t) t:check(#rows >= 40, "%d rows", #rows) end)

test("faults are injected, several side by side", function(t)
  outcomes = run_rows(numbers, t:folder())
end)

for _, number in ipairs(outcomes and numbers or {}) do
  test(rows[number].name .. ": the arm's limits were kept, and the robot did what it should", function(t)
    local one = outcomes[number]
    t:check(one.code == 0, "%s", one.text)
    if one.result then shown(one.result) end
  end)
end

if all and outcomes then
  local results = {}
  for _, number in ipairs(numbers) do results[#results + 1] = outcomes[number].result end
  if #results == #rows then
    local whole = { cores = #uv.cpu_info(), at_once = at_once, rows = results }
    files.write(harness.build .. "/faults.json", cjson.encode(whole) .. "\n")
  end
end

harness.done()
