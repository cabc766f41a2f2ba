--- The motor side during a whole run, recorded at 200 Hz: its figures, in the order of motor.c.
---     build/brio lua scripts/bench/motors/motor_load.lua FILE WORLD STORE SECONDS
local runner = require "brio.runner"

local run = assert(runner.new { file = arg[1], world = arg[2], store = arg[3], clock = "real",
  robot = "pepper", reload = true })
assert(run:go(tonumber(arg[4])))
assert(run:close())
local m = run.report.motors
print(("%g %g %g %d %d %g %g %g %g %g %g"):format(m.late_p50_us, m.late_p99_us, m.late_max_us, m.periods,
  m.lost,
  m.call_p50_us, m.call_p99_us, m.call_max_us, m.call_wait.p99_us, m.call_work.p99_us, m.call_wake.p99_us))
