--- Converts the actions and conditions of the IHMC behavior system, of all generations, to leaves of brio.
---
--- Angles in degrees become radians; poses are yaw-pitch-roll, or in the oldest files a matrix; known frames
--- get the names of roles. Actions without an equivalent leaf become foreign nodes (ihmc.lua).
local fields = require "brio.lib.fields"
local geometry = require "brio.lib.geometry"
local trees = require "brio.tree.model.tree"

local actions = {}

--- Roles for the names of frames in the files; other names are kept.
local frames = {
  Chest = "chest", Pelvis = "pelvis", Walking = "walking", World = "world", worldFrame = "world",
    Head = "head",
  ["Left Hand"] = "left_hand", ["Right Hand"] = "right_hand",
  ["Left Foot Sole"] = "left_foot", ["Right Foot Sole"] = "right_foot",
}

--- One node of a file, with typed access to its fields.
local Node = {}
Node.__index = Node

function Node:number(...)
  for _, key in ipairs { ... } do
    local value = self.reader:field(self.node, key, "number")
    if value then return value end
  end
end

function Node:text(key) return self.reader:field(self.node, key, "text") end

--- A boolean; JSON's words are kept as they are.
function Node:yes(key)
  local item = self.node.of[key]
  if item and item.kind == "word" then return item.value end
end

function Node:radians(...)
  local value = self:number(...)
  return value and math.rad(value)
end

--- A list of angles in degrees, as radians; nil: absent.
function Node:degrees(key)
  local list = {}
  for index, item in ipairs(self.reader:field(self.node, key, "list") or {}) do
    local value = item.kind == "number" and tonumber(item.value)
    if not value then return nil end
    list[index] = math.rad(value)
  end
  return #list > 0 and list or nil
end

--- A nested object, as a node of its own.
function Node:inside(key)
  local item = self.node.of[key]
  return item and item.kind == "object" and setmetatable({ reader = self.reader, node = item }, Node) or nil
end

--- A list of nested objects.
function Node:list(key)
  local list = {}
  for index, item in ipairs(self.reader:field(self.node, key, "list") or {}) do
    if item.kind ~= "object" then return {} end
    list[index] = setmetatable({ reader = self.reader, node = item }, Node)
  end
  return list
end

function Node:frame(...)
  for _, key in ipairs { ... } do
    local name = self:text(key)
    if name and name ~= "" then return frames[name] or name end
  end
end

--- Roll, pitch and yaw of a node, in degrees or from a matrix m00..m22; nil: neither is there.
function Node:angles()
  local roll, pitch, yaw = self:radians "rollInDegrees", self:radians "pitchInDegrees",
    self:radians "yawInDegrees"
  if roll or pitch or yaw then return roll or 0, pitch or 0, yaw or 0 end
  if not self.node.of.m00 then return nil end
  local function m(row, column)
    return self:number(("m%d%d"):format(row, column)) or (row == column and 1 or 0)
  end
  return math.atan(m(2, 1), m(2, 2)), math.atan(-m(2, 0), math.sqrt(m(2, 1) ^ 2 + m(2, 2) ^ 2)),
    math.atan(m(1, 0), m(0, 0))
end

--- The pose in the fields of a node itself.
function Node:pose()
  local x, y, z = self:number "x", self:number "y", self:number "z"
  local roll, pitch, yaw = self:angles()
  return { position = x and { x, y or 0, z or 0 } or nil,
    orientation = roll and geometry.from_rpy(roll, pitch, yaw) or nil }
end

