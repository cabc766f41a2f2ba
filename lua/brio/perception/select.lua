--- Selects the confirmed detection from which an object is set up: those of a class with enough sightings, in
--- a region and of a color, and among these one by a rule.
local colors = require "brio.perception.colors"
local geometry = require "brio.lib.geometry"
local suggest = require "brio.lib.suggest"
local volumes = require "brio.perception.volumes"

local choose = {}

--- Rules by name: the selected one has the maximum value. `seen`: its position in the view (x forward, y
--- left).
choose.rules = {
  closest = function(_, seen) return -math.sqrt(seen[1] ^ 2 + seen[2] ^ 2 + seen[3] ^ 2) end,
  confident = function(one) return one.confidence or 0 end,
  leftmost = function(_, seen) return math.atan(seen[2], seen[1]) end,
  rightmost = function(_, seen) return -math.atan(seen[2], seen[1]) end,
  highest = function(one) return one.position[3] end,
  largest = function(one)
    local s = one.size or { 0, 0, 0 }
    return math.max(s[1], 1e-6) * math.max(s[2], 1e-6) * math.max(s[3], 1e-6)
  end,
  newest = function(one) return one.first_seen or 0 end,
}

local function class_fault(class)
  if type(class) == "string" then return nil end
  if type(class) ~= "table" or #class == 0 then
    return "class must be a name or a list of names, not a " .. type(class)
  end
  for _, name in ipairs(class) do
    if type(name) ~= "string" then return "class must be a list of names" end
  end
end

--- The error in the settings of a selection: a sentence, or nil.
function choose.fault(said)
  local wrong = said.class ~= nil and class_fault(said.class)
  if wrong then return wrong end
  local select = said.select
  if select ~= nil and type(select) ~= "function" and not choose.rules[select] then
    local names = suggest.keys(choose.rules)
    return ("select must be a function or one of %s, not '%s'%s"):format(table.concat(names, ", "),
      tostring(select), suggest.hint(tostring(select), names))
  end
  wrong = said.region ~= nil and volumes.fault(said.region)
  if wrong then return "region " .. wrong end
  wrong = said.color ~= nil and colors.fault(said.color)
  if wrong then return "color " .. wrong end
  if said.where ~= nil and type(said.where) ~= "function" then
    return "where must be a function, not a " .. type(said.where)
  end
end

--- Number of detections.
local function history_of(one) return one.history or one.sightings or 0 end

--- The conditions in turn, each applied to the rest of the one before; `word` explains why none is left.
local conditions = {
  { word = function(said) return ("none is stable with a history of %d"):format(said.history) end,
    passes = function(one, said)
      return (one.stable ~= false or said.unstable) and history_of(one) >= said.history
    end },
  { word = function(said) return ("none has the id '%s'"):format(said.id) end,
    passes = function(one, said) return said.id == nil or one.id == said.id end },
  { word = function(said) return "none is "
    .. (type(said.color) == "string" and said.color or "of that color") end,
    passes = function(one, said) return said.color == nil or colors.is(one.color, said.color) end },
  { word = function() return "none is in the region" end,
    passes = function(one, said, about)
      if said.region == nil then return true end
      local distance, why = volumes.distance(about.site, said.region, said.region_frame or about.frame,
        one.position)
      about.why = about.why or why
      return distance ~= nil and distance <= 0
    end },
  { word = function(said) return ("none is within %g m"):format(said.within or 0) end,
    passes = function(one, said, about)
      return said.within == nil or geometry.distance(one.position, about.view.position) <= said.within
    end },
  { word = function() return "none is as `where` wants it" end,
    passes = function(one, said, about) return said.where == nil or about.call(said.where, one) end },
}

--- The classes, in words.
local function classes_of(said)
  return "'" .. (type(said.class) == "table" and table.concat(said.class, "' or '") or said.class) .. "'"
end

local function passing(list, said, about)
  for _, condition in ipairs(conditions) do
    local left = {}
    for _, one in ipairs(list) do
      if condition.passes(one, said, about) then left[#left + 1] = one end
    end
    if #left == 0 then
      return nil, ("%d %s %s seen, %s%s"):format(#list, classes_of(said), #list == 1 and "is" or "are",
        condition.word(said), about.why and ": " .. about.why or "")
    end
    list = left
  end
  return list
end

--- The detection in the list that a function selected.
local function chosen_by(select, list, about)
  local one = about.call(select, list)
  if one == nil or one == false then return nil, "`select` chose none of " .. #list end
  for _, other in ipairs(list) do
    if one == other or type(one) == "table" and one.number ~= nil and one.number == other.number then
      return other
    end
  end
  return nil, "`select` must return one of the list that it is given, or nil"
end

--- Select from a list of detections: the one, or nil and why there is none. `said`: {class, id, history,
--- select, region, region_frame, color, within, where}; `about`: {view = the viewpoint, site = for volumes,
--- frame = default frame of regions, call(fn, ...)}.
function choose.one(list, said, about)
  if #list == 0 then return nil, ("no %s is seen"):format(classes_of(said)) end
  local left, why = passing(list, said, about)
  if not left then return nil, why end
  if type(said.select) == "function" then return chosen_by(said.select, left, about) end
  local rule, back = choose.rules[said.select or "closest"], geometry.inverse(about.view)
  local best, most
  for _, one in ipairs(left) do
    local value = rule(one, geometry.within(back, { position = one.position }).position)
    if not best or value > most then best, most = one, value end
  end
  return best
end

return choose
