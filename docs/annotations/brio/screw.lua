---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/math/lua_screw.c by scripts/docs.lua.

---@class brio.screw
local screw = {}

---Plans the motion of the carried body. The table has `seconds` (total), `way` (m, path of the carried
---point), `radius` (m, distance of the start from the axis), and `points`: {time, position, orientation,
---linear, angular} each, in the world: s from the start, m, quaternion, m/s and rad/s. All steps take the
---same time except the first and the last, which take twice as long: it rests at both ends. Every point is
---exactly on the screw. Raises without translation and rotation.
---@param screw any
---@return any # table
function screw.plan(screw) end

---The pose of the carried body in the world after a share of the motion: 0 at the start, 1 at the end.
---@param screw any
---@param share any
---@return brio.Pose # pose
function screw.pose(screw, share) end

return screw
