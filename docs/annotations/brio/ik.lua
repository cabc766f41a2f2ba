---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/solver/lua_ik.c by scripts/docs.lua.

---@class brio.ik
local ik = {}

---@class brio.ik.workspace
local workspace = {}

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

return ik
