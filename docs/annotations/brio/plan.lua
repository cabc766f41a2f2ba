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
---(x + (i - 1) cell, y + (j - 1) cell), or false where it is not known; it counts where there are no regions.
---Without either a floor at `level` (0). What is wrong is raised.
---@param fields? table
---@return brio.plan.ground # ground
function plan.ground(fields) end

---How high the ground is at a point: the highest of it that is not above `below`; nil where none is known.
---@param x number
---@param y number
---@param below? any
---@return number? # number or nil
function ground:height(x, y, below) end

---How a sole stands there: its pose, and how much of it stands on one plane (0 to 1); or why it cannot.
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
---(true): a search prefers to face as the goal all along. `around`: the body's way is found around the
---`obstacles` first, a list of shapes {kind, size, [points, pose, name]}, seeded by `seed`, and around what a
---`grid` (brio.occupancy) holds, with `known_only` also around ground of which it knows nothing. `way` is
---how, a name of `plan.ways()`: "grid" where there is a grid, else "rrt_connect". `ground`: see
---`plan.ground`; without, a floor as high as the feet. `settings`: numbers of `plan.settings()`. What is
---wrong is raised.
---@param fields table
---@return brio.plan.search # search
function plan.search(fields) end

---Works on it for at most `budget` expansions (100): nil while it goes on, true when the steps are found,
---else why there are none.
---@param budget? number
---@return any # nil, or true | false, sentence, code
function search:work(budget) end

---The steps that were found: which foot comes to stand where, after the weight was shifted and the foot swung
---for so many seconds. Empty before that, and where the feet stand there already.
---@return table # list of {side, pose, transfer, swing}
function search:steps() end

---The body's way around what is there, where one was looked for.
---@return table # list of {x, y}
function search:way() end

---What was done so far; what the steps cost, in m, is known of "a_star".
---@return table # {expansions, nodes, cost}
function search:effort() end

---The planners there are.
---@return table # list of {name, doc}
function plan.planners() end

---How ways of the body can be looked for.
---@return table # list of {name, doc}
function plan.ways() end

---What planners go by, with the values where nothing is said.
---@return table # list of {name, unit, doc, value, lower, upper}
function plan.settings() end

return plan
