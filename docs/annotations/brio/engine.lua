---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/runtime/lua_engine.c by scripts/docs.lua.

---@class brio.engine
local engine = {}

---Create an engine.  `work` does the scripts' part of a tick and returns false at the end of the run; `slack`
---is called after each tick with the seconds it may take, `idle` a few times a second after it; `budget` is
---the CPU time in seconds that `work` may take (0: no end); `motor` is a table of the motor side's options:
---rate (Hz), armed, on_loss ("stop" or "go_on"), silence (s), filters ({axis = {stages =, tau =}}),
---interlocks (a list of {kind =, watched =, limited =, ...}), watch ({condition = {limit =, after =, reaction
---=}}), gravity (a list of axes that control their torque and carry their weight), collisions ({thresholds =
---{axis = N m}, gain, filter, time, release, reaction}); `rest` is {axis = value}, the pose at the end of a
---run; `player` (brio.player) plays tracks on the actuator's axes, and `stage` is called with the number of a
---script's stage of its combination; `world` (brio.world) is the simulated world of the robot's hands;
---`feeds` (brio.feed.group) update the scene in each tick; `tape` (brio.tape) notes the inputs, or replays
---them.
---@param fields table
---@return brio.engine # engine
function engine.new(fields) end

---Do one tick, a period of robot time after the last; false: the run has ended.
---@return any # goes_on
function engine:tick() end

---Replay a tick of the tape, and the work in the slack after it; false: the run has ended.
---@return any # goes_on
function engine:again() end

---Tick until the scripts end the run; after `seconds` (0: never), or at an interrupt, they are requested to
---stop.  With `fast` as quickly as the machine allows.
---@param seconds number
---@param fast any
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function engine:run(seconds, fast) end

---Request the end of the run.
---@param why string
function engine:stop(why) end

---The reason why the run should end: "time", "signal", "operator", "script" or "physics"
---(the simulation has stopped); "": none.
---@return string # text
function engine:stopping() end

---Commands the motor side: "hold" (slow down along the path, and rest), "go_on" (also after a fault), "relax"
---(rest, then release the motors), "panic" (brake at once, and hold), "release" (from a panic, and all other
---causes), "arm", "disarm" (rest, then send the motors no commands). It takes effect within a period of the
---motors.
---@param word any
function engine:order(word) end

---Changes the mappings of motors to options.motors, as in brio.actuator.open. Each device is opened again.
---Refused (misuse) while the motors are armed.
---@param options table
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function engine:remap(options) end

---Asks for the impedances of axes whose motors control their torque (`control` in the robot's file), from the
---next pose on: stiffness and damping up to those of the file, which they are without a word (N m/rad, N m
---s/rad; of slides N/m, N s/m), and a feed-forward torque (N m or N; 0), which is added to the weight and
---bounded by the limit of the file. Raises on a position servo or a number out of range.
---@param fields table
function engine:impede(fields) end

---Whether the motor side has threads or devices of its own, so that its reports go on the tape;
---known from the first tick on.
---@return boolean # true or false
function engine:lives() end

---The next event of the motor side: a lost device, an alarm, a panic, a collision (with its axis, and N m or
---N), ...
---@return table? # {name, severity, text, time, [axis, torque, threshold]} or nil
function engine:motor_event() end

---The status of the motor side: armed, rests, silent, threaded, realtime, memory_locked, held_by (a list:
---"person", "fault", "panic", "relax", "disarm"), waits (for a late device); periods done and lost; poses
---taken, stale (computed from another path), refused, clamped, dropped (they could not be followed),
---stretched; ticks of braking that were inserted since no pose came (braked), periods off the path through
---the poses (tracked); late_p50_us, late_p99_us, late_max_us; call_p50_us, call_p99_us, call_max_us (from a
---tick's handing over to the driver's call), and of that call_wait (until the motors' next period), call_work
---(in it) and call_wake (until the device's thread runs), each {p50_us, p99_us}; devices, a list of
---{name, driver, lost, rate, exchanges, failures, losses, words, error, with threads slowest_ms and
---typical_ms (of a cycle), with a driver that counts retries, timeouts, refused, strays}; where they are
---watched for, collisions so far, and the present one: collision, {axis, torque, threshold}.
---@return any # table
function engine:motors() end

---Let clients of a front (brio.front) request frames of the positions of all axes.
---@param front any
function engine:show(front) end

---The statistics of the run so far: ticks, late_ticks, time (s), tick_p50_us, tick_p99_us, tick_max_us,
---first_tick (s of the monotonic clock), commands (hex digest of every command), resident_kb, rest (the
---result of going to the pose of rest at the end, if there is one: "there", "disarmed", "held", "blocked",
---"interrupted", "late"), and stages: a list {name, p50_us, p99_us, max_us, total_ms} of CPU times, in the
---tick's order: sense, scripts, solve, command, record (with a store), and the slack after it.
---@return any # table
function engine:report() end

---Free the engine and release its parts.
function engine:close() end

return engine
