--- `brio import --arm`, and of a folder: a library of dances, which goes on where it was stopped.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local cjson = require "cjson"
local dancer = require "dancer"
local test, brio, files = harness.test, harness.brio, harness.files

local folder = files.temporary()
local clips, library = folder .. "/clips", folder .. "/library"

os.execute("mkdir -p '" .. clips .. "/more'")
files.write(clips .. "/waves.bvh", dancer.bvh(40))
files.write(clips .. "/more/small.bvh", dancer.bvh(40, 0.4))
files.write(clips .. "/broken.bvh", dancer.bvh(40):sub(1, -200))
files.write(clips .. "/notes.doc", "no motion")

local function import() return brio("import", clips, "--robot", "mycobot280", "--arm", "--out", library) end

local function listed() return cjson.decode(files.read(library .. "/library.json")) end

test("a folder of dances becomes a library, and what is left out is named", function(t)
  local run = import()
  t:code(run, 0)
  t:has(run.out, "3 motions: 2 imported, 0 as before, 1 left out")
  t:has(run.out, "~left out: [^\n]*broken.bvh: [^\n]+")
  t:has(run.err, "[1/3] " .. clips .. "/broken.bvh: left out")
  local list = listed()
  t:equal(#list.clips, 3)
  for _, row in ipairs(list.clips) do
    t:equal(row.file ~= nil, row.reason == nil, row.source)
  end
end)

test("what has been imported is not imported again, unless it or the options have changed", function(t)
  local before = files.read(library .. "/waves.lua")
  files.write(library .. "/waves.lua", before .. "-- as it was\n")
  t:has(import().out, "3 motions: 0 imported, 2 as before, 1 left out")
  t:has(files.read(library .. "/waves.lua"), "-- as it was")
  files.write(clips .. "/waves.bvh", dancer.bvh(42))
  t:has(import().out, "3 motions: 1 imported, 1 as before, 1 left out")
  local run = brio("import", clips, "--robot", "mycobot280", "--arm", "--lead", "1", "--out", library)
  t:has(run.out, "3 motions: 2 imported, 0 as before, 1 left out")
end)

test("a dance of the library is played", function(t)
  local run = brio("play", library .. "/more/small.lua", "--clock", "fast", "--store", folder .. "/run.db")
  t:code(run, 0)
end)

test("a motion of joints, and a folder without a robot, are refused", function(t)
  files.write(folder .. "/joints.csv", "time,joint2_to_joint1\n0,0\n1,0.5\n")
  local run = brio("import", folder .. "/joints.csv", "--robot", "mycobot280", "--arm")
  t:code(run, 1)
  t:has(run.err, "it has joints, and --arm is for the motion of a person")
  run = brio("import", clips)
  t:code(run, 2)
  t:has(run.err, "is a folder: say --robot, and --out with a folder for its motions")
end)

files.remove(folder)
harness.done()
