--- Paper for pictures inside a page: the methods of brio.canvas with SVG text as output, in which text stays
--- text.  It has no external references.
local markup = require "brio.lib.markup"

local Vector = {}
Vector.__index = Vector

local anchors = { left = "start", middle = "middle", right = "end" }

--- Average width of a character relative to the font size; wide ones (Chinese, emoji, ...) begin at U+1100.
local narrow, wide, first_wide = 0.54, 1.05, 0x1100

--- New paper: { width, height, title }.
local function new(options)
  return setmetatable({ width = options.width, height = options.height, title = options.title or "",
    parts = {} }, Vector)
end

local function add(paper, format, ...)
  paper.parts[#paper.parts + 1] = format:format(...)
  return paper
end

--- A number rounded to a tenth of a point.
local function short(value)
  local text = ("%.1f"):format(value):gsub("%.0$", "")
  return text == "-0" and "0" or text
end

local function places(points)
  local out = {}
  for index, value in ipairs(points) do out[index] = short(value) end
  return table.concat(out, " ")
end

function Vector:color(r, g, b, a)
  self.paint = ("#%02x%02x%02x"):format(math.floor(r * 255 + 0.5), math.floor(g * 255 + 0.5),
    math.floor(b * 255 + 0.5))
  self.opacity = a or 1
  return self
end

--- The attributes of a shape: filled, or only its outline.
local function style(paper, filled, width)
  local kind = filled and "fill" or "stroke"
  local faint = paper.opacity < 1 and (' %s-opacity="%.2g"'):format(kind, paper.opacity) or ""
  if filled then return (' fill="%s"%s'):format(paper.paint, faint) end
  return (' fill="none" stroke="%s" stroke-width="%.2g"%s'):format(paper.paint, width, faint)
end

function Vector:polygon(points, filled, line_width)
  return add(self, '<polygon points="%s"%s/>', places(points), style(self, filled, line_width or 1))
end

function Vector:line(points, width)
  return add(self, '<polyline points="%s"%s/>', places(points), style(self, false, width or 1))
end

function Vector:circle(x, y, radius, filled, line_width)
  return add(self, '<circle cx="%s" cy="%s" r="%s"%s/>', short(x), short(y), short(radius),
    style(self, filled, line_width or 1))
end

function Vector:text(x, y, size, text, align)
  if text == "" then return self end
  return add(self, '<text x="%s" y="%s" font-size="%s" text-anchor="%s" fill="%s">%s</text>', short(x),
    short(y), short(size), anchors[align or "left"], self.paint, markup.escape(text))
end

function Vector:text_width(size, text)
  local width = 0
  for _, code in utf8.codes(markup.utf8(text)) do
    width = width + size * (code >= first_wide and wide or narrow)
  end
  return width
end

--- The picture as a text.
function Vector:finish()
  local head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img" \z
    font-family="sans-serif"><title>%s</title>'
  local first = head:format(short(self.width), short(self.height), markup.escape(self.title))
  return first .. table.concat(self.parts, "\n") .. "</svg>"
end

return { new = new }
