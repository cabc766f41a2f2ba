---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/solver/lua_solver.c by scripts/docs.lua.

---@class brio.solver
local solver = {}

---Creates a solver; the robot starts in its neutral pose, with its current limits.
---Options: `backend` ("gauss_newton" or "nlopt"), `lively_losses` (costs exactly as Lively's), `seed`
---(of the noise), `max_iterations`, `max_objectives`, `max_shapes` (10,000), `max_distances` (pairs measured
---for one pose, nearest first; 1,000,000), `collision_range` (m; 0.3), `clearance` (m; 0.002: least distance
---of physical bodies, for all weights), `unguarded` (they may touch), `with_base` (needed by a run with
---tracks). For a robot with more than 1,000 coordinates, or too many pairs of its own shapes (250,000): nil,
---sentence, "limit".
---@param robot brio.robot
---@param options? table
---@return brio.solver # solver
function solver.new(robot, options) end

---Adds an objective under a key of its own, with weight 0: of a kind by name, or one of your own (see
---brio.objective). The handle, a whole number, may stand for the key in `goal`, `weight` and `remove`, and
---is faster.
---@param key string
---@param kind string
---@param arguments? any
---@return integer # handle
function solver:add(key, kind, arguments) end

---Removes an objective.
---@param key string
function solver:remove(key) end

---The objectives: current weight and its target, unweighted cost at the last solution, and the current goal;
---`failed`: it failed and was excluded from the last solve.
---@return table # list of {key, kind, handle, weight, target, cost, goal, failed}
function solver:objectives() end

---Couples joints: `variables` is a list of {name, coefficient}, and the sum of coefficient times value is
---`sum` in every solve, for all weights. The last one follows the others, within its own limits, and in one
---coupling only. A follower may be a source of another coupling. The robot is at rest afterwards.
---@param variables any
---@param sum any
function solver:couple(variables, sum) end

---Limits the iterations of a solve from now on, a deadline counted in work: the same on every machine and in
---a replay. 0: the robot brakes and holds.
---@param most any
function solver:iterations(most) end

---Clears the history: the robot is at rest at {base = pose, joints = {name = value}} (default: neutral),
---noise starts again, and with `zero_weights` every weight is 0.
---@param configuration? any
---@param zero_weights? boolean
function solver:reset(configuration, zero_weights) end

---Tightens `lower` and `upper` (rad or m), `velocity` and `acceleration` of a variable from the next solve
---on, within the limits at its creation; a missing field is reset to its value then. A variable beyond its
---new limits returns within its acceleration. Raises if they are looser.
---@param variable string
---@param limits table
function solver:set_limits(variable, limits) end

---Scales time by 1 / number, from the next solve on: 0.05 to 2, 1 at the beginning. Limits of speed are
---multiplied by it, but never raised; the greatest braking does not change.
---@param number number
function solver:tempo(number) end

---Takes no step from which the robot could not stop with its centre of mass above the hull of `points`
---(world, m; at least 3, on the ground), `margin` m (0.02) inside its edge; with `moving` its zero moment
---point stays there, too, in each step and while it brakes. Beyond the margin already, it may not go farther
---out. nil: no longer.
---@param fields table
function solver:balance(fields) end

---Sets a goal, approached with the time constant `tau` (s; default: at once). A translation or size
---is {x, y, z}, a rotation {x, y, z, w}, a scalar a number; `solver.goals()` shows all.
---@param key string
---@param value any
---@param tau? number
function solver:goal(key, value, tau) end

---Sets a weight of at least 0, approached with the time constant `tau` (s; default: at once), and reached
---after five time constants. 0 switches the objective off.
---@param key string
---@param weight number
---@param tau? number
function solver:weight(key, weight, tau) end

---Lets an objective give up a share (0 to 1) of its weight to overriding tracks, approached with the time
---constant `tau` (s; default: at once). The base pose, without those tracks, does not change.
---@param key string
---@param share any
---@param tau? number
function solver:yield(key, share, tau) end

---Sets the named goals and weights by key: all of them, or, if one is invalid, none. They are approached with
---the time constant `tau` (s; default: at once).
---@param goals any
---@param weights any
---@param tau? number
function solver:ask(goals, weights, tau) end

---All kinds of objectives, including loaded ones. `params` lists {name, unit, doc, type ("number",
---"link", "joint", "flag" or "vector"), optional, [default, lower, upper]}; `goal` names its kind of goal;
---`kinks` describes where the gradient of its cost is discontinuous, `differs` its differences from Lively's
---except the loss.
---@return table # list of {name, doc, category, example, params, loss, lively_loss [, goal, kinks, differs]}
function solver.kinds() end

---All kinds of goals, including loaded ones, each with an example.
---@return table # list of {name, doc, example}
function solver.goals() end

---The built-in features: values that an objective written in Lua may read in addition to the state.
---@return table # list of {name, doc, unit, count}
function solver.features() end

---All losses: the cost as a function of the squared length of an objective's residual.
---@return table # list of {name, doc}
function solver.losses() end

---Adds a shape as an obstacle, in the world or fixed to `link`; a key in use is replaced. `size` is
---{x, y, z} in m (box: full lengths; sphere: {radius, 0, 0}; capsule and cylinder: {radius, 0,
---length}); a hull has `points`, up to a million, of which the corners are kept, up to 4,096; a half_space
---has neither: it is all space below the plane z = 0 of its pose. With `physical = false` its distances are
---reported, but not kept.
---@param key string
---@param fields table
function solver:shape(key, fields) end

---Moves a shape, in the world or in the link it is fixed to. Its velocity is computed from the change between
---solves, unless `shape_motion` set it; over 10 m/s counts as a jump.
---@param key string
---@param pose table
function solver:move_shape(key, pose) end

---Sets the velocity of a shape from now on, in the world or in the link it is fixed to: {x, y, z} of its
---origin in m/s, and {x, y, z} in rad/s. This does not change its pose: use `move_shape`.
---@param key string
---@param velocity any
---@param spin? any
function solver:shape_motion(key, velocity, spin) end

---Removes a shape.
---@param key string
function solver:remove_shape(key) end

---The pairs within `range` (m; default: the solver's collision_range) at the last solution: names of link or
---shape, distance (m, negative: depth) and nearest points (world). The robot's own watched pairs beyond it
---are also listed, with only a distance, which is a lower bound.
---@param range? any
---@return table # list of {a, b, distance, physical [, point_a, point_b, normal]}
function solver:proximity(range) end

---The pairs of the robot's own links that are watched against each other.
---@return table # list of {link, link}
function solver:self_pairs() end

---Finds the pose for `time` (s) and accepts it into the history. Either solve(time, dt), dt seconds after the
---last; or solve(goals, weights, time [, shapes [, blend]]), which first sets the named goals and weights by
---key and changes the named shapes: a shape as in `shape`, a pose to move one to, false to remove it; `blend`
---is the time constant of goals and weights.
---
---The state has time, status ("converged", "cut": iterations used up, "held": no better pose was found),
---cost, iterations, evaluations, distance (m, the smallest of all watched pairs, absent without pairs),
---granted (1, unless the step was drawn back towards braking to avoid a contact; 0: greatest braking), fault
---(two bodies, {a, b}, that braking cannot keep apart or that were brought too near, if any) and faults
---(objectives that failed, if any: {key, kind, message} each). Created when they are read, before the next
---solve: frames and local_frames (poses by link: in the world, in the parent link), joints (mimic joints
---too), origin (the root's pose), center_of_mass, proximity (as solver:proximity()) and costs (by key:
---contribution to the cost).
---@param goals? any
---@param weights? any
---@param time? number
---@param dt? number
---@param blend? any
---@return any # state
function solver:solve(goals, weights, time, dt, blend) end

---The poses of all links in the world, at the last solution.
---@return table # {[link] = pose}
function solver:frames() end

---The robot's centre of mass in the world (m), at the last solution.
---@return number[] # {x, y, z}
function solver:center_of_mass() end

---Objectives that failed since the last call, each reported once, with its traceback; nil: none.
---@return table # list of {key, kind, message} | nil
function solver:faults() end

---The two bodies (link or shape) that came too near in the last solve: greatest braking cannot keep them
---apart, or a moving shape has brought them together; nil: none.
---@return table # {a, b} | nil
function solver:too_near() end

---Lets the next solve record the pull of each objective at each joint. The solution is the same, bit by bit.
---A running engine does this ten times a second.
function solver:explain() end

---The strongest pulls at a joint in the solve that was explained last, strongest first, six at most. `share`,
---from -1 to 1, is the derivative of the objective's weighted cost along the joint, at the pose before the
---step, over the sum of those of all objectives: above 0 it pulls in the direction of the joint's motion
---(upwards while it rests), below 0 against it. `objective` is its key, or "near bodies" for the clearance
---between bodies, which has no `weight`. Empty without pulls, and for a joint that is not a variable.
---@param joint string
---@return table # list of {objective, share, weight}
function solver:pulls(joint) end

return solver
