--- Shared objects with objectives: the examples of docs/engine/extending-the-solver.md compiled as it says,
--- against the same written in Lua; and files that are not such objects.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local folder = files.temporary()
local examples = harness.root .. "/docs/examples/"

--- Compile a C text as the page says; return the shared object.
local function compile(name, text)
  local source, object = folder .. "/" .. name .. ".c", folder .. "/" .. name .. ".so"
  files.write(source, text or files.read(examples .. "c/" .. name .. ".c"))
  local run = harness.run { ("cc -std=c11 -O2 -Wall -Wextra -fPIC -shared -I%s/engine %s -o %s")
    :format(harness.root, source, object) }
  return object, run
end

local names = { "my_center_of_mass", "my_perspective", "my_places" }
local objects, compiled = {}, {}
for index, name in ipairs(names) do objects[index], compiled[index] = compile(name) end

--- Run a script with these objects; `lua` is the program to run it with.
local function script(text, load, lua)
  files.write(folder .. "/script.lua", text)
  local words = {}
  for _, object in ipairs(load or {}) do words[#words + 1] = "--load " .. object end
  return harness.run { ("%s %s %s/script.lua"):format(lua or harness.program .. " lua",
    table.concat(words, " "), folder) }
end

test("the examples compile without a warning, in a file of their own", function(t)
  for index in ipairs(names) do
    t:code(compiled[index], 0)
    t:equal(compiled[index].text, "", names[index])
  end
end)

--- The cases that both languages run: {objective, arguments, goal}.
local same = [[
package.path = "docs/examples/objectives/?.lua;" .. package.path
local robot, solver = require "brio.robot", require "brio.solver"
local mine, view, places = require "my_center_of_mass", require "my_perspective", require "my_places"
local arm = assert(robot.load "drivers/robots/panda/model.urdf")
local start = { joints = { panda_joint2 = -0.4, panda_joint4 = -2, panda_joint6 = 1.6, panda_joint7 = 0.8 } }
for _, file in ipairs { OBJECTS } do assert(require("brio.extension").load(file)) end -- after those in Lua
local list = { { 0.5, 0.2, 0.3 }, { -0.3, -0.4, 0.5 } }
local cases = {
  { "my_center_of_mass", mine, {}, { 0.05, 0.02, 0.4 } },
  { "my_perspective", view, { link = "panda_hand" }, { focus = 0.3, turn = 0.3, shift = 0.03 } },
  { "my_nearest", places.nearest, { link = "panda_hand" }, list },
  { "my_close", places.close, {}, 0.5 },
  { "my_low", places.low, {}, 0.3 },
}
for _, case in ipairs(cases) do
  local made = {}
  for way = 1, 2 do
    local s = solver.new(arm, { seed = 7 })
    s:reset(start, true)
    s:add("mine", case[way], case[3])
    s:ask({ mine = case[4] }, { mine = 30 })
    made[way] = s
  end
  local worst, moved, first = 0, 0
  for tick = 1, 600 do
    local a, b = made[1]:solve(tick / 200, 1 / 200), made[2]:solve(tick / 200, 1 / 200)
    assert(not b.faults, b.faults and b.faults[1].message)
    first = first or a.joints
    for name, value in pairs(a.joints) do
      worst = math.max(worst, math.abs(value - b.joints[name]))
      moved = math.max(moved, math.abs(value - first[name]))
    end
  end
  print(case[1], worst < 1e-4 and "the same way" or worst, moved > 0.02 and "moved" or moved)
end
]]

local function told(list)
  local lines = {}
  for _, name in ipairs(list) do lines[#lines + 1] = name .. "\tthe same way\tmoved\n" end
  return table.concat(lines)
end

test("in C and in Lua they lead the robot the same way", function(t)
  local run = script((same:gsub("OBJECTS", '"' .. table.concat(objects, '", "') .. '"')))
  t:code(run, 0)
  t:equal(run.out, told { "my_center_of_mass", "my_perspective", "my_nearest", "my_close", "my_low" },
    "what it says")
end)

test("the built-in center of mass goes the same way", function(t)
  local text = same:gsub("cases = {.-\n}\n", [[cases = {
    { "center_of_mass_match", mine, {}, { 0.05, 0.02, 0.4 } } }
]])
  local run = script((text:gsub("OBJECTS", "")))
  t:code(run, 0)
  t:equal(run.out, told { "center_of_mass_match" }, "what it says")
end)

test("a stock lua5.4 loads them as well", function(t)
  local run = script(([[
package.cpath = "%s/lua/?.so;" .. package.cpath
package.path = "lua/?.lua;lua/?/init.lua;" .. package.path
require "brio"
local extension = require "brio.extension"
for _, file in ipairs { "%s" } do print(assert(extension.load(file))) end
print(extension.load "%s")
local names = {}
for _, kind in ipairs(require("brio.solver").kinds()) do names[kind.name] = kind.goal or "" end
print(names.my_perspective, names.my_close, require("brio.want").my_low ~= nil)]])
    :format(harness.build, table.concat(objects, '", "'), objects[1]), nil, "lua5.4")
  if harness.build:find "asan" then return t:skip "the module needs the sanitizer's runtime first" end
  t:code(run, 0)
  t:equal(run.out, "my_center_of_mass\nmy_perspective\nmy_places\nmy_center_of_mass\nmy_view\tscalar\ttrue\n",
    "what it says")
end)

local behavior = [[
local want = require("brio").want
local b = require("brio").behavior "b" { robot = "panda", start = "one" }
b.one = { wants = { want.my_nearest { link = "panda_hand", goal = GOAL, weight = 30 } } }
return b]]

local function write_behavior(goal)
  files.write(folder .. "/b.lua", (behavior:gsub("GOAL", goal)))
  return folder .. "/b.lua"
end

test("a behavior wants what was loaded: check, test and run take --load", function(t)
  local file = write_behavior "{{0.5, 0, 0.3}, {0.3, -0.4, 0.5}}"
  t:code(harness.brio("check", file, "--load", objects[3]), 0)
  local run = harness.brio("check", file)
  t:code(run, 3)
  t:has(run.text, "there is no objective want.my_nearest")
  run = harness.brio("run", file, "--load", objects[1], "--load", objects[3], "--for", "2", "--clock", "fast",
    "--quiet",
    "--reload", "--store", folder .. "/x.db")
  t:code(run, 0)
  t:equal(harness.sql(folder .. "/x.db", "select count(*) from faults"), "0", "faults")
  t:has(harness.sql(folder .. "/x.db", "select options from runs"), "my_places.so")
  files.write(folder .. "/b_test.lua", ([[
test("it goes there", function(t)
  local run = t:run %q
  run:advance(3)
  t:near(run.solver:frames().panda_hand.position, { 0.5, 0, 0.3 }, 1e-3)
end)]]):format(file))
  t:code(harness.brio("test", folder .. "/b_test.lua", "--load", objects[3]), 0)
  run = harness.brio("check", write_behavior "{}", "--load", objects[3])
  t:code(run, 3)
  t:has(run.text, "a my_places goal must have 1 to 20 items")
end)

--- An object with one fault, and its message.
local head = '#include "solver/extension.h"\nstatic int rows(const void *s, const brio_robot *r) { (void)s; \z
  (void)r; return 1; }\n'
  .. "static int residual(const void *s, const brio_goal *g, const brio_evaluation *a, double *r, double \z
    *j) {\n"
  .. "  (void)s; (void)g; (void)a; (void)j; r[0] = 0; return 1; }\nstatic const brio_param none[] = {{0}};\n"
local kind = "static const brio_objective_kind kind = {.name = \"%s\", .doc = \"x\", .example = \"{}\", \z
  .category = \"own\",\n"
  .. "  .params = none, .loss = &brio_loss_joint, .lively = &brio_loss_joint, %s .residual = residual};\n"
  .. "static const brio_objective_kind *const list[] = {&kind, NULL};\n"
local function record(first, fields)
  return ("const brio_extension brio_extension_record = {%s, .name = \"x\", .doc = \"x\"%s};\n"):format(first,
    fields or "")
end
local full = ", .objectives = list"
local bad = {
  no_record = { "int other;", "it has no brio_extension_record" },
  old = { head .. record ".abi = 99", "made for version 99 of the records" },
  sizes = { head .. record ".abi = BRIO_EXTENSION_ABI, .sizes = {1, 2, 3, 4, 5}",
    "made with a brio_evaluation of 1 bytes" },
  nameless = { head .. "const brio_extension brio_extension_record = {BRIO_EXTENSION_HEAD};\n",
    "needs a name and a doc" },
  taken = { head .. kind:format("position_match", ".rows = rows,") .. record("BRIO_EXTENSION_HEAD", full),
    "there is an objective 'position_match' already" },
  half = { head .. kind:format("half", "") .. record("BRIO_EXTENSION_HEAD", full),
    "the objective 'half' needs residual, rows" },
  wide = { head .. "static const char *const names[] = {\"x\"};\n"
      .. "static const brio_goal_kind wide = {.name = \"wide\", .doc = \"x\", .example = \"1\", .fields = \z
        names, .item = 1, .most = 65};\n"
      .. "static const brio_goal_kind *const list[] = {&wide, NULL};\n"
        .. record("BRIO_EXTENSION_HEAD", ", .goals = list"),
    "the goal kind 'wide' must have" },
  unresolved = { head .. "void brio_no_such_function(void);\nvoid f(void);\nvoid f(void) { \z
    brio_no_such_function(); }\n"
    .. record "BRIO_EXTENSION_HEAD", "undefined symbol: brio_no_such_function" },
}

