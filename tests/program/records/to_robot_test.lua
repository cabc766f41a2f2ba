--- `brio replay RUN --to-robot`: recorded commands on the simulator.
package.path = arg[0]:match "^(.*)/[^/]*$" .. "/../?.lua;" .. package.path
local harness = require "harness"

local folder = harness.files.temporary()
local store = folder .. "/runs.db"
local made = harness.brio("run", "behaviors/kiosk.lua", "--robot", "pepper", "--for", "8", "--clock", "fast",
  "--store", store)
assert(made.code == 0, made.text)

local function replay(...) return harness.brio("replay", "1", "--store", store, ...) end

harness.test("commands are looked at, approached and played", function(t)
  local run = replay("--to-robot", "--clock", "fast", "--from", "5", "--to", "7.5", "--rest")
  t:code(run, 0)
  t:has(run.out, "~run 1: 2.50 s of commands for 20 DOFs of pepper, %d+ of which move")
  t:has(run.out, "~played 2.50 of 2.50 s; commands at most 0%.00%d+ off the recorded path")
end)

harness.test("a preview moves nothing, and what cannot be is said", function(t)
  local run = replay("--to-robot", "--preview")
  t:code(run, 0)
  t:equal(run.out:find "played", nil, "played")
  for _, case in ipairs {
    { 2, "--slow goes with --to-robot", "--slow" },
    { 2, "--for does not go with --to-robot; --to SECOND ends the motion", "--to-robot", "--for", "2" },
    { 1, "panda has none of the DOFs", "--to-robot", "--robot", "panda" },
    { 1, "no DOF 'HeadYau'", "--to-robot", "--dof", "HeadYau" },
    { 2, "--clock must be", "--to-robot", "--clock", "slow" },
    { 1, "there is no driver 'dinamixel' (did you mean 'dynamixel'?)", "--to-robot", "--driver", "dinamixel",
      "--clock", "fast" },
  } do
    local refused = replay(table.unpack(case, 3))
    t:code(refused, case[1])
    t:has(refused.err, case[2])
  end
end)

harness.test("a person stops it, and it comes to rest", function(t)
  local process = harness.start_brio("replay", "1", "--store", store, "--to-robot")
  harness.ready(process)
  harness.sleep(0.5) -- it is stopped somewhere on its way
  harness.signal(process, "INT")
  local code, text = harness.wait(process)
  t:equal(code, 0, "exit code")
  t:has(text, "~stopped after [%d.]+ of 9%.%d+ s")
end)

harness.files.remove(folder)
harness.done()
