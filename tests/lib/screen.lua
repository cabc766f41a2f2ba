--- A terminal's screen, made from a program's output: the part of ECMA-48 that brio's programs use.  As text,
--- for tests, or as a picture (SVG), for people.
---
---     local screen = require "screen".new(80, 24)
---     screen:write(bytes)
---     print(screen:text())
local screen = {}
screen.__index = screen

--- `flows`: lines wrap into the next row, and the screen scrolls, as where a program writes line after line;
--- `above` then has the rows that scrolled out at the top.
function screen.new(width, height, flows)
  local self = setmetatable({ width = width, height = height, x = 1, y = 1, styles = {}, modes = {},
    unknown = {}, flows = flows, above = {}, wrapped = {}, bells = 0 }, screen)
  self:clear()
  return self
end

function screen:clear()
  self.wrapped = {}
  self.rows, self.looks = {}, {}
  for y = 1, self.height do self.rows[y], self.looks[y] = {}, {} end
end

local function clear_line(self, from, to)
  for x = from, to do self.rows[self.y][x], self.looks[self.y][x] = nil, nil end
end

--- What control sequences do, by their last letter.
local controls = {
  A = function(self, a) self.y = math.max(1, self.y - math.max(1, a or 1)) end,
  B = function(self, a) self.y = math.min(self.height, self.y + math.max(1, a or 1)) end,
  C = function(self, a) self.x = math.min(self.width, math.min(self.x, self.width) + math.max(1, a or 1)) end,
  D = function(self, a) self.x = math.max(1, math.min(self.x, self.width) - math.max(1, a or 1)) end,
  H = function(self, a, b) self.y, self.x = math.max(1, math.min(self.height, a or 1)),
    math.max(1, b or 1) end,
  K = function(self, a) if not a or a == 0 then clear_line(self, self.x, self.width) else clear_line(self, 1,
    self.width) end end,
  J = function(self, a)
    if a == 2 then return self:clear() end
    clear_line(self, self.x, self.width)
    for y = self.y + 1, self.height do self.rows[y], self.looks[y], self.wrapped[y] = {}, {}, nil end
  end,
  m = function(self, ...)
    local list = { ... }
    self.look = (...) and (...) ~= 0 and table.concat(list, ";") or nil
    for _, style in ipairs(list) do self.styles[style] = style ~= 0 or nil end
  end,
}

