---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/lua_solver.c by scripts/docs.lua.

---@class brio.solver
local solver = {}

---Makes a solver; the robot starts in its neutral pose, and its limits are those it has now.
---Options: `backend` ("gauss_newton" or "nlopt"), `lively_losses` (costs exactly as Lively's), `seed`
---(of the noise), `max_iterations`, `max_objectives`, `max_shapes`, `collision_range` (m). For a robot with
---more than 1,000 numbers that move, or too many pairs of its own shapes (250,000): nil, why, "limit".
---@param robot brio.robot
---@param options? table
---@return brio.solver # solver
function solver.new(robot, options) end

---Adds an objective under a key of its own, with weight 0. The handle, a whole number, may stand for
---the key in `goal`, `weight` and `remove`, and is faster.
---@param key string
---@param kind string
---@param arguments? any
---@return integer # handle
function solver:add(key, kind, arguments) end

---Removes an objective.
---@param key string
function solver:remove(key) end

---Asks for a goal, approached with the time constant `tau` (s; without: at once). A translation or size
---is {x, y, z}, a rotation {x, y, z, w}, a scalar a number; `solver.goals()` shows all.
---@param key string
---@param value any
---@param tau? number
function solver:goal(key, value, tau) end

---Asks for a weight of at least 0, approached with the time constant `tau` (s; without: at once);
---after five time constants it is there. 0 switches the objective off.
---@param key string
---@param weight number
---@param tau? number
function solver:weight(key, weight, tau) end

---What the solver is asked for: weight now and where it goes, unweighted cost at the last solution, and
---the goal now.
---@return table # list of {key, kind, handle, weight, target, cost, goal}
function solver:objectives() end

---Finds the pose for `time` (s), `dt` (s) after the last, and takes it into history. `joints` is a table of
---values by name; `status` is "converged", "cut" (iterations used up) or "held" (nothing better was
---found); `distance` (m) is the smallest of all watched pairs, absent where there are none.
---@param time number
---@param dt number
---@return table # {joints, base, cost, status, iterations, evaluations, distance}
function solver:solve(time, dt) end

---Where all links are in the world, at the last solution.
---@return table # {[link] = pose}
function solver:frames() end

---The robot's centre of mass in the world (m), at the last solution.
---@return number[] # {x, y, z}
function solver:center_of_mass() end

---Forgets history: the robot stands still as {base = pose, joints = {name = value}} says (without:
---neutral), noise starts anew, and with `zero_weights` every weight is 0.
---@param configuration? any
---@param zero_weights? boolean
function solver:reset(configuration, zero_weights) end

---Tightens `lower` and `upper` (rad or m), `velocity` and `acceleration` of a variable from the next solve
---on, within what they were when the solver was made; what is left out is as it was then. Where the
---variable is beyond them it is brought in within its acceleration. Raises when they are looser.
---@param variable string
---@param limits table
function solver:set_limits(variable, limits) end

---Puts a shape in the way, in the world or fixed to `link`; a key in use is replaced. `size` is
---{x, y, z} in m (box: full lengths; sphere: {radius, 0, 0}; capsule and cylinder: {radius, 0,
---length}); a hull has `points`. With `physical = false` it is watched, never avoided.
---@param key string
---@param fields table
function solver:shape(key, fields) end

---Moves a shape, in the world or in the link it is fixed to.
---@param key string
---@param pose table
function solver:move_shape(key, pose) end

---Takes a shape out of the way.
---@param key string
function solver:remove_shape(key) end

---The watched pairs at the last solution: names of link or shape, distance (m, negative: depth) and where
---they are nearest (world). Pairs beyond the range have only a distance, which is a lower bound.
---@return table # list of {a, b, distance, physical [, point_a, point_b, normal]}
function solver:proximity() end

---The pairs of the robot's own links that are watched against each other.
---@return table # list of {link, link}
function solver:self_pairs() end

---All objectives there are. `params` lists {name, unit, doc, type ("number", "link", "joint", "flag" or
---"vector"), optional, [default, lower, upper]}; `goal` names the kind of goal it takes; `kinks` says where the
---slope of its cost jumps, `differs` how it differs from Lively's beside the loss.
---@return table # list of {name, doc, category, example, params, loss, lively_loss [, goal, kinks, differs]}
function solver.kinds() end

---All kinds of goals there are, with how one is written.
---@return table # list of {name, doc, example}
function solver.goals() end

---All losses there are: how the squared length of an objective's residual becomes cost.
---@return table # list of {name, doc}
function solver.losses() end

return solver