test("what is no extension, or another version's, or not whole, is refused with the reason", function(t)
  for name, case in pairs(bad) do
    local object, made = compile(name, case[1])
    t:code(made, 0)
    local run = script("print 'not reached'", { object })
    t:code(run, 1)
    t:has(run.text, case[2])
    t:has(run.text, name .. ".so")
  end
  local run = script("", { folder .. "/nothing.so" })
  t:code(run, 1)
  t:has(run.text, "No such file")
  t:code(script("", { harness.root .. "/README.md" }), 1)
  local again = compile("again", files.read(examples .. "c/my_center_of_mass.c"))
  run = script("", { objects[1], again })
  t:code(run, 1)
  t:has(run.text, "there is an objective 'my_center_of_mass' already")
end)

test("the behavior on the page is good", function(t)
  local page = files.read(harness.root .. "/docs/engine/extending-the-solver.md") or ""
  files.write(folder .. "/balanced.lua",
    page:match "```lua\n(local brio = require \"brio\"\nlocal want.-)```")
  files.write(folder .. "/my_center_of_mass.lua", files.read(examples .. "objectives/my_center_of_mass.lua"))
  t:code(harness.brio("check", folder .. "/balanced.lua"), 0)
  t:code(harness.brio("run", folder .. "/balanced.lua", "--for", "1", "--clock", "fast", "--store",
    "none"), 0)
end)

test("a behavior cannot load one", function(t)
  files.write(folder .. "/c.lua", 'require "brio.extension"')
  local run = harness.brio("check", folder .. "/c.lua")
  t:code(run, 3)
  t:has(run.text, "brio/extension.lua")
end)

test("the page shows the examples whole", function(t)
  local page = files.read(harness.root .. "/docs/engine/extending-the-solver.md") or ""
  for _, name in ipairs(names) do
    t:check(page:find(files.read(examples .. "objectives/" .. name .. ".lua"), 1, true),
      "%s.lua is not on it", name)
    t:check(page:find(files.read(examples .. "c/" .. name .. ".c"), 1, true), "%s.c is not on it", name)
  end
end)

files.remove(folder)
harness.done()