--- Go to the next row; the first row scrolls out where the screen flows.
local function feed(self)
  if self.y < self.height then
    self.y = self.y + 1
  elseif self.flows then
    self.above[#self.above + 1] = self:line(1)
    for _, list in ipairs { self.rows, self.looks } do
      table.remove(list, 1)
      list[self.height] = {}
    end
    for y = 1, self.height do self.wrapped[y] = self.wrapped[y + 1] end
  end
end

--- Ranges of combining characters, and of those two columns wide: some of Unicode's.
local combining = { { 0x300, 0x36F }, { 0x200B, 0x200F }, { 0x20D0, 0x20FF }, { 0xFE00, 0xFE0F } }
local wide = { { 0x1100, 0x115F }, { 0x2E80, 0xA4CF }, { 0xAC00, 0xD7A3 }, { 0xF900, 0xFAFF },
  { 0xFF01, 0xFF60 }, { 0x1F300, 0x1F64F }, { 0x1F900, 0x1F9FF } }

local function is_in(ranges, character)
  local code = #character > 1 and utf8.len(character) == 1 and utf8.codepoint(character) or 0
  for _, range in ipairs(ranges) do
    if code >= range[1] and code <= range[2] then return true end
  end
  return false
end

local function put(self, character)
  local columns = is_in(wide, character) and 2 or 1
  if is_in(combining, character) then
    local row, x = self.rows[self.y], math.max(1, math.min(self.x, self.width + 1) - 1)
    while x > 1 and row[x] == "" do x = x - 1 end -- the second column of a wide character
    row[x] = (row[x] or " ") .. character
    return
  end
  if self.x + columns - 1 > self.width then
    if self.flows then
      feed(self)
      self.wrapped[self.y], self.x = true, 1
    else
      self.over = self:line(self.y) .. character
    end
  end
  local x = math.min(self.x, self.width)
  self.rows[self.y][x], self.looks[self.y][x] = character, self.look
  if columns == 2 then self.rows[self.y][x + 1], self.looks[self.y][x + 1] = "", self.look end
  self.x = self.x + columns
end

local plain = {
  ["\r"] = function(self) self.x = 1 end,
  ["\n"] = feed,
  ["\b"] = function(self) self.x = math.max(1, math.min(self.x, self.width) - 1) end,
  ["\a"] = function(self) self.bells = self.bells + 1 end,
}

--- Resize: a wrapped line takes as many rows as it needs now, as in terminals that reflow.
function screen:resize(width, height)
  local lines, cursor = {}, nil
  for y = 1, self.height do
    if not self.wrapped[y] or #lines == 0 then lines[#lines + 1] = { cells = {}, looks = {} } end
    local line = lines[#lines]
    local last = 0
    for x = 1, self.width do if self.rows[y][x] then last = x end end
    if y == self.y then
      cursor = { line = #lines, at = #line.cells + math.min(self.x, self.width + 1) }
      last = math.max(last, math.min(self.x, self.width) - 1)
    end
    for x = 1, last do
      line.cells[#line.cells + 1] = self.rows[y][x] or " "
      line.looks[#line.cells] = self.looks[y][x]
    end
  end
  local rows, looks, wrapped = {}, {}, {}
  for number, line in ipairs(lines) do
    for from = 1, math.max(1, #line.cells), width do
      rows[#rows + 1], looks[#looks + 1] = {}, {}
      wrapped[#rows] = from > 1
      for x = 1, math.min(width, #line.cells - from + 1) do
        rows[#rows][x], looks[#rows][x] = line.cells[from + x - 1], line.looks[from + x - 1]
      end
      if number == cursor.line and cursor.at >= from and cursor.at <= from + width then
        self.y, self.x = #rows, cursor.at - from + 1
      end
    end
  end
  self.width, self.height = width, height
  while #rows > height and #rows > self.y do table.remove(rows) end -- what is below the cursor
  while #rows > height do
    self.above[#self.above + 1] = table.concat(rows[1])
    table.remove(rows, 1) table.remove(looks, 1) table.remove(wrapped, 1)
    self.y = self.y - 1
  end
  for y = 1, height do rows[y], looks[y] = rows[y] or {}, looks[y] or {} end
  self.rows, self.looks, self.wrapped = rows, looks, wrapped
end

function screen:write(bytes)
  local at = 1
  while at <= #bytes do
    local private, numbers, letter, after = bytes:match("^\27%[(%??)([%d;]*)(%a)()", at)
    if letter then
      local list = {}
      for number in numbers:gmatch "%d+" do list[#list + 1] = math.tointeger(tonumber(number)) end
      if private == "?" then self.modes[list[1]] = letter == "h"
      elseif controls[letter] then controls[letter](self, table.unpack(list))
      else self.unknown[#self.unknown + 1] = letter end
      at = after
    else
      local character = bytes:match("^[\192-\247][\128-\191]*", at) or bytes:sub(at, at)
      if plain[character] then
        plain[character](self)
      elseif character:byte() >= 32 then
        put(self, character)
      end
      at = at + #character
    end
  end
end

--- A row including its trailing spaces.
function screen:whole_line(y)
  local cells = {}
  for x = 1, self.width do cells[x] = self.rows[y][x] or " " end
  return table.concat(cells)
end

function screen:line(y) return (self:whole_line(y):gsub(" +$", "")) end

--- All rows; `joined`: a wrapped line counts as one.
function screen:text(joined)
  local parts = {}
  for y = 1, self.height do
    local goes_on = joined and self.wrapped[y + 1]
    parts[y] = goes_on and self:whole_line(y) or self:line(y) .. (y < self.height and "\n" or "")
  end
  return table.concat(parts)
end

-- As a picture -------------------------------------------------------------------------------------------

local cell_width, cell_height, margin = 7.8, 17, 12

--- Colors of the styles that brio's programs use, on a dark ground.
local colors = { ["31"] = "#ff7b72", ["32"] = "#7ee787", ["33"] = "#f2cc60", ["36"] = "#79c0ff",
  ["2"] = "#8b949e" }

local function attributes(look)
  local fill, bold = "#e6edf3", false
  for style in (look or ""):gmatch "%d+" do
    if style == "1" then bold = true end
    fill = colors[style] or fill
  end
  return (' fill="%s"%s'):format(fill, bold and ' font-weight="bold"' or "")
end

local escapes = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

--- The runs of equal style in a row: {x, length, text, look} each.
local function runs_of(self, y)
  local list, run = {}, nil
  for x = 1, self.width do
    local character, look = self.rows[y][x] or " ", self.looks[y][x]
    if character == " " and not (run and self.rows[y][x + 1] and run.look == look) then
      run = nil
    elseif run and run.look == look then
      run.text, run.length = run.text .. character, run.length + 1
    else
      run = { x = x, length = 1, text = character, look = look }
      list[#list + 1] = run
    end
  end
  return list
end

--- The screen as an SVG, with a title for readers who cannot see it.
function screen:svg(title)
  local width, height = self.width * cell_width + 2 * margin, self.height * cell_height + 2 * margin
  local out = {
    ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img">')
      :format(width, height, width, height),
    ("<title>%s</title>"):format(title:gsub("[&<>]", escapes)),
    '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>',
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" \z
      font-size="13" '
      .. 'xml:space="preserve">',
  }
  for y = 1, self.height do
    for _, run in ipairs(runs_of(self, y)) do
      out[#out + 1] = ('<text x="%.1f" y="%.1f" textLength="%.1f" \z
        lengthAdjust="spacingAndGlyphs"%s>%s</text>'):format(
        margin + (run.x - 1) * cell_width, margin + (y - 0.28) * cell_height, run.length * cell_width,
          attributes(run.look),
        (run.text:gsub("[&<>]", escapes)))
    end
  end
  out[#out + 1] = "</g>\n</svg>\n"
  return table.concat(out, "\n")
end

return screen
