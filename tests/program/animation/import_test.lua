--- `brio import`: the contents of a motion file, its conversion to a sequence, and refusals.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio = harness.test, harness.brio

local table_of_angles = "time,panda_joint1 [deg],panda_joint2,tail\n0,0,0.1,5\n0.5,20,0.2,6\n1.0,40,0.1,7\n"

local folder = harness.files.temporary()

local function file_with(text, name)
  local path = folder .. "/" .. name
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

test("formats are listed, and a file without a robot is told", function(t)
  local run = brio "import"
  t:code(run, 0)
  for _, name in ipairs { "qianim", "xar", "bvh", "amc", "gltf", "cozmo", "blossom", "deepmimic", "op3",
      "csv" } do
    t:has(run.out, name)
  end
  run = brio("import", file_with(table_of_angles, "a.csv"))
  t:code(run, 0)
  t:has(run.out, "a (csv): 1.00 s")
  t:has(run.out, "panda_joint1")
end)

test("a sequence is written, and what was left out is said", function(t)
  local out = folder .. "/reach.lua"
  local run = brio("import", file_with(table_of_angles, "a.csv"), "--robot", "panda", "--out", out, "--lead",
    "0.4")
  t:code(run, 0)
  t:has(run.err, "panda has no tail: left out")
  t:has(run.err, "2 tracks")
  local made = dofile(out)
  t:equal(made.robot, "panda", "the robot")
  t:check(math.abs(made.tracks.panda_joint1[2][2]) < 1e-9 and made.tracks.panda_joint1[2][1] == 0.4,
    "the first pose comes after the lead")
end)

