---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/solver/lua_ik.c by scripts/docs.lua.

---@class brio.ik
local ik = {}

---@class brio.ik.workspace
local workspace = {}

---Makes a workspace for goals of these links (a list of names). `held`: names of variables that stay as the
---seed has them. `moves_base`: the base of a robot loaded with one that moves is moved too. `watches`: it
---knows the robot's own shapes and those put into `workspace:shapes()`. `seed`: of the starts; equal seeds
---give equal answers. Where the robot is too large: nil, why, "limit". Takes some 0.1 ms; with `watches`
---as long as making a solver.
---@param robot brio.robot
---@param fields table
---@return brio.ik.workspace # workspace
function ik.new(robot, fields) end

---Finds a configuration within the limits that meets `goal`, or all of `goals` (a list, one for every link
---in order). `seed`: the configuration to start at, and how all that does not move stands (without:
---neutral). `nominal`: a posture that what the goals leave free is drawn to. `nearest`: go through all starts
---and return what is nearest to it, or to the seed; without, the first that is found. `clear`: nothing
---watched is nearer than `clearance` (m; without: 0); needs `watches`. `solutions`: how many distinct ones to
---look for, that differ by `apart` (rad or m; without: 0.1) in a variable. `max_starts` (400, with `nearest`
---40) and `max_iterations` (20,000) bound the work. The table has `joints` and `base` of the solution, all
---`solutions`, what it leaves (`position`, m; `orientation`, rad), `distance` (m, of what is nearest
---within 0.3 m), `starts`, `iterations`, and `touching`: starts that reached, but too near. Out of
---reach: nil, why, "unreachable", and such a table of what came nearest.
---@param fields table
---@return any? # table | nil, sentence, code, table
---@return string? sentence
---@return string? code
function workspace:solve(fields) end

---The links that goals are for, in order.
---@return table # list of names
function workspace:links() end

---The solver whose shapes `clear` configurations keep away from: use its `shape`, `move_shape` and
---`remove_shape`. Raises where the workspace was not made with `watches`.
---@return any # solver
function workspace:shapes() end

return ik
