--- Trees of other programs: a small example of each version and form, real files where they are at hand, and
--- bad ones.
local clip = require "brio.clip"
local imports = require "brio.formats.tree.readers"
local nodes = require "brio.nodes"
local ordered = require "brio.formats.ordered"
local trees = require "brio.tree"

--- Load a text; `files` are the files beside it, by path.
local function load(text, file, files)
  return imports.load(text, file or "t", function(path) return files and files[path] end)
end

--- The printed form of a text's trees, without the original's words in <...>.
local function printed(text, file, files)
  local loaded, why = load(text, file, files)
  if not loaded then return why end
  local out = {}
  for _, tree in ipairs(loaded.trees) do
    local made, faults = trees.compile(tree.form)
    out[#out + 1] = tree.name .. "\n" .. (made and trees.print(made) or faults[1].message)
  end
  return (table.concat(out, "\n"):gsub(",?  ?<[^\n]*>", ""):gsub(" +\n", "\n"))
end

local function slurp(path)
  local file = io.open(path, "rb")
  local text = file and file:read "a"
  if file then file:close() end
  return text
end

test("the first generation is a list of actions, one after the other", function(t)
  t:equal(printed '{"name": "door", "actions": [{"type": "RDXHandPoseAction", "m00": 1.0}, \z
      {"type": "RDXHandConfigurationAction"}]}',
    "door\n   1  sequence 'door'\n   2    arm 'RDXHandPoseAction'\n   3    foreign \z
      'RDXHandConfigurationAction'")
end)

test("older actions say whether the next begins with them, whatever they are called", function(t)
  local text = [[{"type": "ActionSequenceDefinition", "description": "D", "children": [
    {"type": "HandPoseActionDefinition", "description": "H", "executeWithNextAction": true},
    {"type": "HandPoseActionDefinition", "description": "H", "executeWithNextAction": false},
    {"type": "HandPoseActionDefinition", "description": "H", "executeWithNextAction": true},
    {"type": "HandPoseActionDefinition", "description": "H"},
    {"type": "WaitActionDefinition", "description": "W", "waitDuration": 9.97e-20}]}]]
  t:equal(printed(text), [[
D
   1  sequence 'D'
   2    foreign 'H'
   3    foreign 'H (2)'  after beginning (waits for nothing)
   4    foreign 'H'
   5    foreign 'H'  after H (2) (waits for 3)
   6    wait 'W'  seconds 9.97e-20 s]])
end)

test("the newest generation waits by name, and what cannot be found cannot run", function(t)
  local text = [[{"type": "BehaviorTreeRootNodeDefinition", "name": "R", "children": [
    {"type": "CheckpointNodeDefinition", "name": "C", "notes": ""},
    {"type": "FallbackNodeDefinition", "name": "F", "children": [
      {"type": "ConditionNodeDefinition", "name": "N", "conditionType": "COUNTER", "countTo": 3, "executeAfterAction": "Beginning"},
      {"type": "ConditionNodeDefinition", "name": "no", "conditionType": "ALWAYS_FAIL"},
      {"type": "GotoNodeDefinition", "name": "G", "nodeToGoto": "C"}]},
    {"type": "ConditionNodeDefinition", "name": "P", "conditionType": "PROXIMITY"},
    {"type": "GotoNodeDefinition", "name": "self", "nodeToGoto": "self"},
    {"type": "GotoNodeDefinition", "name": "on"},
    {"type": "WaitActionDefinition", "name": "W", "executeAfterAction": "C", "notes": "short"},
    {"type": "WaitActionDefinition", "name": "X", "executeAfterAction": "later"},
    {"type": "MimicActionDefinition", "name": "later", "children": [{"type": "WaitActionDefinition", "waitDuration": 1e400}]}]}]]
  local out = printed(text)
  for _, line in ipairs { "2    checkpoint 'C'", "3    fallback 'F'", "4      counter 'N'  limit 3",
      "5      catch: fail 'no'",
    "6      catch: goto 'G'  to 2 C", "7    proximity 'P'", "8    foreign 'self'", "9    goto 'on'  to next",
      "wait 'W'  seconds 4 s, after C (waits for 2)",
    "foreign 'X'", "sequence 'later'", "foreign 'later'" } do
    t:ok(out:find(line, 1, true), "%s\nis not in\n%s", line, out)
  end
end)

