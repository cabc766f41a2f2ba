--- `brio quality --set`: sets of motions, compared.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio = harness.test, harness.brio

local folder = harness.files.temporary()
local robots = "drivers/robots/"
local arm, other = robots .. "mycobot280/sequences", robots .. "panda/sequences"

--- A table of a motion of two joints, for 2 s; `broken`: a line that is not one.
local function write_motion(name, broken)
  local lines = { "time,joint2_to_joint1,joint3_to_joint2" }
  for index = 0, 100 do
    local t = index / 50
    lines[#lines + 1] = ("%.2f,%.6f,%.6f"):format(t, 0.4 * math.sin(4 * t), 0.2 * math.sin(7 * t + 1))
  end
  if broken then lines[40] = broken end
  harness.files.write(folder .. "/" .. name, table.concat(lines, "\n") .. "\n")
  return folder .. "/" .. name
end

test("two robots' gestures are compared, and what differs most is listed", function(t)
  local run = brio("quality", "--set", arm, "--set", other, "--by-size")
  t:code(run, 0)
  for _, piece in ipairs { "A: " .. arm, "B: " .. other, "CCR 1/m", "SPARC", "LDLJ", "diversity",
      "~B and A: Fréchet distance %d+%.%d%d; DTW 0%.%d%d%d, of 12 pairs with the same name",
      "~note: A has 12 motions, not more than the 35 features: its covariance is shrunk %D+ %d+ %%",
      "~feature +unit +A +B +difference" } do
    t:has(run.out, piece)
  end
end)

test("the features of one set are listed, each with its definition", function(t)
  local motion = write_motion "a.csv"
  local run = brio("quality", "--set", motion, "--robot", "mycobot280", "--point", "joints", "--features")
  t:code(run, 0)
  for _, piece in ipairs { "~frequency_peak +Hz +%d", "~drift +1 +%d%.%d+ +distance of the mean" } do
    t:has(run.out, piece)
  end
  local _, count = run.out:gsub("\n[%w_]+ +[%w/^]+ +%-?%d+%.%d%d%d ", "")
  t:equal(count, 35, "rows")
end)

test("files of a folder that are no motions are left out, and said; JSON has it all", function(t)
  write_motion "b.csv"
  write_motion("c.csv", "0.1,0,0") -- a time before those above
  local run = brio("quality", "--set", "mycobot280=" .. folder, "--cut", "1", "--json")
  t:code(run, 0)
  t:check(harness.is_json(run.out), "no JSON: %s", run.out)
  for _, name in ipairs { '"name":"a#1"', '"name":"a#2"', '"name":"b#1"', '"left_out":["', '"diversity":' } do
    t:has(run.out, name)
  end
  t:has(run.err, "~left out: .*c%.csv: line 40")
  run = brio("quality", "--set", "mycobot280=" .. folder .. "/c.csv")
  t:code(run, 1)
  t:has(run.err, "~c%.csv: line 40")
end)

-- Each row: the words after `quality`, and the message.
local wrong = {
  { { "nod.lua", "--set", arm }, "not 'nod.lua' and --set" },
  { { "--set", "," }, "a set is [ROBOT=]PATH[,PATH...], not ','" },
  { { "--set", "/no/such" }, "there is no file or folder /no/such" },
  { { "--set", folder .. "/a.csv" }, "a motion of joints needs a robot: --robot" },
  { { "--set", "nobody=" .. folder .. "/a.csv" }, "nobody" },
  { { "--set", arm, "--dof", "x" }, "--dof is for a run or a file" },
  { { "--set", arm, "--cut", "0.1" }, "--cut must be a number from 1" },
  { { "--set", arm, "--point", "hand", "--point", "tool" }, "--point is said 2 times for 1 sets" },
  { { "--set", arm .. "/nod.lua", "--point", "jiont4" }, "did you mean 'joint4'" },
  { { "--set", arm .. "/nod.lua", "--from", "9" }, "nothing is from 9 s on" },
  { { "--set", arm, "--from", "3", "--to", "2" }, "--to must be after --from" },
}

test("what is wrong is said", function(t)
  for _, case in ipairs(wrong) do
    local run = brio("quality", table.unpack(case[1]))
    t:check(run.code == 1 or run.code == 2, "%s ended with %s", table.concat(case[1], " "),
      tostring(run.code))
    t:has(run.err, case[2])
    t:check(not run.err:find "traceback", "%s", run.err)
  end
end)

test("motions of a person are compared with what a robot makes of them", function(t)
  local shared = harness.shared()
  if not shared then return t:skip "no shared data" end
  local persons = {}
  for index, name in ipairs { "dance_a", "punch" } do
    persons[index] = ("%s/data/mocap/deepmimic_json/humanoid3d_%s.txt"):format(shared, name)
  end
  local set = table.concat(persons, ",")
  local run = brio("quality", "--set", set, "--set", "pepper=" .. set, "--by-size")
  t:code(run, 0)
  local distance, warp =
    run.out:match "Fréchet distance ([%d.]+); DTW ([%d.]+), of 2 pairs with the same name"
  t:check(distance and tonumber(distance) > 0 and tonumber(warp) < 1, "%s", run.out)
end)

harness.files.remove(folder)
harness.done()