-- Each row: the words after import, and the message; FILE stands for a good table.
local wrong = {
  { { "no_such.bvh" }, "no_such.bvh" },
  { { "FILE", "--robot", "panta" }, "did you mean 'panda'" },
  { { "FILE", "--robot", "ur3e" }, "it moves no DOF of ur3e: its tracks are panda_joint1, \z
    panda_joint2, tail" },
  { { "FILE", "--unit", "furlong" }, "--unit must be rad or deg" },
  { { "FILE", "--fps", "0" }, "--fps must be a number" },
  { { "FILE", "--format", "wav" }, "there is no format 'wav'" },
  { { "FILE", "--robot", "panda", "--map", "no_such.lua" }, "no_such.lua" },
  { { "FILE", "--robot", "panda", "--out", "/no/such/folder/x.lua" }, "/no/such/folder/x.lua" },
  { { "FILE", "FILE" }, "import expects a file" },
  { { "FILE", "--fit" }, "need --robot" },
  { { "FILE", "--robot", "panda", "--from", "2", "--to", "1" }, "--to must be after --from" },
  { { "FILE", "--robot", "panda", "--from", "2" }, "a.csv: it lasts 1.00 s: nothing is in it from 2 s on" },
  { { "FILE", "--robot", "panda", "--dof", "panda_joint99" }, "no DOF or group 'panda_joint99' (did you" },
}

test("what is wrong is said, and nothing is written", function(t)
  local path = file_with(table_of_angles, "a.csv")
  for _, case in ipairs(wrong) do
    local words = {}
    for index, word in ipairs(case[1]) do words[index] = word == "FILE" and path or word end
    local run = brio("import", table.unpack(words))
    t:check(run.code == 1 or run.code == 2, "%s ended with %s", table.concat(words, " "), tostring(run.code))
    t:has(run.err, case[2])
  end
end)

test("a mapping file is Lua without a world", function(t)
  local path = file_with(table_of_angles, "a.csv")
  local run = brio("import", path, "--robot", "panda", "--map", file_with("return os.exit(3)", "m.lua"))
  t:code(run, 1)
  t:has(run.err, "os")
  run = brio("import", path, "--robot", "panda", "--map",
    file_with('return { dofs = { tail = { "panda_joint3", scale = 0.1 } } }', "m.lua"))
  t:code(run, 0)
  t:has(run.out, "panda_joint3 = {")
end)

test("a part of a motion is imported, and one is fitted", function(t)
  local path = file_with("t,panda_joint1,panda_joint2\n0,0,0\n0.2,1.5,0.1\n0.4,0,0\n", "q.csv")
  local out = folder .. "/q.lua"
  local run = brio("import", path, "--robot", "panda", "--fit", "--out", out)
  t:code(run, 0)
  t:has(run.err, "note: fitted to panda: it takes ")
  t:has(run.err, " instead of 0.40 s")
  t:has(run.err, "of panda_joint1")
  run = brio("import", path, "--robot", "panda", "--from", "0.1", "--to", "0.3", "--dof", "panda_joint2",
    "--out", out)
  t:code(run, 0)
  local made = dofile(out)
  t:check(made.tracks.panda_joint1 == nil and made.tracks.panda_joint2 ~= nil, "the DOFs that are named")
  t:has(run.err, "1 tracks, 5 keys, 1.40 s")
end)

-- Each row: a mapping's table, and the message after the file's name.
local wrong_maps = {
  { "{ dofs = 3 }", "dofs must be a table, not a number" },
  { '{ dofs = { tail = "panda_joint33" } }',
    "the mapping sends 'tail' to 'panda_joint33', which the robot does not have" },
  { '{ dof = { tail = "panda_joint3" } }', "did you mean 'dofs'" },
  { '{ dofs = { tail = { "panda_joint3", scale = 0 / 0 } } }', "dofs.tail.scale must be a number, not" },
  { '{ joints = { panda_joint1 = { "heat", "yaw" } } }', "did you mean 'head'" },
  { '{ joints = { panda_joint1 = { "head", "jaw" } } }',
    "joints.panda_joint1[2] must be one of roll, pitch, yaw, bend" },
  { '{ limbs = { { "left", shoulder = "a" } } }', "limbs[1] needs 'chest'" },
  { '{ reach = { { "head", link = "panda_hand", at = { 1, 2 } } } }',
    "reach[1].at must be a list of 3 numbers" },
  { "{ nodes = { head = 3 } }", "nodes.head must be a text, not a number" },
}

test("what is wrong with a mapping is said with its file's name", function(t)
  local path = file_with(table_of_angles, "a.csv")
  for _, case in ipairs(wrong_maps) do
    local map = file_with("return " .. case[1], "wrong.lua")
    local run = brio("import", path, "--robot", "panda", "--map", map)
    t:code(run, 1)
    t:has(run.err, map .. ": ")
    t:has(run.err, case[2])
    t:check(not run.err:find "traceback", "%s", run.err)
  end
end)

test("what is wrong with a motion for a robot is said with its file's name", function(t)
  local path = file_with("time,panda_joint1,panda_joint1\n0,0,1\n1,1,2\n", "twice.csv")
  local run = brio("import", path, "--robot", "panda")
  t:code(run, 1)
  t:has(run.err, path .. ": two tracks move panda_joint1")
  path = file_with("time,tail\n0,0\n", "tail.csv")
  t:has(brio("import", path, "--robot", "panda").err, path .. ": it moves no DOF of panda")
end)

test("what was imported is exported, and reads back as it was", function(t)
  local path = file_with(table_of_angles, "a.csv")
  for _, kind in ipairs { "csv", "glb", "gltf", "lua" } do
    local out = folder .. "/out." .. kind
    t:code(brio("export", path, "--robot", "panda", "--lead", "0", "--out", out), 0)
    local run = kind == "lua" and brio("check", out) or brio("import", out)
    t:code(run, 0)
  end
  local rows = harness.files.read(folder .. "/out.csv")
  t:check(rows:find("1.000000,0.698132,0.100000", 1, true), "%s", rows:sub(-200))
  t:code(brio("export", path, "--robot", "panda", "--out", folder .. "/x.fbx"), 1)
  t:code(brio("export", path, "--robot", "panda"), 2)
  t:has(brio("export").out, "glb")
end)

harness.files.remove(folder)
harness.done()
