---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/plan/lua_joints.c by scripts/docs.lua.

---@class brio.joints
local joints = {}

---@class brio.joints.space
local space = {}

---@class brio.joints.search
local search = {}

---@class brio.joints.optimization
local optimization = {}

---The joints of a robot among obstacles. `variables`: the names of those that are planned, 1 to 32, of
---several arms too (all); the others, and the base, stand as in `configuration`. `obstacles`: a list of
---shapes {kind, size, [points, pose, name]}; `carried`: shapes that go with a link, with a field `link`, such
---as a thing in a hand. `allowed`: pairs of links {a, b} that may touch, apart from neighbors and the pairs
---that the robot's file excludes. `keep`: bounds of frames that hold wherever it is clear, and on all motions
---(proven, as the rest is): a list of {link, [frame = a pose in the link, reference = a pose in the world,
---position = three ranges {lower, upper} (m) or false: of the frame's origin along the axes of the reference;
---axis = of the frame, along = a direction of the reference ("z"), angle = between both at most, 0.1 rad;
---turn = three ranges of the rotation vector from the reference, rad; name]}. `clearance` (0 m) is kept from
---everything. What comes nearer than the `resolution` (1e-4 m) may count as blocked. Raises on errors.
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
---inverse kinematics, or to any in a `region`, a list of bounds of frames as a space keeps them: a pose with
---tolerances, for example. `drawn` (16) goals at most are drawn from it. The same `seed` (0) gives the same
---path. `range` (1): length of an edge of the trees at most, the square root of the sum of squares. `nodes`
---(50,000): of each tree at most. `checks` (5,000,000) before it gives up; 0: no limit. `shortenings` (100):
---attempts to make a path shorter. `alternatives` (1): further paths that are joined with the best.
---`optimal`: from then on only shorter paths are searched, until all checks are used up: the length falls
---towards the shortest one. Searches that take turns have a space each, or slices of some hundred checks, as
---a motion that was interrupted by another one begins again. Returns nil, sentence, code if the start, or
---every goal, collides or is outside its limits.
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

---Statistics so far: configurations and straight motions checked, rounds and nodes of the trees, how often a
---shorter path took the place of the best one, the number of the goal that was reached (beyond the last one:
---drawn from the region), and the lengths of the path as found and now.
---@return table # {checks, motions, rounds, nodes, improvements, goal, first_length, length}
function search:effort() end

---The nearest values found, within the limits of joints, at which what the space keeps is kept, with room for
---motions; they may touch something. nil: none were found from there.
---@param values any
---@return any # values | nil
function space:project(values) end

---Whether what the space keeps is kept there; if not, what is not, and by how much.
---@param values any
---@return any # boolean, sentence
function space:kept(values) end

---Configurations in a `region`, a list of bounds of frames as a space keeps them: random ones that are
---projected on it, and on what the space keeps, and touch nothing. At most `count` (8), of at most `tries`
---(200) with the `seed` (0); a try takes some 30 us. The numbers: tries, those that did not get there, and
---those that touch something.
---@param fields table
---@return table # list of values, {draws, missed, blocked}
function space:draw(fields) end

---A path of points, lists of numbers, with those changed that collide or are beyond limits, until all are
---clear and the straight motions between them too. Start and end stay, unless `free_ends`. `method` "push":
---points go out along the slopes of distances, to `margin` (0.002 m) beyond the clearance; the changes are
---spread over the points around by a Gaussian with the standard deviation `spread` (6 points), in at most
---`rounds` (100); where that does not help, searches of at most `checks` (20,000; 0: none) with the `seed`
---(0) lead around. "swarm": the published method to compare with, with `particles` (50) at each point, which
---begin at distances of about `radius` (0.3 rad), and `iterations` (30), or fewer when a fitness of
---`threshold` (0.2) is reached; it does not repair motions between points. The report: numbers of points
---`outside` of limits, `colliding`, `moved` and `removed` (filled in by a spline), of `crossing` motions, the
---`largest` change of a joint, `rounds`, `detours`, and what is `left`. nil: the start or the end collides,
---or the named point cannot be repaired; then the points are those that could be. Raises on bad points and
---options.
---@param points table
---@param fields? table
---@return number? # points, report | nil, sentence, code, points, report
---@return string? sentence
---@return string? code
function space:repair(points, fields) end

---A way out of contact, along the slopes of distances, to where everything is apart by `room` (m, beyond the
---clearance): straight steps of at most 0.02 rad or m, on which no depth grows by more than 0.2 mm. The first
---item are the values. nil: none was found. Takes some ms: not for every tick.
---@param values any
---@param room any
---@return table # list of values | nil
function space:out(values, room) end

---Makes a path of points (lists of numbers, at most 2000) short, smooth and clear, from any path, also one
---that collides; start and end stay. Weights of the squared speed along it (`length`, 1), of its squared
---change (`smoothness`, 0.01), and of the squared distance from the path as it was (`closeness`, 0). Where
---something was nearer, it keeps `margin` (0.005 m) beyond the clearance; in at most `rounds` (100) steps. A
---path that collides is first pushed out, or led around by searches of at most `checks` (20,000; 0: none), as
---space:repair does: some ms. nil: the start or the end collides. Raises on bad points and options.
---@param points table
---@param fields? table
---@return brio.joints.optimization? # optimization | nil, sentence, code
---@return string? sentence
---@return string? code
function space:optimize(points, fields) end

---Works, with at most `budget` configurations that are measured (1000): nil: not finished; true: the path is
---clear, and gets no better; else the motion that is not clear, with the two solids and the depth.
---@param budget? number
---@return any # nil, or true | false, sentence, code
function optimization:work(budget) end

---The points as they are; clear once the work has come to its end.
---@return table # list of lists of numbers
function optimization:path() end

---Steps that were taken, configurations measured, the length of the path given and of the present one, by how
---much something is nearer than it should be, at most (m), and the number of motions that are not clear.
---@return table # {rounds, looks, before, length, missing, blocked}
function optimization:report() end

return joints
