-- The gaze must not turn the trunk that carries it: heads fixed to the trunk, frames that move with the
-- joints that they control, and links of the robot's own that the gaze moves.
local body = require "brio.character.gaze.body"
local geometry = require "brio.geometry"
local robots = require "brio.robots"
local stream = require "brio.character.control.stream"

local function link(name, z)
  return ([[<link name="%s"><inertial><origin xyz="0 0 %g"/><mass value="1"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
    <collision><origin xyz="0 0 %g"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
    </link>]]):format(name, z or 0, z or 0)
end

local limits = '<axis xyz="%s"/><limit lower="-2.6" upper="2.6" velocity="32" effort="9"/>'

local function joint(name, parent, child, axis, xyz, rpy)
  local kind = axis and "revolute" or "fixed"
  return ([[<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/>
    <origin xyz="%s" rpy="%s"/>%s</joint>]]):format(name, kind, parent, child, xyz or "0 0 0.1",
    rpy or "0 0 0", axis and limits:format(axis) or "")
end

--- The URDF of a humanoid without a neck: waist, two arms, and a head fixed to the trunk.  `neck`: with neck
--- joints; `optical`: the head is a camera's frame, which looks along z; `low`: the origin of its link is at
--- the waist, its mass where the head is.
local function humanoid(t, how)
  how = how or {}
  local parts = {}
  local function add(...)
    for _, part in ipairs { ... } do parts[#parts + 1] = part end
  end
  add('<robot name="rigid">', link "pelvis", link "waist_link", link("torso_link", 0.2),
    joint("waist_yaw", "pelvis", "waist_link", "0 0 1"),
    joint("waist_pitch", "waist_link", "torso_link", "0 1 0"))
  for side, y in pairs { left = 0.2, right = -0.2 } do
    local shoulder, hand = side .. "_shoulder", side .. "_hand"
    add(link(shoulder), link(hand),
      joint(side .. "_shoulder_pitch", "torso_link", shoulder, "0 1 0", ("0 %g 0.4"):format(y)),
      joint(side .. "_elbow", shoulder, hand, "0 1 0", "0 0 -0.3"))
  end
  local top, back = "torso_link", nil
  if how.aside then -- the frame of the link below the neck has its x axis to the left
    add(link "chest", joint("chest_joint", top, "chest", nil, "0 0 0", "0 0 1.5708"))
    top, back = "chest", "0 0 -1.5708"
  end
  for index = 1, how.neck or 0 do
    local name, axis = "neck_" .. index, ({ "0 0 1", "0 1 0", "1 0 0" })[index]
    add(link(name), joint(name .. "_joint", top, name, axis, index == 1 and "0 0 0.5",
      index == 1 and back))
    top = name
  end
  local head = how.optical and "camera_link" or "head_link"
  local turned = how.optical and "-1.5708 0 -1.5708" or how.turned
  add(link(head, how.low and 0.45 or 0),
    joint("head_joint", top, head, nil, how.low and "0.1 0 -0.2" or "0.1 0 0.2", turned), "</robot>")
  local file = t:temporary ".urdf"
  local handle = assert(io.open(file, "w"))
  handle:write(table.concat(parts, "\n"))
  handle:close()
  return file
end

local looking = [[local brio = require "brio"
local want = brio.want
local b = brio.behavior "b" { robot = "panda", start = "idle", character = {
  gaze = { scan = false, avert = false, explore = false, blink = false } } }
b.idle = { wants = { want.collision_avoidance {}, want.joint_limits {},
  want.nominal_posture { here = true, weight = 0.5 } } }
return b]]

--- The angle between a link's axis and the direction to a place at the side, rad.
local function off(run, name, place, axis)
  local pose = run.solver:frames()[name]
  local p, ahead = pose.position, geometry.turn(pose.orientation, axis or { 1, 0, 0 })
  local angle = math.atan(place[2] - p[2], place[1] - p[1]) - math.atan(ahead[2], ahead[1])
  return math.abs(math.atan(math.sin(angle), math.cos(angle)))
end

test("ahead is where the robot is turned to, whatever the frame below its neck", function(t)
  local source = looking:gsub("explore = false, ", "")
  local run = t:run("b", { source = source, robot = humanoid(t, { neck = 2, aside = true }) })
  for _ = 1, 20 do
    run:advance(0.5)
    local ahead = geometry.turn(run.solver:frames().head_link.orientation, { 1, 0, 0 })
    t:ok(ahead[1] > 0.6, "it looks along %.2f %.2f %.2f", ahead[1], ahead[2], ahead[3])
  end
end)

test("a trunk does not lean so that the head is level", function(t)
  local run = t:run("b", { source = looking, robot = humanoid(t, { neck = 2 }) })
  run:advance(0.2)
  run:see { kind = "person", id = "ann", at = { 0.6, 1.2, 1.6 } } -- the neck cannot roll
  run:advance(6)
  t:ok(off(run, "head_link", { 0.6, 1.2 }) < 0.05)
  t:near(run:command "waist_pitch", 0, 0.01)
  t:near(run:command "waist_yaw", 0, 0.01)
end)

test("a head whose y axis points up or down is kept upright", function(t)
  for turned, up in pairs { ["-1.5708 0 0"] = { 0, -1, 0 }, ["1.5708 0 0"] = { 0, 1, 0 } } do
    local file = humanoid(t, { neck = 3, turned = turned })
    local made = assert(body.of(assert(robots.find(file))))
    t:equal({ made.head.axis, made.head.up }, { nil, up })
    local run = t:run("b", { source = looking, robot = file })
    run:advance(0.2)
    run:see { kind = "person", id = "ann", at = { 1.5, 0.4, 0.9 } }
    run:advance(4)
    local q = run.solver:frames().head_link.orientation
    t:ok(geometry.turn(q, up)[3] > 0.9, "its top is at %.2f", geometry.turn(q, up)[3])
    t:ok(off(run, "head_link", { 1.5, 0.4 }) < 0.05)
  end
end)

for _, case in ipairs { { "rigid on the trunk" }, { "with one joint in the neck", neck = 1 },
  { "with a neck", neck = 2 }, { "that is a camera's optical frame", optical = true } } do
  test("a head " .. case[1] .. " comes to rest on who is looked at", function(t)
    local head, place = case.optical and "camera_link" or "head_link", { 1.5, 0.9, 0.8 }
    local run = t:run("b", { source = looking, robot = humanoid(t, case) })
    run:advance(0.2)
    run:see { kind = "person", id = "ann", at = place }
    run:advance(6)
    t:equal(run.run.host.gaze.face:at().target, "ann")
    local angle = off(run, head, place, case.optical and { 0, 0, 1 })
    t:ok(angle < 0.03, "the head is off by %.3f rad", angle)
    local most = 0
    for _ = 1, 200 do
      local before = run:command "waist_yaw"
      run:advance(0.005)
      most = math.max(most, 200 * math.abs(run:command "waist_yaw" - before))
    end
    t:ok(most < 0.02, "the waist still turns at %.3f rad/s", most)
    t:equal(math.abs(run:command "waist_yaw") < 0.01, (case.neck or 0) >= 2, "a neck looks by itself")
  end)
end

test("a head whose link begins at the waist looks from where the head is", function(t)
  local description = assert(robots.find(humanoid(t, { low = true })))
  t:near(assert(body.of(description)).head.point, { 0, 0, 0.45 }, 1e-9)
  t:equal(assert(body.of(assert(robots.find(humanoid(t))))).head.point, nil)
  local run = t:run("b", { source = looking, robot = humanoid(t, { low = true }) })
  run:advance(0.2)
  run:see { kind = "person", id = "ann", at = { 1.5, 0, 0.45 } } -- as high as the head: it stays upright
  run:advance(6)
  t:equal(run.run.host.gaze.face:at().target, "ann")
  t:near(run:command "waist_pitch", 0, 0.05)
end)

test("where the trunk looks, that is said, once", function(t)
  local description = assert(robots.find(humanoid(t)))
  t:match(assert(body.of(description)).note, "no neck of its own: 'head_link' is turned with the "
    .. "trunk, slowly, by 'waist_pitch', 'waist_yaw'")
  t:equal(assert(body.of(assert(robots.find(humanoid(t, { neck = 2 }))))).note, nil)
  local run = t:run("b", { source = looking, robot = humanoid(t) })
  run:advance(0.5)
  local count = 0
  for _, text in ipairs(t.said) do count = count + (text:find("no neck", 1, true) and 1 or 0) end
  t:equal(count, 1)
end)

test("a base that turns with what looks is refused, by name", function(t)
  local description = assert(robots.find(humanoid(t)))
  local function fault(said) return body.fault(said, description) or "" end
  t:match(fault { base = "torso_link", head = { link = "head_link" } },
    "base: 'torso_link' turns with 'waist_pitch', which turns the head: head.carrier or a base below it "
    .. "must be named")
  t:match(fault { base = "waist_link", head = { link = "head_link" } }, "'waist_link' turns with 'waist_yaw'")
  t:equal(fault { base = "pelvis", head = { link = "head_link" } }, "")
  t:equal(fault { base = "waist_link", head = { link = "head_link", carrier = "waist_link" } }, "")
  t:match(fault { base = "torso_link", head = { link = "head_link", carrier = "torso_link" },
    torso = { link = "torso_link", carrier = "pelvis" } }, "which turns the torso: torso.carrier")
  for _, name in ipairs(robots.list()) do
    local shipped = assert(robots.find(name))
    t:equal(select(2, body.of(shipped)), nil, name)
  end
end)

test("it does not follow a link of its own that it moves by looking", function(t)
  local run = t:run("b", { source = looking, robot = humanoid(t) })
  run:advance(0.2)
  local none, why = run.run.host.gaze.face:look_at "left_hand"
  t:ok(none == nil)
  t:match(why, "it cannot look at its own 'left_hand': 'waist_[a-z]+' moves both that and the gaze")
  local other = t:run("b", { source = looking, robot = humanoid(t, { neck = 2 }) })
  other:advance(0.2)
  t:ok(other.run.host.gaze.face:look_at "left_hand")
  local pepper = t:run("b", { source = looking, robot = "pepper" })
  pepper:advance(0.2)
  t:ok(pepper.run.host.gaze.face:look_at "left_hand")
  local hip = pepper:command "HipPitch"
  pepper:advance(3)
  t:near(pepper:command "HipPitch", hip, 0.02, "the hip, which moves the hand, takes no part")
end)

test("a pose is not led in a frame that the led joints move", function(t)
  local run = t:run("b", { source = looking, robot = "panda" })
  run:advance(0.1)
  local control = run.run.host.control
  local none, why = stream.new(control, "tool", { frame = "panda_link4" })
  t:ok(none == nil)
  t:match(why, "moves the frame 'panda_link4': a frame below it must be named")
  none, why = stream.new(control, "tool", { frame = "panda_lnik4" })
  t:ok(none == nil)
  t:match(why, "no link 'panda_lnik4' %(did you mean 'panda_link4'")
  t:ok(stream.new(control, "tool", { frame = "panda_link0" }))
end)
