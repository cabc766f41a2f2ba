--- Runs of robots that do not ship, a URDF alone or a folder: their records lead back to them, and one
--- sentence reports missing meshes.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files
local trees = dofile(harness.root .. "/tests/lib/kinematic_trees.lua")

local behavior = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one" }
b.one = { wants = { brio.want.joint_match { joint = "waist_yaw_joint", goal = 0.3 },
  brio.want.joint_limits {} } }
return b
]]

--- A folder with a behavior and a URDF, some of whose links have meshes that are not there.
local function made(t)
  local folder = t:folder()
  files.write(folder .. "/b.lua", behavior)
  local mesh = '%0<visual><geometry><mesh filename="package://g1_meshes/%1.stl"/></geometry></visual>'
  local text = trees.urdf("g1"):gsub('<link name="(l[%w_]*)">', mesh)
  files.write(folder .. "/g1.urdf", text)
  return folder
end

local function run_on(t, folder, robot, ...)
  local run = brio("run", folder .. "/b.lua", "--robot", robot, "--clock", "fast", "--for", "1.5", "--store",
    folder .. "/s.db", ...)
  t:code(run, 0)
  return run
end

--- All commands that need the robot of a run.
local function goes_back(t, folder, number, ...)
  local store = folder .. "/s.db"
  local glb = brio("export", number, "--as", "glb", "--out", folder .. "/x.glb", "--store", store, ...)
  t:code(glb, 0)
  local mcap = brio("export", number, "--as", "mcap", "--out", folder .. "/x.mcap", "--store", store, ...)
  t:code(mcap, 0)
  t:check(not mcap.text:find "no frames", "mcap has no frames: %s", mcap.text)
  local run = brio("replay", number, "--to-robot", "--preview", "--store", store, ...)
  t:code(run, 0)
  t:has(run.out, "29 DOFs of g1")
end

test("a run of a bare URDF leads back to its file, and goes on from its snapshot", function(t)
  local folder = made(t)
  run_on(t, folder, folder .. "/g1.urdf")
  goes_back(t, folder, "1")
  local run = brio("run", "--resume", "1", "--clock", "fast", "--for", "0.2", "--store", folder .. "/s.db")
  t:code(run, 0)
  run = brio("replay", "2", "--to-robot", "--preview", "--store", folder .. "/s.db")
  t:code(run, 0)
  t:has(run.out, "29 DOFs of g1")
  os.rename(folder .. "/g1.urdf", folder .. "/moved.urdf")
  local gone = brio("export", "1", "--as", "glb", "--out", folder .. "/x.glb", "--store", folder .. "/s.db")
  t:code(gone, 1)
  t:has(gone.err, "the run's robot, g1, cannot be read")
  t:has(gone.err, folder .. "/g1.urdf")
  t:has(gone.err, "give its file by --robot")
  goes_back(t, folder, "1", "--robot", folder .. "/moved.urdf")
end)

test("a run of a robot in a folder of one's own leads back there, by a relative path too", function(t)
  local folder = made(t)
  t:code(brio("robot", folder .. "/g1.urdf", "--init", folder .. "/mine"), 0)
  local line = harness.root .. "/build/brio run b.lua --robot mine --clock fast --for 0.5 --store s.db"
  t:code(harness.run { line, cwd = folder }, 0)
  goes_back(t, folder, "1")
end)

test("one sentence tells of all missing meshes, and which parts have no shape", function(t)
  local folder = made(t)
  local run = run_on(t, folder, folder .. "/g1.urdf")
  local _, count = run.err:gsub("warning:", "")
  t:check(count <= 3, "%d warnings:\n%s", count, run.err)
  t:has(run.err, "14 meshes cannot be read, such as 'package://g1_meshes/left_hip_pitch_link.stl'")
  t:has(run.err, "--packages DIR says where the folder of package 'g1_meshes' is")
  t:has(run.err, "parts without a shape are not kept from collision (")
  local page = brio("robot", folder .. "/g1.urdf").out
  t:has(page, "Meshes that cannot be read (14)")
  t:has(page, "package://g1_meshes/left_elbow_link.stl")
end)

harness.done()
