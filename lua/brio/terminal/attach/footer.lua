--- The rows at the bottom of a terminal: a panel and the input line.  Printed lines appear above them.  Only
--- changes are written.  A dumb terminal has no panel: the input line is written again after printed lines.
local widths = require "brio.terminal.attach.widths"

local footer = {}
local Footer = {}
Footer.__index = Footer

--- A footer that writes to the terminal with `write(bytes)`; `width` in columns.
function footer.new(write, width)
  return setmetatable({ write = write, width = width, rows = {}, row = 1, column = 0 }, Footer)
end

--- A text without escape sequences, except brio's own styles.
local function plain(text) return (text:gsub("\27%[[%d;]*m", "")) end

--- Make a foreign text safe to print: a control character other than a line end becomes ^ and a letter, a
--- tab four spaces; bytes that are not UTF-8, and signs that change the direction of text, U+FFFD.
function footer.harmless(text)
  text = text:gsub("\r\n?", "\n"):gsub("\t", "    "):gsub("[%c\127]", function(sign)
    return sign == "\n" and sign or "^" .. string.char(sign:byte() ~ 64)
  end)
  local steers = text:find "\194[\128-\159]" or text:find "\226\128[\170-\174]"
    or text:find "\226\129[\166-\169]"
  if utf8.len(text) and not steers then return text end
  return (text:gsub("[^\n]+", function(line) return (widths.cut(line, math.huge)) end))
end

--- Number of terminal rows that a row takes now: more than one if the terminal was wider when it was written.
local function taken(self, row) return math.max(1, math.ceil(widths.width(plain(row)) / self.width)) end

--- The bytes that move the cursor to the beginning of the first row and erase everything from there on.
local function erase(self)
  local up = 0
  for index = 1, self.row - 1 do up = up + taken(self, self.rows[index]) end
  up = up + self.column // self.width
  return (up > 0 and ("\27[%dA"):format(up) or "") .. "\r\27[J"
end

--- The bytes that move the cursor down by this many rows; negative: up.
local function move(rows)
  return rows > 0 and ("\27[%dB"):format(rows) or rows < 0 and ("\27[%dA"):format(-rows) or ""
end

local function to_column(column) return "\r" .. (column > 0 and ("\27[%dC"):format(column) or "") end

--- Append to `parts` the bytes that write all rows, from the position of the first one on.
local function write_all(self, parts, rows, row, column)
  parts[#parts + 1] = table.concat(rows, "\r\n")
  parts[#parts + 1] = move(row - #rows) .. to_column(column)
  self.rows, self.row, self.column = rows, row, column
end

--- Show these rows, none wider than the terminal, with the cursor in a row (from 1) at a column (from 0).
function Footer:draw(rows, row, column)
  local parts = {}
  if #rows ~= #self.rows or self.stale then
    parts[1] = erase(self)
    write_all(self, parts, rows, row, column)
    self.stale = nil
  else
    local at = self.row
    for index, text in ipairs(rows) do
      if text ~= self.rows[index] then
        parts[#parts + 1] = move(index - at) .. "\r" .. text .. "\27[K"
        at = index
      end
    end
    if #parts == 0 and row == self.row and column == self.column then return end
    parts[#parts + 1] = move(row - at) .. to_column(column)
    self.rows, self.row, self.column = rows, row, column
  end
  if #parts > 1 then
    table.insert(parts, 1, "\27[?25l")
    parts[#parts + 1] = "\27[?25h"
  end
  self.write(table.concat(parts))
end

--- Print a text of one or more lines above the rows.
function Footer:print(text)
  local parts = { "\27[?25l", erase(self), (text:gsub("\n", "\r\n")), "\r\n" }
  if #self.rows > 0 then write_all(self, parts, self.rows, self.row, self.column) end
  parts[#parts + 1] = "\27[?25h"
  self.write(table.concat(parts))
end

--- The terminal's width has changed: written rows may have moved.
function Footer:resize(width)
  self.width, self.stale = width, true
end

--- The screen was cleared: write everything again at its top.
function Footer:clear()
  self.write "\27[H\27[2J"
  self.rows, self.row, self.column, self.stale = {}, 1, 0, true
end

--- Erase the rows; the cursor is then where the first of them was.
function Footer:leave()
  self.write(erase(self))
  self.rows, self.row, self.column = {}, 1, 0
end

-- A dumb terminal -------------------------------------------------------------------------------------------

local Dumb = {}
Dumb.__index = Dumb

--- The same for a terminal that cannot move the cursor: the rows are written as one line.
function footer.dumb(write) return setmetatable({ write = write, shown = "", behind = 0 }, Dumb) end

function Dumb:draw(rows, row, column)
  local text = table.concat(rows)
  local parts = { self.behind > 0 and self.shown:sub(-self.behind) or "" } -- erases to the end of the line
  if text:sub(1, #self.shown) == self.shown then
    parts[#parts + 1] = text:sub(#self.shown + 1)
  elseif self.shown:sub(1, #text) == text then
    parts[#parts + 1] = ("\b \b"):rep(widths.width(self.shown) - widths.width(text))
  else
    parts[#parts + 1] = (self.shown ~= "" and "\r\n" or "") .. text
  end
  local before = column
  for index = 1, row - 1 do before = before + widths.width(rows[index]) end
  local back = widths.width(text) - before
  parts[#parts + 1] = ("\b"):rep(back)
  self.shown, self.behind = text, #text - #(widths.cut(text, before))
  self.write(table.concat(parts))
end

function Dumb:print(text)
  self.write((self.shown ~= "" and "\r\n" or "") .. text:gsub("\n", "\r\n") .. "\r\n" .. self.shown
    .. ("\b"):rep(widths.width(self.shown:sub(#self.shown - self.behind + 1))))
end

function Dumb:resize() end

function Dumb:clear() end

function Dumb:leave()
  if self.shown ~= "" then self.write "\r\n" end
  self.shown, self.behind = "", 0
end

return footer
