--- Robots in MJCF, as a person uses them: described, drawn, refused with file and line, run, written as a
--- robot.lua.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local arm = [[
<mujoco model="two bars">
  <compiler angle="radian"/>
  <default>
    <joint axis="0 1 0" range="-2 2" damping="0.5"/>
    <geom type="capsule" size="0.04"/>
    <motor gear="20" ctrlrange="-2 2"/>
  </default>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="plane" size="1 1 1"/>
    <body name="base">
      <geom type="box" size="0.1 0.1 0.05"/>
      <body name="upper" pos="0 0 0.1">
        <joint name="shoulder"/>
        <geom fromto="0 0 0.1 0 0 0.4"/>
        <body name="lower" pos="0 0 0.5">
          <joint name="elbow" armature="0.02"/>
          <geom fromto="0 0 0.1 0 0 0.4"/>
          <site name="tip" pos="0 0 0.5"/>
        </body>
      </body>
      <body name="rod" pos="0.3 0 0.1">
        <joint name="swing"/>
        <geom fromto="0 0 0 0 0 0.5"/>
      </body>
    </body>
  </worldbody>
  <equality><connect name="pin" body1="rod" body2="lower" anchor="0 0 0.5"/></equality>
  <contact><exclude body1="rod" body2="lower"/></contact>
  <actuator><motor joint="shoulder"/><motor joint="elbow"/></actuator>
</mujoco>
]]

local behavior = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one" }
b.one = { wants = { brio.want.joint_match { joint = "elbow", goal = 0.7 }, brio.want.joint_limits {} } }
return b
]]

local function made(t, name, text)
  local path = t:folder() .. "/" .. name
  files.write(path, text)
  return path
end

test("brio robot describes and draws an MJCF", function(t)
  local path = made(t, "arm.xml", arm)
  local run = brio("robot", path, "--svg", path .. ".svg")
  t:code(run, 0)
  for _, piece in ipairs { "two bars", "shoulder: revolute about y", "elbow", "└─ tip",
    "capsule r 0.04 length 0.3", "Loop closures, which the solver does not enforce (1)",
    "pin rod and lower share a point",
    "a plane is left out", "<light> (1)" } do t:has((run.out:gsub("%s+", " ")), piece) end
  t:has(files.read(path .. ".svg"), "<svg")
end)

test("its JSON has loops, excludes and what acts in joints", function(t)
  local run = brio("robot", made(t, "arm.mjcf", arm), "--json")
  t:code(run, 0)
  local all = require "cjson".decode(run.out)
  t:equal(all.loops[1].name, "pin")
  t:equal(all.loops[1].type, "point")
  t:equal(all.loops[1].frames[1].position[3], 0.5)
  t:equal(table.concat(all.excludes[1].links, " "), "rod lower")
  for _, pair in ipairs(all.self_pairs) do
    local names = table.concat(pair, " ")
    t:check(names ~= "lower rod" and names ~= "rod lower", "an excluded pair")
  end
  for _, joint in ipairs(all.joints) do
    if joint.name == "elbow" then t:equal(joint.armature, 0.02) end
  end
  for _, variable in ipairs(all.variables) do
    if variable.name == "elbow" then t:equal(variable.effort, 40) end
  end
end)

test("without the exclude the pair is watched", function(t)
  local run = brio("robot", made(t, "arm.xml", (arm:gsub("<contact>.-</contact>", ""))), "--json")
  t:code(run, 0)
  local watched = false
  for _, pair in ipairs(require "cjson".decode(run.out).self_pairs) do
    watched = watched or table.concat(pair, " "):find "lower" and table.concat(pair, " "):find "rod"
  end
  t:check(watched, "rod and lower")
end)

test("a mistake is refused with file, line and what was expected", function(t)
  local path = made(t, "arm.xml", (arm:gsub('name="elbow"', 'name="elbow" type="knee"')))
  local run = brio("robot", path)
  t:code(run, 1)
  t:has(run.err, path .. ":17: joint 'elbow' of body 'lower': type='knee': expected hinge, slide, ball or \z
    free")
end)

test("a behavior runs on it, and its run leads back to the file", function(t)
  local path = made(t, "arm.xml", arm)
  local folder = path:match "^(.*)/"
  files.write(folder .. "/b.lua", behavior)
  local run = brio("run", folder .. "/b.lua", "--robot", path, "--clock", "fast", "--for", "2", "--store",
    folder .. "/s.db")
  t:code(run, 0)
  local last = brio("sql", "SELECT round(max(command), 3) FROM samples WHERE name = 'elbow'", "--store",
    folder .. "/s.db")
  t:code(last, 0)
  t:has(last.out, "0.7")
  t:code(brio("export", "1", "--as", "glb", "--out", folder .. "/x.glb", "--store", folder .. "/s.db"), 0)
end)

test("a robot.lua is written for it, and names it", function(t)
  local path = made(t, "arm.xml", arm)
  local folder = path:match "^(.*)/" .. "/mine"
  t:code(brio("robot", path, "--init", folder), 0)
  local run = brio("robot", folder)
  t:code(run, 0)
  t:has(run.out, "shoulder")
end)

test("Cassie's MJCF is a robot, with one sentence for its missing meshes", function(t)
  local shared = harness.shared()
  if not shared then t:skip "no shared reference data" end
  local run = brio("robot", shared .. "/data/robots/cassie_mjcf/cassie.xml")
  t:code(run, 0)
  for _, piece in ipairs { "33.31 kg", "left-achilles-rod.yaw: continuous about z", "imu",
    "Loop closures, which the solver does not enforce (4)",
    "meshes cannot be read, such as 'assets/pelvis.obj' of link 'cassie-pelvis'",
    "Meshes that cannot be read (" } do t:has((run.out:gsub("%s+", " ")), piece) end
end)

harness.done()
