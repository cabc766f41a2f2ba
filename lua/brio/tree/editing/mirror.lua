--- Left for right in a tree: a node, or all that is in it, mirrored by reflection of frames.
---
---     local m = mirrors.new { description = robot's, sequences = by name, skills = by name, plane = "y" }
---       all may be left out
---     local op, why = mirrors.operation(doc, id, m)     all that is in a node, mirrored where it stands: one
---                                                       edit
---     local op, why = mirrors.copy(doc, id, ids, m)     a mirrored copy behind it
---     m.said                                            sentences on what has no counterpart, and stays
---
--- Names, sides, links, presets, sequences and skills become their counterparts; places, orientations, screws
--- and steps are reflected in the plane that parts left from right; joints are mirrored as the robot does it
--- (brio.motion.mirror).  To mirror twice
--- is to do nothing.  A leaf may do it itself: mirror(form, m) returns the fields to change.
---
--- The reflection of a pose T is M T M, M being the identity but for the plane's normal, which is negated: a
--- place is reflected, an orientation stays one.  Links of the two sides need not be mirror images in how
--- their axes are put: where R and R' are the orientations of a link and its counterpart at the robot's
--- neutral configuration, C = (M R M)^-1 R' leads from the one to the other, and a pose of a link in a frame
--- becomes C_frame^-1 (M T M) C_link.
local author = require "brio.tree.editing.author"
local data = require "brio.tree.editing.data"
local geometry = require "brio.lib.geometry"
local limbs = require "brio.robots.limbs"
local robot_mirror = require "brio.motion.mirror"
local suggest = require "brio.lib.suggest"
local trees = require "brio.tree.model.tree"

local mirrors = {}
local Mirror = {}
Mirror.__index = Mirror

-- Names -----------------------------------------------------------------------------------------------------

local words = { left = "right", right = "left", Left = "Right", Right = "Left", LEFT = "RIGHT",
  RIGHT = "LEFT" }

--- A name with left for right: "leftHand", "Left Hand", "left_hand", but not "bright".
function mirrors.word(text)
  return (text:gsub("%a+", function(run)
    return words[run] or run:gsub("%u?%l+", words)
  end))
end

--- A name's counterpart among those known by name; itself where there is none.
local function counterpart(name, known)
  local other = mirrors.word(name)
  if other ~= name and known[other] then return other end
  return robot_mirror.other(name, known)
end

-- Reflections -----------------------------------------------------------------------------------------------

local axes = { x = 1, y = 2, z = 3 }

--- How numbers about or along an axis change: turns about the plane's normal stay, ways along it are negated.
local function sign_of_turn(self, axis) return axis == self.plane and 1 or -1 end

local function reflected_vector(self, v)
  local made = { v[1], v[2], v[3] }
  local normal = axes[self.plane]
  made[normal] = -made[normal]
  return made
end

local function reflected_turn(self, q)
  return { sign_of_turn(self, "x") * q[1], sign_of_turn(self, "y") * q[2], sign_of_turn(self, "z") * q[3],
    q[4] }
end

local function inverse(q) return { -q[1], -q[2], -q[3], q[4] } end

--- Numbers that are meant to be these, so that mirroring adds nothing of its own.
local round = { 0, 0.5, math.sqrt(0.5), 1 }

local function snapped(q)
  local made, length = {}, 0
  for index, value in ipairs(q) do
    made[index] = value
    for _, number in ipairs(round) do
      if math.abs(math.abs(value) - number) < 1e-6 then
        made[index] = value < 0 and number > 0 and -number or number
      end
    end
    length = length + made[index] ^ 2
  end
  return math.abs(length - 1) < 1e-12 and made or q
end

local one = { 0, 0, 0, 1 }

--- Whether a rotation is none.
local function is_one(q) return math.abs(q[4]) > 1 - 1e-12 end

--- What leads from the reflection of a link to its counterpart.
function Mirror:twist(link, other)
  local known = self.twists[link]
  if known then return known end
  local made, back = one, one
  local a, b = self.links[link], self.links[other]
  if a and b then
    made = snapped(geometry.times(inverse(reflected_turn(self, a.orientation)), b.orientation))
    back = inverse(reflected_turn(self, made))
    local off = geometry.angle(made, back)
    if link == other and off > 1e-6 then made, back = one, one end -- it has no side, and stands askew
  end
  self.twists[link] = made
  if link ~= other then self.twists[other] = back end
  return made
end

--- The link that a frame's name stands for, or nil; and that of its counterpart.
local function links_of(self, frame)
  if not self.description then return nil end
  local link = frame == nil and limbs.root(self.description.robot) or self.description.roles[frame] or frame
  if not self.links[link] then return nil end
  local other = self:frame(frame)
  other = other == nil and link or self.description.roles[other] or other
  return link, self.links[other] and other or link
end

local function twist_of_frame(self, frame)
  local link, other = links_of(self, frame)
  return link and self:twist(link, other) or one
end

--- A mirror; see above.
function mirrors.new(site)
  local description = site and site.description
  local self = setmetatable({ description = description, sequences = site and site.sequences or {}, said = {},
    skills = site and site.skills or {}, plane = site and site.plane or "y", twists = {}, links = {} },
      Mirror)
  if not axes[self.plane] then
    error(("plane must be \"x\", \"y\" or \"z\", not '%s'"):format(tostring(self.plane)), 2)
  end
  if description then
    self.links = description.robot:forward(description.robot:neutral()).links
    self.joints_of = robot_mirror.of(description)
  end
  return self
end

-- What leaves ask for ---------------------------------------------------------------------------------------

--- A name that people gave, with left for right.
function Mirror:name(text) return mirrors.word(text) end

--- "left" for "right".
function Mirror:side(side) return words[side] or side end

--- A frame's counterpart: a link, a role, or whatever is called so.
function Mirror:frame(name)
  if name == nil then return nil end
  if self.description and (self.links[name] or self.description.roles[name]) then
    return counterpart(name, self.links[name] and self.links or self.description.roles)
  end
  return mirrors.word(name)
end

--- A counterpart that must be there: else the name stays, and that is said.
function Mirror:known(name, known, what)
  local other = counterpart(name, known)
  if other == name and mirrors.word(name) ~= name and next(known) then
    self.said[#self.said + 1] = ("%s '%s' has no counterpart '%s': it stays"):format(what, name,
      mirrors.word(name))
  end
  return other
end

--- A point in a frame; a direction alike.
function Mirror:position(position, frame)
  local twist, reflected = twist_of_frame(self, frame), reflected_vector(self, position)
  return is_one(twist) and reflected or geometry.turn(inverse(twist), reflected)
end

--- An orientation in a frame: of a link, if its name and its counterpart's are given.
function Mirror:orientation(orientation, frame, link, other)
  local made, twist = reflected_turn(self, orientation), twist_of_frame(self, frame)
  if not is_one(twist) then made = geometry.times(inverse(twist), made) end
  local own = link and self:twist(link, other or link) or one
  return is_one(own) and made or geometry.times(made, own)
end

--- A pose, { position =, orientation = } of which each may be left out.
function Mirror:pose(pose, frame, link, other)
  local made = {}
  for key, value in next, pose do made[key] = value end
  if type(pose.position) == "table" then made.position = self:position(pose.position, frame) end
  if type(pose.orientation) == "table" then
    made.orientation = self:orientation(pose.orientation, frame, link, other)
  end
  return made
end

--- Values of joints by name.
function Mirror:joints(values)
  local made = {}
  for name, value in next, values do
    local row = self.joints_of and self.joints_of[name]
    made[row and row.other or mirrors.word(name)] = row and type(value) == "number" and row.sign * value
      or value
  end
  return made
end

--- Whole groups of joints by name (fingers' speeds): names alone.
function Mirror:names(values)
  local made = {}
  for name, value in next, values do
    local row = self.joints_of and self.joints_of[name]
    made[row and row.other or self:frame(name)] = value
  end
  return made
end

--- The counterparts of names of DOFs, groups, parts and links, in a list.
function Mirror:list(names)
  local made = {}
  for index, name in ipairs(names) do
    made[index] = type(name) == "string" and next(self:names { [name] = true }) or name
  end
  return made
end

-- Nodes -----------------------------------------------------------------------------------------------------

--- Which limb leaves move that are not called after it.
local limb_of = { screw = "arm", chest = "spine", wrench = "arm" }

--- The link that a node's poses are of, and its counterpart; nil: not known.
local function link_of(self, kind, fields)
  local name = limb_of[kind] or limbs.kinds[kind] and kind
  if not name or not self.description then return nil end
  local limb = limbs.find(self.description, name, fields)
  if not limb or not limb.link then return nil end
  local other = limbs.find(self.description, name, { part = fields.part and self:frame(fields.part),
    side = fields.side and self:side(fields.side), link = fields.link and self:frame(fields.link) })
  return limb.link, other and other.link or limb.link
end

--- A list of a limb's joints, in its order.
local function joint_list(self, node, values)
  local name = limb_of[node.kind] or limbs.kinds[node.kind] and node.kind
  local limb, why = nil, "a list of joints is mirrored on a robot, and there is none"
  if self.description and name then limb, why = limbs.find(self.description, name, node.fields) end
  if not limb then return nil, why end
  local made = {}
  for index, value in ipairs(values) do
    local row = self.joints_of[limb.dofs[index]]
    made[index] = row and type(value) == "number" and row.sign * value or value
  end
  return made
end

local any

--- Steps, waypoints and shapes: tables in which fields of nodes stand.
local function each(self, node, value)
  if type(value) ~= "table" then return value end
  local made = {}
  for key, item in next, value do
    local why
    made[key], why = any(self, node, key, item, value)
    if made[key] == nil then return nil, why end
  end
  return made
end

--- A place in the plane: a list {x, y}, or {x =, y =, yaw =}.
local function place(self, node, value)
  if type(value) ~= "table" then return value end
  if type(value[1]) == "number" then
    local made = reflected_vector(self, value)
    return { made[1], made[2], made[3] }
  end
  return each(self, node, value)
end

local function names(self, _, value)
  local made = {}
  for index, name in ipairs(type(value) == "table" and value or {}) do
    local row = self.joints_of and self.joints_of[name]
    made[index] = row and row.other or type(name) == "string" and self:frame(name) or name
  end
  return made
end

local function number(axis, turns)
  return function(self, _, value)
    if type(value) ~= "number" then return value end
    local sign = turns and sign_of_turn(self, axis) or axis == self.plane and -1 or 1
    return sign * value
  end
end

local function text(method)
  return function(self, _, value) return type(value) == "string" and self[method](self, value) or value end
end

local function points(self, node, value)
  if type(value) == "string" then return self:known(value, self.sequences, "the sequence") end
  local made = {}
  for index, item in ipairs(value) do made[index] = place(self, node, item) end
  return made
end

--- Values handed to a subtree or a skill: sides, names of frames, and poses among them.
local function with(self, node, value)
  if type(value) == "string" then return words[value] or value end
  if type(value) ~= "table" then return value end
  if type(value.position) == "table" or type(value.orientation) == "table" then return self:pose(value) end
  local made = {}
  for key, item in next, value do made[key] = with(self, node, item) end
  return made
end

--- What a field means, by its name: function(self, node, value, around) returns it mirrored, or nil and why
--- it cannot be. Others stay as they are.
local meanings = {
  name = text "name", notes = text "name", side = text "side", first = text "side",
  frame = text "frame", link = text "frame", part = text "frame", a = text "frame", b = text "frame",
    what = text "frame",
  object = text "frame", of = text "frame", region_frame = text "frame",
  roll = number("x", true), pitch = number("y", true), yaw = number("z", true), x = number "x",
    y = number "y", z = number "z",
  owns = names, except = names, with = with, waypoints = points, points = points, steps = each,
  shape = each, shapes = each, region = each,
  override = function(self, node, value)
    local made = {}
    for key, item in next, value do
      made[type(key) == "string" and mirrors.word(key) or key] = each(self, node, item)
    end
    return made
  end,
  sequence = function(self, _, value) return self:known(value, self.sequences, "the sequence") end,
  preset = function(self, _, value) return self:known(value, self.description and self.description.poses
    or {}, "the pose") end,
  does = function(self, _, value) return type(value) == "string"
    and self:known(value, self.skills, "the skill") or value end,
  joints = function(self, node, value)
    if type(value) ~= "table" then return value end
    if #value > 0 then return joint_list(self, node, value) end
    return self:joints(value)
  end,
  velocities = function(self, _, value) return type(value) == "table" and self:names(value) or value end,
  pose = function(self, node, value, around)
    if type(value) ~= "table" then return value end
    local link, other = link_of(self, node.kind, node.fields)
    return self:pose(value, around.frame or node.fields.frame, link, other)
  end,
  axis = function(self, node, value)
    return type(value) == "table" and self:pose(value, node.fields.frame) or value
  end,
  stance = function(self, node, value) return type(value) == "table"
    and self:position(value, node.fields.frame) or value end,
  rotation = function(self, node, value)
    return node.kind == "screw" and type(value) == "number" and (self.plane == "x" and value or -value)
      or value
  end,
  translation = function(self, node, value)
    return node.kind == "screw" and type(value) == "number" and (self.plane == "x" and -value or value)
      or value
  end,
}
meanings.holds, meanings.focal, meanings.position = meanings.does, meanings.stance, meanings.stance

--- Feet change places.
local swapped = { left = "right", right = "left" }

--- A table's field, mirrored; nil and why it cannot be.
function any(self, node, key, value, around)
  if type(key) == "number" then return each(self, node, value) end
  if swapped[key] then return each(self, node, value) end
  local meaning = meanings[key]
  if not meaning or type(value) == "string" and value:sub(1, 1) == "$" then return value end
  return meaning(self, node, value, around)
end

--- The fields of a node, mirrored: all that it says.  nil and why that cannot be.
function mirrors.fields(node, m)
  local made = {}
  for key, value in next, node.fields do
    local new, why = value, nil
    if not data.has_thing(value) then new, why = any(m, node, key, value, node.fields) end
    if new == nil then
      return nil, ("'%s': %s: %s"):format(node.fields.name or node.kind, key, why or "cannot be mirrored")
    end
    made[swapped[key] or key] = new
  end
  local record = trees.kinds[node.kind] and trees.kinds[node.kind].record
  if record and record.mirror then
    local changed, gone = record.mirror(node.fields, m)
    for key, value in next, changed or {} do made[key] = value end
    for _, key in ipairs(gone or {}) do made[key] = nil end
  end
  return made
end

-- Edits -----------------------------------------------------------------------------------------------------

--- All that is in a node, mirrored where it stands.
function mirrors.operation(doc, id, m)
  if not doc.nodes[id] then return nil, ("there is no node %s"):format(tostring(id)) end
  local ops = {}
  for _, one_id in ipairs(doc:inside(id)) do
    local node = doc.nodes[one_id]
    local fields, why = mirrors.fields(node, m)
    if not fields then return nil, why end
    local keys = suggest.keys(fields)
    for key in next, node.fields do
      if fields[key] == nil then keys[#keys + 1] = key end
    end
    table.sort(keys)
    for _, key in ipairs(keys) do
      local same = data.equal(fields[key], node.fields[key])
      if not same then ops[#ops + 1] = { op = "set", id = one_id, field = key, value = fields[key] } end
    end
  end
  return author.all(ops, ("%s is mirrored"):format(doc:called(id)))
end

--- A mirrored copy of a node, with all that is in it, behind it.
function mirrors.copy(doc, id, ids, m)
  local op, why = author.duplicate(doc, id, ids)
  if not op then return nil, why end
  for _, node in ipairs(op.nodes) do
    node.fields, why = mirrors.fields(node, m)
    if not node.fields then return nil, why end
  end
  return op
end

return mirrors
