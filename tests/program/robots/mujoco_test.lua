--- Models in MJCF compared with MuJoCo's reading, which Debian carries (libmujoco-dev): 500 random ones, 25,000 in
--- the soak.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local folder = files.temporary()
local header = "#include <mujoco/mujoco.h>"
local function compiles()
  return harness.run(("echo '%s' | gcc -E - >/dev/null 2>&1"):format(header)).code == 0
end

local build = [[
  gcc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -Iengine -I. -c tests/peers/agree_mujoco.c -o $to/agree.o &&
  gcc -std=c11 -D_GNU_SOURCE -O2 -Iengine -I. -c tests/check.c -o $to/check.o &&
  gcc $to/agree.o $to/check.o $built/libbrio.a -lmujoco $(pkg-config --libs expat qhull_r libmd) -lm -lpthread \
    -o $to/agree]]

test("bodies, masses, joints and loops of random models are MuJoCo's", function(t)
  if not compiles() then return t:skip "libmujoco-dev is not installed" end
  local made = harness.run { ("to=%s built=%s\n%s"):format(files.quote(folder), files.quote(harness.build),
    build), timeout = 200 }
  t:code(made, 0)
  local run = harness.run { folder .. "/agree", timeout = 2000 }
  io.write((run.out:gsub("ok [^\n]*\n", "")))
  t:code(run, 0)
end)

files.remove(folder)
harness.done()
