---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/draw/lua_canvas.c by scripts/docs.lua.

---@class brio.canvas
local canvas = {}

---Start a white picture of width x height points (1 to 16384) that goes to the file named by
---`svg` or `png`; `scale` (0.1 to 8, default 1): pixels a point, PNG only.
---Raises: a field that is missing, unknown or out of range.  Fails: no_file,
---also without cairo; no_memory.
---@param fields table
---@return brio.canvas? # canvas | nil, sentence, code
---@return string? sentence
---@return string? code
function canvas.new(fields) end

---Set the color of the next calls: red, green, blue and opacity, 0 to 1 (a: default 1).
---Raises: a number outside that range.
---@param r any
---@param g any
---@param b any
---@param a? any
---@return brio.canvas # canvas
function canvas:color(r, g, b, a) end

---Draw a closed outline through `points` ({x1, y1, ...}, at least 3), filled or not, and its
---edge `line_width` points wide (default: 0 when filled, else 1).  Raises: points that are not such a
---list.
---@param points table
---@param filled boolean
---@param line_width? any
---@return brio.canvas # canvas
function canvas:polygon(points, filled, line_width) end

---Draw a line through `points` ({x1, y1, ...}, at least 2), `width` points wide (default 1).
---@param points table
---@param width? number
---@return brio.canvas # canvas
function canvas:line(points, width) end

---Draw a circle; the last two as in polygon.
---@param x number
---@param y number
---@param radius any
---@param filled boolean
---@param line_width? any
---@return brio.canvas # canvas
function canvas:circle(x, y, radius, filled, line_width) end

---Paint an image of columns x rows pixels (1 to 16384; red, green and blue, a byte each, row by row from the
---top) into a rectangle with its upper left corner at x, y.  Raises: a wrong number of bytes.
---@param x number
---@param y number
---@param width number
---@param height number
---@param columns any
---@param rows table
---@param bytes any
---@return brio.canvas # canvas
function canvas:image(x, y, width, height, columns, rows, bytes) end

---Write one line of UTF-8 text, letters `size` points high, on the baseline y; x is its "left" (default),
---"middle" or "right". Raises: another align.
---@param x number
---@param y number
---@param size number
---@param text string
---@param align? any
---@return brio.canvas # canvas
function canvas:text(x, y, size, text, align) end

---Return the width of the text, as drawn by canvas:text.
---@param size number
---@param text string
---@return number # points
function canvas:text_width(size, text) end

---Write the file and close it.  Fails: io (a full disk).
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function canvas:finish() end

return canvas
