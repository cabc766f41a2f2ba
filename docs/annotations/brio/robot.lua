---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/robot/lua_robot.c by scripts/docs.lua.

---@class brio.robot
local robot = {}

---Reads a URDF file, or an MJCF file (MuJoCo's). Options: `packages` (folders in which `package://` is
---searched), `base` ("fixed", "bounded" or "free"), `base_center` (pose), `base_range` (6 numbers: +- m,
---+- rad), `independent_mimic` (mimic joints become independent), `stands_on` (a link's name: if the robot
---has it, it is the root of the tree instead of the file's root).
---@param path string
---@param options? table
---@return brio.robot? # robot | nil, sentence, code
---@return string? sentence
---@return string? code
function robot.load(path, options) end

---Reads the text of a URDF or an MJCF; `name` stands for its file in messages and for relative paths of
---meshes.
---@param text string
---@param name string
---@param options? table
---@return brio.robot? # robot | nil, sentence, code
---@return string? sentence
---@return string? code
function robot.parse(text, name, options) end

---The name in the file.
---@return string # text
function robot:name() end

---The file that it was read from.
---@return string # text
function robot:file() end

---The mass of all links, kg.
---@return number # number
function robot:mass() end

---A digest of the file's text, 16 hexadecimal digits: equal text, equal digest.
---@return string # text
function robot:hash() end

---The variables, in order: name, joint, lower, upper (rad or m), velocity, acceleration, effort
---(the greatest; math.huge if unknown), circular, angular. During a run the limits are the current ones.
---@return table # list of tables
function robot:variables() end

---Narrows `lower` and `upper` (rad or m) and sets the greatest `velocity` and `acceleration`;
---missing fields do not change. Raises when a range would grow.
---@param variable string
---@param limits table
function robot:set_limits(variable, limits) end

---Says that a variable shuts a hand: it is used at the ends of its range, so joint_limits leaves it out.
---@param variable string
function robot:set_grip(variable) end

---Limits the speed of all points of the robot to `speed` (m/s; math.huge: no limit) in solvers created from
---now on. Returns the greatest lever of each variable: name = m for each unit of it.
---@param speed any
---@return any # table
function robot:set_point_speed(speed) end

---The mass of all links that some joint moves, kg.
---@return number # number
function robot:moving_mass() end

---Notes the current limits of a variable for robot:variables(), for callers that tighten the limits of a
---running solver. Missing fields are the robot's own.
---@param variable string
---@param limits table
function robot:note_limits(variable, limits) end

---The base at home, every variable 0, or in the middle of its range where 0 is outside.
---@return any # configuration
function robot:neutral() end

---Forward kinematics: `links` (poses in the world by link name) and `com` (centre of mass, m).
---@param configuration any
---@return any # table
function robot:forward(configuration) end

---The centre of mass in the world, m.
---@param configuration any
---@return number[] # {x, y, z}
function robot:center_of_mass(configuration) end

---The Jacobian of a point of a link (in its frame, m; default: its origin): rows of linear then angular
---velocity in world axes, columns for the base (3 linear, 3 angular) and then each variable.
---@param configuration any
---@param link string
---@param point? table
---@return table # list of 6 rows
function robot:jacobian(configuration, link, point) end

---The names of all links, parents before children, the root first.
---@return table # list of texts
function robot:links() end

---name, parent and joint (absent for the root), mass (kg), com (centre of mass in the link, m),
---inertia (about it: xx xy xz yy yz zz, kg m^2).
---@param name string
---@return any # table
function robot:link(name) end

---The names of all joints, in the order of the file.
---@return table # list of texts
function robot:joints() end

---name, type, parent, child, origin (pose in the parent), axis (in the joint), damping, friction, armature
---(inertia of the rotor behind the gear, kg m^2 or kg), stiffness (of a spring, N m/rad or N/m), springref
---(where that rests, rad or m), variables (names of what moves it), mimic ({joint, multiplier, offset},
---absent without).
---@param name string
---@return any # table
function robot:joint(name) end

---The shapes for collisions: name, link, pose (in the link), kind ("sphere", "capsule", "box",
---"cylinder", "hull"), size (m, by kind), corners (how many a hull has), points (a hull's corners,
---m, in the shape's frame), mesh (its file, absent without).
---@return table # list of tables
function robot:collisions() end

---The shapes for drawing, with the fields of `collisions`.
---@return table # list of tables
function robot:visuals() end

---What closes loops of the robot, which kinematics and the solver leave open: name, type ("point": the
---origins of both frames are one point; "pose": both frames are one), links (the names of two), frames (a
---pose in each of them).
---@return table # list of tables
function robot:loops() end

---The links that the file lets touch each other: links (the names of two). The solver does not keep them
---apart.
---@return table # list of tables
function robot:excludes() end

---The configurations that the file names (key frames of an MJCF): name, base, joints.
---@return table # list of tables
function robot:poses() end

---Warnings about the file: sentences with file and line.
---@return table # list of texts
function robot:warnings() end

return robot
