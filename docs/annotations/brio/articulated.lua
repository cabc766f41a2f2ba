---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/scene/lua_articulated.c by scripts/docs.lua.

---@class brio.articulated
local articulated = {}

---How a thing moves that was seen at 6 to 4096 places, oldest first, each a pose {position =, orientation
---=} or {x, y, z}; orientations count when all have one. Returns {kind = "fixed", "slider" or "hinge",
---axis (along which it slides or about which it turns, the way it went), point (on the line or the axis),
---radius, low, high (values, m or rad; 0 is at the first place), start (pose at value 0), error (root
---mean square, m), noise (m), used (places that count), count, oriented, probability = {fixed =, slider
---=, hinge =}}. `noise` is the standard deviation of places in m (told from the track), `turning` that of
---orientations in rad (0.03), `only` a kind that it is known to be. Codes: unreachable (too few places),
---limit, no_memory.
---@param track any
---@param fields? table
---@return any? # table | nil, sentence, code
---@return string? sentence
---@return string? code
function articulated.estimate(track, fields) end

---Estimates in a thread of its own, since that takes longer than a tick may: job:done() tells whether it is
---done, job:result([wait]) what estimate returned, nothing while it is not done (with `wait` it is waited
---for). Codes: limit, no_memory.
---@param track any
---@param fields? table
---@return any? # job | nil, sentence, code
---@return string? sentence
---@return string? code
function articulated.later(track, fields) end

---Where a thing that moves as `estimate` says is at a value, m or rad.
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
