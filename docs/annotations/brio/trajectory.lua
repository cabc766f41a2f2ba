---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/dynamics/lua_trajectory.c by scripts/docs.lua.

---@class brio.trajectory
local trajectory = {}

---`problem`: `phases`, a list of {nodes, duration (s), stretch = {least, greatest} factor of the duration,
---contacts, impact = true where the contacts begin to hold at once and impulses change the velocity};
---`terms`, a list of {KIND, phase = number or "last", node = number or "last", ...} with the arguments of the
---kind, and of costs `weight` and `per` ("node" or "time"); `scheme` ("hermite_simpson" or "trapezoidal"),
---`motors` (names of the variables that have one; all), `limits` = {lower, upper, velocity, effort} by
---variable (the robot's), `stiffness` and `damping` (1/s^2, 1/s) by which contacts are pulled shut, `cycle` =
---{base = {x, y, z} (m), joints = {variable = rad or m}}: the motion repeats, its end is the beginning moved
---by that (with the backend "ipopt"). A contact: {link, point, at, sole = {length, width}, friction, torsion,
---grips}: a point of the link (or, with a sole, a pose) is held at a position (or pose, z along the normal)
---of the world.
---@param robot brio.robot
---@param problem any
---@return brio.trajectory # trajectory
function trajectory.new(robot, problem) end

---A first motion through a configuration for each node: velocities by differences, the torques that come
---nearest to the accelerations that follow.
---@param configurations any
---@return any # motion
function trajectory:guess(configurations) end

---Improve a motion. Options: `backend` ("structured" or "ipopt"), `iterations` and `seconds` at most,
---`tolerance` of constraints and `optimality` (scaled), `barrier` at the start (0.1; less to go on from a
---motion that is nearly good), `report`: a function that gets {iteration, cost, violation, optimality,
---barrier, step, seconds} after each iteration and may return false to cancel. The outcome has the same
---fields, and `finish`: "solved", "feasible" (constraints hold, the cost no longer falls), "stalled",
---"time" or "cancelled"; the motion is the best that was found.
---@param motion any
---@param options? table
---@return any # motion, outcome
function trajectory:solve(motion, options) end

---The cost of a motion, and of each kind of constraint that it breaks the worst place, worst first: a list of
---{what = "dynamics", "limits" or a term's name, violation (scaled), node, row}.
---@param motion any
---@return any # cost, faults
function trajectory:judge(motion) end

---What follows at a node: the acceleration, and the forces of its phase's contacts in turn, then of loops: a
---list of numbers (N; of soles then N m), three or six of each, world axes.
---@param motion any
---@param node any
---@return any # acceleration, forces
function trajectory:forces(motion, node) end

---The schemes of collocation: a list of {name, doc}.
---@return table # list
function trajectory.schemes() end

---The methods of `solve`: a list of {name, doc}.
---@return table # list
function trajectory.backends() end

---The costs and constraints: a list of {name, doc, cost, example, params}; params: a list of {name, unit,
---doc, type, needed, default}.
---@return table # list
function trajectory.terms() end

return trajectory
