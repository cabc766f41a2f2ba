---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/solver/lua_extension.c by scripts/docs.lua.

---@class brio.extension
local extension = {}

---@class brio.extension.row
local row = {}

---@class brio.extension.state
local state = {}

---Loads a shared object: its objectives are then in want and solver.kinds(), in this
---Lua state. It stays loaded until the program ends; loading it again has no effect.
---@param file string
---@return string? # name | nil, sentence, code
---@return string? sentence
---@return string? code
function extension.load(file) end

---Adds the velocity of a point of a link, given in the world, along a direction.
---@param link string
---@param point table
---@param direction any
---@param scale? any
function row:point(link, point, direction, scale) end

---Adds the angular velocity of a link about an axis of the world: computed from two points a unit apart.
---@param link string
---@param axis any
---@param scale? any
function row:turn(link, axis, scale) end

---Adds a derivative by one joint's value.
---@param name string
---@param slope any
function row:joint(name, slope) end

---Adds the velocity of the center of mass along a direction.
---@param direction any
---@param scale? any
function row:center_of_mass(direction, scale) end

---Creates the record of an objective written in Lua.
---@param fields table
---@return any # kind
function extension.objective(fields) end

---Creates the record of a goal kind: `fields` names its numbers, `items` those of each item of its list.
---@param fields table
---@return any # kind
function extension.goal_kind(fields) end

---Creates the record of a feature written in Lua.
---@param fields table
---@return any # kind
function extension.feature(fields) end

---Returns the smallest distance (m) between shapes of two links, or of a link and a shape of the solver, by
---their names: negative where they touch; nil if they are too far apart to be measured. Only for the present,
---and for objectives with `proximity = true`.
---@param a any
---@param b any
---@return number # number | nil
function state:distance(a, b) end

return extension
