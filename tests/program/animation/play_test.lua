--- `brio play`: a sequence and another program's motion on a robot, its report, and the owners of DOFs.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio = harness.test, harness.brio

local folder = harness.files.temporary()
local store = folder .. "/run.db"

--- A table of angles within the arm's limits, and one beyond them.
harness.files.write(folder .. "/calm.csv",
  "t,panda_joint1,panda_joint4\n0,0,-2\n1,0.2,-1.9\n2,0.3,-1.8\n3,0.3,-1.8\n")
harness.files.write(folder .. "/wild.csv",
  "t,panda_joint1,panda_joint4\n0,0,-2\n0.1,2,-1.9\n0.2,-2,-1.8\n1,9,-1.8\n2,9,-1.8\n")

test("a feasible motion comes out as it is, and home again", function(t)
  local run = brio("play", folder .. "/calm.csv", "--robot", "panda", "--clock", "fast", "--store", store,
    "--json")
  t:code(run, 0)
  t:equal(run.err, ("brio: recorded as run 1 in %s\n"):format(store))
  t:check(harness.is_json(run.out), "no JSON: %s", run.out)
  local seen = 0
  for worst in run.out:gmatch '"worst":([%d.e-]+)' do
    seen = seen + 1
    t:check(tonumber(worst) < math.rad(0.5), "off by %s rad", worst)
  end
  t:equal(seen, 2, "DOFs")
  local moved = harness.number(store, "SELECT max(command) FROM samples WHERE run = 1 AND name = \z
    'panda_joint1'")
  t:check(math.abs(moved - 0.3) < 0.01, "went to %s", tostring(moved))
  local first = harness.number(store, "SELECT command FROM samples WHERE run = 1 AND name = 'panda_joint1' \z
    ORDER BY tick LIMIT 1")
  local last = harness.number(store, "SELECT command FROM samples WHERE run = 1 AND name = 'panda_joint1' \z
    ORDER BY tick DESC LIMIT 1")
  t:check(math.abs(first - last) < 0.01, "from %s to %s", tostring(first), tostring(last))
end)

test("what cannot be done is clipped and slowed, within limits, and that is said", function(t)
  local run = brio("play", folder .. "/wild.csv", "--robot", "panda", "--clock", "fast", "--store", store)
  t:code(run, 0)
  t:has(run.out, "clipped")
  t:check(run.out:match "panda_joint1 [^\n]*%d+%%", "shares are told: %s", run.out)
  local fastest = harness.number(store,
    [[SELECT max(abs(speed)) FROM (SELECT (command - lag(command) OVER w) / (t - lag(t) OVER w) AS speed
    FROM samples WHERE run = 2 AND name = 'panda_joint1' WINDOW w AS (ORDER BY tick))]])
  t:check(fastest <= 2.175 + 1e-3, "went at %s rad/s", tostring(fastest))
end)

test("what is late is slowed until it has caught up, and what nothing else wants is not drawn", function(t)
  harness.files.write(folder .. "/quick.csv",
    "t,panda_joint1,panda_joint4\n0,0,-2\n0.5,1.4,-1.2\n1,0,-2\n2,0.3,-1.8\n3,0.3,-1.8\n")
  local function shares(field, file, ...)
    local run = brio("play", folder .. file, "--robot", "panda", "--clock", "fast", "--store",
      folder .. "/q.db", "--json", ...)
    t:code(run, 0)
    local all = {}
    for share in run.out:gmatch('"' .. field .. '":([%d.e-]+)') do all[#all + 1] = tonumber(share) end
    return all, run.out
  end
  local drawn, told = shares("drawn", "/quick.csv")
  t:check(#drawn == 2 and drawn[1] == 0 and drawn[2] == 0, "drawn, with nothing that draws: %s", told)
  t:check(told:find '"slowed":0%.[1-9]', "slowed: %s", told)
  local worst
  worst, told = shares("worst", "/quick.csv", "--amplitude", "0.3", "--speed", "0.5")
  t:check(#worst == 2 and math.max(worst[1], worst[2]) < 0.01, "a smaller motion is off: %s", told)
  drawn, told = shares("drawn", "/calm.csv", "--follow", "0.01")
  t:check(math.max(drawn[1], drawn[2]) > 0.5, "what the home pose draws is said: %s", told)
end)

test("a joint with a filter comes later, as is said, and is compared with what its filter makes of it",
  function(t)
  local robot, other = folder .. "/filtered", folder .. "/f.db"
  os.execute("cp -r drivers/robots/panda " .. robot)
  local text = harness.files.read(robot .. "/robot.lua")
  harness.files.write(robot .. "/robot.lua",
    (text:gsub("\n  base =", "\n  filters = { panda_joint1 = { tau = 0.1 } },%0", 1)))
  local times = {}
  for _, one in ipairs { "panda", robot } do
    local run = brio("play", folder .. "/calm.csv", "--robot", one, "--clock", "fast", "--store", other)
    t:code(run, 0)
    t:check(run.out:find("panda_joint1 is 0.2 s later", 1, true) == nil == (one == "panda"),
      "the delay: %s", run.out)
    t:check(not run.out:find "%d%%", "nothing is off: %s", run.out)
    for _, joint in ipairs { "panda_joint1", "panda_joint4" } do
      local home = joint == "panda_joint1" and 0.15 or -1.85
      times[joint] = times[joint] or {}
      table.insert(times[joint], harness.number(other,
        ("SELECT min(t) FROM samples WHERE run = (SELECT max(run) FROM samples) "
        .. "AND name = '%s' AND command > %g AND t > 1"):format(joint, home)))
    end
  end
  t:check(math.abs(times.panda_joint4[1] - times.panda_joint4[2]) < 1e-9, "a joint without a filter")
  local later = times.panda_joint1[2] - times.panda_joint1[1]
  t:check(later > 0.15 and later < 0.25, "%s s later", later)
end)

test("a sequence plays over what is below, so often, and SQL tells who owned what when", function(t)
  local run = brio("play", "drivers/robots/pepper/sequences/nod.lua", "--times", "2", "--clock", "fast",
    "--store", store)
  t:code(run, 0)
  t:has(run.out, "no comparison is possible")
  local owned = harness.number(store, "SELECT count(*) FROM ownership WHERE run = 3 AND dof = 'HeadPitch' \z
    AND owner = 'nod'")
  t:check(owned and owned >= 1, "owned %s times", tostring(owned))
  t:equal(harness.number(store, "SELECT count(*) FROM sources WHERE run = 3"), 2, "times it played")
  local moved = harness.number(store, "SELECT max(moved) FROM why WHERE run = 3 AND dof = 'HeadPitch' AND \z
    source = 'nod'")
  t:check(moved and moved > 0.1 and moved < 0.3, "the nod added %s rad at most", tostring(moved))
  t:code(brio("plot", "--store", store, "--out", folder .. "/nod.svg"), 0)
  t:has(harness.files.read(folder .. "/nod.svg") or "", "<svg")
end)

-- Each row: the words, and the message.
local wrong = {
  { { folder .. "/none.lua" }, "none.lua" },
  { { folder .. "/calm.csv" }, "--robot" },
  { { folder .. "/calm.csv", "--robot", "pandy" }, "did you mean 'panda'" },
  { { folder .. "/calm.csv", "--robot", "ur3e" }, "it moves no DOF of ur3e" },
  { { folder .. "/calm.csv", "--robot", "panda", "--speed", "0" }, "--speed must be" },
  { { folder .. "/calm.csv", "--robot", "panda", "--clock", "slow" }, "--clock must be" },
}

test("what is wrong is said", function(t)
  for _, case in ipairs(wrong) do
    local run = brio("play", "--store", store, table.unpack(case[1]))
    t:check(run.code == 1 or run.code == 2, "%s ended with %s", table.concat(case[1], " "),
      tostring(run.code))
    t:has(run.err, case[2])
    t:check(not run.err:find "traceback", "%s", run.err)
  end
end)

test("real motions play on a Pepper-class robot and an arm", function(t)
  local shared = harness.shared()
  if not shared then return t:skip "no shared data" end
  for _, words in ipairs {
    { "robot_motion/pepper_qianim/Hello_02.qianim", "pepper" },
      { "mocap/cmu_bvh/salsa_pair01_A_30fps.bvh", "pepper" },
    { "mocap/cmu_bvh/salsa_pair01_A_30fps.bvh", "panda" }, { "animation/RobotExpressive.glb", "pepper" } } do
    local run = brio("play", shared .. "/data/" .. words[1], "--robot", words[2], "--clock", "fast",
      "--store", store)
    t:code(run, 0)
    t:has(run.out, "worst")
  end
  local touched = harness.number(store, "SELECT min(distance) FROM solves")
  t:check(touched > 0, "least distance %s m", tostring(touched))
end)

harness.files.remove(folder)
harness.done()
