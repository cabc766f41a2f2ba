--- Lua that people insert without writing it: conditions of transitions, goals that change, values of goals,
--- and new behaviors.  A word in braces, `{DISTANCE}`, is a value that is asked for.
local snippets = {}

--- Rows: what it is for ("when": a condition; a type of goal), a label with its values, the Lua, and the
--- values {name, unit, default}.
snippets.rows = {
  { use = "when", label = "a person is nearer than {DISTANCE} m",
    lua = 'function(self) return self.scene:nearest("person", { within = {DISTANCE} }) ~= nil end',
    values = { { "DISTANCE", "m", 2.5 } } },
  { use = "when", label = "no person is nearer than {DISTANCE} m",
    lua = 'function(self) return self.scene:nearest("person", { within = {DISTANCE} }) == nil end',
    values = { { "DISTANCE", "m", 3 } } },
  { use = "when", label = "the input {INPUT} is on",
    lua = 'function(self) return self.inputs["{INPUT}"] == true end',
    values = { { "INPUT", "", "button" } } },
  { use = "translation", label = "where the nearest person is",
    lua = 'function(self)\n  local one = self.scene:nearest "person"\n  return one and one.position\nend',
    values = {} },
  { use = "scalar", label = "swings about {VALUE} by {SWING}, {RATE} times a second",
    lua = "function(self) return {VALUE} + {SWING} * math.sin(2 * math.pi * {RATE} * self:elapsed()) end",
    values = { { "VALUE", "", 0 }, { "SWING", "", 0.3 }, { "RATE", "Hz", 0.5 } } },
  { use = "scalar", label = "goes from {FROM} to {TO} within {SECONDS} s",
    lua = "function(self) return {FROM} + ({TO} - {FROM}) * math.min(1, self:elapsed() / {SECONDS}) end",
    values = { { "FROM", "", 0 }, { "TO", "", 1 }, { "SECONDS", "s", 2 } } },
}

--- A first value for each type of goal.
snippets.goals = {
  scalar = "0", translation = "{ 1, 0, 1 }", rotation = "{ 0, 0, 0, 1 }", size = "{ 0.01, 0.01, 0.01 }",
  pose = "{ position = { 0.5, 0, 0.8 } }", line = "{ position = { 0.5, 0, 0 }, direction = { 0, 0, 1 } }",
  ellipse = "{ position = { 0.5, 0, 0.8 }, orientation = { 0, 0, 0, 1 }, size = { 0.1, 0.1, 0.1 } }",
  rotation_range = "{ orientation = { 0, 0, 0, 1 }, delta = 0.5 }",
  scalar_range = "{ value = 0, delta = 0.5 }",
  perspective = "{ focus = 0.4, turn = { 0, 0.1, 0.1 }, shift = { 0, 0, 0 } }",
  points = "{ { 0.1, 0.1, 0 }, { 0.1, -0.1, 0 }, { -0.1, 0, 0 } }",
}

--- New behaviors: label, and the text, in which NAME and ROBOT stand for theirs.
snippets.behaviors = {
  empty = { label = "one state that only keeps the robot safe", text = [[
local brio = require "brio"
local want = brio.want

local behavior = brio.behavior "NAME" {
  robot = ROBOT,
  start = "idle",
}

behavior.idle = {
  wants = {
    want.collision_avoidance {},
    want.joint_limits {},
  },
}

return behavior
]] },
  greeter = { label = "keeps visitors company", text = [[
local brio = require "brio"
local want = brio.want

local behavior = brio.behavior "NAME" {
  robot = ROBOT,
  start = "idle",
}

behavior.idle = {
  wants = {
    want.collision_avoidance {},
    want.joint_limits {},
    want.joint_velocity_minimization {},
  },
  on = { person_appeared = "company" },
}

behavior.company = {
  wants = {
    want.collision_avoidance {},
    want.joint_limits {},
    want.joint_velocity_minimization {},
  },
  on = { person_lost = "idle" },
}

return behavior
]] },
}

--- The text of a new behavior; nil: there is no such kind.
---@param kind string
---@param name string
---@param robot string
---@return string?
function snippets.behavior(kind, name, robot)
  local row = snippets.behaviors[kind]
  if not row then return nil end
  local words = { NAME = name, ROBOT = ("%q"):format(robot) }
  return (row.text:gsub("%u%u%u%u+", words))
end

return snippets
