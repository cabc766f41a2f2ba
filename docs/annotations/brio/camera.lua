---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/scene/lua_camera.c by scripts/docs.lua.

---@class brio.camera
local camera = {}

---Makes a camera for pictures of that size in pixels; the center of the first pixel is (0, 0). model is
---"pinhole" (Brown-Conrady: radial k1 k2 k3 and, rational, k4 k5 k6; tangential p1 p2) or "fisheye"
---(equidistant: radial k1 k2 k3 k4). axes is "body" (x forward, y left, z up) or "optical" (x right, y down,
---z forward): the axes of points and rays.
---@param fields table
---@return brio.camera # camera
function camera.new(fields) end

---Projects a point in the camera's frame, in meters, to a pixel, which may be beyond the picture's border;
---nil if it is out of view.
---@param point table
---@return any # u, v
function camera:project(point) end

---The ray of a pixel as a unit vector; nil if it has none.
---@param u any
---@param v any
---@return number[] # {x, y, z} or nil
function camera:ray(u, v) end

---The position of a thing from its box in the picture, {left, top, width, height} in pixels, and its height
---in meters: a person is about 1.7 m high.
---@param box any
---@param height number
---@return number[] # {x, y, z} or nil
function camera:by_height(box, height) end

---The intersection, in the world, of the ray of a pixel with a plane, at most `within` (100) m away: the
---points p with normal . p = offset; normal is upwards by default. pose is the camera's in the world.
---@param pose table
---@param u any
---@param v any
---@param fields table
---@return number[] # {x, y, z} or nil
function camera:on_plane(pose, u, v, fields) end

---The position of a thing from its box or mask in the picture and a depth picture of the same view: the mean
---of its points in the camera's frame, its extent, the median depth and the deviation from it. depth holds
---numbers of 2 bytes, times unit (0.001 m), or of 4 (meters), row by row. box is {left, top, width, height};
---runs are pixels out, in, out, ... row by row (columns: column by column, as COCO has it); polygon is {x, y,
---x, y, ...}; all in pixels of a mask of width x height, by default the camera's. erode removes that many
---pixels from the mask's border (2); depths that deviate by more than outliers (3.5) deviations, or are not
---from nearest to farthest, do not count. nil, a sentence and "unreachable" where fewer than least (8) pixels
---are left.
---@param fields table
---@return table # {position, size, median, deviation, known, used}
function camera:look(fields) end

---The box in space that has these eight corners. With its orientation they come in any order; else corner
---i, from 0, is at +x where i has bit 1, at +y where it has bit 2, at +z where it has bit 4.
---@param corners any
---@param orientation? any
---@return table # {position, orientation, size}
function camera.corners(corners, orientation) end

return camera
