---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/dynamics/lua_dynamics.c by scripts/docs.lua.

---@class brio.dynamics
local dynamics = {}

---@class brio.dynamics.observer
local observer = {}

---@class brio.dynamics.stance
local stance = {}

---A workspace for a robot of `brio.robot`. `armature`: inertia of rotors, {variable = kg m^2, or kg}; without
---it, what the robot's file has; `damping`: {variable = N m s/rad, or N s/m}, or "file" for what the robot's
---file has; without it, none; `gravity`: {x, y, z}, m/s^2 (0, 0, -9.81). Variables that a table leaves out
---have 0.
---@param robot brio.robot
---@param fields? table
---@return brio.dynamics # dynamics
function dynamics.new(robot, fields) end

---Inverse dynamics: the forces that make the robot accelerate so. Without acceleration: what velocity and
---gravity ask for; without velocity, too: the torques that hold the robot up.
---@param configuration any
---@param velocity? any
---@param acceleration? any
---@return any # forces
function dynamics:inverse(configuration, velocity, acceleration) end

---Forward dynamics: how the robot accelerates under these forces and gravity. Raises where a variable
---moves no mass.
---@param configuration any
---@param velocity? any
---@param forces? any
---@return any # acceleration
function dynamics:forward(configuration, velocity, forces) end

---The forces of springs and dampers in the robot's file: add them to those of `forward` and `constrained`.
---Dampers are left out where `new` got `damping`: they are counted there.
---@param configuration any
---@param velocity? any
---@return any # forces
function dynamics:passive(configuration, velocity) end

---The mass matrix: kg, kg m and kg m^2.
---@param configuration any
---@return table # list of rows
function dynamics:mass_matrix(configuration) end

---`mass` (kg), `com` (center of mass, m), `com_velocity` (m/s), `linear` (kg m/s) and `angular` (about the
---center of mass, kg m^2/s) momentum, `force` (N) and `moment` (N m): their rates without acceleration and
---gravity; `matrix`: 6 rows, momentum = matrix x velocity; its first three rows divided by `mass` are the
---Jacobian of the center of mass. World axes.
---@param configuration any
---@param velocity? any
---@return any # table
function dynamics:momentum(configuration, velocity) end

---Energies, J; the potential one is 0 with the center of mass in the world's origin.
---@param configuration any
---@param velocity? any
---@return any # kinetic, potential
function dynamics:energy(configuration, velocity) end

---A point of a link (in its frame, m; its origin): `position` (m), `linear` and `angular` velocity (m/s,
---rad/s), `linear_drift` and `angular_drift` (m/s^2, rad/s^2: their rates where nothing accelerates),
---`jacobian` and `rate`, its time derivative: 6 rows each. World axes.
---@param configuration any
---@param velocity any
---@param link string
---@param point? table
---@return any # table
function dynamics:point(configuration, velocity, link, point) end

---How the forces of `inverse` change: `by_configuration` and `by_velocity`, a row for each force. The
---columns of a configuration are displacements as in velocities: the base along and about world axes, then
---each variable. By acceleration it is the mass matrix.
---@param configuration any
---@param velocity? any
---@param acceleration? any
---@return any # table
function dynamics:inverse_derivatives(configuration, velocity, acceleration) end

---`acceleration` as of `forward`, and how it changes: `by_configuration`, `by_velocity`, `by_forces`, a
---row for each acceleration.
---@param configuration any
---@param velocity? any
---@param forces? any
---@return any # table
function dynamics:forward_derivatives(configuration, velocity, forces) end

---Forward dynamics of a robot that is held. A constraint is {link, frame, to, at, rigid, stiffness,
---damping}: `frame` (pose in `link`; its origin) is held where `at` is, a pose in link `to`, or in the
---world without `to`; with `rigid` its orientation, too. `stiffness` (1/s^2; 0) and `damping` (1/s; 0)
---pull a gap to 0. The list may have a field `loops`: true, or {stiffness, damping}; what closes loops in
---the robot's file is then held, too, after the others. Returns the acceleration; `force` (N) and, if
---rigid, `moment` (N m) on each constraint's link at its frame, world axes; and `rows`, `iterations` and
---`residual` (m/s^2 or rad/s^2: above 1e-6 the constraints contradict each other). Constraints may repeat
---each other: the least forces are found.
---@param configuration any
---@param velocity any
---@param forces any
---@param constraints any
---@return any # acceleration, list, table
function dynamics:constrained(configuration, velocity, forces, constraints) end

