--- `brio ik`: joint values for a pose, or the reason why there are no such values.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio = harness.test, harness.brio

test("joint values are printed as a pose is written", function(t)
  local run = brio("ik", "panda", "--link", "panda_hand", "--position", "0.5,0.2,0.4", "--axis", "z=0,0,-1")
  t:code(run, 0)
  t:has(run.out, "joints = { panda_joint1 = ")
  local left = tonumber(run.out:match "left: ([%d.]+) m")
  t:check(left and left <= 1e-4, "%s m are left", tostring(left))
end)

test("several solutions, clear of the robot itself, as JSON, and the same again", function(t)
  local words = { "ik", "panda", "--link", "panda_hand", "--position", "0.5,0.2,0.4", "--rpy", "3.14159,0,0",
    "--solutions", "3", "--clear", "0.01", "--json" }
  local run = brio(table.unpack(words))
  t:code(run, 0)
  t:check(harness.is_json(run.out), "no JSON: %s", run.out:sub(1, 300))
  local _, count = run.out:gsub('"panda_joint1"', "")
  t:equal(count, 4, "configurations: the first, and the list of three")
  t:equal(brio(table.unpack(words)).out, run.out, "the second run")
end)

test("a role stands for its link", function(t)
  local run = brio("ik", "ur3e", "--link", "tool", "--position", "0.2,0.2,0.3", "--tolerance", "0.01,0.1")
  t:code(run, 0)
  t:has(run.out, "elbow_joint = ")
end)

test("what cannot be reached ends with 1 and says how near it comes", function(t)
  local run = brio("ik", "ur3e", "--link", "tool0", "--position", "3,0,0")
  t:code(run, 1)
  t:has(run.err, "link 'tool0'")
  t:has(run.err, "leaves 2.")
end)

-- Each row: the options after the robot, and the message.
local wrong = {
  { { "--link", "tol0", "--position", "0,0,1" }, "did you mean 'tool0'" },
  { { "--link", "tool0", "--position", "1,2" }, "must be 3 numbers" },
  { { "--link", "tool0", "--position", "0.2,0.2,nan" }, "must be 3 numbers" },
  { { "--link", "tool0", "--position", "0.2,0.2,1e999" }, "must be 3 numbers" },
  { { "--link", "tool0", "--orientation", "0,0,0,0" }, "quaternion" },
  { { "--link", "tool0", "--axis", "w=0,0,1" }, "must be x, y or z" },
  { { "--link", "tool0", "--axis", "z=0,0,0" }, "direction" },
  { { "--link", "tool0", "--axis", "z=0,0,1", "--rpy", "0,0,0" }, "exclude each other" },
  { { "--link", "tool0" }, "where to" },
  { { "--position", "0,0,1" }, "expects a robot and a link" },
  { { "--link", "tool0", "--position", "0,0,0.3", "--tolerance", "-1,1" }, "position_tolerance" },
  { { "--link", "tool0", "--position", "0,0,0.3", "--solutions", "1.5" }, "whole number" },
  { { "--link", "tool0", "--position", "0,0,0.3", "--clear", "9" }, "from 0 to 0.2" },
  { { "--link", "tool0", "--position", "0,0,0.3", "--from", "hoome" }, "no pose 'hoome'" },
}

test("wrong use ends with 2 and says what was expected", function(t)
  for _, case in ipairs(wrong) do
    local run = brio("ik", "ur3e", table.unpack(case[1]))
    t:code(run, 2)
    t:has(run.err, case[2])
    t:check(not run.err:find "traceback", "%s", run.err)
  end
end)

test("a robot that is none ends with 1", function(t)
  t:code(brio("ik", "nobody", "--link", "x", "--position", "0,0,0"), 1)
end)

harness.done()
