--- Models in MJCF compared with MuJoCo's reading and with its dynamics (Debian's libmujoco-dev): 500 and 300
--- random ones, fifty times as many in the soak, and Cassie; and robots with free bases, simulated by brio
--- and by MuJoCo alone.
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
  gcc $to/agree.o $to/check.o $library $libs -o $to/agree]]

--- Build the suite of tests/peers with this name, linked to `library`.  Return whether it can be.
local function built(t, name, library)
  if not compiles() then return t:skip "libmujoco-dev is not installed" end
  local where = ("to=%s built=%s name=%s library=%q\n")
    :format(files.quote(folder), files.quote(harness.build), name,
    library)
  t:code(harness.run { where .. build, timeout = 200 }, 0)
  return true
end

--- Run it; `environment` is put before the command.
local function runs(t, environment)
  local run = harness.run { environment .. folder .. "/agree", timeout = 2000 }
  io.write((run.out:gsub("ok [^\n]*\n", "")))
  t:code(run, 0)
end

local function agrees(t, name)
  if built(t, name, "$built/libbrio.a") then runs(t, "") end
end

test("bodies, masses, joints and loops of random models are MuJoCo's", function(t)
  agrees(t, "agree_mujoco")
end)

test("mass matrix, bias, springs and closed loops are MuJoCo's", function(t)
  agrees(t, "agree_mujoco_dynamics")
end)

-- What nobody tuned: a humanoid, a toy, an arm on a base that is free.
local robots = { "h1/h1.urdf", "nao/nao.urdf", "panda/panda.urdf" }

test("robots with free bases stand and fall as in MuJoCo alone, to the bit", function(t)
  if not built(t, "agree_mujoco_physics", "-L$built -Wl,-rpath,$built -lbrio") then return end
  for _, name in ipairs(harness.scale > 1 and robots or { robots[1] }) do
    local path = "../shared/data/robots/" .. name
    if not files.exists(path) then return t:skip(path .. " is not there") end
    runs(t, "ROBOT=" .. path .. " ")
  end
end)

files.remove(folder)
harness.done()
