--- Colors by name, as ranges of hue (degrees, 0 to 360, red is 0), saturation and value (0 to 1), for a
--- search by color.
local suggest = require "brio.lib.suggest"

local colors = {}

--- Ranges {lower, upper}; a range of hue whose lower end is above its upper one wraps around 360.
colors.named = {
  red = { hue = { 340, 15 }, saturation = { 0.4, 1 }, value = { 0.25, 1 } },
  orange = { hue = { 15, 42 }, saturation = { 0.5, 1 }, value = { 0.45, 1 } },
  brown = { hue = { 10, 42 }, saturation = { 0.3, 1 }, value = { 0.1, 0.55 } },
  yellow = { hue = { 42, 70 }, saturation = { 0.4, 1 }, value = { 0.4, 1 } },
  green = { hue = { 70, 165 }, saturation = { 0.25, 1 }, value = { 0.15, 1 } },
  cyan = { hue = { 165, 195 }, saturation = { 0.25, 1 }, value = { 0.25, 1 } },
  blue = { hue = { 195, 260 }, saturation = { 0.3, 1 }, value = { 0.15, 1 } },
  purple = { hue = { 260, 320 }, saturation = { 0.25, 1 }, value = { 0.15, 1 } },
  pink = { hue = { 300, 350 }, saturation = { 0.15, 0.75 }, value = { 0.6, 1 } },
  white = { saturation = { 0, 0.2 }, value = { 0.8, 1 } },
  gray = { saturation = { 0, 0.2 }, value = { 0.25, 0.8 } },
  black = { value = { 0, 0.25 } },
}

--- Hue in degrees, saturation and value of an sRGB color {r, g, b}, 0 to 1 each.
function colors.hsv(rgb)
  local r, g, b = rgb[1], rgb[2], rgb[3]
  local most, least = math.max(r, g, b), math.min(r, g, b)
  local span = most - least
  local hue = 0
  if span > 0 then
    if most == r then hue = (g - b) / span % 6
    elseif most == g then hue = (b - r) / span + 2
    else hue = (r - g) / span + 4 end
  end
  return 60 * hue, most > 0 and span / most or 0, most
end

local function within(range, value)
  if not range then return true end
  if range[1] <= range[2] then return value >= range[1] and value <= range[2] end
  return value >= range[1] or value <= range[2]
end

local limits = { hue = 360, saturation = 1, value = 1 }

local function range_fault(name, range)
  if type(range) ~= "table" or type(range[1]) ~= "number" or type(range[2]) ~= "number" or #range ~= 2 then
    return ("%s must be { lower, upper }"):format(name)
  end
  for _, number in ipairs(range) do
    if not (number >= 0 and number <= limits[name]) then
      return ("%s must be from 0 to %g"):format(name, limits[name])
    end
  end
  if name ~= "hue" and range[1] > range[2] then return ("%s must be { lower, upper }"):format(name) end
end

--- The error in a color to search, a name or { hue =, saturation =, value = }: the text after its name in a
--- sentence, or nil.
function colors.fault(color)
  if type(color) == "string" then
    if colors.named[color] then return nil end
    local names = suggest.keys(colors.named)
    return ("is none that is known, '%s'%s: there are %s"):format(color, suggest.hint(color, names),
      table.concat(names, ", "))
  end
  if type(color) ~= "table" then
    return "must be a name or { hue =, saturation =, value = }, not a " .. type(color)
  end
  local keys = suggest.keys(color)
  if #keys == 0 then return "must have hue, saturation or value" end
  for _, key in ipairs(keys) do
    if not limits[key] then return ("has no '%s'%s"):format(key, suggest.hint(key, suggest.keys(limits))) end
    local why = range_fault(key, color[key])
    if why then return why end
  end
end

--- Whether an sRGB color {r, g, b} matches a color to search; false for nil, an unknown color.
function colors.is(rgb, color)
  if not rgb then return false end
  local range = type(color) == "string" and colors.named[color] or color
  local hue, saturation, value = colors.hsv(rgb)
  return within(range.hue, hue) and within(range.saturation, saturation) and within(range.value, value)
end

--- The name of an sRGB color: of the first range, by name, that contains it; nil: none.
function colors.name(rgb)
  local best, nearest
  local hue, _, value = colors.hsv(rgb)
  for _, name in ipairs(suggest.keys(colors.named)) do
    local range = colors.named[name]
    if colors.is(rgb, range) then
      local middle = range.hue and (range.hue[1] + (range.hue[2] - range.hue[1]) % 360 / 2) % 360
      local far = middle and math.abs((hue - middle + 180) % 360 - 180) or 0
      far = far + 60 * math.abs(value - (range.value[1] + range.value[2]) / 2)
      if not best or far < nearest then best, nearest = name, far end
    end
  end
  return best
end

return colors
