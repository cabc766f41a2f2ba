--- `brio steps`: plans printed, drawn, and refused with a message.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local ground = [[return {
  regions = { { { -0.5, -1, 0 }, { 0.5, -1, 0 }, { 0.5, 1, 0 }, { -0.5, 1, 0 } },
    { { 0.5, -1, 0.1 }, { 2, -1, 0.1 }, { 2, 1, 0.1 }, { 0.5, 1, 0.1 } } },
  obstacles = { { name = "box", kind = "box", size = { 0.1, 0.3, 2 }, pose = { position = { 1.9, 0.9, 1 } } } },
}
]]

test("a plan by rule is printed with its time, and as JSON", function(t)
  local run = brio("steps", "--to", "1,0")
  t:code(run, 0)
  t:has(run.out, "   1  left     0.280   0.120   0.000      0.000          0.50       0.80")
  t:has(run.out, "5 steps, 7.17 s")
  run = brio("steps", "--to", "1,0", "--json", "--set", "step_length=0.5")
  t:code(run, 0)
  local steps = require("cjson").decode(run.out)
  t:equal(#steps, 3, "steps")
end)

test("a search over a ground from a file is drawn", function(t)
  local folder = t:folder()
  files.write(folder .. "/ground.lua", ground)
  local run = brio("steps", "--to", "1,0", "--planner", "a_star", "--ground", folder .. "/ground.lua",
    "--svg", folder .. "/p.svg")
  t:code(run, 0)
  t:has(run.out, "  0.100 ")
  t:has(run.out, "expansions")
  t:has(files.read(folder .. "/p.svg"), "</svg>")
end)

test("what is no plan is said", function(t)
  local run = brio("steps")
  t:code(run, 2)
  t:has(run.err, "steps expects --to")
  run = brio("steps", "--to", "1")
  t:code(run, 2)
  t:has(run.err, "--to must be X,Y or X,Y,YAW")
  run = brio("steps", "--to", "1,0", "--set", "step_lenght=1")
  t:code(run, 1)
  t:has(run.err, "did you mean 'step_length'")
  run = brio("steps", "--to", "100,0")
  t:code(run, 1)
  t:has(run.err, "more than 100 steps")
  run = brio("steps", "--to", "1,0", "--planner", "quik")
  t:code(run, 1)
  t:has(run.err, "there is no planner 'quik'")
  run = brio("steps", "--to", "1,0", "--ground", "nowhere.lua")
  t:code(run, 1)
  t:has(run.err, "nowhere.lua")
end)

harness.done()
