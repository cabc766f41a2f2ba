--- Models in MJCF compared with MuJoCo's reading and with its dynamics (Debian's libmujoco-dev): 500 and 300
--- random ones, fifty times as many in the soak, and Cassie.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local folder = files.temporary()
local header = "#include <mujoco/mujoco.h>"
local function compiles()
  return harness.run(("echo '%s' | gcc -E - >/dev/null 2>&1"):format(header)).code == 0
end

local build = [[
  warn="-Wall -Wextra -Werror" libs="-lmujoco $(pkg-config --libs expat qhull_r libmd) -lm -lpthread"
  gcc -std=c11 -D_GNU_SOURCE -O2 $warn -Iengine -I. -c tests/peers/$name.c -o $to/agree.o &&
  gcc -std=c11 -D_GNU_SOURCE -O2 -Iengine -I. -c tests/check.c -o $to/check.o &&
  gcc $to/agree.o $to/check.o $built/libbrio.a $libs -o $to/agree]]

--- Build the suite of tests/peers with this name, and run it.
local function agrees(t, name)
  if not compiles() then return t:skip "libmujoco-dev is not installed" end
  local where = ("to=%s built=%s name=%s\n"):format(files.quote(folder), files.quote(harness.build), name)
  local made = harness.run { where .. build, timeout = 200 }
  t:code(made, 0)
  local run = harness.run { folder .. "/agree", timeout = 2000 }
  io.write((run.out:gsub("ok [^\n]*\n", "")))
  t:code(run, 0)
end

test("bodies, masses, joints and loops of random models are MuJoCo's", function(t)
  agrees(t, "agree_mujoco")
end)

test("mass matrix, bias, springs and closed loops are MuJoCo's", function(t)
  agrees(t, "agree_mujoco_dynamics")
end)

files.remove(folder)
harness.done()
