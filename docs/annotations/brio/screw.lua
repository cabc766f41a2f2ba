---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/math/lua_screw.c by scripts/docs.lua.

---@class brio.screw
local screw = {}

---Plans the way of what is carried. The table has `seconds` (of all), `way` (m, of the carried point),
---`radius` (m, of the start from the axis), and `points`: {time, position, orientation, linear, angular}
---each, in the world: s from the start, m, quaternion, m/s and rad/s. All steps take the same time but the
---first and the last, which take two: at both ends it rests. Every point is exactly on the screw. Raises
---where it neither moves nor turns.
---@param screw any
---@return any # table
function screw.plan(screw) end

---Where what is carried is, in the world, after a share of the way: 0 at the start, 1 at the end.
---@param screw any
---@param share any
---@return brio.Pose # pose
function screw.pose(screw, share) end

return screw
