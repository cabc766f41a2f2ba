---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/runtime/lua_engine.c by scripts/docs.lua.

---@class brio.engine
local engine = {}

---Put an engine together.  `work` does the scripts' part of a tick and returns false when the
---run is over; `slack` is called after each tick with the seconds it may take, `idle` a few times a
---second after it; `budget` is the CPU time in
---seconds that `work` may take (0: no end); `motor` is a table of the motor side's options: rate (Hz),
---armed, on_loss ("stop" or "go_on"), silence (s), filters ({axis = {stages =, tau =}}), interlocks (a list
---of {kind =, watched =, limited =, ...}), watch ({condition = {limit =, after =, reaction =}}); `rest` is
---{axis = value}, where the robot goes at the end of a run; `player` (brio.player) plays tracks on the
---actuator's axes, and `stage` is called with the number of a stage of its combination that is due; `world`
---(brio.world) is the simulated world that the robot's hands reach into.; `feeds` (brio.feed.group) are taken
---into the scene in each tick; `tape` (brio.tape) notes what comes in, or is read back.
---@param fields table
---@return brio.engine # engine
function engine.new(fields) end

---Do one tick, a period of robot time after the last; false: the run is over.
---@return any # goes_on
function engine:tick() end

---Do a tick of a run whose tape is read back, and what was done in the slack after it; false: the run is
---over.
---@return any # goes_on
function engine:again() end

---Tick until the scripts say it is over; after `seconds` (0: never), or at an interrupt, they are
---asked to stop.  With `fast` as quickly as the machine allows.
---@param seconds number
---@param fast any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function engine:run(seconds, fast) end

---Ask for the end of the run.
---@param why string
function engine:stop(why) end

---Why the run should end: "time", "signal", "operator" or "script"; "" while it should go on.
---@return string # text
function engine:stopping() end

---Tells the motor side: "hold" (slow down along the path, and rest), "go_on" (also after a fault), "relax"
---(rest, then let go), "panic" (brake at once, and hold), "release" (from a panic, and all else), "arm",
---"disarm" (rest, then tell the motors nothing). It takes effect within a period of the motors.
---@param word any
function engine:order(word) end

---Lets motors count otherwise, as options.motors says in the way of brio.actuator.open. Each device is opened
---anew. Refused (misuse) while the motors are armed.
---@param options table
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function engine:remap(options) end

---Whether the motor side has threads or devices of its own, so that what is seen of it goes on the tape;
---known from the first tick on.
---@return boolean # true or false
function engine:lives() end

---The next thing that happened on the motor side: a device that was lost, an alarm, a panic, ...
---@return table? # {name, severity, text, time} or nil
function engine:motor_event() end

---How the motor side goes: armed, rests, silent, threaded, realtime, memory_locked, held_by (a list:
---"person", "fault", "panic", "relax", "disarm"), waits (for a device that is late: that passes); periods
---done and lost; poses taken, stale (worked out from elsewhere), refused, clamped, dropped (they could not be
---followed), stretched; ticks of braking that were put in because no pose came (braked), periods off the path
---through the poses (tracked); late_p50_us, late_p99_us, late_max_us; call_p50_us, call_p99_us, call_max_us
---(from a tick's handing over to the driver's call), and of that call_wait (until the motors' next period),
---call_work (in it) and call_wake (until the device's thread runs), each {p50_us, p99_us}; devices, a list of
---{name, driver, lost, rate, exchanges, failures, losses, words, error, where there are threads slowest_ms
---and typical_ms (of a cycle), where the driver counts retries, timeouts, refused, strays}.
---@return any # table
function engine:motors() end

---How the run went so far: ticks, late_ticks, time (s), tick_p50_us, tick_p99_us, tick_max_us,
---first_tick (s of the monotonic clock), commands (hex digest of every command), resident_kb, rest (where
---there is a pose to rest in at the end, what became of it: "there", "disarmed", "held", "blocked",
---"interrupted", "late"), and stages: a list {name, p50_us, p99_us, max_us, total_ms} of CPU times, in the
---tick's order: sense, scripts, solve, command, record (with a store), and the slack after it.
---@return any # table
function engine:report() end

---Let go of the engine and its parts.
function engine:close() end

return engine
