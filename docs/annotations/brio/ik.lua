---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/solver/lua_ik.c by scripts/docs.lua.

---@class brio.ik
local ik = {}

---@class brio.ik.workspace
local workspace = {}

---@class brio.ik.arm
local arm = {}

---Makes a workspace for goals of these links (a list of names). `held`: names of variables that keep the
---seed's value. `moves_base`: a movable base is moved too. `watches`: watch the robot's own shapes and those
---of `workspace:shapes()`. `seed`: of the starts; equal seeds give equal results. If the robot is too large:
---nil, sentence, "limit". Takes some 0.1 ms; with `watches` as long as creating a solver.
---@param robot brio.robot
---@param fields table
---@return brio.ik.workspace # workspace
function ik.new(robot, fields) end

---Finds a configuration within the limits that meets `goal`, or all of `goals` (a list, one for every link
---in order). `seed`: the configuration to start at, and the values of all other variables (default:
---neutral). `nominal`: a posture that the solution is drawn to as far as the goals leave it free.
---`nearest`: try all starts and return the solution nearest to it, or to the seed; default: the first
---solution. `clear`: no watched pair is nearer than `clearance` (m; default: 0); needs `watches`.
---`solutions`: the number of distinct solutions to search, which differ by `apart` (rad or m; default:
---0.1) in a variable. `max_starts` (400, with `nearest` 40) and `max_iterations` (20,000) bound the work.
---The table has `joints` and `base` of the solution, all `solutions`, its errors (`position`, m;
---`orientation`, rad), `distance` (m, of the nearest pair within 0.3 m), `starts`, `iterations`, and
---`touching`: starts that reached the goals, but too near. If there is none: nil, sentence, "unreachable",
---and such a table of the best configuration.
---@param fields table
---@return any? # table | nil, sentence, code, table
---@return string? sentence
---@return string? code
function workspace:solve(fields) end

---The links of the goals, in order.
---@return table # list of names
function workspace:links() end

---The solver whose shapes `clear` configurations keep away from: use its `shape`, `move_shape` and
---`remove_shape`. Raises if the workspace has no `watches`.
---@return any # solver
function workspace:shapes() end

---The arm of six joints that ends in a link, in closed form: the first three place its wrist, a point that
---the others do not move away (where their axes meet, or else the origin of the fourth joint), the others
---turn the link. Joints 2 and 3 must have parallel axes; if not, or if there are more joints or fewer: nil
---and what there is instead ("unreachable").
---@param robot brio.robot
---@param link string
---@return brio.ik.arm? # arm | nil, sentence, code
---@return string? sentence
---@return string? code
function ik.arm(robot, link) end

---What the arm is like with all six joints at 0, in the frame of the robot's root: the names of its
---`variables`, and their `axes` (unit vectors); the points `base` (of the first axis, nearest to the
---second), `elbow` (of the third) and `wrist`; how far the wrist can be from the base, whatever the limits
---(`reach`, m); whether the last three axes meet; the `orientation` of the link.
---@return table # {variables, axes, base, elbow, wrist, reach, meets, orientation}
function arm:measures() end

---The four answers of the first three joints that bring the wrist to a position (in the frame of the root),
---whatever the limits: three `values`, and how far each is from it (`miss`, m; above 0 out of reach).
---@param position any
---@return table # list of {values, miss}
function arm:place(position) end

---Where elbow and wrist are at values of the first three joints (of a list of three or more).
---@param values any
---@return any # elbow, wrist
function arm:points(values) end

---The values of all six joints over a clip, one flat list (six a frame), within their limits, and how far the
---wrist is from its place at each frame, m. `wrist` and `elbow`: flat lists of three numbers a frame, in the
---frame of the root; of all answers those are taken whose elbow is nearest over the whole clip, and which do
---not jump from one to another where they need not. `orientation`: a flat list of four numbers a frame
---(x y z w), where the link turns; without it the last three joints keep those of `start`, six values to
---begin near to (0). About 3 us a frame.
---@param fields table
---@return any? # values, misses | nil, sentence, code
---@return string? sentence
---@return string? code
function arm:follow(fields) end

return ik
