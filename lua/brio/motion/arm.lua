--- A person's dance on robot arms: the wrist that moves more leads the arm's wrist, scaled to the arm's
--- reach; the elbow decides between ways to get there; the tool faces forward and follows the head a little.
--- The result is repaired and timed: no collision, limits held.
---
--- An arm is a record in a robot's mapping (retarget.lua):
---
---   arms = { { tool = link, face = "pose", side = "left" | "right", scale =, forward =, wrist = link,
---            head = { yaw =, pitch =, roll = }, obstacles = { ... } } }
---     tool       the link at the end of the arm
---     face       the pose (of robot.lua) in which the tool faces forward; default: home
---     side       the person's arm; default: the one whose wrist moves more; for a second arm the other
---     scale      from the person to the arm; default: as large as its reach permits
---     ahead      m: how far the person's torso is ahead of the arm's base; default: 0, or what lets the arm
---                reach more frames
---     forward    rad, about z: where the person's front is, seen from the arm's base; 0: along x
---     head       shares of the head's angles that the tool follows
---     wrist      the link whose origin follows the person's wrist; only for an arm without a closed form
---     shoulder   true: the arm is a person's: places are seen from the shoulder, the elbow is led, too, and
---                the tool is free to turn; default: of a robot with two arms
---     joints     those that move, a list; default: all from the root to the tool; of a robot with two arms
---                those of its part left_arm or right_arm
---     obstacles  solids about the arm, as brio.joints takes them
--- Source: Li et al., "RMG: Real-Time Expressive Motion Generation with Self-collision Avoidance for 6-DOF
--- Companion Robotic Arms", section IV. docs/animation/arms.md
local clear = require "brio.motion.arm.clear"
local clip = require "brio.formats.clip"
local follow = require "brio.motion.arm.follow"
local person = require "brio.motion.arm.person"
local suggest = require "brio.lib.suggest"
local targets = require "brio.motion.arm.targets"

local arm = {}

local other_side = { left = "right", right = "left" }

--- The record of a mapping, checked against the robot.
local function check_spec(spec, description, file)
  local links = description.robot:links()
  for _, field in ipairs { "tool", "wrist" } do
    if spec[field] and not suggest.contains(links, spec[field]) then
      clip.fail(file, "an arm's %s is the link '%s', which the robot does not have%s", field, spec[field],
        suggest.hint(spec[field], links))
    end
  end
  for _, name in ipairs(spec.joints or {}) do
    local found = false
    for _, variable in ipairs(description.robot:variables()) do found = found or variable.name == name end
    if not found then clip.fail(file, "an arm's joint '%s' is none of %s", name, description.name) end
  end
  if spec.face and not description.poses[spec.face] then
    clip.fail(file, "an arm faces forward in the pose '%s', which %s does not have%s", spec.face,
      description.name, suggest.hint(spec.face, suggest.keys(description.poses)))
  end
end

