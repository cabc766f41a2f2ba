---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/scene/lua_articulated.c by scripts/docs.lua.

---@class brio.articulated
local articulated = {}

---Estimates how a thing moves from 6 to 4096 observations, oldest first, each a pose {position =, orientation
---=} or {x, y, z}; orientations count when all have one. Returns {kind = "fixed", "slider" or "hinge",
---axis (of the slide or of the rotation, in the direction of the motion), point (on the line or the axis),
---radius, low, high (values, m or rad; 0 is at the first place), start (pose at value 0), error (root
---mean square, m), noise (m), used (inliers), count, oriented, probability = {fixed =, slider
---=, hinge =}}. `noise` is the standard deviation of positions in m (estimated from the track), `turning`
---that of orientations in rad (0.03), `only` the kind, if it is known. Codes: unreachable (too few
---places), limit, no_memory.
---@param track any
---@param fields? table
---@return any? # table | nil, sentence, code
---@return string? sentence
---@return string? code
function articulated.estimate(track, fields) end

---Estimates in a thread, because it takes longer than a tick allows: job:done() returns whether it is
---done, job:result([wait]) the results of estimate, or nothing while it is not done (with `wait` it blocks
---until then). Codes: limit, no_memory.
---@param track any
---@param fields? table
---@return any? # job | nil, sentence, code
---@return string? sentence
---@return string? code
function articulated.later(track, fields) end

---The pose of the thing at a value, m or rad.
---@param estimate any
---@param value any
---@return brio.Pose # pose
function articulated.pose(estimate, value) end

---The value whose pose is nearest to a place {x, y, z}: m, or rad within half a turn of `near` (0).
---@param estimate any
---@param place any
---@param near? any
---@return number # number
function articulated.value(estimate, place, near) end

return articulated
