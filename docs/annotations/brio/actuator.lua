---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/drivers/lua_actuator.c by scripts/docs.lua.

---@class brio.actuator
local actuator = {}

---Every device family; settings are lists of {name, unit, doc, default, lower, upper},
---texts, which are set like settings, of {name, doc, default}. `watchdog`: it has a watchdog that brio sets;
---`when_silent`: what the device does without commands; `open_loop`: its reports are its commands; `senses`:
---it may have inputs; `torques`: its motors may control their torque.
---@return table # list of {name, alias, doc, simulated, watchdog, open_loop, senses, torques, when_silent, settings, texts}
function actuator.drivers() end

---One device family, as in actuator.drivers: of that name, in the shared object at that path (with a / in
---it), or written in Lua in the file at that path (ending in .lua).
---@param name string
---@return table? # {name, alias, doc, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function actuator.driver(name) end

---Opens a device: driver is a family's name ("simulator", or "sim"), axes a list of {name =,
---lower =, upper =, velocity =, acceleration =, start =, step = (resolution of reported positions; 0), grip =
---(it closes a hand)}, groups lists of axes' names by name, settings the driver's by name, world the
---simulated world of a simulator; devices, motors, couplings and gains as in a robot's file
---(docs/devices/robots.md), for several devices, or motors in units of their own; impedances {axis =
---{stiffness =, damping =, limit =}} of axes whose motors control their torque; inputs a list of {name =,
---device =, line =, width = 1 or 10, panic = 1 or -1}.  A device's failure returns nil, sentence, code.
---@param fields table
---@return brio.actuator # actuator
function actuator.open(fields) end

---Sets the target of an axis (rad, m or 1), clamped to its limits, if a value is given; returns the target.
---While a run moves the robot, joints of the kinematic tree belong to the solver and cannot be set here.
---@param name string
---@param value? any
---@return number # value
function actuator:target(name, value) end

---Sets several targets: all of them, or none if one is invalid.
---@param fields table
function actuator:targets(fields) end

---The state of an axis: its report and its command; valid is false if the report is out of date.
---Some devices also report load (share of the greatest torque), current (A), temperature (degrees Celsius),
---voltage (V), torque (N m or N, of the motor on its joint).
---@param name string
---@return table # {position, velocity, target, command, valid, enabled, [load, current, temperature, voltage, torque]}
function actuator:state(name) end

---The state of every axis.
---@return table # {name = state, ...}
function actuator:states() end

---The last command of every axis, in the order of actuator:axes(); a given list is filled again.
---@param list? table
---@return table # list
function actuator:commands(list) end

---The range of an axis and its greatest velocity and acceleration; math.huge: no limit. motor_lower and
---motor_upper: the range of its motor, if that is smaller; the axis stops there.
---@param name string
---@return table # {lower, upper, velocity, acceleration, motor_lower, motor_upper}
function actuator:limits(name) end

---Tightens `lower`, `upper`, `velocity` and `acceleration` of an axis, within those at opening; a missing
---field is reset to its value then. The axis moves into its new range within these limits. A joint of the
---kinematic tree is moved there by the solver, which has limits of its own (see solver:set_limits), and its
---new range takes effect here once it is inside.
---@param name string
---@param limits table
function actuator:set_limits(name, limits) end

---The known values of the devices' inputs: a number, or of an IMU {acceleration, rate, orientation}.
---@return table # {name = value, ...}
function actuator:inputs() end

---The names of all axes, in the device's order.
---@return table # list of names
function actuator:axes() end

---The named groups of axes.
---@return table # {name = list of names, ...}
function actuator:groups() end

---Enables an axis, or disables it with false.
---@param name string
---@param enabled? boolean
function actuator:enable(name, enabled) end

---Switches on the motors of enabled axes, so that they hold their positions, and switches off the others, if
---the devices can. A run does this when it is armed. A device's failure returns nil, sentence, code.
---@return boolean # true
function actuator:power() end

---Moves towards the targets for dt seconds (at most 60): writes, steps a simulator, reads.
---A device's failure returns nil, sentence, code.
---@param dt number
---@return boolean # true
function actuator:step(dt) end

---Whether all devices are simulated.
---@return boolean # true or false
function actuator:simulated() end

---Whether all devices are brio's own simulators, whose reports depend on their commands only.
---@return boolean # true or false
function actuator:repeats() end

---The device's newest failure (nil: none yet) and the number of failures.
---@return string # sentence, count
function actuator:error() end

---Injects a fault into devices: "drop 2% of neck", "unplug arm at 2 for 3"; `brio drivers` lists
---the kinds. Before a run begins. It affects a device, a group, an axis or all; at and for are in seconds of
---the device's time.
---@param sentence any
---@return boolean # true
function actuator:fault(sentence) end

---The kinds of faults that can be injected.
---@return table # list of {name, unit, doc, example}
function actuator.faults() end

---Closes the devices and keeps the rest. A driver that does not return within 5 s is abandoned: nil,
---sentence, code.
---@return boolean # true
function actuator:shut() end

---Closes and frees the actuator; closing again has no effect. A driver that does not return within 5 s is
---abandoned: nil, sentence, code.
---@return boolean # true
function actuator:close() end

return actuator