--- The DOFs of a part of the robot's file that move an arm: no grips and lights.
local function dofs_of(description, part)
  local names, list = description.parts and description.parts[part], {}
  for _, dof in ipairs(names and description.dofs or {}) do
    local own = suggest.contains(names, dof.name) or suggest.contains(names, dof.group or "")
    if own and not dof.grip and not dof.outside then list[#list + 1] = dof.name end
  end
  return list
end

--- Both arms of a robot that has two, by its parts and roles; nil: it does not.
local function both_arms(description)
  local list, roles = {}, description.roles or {}
  for index, side in ipairs { "right", "left" } do
    local joints, tool = dofs_of(description, side .. "_arm"), roles[side .. "_hand"]
    if #joints == 0 or not tool then return nil end
    list[index] = { tool = tool, side = side, joints = joints, shoulder = true, ahead = 0 }
  end
  return list
end

--- The arms of a mapping, or else of the robot's file; fails without one.
local function arms_of(map, description)
  if map.arms and map.arms[1] then return map.arms end
  local both = both_arms(description)
  if both then return both end
  local tool = (description.roles or {}).tool
  if tool then return { { tool = tool } } end
  clip.fail(map.file, "%s has no arm: name its tool in a mapping, as in arms = { { tool = \"LINK\" } }",
    description.name)
end

--- The joint values of a pose, of the model's variables alone: lights are DOFs, too.
local function pose_of(description, name)
  local out = {}
  for _, variable in ipairs(description.robot:variables()) do
    out[variable.name] = description.poses[name].joints[variable.name]
  end
  return out
end

--- The number of frames that are out of reach, farther off than `most`, and the worst miss, m.
local function count_off(misses, most)
  local count, worst = 0, 0
  for _, miss in ipairs(misses) do
    if miss > (most or follow.off) then count = count + 1 end
    worst = math.max(worst, miss)
  end
  return count, worst
end

--- The scale and the place of the torso that suit an arm best.
local function fitted(own, wrist, spec)
  if spec.ahead then return targets.scale(wrist, own.reach, spec.ahead), spec.ahead end
  return targets.fit(wrist, own.reach, function(scale, ahead)
    local misses = own:misses(targets.path(wrist, scale, ahead, spec.forward or 0, own.base))
    return misses and count_off(misses, own.off)
  end)
end

--- Rows of an arm's joints that follow a person, and what is known of them.
local function follow_person(one, spec, side, description)
  local own = follow.new(description.robot, spec, pose_of(description, spec.face or description.home))
  local human = spec.shoulder and person.from_shoulder(one[side]) or one[side]
  local forward = spec.forward or 0
  local scale, ahead = spec.scale, spec.ahead or 0
  if not scale then scale, ahead = fitted(own, human.wrist, spec) end
  local wrist = targets.path(human.wrist, scale, ahead, forward, own.base)
  local rows, misses = own:follow(wrist, targets.path(human.elbow, scale, ahead, forward, own.base),
    targets.turns(one.head, spec.head or targets.head))
  local report = { tool = spec.tool, side = side, scale = scale, ahead = ahead, reach = own.reach,
    farthest = person.farthest(human.wrist), shoulder = spec.shoulder, closed = own.closed,
    variables = own.variables, frames = #rows, wrist = wrist }
  report.unreachable, report.worst = count_off(misses, own.off)
  return rows, report
end

--- Sentences about an arm's dance.
local function note(notes, report)
  clip.note(notes, "the %s wrist leads '%s' at a scale of %.3f: at its farthest it is %.2f m from the \z
    %s, and the arm reaches %.3f m", report.side, report.tool, report.scale, report.farthest,
    report.shoulder and "shoulder"
      or ("torso, which stands %.2f m ahead of the arm's base"):format(report.ahead), report.reach)
  if report.unreachable > 0 then
    clip.note(notes, "%d of %d frames are out of reach, by %.0f mm at most: the nearest place is taken",
      report.unreachable, report.frames, 1000 * report.worst)
  end
end

local function note_fit(notes, made)
  local repair = made.repair
  if repair.colliding + repair.crossing > 0 then
    clip.note(notes, "%d points collided, or were beyond limits: %d were moved, by %.2f rad at most%s",
      repair.colliding, repair.moved, repair.largest,
      repair.detours > 0 and (", %d stretches led around"):format(repair.detours) or "")
  end
  if made.lasts > made.before + 0.01 then
    clip.note(notes, "it takes %.2f s instead of %.2f s, for the limits of the joints", made.lasts,
      made.before)
  end
end

--- The rows of several arms as one, side by side.
local function joined(all)
  local rows, variables = {}, {}
  for _, one in ipairs(all) do
    for frame, row in ipairs(one.rows) do
      rows[frame] = rows[frame] or {}
      table.move(row, 1, #row, #rows[frame] + 1, rows[frame])
    end
    table.move(one.report.variables, 1, #one.report.variables, #variables + 1, variables)
  end
  return rows, variables
end

--- The joints of all arms of a mapping that follow a clip, before they are repaired: rows, variables, the
--- reports of the arms, and the person. Fails by clip.fail.
function arm.follow(clip_, description, map)
  local one, all, reports = person.of(clip_, map.nodes), {}, {}
  local side = person.busier(one)
  for index, spec in ipairs(arms_of(map, description)) do
    check_spec(spec, description, map.file)
    local rows, report = follow_person(one, spec, spec.side or side, description)
    all[index], reports[index] = { rows = rows, report = report }, report
    side = other_side[side]
  end
  local rows, variables = joined(all)
  return rows, variables, reports, one
end

local function dance(clip_, description, map, options)
  local rows, variables, reports, one = arm.follow(clip_, description, map)
  local home, obstacles, notes = pose_of(description, description.home), {}, {}
  for _, spec in ipairs(arms_of(map, description)) do
    table.move(spec.obstacles or {}, 1, #(spec.obstacles or {}), #obstacles + 1, obstacles)
  end
  local spaces = clear.spaces(description.robot, variables, home, obstacles)
  local made
  rows, made = clear.fit(spaces, rows, one.rate, description.dofs, variables, options.seed)
  for _, report in ipairs(reports) do note(notes, report) end
  note_fit(notes, made)
  local tracks = {}
  for index, name in ipairs(variables) do
    local keys = {}
    for frame, row in ipairs(rows) do keys[frame] = { (frame - 1) / one.rate, row[index] } end
    tracks[index] = { name = name, keys = keys }
  end
  table.move(one.notes, 1, #one.notes, #notes + 1, notes)
  made.arms = reports
  return clip.joints { name = clip_.name, format = clip_.format, clips = clip_.clips, file = clip_.file,
    tracks = tracks, notes = notes }, made
end

--- A clip of a robot's joints that an arm can dance, from a clip of a person, and what was done: { arms,
--- repair, lasts, before, again }. `options.seed`: of the repair. Returns nil, sentence, code where it
--- cannot be.
function arm.clip(clip_, description, map, options)
  return clip.try(dance, clip_, description, map, options or {})
end

return arm
