---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/solver/lua_solver.c by scripts/docs.lua.

---@class brio.solver
local solver = {}

---Makes a solver; the robot starts in its neutral pose, and its limits are those it has now.
---Options: `backend` ("gauss_newton" or "nlopt"), `lively_losses` (costs exactly as Lively's), `seed`
---(of the noise), `max_iterations`, `max_objectives`, `max_shapes` (10,000), `max_distances` (measured for
---one pose: those that may be nearest; 1,000,000), `collision_range` (m; 0.3), `clearance` (m; 0.002: what
---physical bodies keep whatever the weights), `unguarded` (they may touch), `with_base` (a run with tracks
---asks for it). For a robot with more than 1,000 numbers that move, or too many pairs of its own shapes
---(250,000): nil, why, "limit".
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

---What the solver is asked for: weight now and where it goes, unweighted cost at the last solution, and
---the goal now; `failed` where it was left out of the last solve, for it failed.
---@return table # list of {key, kind, handle, weight, target, cost, goal, failed}
function solver:objectives() end

---Ties joints: `variables` is a list of {name, coefficient}, and the sum of coefficient times value is `sum`
---in every solve, whatever the weights. The last one follows the others, within its own limits, and in one
---coupling only. What it follows may follow others, and others may follow it. The robot stands still
---afterwards.
---@param variables any
---@param sum any
function solver:couple(variables, sum) end

---Lets solves from now on take at most so many iterations, a deadline counted in work: the same everywhere
---and in a replay. 0: the robot brakes and holds.
---@param most any
function solver:iterations(most) end

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

---Lets everything take 1 / number as long, from the next solve on: 0.05 to 2, 1 at the beginning. Limits of
---speed are those times it, and no more than they are; greatest braking stays.
---@param number number
function solver:tempo(number) end

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

---Lets an objective give up a share (0 to 1) of its weight to the tracks that are laid over what is wanted,
---approached with the time constant `tau` (s; without: at once). Where the robot would be without those
---tracks does not change.
---@param key string
---@param share any
---@param tau? number
function solver:yield(key, share, tau) end

---Asks for goals and weights by key, as far as they are named: all of them, or, when one is wrong, none.
---They are approached with the time constant `tau` (s; without: at once).
---@param goals any
---@param weights any
---@param tau? number
function solver:ask(goals, weights, tau) end

---All objectives there are, also those that were loaded. `params` lists {name, unit, doc, type ("number",
---"link", "joint", "flag" or "vector"), optional, [default, lower, upper]}; `goal` names the kind of goal it
---takes; `kinks` says where the slope of its cost jumps, `differs` how it differs from Lively's beside the
---loss.
---@return table # list of {name, doc, category, example, params, loss, lively_loss [, goal, kinks, differs]}
function solver.kinds() end

---All kinds of goals there are, also those that were loaded, with how one is written.
---@return table # list of {name, doc, example}
function solver.goals() end

---The features that are built in: what an objective of one's own may read besides the state.
---@return table # list of {name, doc, unit, count}
function solver.features() end

---All losses there are: how the squared length of an objective's residual becomes cost.
---@return table # list of {name, doc}
function solver.losses() end

---Puts a shape in the way, in the world or fixed to `link`; a key in use is replaced. `size` is
---{x, y, z} in m (box: full lengths; sphere: {radius, 0, 0}; capsule and cylinder: {radius, 0,
---length}); a hull has `points`, up to a million, of which the corners are kept, up to 4,096; a half_space
---has neither: it is all below the plane z = 0 of its pose. With `physical = false` it is watched, never
---avoided.
---@param key string
---@param fields table
function solver:shape(key, fields) end

---Moves a shape, in the world or in the link it is fixed to. How fast it moves is seen from the way between
---solves, unless `shape_motion` told; over 10 m/s it is taken for a jump.
---@param key string
---@param pose table
function solver:move_shape(key, pose) end

---Says how a shape moves by itself from now on, in the world or in the link it is fixed to: {x, y, z} of its
---origin in m/s, and {x, y, z} in rad/s. It is not moved by that: `move_shape` does.
---@param key string
---@param velocity any
---@param spin? any
function solver:shape_motion(key, velocity, spin) end

---Takes a shape out of the way.
---@param key string
function solver:remove_shape(key) end

---The pairs within `range` (m; without: the solver's collision_range) at the last solution: names of link or
---shape, distance (m, negative: depth) and where they are nearest (world). The robot's own watched pairs are
---told also when they are beyond it, with only a distance, which is a lower bound.
---@param range? any
---@return table # list of {a, b, distance, physical [, point_a, point_b, normal]}
function solver:proximity(range) end

---The pairs of the robot's own links that are watched against each other.
---@return table # list of {link, link}
function solver:self_pairs() end

---Finds the pose for `time` (s) and takes it into history. Either solve(time, dt), dt seconds after the last;
---or solve(goals, weights, time [, shapes [, blend]]), which first asks for goals and weights by key and
---changes shapes by name, as far as they are named: a shape as in `shape`, a pose to move one to, false to
---remove it; `blend` is the time constant of goals and weights.
---
---The state has time, status ("converged", "cut": iterations used up, "held": nothing better was found),
---cost, iterations, evaluations, distance (m, the smallest of all watched pairs, absent where there are
---none), granted (1, unless the step had to be drawn back towards braking so that nothing is touched; 0:
---greatest braking), fault (two bodies, {a, b}, that braking cannot keep apart or that were brought too near,
---if any) and faults (objectives that failed, if any did: {key, kind, message} each). Made when they are
---asked for, before the next solve: frames and local_frames (poses by link: in the world, in the parent
---link), joints (mimic joints too), origin (the root's pose), center_of_mass, proximity (as
---solver:proximity()) and costs (by key: what each adds to the cost).
---@param goals? any
---@param weights? any
---@param time? number
---@param dt? number
---@param blend? any
---@return any # state
function solver:solve(goals, weights, time, dt, blend) end

---Where all links are in the world, at the last solution.
---@return table # {[link] = pose}
function solver:frames() end

---The robot's centre of mass in the world (m), at the last solution.
---@return number[] # {x, y, z}
function solver:center_of_mass() end

---Objectives that failed since the last time, each said once, with its traceback; nil: none.
---@return table # list of {key, kind, message} | nil
function solver:faults() end

---The two bodies (link or shape) that came too near in the last solve: greatest braking cannot keep them
---apart, or something that moved has brought them together; nil: none.
---@return table # {a, b} | nil
function solver:too_near() end

---Lets the next solve note how hard each objective pulls at each joint. It solves as it would anyway, to the
---bit. While an engine runs, that is done ten times a second.
function solver:explain() end

---What pulled hardest at a joint in the solve that was explained last, hardest first, six at most. `share`,
---from -1 to 1, is the slope of the objective's weighted cost along the joint, at the pose before the step,
---over the sum of those of all objectives: above 0 it pulls the way that the joint goes (upwards while it
---rests), below 0 against it. `objective` is its key, or "near bodies" for the distance that is kept between
---bodies whatever is wanted, which has no `weight`. Empty where nothing pulled, and for a joint that is not
---solved for.
---@param joint string
---@return table # list of {objective, share, weight}
function solver:pulls(joint) end

return solver
