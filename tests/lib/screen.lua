--- A terminal's screen, made of what a program wrote to it: as much of ECMA-48 as the tests' programs use.
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
  self.rows = {}
  for y = 1, self.height do self.rows[y] = {} end
end

local function clear_line(self, from, to)
  for x = from, to do self.rows[self.y][x] = nil end
end

--- What control sequences do, by their last letter.
local controls = {
  H = function(self, a, b) self.y, self.x = math.max(1, math.min(self.height, a or 1)), math.max(1, b or 1) end,
  K = function(self, a) if not a or a == 0 then clear_line(self, self.x, self.width) else clear_line(self, 1, self.width) end end,
  J = function(self, a)
    if a == 2 then return self:clear() end
    clear_line(self, self.x, self.width)
    for y = self.y + 1, self.height do self.rows[y] = {} end
  end,
  m = function(self, a) self.style = a ~= 0 and a or nil end,
}

local function put(self, character)
  if self.x > self.width then self.over = self:line(self.y) .. character end
  self.rows[self.y][math.min(self.x, self.width)] = character
  if self.style then self.styles[self.style] = true end
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

return screen
