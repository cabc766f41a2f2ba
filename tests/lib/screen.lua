--- A terminal's screen, made of what a program wrote to it: as much of ECMA-48 as brio's programs use.  As text, for
--- tests, or as a picture (SVG), for people.
---
---     local screen = require "screen".new(80, 24)
---     screen:write(bytes)
---     print(screen:text())
local screen = {}
screen.__index = screen

function screen.new(width, height)
  local self = setmetatable({ width = width, height = height, x = 1, y = 1, styles = {}, modes = {}, unknown = {} }, screen)
  self:clear()
  return self
end

function screen:clear()
  self.rows, self.looks = {}, {}
  for y = 1, self.height do self.rows[y], self.looks[y] = {}, {} end
end

local function clear_line(self, from, to)
  for x = from, to do self.rows[self.y][x], self.looks[self.y][x] = nil, nil end
end

--- What control sequences do, by their last letter.
local controls = {
  H = function(self, a, b) self.y, self.x = math.max(1, math.min(self.height, a or 1)), math.max(1, b or 1) end,
  K = function(self, a) if not a or a == 0 then clear_line(self, self.x, self.width) else clear_line(self, 1, self.width) end end,
  J = function(self, a)
    if a == 2 then return self:clear() end
    clear_line(self, self.x, self.width)
    for y = self.y + 1, self.height do self.rows[y], self.looks[y] = {}, {} end
  end,
  m = function(self, ...)
    local list = { ... }
    self.look = (...) and (...) ~= 0 and table.concat(list, ";") or nil
    for _, style in ipairs(list) do self.styles[style] = style ~= 0 or nil end
  end,
}

local function put(self, character)
  if self.x > self.width then self.over = self:line(self.y) .. character end
  local x = math.min(self.x, self.width)
  self.rows[self.y][x], self.looks[self.y][x] = character, self.look
  self.x = self.x + 1
end

local plain = {
  ["\r"] = function(self) self.x = 1 end,
  ["\n"] = function(self) self.y = math.min(self.height, self.y + 1) end,
}

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
      if plain[character] then plain[character](self) elseif character:byte() >= 32 then put(self, character) end
      at = at + #character
    end
  end
end

function screen:line(y)
  local cells = {}
  for x = 1, self.width do cells[x] = self.rows[y][x] or " " end
  return (table.concat(cells):gsub(" +$", ""))
end

function screen:text()
  local lines = {}
  for y = 1, self.height do lines[y] = self:line(y) end
  return table.concat(lines, "\n")
end

-- As a picture -------------------------------------------------------------------------------------------

local cell_width, cell_height, margin = 7.8, 17, 12

--- Colors of the styles that brio's programs use, on a dark ground.
local colors = { ["31"] = "#ff7b72", ["32"] = "#7ee787", ["33"] = "#f2cc60", ["36"] = "#79c0ff", ["2"] = "#8b949e" }

local function attributes(look)
  local fill, bold = "#e6edf3", false
  for style in (look or ""):gmatch "%d+" do
    if style == "1" then bold = true end
    fill = colors[style] or fill
  end
  return (' fill="%s"%s'):format(fill, bold and ' font-weight="bold"' or "")
end

local escapes = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

--- The runs of one look in a row: {x, length, text, look} each.
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

--- The screen as an SVG, with a title for those who cannot see it.
function screen:svg(title)
  local width, height = self.width * cell_width + 2 * margin, self.height * cell_height + 2 * margin
  local out = {
    ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img">')
      :format(width, height, width, height),
    ("<title>%s</title>"):format(title:gsub("[&<>]", escapes)),
    '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>',
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="13" '
      .. 'xml:space="preserve">',
  }
  for y = 1, self.height do
    for _, run in ipairs(runs_of(self, y)) do
      out[#out + 1] = ('<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>'):format(
        margin + (run.x - 1) * cell_width, margin + (y - 0.28) * cell_height, run.length * cell_width, attributes(run.look),
        (run.text:gsub("[&<>]", escapes)))
    end
  end
  out[#out + 1] = "</g>\n</svg>\n"
  return table.concat(out, "\n")
end

return screen
