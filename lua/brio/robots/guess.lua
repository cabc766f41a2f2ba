--- Guesses what a URDF without a robot.lua lacks: roles of links, parts of the body, accelerations.
---
--- Roles follow from the structure of the robot (chains of joints, their ends, pairs) and from names. If both
--- agree, a role is sure; if only one gives it, likely. It is one step less sure if several links qualify, or
--- none has a matching name. A person should check weak guesses.
local geometry = require "brio.lib.geometry"
local names = require "brio.robots.names"
local structure = require "brio.robots.structure"

local guess = {}

--- Words in the names of links for each role, with their scores, and those that count against it. Names of
--- only these words and "link" or "frame" score higher.
local preferences = {
  hand = { tcp = 9, grasping = 9, grasp = 9, palm = 7, tool = 6, hand = 6, gripper = 5, ee = 5, effector = 5,
    ["end"] = 1, flange = 3, rubber = 1, base = 1, wrist = 1 },
  foot = { sole = 9, foot = 8, toe = 3, ankle = 1 },
  head = { head = 8, skull = 7, face = 7, helmet = 6, visor = 6, neck = 3, display = 2, screen = 2,
    monitor = 2, tilt = 1, pitch = 1 },
  gaze = { gaze = 12, camera = 6, rgb = 3, top = 2, stereo = 3, kinect = 4, xtion = 4, rgbd = 4,
    realsense = 4, d435 = 4, zed = 4, multisense = 4, center = 1 },
  torso = { torso = 8, chest = 7, trunk = 7, utorso = 7, thorax = 6, body = 4, spine = 2, waist = 1 },
  pelvis = { pelvis = 8, hip = 6, hips = 6, base = 4, torso = 3, trunk = 3, body = 3, waist = 2 },
  tool = { tcp = 9, tool = 8, ee = 7, effector = 7, grasp = 7, grasping = 7, hand = 5, palm = 5, gripper = 5,
    ["end"] = 1, flange = 4 },
}

--- Words of links that are only sensors, or parts of something.
local against = { "sensor", "finger" }
local parts_of_things = { "cover", "support", "contour", "logo", "motor", "inner", "outer", "mount", "led",
  "box", "left", "right", "pad", "safety", "screw", "constraint", "rod", "dummy", "crank", "slider",
  "parallel", "center", "plate", "cop", "adapter" }

--- A frame looks forward if its x axis is within 60 degrees of that of the world. If there is a movable head
--- as an alternative, a camera's must be within 30 degrees: one that is tilted towards the floor is not a
--- face, and a robot that points it at people would lean back.
local looks_forward, looks_level = 0.5, 0.866

--- Score of a link's name for a role.
local function fit_of(name, role, of_side)
  local list, score, plain = names.words(name), 0, true
  for _, word in ipairs(list) do
    local counts = preferences[role][word] or preferences[role][word:match "^[lr](%a%a%a+)$" or word]
    local neutral = word == "link" or word == "frame" or names.side(word) ~= nil or word:match "^%d+$"
    if counts then score = score + counts elseif not neutral then plain = false end
  end
  if score == 0 then return 0 end
  for _, kind in ipairs(against) do score = score - (names.has(name, kind) and 6 or 0) end
  for _, word in ipairs(parts_of_things) do
    local counts = names.contains(name, word) and not preferences[role][word]
    if counts and not (of_side and names.side(word)) then score = score - 4 end
  end
  return math.max(0, score + (plain and 2 or 0))
end

--- Whether two links have the same position and orientation.
local function coincide(a, b)
  local turned = 0
  for k = 1, 4 do turned = turned + a.orientation[k] * b.orientation[k] end
  return geometry.distance(a.position, b.position) < 0.002 and math.abs(turned) > 0.9999
end

