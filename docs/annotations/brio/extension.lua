---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/solver/lua_extension.c by scripts/docs.lua.

---@class brio.extension
local extension = {}

---@class brio.extension.row
local row = {}

---@class brio.extension.state
local state = {}

---Loads a shared object: its objectives are then among want and solver.kinds(), in this Lua state. It stays
---loaded as long as the program runs; loading it again does nothing.
---@param file string
---@return string? # name | nil, sentence, code
---@return string? sentence
---@return string? code
function extension.load(file) end

---Adds how fast a point of a link, given in the world, goes along a direction.
---@param link string
---@param point table
---@param direction any
---@param scale? any
function row:point(link, point, direction, scale) end

---Adds how fast a link turns about an axis of the world: as the difference of two points a unit apart.
---@param link string
---@param axis any
---@param scale? any
function row:turn(link, axis, scale) end

---Adds a slope by one joint's value.
---@param name string
---@param slope any
function row:joint(name, slope) end

---Adds how fast the center of mass goes along a direction.
---@param direction any
---@param scale? any
function row:center_of_mass(direction, scale) end

---Makes the record of an objective that is written in Lua.
---@param fields table
---@return any # kind
function extension.objective(fields) end

---Makes the record of a goal kind: `fields` names its numbers, `items` those of each item of its list.
---@param fields table
---@return any # kind
function extension.goal_kind(fields) end

---Makes the record of a feature that is written in Lua.
---@param fields table
---@return any # kind
function extension.feature(fields) end

---Returns the smallest distance (m) between shapes of two links, or of a link and a shape of the solver, by
---their names: negative where they touch; nil where they are too far apart to be measured. Of the present
---alone, and of objectives with `proximity = true`.
---@param a any
---@param b any
---@return number # number | nil
function state:distance(a, b) end

return extension
