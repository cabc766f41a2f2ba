--- The leaf `screw`: moves a grasping hand about an axis and along it, as for a knob, a lever or a door.
local around = require "brio.tree.execution.around"
local geometry = require "brio.lib.geometry"
local moves = require "brio.tree.execution.moves"
local motion = require "brio.tree.execution.motion"
local reach = require "brio.tree.execution.reach"
local screw = require "brio.screw"

--- Maximum change of a joint in one step, rad: a larger one would change the arm's configuration and lose
--- the grip.
local leap = 0.8

local fields = moves.merged(moves.fields, moves.pose_fields, {
  side = { "string", doc = "\"left\" or \"right\", where the robot has two" },
  axis = { "pose", doc = "of the screw's frame, in frame: its x axis is what the hand turns about and goes \z
    along" },
  translation = { "number", unit = "m", lower = -100, upper = 100, value = 0,
    doc = "how far it goes along the axis" },
  rotation = { "number", unit = "rad", lower = -1000, upper = 1000, value = 0,
    doc = "how far it turns about the axis" },
  max_linear = { "number", unit = "m/s", lower = 1e-4, upper = 10, value = 0.1,
    doc = "how fast the hand may go" },
  max_angular = { "number", unit = "rad/s", lower = 1e-3, upper = 100, value = 0.6,
    doc = "how fast it may turn" },
  plan = around.field,
})
fields.pose, fields.seconds, fields.speed, fields.tolerance = nil, nil, nil, nil

--- The screw of a form for a hand at `start`, with its frame at `frame`. Its steps are finer than in the
--- source, so that interpolated joint motion keeps the hand on its path.
--- hand on its way.
local function screw_of(form, frame, start)
  local at = geometry.within(frame, form.axis)
  return { frame = at, start = start.position and start or at, translation = form.translation,
    rotation = form.rotation,
    max_linear = form.max_linear, max_angular = form.max_angular, step_rotation = math.pi / 36,
      step_translation = 0.025 }
end

local function plan(site, form, memory)
  local motions, limb, start = motion.of(site.host), memory.limb, {}
  if not limb.link then
    return nil, ("the link at the end of the %s is unknown: give link"):format(limb.name)
  end
  local configuration = motions:configuration(motions:expected())
  for _, name in ipairs(limb.dofs) do
    local value, speed = motions:at(name, memory.before[name])
    start[name], configuration.joints[name] = { value, speed }, value
  end
  local frame, why = reach.frame(site.description, reach.seen(site.host), form.frame, configuration)
  if not frame then return { step = function() return false, why, "no_frame" end } end
  local made, list = screw.plan(screw_of(form, frame,
    site.description.robot:forward(configuration).links[limb.link])), {}
  for index = 2, #made.points do
    local point = made.points[index]
    list[index - 1] = { pose = { position = point.position, orientation = point.orientation },
      frame = "world" }
  end
  return moves.targets.plan { description = site.description, limb = limb, list = list, start = start,
    seconds = made.seconds,
    configuration = configuration, tolerances = moves.tolerances(form), kept = motions.workspaces,
      scene = reach.seen(site.host),
    steady = true, leap = leap }
end

return moves.leaf {
  name = "screw", limb = "arm", grasps = true, fields = fields, needs = "axis", plan = plan,
  doc = "Turns a hand about an axis and moves it along the axis, from its current pose, as for a grasped \z
    knob or door.",
  fault = function(form)
    if form.translation == 0 and form.rotation == 0 then
      return "a screw needs a translation or a rotation: both are 0"
    end
    return nil
  end,
  seconds = function(form) -- of a hand at the axis: its distance is known only when it begins
    if form.translation == 0 and form.rotation == 0 then return nil end
    return screw.plan(screw_of(form, {}, {})).seconds
  end,
  posed = function(_, pose) return { axis = pose } end,
  inherit = { "side", "part", "link", "frame", "max_linear", "max_angular", "position_tolerance",
    "orientation_tolerance" },
}
