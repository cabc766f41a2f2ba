--- tests/walls.lua reports what is wrong: a small project with one fault of every kind, planted on
--- a known line, and one without faults.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"

local good = {
  ["engine/base/error.h"] = "/* Fails. */\nbool brio_fail(void);\n",
  ["engine/base/error.c"] = '#include "base/error.h"\n#include <unistd.h>\nbool brio_fail(void) {\n  return \z
    false;\n}\n',
  ["engine/math/vec.h"] = '#include <math.h>\n#include "base/error.h"\n/* Adds. */\nint brio_vec_add(int \z
    a);\nint brio_vec_sub(int a);\n',
  ["engine/math/twice.h"] =
    "typedef struct brio_twice {\n  int a;\n} brio_twice;\ntypedef struct brio_hidden brio_hidden;\n",
  ["engine/math/hidden.c"] =
    "typedef struct brio_hidden brio_hidden;\nstruct brio_hidden {\n  int a;\n};\n",
  ["engine/robot/robot.h"] = '#include "math/vec.h"\n',
  ["engine/robot/xml.c"] = "#include <expat.h>\n",
  ["engine/geometry/shape.h"] = '#include "math/vec.h"\n',
  ["engine/solver/objectives.def"] = "X(reach) /* X(not_this) */\n",
  ["engine/solver/objectives/reach.c"] = '#include "robot/robot.h"\n',
  ["engine/lua/modules.def"] = "X(robot)\n",
  ["engine/lua/robot/lua_robot.c"] = '#include <lua.h>\n#include "runtime/engine.h"\n',
  ["engine/runtime/engine.h"] = '#include "drivers/driver.h"\n#include "store/store.h"\n#include \z
    "solver/solve.h"\n',
  ["engine/solver/solve.h"] = "",
  ["engine/main.c"] = '#include "runtime/engine.h"\n#include "lua/lua_args.h"\nint main(void) { \z
    return 0; }\n',
  ["engine/lua/lua_args.h"] = "",
  ["drivers/driver.h"] = "",
  ["drivers/families/simulator.c"] = '#include "world/world.h"\n',
  ["drivers/drivers.def"] = "X(simulator)\n",
  ["engine/world/world.h"] = "",
  ["store/store.h"] = "",
  ["lua/brio/init.lua"] = 'require "brio.core"\nlocal robot = require("brio.robot") -- require \z
    "socket"\nreturn { name = require("brio." .. "robot") }\n',
  ["lua/brio/lib/quoted.lua"] = "local text = [[ io.open and require 'socket' ]]\nreturn { io = text }\n",
  ["lua/brio/commands.lua"] = 'local commands = {}\ncommands.list = { "run" }\nreturn \z
    require("brio.commands." .. "run")\n',
  ["lua/brio/public.lua"] = 'local public = {}\npublic.modules = { ["brio.play"] = "brio.motion.play" \z
    }\nreturn public\n',
  ["lua/brio/motion/play.lua"] = 'local told = require "brio.lib.told"\nreturn { told = told, lazy = lazy \z
    "brio.motion.pace" }\n',
  ["lua/brio/motion/pace.lua"] = "return {}\n",
  ["lua/brio/lib/told.lua"] = "return {}\n",
  ["lua/brio/commands/run.lua"] = 'local brio = require "brio"\nprint(brio, io.read(), os.time())\n',
  ["behaviors/kiosk.lua"] = 'local brio = require "brio"\nlocal play = require "brio.play"\n',
  ["lua/brio/lib/data.lua"] = "return [[\n" .. ("w"):rep(200) .. "\n]]\n", -- text as it is may be wide
  ["store/schema/001_runs.sql"] = "-- " .. ("w"):rep(200) .. "\n", -- a migration is never changed
  ["Makefile"] = "all:\n", ["README.md"] = ("brio "):rep(40) .. "\n", [".gitignore"] = "build\n",
}

local function filler(count, line) return (line or "\n"):rep(count) end

