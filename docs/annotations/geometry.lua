---@meta
-- luacheck: ignore 121 211 212 241 631
--- Directions, orientations and poses as plain tables, for the Lua language server:
--- docs/behaviors/geometry.md says more.

---@class brio.geometry
local geometry = {}

---The orientation that is turned about the fixed x axis by roll, then about y by pitch, then about z by yaw,
---rad.
---@param roll number
---@param pitch number
---@param yaw number
---@return number[] q x, y, z, w
function geometry.from_rpy(roll, pitch, yaw) end

---Roll, pitch and yaw of an orientation, rad.
---@param q number[] x, y, z, w
---@return number roll, number pitch, number yaw
function geometry.rpy(q) end

---The level orientation whose x axis points from one point to another.
---@param from number[]
---@param to number[]
---@return number[] q x, y, z, w
function geometry.towards(from, to) end

---The distance between two points, m.
---@param a number[]
---@param b number[]
---@return number
function geometry.distance(a, b) end

---A vector, turned by an orientation.
---@param q number[] x, y, z, w
---@param v number[]
---@return number[]
function geometry.turn(q, v) end

---The product of two orientations: first turned by b, then by a.
---@param a number[]
---@param b number[]
---@return number[] q x, y, z, w
function geometry.times(a, b) end

---The angle between two orientations, rad, 0 to pi.
---@param a number[]
---@param b number[]
---@return number
function geometry.angle(a, b) end

---The orientation at share s (0 to 1) of the way from a to b, along the shorter arc.
---@param a number[]
---@param b number[]
---@param s number
---@return number[] q x, y, z, w
function geometry.between(a, b, s) end

---A pose that is given in a frame, in the world in which that frame's pose is given.
---@param frame brio.Pose
---@param pose brio.Pose
---@return brio.Pose
function geometry.within(frame, pose) end

---The pose that undoes one.
---@param pose brio.Pose
---@return brio.Pose
function geometry.inverse(pose) end

return geometry
