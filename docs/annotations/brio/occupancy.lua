---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/plan/lua_occupancy.c by scripts/docs.lua.

---@class brio.occupancy
local occupancy = {}

---@class brio.occupancy.grid
local grid = {}

---A grid of `size` (30) m a side about the point (x, y), in cells of `cell` (0.05) m, of which nothing is
---known yet. What is from `bottom` (0.25) to `top` (1.8) m above the ground at `level` (0) is in the way of a
---body. Rays are followed for `range` (8) m; points within `own` (0.45) m of the sensor, seen from above, are
---the robot's own and left out.
---@param fields? table
---@return brio.occupancy.grid # grid
function occupancy.new(fields) end

---Takes what a depth sensor at `pose` (in the world) sees: points {x, y, z} in its own frame, false where
---there is none, or a cloud (brio.cloud), in whose frame its viewpoint counts. More than 8192 are thinned
---evenly. false: a scan is still being worked on, and this one is skipped.
---@param pose table
---@param points table
---@return boolean # true | false
function grid:scan(pose, points) end

---Says where what moves is now: points {x, y}, 32 at most. What scans see within `radius` m of them is not
---noted.
---@param points table
---@param radius any
function grid:leave_out(points, radius) end

---Works on the scan that was taken: visits about `budget` cells (20000). 0: there is nothing more to do.
---@param budget? number
---@return number # count
function grid:work(budget) end

---Puts a solid into the grid, as rays would that saw all of it: a shape as for solver:shape, at a pose in the
---world.
---@param fields table
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function grid:put(fields) end

---Frees all within so many meters (10 at most) of a point: the robot stands there, or a thing is there no
---more.
---@param x number
---@param y number
---@param radius any
function grid:clear(x, y, radius) end

---Nothing is known any more.
function grid:forget() end

---What is known of a point of the ground, and how probable it is that something is there: 0 to 1, 0.5 where
---nothing is known.
---@param x number
---@param y number
---@return any # "unknown", "free" or "occupied", number
function grid:at(x, y) end

---Whether something occupied is within `radius` m (2 at most) of the straight way between two points {x,
---y}.
---@param from any
---@param to any
---@param radius any
---@return any # boolean
function grid:meets(from, to, radius) end

---The least corner, the size of cells and how many there are each way; how many are free and occupied; how
---many scans were taken, and skipped since another was worked on; how many points were outside, and no
---numbers.
---@return table # {x, y, cell, nx, ny, free, occupied, scans, skipped, outside, bad, busy}
function grid:info() end

---The box of all that is known.
---@return table? # {x0, y0, x1, y1} or nil
function grid:box() end

---The grid as letters, `?` unknown, `.` free, `#` occupied, the row with the greatest y first; with `every`,
---one letter for so many cells each way: `#` where one of them is occupied, else `.` where one is free. Files
---keep it so.
---@param every? any
---@return table # list of text
function grid:rows(every) end

---Takes over what another grid of as many cells held: its `rows()`.
---@param rows table
---@return boolean? # true | nil, sentence
---@return string? sentence
---@return string? code
function grid:set(rows) end

return occupancy