--- Actions of files: the leaf that each becomes, the fields of the file, and the fields of the leaf.
local pose = '"x": 0.4, "y": 0.1, "z": 0.2, "rollInDegrees": 0.0, "pitchInDegrees": 0.0, \z
  "yawInDegrees": 90.0'
local rows = {
  { "arm", [["ArmActionDefinition", "side": "left", "trajectoryDuration": 2.0, "parentFrame": "Chest", ]]
    .. pose .. [[, "jointspaceOnly": false,
      "linearPositionWeight": 50.0, "orientationErrorToleranceDegrees": 18.0, "positionErrorTolerance": 0.3, "holdPoseInWorldLater": false]],
    { side = "left", seconds = 2, frame = "chest", jointspace_only = false, position_weight = 50,
      orientation_tolerance = math.pi / 10,
      position_tolerance = 0.3, hold_in_world = false,
        pose = { position = { 0.4, 0.1, 0.2 }, orientation = { 0, 0, math.sqrt(0.5), math.sqrt(0.5) } } } },
  { "arm", [["ArmActionDefinition", "side": "right", "definedInJointspace": true, "preset": "CUSTOM_ANGLES", "j0Degrees": 90.0, "j1Degrees": -180.0,
      "positionErrorTolerance": 0.3]], { side = "right", joints = { math.pi / 2, -math.pi },
        tolerance = 0.3 } },
  { "arm", '"ArmActionDefinition", "side": "right", "usePredefinedJointAngles": true, "preset": "HOME", \z
      "trajectoryDuration": 1.1e-15',
    { side = "right", preset = "home", seconds = 1.1e-15 } },
  { "arm", [["HandPoseActionDefinition", "side": "left", "parentFrame": "", "x": 1, "y": 2, "z": 3, "m00": 0, "m01": -1, "m02": 0, "m10": 1, "m11": 0,
      "m12": 0, "m20": 0, "m21": 0, "m22": 1]], { side = "left", pose = { position = { 1, 2, 3 },
        orientation = { 0, 0, math.sqrt(0.5), math.sqrt(0.5) } } } },
  { "screw", [["ScrewPrimitiveActionDefinition", "side": "left", "objectFrame": "Knob", ]] .. pose
    .. [[, "rotation": -1.5, "translation": 0.0,
      "maxLinearVelocity": 0.2]], { side = "left", frame = "Knob", rotation = -1.5, translation = 0,
        max_linear = 0.2,
      axis = { position = { 0.4, 0.1, 0.2 }, orientation = { 0, 0, math.sqrt(0.5), math.sqrt(0.5) } } } },
  { "screw", '"ArmActionDefinition", "side": "left", "taskspaceTrajectoryMode": "SCREW_PRIMITIVE", \z
      "parentFrame": "Knob", "screwAxisPose": {"x": 1}',
    { side = "left", frame = "Knob", axis = { position = { 1, 0, 0 } }, translation = 0.1, rotation = 0 } },
  { "spine", '"SpineActionDefinition", "trajectoryDuration": 1.0, "parentFrame": "Pelvis", \z
      "jointspaceOnly": true, "j0": 180.0, "j1": 0.0, "j2": 0.0',
    { seconds = 1, joints = { math.pi, 0, 0 } } },
  { "chest", [["RDXChestOrientationAction", "parentFrame": "Pelvis", "rollInDegrees": 18.0]],
    { frame = "pelvis", roll = math.pi / 10, pitch = 0, yaw = 0 } },
  { "pelvis", '"PelvisActionDefinition", "parentFrame": "Walking", "trajectoryDuration": 1.0, "z": 0.85, \z
      "yawInDegrees": 18.0',
    { frame = "walking", seconds = 1, height = 0.85, roll = 0, pitch = 0, yaw = math.pi / 10 } },
  { "neck", [["NeckActionDefinition", "pitchInDegrees": 18.0, "yawInDegrees": -18.0]],
    { pitch = math.pi / 10, yaw = -math.pi / 10 } },
  { "leg",
    [["LegActionDefinition", "side": "left", "parentFrame": "Right Foot Sole", "x": 0.1, "y": 0.2, "z": 0.0]],
    { side = "left", frame = "right_foot", pose = { position = { 0.1, 0.2, 0 } } } },
  { "hand", '"AbilityHandActionDefinition", "side": "left", "grip": "OPEN", "enableWiggleOnFailure": true, \z
      "timeToWiggle": 5.0, "ultimateTimeout": 10.0',
    { side = "left", grip = "open", wiggle = true, wiggle_after = 5, timeout = 10 } },
  { "hand", [=["AbilityHandActionDefinition", "side": "left", "controlMode": "POSITION", "goalPositions": [18.0, 0.0, 90.0],
      "successCriteria": "CHECK_CUMULATIVE_JOINT_MOVEMENT", "sufficientCumulativeJointMovement": 36.0]=],
    { side = "left", fingers = { math.pi / 10, 0, math.pi / 2 }, success = "movement",
      movement = math.pi / 5 } },
  { "hand", [["EZGripperActionDefinition", "side": "left", "handOpenAngleDegrees": 90.0, "initialSatisfactionHandAngleTolerance": 18.0,
      "completionHandAngleTolerance": 36.0]],
    { side = "left", fingers = { math.pi / 2 }, already = math.pi / 10, tolerance = math.pi / 5 } },
  { "hand", [["SakeHandCommandActionDefinition", "side": "left", "configuration": "CLOSE"]],
    { side = "left", grip = "close" } },
  { "walk", [["WalkActionDefinition", "swingDuration": 0.8, "parentFrame": "Walking", "goalStancePoint": {"x": 1, "y": 2, "z": 0},
      "goalFocalPoint": {"x": 2, "y": 2, "z": 0}, "leftGoalFootToGoal": {"x": 0, "y": 0.11, "yawInDegrees": 18}, "planner": "A_STAR", "quickInwardLimit": 18.0]],
    { frame = "walking", swing = 0.8, mode = "override", stance = { 1, 2, 0 }, focal = { 2, 2, 0 },
      left = { x = 0, y = 0.11, yaw = math.pi / 10 },
      planner = "a_star", settings = { inward = math.pi / 10 } } },
  { "walk", '"WalkActionDefinition", "executionMode": "QUEUE", "parentFrame": "Walking", \z
      "footsteps": [{"side": "LEFT", "x": 0.3, "y": 0.1, "z": 0.0}]',
    { frame = "walking", mode = "queue",
      steps = { { side = "left", pose = { position = { 0.3, 0.1, 0 } } } } } },
  { "proximity", [["ConditionNodeDefinition", "conditionType": "PROXIMITY", "distanceType": "XY", "frameNameA": "Left Hand", "frameNameB": "Knob",
      "maxDistance": 0.2, "timeout": 3.0]], { a = "left_hand", b = "Knob", distance = "xy", max = 0.2,
        timeout = 3 } },
  { "contains", [["ConditionNodeDefinition", "conditionType": "SHAPE_CONTAINS", "containsType": "CONTAINS_FRAME", "frameName": "Ball", "sphereRadius": 0.3,
      "shapeTransformToParent": {"x": 1, "y": 0, "z": 0}]],
    { what = "Ball", frame = "chest", shape = { kind = "sphere", size = { 0.3 },
      pose = { position = { 1, 0, 0 } } } } },
  { "contains", [["ConditionNodeDefinition", "conditionType": "SHAPE_CONTAINS", "containsType": "CONTAINS_POINTS", "minPoints": 30, "maxPoints": 900,
      "checkColor": true, "hueMin": 50, "hueMax": 60, "saturationMin": 51, "shapeParentFrameName": "Left Hand", "sphereRadius": 0.1]],
    { min_points = 30, max_points = 900, frame = "left_hand", shape = { kind = "sphere", size = { 0.1 } },
      color = { hue = { 100, 120 }, saturation = { 0.2, 1 }, value = { 80 / 255, 1 } } } },
  { "contains",
    [["ConditionNodeDefinition", "conditionType": "SHAPE_CONTAINS", "containsType": "CONTAINS_POINTS"]],
    { min_points = 0, max_points = 2000000000, frame = "chest",
      shape = { kind = "sphere", size = { 0.5 } } } },
  { "ask_model",
    [["ConditionNodeDefinition", "conditionType": "LLM", "prompt": "Is it open?", "matchIsSuccess": false]],
    { prompt = "Is it open?", match_succeeds = false } },
  { "setup_object",
    [["SceneActionDefinition", "sceneActionType": "SETUP_OBJECT", "timeout": 3.0, "minimumHistorySize": 7,
      "sceneObjectDefinition": {"objectType": "YOLO_ONLY", "yoloModelName": "door", "yoloClassName": "lever"},
      "nominalObjectPose": {"x": 1, "y": 0, "z": 0.9, "rollInDegrees": 0.0, "pitchInDegrees": 0.0, "yawInDegrees": 180.0}]],
    { object = "lever", class = "lever", history = 7, timeout = 3,
      nominal = { position = { 1, 0, 0.9 }, orientation = { 0, 0, 1, 0 } } } },
  { "setup_object", [["SceneActionDefinition", "sceneActionType": "SETUP_OBJECT", "sceneObjectDefinition": {"objectType": "COMPOSITE_FRAME",
      "customFrameName": "Stand", "frameA": "Pelvis", "frameB": "lever", "compositeFrameType": "APPROACH", "distance": 0.7}]],
    { object = "Stand", derive = "approach", with = { a = "pelvis", b = "lever", distance = 0.7 } } },
  { "setup_object", [["SceneActionDefinition", "sceneActionType": "SETUP_OBJECT", "sceneObjectDefinition": {"objectType": "COMPOSITE_FRAME",
      "customFrameName": "Mix", "frameA": "ball", "frameB": "Chest", "compositeFrameType": "HYBRID"}]],
    { object = "Mix", derive = "hybrid", with = { a = "ball", b = "chest" } } },
  { "freeze_object", '"SceneActionDefinition", "sceneActionType": "FREEZE_OBJECT", \z
      "sceneObjectDefinition": {"yoloClassName": "lever"}',
    { object = "lever" } },
  { "delete_object", '"SceneActionDefinition", "sceneActionType": "DELETE_OBJECT", \z
      "sceneObjectDefinition": {"frameName": "Stand"}',
    { object = "Stand" } },
  { "clear_scene", [["SceneActionDefinition", "sceneActionType": "CLEAR_SCENE"]], {} },
  { "freeze_scene", [["SceneActionDefinition", "sceneActionType": "FREEZE_SCENE"]], {} },
  { "configure_detections",
    [["SceneActionDefinition", "sceneActionType": "CONFIGURE_PERSISTENT_DETECTIONS", "poseFilterAlpha": 0.2,
      "acceptanceConfidence": 0.3, "stabilityFrequency": 2.0, "historyDuration": 1.5]],
    { alpha = 0.2, acceptance = 0.3, stability = 2, history = 1.5 } },
  { "configure_detector",
    [=["SceneActionDefinition", "sceneActionType": "CONFIGURE_YOLO", "enabledYoloModels": [{"name": "doors",
      "parameters": {"ignoredObjectClasses": ["chair"], "confidenceThresholds": [0.5, 0.5], "nmsThreshold": 0.1}}]]=],
    { use = { "doors" }, disable = { "chair" }, confidence = 0.5, nms = 0.1 } },
  { "configure_detector", '"SceneActionDefinition", "sceneActionType": "CONFIGURE_YOLO", \z
      "enabledYoloModels": [{"name": "a"}, {"name": "b"}]',
    { use = { "a", "b" } } },
  { "foreign",
    [=["SceneActionDefinition", "sceneActionType": "CONFIGURE_YOLO", "enabledYoloModels": [{"name": "doors",
      "parameters": {"confidenceThresholds": [0.5, 0.6]}}]]=] },
  { "foreign", [["SceneActionDefinition", "sceneActionType": "CONFIGURE_FOUNDATION_POSE"]] },
  { "foreign", [["SceneActionDefinition", "sceneActionType": "SETUP_OBJECT"]] },
  { "foreign", [["NeckActionDefinition", "pitchInDegrees": 1e6]] },
    { "foreign", [["ArmActionDefinition", "side": "left"]] },
  { "foreign", [["WalkActionDefinition", "executionMode": "SOMEDAY", "goalStancePoint": {}]] },
    { "foreign", [["SceneActionDefinition"]] },
}

