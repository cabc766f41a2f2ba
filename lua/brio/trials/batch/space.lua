--- Points in a space of parameters: a grid, or a Latin hypercube (M. D. McKay, R. J. Beckman, W. J. Conover,
--- "A comparison of three methods for selecting values of input variables in the analysis of output from a
--- computer code", Technometrics 21 (1979) 239-245).
local random = require "brio.random"

local space = {}

--- Default number of values of an axis LO..HI in a grid.
space.usual_steps = 5

--- Parse NAME=LO..HI, NAME=LO..HI:N or NAME=A,B,C.  Return {name, low, high, steps} or {name, list}; nil and
--- a sentence.
local function read_axis(text)
  local name, said = text:match "^%s*([^=]-)%s*=%s*(.-)%s*$"
  local range, steps = (said or ""):match "^(.*):(%d+)$"
  local low, high = (range or said or ""):match "^([^,]-)%.%.([^,]-)$"
  low, high, steps = tonumber(low), tonumber(high), steps and math.tointeger(tonumber(steps))
  if name and name ~= "" and low and high and low < high and high - low < math.huge and steps ~= 0 then
    return { name = name, low = low, high = high, steps = steps }
  end
  local list = {}
  for word in ((said or "") .. ","):gmatch "%s*([^,]-)%s*," do
    if word ~= "" and not word:find("..", 1, true) then list[#list + 1] = word else list = {} break end
  end
  if name and name ~= "" and #list > 0 then return { name = name, list = list } end
  return nil, ("--space expects NAME=LO..HI, NAME=LO..HI:STEPS or NAME=A,B,C, not '%s'"):format(text)
end

--- A number as the text that reads as the same number.
local function exact(value) return ("%.17g"):format(value) end

--- The values of an axis in a grid, as texts.
local function values_of(axis)
  if axis.list then return axis.list end
  local steps, list = axis.steps or space.usual_steps, {}
  for index = 1, steps do
    local part = steps == 1 and 0.5 or (index - 1) / (steps - 1)
    list[index] = exact(axis.low + (axis.high - axis.low) * part)
  end
  return list
end

local designs = {}

--- All combinations of all values; the last axis changes first.
function designs.grid(axes)
  local points = { {} }
  for place, axis in ipairs(axes) do
    local longer = {}
    for _, point in ipairs(points) do
      for _, value in ipairs(values_of(axis)) do
        local one = table.move(point, 1, #point, 1, {})
        one[place] = value
        longer[#longer + 1] = one
      end
    end
    points = longer
  end
  return points
end

--- As many points as wanted: each of as many equal parts of each axis has one.
function designs.latin(axes, count, seed)
  local points = {}
  for index = 1, count do points[index] = {} end
  for place, axis in ipairs(axes) do
    local stream, order = random.stream(seed, "space." .. axis.name), {}
    for index = 1, count do order[index] = index end
    for index = count, 2, -1 do
      local other = stream:whole(index)
      order[index], order[other] = order[other], order[index]
    end
    for index = 1, count do
      local part = (order[index] - stream:uniform(0, 1)) / count
      points[index][place] = axis.list and axis.list[math.floor(part * #axis.list) + 1]
        or exact(axis.low + (axis.high - axis.low) * part)
    end
  end
  return points
end

--- The most points of a batch.
space.most = 100000

--- The points of a space: a list of lists of words NAME=VALUE.  `points`: the number of points of a Latin
--- hypercube; nil: a grid.  No texts: one point without words.  nil and a sentence if it is not valid.
---@param texts string[]
---@param points integer?
---@param seed integer
---@return string[][]?, string?
function space.points(texts, points, seed)
  if #texts == 0 then return { {} } end
  local axes, seen, count = {}, {}, 1
  for index, text in ipairs(texts) do
    local axis, why = read_axis(text)
    if not axis then return nil, why end
    if seen[axis.name] then return nil, ("--space %s: it is given twice"):format(axis.name) end
    if points and axis.steps then
      return nil, ("--space %s: with --points the number of steps has no meaning"):format(text)
    end
    axes[index], seen[axis.name] = axis, true
    count = count * (axis.list and #axis.list or axis.steps or space.usual_steps)
  end
  if (points or count) > space.most then
    return nil, ("the space has %d points, at most %d are possible"):format(points or count, space.most)
  end
  local made = points and designs.latin(axes, points, seed) or designs.grid(axes)
  for _, point in ipairs(made) do
    for place, value in ipairs(point) do point[place] = axes[place].name .. "=" .. value end
  end
  return made
end

--- The whole range of each axis, as a variation says it: NAME=LO..HI or NAME=A,B,C, to check names and
--- limits.
---@param texts string[]
---@return string[]
function space.ranges(texts)
  local list = {}
  for index, text in ipairs(texts) do list[index] = text:gsub("(%.%.[^,:]*):%d*$", "%1") end
  return list
end

return space
