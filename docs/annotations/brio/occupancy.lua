---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/plan/lua_occupancy.c by scripts/docs.lua.

---@class brio.occupancy
local occupancy = {}

---@class brio.occupancy.grid
local grid = {}

---A grid of `size` (30) m a side about the point (x, y), in cells of `cell` (0.05) m, all unknown. The space
---of a body is from `bottom` (0.25) to `top` (1.8) m above the ground at `level` (0). Rays are followed for
---`range` (8) m; points within `own` (0.45) m of the sensor, seen from above, are the robot's own and
---ignored.
---@param fields? table
---@return brio.occupancy.grid # grid
function occupancy.new(fields) end

---Accepts a scan of a depth sensor at `pose` (in the world): points {x, y, z} in its own frame, false for a
---missing one, or a cloud (brio.cloud) with its viewpoint. More than 8192 points are thinned evenly. false:
---an earlier scan is still being processed, and this one is skipped.
---@param pose table
---@param points table
---@return boolean # true | false
function grid:scan(pose, points) end

---Sets the positions of moving people: points {x, y}, 32 at most. Points of scans within `radius` m of them
---are ignored.
---@param points table
---@param radius any
function grid:leave_out(points, radius) end

---Processes the accepted scan: visits about `budget` cells (20000). 0: it is done.
---@param budget? number
---@return number # count
function grid:work(budget) end

---Puts a solid into the grid, as a complete scan of it would: a shape as for solver:shape, at a pose in the
---world.
---@param fields table
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function grid:put(fields) end

---Frees all cells within `radius` m (10 at most) of a point: the robot is there, or a thing was removed.
---@param x number
---@param y number
---@param radius any
function grid:clear(x, y, radius) end

---Sets all cells to unknown.
function grid:forget() end

---The state of a point of the ground, and the probability that it is occupied: 0 to 1, 0.5 where it is
---unknown.
---@param x number
---@param y number
---@return any # "unknown", "free" or "occupied", number
function grid:at(x, y) end

---Whether an occupied cell is within `radius` m (2 at most) of the straight line between two points {x,
---y}.
---@param from any
---@param to any
---@param radius any
---@return any # boolean
function grid:meets(from, to, radius) end

---The least corner, the size of cells and their number in x and y; the numbers of free and occupied ones; of
---scans accepted, and of those skipped during another; of points outside, and of NaN.
---@return table # {x, y, cell, nx, ny, free, occupied, scans, skipped, outside, bad, busy}
function grid:info() end

---The bounding box of the known cells.
---@return table? # {x0, y0, x1, y1} or nil
function grid:box() end

---The grid as letters, `?` unknown, `.` free, `#` occupied, the row with the greatest y first; with `every`,
---one letter for a square of `every` cells a side: `#` if one of them is occupied, else `.` if one is free.
---Files have this format.
---@param every? any
---@return table # list of text
function grid:rows(every) end

---Copies the cells of another grid of the same size: its `rows()`.
---@param rows table
---@return boolean? # true | nil, sentence
---@return string? sentence
---@return string? code
function grid:set(rows) end

return occupancy
