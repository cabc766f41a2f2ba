---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/drivers/lua_actuator.c by scripts/docs.lua.

---@class brio.actuator
local actuator = {}

---`when_silent`: what the device does when it hears nothing any more; `open_loop`: what it reports is what it
---was told; `senses`: it may have inputs.
---@return table # list of {name, alias, doc, simulated, watchdog, open_loop, senses, when_silent, settings, texts} Every device family; settings are lists of {name, unit, doc, default, lower, upper}, texts, which are set like settings, of {name, doc, default}. `watchdog`: it has one that is armed;
function actuator.drivers() end

---One device family, as in actuator.drivers: of that name, in the shared object at that path (with a / in
---it), or written in Lua in the file at that path (ending in .lua).
---@param name string
---@return table? # {name, alias, doc, ...} | nil, sentence, code
---@return string? sentence
---@return string? code
function actuator.driver(name) end

---Opens a device: driver is a family's name ("simulator", or "sim"), axes a list of {name =,
---lower =, upper =, velocity =, acceleration =, start =, step = (to which reported positions are rounded; 0),
---grip = (it shuts a hand)}, groups lists of axes' names by name, settings
---the driver's by name, world what a simulator watches; devices, motors, couplings and gains as in a robot's
---file (docs/devices/robots.md), where there are several devices or motors do not count as their axes do;
---inputs a list of {name =, device =, line =, width = 1 or 10, panic = 1 or -1}.  A device's failure returns
---nil, sentence, code.
---@param fields table
---@return brio.actuator # actuator
function actuator.open(fields) end

---Sets where an axis should go (rad, m or 1), clamped to its limits, if a value is given;
---returns where it should go. While a run moves the robot, joints of the kinematic tree belong to
---the solver and cannot be set here.
---@param name string
---@param value? any
---@return number # value
function actuator:target(name, value) end

---Sets several targets: all of them, or none when one is wrong.
---@param fields table
function actuator:targets(fields) end

---that know them also report load (share of the greatest torque), current (A), temperature (degrees Celsius),
---voltage (V).
---@param name string
---@return table # {position, velocity, target, command, valid, enabled, [load, current, temperature, voltage]} What an axis reports and what it is told; valid is false where the report is not fresh. Devices
function actuator:state(name) end

---The state of every axis.
---@return table # {name = state, ...}
function actuator:states() end

---What every axis was told last, in the order of actuator:axes(); a list that is given is filled again.
---@param list? table
---@return table # list
function actuator:commands(list) end

---Where an axis ends and its greatest velocity and acceleration; math.huge: no limit.
---@param name string
---@return table # {lower, upper, velocity, acceleration}
function actuator:limits(name) end

---Tightens `lower`, `upper`, `velocity` and `acceleration` of an axis, within what they were at opening; what
---is left out is as it was then. It moves there within them; a joint of the kinematic tree is led there by
---the solver, whose limits are its own (see solver:set_limits), and its range counts here as soon as it is
---within.
---@param name string
---@param limits table
function actuator:set_limits(name, limits) end

---What devices sense besides their axes, where it is known: a number, or of an IMU {acceleration, rate,
---orientation}.
---@return table # {name = value, ...}
function actuator:inputs() end

---The names of all axes, in the device's order.
---@return table # list of names
function actuator:axes() end

---The named groups of axes.
---@return table # {name = list of names, ...}
function actuator:groups() end

---Lets the device move an axis (or, with false, leaves it alone).
---@param name string
---@param enabled? boolean
function actuator:enable(name, enabled) end

---Lets the motors of axes that are enabled hold their places and others go limp, where the devices can. A run
---does this by itself when it is armed. A device's failure returns nil, sentence, code.
---@return boolean # true
function actuator:power() end

---Moves towards the targets for dt seconds (at most 60): writes, lets a simulator run, reads.
---A device's failure returns nil, sentence, code.
---@param dt number
---@return boolean # true
function actuator:step(dt) end

---Whether no hardware moves.
---@return boolean # true or false
function actuator:simulated() end

---Whether all devices are brio's own simulators: what they report follows from what they are told.
---@return boolean # true or false
function actuator:repeats() end

---The device's newest failure (nil: none yet) and how many there were.
---@return string # sentence, count
function actuator:error() end

---Strikes devices with a fault on purpose: "drop 2% of neck", "unplug arm at 2 for 3"; `brio drivers` lists
---the kinds. Before a run begins. Of a device, a group, an axis or all; at and for are in seconds of the
---device's time.
---@param sentence any
---@return boolean # true
function actuator:fault(sentence) end

---The kinds of faults that devices can be struck with.
---@return table # list of {name, unit, doc, example}
function actuator.faults() end

---Closes the devices and keeps the rest. A driver that does not return within 5 s is left behind: nil,
---sentence, code.
---@return boolean # true
function actuator:shut() end

---Gives the device back; closing again does nothing. A driver that does not return within 5 s is left behind:
---nil, sentence, code.
---@return boolean # true
function actuator:close() end

return actuator