---The velocity just after constraints begin to hold at once, as when a foot strikes the ground and stays; the
---impulses (`force` N s, `moment` N m s) of each, and a table as of `constrained` (m/s, rad/s).
---@param configuration any
---@param velocity any
---@param constraints any
---@return any # velocity, list, table
function dynamics:impact(configuration, velocity, constraints) end

---A momentum observer (De Luca and Mattone): external forces from torques and motion, without force sensors
---and accelerations. `gain` (1/s; 25): the residual is a low-pass of the external forces with the time
---constant 1 / gain. `held`: the forces of an update have acted since the one before, as held commands do;
---else they are those of the moment, as a sensor gives them. `max_gap` (s; 0.1): after a longer time without
---an update the observer begins again. `thresholds` (N m, or N for a slide): a number for all variables, or
---{variable = number}; others are not watched. `filter` (s; 0): time constant of a low-pass before the
---comparison with thresholds; `time` (s; 0): how long a threshold must be exceeded for a collision; `release`
---(0.7): below this share of the threshold the collision ends.
---@param fields? table
---@return brio.dynamics.observer # observer
function dynamics:observer(fields) end

---Takes in what was measured `dt` seconds after the update before (of any length; in the first one it does
---not count), and returns the residual: the estimated external forces. `forces` are all that are known:
---motors and, where they matter, `passive` and friction; on a free base also what feet carry, else the
---residual's force and moment have it. Raises where a number is not finite or `dt` is not above 0; nothing
---has changed then.
---@param configuration any
---@param velocity any
---@param forces any
---@param dt number
---@return any # forces
function observer:update(configuration, velocity, forces, dt) end

---The variables above their thresholds now: `joint`, `torque` (N m, or N: filtered, what the outside does),
---`threshold`, `since` (s: for how long it has been reported), `link` (what the joint carries: the force acts
---there or farther out) and `outermost` (no joint farther out on the same branch is in the list).
---@return table # list
function observer:collisions() end

---What acts at a point of a link (in its frame, m; its origin) if nothing acts elsewhere, by least squares:
---`force` (N) and `moment` (N m), world axes; `rank`: how many of its directions the joints can feel, in the
---others it is 0; `misfit` (N m): what of the residual it does not explain. With `force_only` true it has no
---moment, as where something is touched.
---@param link string
---@param point? table
---@param force_only? any
---@return any # table
function observer:wrench(link, point, force_only) end

---The standard deviation of the residual that white noise of measurements makes at rest with steps of `dt`
---(s): `velocity` and `forces` are standard deviations of what is measured. Six times that, and more than the
---error of the model, is a threshold that noise does not exceed.
---@param configuration any
---@param velocity any
---@param forces any
---@param dt number
---@return any # forces
function observer:noise(configuration, velocity, forces, dt) end

---Forgets everything: the residual is 0, and the next update begins again.
function observer:reset() end

---How many gaps there were: times longer than `max_gap` without an update.
---@return number # count
function observer:gaps() end

---Holds a robot with a free base on its feet. `contacts`: a list of {link =, point =} that stand on the
---ground (m, in the link; 32 at most). `friction` (0.6): what is relied on. `stiffness` (1/s^2; 40) and
---`damping` (1/s; 10) lead the centre of mass to where it belongs, `turn_stiffness` (60) and `turn_damping`
---(12) the base's rotation.
---@param fields table
---@return brio.dynamics.stance # stance
function dynamics:stance(fields) end

---Where the robot stands in a configuration: {com =, orientation =}, with the centre of mass over the middle
---of its contacts at its present height (m, world), and the base as it is turned (x, y, z, w).
---@param configuration any
---@return any # goal
function stance:here(configuration) end

---The torques of the joints, {joint = N m or N}, that have the ground push the robot to where it belongs, by
---forces within the contacts' cones of friction; and how it stands: `com`, `velocity` (m, m/s), `capture`
---(the point where it would have to step to come to rest, m), `press` (the centre of pressure that is wanted,
---m), `force` (N on the ground) and `misfit` (0 to 1: what of the wanted push no such forces give).
---@param configuration any
---@param velocity any
---@param goal table
---@return any # torques, report
function stance:torques(configuration, velocity, goal) end

return dynamics