-- Each fault: the file with its text, and the message with its line.
local planted = {
  { "engine/robot/reach.c", '\n#include "geometry/shape.h"\n', 2,
    "engine/robot may not enter engine/geometry" },
  { "engine/geometry/knows.c", '#include "robot/robot.h"\n', 1,
    "engine/geometry may not enter engine/robot" },
  { "engine/runtime/binds.c", '\n\n#include "lua/lua_args.h"\n', 3,
    "engine/runtime may not enter engine/lua" },
  { "store/knows.c", '#include "robot/robot.h"\n', 1, "store may not enter engine/robot" },
  { "drivers/serial.c", '#include "world/world.h"\n', 1, "drivers may not enter engine/world" },
  { "engine/math/lost.h", '#include "math/none.h"\n', 1, 'there is no file "math/none.h"' },
  { "engine/robot/robot_internal.h", "", 0, "" },
  { "engine/solver/pries.c", '#include "robot/robot_internal.h"\n', 1, "is private to engine/robot" },
  { "lua/brio/net.lua", '-- a comment\nlocal socket = require "socket"\n', 2,
    "lua/brio may not enter the module 'socket'" },
  { "lua/brio/any.lua", "local x = {}\nreturn require(x.name)\n", 2, "made up at run time" },
  { "lua/brio/upward.lua", 'require "brio.commands.run"\n', 1, "lua/brio may not enter lua/brio/commands" },
  { "lua/brio/reads.lua", "\nlocal file = io.open 'x'\n", 2, "lua/brio may not use io" },
  { "lua/brio/clock.lua", "return os.clock()\n", 1, "lua/brio may not use os" },
  { "lua/brio/calls.lua", '-- script.call\nlocal guarded = require "brio.script"\n\z
      return guarded.call(1, f)\n', 3,
    "calls people's code by script.call" },
  { "lua/brio/direct.lua", 'return require("brio.script").call(1, f)\n', 1,
    "calls people's code by script.call" },
  { "lua/brio/dice.lua", "return math.random(6)\n", 1, "lua/brio may not use math.random" },
  { "behaviors/core.lua", 'local core = require "brio.core"\n', 1, "behaviors may not enter brio.core" },
  { "behaviors/raw.lua", 'local uv = require"luv"\n', 1, "behaviors may not enter the module 'luv'" },
  { "engine/robot/second.c", "#include <math.h>\n#include <expat.h>\n", 2,
    "<expat.h> may be included only by engine/robot/xml.c" },
  { "engine/robot/other.c", "#include <gtk.h>\n", 1,
    "<gtk.h> is a header that tests/lib/rooms.lua does not list" },
  { "engine/solver/time.c", "#include <time.h>\n", 1, "engine/solver may not include <time.h>" },
  { "engine/solver/backends.def", "/* rows */\nX(newton)\n", 2,
    "row newton has no file engine/solver/backends/newton.c" },
  { "engine/solver/goals/point.c", "", 1, "has no row in engine/solver/goals.def" },
  { "engine/base/long.c", filler(601), 601, "is 601 lines long" },
  { "engine/base/lengthy.c", "\nint brio_base_lengthy(\n    int a) {\n" .. filler(60) .. "}\n", 2,
    "brio_base_lengthy is 63 lines long" },
  { "lua/brio/lengthy.lua", "local t = {\n  go = function(self)\n" .. filler(60) .. "  end,\n}\n", 2,
    "go is 62 lines long" },
  { "lua/brio/lib/copied.lua", "local function one(a)\n" .. filler(6) .. "end\n\nlocal function two(b)\n"
    .. filler(6) .. "end\n", 10, "two has the body of one in lua/brio/lib/copied.lua:1" },
  { "engine/base/wide.c", "\n/* " .. ("w"):rep(105) .. " */\n", 2, "is 111 columns wide" },
  { "lua/brio/wide.lua", "local t = [[\n]]\nlocal wide = '" .. ("ä"):rep(96) .. "'\n", 3,
    "is 111 columns wide" },
  { "scripts/wide.sh", "echo " .. ("w"):rep(106) .. "\n", 1, "is 111 columns wide" },
  { "engine/vision/silent.c", filler(401, "static int count;\n"), 1,
    "engine/vision: 0.0 % of its lines of C have comments; at least 14 % do" },
  { "engine/base/bare.h", "/* Documented. */\nint brio_bare_a(void);\n\nint brio_bare_b(void);\n", 4,
    "brio_bare_b has no comment" },
  { "engine/base/named.h", "/* Named. */\nint named_wrong(int x);\n", 2, "public name named_wrong" },
  { "engine/base/macro.h", "#define LOUD 1\n", 1, "public macro LOUD" },
  { "engine/base/type.h", "\ntypedef struct odd { int x; } odd;\n", 2, "public name odd" },
  { "engine/robot/twice.h", "\ntypedef struct brio_twice {\n  int b;\n} brio_twice;\n", 2,
    "the type brio_twice is another in engine/math/twice.h:1" },
  { "engine/robot/hidden.h", "typedef int (*brio_hidden)(int);\n", 1, "the type brio_hidden is another in" },
  { "engine/base/open.c", "int open_name(void) {\n  return 1;\n}\n", 1, "public name open_name" },
  { "engine/base/table.c", "\nconst int table[] = {1, 2};\n", 2, "public name table" },
  { "engine/base/later.c", "/* TO" .. "DO: this */\n", 1, "finish it or take it out" },
  { "behaviors/later.lua", "\n-- FIX" .. "ME\n", 2, "finish it or take it out" },
  { "lua/brio/commands/extra.lua", "", 1, "is not in commands.list of lua/brio/commands.lua" },
  { "lua/brio/lib/knows.lua", 'local play = require "brio.motion.play"\n', 1,
    "lua/brio/lib may not enter lua/brio/motion" },
  { "lua/brio/motion/named.lua", '\nlocal play = require "brio.play"\n', 2,
    "may not enter lua/brio/public.lua" },
  { "lua/brio/motion/first.lua", 'local second = require "brio.motion.second"\n', 1,
    "files in a circle: lua/brio/motion/first.lua -> lua/brio/motion/second.lua -> \z
      lua/brio/motion/first.lua" },
  { "lua/brio/motion/second.lua", 'return function() return require "brio.motion.first" end\n', 0, "" },
  { "lua/brio/motion/alone.lua", 'return lazy "brio.motion.alone"\n', 1, "files in a circle" },
  { "notes/plan.md", "\n", 1, "'notes' does not belong at the top level" },
}

local function project(t, with)
  local root = t:folder()
  for path, text in pairs(good) do harness.files.write(root .. "/" .. path, text) end
  for _, fault in ipairs(with) do harness.files.write(root .. "/" .. fault[1], fault[2]) end
  return root
end

local function walls(root)
  return harness.run { "lua5.4 tests/walls.lua " .. harness.files.quote(root) }
end

harness.test("a project that keeps its plan passes", function(t)
  local run = walls(project(t, {}))
  t:code(run, 0)
  t:check(not run.out:find "not ok", "%s", run.text)
  t:has(run.out, "ok walls: every #include")
end)

harness.test("each planted fault is named with its file and line", function(t)
  local run = walls(project(t, planted))
  t:code(run, 1)
  for _, fault in ipairs(planted) do
    local path, line, sentence = fault[1], fault[3], fault[4]
    local where = ("#   %s:%d: "):format(path, line)
    local found = false
    for said in run.out:gmatch "[^\n]+" do
      found = found or said:sub(1, #where) == where and said:find(sentence, 1, true) ~= nil
    end
    t:check(line == 0 or found, "nothing says %s... %s", where, sentence)
  end
end)

harness.test("nothing but the planted faults is named", function(t)
  local run = walls(project(t, planted))
  local known = {}
  for _, fault in ipairs(planted) do known[fault[1]] = true end
  for path, line in run.out:gmatch "#   ([^:]+):(%d+)" do
    t:check(known[path], "%s:%s is named", path, line)
  end
end)

harness.test("each fault alone fails its own rule", function(t)
  local root = project(t, {}) -- one for all: each fault is taken out again, with the folders made for it
  for _, fault in ipairs(planted) do
    local with = { fault }
    if fault[2]:find "robot_internal" then with[2] = { "engine/robot/robot_internal.h", "" } end
    for _, one in ipairs(with) do harness.files.write(root .. "/" .. one[1], one[2]) end
    if fault[3] > 0 then t:equal(walls(root).code, 1, "exit code with " .. fault[1]) end
    for _, one in ipairs(with) do
      local path = root .. "/" .. one[1]
      assert(os.remove(path))
      repeat path = path:match "^(.*)/[^/]*$" until not os.remove(path) -- a folder goes once it is empty
    end
  end
  local run = walls(root)
  t:check(run.code == 0, "without the faults: %s", run.text)
end)

harness.test("a folder with over 25 entries is named, unless it holds a family", function(t)
  local with = {}
  for i = 1, 26 do
    with[#with + 1] = { ("engine/math/kinds/k%02d.h"):format(i), "" }
    with[#with + 1] = { ("store/views/v%02d.sql"):format(i), "" }
  end
  local run = walls(project(t, with))
  t:has(run.out, "#   engine/math/kinds:1: has 26 entries; a folder has at most 25")
  t:check(not run.out:find("store/views", 1, true), "the views are a family: %s", run.out)
end)

harness.test("rooms that use each other in a circle are named", function(t)
  local run = walls(project(t, planted))
  t:has(run.out, "not ok walls: the rooms form no circle")
  t:has(run.out, "~rooms in a circle: .*engine/geometry")
end)

local where = require "walls.where"

harness.test("a question whose file is gone is named, and so are names that lead nowhere", function(t)
  local list = { "tests/lib/walls/where.lua" }
  for index, row in ipairs(where.questions) do
    if index > 1 then list[#list + 1] = row[2] end
  end
  local found = {}
  where.check(list, function(path, _, sentence) found[#found + 1] = path .. " " .. sentence end)
  t:equal(#found, 1)
  t:has(found[1], where.questions[1][2] .. " is not there")
  local moved, questions = {}, where.questions
  where.questions = {}
  for index, row in ipairs(questions) do
    moved[index] = ("engine/x/module_%d.c"):format(index)
    where.questions[index] = { row[1], moved[index] }
  end
  moved[#moved + 1] = list[1]
  found = {}
  where.check(moved, function(path, _, sentence) found[#found + 1] = path .. " " .. sentence end)
  where.questions = questions
  t:equal(#found, #questions, "files with names that say nothing are not found by name")
end)

harness.done()
