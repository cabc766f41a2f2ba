--- `require "brio"` works in a stock lua5.4, so that authors can script without the engine.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local environment = ("LUA_PATH='%s/lua/?.lua;%s/lua/?/init.lua;;' LUA_CPATH='%s/lua/?.so;;' ")
  :format(harness.root, harness.root, harness.build)

--- Run a script under the stock interpreter.
local function stock(t, text)
  local file = t:folder() .. "/offline.lua"
  files.write(file, text)
  return harness.run { environment .. "lua5.4 " .. files.quote(file) }
end

test("brio and all its modules load in a stock lua5.4", function(t)
  local run = stock(t, [[
    local brio = require "brio"
    print(brio.version)
    for _, name in ipairs { "robot", "solver", "scene", "perception", "actuator", "store", "want", "robots" } do
      assert(type(require("brio." .. name)) == "table", name)
    end
  ]])
  t:code(run, 0)
  t:has(run.out, "~^%d+%.%d+%.%d+\n$")
end)

test("loading brio leaves no global behind", function(t)
  local run = stock(t, [[
    local before = {}
    for name in pairs(_G) do before[name] = true end
    require "brio"
    for name in pairs(_G) do if not before[name] then print("new global " .. name) end end
  ]])
  t:code(run, 0)
  t:equal(run.out, "", "new globals")
end)

test("a robot that ships is found and measured", function(t)
  local run = stock(t, [[
    require "brio"
    local robots = require "brio.robots"
    print(table.concat(robots.list(), " "))
    local panda = assert(robots.find "panda")
    print(panda.title, panda.robot:mass() > 10, #panda.robot:links() > 7)
    print(robots.find "pandda")
  ]])
  t:code(run, 0)
  t:has(run.out, "biped mycobot280 panda pepper probo ur3e")
  t:has(run.out, "true\ttrue")
  t:has(run.out, "did you mean 'panda'")
end)

test("a pose is solved", function(t)
  local run = stock(t, [[
    require "brio"
    local robots, solver = require "brio.robots", require "brio.solver"
    local panda = assert(robots.find "panda")
    local made = solver.new(panda.robot, { seed = 1 })
    local home = panda.poses[panda.home].joints
    made:reset({ joints = home }, true)
    made:add("turn", "joint_match", { joint = "panda_joint1" })
    made:goal("turn", 0.5)
    made:weight("turn", 10)
    local solution
    for i = 1, 600 do solution = made:solve(i * 0.005, 0.005) end
    print(("joint1 %.3f"):format(solution.joints.panda_joint1))
  ]])
  t:code(run, 0)
  local angle = tonumber(run.out:match "joint1 (%S+)")
  t:check(angle and math.abs(angle - 0.5) < 0.02, "joint1 went to %s", tostring(angle))
end)

test("wrong use raises at the caller's line", function(t)
  local run = stock(t, [[
    require "brio"
    local robots = require "brio.robots"
    local panda = assert(robots.find "panda")
    local good, why = pcall(function() return panda.robot:links(1, 2).nothing.x end)
    print(good, why)
    require("brio.solver").new("not a robot")
  ]])
  t:check(run.code ~= 0, "exit code 0")
  t:has(run.err, "offline.lua:6:")
end)

harness.done()
