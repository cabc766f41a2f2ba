--- Motions of other programs: the meaning of each format, faults in files, and all real files at hand.
local clip = require "brio.clip"
local import = require "brio.import"
local rotation = require "brio.lib.rotation"
local skeleton = require "brio.motion.skeleton"

local function read(text, options) return import.read(text, options or { file = "a" }) end

local function refused(t, expected, text, options)
  options = type(options) == "table" and options or nil
  local made, why, code = read(text, options)
  t:ok(made == nil, "it was read, and not refused with '%s'", expected)
  t:equal(code, "format")
  t:ok(tostring(why):find(expected, 1, true), "'%s' does not say '%s'", why, expected)
end

local bvh = [[
HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition %s
  JOINT LeftArm
  {
    OFFSET 10 50 0
    CHANNELS 3 %s
    JOINT LeftForeArm
    {
      OFFSET 30 0 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 25 0 0
      }
    }
  }
}
MOTION
Frames: %d
Frame Time: 0.05
]]

local zxy = "Zrotation Xrotation Yrotation"
local still = "0 0 0 0 0 0 0 0 0 0 0 0\n"

--- The position of a node in a frame, by products of rotation matrices about single axes.
local function chain(order, degrees, offset)
  local function about(axis, a, v)
    local c, s = math.cos(math.rad(a)), math.sin(math.rad(a))
    if axis == "X" then return { v[1], c * v[2] - s * v[3], s * v[2] + c * v[3] } end
    if axis == "Y" then return { c * v[1] + s * v[3], v[2], -s * v[1] + c * v[3] } end
    return { c * v[1] - s * v[2], s * v[1] + c * v[2], v[3] }
  end
  for index = 3, 1, -1 do offset = about(order:sub(index, index), degrees[index], offset) end
  return offset
end

test("BVH: rotations are taken in the order in which a joint names its channels", function(t)
  for _, order in ipairs { "ZXY", "ZYX", "XYZ", "YXZ" } do
    local names = order:gsub("(.)", "%1rotation ")
    local text = bvh:format(zxy, names, 1) .. "1 2 3 0 0 0 20 -35 50 0 0 0\n"
    local made = assert(read(text))
    local at = skeleton.poser({ nodes = made.nodes, times = made.times, up = "z", scale = 1 },
      { hips = "Hips", left_shoulder = "LeftArm", left_elbow = "LeftForeArm" }):at(1)
    local bone = chain(order, { 20, -35, 50 }, { 30, 0, 0 })
    t:near({ at.left_elbow[1], at.left_elbow[2], at.left_elbow[3] },
      { 11 + bone[1], 52 + bone[2], 3 + bone[3] }, 1e-9)
  end
end)

test("BVH: what is wrong says where", function(t)
  local head = bvh:format(zxy, zxy, 2)
  refused(t, "line 25: 11 numbers, expected 12", head .. still .. "0 0 0 0 0 0 0 0 0 0 0\n")
  refused(t, "line 25: 'x' is no number", head .. still .. still:gsub("0", "x", 1))
  refused(t, "line 25: 'nan' is no number", head .. still .. still:gsub("0", "nan", 1))
  refused(t, "1 frames of the 2 that 'Frames:' promises; the file is cut off", head .. still)
  refused(t, "no MOTION", head:sub(1, head:find("MOTION", 1, true) - 1))
  refused(t, "channel 'Wrotation'", head:gsub("Zrotation", "Wrotation", 1))
  refused(t, "MOTION before 1 '}'", (head:gsub("}\nMOTION", "MOTION", 1)))
  refused(t, "line 23: a frame time of 0 s", (head:gsub("0%.05", "0", 1)) .. still .. still)
  refused(t, "CHANNELS 3 names 2 channels",
    (head:gsub("Zrotation Xrotation Yrotation\n    JOINT", "Zrotation Xrotation\n    JOINT", 1)))
  refused(t, "is empty", "")
end)

