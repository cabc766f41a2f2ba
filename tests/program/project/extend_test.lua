--- The examples of docs/engine/writing-an-objective.md and docs/devices/writing-a-driver.md, done as they
--- say: in a copy of the tree, one new file and one row each, `make`, and then a run with them.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local examples = harness.root .. "/docs/examples/c/"
local additions = {
  { file = "keep_level.c", to = "engine/solver/objectives/", def = "engine/solver/objectives.def",
    row = "X(keep_level)" },
  { file = "pulse_servo.c", to = "drivers/families/", def = "drivers/drivers.def", row = "X(pulse_servo)" },
}

local copy = files.temporary()

--- Copy the tree with its build, so that only what the new rows touch is rebuilt.
local function copy_tree()
  return harness.run { ([[
    to=%s; built=%s
    cp -a Makefile engine drivers store lua scripts behaviors tests docs $to && mkdir $to/build &&
    cp -a "$built/object" "$built/generated" "$built/libbrio.a" $to/build &&
    find $to/build -name '*.d' -exec sed -i 's|^[^ ]*/object/|build/object/|' {} +]])
    :format(copy, files.quote(harness.build)) }
end

local function append(path, line)
  files.write(path, files.read(path) .. line .. "\n")
end

--- Everything that includes the two tables is recompiled, about fifty files: without optimization and
--- without symbols, in two thirds of the time.
local function make(targets)
  return harness.run { "env -u MAKEFLAGS -u MFLAGS make --no-print-directory -j2 BUILD=build OPTIMIZE=-O0 \z
    CFLAGS= "
    .. targets, cwd = copy }
end

local function brio(words) return harness.run { "build/brio " .. words, cwd = copy } end

local copied = copy_tree()
for _, add in ipairs(additions) do
  files.write(copy .. "/" .. add.to .. add.file, files.read(examples .. add.file))
  append(copy .. "/" .. add.def, add.row)
end
local made = make "build/brio build/units/engine_solver"

test("a file and a row are all that an objective and a driver need", function(t)
  t:code(copied, 0)
  t:code(made, 0)
end)

test("the new objective's slopes agree with differences, as every objective's do", function(t)
  t:code(harness.run { "build/units/engine_solver test_objectives", cwd = copy }, 0)
end)

test("the new objective can be wanted, and does what it says", function(t)
  local page = files.read(harness.root .. "/docs/engine/writing-an-objective.md")
  files.write(copy .. "/level.lua", page:match "```lua\n(%-%- level%.lua.-)```")
  local run = brio "lua level.lua"
  t:code(run, 0)
  t:equal(run.out, "converged\t1.000\n", "what it prints")
end)

test("the new objective has its place in the docs", function(t)
  t:code(brio "lua scripts/docs_objectives.lua", 0)
  t:has(files.read(copy .. "/docs/behaviors/objectives.md"), "### keep_level")
  t:has(files.read(copy .. "/docs/annotations/brio/want.lua"), "function want.keep_level(fields) end")
end)

test("the new driver moves a robot", function(t)
  local run = brio "run behaviors/kiosk.lua --driver pulse_servo --for 2 --clock fast --store x.db"
  t:code(run, 0)
  local worst = harness.number(copy .. "/x.db",
    "select max(abs(measured - command)) from samples where name = 'HeadYaw' and t > 0.1")
  t:check(worst and worst > 0 and worst < 0.01, "it follows within %s rad", tostring(worst))
end)

test("the new driver says what it cannot do", function(t)
  files.write(copy .. "/wheel.lua", [[
    local actuator = require "brio.actuator"
    print(pcall(actuator.open, { driver = "pulse_servo", axes = { { name = "wheel" } } }))
    print(pcall(actuator.open, { driver = "pulse_servo", settings = { counts = 1 }, axes = {} }))]])
  local run = brio "lua wheel.lua"
  t:has(run.text, "axis 'wheel' turns without end or not at all: a servo needs a range")
  t:has(run.text, "counts must be a number from 2 to 65535")
end)

files.remove(copy)
harness.done()
