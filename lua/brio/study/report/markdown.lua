--- Reports as Markdown: the methods of brio.draw.html_page, so that each text is written once.
local columns = require "brio.lib.columns"

local Markdown = {}
Markdown.__index = Markdown

local function add(self, ...)
  for _, part in ipairs { ... } do self.parts[#self.parts + 1] = part end
  self.parts[#self.parts + 1] = "\n\n"
  return self
end

--- A text with markup characters escaped.
local function escaped(text)
  return (tostring(text):gsub("[\\`*_<>#%[%]|]", "\\%0"))
end

--- A heading of level 2 or 3.
function Markdown:heading(text, level) return add(self, ("#"):rep(level or 2), " ", escaped(text)) end

--- A paragraph; of kind "bad" in bold.
function Markdown:text(text, kind)
  local shown = escaped(text):gsub("\n", "  \n")
  return add(self, kind == "bad" and "**" .. shown .. "**" or shown)
end

--- A list of texts.
function Markdown:list(items)
  local lines = {}
  for index, item in ipairs(items) do lines[index] = "- " .. escaped(item) end
  return add(self, table.concat(lines, "\n"))
end

local function cell(value)
  if math.type(value) == "float" then return ("%.4g"):format(value) end
  return escaped(columns.cell(value))
end

local function line(values, count)
  local cells = {}
  for index = 1, count do cells[index] = cell(values[index]) end
  return "| " .. table.concat(cells, " | ") .. " |"
end

--- A table: the columns' names, and rows, each a list; options.caption is above it.
function Markdown:table(names, rows, options)
  local lines = { line(names, #names), "|" .. (" --- |"):rep(#names) }
  for _, row in ipairs(rows) do lines[#lines + 1] = line(row, #names) end
  local caption = options and options.caption
  return add(self, caption and escaped(caption) .. ":\n\n" or "", table.concat(lines, "\n"))
end

--- A picture: its caption, and the reference to where it is drawn.
function Markdown:picture(_, caption)
  return self:text(("Figure: %s (It is drawn in the page: --out FILE.html.)"):format(caption))
end

--- The report as a text.
function Markdown:finish() return (table.concat(self.parts):gsub("\n+$", "\n")) end

local markdown = {}

--- A new report: { title, about (a line below it) }.
function markdown.new(options)
  local self = setmetatable({ parts = {} }, Markdown)
  self:heading(options.title, 1)
  if options.about then self:text(options.about) end
  return self
end

return markdown