--- The forms of actions in a file with these.
local function forms_of(list)
  local form = load(([[{"type": "ActionSequenceDefinition", "name": "R", "children": [%s]}]]):format(
    table.concat(list, ","))).trees[1].form
  return table.move(form, 2, #form, 1, {})
end

local function same(t, a, b, path)
  if type(a) == "number" and type(b) == "number" then return t:near(a, b, 1e-9, path) end
  if type(a) ~= "table" or type(b) ~= "table" then return t:equal(a, b, path) end
  for key in pairs(a) do same(t, a[key], b[key], path .. "." .. key) end
  for key in pairs(b) do t:ok(a[key] ~= nil, "%s.%s is missing", path, key) end
end

test("actions that have a leaf here say the same in radians, and what does not fit stays foreign", function(t)
  local list = {}
  for index, row in ipairs(rows) do list[index] = ([[{"name": "n", "type": %s}]]):format(row[2]) end
  for index, form in ipairs(forms_of(list)) do
    local kind, expected = rows[index][1], rows[index][3]
    if trees.kinds[kind] then
      t:equal(form[1], kind, list[index])
      if expected then
        form[1], form.name, form.from = nil, nil, nil
        same(t, form, expected, kind)
      end
    end
  end
end)

test("a file that counts what it waits for is read", function(t)
  local text = [[{"type": "ActionSequenceDefinition", "name": "R", "children": [
    {"type": "WaitActionDefinition", "name": "a", "executeAfterAction": 1}, {"type": "WaitActionDefinition", "name": "b", "executeAfterAction": 2},
    {"type": "WaitActionDefinition", "name": "c", "executeAfterAction": 2}, {"type": "WaitActionDefinition", "name": "c", "executeAfterAction": 1},
    {"type": "WaitActionDefinition", "name": "d", "executeAfterAction": -3}]}]]
  t:equal(printed(text), [[
R
   1  sequence 'R'
   2    wait 'a'  seconds 4 s
   3    wait 'b'  seconds 4 s, after beginning (waits for nothing)
   4    wait 'c'  seconds 4 s, after a (waits for 2)
   5    wait 'c'  seconds 4 s
   6    foreign 'd']])
end)

test("a project of Groot is the trees that it includes, and a palette has none", function(t)
  local project = '<root BTCPP_format="4" project_name="P"><include path="a.xml"/><include \z
    path="b.xml"/><TreeNodesModel/></root>'
  local out = printed(project, "p.btproj",
    { ["a.xml"] = '<root><BehaviorTree ID="A"><SubTree ID="B"/></BehaviorTree></root>',
    ["b.xml"] = '<root><BehaviorTree ID="B"><AlwaysSuccess/></BehaviorTree></root>' })
  t:equal(out, "A\n   1  subtree 'B'\n   2    succeed 'AlwaysSuccess'")
  t:equal(#assert(load '<root><TreeNodesModel><Action ID="x"/></TreeNodesModel></root>').trees, 0)
  t:match(printed '<root><include path="gone.xml"/></root>', "no <BehaviorTree> is in it")
end)

test("children that are files are found from the folder of trees, and a circle is refused", function(t)
  local root = '{"type": "ActionSequenceDefinition", "name": "a/b.json", "children": [{"file": "c.json"}, \z
    {"file": "gone.json"}]}'
  local leaf = '{"type": "ActionSequenceDefinition", "name": "c.json", "children": [{"type": \z
    "WaitActionDefinition"}]}'
  local out = printed(root, "x/a/b.json", { ["x/a/../c.json"] = leaf })
  t:match(out, "3      wait")
  t:match(out, "foreign 'gone.json'")
  t:match(printed(root, "x/a/b.json", { ["x/a/../c.json"] = root }), "c.json:1: 'c.json' includes itself")
