--- Mirrors a tree between left and right: a node, or all of its contents, by reflection of frames.
---     local m = mirrors.new { description = robot's, sequences = by name, skills = by name, plane = "y" }
---       all may be left out
---     local op, why = mirrors.operation(doc, id, m)     mirror a node with its contents in place: one edit
---     local op, why = mirrors.copy(doc, id, ids, m)     a mirrored copy after it
---     m.said                                            sentences on names without a counterpart, which
---                                                       are unchanged
---
--- Names, sides, links, presets, sequences and skills become their counterparts; positions, orientations,
--- screws and steps are reflected in the plane between left and right; joints are mirrored as the robot
--- defines it (brio.motion.mirror).  Mirroring twice gives the original.  A kind of leaf may have its own
--- function: mirror(form, m) returns the fields to change.
---
--- The reflection of a pose T is M T M, where M is the identity with the plane's normal negated, so that
--- the result is a pose again.  The axes of links on the two sides need not be mirror images: if R and R'
--- are the orientations of a link and its counterpart in the robot's neutral configuration, the correction
--- is C = (M R M)^-1 R', and a pose of a link in a frame becomes C_frame^-1 (M T M) C_link.
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

--- A name with left and right exchanged: "leftHand", "Left Hand", "left_hand", but not "bright".
function mirrors.word(text)
  return (text:gsub("%a+", function(run)
    return words[run] or run:gsub("%u?%l+", words)
  end))
end

--- A name's counterpart among known names; the name itself if there is none.
local function counterpart(name, known)
  local other = mirrors.word(name)
  if other ~= name and known[other] then return other end
  return robot_mirror.other(name, known)
end

-- Reflections -----------------------------------------------------------------------------------------------

local axes = { x = 1, y = 2, z = 3 }

--- The sign of a number about or along an axis: rotations about the plane's normal keep it, translations
--- along it change it.
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

--- Numbers to which nearby values are rounded, so that mirroring adds no rounding errors.
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

--- Whether a rotation is the identity.
local function is_one(q) return math.abs(q[4]) > 1 - 1e-12 end

--- The correction from the reflection of a link to its counterpart.
function Mirror:twist(link, other)
  local known = self.twists[link]
  if known then return known end
  local made, back = one, one
  local a, b = self.links[link], self.links[other]
  if a and b then
    made = snapped(geometry.times(inverse(reflected_turn(self, a.orientation)), b.orientation))
    back = inverse(reflected_turn(self, made))
    local off = geometry.angle(made, back)
    -- a link without a side, at an angle to the plane
    if link == other and off > 1e-6 then made, back = one, one end
  end
  self.twists[link] = made
  if link ~= other then self.twists[other] = back end
  return made
end

--- The link that a frame's name means, or nil; and that of its counterpart.
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

-- Interface for leaves --------------------------------------------------------------------------------------

--- A person's name for something, with left and right exchanged.
function Mirror:name(text) return mirrors.word(text) end

--- "left" for "right".
function Mirror:side(side) return words[side] or side end

--- The counterpart of a frame: a link, a role, or another name.
function Mirror:frame(name)
  if name == nil then return nil end
  if self.description and (self.links[name] or self.description.roles[name]) then
    return counterpart(name, self.links[name] and self.links or self.description.roles)
  end
  return mirrors.word(name)
end

--- A counterpart that must exist: otherwise the name is unchanged, with a sentence.
function Mirror:known(name, known, what)
  local other = counterpart(name, known)
  if other == name and mirrors.word(name) ~= name and next(known) then
    self.said[#self.said + 1] = ("%s '%s' has no counterpart '%s': it stays"):format(what, name,
      mirrors.word(name))
  end
  return other
end

--- A point or direction in a frame.
function Mirror:position(position, frame)
  local twist, reflected = twist_of_frame(self, frame), reflected_vector(self, position)
  return is_one(twist) and reflected or geometry.turn(inverse(twist), reflected)
end

--- An orientation in a frame; with the names of a link and its counterpart, that of the link.
function Mirror:orientation(orientation, frame, link, other)
  local made, twist = reflected_turn(self, orientation), twist_of_frame(self, frame)
  if not is_one(twist) then made = geometry.times(inverse(twist), made) end
  local own = link and self:twist(link, other or link) or one
  return is_one(own) and made or geometry.times(made, own)
end

--- A pose, { position =, orientation = }, both optional.
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

--- Groups of joints by name (speeds of fingers): only the names are mirrored.
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

--- The limbs of leaves that are not named after one.
local limb_of = { screw = "arm", chest = "spine", wrench = "arm" }

--- The link to which a node's poses refer, and its counterpart; nil: unknown.
local function link_of(self, kind, fields)
  local name = limb_of[kind] or limbs.kinds[kind] and kind
  if not name or not self.description then return nil end
  local limb = limbs.find(self.description, name, fields)
  if not limb or not limb.link then return nil end
  local other = limbs.find(self.description, name, { part = fields.part and self:frame(fields.part),
    side = fields.side and self:side(fields.side), link = fields.link and self:frame(fields.link) })
  return limb.link, other and other.link or limb.link
end

--- A list of values of a limb's joints, in its order.
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

--- Steps, waypoints and shapes: tables with fields like those of nodes.
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

--- A point in the plane: a list {x, y}, or {x =, y =, yaw =}.
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

--- Arguments of a subtree or a skill: sides, names of frames, and poses among them.
local function with(self, node, value)
  if type(value) == "string" then return words[value] or value end
  if type(value) ~= "table" then return value end
  if type(value.position) == "table" or type(value.orientation) == "table" then return self:pose(value) end
  local made = {}
  for key, item in next, value do made[key] = with(self, node, item) end
  return made
end

--- Functions by name of field: function(self, node, value, around) returns the mirrored value, or nil and
--- the reason if that is impossible. Other fields are unchanged.
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

--- A table's field, mirrored; nil and the reason if that is impossible.
function any(self, node, key, value, around)
  if type(key) == "number" then return each(self, node, value) end
  if swapped[key] then return each(self, node, value) end
  local meaning = meanings[key]
  if not meaning or type(value) == "string" and value:sub(1, 1) == "$" then return value end
  return meaning(self, node, value, around)
end

--- All fields of a node, mirrored.  nil and the reason if that is impossible.
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

--- Mirror a node with all its contents in place.
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

--- A mirrored copy of a node with all its contents, after it.
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
