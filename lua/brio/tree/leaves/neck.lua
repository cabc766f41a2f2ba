--- The leaf `neck`: turns the head.
local moves = require "brio.tree.execution.moves"

--- The joint of a limb that turns about an axis of the robot ("yaw": up, "pitch": to its left), and its
--- sign.
local function about(description, limb, word)
  local robot, row = description.robot, word == "yaw" and 6 or 5
  local at, best, which, sign = robot:neutral(), 0.7, nil, 1
  for index, variable in ipairs(robot:variables()) do
    for _, name in ipairs(limb.dofs) do
      if name == variable.name and variable.angular then
        local turn = robot:jacobian(at, robot:joint(variable.joint).child)[row][6 + index]
        if math.abs(turn) > best then best, which, sign = math.abs(turn), name, turn > 0 and 1 or -1 end
      end
    end
  end
  return which, sign
end

--- Targets of the joints, by name; nil and a sentence.
local function aim(form, site, limb)
  if not form.pitch and not form.yaw then return {} end
  local joints = {}
  for _, word in ipairs { "pitch", "yaw" } do
    local joint, sign = about(site.description, limb, word)
    if form[word] and not joint then
      return nil, ("the neck of the robot %s has no joint for %s: it has %s"):format(site.description.name,
        word, table.concat(limb.dofs, ", "))
    end
    if form[word] then joints[joint] = sign * form[word] end
  end
  return { joints = joints }
end

return moves.leaf {
  name = "neck", limb = "neck", aim = aim,
  doc = "Turns the head by pitch and yaw, or brings its joints to values or to a named pose of the robot.",
  fields = moves.merged(moves.fields, moves.joint_fields, {
    pitch = { "number", unit = "rad", lower = -4, upper = 4, doc = "down" },
    yaw = { "number", unit = "rad", lower = -4, upper = 4, doc = "to its left" },
  }),
  captured = function(form, limb, joints, site)
    if not form.pitch and not form.yaw then return nil end
    local made = {}
    for _, word in ipairs { "pitch", "yaw" } do
      local joint, sign = about(site.description, limb, word)
      if joint then made[word] = sign * joints[joint] end
    end
    return made
  end,
  inherit = { "part", "speed", "follow", "tolerance" },
}