end)

test("BehaviorTree.CPP: what is the same here runs, in the words of versions 3 and 4", function(t)
  local text = [[<root main_tree_to_execute="M"><BehaviorTree ID="S"><Sleep msec="250"/></BehaviorTree><BehaviorTree ID="M">
  <Control ID="Sequence" name="top">
    <Parallel success_threshold="-1"><AlwaysSuccess/><Action ID="Grip"/></Parallel>
    <RetryUntilSuccesful num_attempts="-1"><Inverter><AlwaysFailure/></Inverter></RetryUntilSuccesful>
    <Repeat num_cycles="{n}"><SubTreePlus ID="S" __autoremap="true"/></Repeat>
    <ForceSuccess><Timeout msec="1500"><SubTree ID="gone"/></Timeout></ForceSuccess>
    <SequenceStar><ReactiveFallback/></SequenceStar>
    <ReactiveSequence _while="a && b"><AlwaysSuccess/></ReactiveSequence>
  </Control></BehaviorTree><TreeNodesModel><Action ID="Grip"/></TreeNodesModel></root>]]
  t:equal(printed(text), [[
M
   1  sequence 'top'
   2    parallel 'Parallel'  successes 2, failures 1
   3      succeed 'AlwaysSuccess'
   4      foreign 'Grip'
   5    retry 'RetryUntilSuccesful'  times 0
   6      invert 'Inverter'
   7        fail 'AlwaysFailure'
   8    sequence 'Repeat'
   9      foreign 'Repeat'
  10      subtree 'S'
  11        wait 'Sleep'  seconds 0.25 s
  12    selector 'ForceSuccess'
  13      timeout 'Timeout'  seconds 1.5 s
  14        foreign 'gone'
  15      succeed
  16    sequence 'SequenceStar'
  17      foreign 'SequenceStar'
  18      reactive_selector 'ReactiveFallback'
  19    sequence 'ReactiveSequence'
  20      foreign '_while'
  21      reactive_sequence 'ReactiveSequence'
  22        succeed 'AlwaysSuccess']])
end)

