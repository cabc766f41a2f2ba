--- Killing the engine at any moment loses at most the last tenth of a second and never the file.
---
--- The behavior counts the ticks itself: it writes the time of each to standard error as it
--- happens.  What it had written when it was killed has happened; the store may be at most 0.1 s
--- behind that, plus the time that the machine let its threads wait for a processor.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files, uv = harness.test, harness.files, require "luv"

-- The store's own tests kill twenty more that record without a robot.
local rounds = harness.scale > 1 and 500 or 10 -- `make test` kills a sample
local at_once = 10
local seed = tonumber(os.getenv "BRIO_TEST_SEED" or "") or 20240917
print(("# seed %d, scale %g: %d kills"):format(seed, harness.scale, rounds))
math.randomseed(seed)

local source = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "counter" { robot = "pepper", start = "left" }
local function tell(self) print(("t=%.4f"):format(self.now)) end
made.left = { wants = { want.joint_match { joint = "HeadYaw", goal = 0.4 } }, tick = tell, after = { 0.2, "right" } }
made.right = { wants = { want.joint_match { joint = "HeadYaw", goal = -0.4 } }, tick = tell, after = { 0.2, "left" } }
return made
]]

--- The time of the last tick that a process wrote.
local function last_told(text)
  local last
  for time in text:gmatch "t=(%d+%.%d+)" do last = tonumber(time) end
  return last
end

-- A program that only records how much later it woke than requested: the time that the machine takes from all
-- programs.
local canary = [[
local uv = require "luv"
local last = uv.hrtime()
uv.new_timer():start(0, 5, function()
  local now = uv.hrtime()
  print(("%.4f"):format((now - last) * 1e-9 - 0.005))
  io.stdout:flush()
  last = now
end)
uv.run()
]]

local sleeper

--- The longest time that the machine let a program wait since the last call, s.
local function stall()
  if not sleeper then return 0 end
  local text, longest = harness.output_of(sleeper), 0
  for late in text:sub((sleeper.read or 0) + 1):gmatch "[%d.-]+" do
    longest = math.max(longest, tonumber(late) or 0)
  end
  sleeper.read = #text
  return longest
end

--- The time that each thread of a process has waited for a processor since its start, s, from the kernel.
local function waits(process)
  local list, folder = {}, ("/proc/%d/task"):format(process.pid)
  local threads = uv.fs_scandir(folder)
  local thread = threads and uv.fs_scandir_next(threads)
  while thread do
    local text = files.read(("%s/%s/schedstat"):format(folder, thread)) or ""
    list[thread] = (tonumber(text:match "^%d+ (%d+)") or 0) * 1e-9
    thread = uv.fs_scandir_next(threads)
  end
  return list
end

--- Stop a process, then kill it.  Return how long one of its threads has waited for a processor since
--- `before`, s.
local function kill(process, before)
  harness.signal(process, "STOP")
  harness.await("a process that is stopped", function()
    local state = files.read("/proc/" .. process.pid .. "/stat") or ""
    return state:match "%) (%a)" == "T" or harness.has_ended(process)
  end)
  local longest = 0
  for thread, wait in pairs(waits(process)) do longest = math.max(longest, wait - (before[thread] or 0)) end
  harness.signal(process, "KILL")
  return longest
end

--- The time before the kill at which a process is inspected, s: the waits of its threads in it are known.
local seen_before = 0.8

