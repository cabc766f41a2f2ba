--- Poses of the links of a recorded run's robot, from samples of its joints.
local gltf = require "brio.formats.gltf_writer"
local place = require "brio.robots.place"
local store = require "brio.store"

local run_stance = {}

--- The robot of a run, options.robot or the one that it names; nil, sentence: it is not available. A robot
--- whose model differs from that of the run is noted.
function run_stance.robot(run, options)
  if not (options.robot or run.run.robot) then return nil, "the run has no robot" end
  local description, why = place.find(run.run, options.robot)
  if not description then return nil, why end
  if run.run.robot_hash and description.robot:hash() ~= run.run.robot_hash and options.note then
    options.note(("the model of %s is not the one of the run: links may stand elsewhere than \z
      they did"):format(description.name))
  end
  return description
end

--- Indices of the run's DOFs among the model's variables.
function run_stance.joints_of(run, description)
  local home, joints, places = description.poses[description.home].joints, {}, {}
  for _, variable in ipairs(description.robot:variables()) do
    joints[variable.name] = home[variable.name] or 0
  end
  for _, dof in ipairs(description.dofs) do
    for number, one in ipairs(run.dofs) do
      if one.name == dof.name and not dof.outside and joints[dof.name] then places[number] = dof.name end
    end
  end
  return joints, places
end

--- A function that sets the joints of a robot to the values of a run's DOFs, measured or else commanded; and
--- the joints.
function run_stance.mover(run, description)
  local joints, places = run_stance.joints_of(run, description)
  return function(commands, measured)
    for number, variable in next, places do
      joints[variable] = measured[number] or commands[number] or joints[variable]
    end
    return description.robot:forward({ joints = joints }).links
  end, joints
end

--- A function of commands and measured values (lists in the order of DOFs) that returns the frames of all
--- links: { parent, child (as JSON), position, orientation }; nil if the robot is not available, which is
--- noted. A link named "world", the root of many models, is omitted: that is the name of the common root of
--- all frames.
function run_stance.of_run(run, options)
  local description, why = run_stance.robot(run, options)
  if not description then
    if options.note then options.note("no frames of links: " .. why) end
    return nil
  end
  local robot, move, frames = description.robot, run_stance.mover(run, description), {}
  for _, name in ipairs(robot:links()) do
    local parent = robot:link(name).parent
    if parent == "world" then parent = nil end
    if name ~= "world" then
      frames[#frames + 1] = { link = name, above = parent, child = store.json(name),
        parent = store.json(parent or "world") }
    end
  end
  return function(commands, measured)
    local links = move(commands, measured)
    for _, frame in ipairs(frames) do
      local link = links[frame.link]
      if frame.above then frame.position, frame.orientation = gltf.relative(links[frame.above], link)
      else frame.position, frame.orientation = link.position, link.orientation end
    end
    return frames
  end
end

return run_stance