test("files that include each other are read once; a tree inside itself is refused", function(t)
  local main = '<root BTCPP_format="4"><include path="d/x.xml"/><BehaviorTree ID="M"><SubTree \z
    ID="X"/></BehaviorTree></root>'
  local inner = '<root><include path="../m.xml"/><BehaviorTree ID="X"><SubTree \z
    ID="%s"/></BehaviorTree></root>'
  t:match(printed(main, "m.xml", { ["d/x.xml"] = inner:format "Y" }), "2    foreign 'Y'")
  t:match(printed(main, "m.xml", { ["d/x.xml"] = inner:format "M" }),
    "d/x.xml:1: the tree 'M' is inside itself")
end)

test("trees that multiply are refused before they fill the memory", function(t)
  local parts = { "<root>" }
  for i = 1, 40 do
    parts[#parts + 1] = ('<BehaviorTree ID="%d"><Sequence><SubTree ID="%d"/><SubTree \z
      ID="%d"/></Sequence></BehaviorTree>'):format(i, i + 1, i + 1)
  end
  t:match(printed(table.concat(parts) .. "</root>"), "t:1: more than 100000 nodes")
end)

test("a step that is not known here fails with its name when it is reached", function(t)
  local loaded = load '<root><BehaviorTree ID="M"><Sequence><AlwaysSuccess/><SpinAround \z
    turns="2"/></Sequence></BehaviorTree></root>'
  local running = trees.begin(trees.compile(loaded.trees[1].form),
    { call = function(fn, ...) return fn(nil, ...) end })
  local status, name, why = running:work(0)
  t:equal(status, "failure")
  t:equal(name, "SpinAround")
  t:match(why, "'SpinAround' is not known here")
end)

test("what is saved has all that was there, in its order", function(t)
  local xml = '<?xml version="1.0"?>\n<!-- a && b --><root z="1" a="&lt;&#65;"><BehaviorTree \z
    ID=\'q"q\'><!-- c --><X f="a && b < 3">'
    .. '<Y>text</Y></X></BehaviorTree></root>'
  local saved = imports.write(load(xml))
  t:equal(saved, [[
<?xml version="1.0"?>
<!-- a && b -->
<root z="1" a="&lt;&#65;">
  <BehaviorTree ID='q"q'>
    <!-- c -->
    <X f="a &amp;&amp; b &lt; 3">
      <Y>text</Y>
    </X>
  </BehaviorTree>
</root>
]])
  t:equal(imports.write { format = require "brio.formats.tree.readers.btcpp",
    document = ordered.xml(saved, "t") }, saved)
  local json = '{"type": "XDefinition", "b": [], "a" :1.50, "c": {"\\u00e9": "\\"[{,", "d": [true, null, \z
    -0.0]}, "a": 1e-400}'
  saved = imports.write(load(json))
  t:equal((saved:gsub("%s", "")), (json:gsub("%s", "")))