--- The link in `list` with the highest score for a role, and others, at other positions, with the same score;
--- nil if none has a positive score.
local function best_of(form, list, role, of_side)
  local best, most, others = nil, 0, {}
  for _, name in ipairs(list) do
    local score = fit_of(name, role, of_side)
    if score > most then
      best, most, others = name, score, {}
    elseif score == most and best and not coincide(form.poses[best], form.poses[name]) then
      local shorter = #names.words(name) < #names.words(best)
      others[#others + 1] = shorter and best or name
      best = shorter and name or best
    end
  end
  return best, others
end

--- Addition to the reason of a guess: the links that were equally good.
local function or_else(others) return #others > 0 and "; or " .. table.concat(others, ", ") or "" end

--- One step less sure, if other links qualify as well.
local less = { sure = "likely", likely = "weak", weak = "weak" }
local function unless(others, sure) return #others > 0 and less[sure] or sure end

-- Limbs -----------------------------------------------------------------------------------------------------

--- Number of bodies of a limb with names of each kind; the most frequent kind, if any.
local function kind_by_names(limb)
  local best, most = nil, 0
  for _, kind in ipairs { "arm", "leg", "head", "wheel" } do
    local count = 0
    for _, body in ipairs(limb) do
      local found = names.has(body.joint.name, kind)
      for _, link in ipairs(body.links) do found = found or names.has(link, kind) end
      count = count + (found and 1 or 0)
    end
    if count > most then best, most = kind, count end
  end
  return best
end

local function lowest_of(body, poses)
  local low = math.huge
  for _, link in ipairs(body.links) do low = math.min(low, poses[link].position[3]) end
  return low
end

--- The kind of a limb by its position: legs end at the robot's lowest point, heads are short and central.
local function kind_by_structure(limb, form)
  local start = form.poses[limb[1].links[1]].position
  local low = lowest_of(limb[#limb], form.poses)
  local deep = low <= form.lowest + 0.15 * form.height and start[3] - low >= 0.5 * limb.length
  if #limb >= 3 and deep then return "leg" end
  if #limb >= 3 and (#limb > 4 or limb.length > 0.25) then return "arm" end
  if #limb <= 4 and limb.start ~= form.root and math.abs(start[2]) < 0.05 then return "head" end
end

--- Distance of a limb to the left, m.
local function aside(limb, form)
  local y = 0
  for _, body in ipairs(limb) do
    local at = form.poses[body.links[1]].position[2]
    if math.abs(at) > math.abs(y) then y = at end
  end
  return y
end

--- The side of a limb, by its names, or else by its position: y is left. Also whether its names give it.
local function side_of(limb)
  local count = { left = 0, right = 0 }
  for _, body in ipairs(limb) do
    local side = names.side(body.links[1]) or names.side(body.joint.name)
    if side then count[side] = count[side] + 1 end
  end
  if count.left ~= count.right then return count.left > count.right and "left" or "right", true end
  return limb.y > 0.02 and "left" or limb.y < -0.02 and "right" or nil, false
end

--- Minimum number of joints of a limb of each kind, if its names give the kind, and if they do not.
local fewest = { arm = 2, leg = 2, head = 1, wheel = 1, unnamed = 3 }

--- The limbs that may be a head: those with matching names, or else those that end above the beginnings of
--- all arms.
local function likely_heads(heads, arms, form)
  local named, above = {}, {}
  for _, limb in ipairs(heads) do
    local high, z = #arms > 0, form.poses[limb[#limb].links[1]].position[3]
    for _, arm in ipairs(arms) do high = high and z > form.poses[arm[1].links[1]].position[3] end
    if limb.named then named[#named + 1] = limb elseif high then above[#above + 1] = limb end
  end
  return #named > 0 and named or above
end

--- Classify each limb: kind, side, and whether names and structure agree.
local function tell_limbs(form)
  local pairs_of = { arm = {}, leg = {}, head = {}, wheel = {} }
  for _, limb in ipairs(form.limbs) do
    local said, looks = kind_by_names(limb), kind_by_structure(limb, form)
    limb.kind, limb.named, limb.agrees = said or looks, said ~= nil, said == looks
    limb.y = aside(limb, form)
    limb.side, limb.side_named = side_of(limb)
    local least = limb.kind == "head" and 1 or fewest[said or "unnamed"]
    if limb.kind and #limb >= least then table.insert(pairs_of[limb.kind], limb) end
  end
  pairs_of.head = likely_heads(pairs_of.head, pairs_of.arm, form)
  return pairs_of
end

--- The end of a limb, in words.
local function end_of(what, limb)
  local start = limb.start.links[1]
  return ("the end of the %s, %d joint%s from %s"):format(what, #limb, #limb == 1 and "" or "s", start)
end

--- Confidence in a limb's role: by names and structure together, or by one of them.
local function sureness(limb, sided)
  local side_known = not sided or limb.side_named and not limb.crossed
  return limb.named and limb.agrees and side_known and "sure" or "likely"
end

--- The links at the end of a limb: of its last body, and the first ones of the bodies that move on it.
local function ends_of(limb)
  local list = {}
  for _, link in ipairs(limb[#limb].links) do list[#list + 1] = link end
  for _, child in ipairs(limb[#limb].children) do list[#list + 1] = child.links[1] end
  return list
end

--- The links on a body and on all bodies attached to it.
local function links_on(body, list)
  for _, link in ipairs(body.links) do list[#list + 1] = link end
  for _, child in ipairs(body.children) do links_on(child, list) end
  return list
end

--- The links that branch off a limb before its end.
local function links_beside(limb)
  local on, list = {}, {}
  for _, body in ipairs(limb) do on[body] = true end
  for index = 1, #limb - 1 do
    for _, child in ipairs(limb[index].children) do
      if not on[child] then links_on(child, list) end
    end
  end
  return list
end

--- The link at a limb's end for a role, the confidence, and why.
local function end_role(form, limb, role, what)
  local link, others = best_of(form, ends_of(limb), role, limb.side)
  local why = end_of(what, limb)
  local sure = unless(others, sureness(limb, role ~= "tool"))
  if not link then -- as on a leg whose longest chain is a rod that drives its foot
    link, others = best_of(form, links_beside(limb), role, limb.side)
    if link then sure, why = unless(others, "likely"), ("its name, beside %s"):format(why) end
  end
  if not link then
    link, sure, why = limb[#limb].links[1], less[sure], ("%s; no link there is named a %s"):format(why, role)
  end
  if not limb.named then why = why .. ", by its structure alone" end
  if limb.crossed then why = why .. "; by its place it is of the other side, unless x points backward" end
  return { link = link, sure = sure, why = why .. or_else(others), crossed = limb.crossed }
end

--- The only limb of a side; nil if there is none or there are several.
local function only(limbs, side)
  local found
  for _, limb in ipairs(limbs) do
    if limb.side == side then
      if found then return nil end
      found = limb
    end
  end
  return found
end

--- Hands or feet: the limbs of a pair, by side.
local function paired(form, found, limbs, role, what)
  local both = { left = only(limbs, "left"), right = only(limbs, "right") }
  local crossed = both.left and both.right and both.left.y < both.right.y
  for _, side in ipairs { "left", "right" } do
    if both[side] and (#limbs > 1 or both[side].side_named) then
      both[side].crossed = crossed
      found[side .. "_" .. role] = end_role(form, both[side], role, side .. " " .. what)
    end
  end
end

-- The trunk -------------------------------------------------------------------------------------------------

local function trunk_role(form, body, role, why)
  local link, others = best_of(form, body.links, role)
  local sure = unless(others, link and "sure" or "likely")
  if not link then why = why .. "; no link of it is named so" end
  return { link = link or body.links[1], sure = sure, why = why .. or_else(others) }
end

local function starts(...)
  local list = {}
  for _, limb in ipairs { ... } do list[#list + 1] = limb.start end
  return list
end

--- Torso and pelvis: the bodies to which arms and head, and to which the legs are attached.
local function trunk(form, found, limbs)
  local arms, legs, heads = limbs.arm, limbs.leg, limbs.head
  local up, down = starts(table.unpack(arms)), starts(table.unpack(legs))
  if heads[1] then up[#up + 1] = heads[1].start end
  local pair = legs[1] and #legs == 2
  if #up >= 2 then
    local body = structure.common(up)
    local role = trunk_role(form, body, "torso", #arms < 2 and "the arm and the head hang on it"
      or heads[1] and "the arms and the head hang on it" or "the arms hang on it")
    local far = body == form.root and not pair and not heads[1] and fit_of(role.link, "torso") == 0
    if not far then found.torso = role end
  end
  if pair then
    local body = structure.common(down)
    found.pelvis = trunk_role(form, body, "pelvis", "the legs hang on it")
    local why = "the legs hang on it, and there is nothing above"
    found.torso = found.torso or trunk_role(form, body, "torso", why)
  end
  if not found.torso and legs[1] and best_of(form, form.root.links, "torso") then
    found.torso = trunk_role(form, form.root, "torso", "the legs hang on it")
  end
end

-- Head and gaze ---------------------------------------------------------------------------------------------

--- Alignment of a frame with the x axis of the world: of its own x, or of its z, as for optical frames of
--- cameras.
local function forward_of(pose)
  local q = pose.orientation
  local along_x, along_z = 1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[3] + q[2] * q[4])
  return math.max(along_x, along_z)
end

--- Whether a link's name is that of a camera.
local function sees(link)
  return names.has(link, "camera") or names.has(link, "rgb") or names.contains(link, "gaze")
end

--- Score of a name that is surely a head's; a neck or a display may belong to something else.
local clearly_head = 6

--- Share of the robot's height from which on a camera may stand for a head.
local high_up = 0.8

--- Without another head: a camera that is named as a head's, or, on a robot without arms, one that looks
--- ahead from the top. A robot with arms and no head has its face on the torso.
local function seeing_head(form, model, arms)
  local named, high = {}, {}
  for _, link in ipairs(model:links()) do
    local pose = form.poses[link]
    if sees(link) and forward_of(pose) >= looks_level then
      if names.has(link, "skull") then named[#named + 1] = link end
      local is_high = pose.position[3] >= form.lowest + high_up * form.height
      if is_high and #arms == 0 then high[#high + 1] = link end
    end
  end
  local of_head = #named > 0
  local link, others = best_of(form, of_head and named or high, "gaze")
  if not link then return nil end
  return { link = link, sure = "weak", why = (of_head and "a camera that is named as a head's"
    or "a camera that looks ahead from the top, as no link is named as a head") .. or_else(others) }
end

--- A head that no joint moves, or with a matching name: a link by its name.
local function named_head(form, model, arms)
  local list = {}
  for _, link in ipairs(model:links()) do
    local senses = names.has(link, "camera") or names.has(link, "sensor")
    if names.has(link, "skull") and not senses then list[#list + 1] = link end
  end
  local link, others = best_of(form, list, "head")
  if not link then return seeing_head(form, model, arms) end
  local clear = fit_of(link, "head") >= clearly_head
  return { link = link, sure = unless(others, clear and "likely" or "weak"),
    why = "its name; no chain of joints leads to it alone" .. or_else(others) }
end

local function head(form, found, limbs, model)
  local heads, limb = limbs.head, limbs.head[1]
  if not limb then
    found.head = named_head(form, model, limbs.arm)
    return
  end
  local last = limb[#limb]
  local link, others = best_of(form, last.links, "head")
  if names.contains(last.links[1], "head") then link, others = last.links[1], {} end
  local sure = unless(others, link and limb.named and "sure" or "likely")
  found.head = { link = link or last.links[1], sure = #heads > 1 and less[sure] or sure,
    why = end_of("neck", limb) .. or_else(others) }
end

local function gaze(form, found)
  local on = found.head or found.torso
  local body = on and form.of_link[on.link]
  if not body then return end
  local list, least = {}, found.head and looks_level or looks_forward
  for _, link in ipairs(found.head and links_on(body, {}) or body.links) do
    if sees(link) and forward_of(form.poses[link]) >= least then list[#list + 1] = link end
  end
  local link, others = best_of(form, list, "gaze")
  if link then
    found.gaze = { link = link, sure = unless(others, "sure"),
      why = ("a camera on %s that looks forward%s"):format(on.link, or_else(others)) }
  end
end

-- All of it -------------------------------------------------------------------------------------------------

--- A tool: the end of the only arm, or, without an arm, a link with the name of a tool.
local function tool(form, found, arms, model)
  if #arms == 1 then
    found.tool = end_role(form, arms[1], "tool", "arm")
    return
  end
  if #arms > 1 or found.left_foot then return end
  local link = best_of(form, model:links(), "tool")
  if link and #form.limbs <= 1 then found.tool = { link = link, sure = "likely", why = "its name" } end
end

--- The DOFs of the joints that move these bodies; nil if there are none.
local function dofs_of(bodies)
  local dofs = {}
  for _, body in ipairs(bodies) do
    local variables = body.joint.mimic and {} or body.joint.variables
    table.move(variables, 1, #variables, #dofs + 1, dofs)
  end
  return #dofs > 0 and dofs or nil
end

--- The bodies between that of the legs, or the root, and the torso.
local function waist_of(form, found)
  local pelvis = found.pelvis and form.of_link[found.pelvis.link] or form.root
  local body = form.of_link[found.torso.link]
  local list = {}
  while body and body ~= pelvis and body.joint do
    table.insert(list, 1, body)
    body = body.parent
  end
  return body == pelvis and list or {}
end

--- The DOFs of limbs, by the usual names of parts of the body.
local function parts_of(form, found, limbs)
  local parts = { torso = found.torso and dofs_of(waist_of(form, found)) }
  local function add(list, name)
    for _, limb in ipairs(list) do
      local part = name:gsub("SIDE", limb.side or "")
      if not part:match "^_" and (only(list, limb.side) or #list == 1) then parts[part] = dofs_of(limb) end
    end
  end
  add(limbs.arm, #limbs.arm > 1 and "SIDE_arm" or "arm")
  add(limbs.leg, "SIDE_leg")
  add(limbs.head, "head")
  return parts
end

--- Guess the roles of a model's links.
---@param model table a robot of brio.robot
---@return table<string, { link: string, sure: "sure"|"likely"|"weak", why: string }> roles
---@return table<string, string[]> parts of the body, as a robot.lua has them: lists of DOFs
---@return fun(link: string): table body_of the rigid body that a link is of
function guess.structure(model)
  local form = structure.of(model)
  local limbs, found = tell_limbs(form), {}
  head(form, found, limbs, model)
  paired(form, found, limbs.arm, "hand", "arm")
  paired(form, found, limbs.leg, "foot", "leg")
  trunk(form, found, limbs)
  gaze(form, found)
  tool(form, found, limbs.arm, model)
  return found, parts_of(form, found, limbs), function(link) return form.of_link[link] end
end

--- Default speed limit of any point of a robot, m/s: slow walking speed; above this mass, kg, or if the mass
--- is unknown, the reduced speed of manual teaching (ISO 10218-1).
guess.speeds = { light = 0.5, heavy = 0.25, mass = 10 }

--- The time in which that speed is reached, s.
guess.speeds.within = 0.5

--- Default speed limit of the points of a model, m/s, and its reason: words for people.
function guess.point_speed(model)
  local mass, speeds = model:moving_mass(), guess.speeds
  if mass > 0 and mass <= speeds.mass then return speeds.light, ("%.1f kg of it move"):format(mass) end
  return speeds.heavy, mass > 0 and ("%.1f kg of it move"):format(mass) or "its file has no masses"
end

--- The default acceleration of a joint: its maximum speed within a tenth of a second; without that speed, 20
--- rad/s^2 or m/s^2.
---@param velocity number? rad/s or m/s
---@return number
function guess.acceleration(velocity)
  if velocity and velocity > 0 and velocity < math.huge then return 10 * velocity end
  return 20
end

return guess
