--- brio: write what a robot does, change it while it moves, ask afterwards what happened.
---
--- `require "brio"` works inside the program and in a stock lua5.4.  Loading it only defines names: it
--- starts no timer, motion or file.
require "brio.core"
require "brio.public"

--- A function of a module that most behaviors do without: the first call loads it.
local function later(module, name)
  return function(...) return require(module)[name](...) end
end

local brio = {
  version = require "brio.version",
  behavior = require("brio.behavior.define").define,
  want = require "brio.behavior.wants.want",
  objective = later("brio.behavior.wants.objective", "define"),
  goal_kind = later("brio.behavior.wants.objective", "goal_kind"),
  feature = later("brio.behavior.wants.objective", "feature"),
  scene_object = later("brio.perception.objects", "define"),
  session = later("brio.operator.session", "define"),
}

--- A number that people may tune while the behavior runs: value, unit, minimum and maximum.
---@param value number
---@param unit string
---@param lower number
---@param upper number
---@return table
function brio.param(value, unit, lower, upper)
  if type(value) ~= "number" or type(lower) ~= "number" or type(upper) ~= "number"
     or not (lower <= value and value <= upper) then
    error("brio.param(value, unit, lower, upper): the value must be a number within its range", 2)
  end
  return { value = value, unit = unit, lower = lower, upper = upper }
end

--- The plain data that a study's file returns; see docs/analysis/studies.md.
---@param fields table
---@return table
function brio.study(fields)
  if type(fields) ~= "table" then error("brio.study expects a table of fields", 2) end
  return fields
end

--- Modules written in C, and those of brio.public, are also fields: brio.robot is require "brio.robot".
return setmetatable(brio, {
  __index = function(self, name)
    local opener = type(name) == "string" and package.preload["brio." .. name]
    if not opener then return nil end
    local module = require("brio." .. name)
    rawset(self, name, module)
    return module
  end,
})
