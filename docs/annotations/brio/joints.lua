---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/plan/lua_joints.c by scripts/docs.lua.

---@class brio.joints
local joints = {}

---@class brio.joints.space
local space = {}

---@class brio.joints.search
local search = {}

---The joints of a robot among obstacles. `variables`: the names of those that are planned, 1 to 32, of
---several arms too (all); the others, and the base, stand as in `configuration`. `obstacles`: a list of
---shapes {kind, size, [points, pose, name]}; `carried`: shapes that go with a link, with a field `link`, such
---as a thing in a hand. `allowed`: pairs of links {a, b} that may touch, apart from neighbors and the pairs
---that the robot's file excludes. `clearance` (0 m) is kept from everything. What comes nearer than the
---`resolution` (1e-4 m) may count as blocked. Raises on errors.
---@param robot brio.robot
---@param fields? table
---@return brio.joints.space # space
function joints.space(robot, fields) end

---The planned variables, in the order of the numbers of a configuration.
---@return table # list of names
function space:variables() end

---Sets the clearance, m, for all that is checked from now on; searches in the space must be at their end.
---@param clearance any
function space:set_clearance(clearance) end

---Whether everything keeps its clearance there. Limits of joints are not checked.
---@param values any
---@return any # boolean
function space:clear(values) end

---Whether the straight motion is clear for its whole length; circular joints go as the numbers say.
---@param from any
---@param to any
---@return any # boolean
function space:motion(from, to) end

---The nearest two solids there: their distance (m; negative: depth), the link, and the other link or the
---number of the obstacle. Measures all pairs: not for every tick.
---@param values any
---@return table? # {distance, link, other or obstacle} or nil
function space:nearest(values) end

---A search for a path from `start` to any of `goals`, a list of configurations, such as all answers of
---inverse kinematics. The same `seed` (0) gives the same path. `range` (1): length of an edge of the trees at
---most, the square root of the sum of squares. `nodes` (50,000): of each tree at most. `checks` (5,000,000)
---before it gives up; 0: no limit. `shortenings` (100): attempts to make a path shorter. `alternatives` (1):
---further paths that are joined with the best. Searches that take turns have a space each, or slices of some
---hundred checks, as a motion that was interrupted by another one begins again. Returns nil, sentence, code
---if the start, or every goal, collides or is outside its limits.
---@param fields table
---@return brio.joints.search # search
function space:search(fields) end

---Searches, with at most `budget` checks (1000): nil while there is no path, true when there is one, which
---further work makes shorter, else the reason why there is none.
---@param budget? number
---@return any # nil, or true | false, sentence, code
function search:work(budget) end

---Whether nothing is left to do: there is no path, or it gets no shorter.
---@return any # boolean
function search:over() end

---The configurations of the path so far, from the start to a goal; each step is a straight motion. Circular
---joints go on beyond a turn.
---@return table? # list of lists of numbers, or nil
function search:path() end

---Statistics so far: configurations and straight motions checked, rounds and nodes of the trees, the number
---of the goal that was reached, and the lengths of the path as found and now.
---@return table # {checks, motions, rounds, nodes, goal, first_length, length}
function search:effort() end

---A path of points, lists of numbers, with those changed that collide or are beyond limits, until all are
---clear and the straight motions between them too. Start and end stay, unless `free_ends`. `method` "push":
---points go out along the slopes of distances, to `margin` (0.002 m) beyond the clearance; the changes are
---spread over the points around by a Gaussian with the standard deviation `spread` (2.5 points), in at most
---`rounds` (60); where that does not help, searches of at most `checks` (20,000; 0: none) with the `seed` (0)
---lead around. "swarm": the published method to compare with, with `particles` (50) at each point, which
---begin at distances of about `radius` (0.3 rad), and `iterations` (30), or fewer when a fitness of
---`threshold` (0.2) is reached; it does not repair motions between points. The report: numbers of points
---`outside` of limits, `colliding`, `moved` and `removed` (filled in by a spline), of `crossing` motions,
---the `largest` change of a joint, `rounds`, `detours`, and what is `left`. nil: the start or the end
---collides, or the named point cannot be repaired; then the points are those that could be. Raises on bad
---points and options.
---@param points table
---@param fields? table
---@return number? # points, report | nil, sentence, code, points, report
---@return string? sentence
---@return string? code
function space:repair(points, fields) end

return joints