--- The joint angles j0Degrees.. or j0.. of a node.
function Node:joints(suffix)
  local list = {}
  for index = 0, 31 do
    local value = self:radians(("j%d%s"):format(index, suffix))
    if not value then break end
    list[#list + 1] = value
  end
  return #list > 0 and list or nil
end

local function above(value, least) return value and value >= least and value or nil end

-- Actions ---------------------------------------------------------------------------------------------------

local function screw_of(self, at)
  local axis = at and at:pose() or self:pose()
  return { "screw", side = self:text "side", frame = self:frame("parentFrame", "objectFrame"), axis = axis,
    translation = self:number "translation" or 0.1, rotation = self:number "rotation" or 0,
    max_linear = self:number "maxLinearVelocity", max_angular = self:number "maxAngularVelocity",
    position_tolerance = above(self:number "positionErrorTolerance", 1e-6),
    orientation_tolerance = above(self:radians "orientationErrorToleranceDegrees", 1e-6) }
end

--- A hand to a pose, or an arm to joints.
local function hand_pose(self)
  local said = self:text "taskspaceTrajectoryMode"
  local axis = self:inside "screwAxisPose"
  if said == "SCREW_PRIMITIVE" or said == nil and axis then return screw_of(self, axis) end
  local form = { "arm", side = self:text "side", seconds = self:number "trajectoryDuration" }
  local by_joints = self:yes "definedInJointspace"
  if by_joints == nil then by_joints = self:yes "usePredefinedJointAngles" end
  if by_joints then
    local preset = self:text "preset"
    if preset and preset ~= "CUSTOM_ANGLES" then
      form.preset = preset:lower()
    else
      form.joints = self:joints "Degrees"
    end
    form.tolerance = self:number "positionErrorTolerance"
    return (form.preset or form.joints) and form
  end
  form.pose, form.frame = self:pose(), self:frame "parentFrame"
  form.position_tolerance = above(self:number "positionErrorTolerance", 1e-6)
  form.orientation_tolerance = above(self:radians "orientationErrorToleranceDegrees", 1e-6)
  form.jointspace_only, form.hold_in_world = self:yes "jointspaceOnly", self:yes "holdPoseInWorldLater"
  form.position_weight = above(self:number "linearPositionWeight", 0)
  form.orientation_weight = above(self:number "angularPositionWeight", 0)
  return (form.pose.position or form.pose.orientation) and form
end

local function spine(self)
  local form = { "spine", seconds = self:number "trajectoryDuration", frame = self:frame "parentFrame" }
  local joints = self:joints ""
  if joints and self:yes "jointspaceOnly" ~= false then
    form.joints, form.frame = joints, nil
    return form
  end
  form.pose = self:pose()
  return (form.pose.position or form.pose.orientation) and form
end

--- Nodes that rotate something: by roll, pitch and yaw, in degrees or as a matrix, in a frame.
local function turned(kind)
  return function(self)
    local form = { kind, seconds = self:number "trajectoryDuration", frame = self:frame "parentFrame" }
    form.roll, form.pitch, form.yaw = self:angles()
    if kind == "pelvis" then form.height = self:number("z", "heightInWorld", "height") end
    return (form.roll or form.height) and form
  end
end

local function foot(self, key)
  local at = self:inside(key)
  return at and { x = at:number "x" or 0, y = at:number "y" or 0,
    yaw = at:radians "yawInDegrees" or at:number "yaw" or 0 } or nil
end

local function point(self, key)
  local at = self:inside(key)
  return at and { at:number "x" or 0, at:number "y" or 0, at:number "z" or 0 } or nil
end

local planners = { QUICK = "quick", TURN_WALK_TURN = "turn_walk_turn", A_STAR = "a_star" }

--- The numbers of the quick planner: IHMC's names and brio's; `degrees`: they are angles.
local quick = {
  { "quickHipWidth", "hip_width" }, { "quickStepLength", "step_length" },
    { "obstacleClearanceRadius", "clearance_radius" },
  { "quickNextPelvisYawLimit", "pelvis_yaw", degrees = true },
    { "quickInwardLimit", "inward", degrees = true },
  { "quickOutwardLimit", "outward", degrees = true }, { "quickStepAngleLimit", "step_angle", degrees = true },
  { "quickSwingTimeDistanceLower", "near_distance" }, { "quickSwingTimeDistanceUpper", "far_distance" },
  { "quickMinSwingTime", "near_swing" }, { "quickMaxSwingTime", "far_swing" },
}

local function walk(self)
  local form = { "walk", frame = self:frame "parentFrame", swing = self:number "swingDuration",
    transfer = self:number "transferDuration", mode = (self:text "executionMode" or "OVERRIDE"):lower() }
  local steps = {}
  for index, step in ipairs(self:list "footsteps") do
    local at = step:inside "pose" or step:inside "solePose" or step
    steps[index] = { side = (step:text "side" or ""):lower(), pose = at:pose() }
  end
  if #steps > 0 then
    form.steps = steps
    return form
  end
  form.stance, form.focal = point(self, "goalStancePoint"), point(self, "goalFocalPoint")
  form.left, form.right = foot(self, "leftGoalFootToGoal"), foot(self, "rightGoalFootToGoal")
  form.planner = planners[self:text "planner"] or self:yes "plannerPerformAStarSearch" and "a_star" or nil
  form.face_goal = self:yes "plannerWalkWithGoalOrientation"
  form.waypoint_only, form.around = self:yes "quickWaypointOnly", self:yes "useRrtPathPlanner"
  local waypoints = {}
  for index, at in ipairs(self:list "waypoints") do
    waypoints[index] = { at:number "x" or 0, at:number "y" or 0 }
  end
  if #waypoints > 0 then form.waypoints = waypoints end
  for _, row in ipairs(quick) do
    local value = self:number(row[1])
    if value then
      form.settings = form.settings or {}
      form.settings[row[2]] = row.degrees and math.rad(value) or value
    end
  end
  return form.stance and form
end

--- A hand of any type: a grip by name, or an opening as a share or angle.
local function grip(self)
  local name = self:text "grip" or self:text "configuration" or self:text "handConfiguration"
  if not name then return nil end
  return { "hand", side = self:text "side", grip = name:lower(), wiggle = self:yes "enableWiggleOnFailure",
    wiggle_after = self:number "timeToWiggle", timeout = self:number "ultimateTimeout" }
end

local criteria = { CHECK_EACH_JOINT_POSITION = "position", CHECK_CUMULATIVE_JOINT_MOVEMENT = "movement",
  WAIT_ONLY = "time" }

--- A hand of six fingers: a grip, or the target and speed of each, in degrees; and the criterion.
local function ability_hand(self)
  local form = grip(self) or { "hand", side = self:text "side" }
  local fingers = self:degrees "goalPositions"
  if form.grip == nil or fingers and self:text "controlMode" and self:text "controlMode" ~= "GRIP" then
    form.grip, form.fingers = nil, fingers
  end
  form.wiggle, form.wiggle_after = self:yes "enableWiggleOnFailure", self:number "timeToWiggle"
  form.timeout, form.success = self:number "ultimateTimeout", criteria[self:text "successCriteria"]
  form.tolerance, form.movement = self:radians "eachJointPositionTolerance",
    self:radians "sufficientCumulativeJointMovement"
  return (form.grip or form.fingers) and form
end

--- A gripper that is opened by an angle: one finger in brio.
local function gripper(self)
  local angle = self:radians "handOpenAngleDegrees"
  return angle and { "hand", side = self:text "side", fingers = { angle },
    already = self:radians "initialSatisfactionHandAngleTolerance",
      tolerance = self:radians "completionHandAngleTolerance" }
end

local types = {
  ArmAction = hand_pose, HandPoseAction = hand_pose, ArmJointAnglesAction = function(self)
    local form = { "arm", side = self:text "side", seconds = self:number "trajectoryDuration",
      joints = self:joints "Degrees" }
    local preset = self:text "preset"
    if preset and preset ~= "CUSTOM_ANGLES" then form.preset, form.joints = preset:lower(), nil end
    return (form.preset or form.joints) and form
  end,
  ScrewPrimitiveAction = function(self) return screw_of(self, self:inside "screwAxisPose") end,
  SpineAction = spine,
  ChestOrientationAction = turned "chest",
  PelvisAction = turned "pelvis", PelvisHeightAction = turned "pelvis",
    PelvisHeightPitchAction = turned "pelvis",
  PelvisHeightOrientationAction = turned "pelvis",
  NeckAction = function(self)
    return { "neck", pitch = self:radians "pitchInDegrees", yaw = self:radians "yawInDegrees",
      seconds = self:number "trajectoryDuration" }
  end,
  LegAction = function(self)
    local pose = self:pose()
    return (pose.position or pose.orientation)
      and { "leg", side = self:text "side", frame = self:frame "parentFrame",
      seconds = self:number "trajectoryDuration", pose = pose }
  end,
  WalkAction = walk,
  HandConfigurationAction = grip, SakeHandCommandAction = grip, AbilityHandAction = ability_hand,
  EZGripperAction = gripper,
}

-- Objects of the scene --------------------------------------------------------------------------------------

--- The name of the object in a definition.
local function object_name(of)
  for _, key in ipairs { "customFrameName", "frameName", "yoloClassName", "foundationPoseObjectType" } do
    local name = of:text(key)
    if name and name ~= "" then return name end
  end
end

--- The first frame that a definition has under any of these keys.
local function frame_of(of, ...)
  for _, key in ipairs { ... } do
    local name = of:frame(key)
    if name then return name end
  end
end

local function composite(of)
  local kind = (of:text "compositeFrameType" or of:text "compositeType" or of:text "frameType"
    or "APPROACH"):lower()
  return { derive = kind, with = { a = frame_of(of, "frameA", "frameNameA"),
    b = frame_of(of, "frameB", "frameNameB"),
    distance = kind == "approach" and of:number("distance", "approachDistance") or nil } }
end

--- Kinds of objects, as in forms of `setup_object`; others are selected by their class.
local object_kinds = {
  COMPOSITE_FRAME = composite,
  DOOR_PANEL = function(of)
    return { derive = "door_panel", with = { mechanism = frame_of(of, "mechanismFrame", "frameA"),
      panel = frame_of(of, "panelFrame", "frameB") } }
  end,
}

local function set_up(self)
  local of = self:inside "sceneObjectDefinition" or self
  local name = object_name(of) or (of:text "objectType" or ""):lower()
  local form = { "setup_object", object = name ~= "" and name or nil, timeout = self:number "timeout",
    history = self:number "minimumHistorySize" }
  local nominal = self:inside "nominalObjectPose"
  form.nominal = nominal and nominal:pose() or nil
  local make = object_kinds[of:text "objectType"]
  if make then
    for key, value in next, make(of) do form[key] = value end
    form.history = nil
  else
    form.class = of:text "yoloClassName" or of:text "foundationPoseObjectType"
  end
  return form.object and form
end

local function with_object(kind)
  return function(self)
    local of = self:inside "sceneObjectDefinition" or self
    local name = object_name(of)
    return name and { kind, object = name }
  end
end

--- Tracking settings of detections.
local function configure(self)
  return { "configure_detections", alpha = above(self:number "poseFilterAlpha", 1e-3),
    acceptance = self:number "acceptanceConfidence",
    stability = self:number "stabilityFrequency", history = above(self:number "historyDuration", 1e-3) }
end

local of_model = { confidence = "confidenceThresholds", mask = "maskThresholds",
  erosion = "erosionKernelRadii", outlier = "outlierThresholds" }

--- The number that a list has for all classes; nil: none; false: they differ, which brio cannot represent, as
--- the classes have no names here.
local function of_all(self, key)
  local first
  for _, item in ipairs(self.reader:field(self.node, key, "list") or {}) do
    if item.kind ~= "number" or first and item.value ~= first then return false end
    first = item.value
  end
  return first
end

--- Models in turn; thresholds can be converted if there is one model, with the same values for all its
--- classes.
local function configure_yolo(self)
  local models, list = {}, self:list "enabledYoloModels"
  for index, model in ipairs(list) do models[index] = model:text "name" end
  local form = { "configure_detector", use = #models == #list and #models > 0 and models or nil }
  for _, model in ipairs(list) do
    local said = model:inside "parameters"
    for name, key in next, said and of_model or {} do
      local value = of_all(said, key)
      if value == false or value and #list > 1 then return nil end
      form[name] = value
    end
    form.nms = said and #list == 1 and said:number "nmsThreshold" or nil
    local ignored = {}
    for index, item in ipairs(said and said.reader:field(said.node, "ignoredObjectClasses", "list") or {}) do
      if item.kind ~= "text" then return nil end
      ignored[index] = item.value
    end
    if #ignored > 0 then form.disable = ignored end
  end
  return form.use and form
end

local scene_actions = {
  CONFIGURE_PERSISTENT_DETECTIONS = configure, CONFIGURE_YOLO = configure_yolo,
  SETUP_OBJECT = set_up, CREATE_FRAME = set_up,
  FREEZE_OBJECT = with_object "freeze_object", DELETE_OBJECT = with_object "delete_object",
  CLEAR_SCENE = function() return { "clear_scene" } end,
  FREEZE_SCENE = function() return { "freeze_scene" } end,
}

function types.SceneAction(self)
  local make = scene_actions[self:text "sceneActionType"]
  return make and make(self)
end

--- The box of hue, saturation and value of a condition: 8-bit numbers as in OpenCV, hue in steps of 2
--- degrees.
local function eight_bit_range(self)
  local function range(name, low, high, scale, most)
    local from, to = self:number(name .. "Min") or low, self:number(name .. "Max") or high
    return { math.min(from * scale, most), math.min(to * scale, most) }
  end
  return { hue = range("hue", 30, 40, 2, 360), saturation = range("saturation", 20, 255, 1 / 255, 1),
    value = range("value", 80, 255, 1 / 255, 1) }
end

local conditions = {
  PROXIMITY = function(self)
    return { "proximity", a = self:frame "frameNameA" or "pelvis", b = self:frame "frameNameB" or "chest",
      distance = (self:text "distanceType" or "XYZ"):lower(), min = self:number "minDistance",
        max = self:number "maxDistance",
      timeout = self:number "timeout" }
  end,
  SHAPE_CONTAINS = function(self)
    local at = self:inside "shapeTransformToParent"
    local form = { "contains", frame = self:frame "shapeParentFrameName" or "chest",
      shape = { kind = "sphere", size = { self:number "sphereRadius" or 0.5 },
        pose = at and at:pose() or nil } }
    if self:text "containsType" ~= "CONTAINS_POINTS" then
      form.what = self:frame "frameName" or "chest"
    else
      form.min_points = math.tointeger(self:number "minPoints" or 0)
      form.max_points = math.tointeger(self:number "maxPoints" or 2000000000)
      form.color = self:yes "checkColor" and eight_bit_range(self) or nil
    end
    return form
  end,
  LLM = function(self)
    return { "ask_model", system = self:text "system", prompt = self:text "prompt",
      matcher = self:text "responseMatcher",
      match_succeeds = self:yes "matchIsSuccess", reset = self:yes "resetContextEachRun",
      tell_state = self:yes "injectBehaviorState", tell_scene = self:yes "injectEnvironmentState" }
  end,
}

--- Whether a leaf of brio accepts a form.
local function fits(form)
  local kind = trees.kinds[form[1]]
  if not kind then return false end
  for key, value in next, form do
    local field = type(key) == "string" and kind.fields[key]
    if type(key) == "string" and (not field or fields.fault(value, field)) then return false end
  end
  for _, key in ipairs(type(kind.needs) == "table" and kind.needs or { kind.needs }) do
    if form[key] == nil then return false end
  end
  return true
end

--- The form for a type of node; nil: unknown, or not expressible by a leaf of brio.
function actions.form(reader, node, kind)
  local self = setmetatable({ reader = reader, node = node }, Node)
  local make
  if kind == "ConditionNodeDefinition" then
    make = conditions[self:text "conditionType"]
  else
    make = types[kind:gsub("^RDX", ""):gsub("Definition$", "")]
  end
  local form = make and make(self)
  return form and fits(form) and form or nil
end

return actions
