---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/scene/lua_perception.c by scripts/docs.lua.

---@class brio.perception
local perception = {}

---Checks one detection and returns it complete: what was left out has its default, the
---orientation has length 1. It may also have time, when it was sensed, in seconds of the run (none:
---now); color, {red, green, blue} from 0 to 1 (none: unknown); detector, the number of the one that
---saw it (0); oriented, whether the orientation means something (where one is given).
---@param fields table
---@return any # detection
function perception.detection(fields) end

---Returns a new list of the same detections that are of that kind, at least that sure, and
---within so many meters of the point `of` (default: the world's origin).
---@param detections table
---@param fields table
---@return any # detections
function perception.filter(detections, fields) end

---The distance between two points in meters; each is {x, y, z} or something with a position.
---@param a any
---@param b any
---@return number # number
function perception.distance(a, b) end

---Where a point is seen from a pose (x forward, z up): yaw to the left and pitch upwards, in
---radians.
---@param pose table
---@param point table
---@return any # yaw, pitch
function perception.bearing(pose, point) end

return perception