--- The times at which each process is inspected, and later killed: a list of { at, of, kills }.
local function schedule(processes)
  local list = {}
  for _, one in ipairs(processes) do
    list[#list + 1] = { at = one.at - seen_before, of = one }
    list[#list + 1] = { at = one.at + 1e-6, of = one, kills = true }
  end
  table.sort(list, function(a, b) return a.at < b.at end)
  return list
end

--- Start some runs and kill each at a random moment after its first tick; the last of them some time after
--- its start.
local function kill_batch(t, folder, count)
  local processes = {}
  for i = 1, count do
    local store = ("%s/%d-%d.db"):format(folder, math.random(1 << 30), i)
    local process = harness.start_brio("run", folder .. "/counter.lua", "--clock", "real", "--store", store)
    processes[i] = { process = process, store = store, at = seen_before + 0.9 * math.random() }
  end
  for i = 1, math.max(1, count - 1) do
    harness.await_output(processes[i].process, "~t=%d+%.%d+\n")
  end
  stall()
  local now = 0
  for _, moment in ipairs(schedule(processes)) do
    harness.sleep(moment.at - now) -- the moment is the input
    now = moment.at
    local one = moment.of
    if moment.kills then one.waited = kill(one.process, one.waits)
    else one.waits = waits(one.process) end
  end
  processes.stall = stall()
  for _, one in ipairs(processes) do
    local code, text = harness.wait(one.process)
    t:equal(code, 137, "exit code of a killed run (" .. text:sub(1, 200) .. ")")
    one.told = last_told(text)
  end
  return processes
end

--- Compare the store of one killed run with its output; return the seconds lost.
--- `slack`: the time that the machine may have let its threads wait.
local function inspect(t, one, slack)
  local store = one.store
  if not one.told then return nil end -- killed before its first tick
  local what = ("killed after %.3f s (told of %.4f s): "):format(one.at, one.told)
  if not t:check(files.exists(store), "%sno store", what) then return nil end
  local answers, why = harness.sql(store,
    [[pragma integrity_check; select count(*) from pragma_foreign_key_check;
    select coalesce(max(t), 0) from solves; select coalesce(max(t), 0) from samples; select coalesce(max(entered), 0) from states]])
  local integrity, astray, solved, sampled, state = (answers or ""):match "^(.-)\n(%d+)\n(%S+)\n(%S+)\n(%S+)$"
  if not t:equal(integrity, "ok", what .. "integrity: " .. tostring(why or answers)) then return nil end
  t:equal(astray, "0", what .. "rows that belong to nothing")
  solved, sampled, state = tonumber(solved), tonumber(sampled), tonumber(state)
  local lost = one.told - math.min(solved, sampled)
  t:check(lost <= 0.1 + slack + 1e-9, "%slost %.3f s: solves to %.3f, samples to %.3f", what, lost, solved,
    sampled)
  t:check(one.told - state <= 0.2 + 0.1 + 0.01 + slack, "%sthe last state is from %.3f s", what, state)
  return lost
end

test(("%d kills at random moments: the store opens, is whole, and lacks at most 0.1 s"):format(rounds),
  function(t)
  local folder = t:folder()
  files.write(folder .. "/counter.lua", source)
  files.write(folder .. "/canary.lua", canary)
  sleeper = harness.start_brio("lua", folder .. "/canary.lua")
  local worst, seen, slack = 0, 0, 0
  for first = 1, rounds, at_once do
    local batch = kill_batch(t, folder, math.min(at_once, rounds - first + 1))
    for _, one in ipairs(batch) do
      slack = math.max(slack, batch.stall + one.waited)
      local lost = inspect(t, one, batch.stall + one.waited)
      if lost then worst, seen = math.max(worst, lost), seen + 1 end
    end
  end
  harness.signal(sleeper, "KILL")
  harness.wait(sleeper)
  t:check(seen >= rounds * 0.6, "only %d of %d runs had told of a tick when they were killed", seen, rounds)
  print(("# %d of %d killed after their first tick; at most %.3f s lost; the machine let one wait for %.3f s")
    :format(seen, rounds, worst, slack))
end)

test("a store of a killed run takes the next run, and history tells of both", function(t)
  local folder = t:folder()
  files.write(folder .. "/counter.lua", source)
  local one = kill_batch(t, folder, 1)[1]
  local run = harness.brio("run", folder .. "/counter.lua", "--for", 0.5, "--clock", "fast", "--store",
    one.store)
  t:code(run, 0)
  t:equal(harness.sql(one.store, "select count(*) from runs"), "2", "count of runs")
  t:equal(harness.sql(one.store, "select count(*) from runs where outcome is null"), "1",
    "runs without an outcome")
  local story = harness.brio("history", "--store", one.store)
  t:code(story, 0)
  t:has(story.out, "kill")
end)

harness.done()