end)

test("bad files are refused with file and place", function(t)
  for text, expected in pairs {
    ["<root><BehaviorTree>"] = "t:1:%d+: the XML is cut off",
      ["<root a='\xff'/>"] = "t: not UTF%-8: the byte at offset 9 is 0xFF",
    ["<root/>"] = "t: no <BehaviorTree>", [""] = "t: no tree that is known here",
    ["<!DOCTYPE root><root/>"] = "document type", ["<root>" .. ("<a>"):rep(1000)] = "more than 64 deep",
    ['<root><BehaviorTree ID="a"><A/><B/></BehaviorTree></root>'] =
      "t:1: the tree 'a' has 2 nodes at its top",
    ['<root><BehaviorTree ID="a"/>\n<BehaviorTree ID="a"/></root>'] = "t:2: a second tree 'a'",
    ['{"type": "ADefinition", '] = "t: line 1, column 25: no JSON: the end, expected .*cut off",
    ['{"type": "ADefinition",\n "name": 5}'] = "t:2: 'name' is a number, expected a text",
    ['{"type": "ADefinition", "children": 7}'] = "'children' is a number, expected a list",
    ['{"type": "ADefinition", "children": [3]}'] = "a node is a number, expected an object",
    ['{"type": "ADefinition", "children": [{"file": 4}]}'] = "'file' is a number",
      ['{"actions": ' .. ("["):rep(1000)] = "too many nested",
  } do
    local loaded, why = load(text)
    t:ok(not loaded and why:match(expected), "%s: %s", text:sub(1, 60), why)
  end
end)

