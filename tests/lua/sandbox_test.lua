--- What a behavior's file may and may not see.
local function load_text(t, text)
  local path = t:temporary(".lua")
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  local loaded, faults = require("brio.runner").load(path, {})
  return loaded, faults and require("brio.runner").sentence(faults), path
end

local head = "local brio = require 'brio' local b = brio.behavior 'b' { start = 'one' } b.one = {}\n"

test("clocks, files, processes, bytecode and native modules are out of reach", function(t)
  for _, text in ipairs {
    "os.execute('true')", "os.time()", "io.open('x')", "debug.getregistry()", "load('return 1')()", "loadfile('x')",
    "dofile('x')", "require 'luv'", "require 'cjson'", "require 'brio.engine'", "package.loadlib('x', 'y')",
    "string.dump(print)", "collectgarbage()", "setmetatable({}, { __gc = print })", "x = 1", "require '../x'",
  } do
    local loaded, why = load_text(t, head .. text .. "\nreturn b")
    t:ok(not loaded, "%s was allowed", text)
    t:match(why or "", ":2: ")
  end
end)

test("pairs goes in a defined order, and tostring shows no address", function(t)
  local loaded, why = load_text(t, head .. [[
local t = { zebra = 1, apple = 2, [3] = 3, [1] = 4, [true] = 5 }
local keys = {}
for key in pairs(t) do keys[#keys + 1] = tostring(key) end
local seen = table.concat(keys, " ")
if seen ~= "1 3 apple zebra true" then error(seen) end
if tostring({}) ~= "table" or tostring(print) ~= "function" then error("an address") end
if string.format("%s", {}) ~= "table" then error("an address in format") end
if next({}) ~= nil or next({ b = 1, a = 2 }) ~= "a" then error("next") end
return b]])
  t:ok(loaded, "%s", why)
end)

test("faults are named with file, line and what was probably meant", function(t)
  local cases = {
    { "return b +", ":2: .*unexpected symbol" },
    { "b.two = { on = { x = 'oen' } }\nreturn b", ":2: state 'two' leads to 'oen', which is no state %(did you mean 'one'%?%)" },
    { "b.two = {\n  wnats = {} }\nreturn b", ":3: state 'two' has no field 'wnats' %(did you mean 'wants'%?%)" },
    { "brio.want.joint_mtach { joint = 'x', goal = 1 }\nreturn b", ":2: there is no objective want.joint_mtach %(did you mean 'joint_match'%?%)" },
    { "b.two = { wants = { brio.want.joint_match { joint = 'x' } } }\nreturn b", ":2: want.joint_match needs a goal" },
    { "b.two = { wants = { brio.want.joint_match { joint = 'x', gaol = 1 } } }\nreturn b", ":2: want.joint_match has no argument 'gaol' %(did you mean 'goal'%?%)" },
    { "return 3", "must return what brio.behavior made" },
    { "prnit('x')\nreturn b", ":2: unknown name 'prnit' %(did you mean 'print'%?%)" },
  }
  for _, case in ipairs(cases) do
    local loaded, why = load_text(t, head .. case[1])
    t:ok(not loaded, "%s was taken", case[1])
    t:match(why or "", case[2])
  end
end)

test("a link or joint that the robot lacks is named with its line", function(t)
  local path = t:temporary(".lua")
  local file = assert(io.open(path, "w"))
  file:write(head, "b.one.wants = {\n  brio.want.joint_match { joint = 'HeadYwa', goal = 1 },\n}\nreturn b\n")
  file:close()
  local run, why = require("brio.runner").new { file = path, robot = "pepper" }
  t:equal(run, nil)
  t:match(why, ":3: want.joint_match: robot 'pepper' has no joint 'HeadYwa' %(did you mean 'HeadYaw'%?%)")
end)
