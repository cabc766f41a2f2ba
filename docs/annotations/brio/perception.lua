---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/scene/lua_perception.c by scripts/docs.lua.

---@class brio.perception
local perception = {}

---Checks one detection and returns it complete: missing fields have their defaults, the orientation is
---normalized. It may also have time, when it was sensed, in seconds of the run (default: now); color,
---{red, green, blue} from 0 to 1 (default: unknown); detector, its detector's number (0); oriented,
---whether the orientation is valid (default: whether one is given).
---@param fields table
---@return any # detection
function perception.detection(fields) end

---Returns a new list of the same detections of that kind, with at least that confidence, and within `within`
---meters of the point `of` (default: the world's origin).
---@param detections table
---@param fields table
---@return any # detections
function perception.filter(detections, fields) end

---The distance between two points in meters; each is {x, y, z} or something with a position.
---@param a any
---@param b any
---@return number # number
function perception.distance(a, b) end

---The direction of a point from a pose (x forward, z up): yaw to the left and pitch upwards, in radians.
---@param pose table
---@param point table
---@return any # yaw, pitch
function perception.bearing(pose, point) end

return perception
