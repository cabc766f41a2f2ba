--- `brio robot`: the description and the picture of a robot; robots that ship, and vendors' own files.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local shipped = {}
for _, path in ipairs(files.lines("ls -d " .. harness.root .. "/drivers/robots/*/")) do
  shipped[#shipped + 1] = path:match "([^/]+)/$"
end

test("the robots that ship are those promised", function(t)
  t:equal(table.concat(shipped, " "), "biped mycobot280 panda pepper probo ur3e", "robots")
end)

for _, name in ipairs(shipped) do
  test(name .. " says what it is", function(t)
    local run = brio("robot", name)
    t:code(run, 0)
    for _, word in ipairs { "mass", "kg" } do t:has(run.out:lower(), word) end
    for link in files.read(("%s/drivers/robots/%s/model.urdf"):format(harness.root,
        name)):gmatch '<link%s+name="([^"]+)"' do
      t:has(run.out, link)
    end
    t:check(not run.text:lower():find "warning", "its own robots need no warning: %s",
      run.text:match "[^\n]*[Ww]arning[^\n]*")
    local json = brio("robot", name, "--json")
    t:code(json, 0)
    t:check(harness.is_json(json.out), "no JSON: %s", json.out:sub(1, 300))
  end)

  test(name .. " is drawn", function(t)
    local folder = t:folder()
    local run = brio("robot", name, "--svg", folder .. "/x.svg", "--png", folder .. "/x.png")
    t:code(run, 0)
    t:has(files.read(folder .. "/x.svg") or "", "<svg")
    local png = files.read(folder .. "/x.png") or ""
    t:equal(png:sub(1, 8), "\137PNG\r\n\26\n", "the first bytes of the PNG")
    t:check(#png > 2000, "the PNG has only %d bytes", #png)
  end)
end

test("each named pose is drawn, and differs; an unknown one is named", function(t)
  local folder = t:folder()
  t:code(brio("robot", "pepper", "--pose", "stand", "--svg", folder .. "/stand.svg"), 0)
  t:code(brio("robot", "pepper", "--pose", "rest", "--svg", folder .. "/rest.svg"), 0)
  t:check(files.read(folder .. "/stand.svg") ~= files.read(folder .. "/rest.svg"), "both poses look the same")
  local run = brio("robot", "pepper", "--pose", "stannd", "--svg", folder .. "/x.svg")
  t:check(run.code == 1 or run.code == 2, "exit code %s", tostring(run.code))
  t:has(run.err, "did you mean 'stand'")
  t:code(brio("robot", "pepper", "--svg", folder .. "/no/such/x.svg"), 1)
end)

local urdf = [[<?xml version="1.0"?>
<robot name="made">
  <link name="base"/>
  <link name="arm"/>
  <joint name="turn" type="revolute">
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/>
  </joint>
</robot>
]]

-- Each row: what to replace, the replacement, and the message.
local faults = {
  { "XML cut off", "</joint>.*", "", "~made%.urdf:%d+" },
  { "a number that is none", 'lower="%-1"', 'lower="x"', "~made%.urdf:9" },
  { "an infinite number", 'xyz="0 0 1"', 'xyz="0 0 inf"', "~made%.urdf:8" },
  { "a zero axis", 'xyz="0 0 1"', 'xyz="0 0 0"', "axis" },
  { "a name twice", '<link name="arm"/>', '<link name="base"/>', "base" },
  { "a circle", '<parent link="base"/>', '<parent link="arm"/>', "arm" },
  { "an unknown kind of joint", 'type="revolute"', 'type="elbow"', "elbow" },
  { "a child that is not declared", '<child link="arm"/>', '<child link="leg"/>', "leg" },
  { "an entity bomb", '<robot name', '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n<robot name',
    "made.urdf" },
  { "no robot at all", "<robot.*", "<html/>\n", "robot" },
}

for _, fault in ipairs(faults) do
  test("a robot file with " .. fault[1] .. " is refused with the place", function(t)
    local file = t:folder() .. "/made.urdf"
    files.write(file, (urdf:gsub(fault[2], (fault[3]:gsub("%%", "%%%%")), 1)))
    local run = brio("robot", file, { timeout = 20 })
    t:code(run, 1)
    t:has(run.err, "made.urdf")
    t:has(run.err, fault[4])
    t:check(not run.err:find "traceback", "%s", run.err)
  end)
end

test("a good file of one's own is read, also from another folder", function(t)
  local folder = t:folder()
  files.write(folder .. "/made.urdf", urdf)
  local run = brio("robot", "made.urdf", { cwd = folder })
  t:code(run, 0)
  t:has(run.out, "turn")
end)

test("--init writes a robot.lua for a URDF, which is the same robot; nothing is written over", function(t)
  local trees = dofile(harness.root .. "/tests/lib/kinematic_trees.lua")
  local folder = t:folder()
  files.write(folder .. "/g1.urdf", trees.urdf "g1")
  local run = brio("robot", folder .. "/g1.urdf", "--init", folder .. "/mine")
  t:code(run, 0)
  t:has(run.out, "wrote " .. folder .. "/mine/robot.lua")
  t:has(run.out, "head = head_link (likely: its name")
  local text = files.read(folder .. "/mine/robot.lua")
  for _, piece in ipairs { 'left_hand = "left_rubber_hand", -- sure: ', '-- tool = "LINK"',
    'left_arm = { "left_arm" }',
    '{ name = "left_elbow_joint", group = "left_arm" }' } do t:has(text, piece) end
  local function roles(what) return brio("robot", what, "--json").out:match '"roles":({[^}]*})' end
  t:equal(roles(folder .. "/mine"), roles(folder .. "/g1.urdf"), "roles")
  run = brio("robot", folder .. "/g1.urdf", "--init", folder .. "/mine")
  t:code(run, 1)
  t:has(run.err, "mine/robot.lua exists already, and is not changed")
  t:equal(files.read(folder .. "/mine/robot.lua"), text, "what was there")
  t:has(brio("robot", "pepper", "--init", folder .. "/p").err, "--init is for a model without a robot.lua")
  t:code(brio("robot", folder .. "/g1.urdf", "--init", folder .. "/no/such"), 1)
end)

test("a missing mesh and missing limits are warnings that name them", function(t)
  local file = t:folder() .. "/made.urdf"
  local text = urdf:gsub('<link name="arm"/>',
    '<link name="arm"><collision><geometry><mesh \z
      filename="package://gone/arm.stl"/></geometry></collision></link>')
  files.write(file, (text:gsub("<limit[^\n]*\n", "\n")))
  local run = brio("robot", file)
  t:code(run, 0)
  t:has(run.text, "arm.stl")
  t:has(run.text:lower(), "warning")
  t:has(run.text, "turn")
end)

--- `make soak` reads ten thousand joints: the time goes with their square.
local many = harness.scale > 1 and 10000 or 2500

test("thousands of joints and a hundred megabytes are read or refused in good time", function(t)
  local folder, parts = t:folder(), { '<robot name="long"><link name="l0"/>' }
  for i = 1, many do
    parts[#parts + 1] = ('<link name="l%d"/><joint name="j%d" type="continuous"><parent link="l%d"/><child \z
      link="l%d"/></joint>')
      :format(i, i, i - 1, i)
  end
  files.write(folder .. "/long.urdf", table.concat(parts) .. "</robot>")
  local run = brio("robot", folder .. "/long.urdf", { timeout = 30 })
  t:code(run, 0)
  t:has(run.out, "Self-collision: pairs are not worked out")
  local json = brio("robot", folder .. "/long.urdf", "--json", { timeout = 30 })
  t:code(json, 0)
  t:check(harness.is_json(json.out) and not json.out:find "self_pairs", "pairs in %s", json.out:sub(1, 300))
  harness.run { ("{ cat %s/long.urdf; head -c 100000000 /dev/zero | tr '\\0' ' '; } > %s/huge.urdf"):format(
    folder, folder) }
  run = brio("robot", folder .. "/huge.urdf", { timeout = 30 })
  t:check(run.code == 0 or run.code == 1, "exit code %s: %s", tostring(run.code), run.err:sub(1, 300))
end)

test("every vendor's robot file is read", function(t)
  local shared = harness.shared()
  if not shared then t:skip "no shared reference data" end
  local count = 0
  for _, path in ipairs(files.lines(("find %s/data/robots -name '*.urdf' | sort"):format(
      files.quote(shared)))) do
    local run = brio("robot", path, { timeout = 20 })
    t:code(run, 0)
    count = count + 1
  end
  t:check(count >= 20, "only %d files were found", count)
end)

test("the kiosk runs on the vendor's Pepper", function(t)
  local shared = harness.shared()
  if not shared then t:skip "no shared reference data" end
  for _, folder in ipairs { "pepper", "lively" } do
    local store = t:folder() .. "/x.db"
    local run = brio("run", "behaviors/kiosk.lua", "--robot",
      ("%s/data/robots/%s/pepper.urdf"):format(shared, folder),
                     "--for", 5, "--clock", "fast", "--store", store)
    t:code(run, 0)
    t:equal(harness.sql(store, "select count(*), sum(outcome = 'finished') from runs"), "1|1",
      "runs on " .. folder)
    t:equal(harness.sql(store, "select count(*) from faults"), "0", "faults on " .. folder)
  end
end)

harness.done()