test("BVH: rows beyond 'Frames:' are read, and that is said; lengths and angles have bounds", function(t)
  local made = assert(read(bvh:format(zxy, zxy, 2) .. still:rep(5)))
  t:equal({ #made.times, made.notes[1] }, { 5, "'Frames:' promises 2 frames, and there are 5: all are read" })
  t:equal(assert(read(bvh:format(zxy, zxy, 5) .. still:rep(5))).notes, {})
  local text = bvh:format(zxy, zxy, 1) .. still
  refused(t, "line 8: 1e30, expected a length or an angle from -1e+06 to 1e+06",
    (text:gsub("OFFSET 10", "OFFSET 1e30")))
  refused(t, "line 24: 2e6, expected a length", (text:gsub("\n0 0", "\n0 2e6")))
end)

test("BVH: another rate can be told, and a first frame that is the skeleton's own pose is left out",
  function(t)
  local text = bvh:format(zxy, zxy, 30) .. still
  for frame = 1, 29 do text = text .. ("0 0 0 0 0 0 %g 40 10 60 0 0\n"):format(60 + frame) end
  local made = assert(read(text, { file = "a", fps = 10 }))
  t:equal(#made.times, 29)
  t:near(made.times[29], 2.8, 1e-12)
  t:ok(made.notes[1]:find("skeleton's own pose", 1, true), made.notes[1])
  local short = assert(read(bvh:format(zxy, zxy, 2) .. still .. still))
  t:equal(#short.times, 2)
end)

test("skeletons: parts are found by many programs' names, up and units are guessed", function(t)
  local function body_of(names)
    local nodes = {}
    for index, name in ipairs(names) do nodes[index] =
      { name = name, parent = index > 1 and index - 1 or nil, offset = { 0, 1, 0 } } end
    local body = skeleton.body(nodes)
    return names[body.left_shoulder or 0], names[body.left_elbow or 0], names[body.left_hand or 0]
  end
  for _, names in ipairs {
    { "Hips", "Spine", "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand",
      want = { "LeftArm", "LeftForeArm", "LeftHand" } },
    { "mixamorig:Hips", "mixamorig:LeftShoulder", "mixamorig:LeftArm", "mixamorig:LeftForeArm",
      "mixamorig:LeftHand",
      want = { "mixamorig:LeftArm", "mixamorig:LeftForeArm", "mixamorig:LeftHand" } },
    { "hip", "chest", "lCollar", "lShldr", "lForeArm", "lHand", want = { "lShldr", "lForeArm", "lHand" } },
    { "root", "lclavicle", "lhumerus", "lradius", "lwrist", "lhand",
      want = { "lhumerus", "lradius", "lwrist" } },
    { "Hips", "LeftCollar", "LeftShoulder", "LeftElbow", "LeftWrist",
      want = { "LeftShoulder", "LeftElbow", "LeftWrist" } },
    { "Hips", "Shoulder.L", "UpperArm.L", "LowerArm.L", "Palm2.L",
      want = { "UpperArm.L", "LowerArm.L", "Palm2.L" } },
    { "pelvis", "upper_arm_l", "lower_arm_l", "hand_l", want = { "upper_arm_l", "lower_arm_l", "hand_l" } },
    { "b_Hip_01", "b_LeftUpperArm_09", "b_LeftForeArm_010", "b_LeftHand_011",
      want = { "b_LeftUpperArm_09", "b_LeftForeArm_010", "b_LeftHand_011" } },
  } do
    t:equal({ body_of(names) }, names.want)
  end
  local arm = assert(read(bvh:format(zxy, zxy, 1) .. still))
  arm.nodes[#arm.nodes].name = "LeftHand" -- upper arm 30, forearm 25: centimetres
  local poser = skeleton.poser(arm)
  t:equal({ poser.scale, poser.up }, { 0.01, "y" })
end)

local asf = [[
:units
  length 0.45
  angle deg
:root
   order TX TY TZ RX RY RZ
   axis XYZ
:bonedata
  begin
     name lhumerus
     direction 1 0 0
     length 5
     axis 0 90 0 XYZ
     dof rx ry rz
  end
  begin
     name lradius
     direction 1 0 0
     length 4
     axis 0 0 0 XYZ
     dof rx
  end
:hierarchy
  begin
    root lhumerus
    lhumerus lradius
  end
]]

test("AMC: a bone turns in the frame that its axis says, lengths are inches by the unit, the rate is 120",
  function(t)
  local function with(text) return function() return text, "a.asf" end end
  local amc = ":FULLY-SPECIFIED\r\n:DEGREES\r\n1\r\nroot 1 2 3 0 0 0\r\nlhumerus 0 0 90\r\nlradius 0\r\n"
    .. "2\r\nroot 1 2 3 0 0 0\r\nlhumerus -1.65488e-014 0 0\r\nlradius 0\r\n"
  local made = assert(read(amc, { file = "a.amc", companion = with(asf) }))
  t:near(made.scale, 0.0254 / 0.45, 1e-15)
  t:near(made.times, { 0, 1 / 120 }, 1e-15)
  local poser = skeleton.poser(made, { left_shoulder = "lhumerus", left_elbow = "lradius" })
  poser.turn, poser.scale = { 0, 0, 0, 1 }, 1
  -- about z of the bone's frame, which is the world's x: a bone along x stays
  t:near({ table.unpack(poser:at(1).left_elbow, 1, 3) }, { 6, 2, 3 }, 1e-12)
  local about_y = amc:gsub("lhumerus 0 0 90", "lhumerus 90 0 0", 1)
  made = assert(read(about_y, { file = "a.amc", companion = with(asf) }))
  poser = skeleton.poser(made, { left_elbow = "lradius" })
  poser.turn, poser.scale = { 0, 0, 0, 1 }, 1
  -- about x of the bone's frame, which is the world's -z: x goes to -y
  t:near({ table.unpack(poser:at(1).left_elbow, 1, 3) }, { 1, -3, 3 }, 1e-12)
  refused(t, "line 6: bone 'lradius' has 2 numbers, expected 1", amc:gsub("lradius 0", "lradius 0 1", 1),
    { file = "a.amc", companion = with(asf) })
  refused(t, "line 6: bone 'lhumerus' is there twice", (amc:gsub("lradius 0", "lhumerus 0 0 1", 1)
    :gsub("lhumerus 0 0 90\r", "lhumerus 0 0 90", 1)), { file = "a.amc", companion = with(asf) })
  refused(t, "no .asf", amc)
  refused(t, "give the .amc", asf, { file = "a.asf" })
end)

test("AMC: a bone that frames lack and frames that are not numbered one by one are said", function(t)
  local function notes(amc)
    return assert(read(amc, { file = "a.amc", companion = function() return asf, "a.asf" end })).notes
  end
  local frame = "root 1 2 3 0 0 0\nlhumerus 0 0 90\n"
  local text = ":FULLY-SPECIFIED\n:DEGREES\n1\n" .. frame .. "lradius 0\n2\n" .. frame .. "3\n" .. frame
  t:equal(notes(text)[1],
    "bone 'lradius' is missing in 2 frames, first in the one of line 7: it stays as it was before, or as at \z
      rest")
  t:equal(notes((text:gsub("\n3\n", "\n7\n")))[2],
    "frames are not numbered one by one in 1 places: taken as they come")
  t:equal(#notes(":FULLY-SPECIFIED\n:DEGREES\n1\n" .. frame .. "lradius 0\n"), 1)
end)

test("AMC: a length beyond all bounds is refused where it stands", function(t)
  local function with(text) return { file = "a.amc", companion = function() return text, "b.asf" end } end
  refused(t, "b.asf:11: '1e30' of 'length'", ":DEGREES\n1\n", with((asf:gsub("h 5", "h 1e30"))))
  refused(t, "b.asf:2: '1e30' of 'length'", ":DEGREES\n1\n", with((asf:gsub("0.45", "1e30"))))
end)

test("AMC: a skeleton that is cut off is what is refused, and not the motion", function(t)
  local amc = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 0 0 0\nlhumerus 0 0 90\nlradius 0\n"
  for at = 1, #asf - 5 do
    local made, why = read(amc, { file = "a.amc", companion = function() return asf:sub(1, at), "b.asf" end })
    if made or why:sub(1, 5) ~= "b.asf" then return t:ok(false, "cut at %d: %s", at, why) end
  end
end)

--- A glTF document with one node whose translation goes from 0 to 10 and back, in 2 s, by an interpolation.
local function gltf(interpolation, values, change)
  local times = ("<fff"):pack(0, 1, 2)
  local numbers = {}
  for index, value in ipairs(values) do numbers[index] = ("<f"):pack(value) end
  local bytes = times .. table.concat(numbers)
  local json = (
    [[{"asset":{"version":"2.0"},"nodes":[{"name":"a"},{"name":"b","children":[0],"scale":[2,2,2]}],
    "animations":[{"name":"go","channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],
      "samplers":[{"input":0,"output":1,"interpolation":"%s"}]}],
    "buffers":[{"byteLength":%d}],
    "bufferViews":[{"buffer":0,"byteLength":12},{"buffer":0,"byteOffset":12,"byteLength":%d}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"SCALAR"},
      {"bufferView":1,"componentType":5126,"count":%d,"type":"VEC3"}]}]]):format(interpolation, #bytes,
      #bytes - 12, #values // 3)
  json = (change or function(text) return text end)(json)
  json = json .. (" "):rep(-#json % 4)
  local body = ("<I4I4"):pack(#json, 0x4e4f534a) .. json .. ("<I4I4"):pack(#bytes, 0x004e4942) .. bytes
  return "glTF" .. ("<I4I4"):pack(2, 12 + #body) .. body
end

local function height_at(made, seconds)
  for index, time in ipairs(made.times) do
    if math.abs(time - seconds) < 1e-6 then return made.nodes[2].positions[3 * index] end
  end
end

test("glTF: stepped, linear and cubic curves as the specification has them, and what hangs from a stretched \z
      node",
function(t)
  local points = { 0, 0, 0, 0, 0, 10, 0, 0, 0 }
  local linear = assert(read(gltf("LINEAR", points)))
  t:equal(linear.nodes[2].name, "a")
  t:near({ height_at(linear, 0), height_at(linear, 1), height_at(linear, 2) }, { 0, 20, 0 }, 1e-6)
  local step = assert(read(gltf("STEP", points)))
  t:near({ height_at(step, 0.5), height_at(step, 1), height_at(step, 1.5) }, { 0, 20, 20 }, 1e-6)
  -- in-tangent, value, out-tangent of each key: Hermite, slope 4 out of the first key, 0 into the second
  local cubic = assert(read(gltf("CUBICSPLINE", {
    0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 })))
  t:near(height_at(cubic, 0.5), 2 * (0.5 * 10 + 0.125 * 4), 1e-6)
end)

test("glTF: a sparse accessor, a normalized one, bytes as text, a file beside", function(t)
  local document = require "brio.formats.gltf_reader"
  local json = [[{"asset":{"version":"2.0"},"buffers":[{"byteLength":8,"uri":"%s"}],
    "bufferViews":[{"buffer":0,"byteLength":4},{"buffer":0,"byteOffset":4,"byteLength":4}],
    "accessors":[{"bufferView":0,"componentType":5120,"normalized":true,"count":4,"type":"SCALAR"},
      {"componentType":5121,"count":5,"type":"SCALAR","sparse":{"count":2,"indices":{"bufferView":0,"componentType":5121},
        "values":{"bufferView":1,"componentType":5121}}}]}]]
  local bytes = "\1\3\127\128\9\8\7\6"
  local file = document.open(json:format "data:application/octet-stream;base64,AQN/gAkIBwY=", nil)
  t:near(document.accessor(file, 0, "here"), { 1 / 127, 3 / 127, 1, -1 }, 1e-12)
  t:equal(document.accessor(file, 1, "here"), { 0, 9, 0, 8, 0 })
  file = document.open(json:format "b%20.bin",
    function(name) return name == "b .bin" and bytes or nil, "not there" end)
  t:near(document.accessor(file, 0, "here"), { 1 / 127, 3 / 127, 1, -1 }, 1e-12)
end)

test("glTF: what is wrong says where", function(t)
  local points = { 0, 0, 0, 0, 0, 10, 0, 0, 0 }
  local function changed(from, to)
    return gltf("LINEAR", points, function(text) return (text:gsub(from, to, 1)) end)
  end
  refused(t, "the file is cut off", gltf("LINEAR", points):sub(1, 300))
  refused(t, "node 7 does not exist", changed('"node":0', '"node":7'))
  refused(t, "sampler 4 does not exist", changed('"sampler":0', '"sampler":4'))
  refused(t, "interpolation 'WAVY'", changed("LINEAR", "WAVY"))
  refused(t, "expected 9", changed('"count":3,"type":"VEC3"', '"count":2,"type":"VEC3"'))
  refused(t, "reaches to byte", changed('"count":3,"type":"VEC3"', '"count":9,"type":"VEC3"'))
  refused(t, "hangs from itself", changed('"name":"a"', '"name":"a","children":[1]'))
  refused(t, "node 1: a child is no number", changed('"children":%[0%]', '"children":[true,true]'))
  refused(t, "no JSON", changed('"nodes":%[', '"nodes":]'))
  refused(t, "moves no node", changed('"translation"', '"weights"'), { file = "a", clip = "go" })
  refused(t, "no animation 'gone'", gltf("LINEAR", points), { file = "a", clip = "gone" })
  refused(t, "glTF version 1", "glTF" .. ("<I4I4I4I4"):pack(1, 20, 0, 0))
  local function timed(...)
    local file, times = gltf("LINEAR", points), ("<fff"):pack(0, 1, 2)
    local at = file:find(times, 1, true)
    return file:sub(1, at - 1) .. ("<fff"):pack(...) .. file:sub(at + #times)
  end
  refused(t, "key 2 is at no finite time", timed(0, 1, math.huge))
  refused(t, "key 1 is at", timed(0, 0 / 0, 2))
end)

local qianim = [[
<?xml version="1.0" encoding="utf-8"?>
<Animation typeVersion="2.0" xmlns:editor="http://www.aldebaran.com/animation/editor">
  <ActuatorCurve actuator="HeadPitch" mute="0" unit="degree" fps="25">
    <Key frame="0" value="-90"><Tangent side="right" abscissaParam="5" ordinateParam="18" editor:interpType="bezier_auto"/></Key>
    <Key frame="10" value="90"><Tangent side="left" abscissaParam="-20" ordinateParam="-90" editor:interpType="bezier"/></Key>
  </ActuatorCurve>
  <ActuatorCurve actuator="LHand" mute="0" unit="dimensionless" fps="50"><Key frame="100" value="0.5"/></ActuatorCurve>
  <ActuatorCurve actuator="HipRoll" mute="1" unit="radian" fps="25"><Key frame="0" value="1"/></ActuatorCurve>
  <Labels fps="25"><Label frame="5" name="now"/></Labels>
</Animation>]]

test("qianim: units and rates per curve, tangents in frames, labels, muted curves", function(t)
  local made = assert(read(qianim, { file = "a.qianim" }))
  t:equal(#made.tracks, 2)
  local head, hand = made.tracks[1], made.tracks[2]
  t:near({ head.keys[1][2], head.keys[2][1], head.keys[2][2] }, { -math.pi / 2, 0.4, math.pi / 2 }, 1e-12)
  t:near(head.keys[1][5], { 0.2, math.rad(18) }, 1e-12)
  -- the handle reaches 20 frames back in an interval of 10: cut there
  t:near(head.keys[2][4], { -0.4, -math.pi / 4 }, 1e-12)
  t:equal({ hand.keys[1][1], hand.keys[1][2], hand.unit }, { 2.0, 0.5, "1" })
  t:equal(made.events, { { 0.2, "label", "now" } })
  t:equal(#made.notes, 2)
  refused(t, "a.qianim:4:5: <Key> has value='x', expected a number",
    qianim:gsub('value="%-90"', 'value="x"', 1), { file = "a.qianim" })
  refused(t, "unit 'furlong'", qianim:gsub("degree", "furlong", 1), { file = "a.qianim" })
  refused(t, "expected rising frames", qianim:gsub('frame="10"', 'frame="0"', 1), { file = "a.qianim" })
  refused(t, "a.qianim:", qianim:sub(1, 400), { file = "a.qianim" })
end)

test("xar: the curves of a box's time line, frames from 1", function(t)
  local xar = [[<ChoregrapheProject xar_version="3"><Box name="root"><Timeline enable="0"><BehaviorLayer><BehaviorKeyframe index="1">
    <Diagram><Box name="Wave"><Timeline enable="1" fps="20" start_frame="1" end_frame="-1" size="40"><ActuatorList model="">
    <ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0"><Key frame="1" value="0"/><Key frame="21" value="45">
    <Tangent side="left" interpType="linear" abscissaParam="-5" ordinateParam="0"/></Key></ActuatorCurve>
    <ActuatorCurve name="value" actuator="LHand" mute="0" unit="1"><Key frame="11" value="0.7"/></ActuatorCurve>
    </ActuatorList></Timeline></Box></Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>]]
  local made = assert(read(xar, { file = "a.xar" }))
  t:equal(made.name, "Wave")
  t:near({ made.tracks[1].keys[2][1], made.tracks[1].keys[2][2], made.tracks[2].keys[1][1],
           made.tracks[2].keys[1][2] },
    { 1, math.pi / 4, 0.5, 0.7 }, 1e-12)
  refused(t, "no time line 'Wavy' (did you mean 'Wave'?)", xar, { file = "a.xar", clip = "Wavy" })
  refused(t, "no time line with curves", "<ChoregrapheProject ><Box/></ChoregrapheProject>",
    { file = "a.xar" })
end)

test("Cozmo: keyframes set out, arrive and stay; sound and events go along", function(t)
  local text = [[{"anim_nod":[
    {"Name":"HeadAngleKeyFrame","triggerTime_ms":100,"durationTime_ms":200,"angle_deg":20,"angleVariability_deg":0},
    {"Name":"HeadAngleKeyFrame","triggerTime_ms":500,"durationTime_ms":500,"angle_deg":-10,"angleVariability_deg":0},
    {"Name":"LiftHeightKeyFrame","triggerTime_ms":0,"durationTime_ms":400,"height_mm":60,"heightVariability_mm":0},
    {"Name":"RobotAudioKeyFrame","triggerTime_ms":50,"audioEventId":[7,8]},
    {"Name":"BodyMotionKeyFrame","triggerTime_ms":0,"durationTime_ms":10,"speed":5,"radius_mm":"STRAIGHT"}]}]]
  local made = assert(read(text, { file = "a.json" }))
  t:equal({ made.format, made.name }, { "cozmo", "anim_nod" })
  local head = made.tracks[1].keys
  t:equal(head[1][2], "input")
  t:near({ head[1][1], head[2][1], head[2][2], head[3][1], head[3][2], head[4][1], head[4][2] },
    { 0.1, 0.3, math.rad(20), 0.5, math.rad(20), 1.0, math.rad(-10) }, 1e-12)
  t:near(made.tracks[2].keys[2][2], 0.06, 1e-12)
  t:equal(made.events, { { 0.05, "audio", "7 8" } })
  t:equal(made.notes, { "1 BodyMotionKeyFrame: left out" })
  refused(t, "keyframe 1: 'angle_deg' is missing", text:gsub('"angle_deg":20,', "", 1), { file = "a.json" })
  refused(t, "no JSON", text:sub(1, 200), { file = "a.json" })
end)

test("Blossom: frames that miss a DOF, numbers written as texts, times that fall", function(t)
  local text = [[{"animation":"bow","frame_list":[{"positions":[{"dof":"tower_1","pos":3.0},{"dof":"base","pos":"2.5"}],"millis":0.0},
    {"positions":[{"dof":"tower_1","pos":3.5}],"millis":"100"},{"positions":[{"dof":"base","pos":2.0},{"dof":"tower_1","pos":4}],"millis":200}]}]]
  local made = assert(read(text, { file = "a.json" }))
  t:equal({ made.name, made.format, #made.tracks[1].keys, #made.tracks[2].keys }, { "bow", "blossom", 3, 2 })
  t:equal(made.tracks[2].keys, { { 0.0, 2.5 }, { 0.2, 2.0 } })
  t:equal(#made.notes, 1)
  refused(t, "frame 3: is at 0.05 s, before", text:gsub("200", "50", 1), { file = "a.json" })
  refused(t, "'pos' is NaN", text:gsub("3%.0", '"NaN"', 1), { file = "a.json" })
  refused(t, "frame 1, position 1: no text 'dof'", text:gsub('"dof"', '"dov"', 1), { file = "a.json" })
end)

--- An action file of 256 pages, of which page 1 has two steps.
local function action(change)
  local page = "bow" .. ("\0"):rep(12) .. "\1\10" .. ("\0"):rep(3) .. "\2\0\64\0\32\0\0" .. ("\0"):rep(5)
    .. "\0"
  page = page .. ("\0"):rep(64 - #page)
  local function step(head_pan, pause, time)
    local words = {}
    for servo = 0, 30 do words[servo + 1] = ("<I2"):pack(servo == 19 and head_pan or 0x4000) end
    return table.concat(words) .. string.char(pause, time)
  end
  local invalid = step(0x4000, 0, 0)
  page = page .. step(2048 + 512, 0, 100) .. step(2048, 20, 50) .. invalid:rep(5)
  local function summed(text)
    local sum = 0
    for index = 1, #text do if index ~= 32 then sum = sum + text:byte(index) end end
    return text:sub(1, 31) .. string.char((0xff - sum) % 256) .. text:sub(33)
  end
  local empty = summed(("\0"):rep(512))
  local text = empty .. summed(page) .. empty:rep(254)
  return change and change(text) or text
end

test("OP3: pages, steps, times by speed, servos that a step leaves alone", function(t)
  local made = assert(read(action(), { file = "motion.bin" }))
  t:equal({ made.format, made.name, #made.tracks, made.tracks[1].name }, { "op3", "bow", 1, "head_pan" })
  local keys = made.tracks[1].keys
  t:equal(keys[1][2], "input")
  -- 100 units at speed 64 (times 2) are 200 units of 8 ms; then 50, and a pause of 20 that the speed halves
  t:near({ keys[2][1], keys[2][2], keys[3][1], keys[3][2], keys[4][1] }, { 1.6, math.pi / 4, 2.4, 0, 2.48 },
    1e-9)
  refused(t, "no page 'bov' (did you mean", action(), { file = "motion.bin", clip = "bov" })
  refused(t, "expected a multiple of 512", action():sub(1, 1000), { file = "motion.bin", format = "op3" })
  local broken = assert(read(action(function(text) return text:sub(1, 1100) .. "\7" .. text:sub(1102) end),
    { file = "m.bin" }))
  t:ok(broken.notes[1]:find("1 pages have a wrong checksum", 1, true), broken.notes[1])
end)

test("a text that is no UTF-8 is refused with the byte", function(t)
  refused(t, "byte 2 is no UTF-8", "t,\xe9\n0,1\n", { file = "a.csv" })
  refused(t, "byte 14 is no UTF-8", '{"frame_list":\xff[]}', { file = "a.json" })
end)

test("JSON that is broken or cut off is told by line and column, in words", function(t)
  local list = '{"frame_list":[\n  {"millis":0.0,\n   "positions":%s}]}'
  local function says(expected, text) refused(t, expected, text, { file = "a.json" }) end
  says("a.json: line 3, column 17: no JSON: invalid token, expected a value", list:format "[xyz]")
  says("line 3, column 19: no JSON: a number, expected ',' or ']'", list:format "[1 2]")
  says("line 3, column 16: no JSON: the end, expected a value; the file is cut off", list:sub(1, 48))
end)

test("what is no motion is refused in words", function(t)
  refused(t, "FBX, which is not read; export it as glTF", "Kaydara FBX Binary  \0\26\0", { file = "a.fbx" })
  refused(t, "a planning scene", "name: x\ncollision_objects:\n  - id: a\n", { file = "a.yaml" })
  refused(t, "a planning request", "goal_constraints:\n", { file = "a.yaml" })
  refused(t, "no motion that brio reads", "\255\254\0\1", { file = "a.xyz" })
  refused(t, "there is no format 'mp3'", "x", { file = "a", format = "mp3" })
end)

local function slurp(path)
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local text = file:read "a"
  file:close()
  return text
end

local shared = (os.getenv "BRIO_SHARED" or "../shared") .. "/data"

local function files_in(folder)
  local list = {}
  for line in (slurp(shared .. "/" .. folder .. "/FILES.tsv") or ""):gmatch "[^\n]+" do
    list[#list + 1] = shared .. "/" .. folder .. "/" .. line:match "^[^\t]+"
  end
  return list
end

local function read_file(path)
  local motions = require "brio.terminal.motion_files"
  return motions.read(path, {})
end

test("all real files at hand are read, and what is no motion is refused in words", function(t)
  local kinds = { qianim = 47, bvh = 25, amc = 4, glb = 2, gltf = 4, fbx = 0, json = 31, txt = 4, bin = 1,
    csv = 2 }
  local read_of, seen, large = {}, 0, {}
  -- make test takes a sample of the large files: the first of a kind, and of the others each fifth
  local function left_out(kind, text)
    if t:long() or #text < 200000 then return false end
    large[kind] = (large[kind] or 0) + 1
    if large[kind] % 5 == 1 then return false end
    read_of[kind] = (read_of[kind] or 0) + 1
    return true
  end
  for _, folder in ipairs { "robot_motion", "mocap", "animation" } do
    for _, path in ipairs(files_in(folder)) do
      local kind = path:match "%.(%w+)$"
      local text = kinds[kind] and not path:match "animation/.*%.bin$" and slurp(path)
      if text and not left_out(kind, text) then
        local made, why = read_file(path)
        seen = seen + 1
        if made then read_of[kind] = (read_of[kind] or 0) + 1 else t:ok(#why > 40, why) end
        if not made then t:ok(kind == "fbx" or why:find("_data.bin", 1, true), why) end
      end
    end
  end
  if seen == 0 then return t:skip("no shared data") end
  for kind, count in pairs(kinds) do
    t:ok((read_of[kind] or 0) >= count, "%s: %d of %d", kind, read_of[kind] or 0, count)
  end
end)

test("the film of CMU at 60 frames a second whose header says 120 has its length when it is told \z
  so", function(t)
  local path = shared .. "/mocap/cmu_bvh_original/salsa_10_original_header_says_120fps.bvh"
  local text = slurp(path)
  if not text then return t:skip("no shared data") end
  local told = assert(read(text, { file = path, fps = 60 }))
  local resampled = assert(read_file(shared .. "/mocap/cmu_bvh/salsa_pair10_A_30fps.bvh"))
  t:near(told.duration, resampled.duration, 0.1)
end)

test("the same take as BVH and as DeepMimic's walk stand upright, at a person's size", function(t)
  for _, file in ipairs { "mocap/cmu_bvh/salsa_pair01_A_30fps.bvh",
    "mocap/deepmimic_json/humanoid3d_walk.txt", "mocap/cmu_asfamc/07_05-walk.amc",
    "mocap/animated_drawings_bvh/cmu1_jumping_jacks.bvh",
    "mocap/animated_drawings_bvh/rokoko_jesse_dance.bvh" } do
    if not slurp(shared .. "/" .. file) then return t:skip("no shared data") end
    local poser = skeleton.poser(assert(read_file(shared .. "/" .. file)))
    local parts = poser:at(math.max(1, poser.frames // 2))
    local height = parts.head[3] - math.min(parts.left_foot[3], parts.right_foot[3])
    t:ok(height > 1.0 and height < 1.9, "%s: %.2f m from the lower foot to the neck's end", file, height)
  end
end)

--- A text with bytes changed, cut out, doubled.
local function mutated(text, draw)
  for _ = 1, draw:whole(4) do
    local at, way = draw:whole(#text), draw:whole(5)
    if way == 1 then text = text:sub(1, at - 1) .. string.char(draw:whole(256) - 1) .. text:sub(at + 1)
    elseif way == 2 then text = text:sub(1, at)
    elseif way == 3 then text = text:sub(1, at) .. text:sub(math.max(1, at - draw:whole(40)))
    elseif way == 4 then
      text = text:sub(1, at - 1)
        .. ({ "nan", "1e999", "-", "\0", "{", "<", "99999999999" })[draw:whole(7)] .. text:sub(at + 1)
    else text = text:sub(1, at) .. text:sub(at + draw:whole(30)) end
    if #text == 0 then text = "x" end
  end
  return text
end

test("damaged files are read or refused in words, whatever is damaged", function(t)
  local draw = require("brio.random").stream(11, "damage")
  local points = { 0, 0, 0, 0, 0, 10, 0, 0, 0 }
  local amc = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 0 0 0\nlhumerus 0 0 90\nlradius 0\n"
  local seeds = {
    { bvh:format(zxy, zxy, 2) .. still .. still, "bvh" }, { gltf("LINEAR", points), "gltf" },
    { qianim, "qianim" }, { amc, "amc" }, { action(), "op3" }, { "t,a\n0,1\n1,2\n", "csv" },
    { '{"frame_list":[{"positions":[{"dof":"a","pos":3.0}],"millis":0.0}]}', "blossom" },
    { '[{"Name":"HeadAngleKeyFrame","triggerTime_ms":100,"durationTime_ms":200,"angle_deg":20}]', "cozmo" },
    { '{"Loop":"wrap","Frames":[[' .. ("0,"):rep(43) .. "1]]}", "deepmimic" },
    { "<ChoregrapheProject><Box name='a'><Timeline fps='20'><ActuatorList>\z
        <ActuatorCurve actuator='b' unit='0'>"
      .. "<Key frame='1' value='0'/></ActuatorCurve></ActuatorList></Timeline></Box></ChoregrapheProject>",
      "xar" },
  }
  local rounds = math.floor(60 * tonumber(os.getenv "BRIO_TEST_SCALE" or 1))
  local good, bad = 0, 0
  for _, seed in ipairs(seeds) do
    t:ok(read(seed[1], { file = "a", format = seed[2], companion = function() return asf, "a.asf" end }),
      "%s: not read undamaged", seed[2])
    for _ = 1, rounds do
      local made, why, code = read(mutated(seed[1], draw), { file = "a", format = seed[2],
        companion = function() return draw:whole(2) == 1 and asf or mutated(asf, draw), "a.asf" end })
      if made then
        good = good + 1
        t:ok(made.duration >= 0 and made.duration < math.huge)
      else
        bad = bad + 1
        t:ok(type(why) == "string" and #why > 8 and code == "format", "%s: '%s'", seed[2], tostring(why))
      end
    end
  end
  t:ok(good > rounds / 10 and bad > rounds, "%d read, %d refused", good, bad)
end)

test("rotations: angles, shortest way between, axes", function(t)
  local x, y, z, w = rotation.euler("zyx", { 0.3, -0.2, 0.5 })
  t:near({ x, y, z, w }, require("brio.geometry").from_rpy(0.5, -0.2, 0.3), 1e-12)
  local bx, by, bz, bw = rotation.about("z", 1.0)
  t:near({ rotation.between(0, 0, 0, 1, -bx, -by, -bz, -bw, 0.25) }, { rotation.about("z", 0.25) }, 1e-12)
  local draw = require("brio.random").stream(3, "axes")
  for _ = 1, 200 do
    local q = { rotation.normalized(draw:normal(), draw:normal(), draw:normal(), draw:normal()) }
    local axes = {}
    for axis = 1, 3 do
      axes[axis] = { rotation.turn(q[1], q[2], q[3], q[4], axis == 1 and 1 or 0, axis == 2 and 1 or 0,
        axis == 3 and 1 or 0) }
    end
    local r = { rotation.from_axes(axes[1], axes[2], axes[3]) }
    local same = math.abs(q[1] * r[1] + q[2] * r[2] + q[3] * r[3] + q[4] * r[4])
    t:near(same, 1, 1e-12)
  end
end)

test("a clip that is wrong inside is never made", function(t)
  for _, tracks in ipairs { {}, { { name = "a", keys = {} } } } do
    t:equal(clip.failure(select(2, pcall(clip.joints, { tracks = tracks }))),
      "no keyframe in it, expected at least one")
  end
  local why = clip.failure(select(2, pcall(clip.joints,
    { tracks = { { name = "a", keys = { { 0, 0 / 0 } } } } })))
  t:ok(why:find("the value of key 1 is", 1, true), why)
end)
