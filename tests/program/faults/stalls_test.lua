--- Stalls of 5 to 3,000 ms at random times, of the whole process and of the device, judged frame by frame by
--- an arm in another process.
---
--- `make test` runs for 10 s of robot time, `make soak` for an hour; BRIO_STALLS: the number of seconds.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local device = require "device"
local injections = require "injections"
local judge = require "judge"
local test = harness.test

local seconds = tonumber(os.getenv "BRIO_STALLS" or "") or (harness.scale > 1 and 3600 or 10)
local seed = tonumber(os.getenv "BRIO_TEST_SEED" or "") or os.time() // 86400
math.randomseed(seed)
print(("# stalls for %g s of the robot's time (seed %d; BRIO_STALLS: so many seconds, make soak: an hour)")
  :format(seconds, seed))

--- The maximum duration of a run, s: its frames are kept in memory.
local longest = 60

--- The duration of a stall, s: 5 to 50 ms as often as 50 to 500 ms.
local function stall() return 0.005 * 600 ^ math.random() end

--- The faults of the device in a run: some longer exchanges, and jitter for a third of the time.
local function device_faults(length)
  local words = { "--fault", ("jitter 0.01 of all at %.2f for %.2f"):format(length / 3, length / 3) }
  for at = 2, length - 1, 4 do
    words[#words + 1] = "--fault"
    words[#words + 1] = ("block %.3f of all at %.2f for 0.005"):format(stall(), at + 2 * math.random())
  end
  return words
end

--- Release a run that holds since its device was lost, as a person would.
local function release_if_found(one)
  local _, found = harness.output_of(one.process):gsub("answers again", "")
  if found > (one.found or 0) then device.release(one) end
end

--- One run of `length` s with stalls; returns its figures and the number of stalls of the process.
local function run_with_stalls(t, length)
  local robot, count = device.start(t), 0
  local words = device_faults(length)
  words[#words + 1], words[#words + 2] = "--for", length
  local one = device.run(t, robot, table.unpack(words))
  while not harness.has_ended(one.process) do
    harness.sleep(0.3 + 0.6 * math.random()) -- between two stalls
    injections.standstill(one.process, stall())
    count = count + 1
    release_if_found(one)
  end
  local code, text = harness.wait(one.process)
  t:check(code == 0 or code == 3, "exit code %s: %s", tostring(code), text)
  robot:finish()
  device.whole(t, one)
  device.ends_at_rest(t, robot:frames(), "stalls")
  t:check(device.moved(robot:frames(), 1) > 0.1, "it moved")
  return judge.measure(robot:frames(), device.limits), count
end

test("stalls of 5 to 3,000 ms at random: the limits are kept, from rest after each", function(t)
  local left, stalls, gaps, worst = seconds, 0, 0, { speed = 0, acceleration = 0 }
  while left > 0 do
    local made, count = run_with_stalls(t, math.min(left, longest))
    left, stalls, gaps = left - longest, stalls + count, gaps + made.gaps
    worst.speed = math.max(worst.speed, made.speed)
    worst.acceleration = math.max(worst.acceleration, made.acceleration)
    t:check(judge.keeps(made, judge.always), "%s, at %.3f s of joint %d", judge.described(made),
      made.worst.at, made.worst.joint)
  end
  print(("# %d stalls, %d gaps over 20 ms: %s"):format(stalls, gaps, judge.described(worst)))
end)

harness.done()