test("no cut of a file, and no byte in it, is more than a sentence", function(t)
  local texts = { '<root a="1"><!-- c --><BehaviorTree ID="M"><Sequence><Sleep \z
    msec="5"/></Sequence></BehaviorTree></root>',
    '{"type": "GotoNodeDefinition", "name": "a", "children": [{"type": "WaitActionDefinition", \z
      "waitDuration": 2.5, "name": "\\u0041"}]}' }
  for _, text in ipairs(texts) do
    for at = 1, #text do
      for _, other in ipairs { "", '"', "<", "[", "&", "\0" } do
        local changed = other == "" and text:sub(1, at) or text:sub(1, at - 1) .. other .. text:sub(at + 1)
        local loaded, why = load(changed)
        t:ok(loaded or type(why) == "string", "%s", changed)
        if loaded then for _, tree in ipairs(loaded.trees) do trees.compile(tree.form) end end
      end
    end
  end
end)

--- Without blanks, and with one spelling for empty elements.
local function bare(text)
  return (text:gsub("%s", ""):gsub("&&", "&amp;&amp;"):gsub("<([%w_]+)([^<]*)></%1>", "<%1%2/>"))
end

test("all real files at hand are read, printed and saved with all that is in them", function(t)
  local shared, seen = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/", 0
  for _, folder in ipairs { "ihmc_behaviors/", "btcpp_trees/" } do
    for line in (slurp(shared .. folder .. "MANIFEST.tsv") or ""):gmatch "[^\n]+" do
      local path = shared .. folder .. line:match "^[^\t]+"
      local text = slurp(path)
      if text and imports.find(text) then
        local loaded, why = imports.load(text, path, slurp)
        t:ok(loaded, "%s", why)
        for _, tree in ipairs(loaded and loaded.trees or {}) do
          local made, faults = trees.compile(tree.form)
          t:ok(made and #trees.print(made) > 0, "%s: %s", path, faults[1] and faults[1].message)
        end
        if loaded then t:ok(bare(imports.write(loaded)) == bare(text), "%s is saved otherwise", path) end
        seen = seen + 1
      elseif text then
        t:ok(path:match "ffordance" or path:match "Extra", "%s is not known", path)
      end
    end
  end
  if seen == 0 then return t:skip "no shared data" end
  t:ok(seen >= 89, "only %d files", seen)
end)

test("Shakeout's concurrent groups come out of its file by steps", function(t)
  local path = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/ihmc_behaviors/Shakeout.json"
  local text = slurp(path)
  if not text then return t:skip "no shared data" end
  local made = assert(trees.compile(assert(imports.load(text, path, slurp)).trees[1].form))
  local tree = assert(nodes.new(made.list, function(_, _, _, elapsed) return elapsed >= 1 or nil end))
  local sets, now = {}, 0
  while tree:next() do
    tree:step()
    tree:work(now)
    local set = {}
    for _, node in ipairs(tree:running()) do set[#set + 1] = node - 2 end
    sets[#sets + 1], now = table.concat(set, " "), now + 2
    tree:work(now)
  end
  t:equal(sets, { "0", "1", "2 3", "4 5", "6", "7", "8", "9", "10", "11 12" })
end)

test("a fault of ours is not taken for a bad file", function(t)
  local good, why = pcall(imports.load, '<root><include path="x"/></root>', "t", function() error "ours" end)
  t:ok(not good and clip.failure(why) == nil and tostring(why):match "ours", tostring(why))
end)
