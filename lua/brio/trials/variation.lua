--- Values that vary from run to run, and how they are set.
---
---   NAME=0.5..1.5           a parameter of the behavior's `tune`; also tune.NAME
---   memory.NAME=1,2,3       a field of its memory
---   tree.NODE.FIELD=2..4    a field of a tree's node, by the node's name
---   world.ID.x=-0.1..0.1    an offset of a person, an object or a piece of furniture: x, y, z (m) or
---                           yaw (rad)
---   world.ID.friction=0.5..1   another number of an object: friction, rolling, radius (m), from (s)
---   world.sensor.FIELD=...  a field of the world's sensor
---   set.NAME=0..0.01        a setting of the simulator, such as noise (see `brio drivers`)
---
--- LO..HI draws a number from a uniform distribution, A,B,C one of these values.
local actuator = require "brio.actuator"
local suggest = require "brio.lib.suggest"

local variation = {}
local Variation = {}
Variation.__index = Variation

--- Parse "LO..HI" or "A,B,C".  Return {lower, upper} or {list}, or nil.
local function read_values(text)
  local low, high = text:match "^([^,]-)%.%.([^,]-)$"
  if low then
    low, high = tonumber(low), tonumber(high)
    return low and high and low <= high and math.abs(low) < math.huge and math.abs(high) < math.huge
      and { lower = low, upper = high } or nil
  end
  local list = {}
  for word in (text .. ","):gmatch "([^,]*)," do
    if word == "" then return nil end
    local value = tonumber(word)
    if value == nil then value = word end
    if word == "true" or word == "false" then value = word == "true" end
    list[#list + 1] = value
  end
  return { list = list }
end

-- The kinds of values: check(item, about) returns the fault, or nil; put(item, value, about) sets the value.

local kinds = {}

--- The values to check against limits: the ends of a range, or all of a list.
local function ends_of(values) return values.list or { values.lower, values.upper } end

local function number_fault(item)
  for _, value in ipairs(ends_of(item.values)) do
    if type(value) ~= "number" then return ("'%s' is no number"):format(tostring(value)) end
  end
end

kinds.tune = {
  check = function(item, about)
    local tune = about.loaded.definition.fields.tune or {}
    local param = tune[item.name]
    if not param then
      return ("the behavior has nothing to tune called '%s'%s"):format(item.name,
        suggest.hint(item.name, suggest.keys(tune)))
    end
    local fault = number_fault(item)
    if fault then return fault end
    for _, value in ipairs(ends_of(item.values)) do
      if value < param.lower or value > param.upper then
        return ("%s must be from %g to %g %s, not %g"):format(item.name, param.lower, param.upper, param.unit,
          value)
      end
    end
  end,
  put = function(item, value, about)
    local tune, made = about.definition.fields.tune, {}
    for name, param in next, tune do made[name] = param end
    made[item.name] = setmetatable({ value = value }, { __index = tune[item.name] })
    about.definition.fields.tune = made
  end,
}

kinds.memory = {
  check = function(item, about)
    local memory = about.loaded.definition.fields.memory or {}
    if memory[item.name] ~= nil then return nil end
    return ("the behavior's memory has no '%s' at first%s"):format(item.name,
      suggest.hint(item.name, suggest.keys(memory)))
  end,
  put = function(item, value, about) about.definition.fields.memory[item.name] = value end,
}

local axes = { x = 2, y = 3, z = 4, yaw = 5 }

--- Numbers of an object that are replaced, not added to.
local numbers = { friction = true, rolling = true, radius = true, from = true }

--- The items of a world's data with this id, as a list, and the ids of all items, for hints.
local function things(world, id)
  local found, names = {}, { "sensor" }
  for _, list in ipairs { world.people or {}, world.objects or {}, world.furniture or {},
      world.things or {} } do
    for _, thing in ipairs(list) do
      if thing.id == id then found[#found + 1] = thing end
      names[#names + 1] = thing.id
    end
  end
  return found, names
end

kinds.world = {
  check = function(item, about)
    if not about.world then return "there is no world to vary" end
    if not item.field then return "give a field, as in world.cup.x=-0.1..0.1" end
    if item.name == "sensor" then return number_fault(item) end
    local found, names = things(about.world, item.name)
    if #found == 0 then
      return ("the world has no '%s'%s"):format(item.name, suggest.hint(item.name, names))
    end
    if not axes[item.field] and not numbers[item.field] then
      return ("of '%s' x, y, z and yaw can be varied, of a thing friction, rolling, radius and from too, \z
        not '%s'"):format(
        item.name, item.field)
    end
    return number_fault(item)
  end,
  put = function(item, value, about)
    local function put_elsewhere(thing)
      local place = axes[item.field]
      if not place then thing[item.field] = value
      elseif place == 5 then thing.yaw = (thing.yaw or 0) + value
      elseif thing.at then thing.at[place - 1] = (thing.at[place - 1] or 0) + value end
    end
    if item.name == "sensor" then
      about.world.sensor = about.world.sensor or {}
      about.world.sensor[item.field] = value
      return
    end
    for _, thing in ipairs((things(about.world, item.name))) do
      if not thing.path then put_elsewhere(thing) end
      for _, point in ipairs(thing.path or {}) do
        local place = axes[item.field]
        if place == 5 and point[4] == nil then point[4] = thing.height or 0 end
        point[place] = (point[place] or place == 4 and thing.height or 0) + value
      end
    end
  end,
}

kinds.set = {
  check = function(item)
    local names = {}
    for _, driver in ipairs(actuator.drivers()) do
      for _, setting in ipairs(driver.name == "simulator" and driver.settings or {}) do
        names[#names + 1] = setting.name
        for _, value in ipairs(setting.name == item.name and ends_of(item.values) or {}) do
          if type(value) ~= "number" or value < setting.lower or value > setting.upper then
            return ("%s must be from %g to %g, not %s"):format(item.name, setting.lower, setting.upper,
              tostring(value))
          end
        end
      end
    end
    if suggest.contains(names, item.name) then return nil end
    return ("the simulator has no setting '%s'%s"):format(item.name, suggest.hint(item.name, names))
  end,
  put = function(item, value, about) about.settings[item.name] = value end,
}

kinds.tree = { check = function() end, put = function() end, in_trees = true }

--- Parse one variation.  Return {text = what is left of "=", kind, name, field, values}, or nil and a
--- sentence.
local function read(text)
  local target, said = text:match "^%s*([^=]-)%s*=%s*(.-)%s*$"
  local values = said and read_values(said)
  if not values or target == "" then
    return nil, ("--vary expects NAME=LO..HI or NAME=A,B,C, not '%s'"):format(text)
  end
  local kind, rest = target:match "^(%a+)%.(.+)$"
  if not kinds[kind or ""] then kind, rest = "tune", target end
  local item = { text = target, kind = kind, name = rest, values = values }
  if kind == "world" or kind == "tree" then item.name, item.field = rest:match "^(.*)%.([%a_][%w_]*)$" end
  if not item.name then
    return nil, ("--vary %s: give a field, as in %s.NAME.FIELD=..."):format(target, kind)
  end
  return item
end

--- Parse all variations, a list of texts.  `about`: loaded (the behavior), world (its data, or nil).  Return
--- the variation of a run, or nil and a sentence.
function variation.new(texts, about)
  local self, seen = setmetatable({ items = {} }, Variation), {}
  for index, text in ipairs(texts) do
    local item, why = read(text)
    local fault = item and kinds[item.kind].check(item, about)
    if item and seen[item.text] then fault = "it is varied twice" end
    if not item or fault then return nil, why or ("--vary %s: %s"):format(item.text, fault) end
    self.items[index], seen[item.text] = item, true
  end
  return self
end

--- Draw a value for each variation from a random stream: { NAME = value }.
function Variation:draw(stream)
  local values = {}
  for _, item in ipairs(self.items) do
    local said = item.values
    if said.list then values[item.text] = said.list[stream:whole(#said.list)]
    else values[item.text] = stream:uniform(said.lower, said.upper) end
  end
  return values
end

--- Set the drawn values, except those of trees.  `about`: definition, world, settings.
function Variation:apply(values, about)
  for _, item in ipairs(self.items) do kinds[item.kind].put(item, values[item.text], about) end
end

--- Set a value in every node of that name inside a tree.  Return whether there was any.
local function put_in_form(form, item, value, seen)
  local found = form.name == item.name
  if seen[form] then return false end
  seen[form] = true
  if found then form[item.field] = value end
  for _, inner in next, form do
    if type(inner) == "table" then found = put_in_form(inner, item, value, seen) or found end
  end
  return found
end

--- Set the drawn values of trees: the trees of `states`, which are compiled, are compiled again.  Return the
--- error, or nil.
function Variation:apply_to_trees(values, states)
  local trees, piece = require "brio.tree.model.tree", require "brio.tree.model.piece"
  local found, any = {}, false
  for _, item in ipairs(self.items) do any = any or kinds[item.kind].in_trees end
  for _, state in ipairs(any and states or {}) do
    local form = piece.cut(state.tree, 1)
    for _, item in ipairs(self.items) do
      if kinds[item.kind].in_trees then
        found[item] = put_in_form(form, item, values[item.text], {}) or found[item]
      end
    end
    local made, faults = trees.compile(form)
    if not made then return ("state '%s': tree: %s"):format(state.path, faults[1].message) end
    made.document, made.origins, made.context = state.tree.document, state.tree.origins, state.tree.context
    state.tree = made
  end
  for _, item in ipairs(self.items) do
    if kinds[item.kind].in_trees and not found[item] then
      return ("--vary %s: no tree has a node '%s'"):format(item.text, item.name)
    end
  end
end

return variation
