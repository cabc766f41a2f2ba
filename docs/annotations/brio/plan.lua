---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/plan/lua_plan.c by scripts/docs.lua.

---@class brio.plan
local plan = {}

---@class brio.plan.ground
local ground = {}

---@class brio.plan.search
local search = {}

---Ground to walk on. `regions`: a list of planar polygons, each a list of 3 to 200 corners {x, y, z} in
---order. `heights`: {x, y, cell, rows}, a map of heights whose row `j` and column `i` is the height about
---(x + (i - 1) cell, y + (j - 1) cell), or false where it is unknown; used without regions. Without both, a
---floor at `level` (0). Raises on errors.
---@param fields? table
---@return brio.plan.ground # ground
function plan.ground(fields) end

---The height of the ground at a point: the highest surface that is not above `below`; nil if unknown.
---@param x number
---@param y number
---@param below? any
---@return number? # number or nil
function ground:height(x, y, below) end

---The support of a sole there: its pose, and the share of its area on one plane (0 to 1); or the reason why
---there is none.
---@param x number
---@param y number
---@param yaw any
---@param settings? any
---@return brio.Pose? # pose, area | nil, sentence
---@return string? sentence
---@return string? code
function ground:foothold(x, y, yaw, settings) end

---A search for steps from `start` to `goal`, each {left = pose, right = pose} of the soles in the world.
---`planner`: a name of `plan.planners()` ("quick"). `waypoints`: poses of the body on the way; without a
---`goal` the plan ends at the last, without squaring up. `first`: the foot that swings first. `face_goal`
---(true): a search prefers the goal's direction along the whole path. `around`: the body's path around the
---`obstacles` is searched first, a list of shapes {kind, size, [points, pose, name]}, seeded by `seed`, and
---around the occupied cells of a `grid` (brio.occupancy), with `known_only` also around unknown ones. `way`
---is the algorithm, a name of `plan.ways()`: by default "grid" if there is a grid, else "rrt_connect".
---`ground`: see `plan.ground`; default: a floor at the height of the feet. `settings`: numbers of
---`plan.settings()`. Raises on errors.
---@param fields table
---@return brio.plan.search # search
function plan.search(fields) end

---Searches for at most `budget` expansions (100): nil while it continues, true when the steps are found, else
---the reason why there are none.
---@param budget? number
---@return any # nil, or true | false, sentence, code
function search:work(budget) end

---The steps of the plan: the foot, its pose at the end of the step, and the seconds of the weight shift and
---of the swing. Empty before it is done, and if the feet are at the goal.
---@return table # list of {side, pose, transfer, swing}
function search:steps() end

---The body's path around obstacles, if one was searched.
---@return table # list of {x, y}
function search:way() end

---Statistics so far; the cost of the steps, in m, with "a_star" only.
---@return table # {expansions, nodes, cost}
function search:effort() end

---All planners.
---@return table # list of {name, doc}
function plan.planners() end

---The algorithms for paths of the body.
---@return table # list of {name, doc}
function plan.ways() end

---The settings of planners, with their defaults.
---@return table # list of {name, unit, doc, value, lower, upper}
function plan.settings() end

return plan
