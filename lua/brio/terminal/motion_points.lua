--- Paths of a point of a moving body, from motion files: a person's part, a robot's link, or its joints.
---
--- A person's part is seen from the middle of the shoulders, in an upright frame that faces where the chest
--- does (as retargeting sees it); a robot's link from its base; joints in rad, as one point of as many
--- dimensions.
local clip = require "brio.formats.clip"
local frames = require "brio.motion.retarget.frames"
local limbs = require "brio.robots.limbs"
local motions = require "brio.terminal.motion_files"
local path = require "brio.motion.measures.path"
local skeleton = require "brio.motion.skeleton"
local suggest = require "brio.lib.suggest"

local points = {}

--- The point that is measured if none is named: of both hands the one that moves more.
points.usual = "hand"

--- Points of which a body has one on each side.
local sided = { hand = true, elbow = true, shoulder = true, hip = true, knee = true, foot = true }

--- The path of a flat list that is longest, and its key; nil of none.
local function longest(lists, d)
  local best, key, most = nil, nil, -1
  for _, name in ipairs(suggest.keys(lists)) do
    local list, length = lists[name], 0
    for index = d + 1, #list, d do
      local sum = 0
      for column = 0, d - 1 do sum = sum + (list[index + column] - list[index + column - d]) ^ 2 end
      length = length + math.sqrt(sum)
    end
    if length > most then best, key, most = list, name, length end
  end
  return best, key
end

-- Persons ------------------------------------------------------------------------------------------

--- The parts to follow for a point's name; fails if the skeleton lacks them.
local function parts_of(poser, name)
  local wanted = {}
  for _, side in ipairs(sided[name] and { "left_", "right_" } or { "" }) do
    if poser.body[side .. name] then wanted[#wanted + 1] = side .. name end
  end
  if #wanted == 0 then
    local known = suggest.keys(poser.body)
    clip.fail(nil, "the skeleton has no part '%s'%s: it has %s", name, suggest.hint(name, known),
      table.concat(known, ", "))
  end
  if not (poser.body.left_shoulder and poser.body.right_shoulder) then
    clip.fail(nil, "the skeleton has no two shoulders, from which %s is seen", name)
  end
  return wanted
end

--- Add the positions of parts in a frame, from the shoulders.
local function add_frame(lists, parts, wanted, heading)
  local body = frames.of(parts)
  heading = body.heading or heading
  for _, name in ipairs(wanted) do
    local p, list = frames.seen(heading, frames.minus(parts[name], body.shoulders)), lists[name]
    table.move(p, 1, 3, #list + 1, list)
  end
  return heading
end

--- The flat lists of parts over all frames: {part = list}.
local function follow(poser, wanted)
  local lists, heading = {}, { 0, 0, 0, 1 }
  for _, name in ipairs(wanted) do lists[name] = {} end
  for frame = 1, poser.frames do heading = add_frame(lists, poser:at(frame), wanted, heading) end
  return lists
end

--- The elbow of the hand that moves more; other points of both sides: the one that moves more.
local function person(clip_, name, named)
  local poser = skeleton.poser(clip_, named)
  local wanted = parts_of(poser, name)
  local list, key = longest(follow(poser, wanted), 3)
  if name == "elbow" and #wanted == 2 and poser.body.left_hand and poser.body.right_hand then
    local _, hand = longest(follow(poser, { "left_hand", "right_hand" }), 3)
    key = hand:gsub("hand", "elbow")
    list = follow(poser, { key })[key]
  end
  return { times = clip_.times, points = list, dimensions = 3, point = key }
end

-- Robots ---------------------------------------------------------------------------------------------

--- The links to follow for a point's name; or nil and a sentence.
local function links_of(description, name)
  if name ~= "hand" then
    local link, why = limbs.link(description, name)
    return link and { link }, why
  end
  local roles, list = description.roles, {}
  for _, role in ipairs { "left_hand", "right_hand" } do list[#list + 1] = roles[role] end
  list[1] = list[1] or roles.tool
  if list[1] then return list end
  return nil, ("the robot %s has no hand or tool: name a link with --point"):format(description.name)
end

--- The rows of a film's joints that turn, as one flat list.
local function joint_rows(film)
  local out, columns = {}, {}
  for column, one in ipairs(film.dofs) do
    if one.dof.unit == "rad" then columns[#columns + 1] = column end
  end
  for _, row in ipairs(film.values) do
    for _, column in ipairs(columns) do out[#out + 1] = row[column] end
  end
  return out, #columns
end

--- The flat lists of links over a film: {link = list}.
local function link_rows(film, description, links)
  local joints, home, lists = {}, description.poses[description.home].joints, {}
  for _, variable in ipairs(description.robot:variables()) do joints[variable.name] = home[variable.name] end
  for _, link in ipairs(links) do lists[link] = {} end
  for _, row in ipairs(film.values) do
    for column, one in ipairs(film.dofs) do
      if not one.dof.outside then joints[one.name] = row[column] end
    end
    local poses = description.robot:forward({ joints = joints }).links
    for link, list in next, lists do table.move(poses[link].position, 1, 3, #list + 1, list) end
  end
  return lists
end

local function robot(film, description, name, file)
  if name == "joints" then
    local rows, d = joint_rows(film)
    if d == 0 then return nil, ("%s turns no joint of %s"):format(file, description.name) end
    return { times = film.times, points = rows, dimensions = d, point = name }
  end
  local links, why = links_of(description, name)
  if not links then return nil, why end
  local list, key = longest(link_rows(film, description, links), 3)
  return { times = film.times, points = list, dimensions = 3, point = key }
end

-- Both -----------------------------------------------------------------------------------------------

--- The sequence of a file on a robot; or the clip of a person, if `options` name no robot for it: sequence,
--- description, nil or nil, nil, clip; or nil and a sentence.
local function read(file, options)
  if options.on or file:match "%.lua$" then
    local made, notes, description = motions.sequence(file, options.on or options.robot, options.motion)
    if not made then return nil, notes end
    return made, description
  end
  local found, why = motions.read(file, options.motion)
  if not found then return nil, why end
  if found.kind == "skeleton" then return nil, nil, found end
  if not options.robot then return nil, file .. ": a motion of joints needs a robot: --robot" end
  local made, notes, description = motions.fit(found, options.robot, options.motion)
  if not made then return nil, notes end
  return made, description
end

--- The parts of a skeleton that a mapping names; nil: none.
local function named_parts(options)
  if not options.motion.map then return nil end
  local map, why = motions.map_for({}, options.motion)
  if not map then return nil, why end
  return map.nodes
end

--- The path of a point in a motion file, and the name of the point; or nil and a sentence that names the
--- file. `options`: point; on (a robot that the motion is fitted to; a person's is retargeted); robot (of
--- motions of joints); motion (as of motion_files).
function points.read(file, options)
  local made, description, found = read(file, options)
  if not (made or found) then return nil, description end
  local name = options.point or points.usual
  local out, why
  if found then
    local parts, fault = named_parts(options)
    if fault then return nil, fault end
    out, why = clip.try(person, found, name, parts)
    why = why and ("%s: %s"):format(file, why)
  else
    local film, fault = motions.film(made, description, file, path.rate)
    if not film then return nil, fault end
    out, why = robot(film, description, name, file)
  end
  if not out then return nil, why end
  local one = path.of(out.times, out.points, out.dimensions)
  if not one then return nil, file .. ": has one frame, expected a motion" end
  return one, out.point
end

return points
