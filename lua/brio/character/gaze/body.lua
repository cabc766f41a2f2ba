--- The parts of a robot's gaze: eyes, a head that carries them, a torso that helps, or the tool of an arm.
---
--- They are described in the file gaze.lua beside the robot's robot.lua (docs/animation/gaze.md); a robot
--- without one uses the link with the role gaze, head or tool.
local chain = require "brio.robots.chain"
local guess = require "brio.character.gaze.guess"
local robots = require "brio.robots.catalog"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local body = {}

local function number(value, unit, doc)
  return { "number", lower = 0, value = value, unit = unit, doc = doc }
end

local function fault_of_scale(value)
  local good = type(value) == "number" and value - value == 0 and value ~= 0
  return not good and "must be a number other than 0: how much of the DOF is a rad" or nil
end

local carrier_field = { "string", doc = "only the joints between it and the link are used" }
local axis_field, up_field = { "vector", doc = "along which it looks; default { 1, 0, 0 }" },
  { "vector", doc = "default { 0, 0, 1 }" }
local turned = { "list", doc = "DOFs outside the kinematic tree that turn it", of = { "record", fields = {
  dof = { "string", needed = true }, at = { "vector", unit = "m" },
    scale = { "number", fault = fault_of_scale } } } }

--- The fields of an aim; `own` has its numbers.
local function aim_fields(own)
  own.link, own.carrier = { "string", doc = "what looks" }, carrier_field
  own.axis, own.up = axis_field, up_field
  own.point = { "vector", unit = "m", doc = "from which it looks" }
  own.keep = number(nil, "", "weight that draws its joints to where they are at home")
  for _, name in ipairs { "threshold", "align", "settle", "beyond", "share" } do
    own[name] = own[name] or number(nil, "", "")
  end
  return own
end

--- The fields of gaze.lua.  tau: of each of two low-pass filters; Probo's neck has 160 ms in total.
body.fields = {
  base = { "string", doc = "the link in which targets of the head are at rest" }, source = "table",
  eyes = { "record", doc = "the eyes", fields = {
    carrier = { "string", doc = "the link that carries them" },
    links = { "list", of = "string", doc = "their links" },
    axis = axis_field, up = up_field, yaw = number(nil, "rad", "range to either side"),
      rise = number(nil, "rad", "range up"),
    fall = number(nil, "rad", "range down"), weight = number(50, "", "of their objectives"),
    margin = number(0.95, "", "share of the range that is used"), pan = turned, tilt = turned,
    speed = number(nil, "rad/s", "greatest speed"),
      acceleration = number(nil, "rad/s²", "greatest acceleration") } },
  head = { "record", doc = "the head, or a tool", fields = aim_fields {
    threshold = number(0, "rad", "up to this angle, only the eyes follow a target"),
    align = number(1, "", "share of the way that it makes beyond that"),
    settle = number(3, "s", "the trunk turns to targets of long gazes"),
    speed = number(1.8, "rad/s", "of its aim"), tau = number(0.08, "s", "of its low-passes"),
    weight = number(25, "", "of its objective"), roll = number(0.2, "", "weight of being level") } },
  torso = { "record", doc = "a torso that takes a share of large angles", fields = aim_fields {
    beyond = number(0.5, "rad", "beyond this angle it takes a share"), share = number(0.4, "", "that share"),
    speed = number(0.6, "rad/s", "of its aim"), tau = number(0.25, "s", "of its low-passes"),
    weight = number(8, "", "of its objective"), roll = number(0.2, "", "weight of being level"),
    yaw = { "boolean", value = true, doc = "it turns aside" },
    pitch = { "boolean", value = true, doc = "it bends" } } },
  explore = { "record", doc = "exploration without a target", fields = {
    spread = number(nil, "rad", "deviation of the directions"),
      every = number(nil, "s", "time between them") } },
}

body.head_defaults = schema.defaults(body.fields.head.fields)
body.torso_defaults = schema.defaults(body.fields.torso.fields)
body.eyes_defaults = schema.defaults(body.fields.eyes.fields)

--- Check directions: the axis along which a link looks, and its up direction, which must not coincide.
local function fault_of_directions(said, part)
  local a, u = said.axis or { 1, 0, 0 }, said.up or { 0, 0, 1 }
  for key, value in pairs { axis = a, up = u } do
    if value[1] ^ 2 + value[2] ^ 2 + value[3] ^ 2 < 1e-12 then
      return ("%s.%s must be a direction such as { 1, 0, 0 }, not { 0, 0, 0 }"):format(part, key)
    end
  end
  local x, y, z = a[2] * u[3] - a[3] * u[2], a[3] * u[1] - a[1] * u[3], a[1] * u[2] - a[2] * u[1]
  local square = (a[1] ^ 2 + a[2] ^ 2 + a[3] ^ 2) * (u[1] ^ 2 + u[2] ^ 2 + u[3] ^ 2)
  if x ^ 2 + y ^ 2 + z ^ 2 < 1e-8 * square then
    return ("%s: axis (default { 1, 0, 0 }) and up (default { 0, 0, 1 }) must be two directions"):format(part)
  end
end

local function fault_of_link(name, links, what)
  if links[name] ~= nil then return nil end
  return ("%s: the robot has no link '%s'%s"):format(what, tostring(name),
    suggest.hint(tostring(name), suggest.keys(links)))
end

--- Check that a carrier carries the link: `links` has the parent link by name.
local function fault_of_carrier(carrier, link, links, what)
  local fault = fault_of_link(carrier, links, what)
  if fault then return fault end
  local at = link
  while at and at ~= carrier do at = links[at] end
  if at and link ~= carrier then return nil end
  return ("%s: '%s' does not carry '%s'"):format(what, carrier, link)
end

--- DOFs that turn eyes outside the kinematic tree: { { dof =, at =, scale = }, ... }.
local function fault_of_dofs(rows, dofs, what)
  if rows and #rows == 0 then return what .. " must not be empty" end
  for _, row in ipairs(rows or {}) do
    if not dofs[row.dof] then
      return ("%s: the robot has no DOF '%s'%s"):format(what, row.dof,
        suggest.hint(row.dof, suggest.keys(dofs)))
    end
  end
end

local function fault_of_eyes(eyes, links, dofs)
  if not eyes.carrier then return "eyes: carrier must name the link that carries them" end
  if not (eyes.links or eyes.pan) then
    return "eyes: links must list the links of the eyes, or pan the DOFs that turn them"
  end
  local fault = fault_of_link(eyes.carrier, links, "eyes.carrier")
    or fault_of_dofs(eyes.pan, dofs, "eyes.pan")
    or fault_of_dofs(eyes.tilt, dofs, "eyes.tilt") or eyes.links and #eyes.links == 0
      and "eyes.links must not be empty" or nil
  for _, name in ipairs(eyes.links or {}) do
    fault = fault or fault_of_link(name, links, "eyes.links")
      or fault_of_carrier(eyes.carrier, name, links, "eyes.carrier")
  end
  return fault
end

local function fault_of_aim(said, links, part)
  return fault_of_link(said.link, links, part .. ".link")
    or said.carrier and fault_of_carrier(said.carrier, said.link, links, part .. ".carrier") or nil
end

--- An aim is fixed in its base, so joints that move for the aim must not move the base: otherwise the aim
--- would move with it without end.
local function fault_of_base(said, description, part)
  local aim, model = said[part], description.robot
  if not said.base or not aim then return nil end
  local turns = chain.common(chain.variables(model, said.base), chain.variables(model, aim.link, aim.carrier))
  if not turns and (aim.carrier or (description.base or "fixed") == "fixed") then return nil end
  return ("base: '%s' turns with %s, which turns the %s: %s.carrier or a base below it must be named"):format(
    said.base, turns and "'" .. turns .. "'" or "the robot's base", part, part)
end

--- The error in a robot's gaze settings: a sentence, or nil.
function body.fault(said, description)
  local links, dofs = {}, {}
  for _, link in ipairs(description.robot:links()) do
    links[link] = description.robot:link(link).parent or false
  end
  for _, dof in ipairs(description.dofs) do dofs[dof.name] = true end
  local fault = schema.fault(said, body.fields, "gaze")
  if fault then return fault end
  if not (said.eyes or said.head) then return "gaze: it needs eyes or a head" end
  for _, part in ipairs { "eyes", "head", "torso", "explore" } do
    if said[part] then
      if part == "head" or part == "torso" then fault = fault or fault_of_aim(said[part], links, part) end
      fault = fault or fault_of_directions(said[part], part)
    end
  end
  if fault then return fault end
  return said.base and fault_of_link(said.base, links, "base") or fault_of_base(said, description, "head")
    or fault_of_base(said, description, "torso") or said.eyes and fault_of_eyes(said.eyes, links, dofs) or nil
end

local function with_defaults(said, defaults)
  local made = {}
  for key, value in next, defaults do made[key] = value end
  for key, value in next, said do made[key] = value end
  return made
end

--- The DOFs that move a link relative to a carrier, the nearest first, with the axis of each.
local function joints_between(description, link, carrier)
  local list, by_name = {}, {}
  for _, dof in ipairs(description.dofs) do by_name[dof.name] = dof end
  for _, joint in ipairs(chain.joints(description.robot, link, carrier)) do
    local dof = by_name[joint.name]
    if dof then list[#list + 1] = { dof = dof, axis = joint.axis } end
  end
  return list
end

--- Range and speed of an eye from straight ahead, by its joints: {left, right, rise, fall, speed,
--- acceleration}.
local function reach_of(description, eyes)
  local reach = { yaw = math.huge, rise = math.huge, fall = math.huge, speed = math.huge,
    acceleration = math.huge }
  for _, link in ipairs(eyes.links) do
    for _, joint in ipairs(joints_between(description, link, eyes.carrier)) do
      local dof, axis = joint.dof, joint.axis
      reach.speed, reach.acceleration = math.min(reach.speed, dof.velocity),
        math.min(reach.acceleration, dof.acceleration)
      if math.abs(axis[3]) > 0.7 then
        reach.yaw = math.min(reach.yaw, dof.upper, -dof.lower)
      elseif math.abs(axis[2]) > 0.7 then -- about y, to the left: a positive turn looks down
        local down, up = dof.upper, -dof.lower
        if axis[2] < 0 then down, up = up, down end
        reach.rise, reach.fall = math.min(reach.rise, up), math.min(reach.fall, down)
      end
    end
  end
  return reach
end

--- The same for eyes turned by DOFs outside the tree.
local function reach_of_dofs(description, eyes)
  local by_name, reach = {}, { yaw = 0.6, rise = 0.5, fall = 0.5, speed = math.huge,
    acceleration = math.huge }
  for _, dof in ipairs(description.dofs) do by_name[dof.name] = dof end
  for _, row in ipairs(eyes.pan) do
    local dof, scale = by_name[row.dof], row.scale or 1
    reach.yaw = math.min(reach.yaw, math.abs(dof.upper / scale), math.abs(dof.lower / scale))
    reach.speed = math.min(reach.speed, math.abs(dof.velocity / scale))
    reach.acceleration = math.min(reach.acceleration, math.abs(dof.acceleration / scale))
  end
  for _, row in ipairs(eyes.tilt or {}) do -- up is positive, times scale
    local dof, scale = by_name[row.dof], row.scale or 1
    local one, other = dof.upper / scale, dof.lower / scale
    reach.rise, reach.fall = math.min(reach.rise, math.max(one, other, 0)),
      math.min(reach.fall, math.max(-one, -other, 0))
  end
  return reach
end

--- The eyes' part with all values: range, speed, and their center in the carrier.
local function whole_eyes(description, said)
  local eyes = with_defaults(said, body.eyes_defaults)
  local reach = eyes.links and reach_of(description, eyes) or reach_of_dofs(description, eyes)
  for key, most in next, { yaw = 0.6, rise = 0.5, fall = 0.5 } do
    eyes[key] = eyes[key] or eyes.margin * (reach[key] < math.huge and reach[key] or most)
  end
  eyes.speed = eyes.speed or reach.speed < math.huge and reach.speed or 8
  eyes.acceleration = eyes.acceleration or reach.acceleration < math.huge and reach.acceleration or 150
  local geometry = require "brio.lib.geometry"
  local links = description.robot:forward(description.robot:neutral()).links
  local carrier, middle, count = links[eyes.carrier], { 0, 0, 0 }, 0
  local q = carrier.orientation
  local back = { -q[1], -q[2], -q[3], q[4] }
  local function add(point)
    for axis = 1, 3 do middle[axis] = middle[axis] + point[axis] end
    count = count + 1
  end
  for _, link in ipairs(eyes.links or {}) do
    local at = links[link].position
    add(geometry.turn(back, { at[1] - carrier.position[1], at[2] - carrier.position[2],
      at[3] - carrier.position[3] }))
  end
  if not eyes.links then
    for _, row in ipairs(eyes.pan) do add(row.at or { 0, 0, 0 }) end
  end
  for axis = 1, 3 do middle[axis] = middle[axis] / math.max(count, 1) end
  eyes.middle = middle
  return eyes
end

--- A head's or torso's part with all values: with the joints that turn it, from the carrier on, and their
--- home positions.
local function whole_aim(description, said, defaults, base)
  if not said then return nil end
  local made = with_defaults(said, defaults)
  local home = description.poses and description.poses[description.home]
  made.dofs, made.home = {}, {}
  made.moves = chain.variables(description.robot, said.link, said.carrier)
  for index, joint in ipairs(joints_between(description, said.link, said.carrier or base)) do
    local dof = joint.dof
    made.dofs[index], made.home[dof.name] = dof.name, home and home.joints[dof.name] or dof.rest
  end
  return made
end

--- The rotation that levels the base's frame, by which directions are ahead, to the side and up: the inverse
--- of its orientation in the neutral pose. Nil if the frame is level already.
local function level_of(description, base)
  local model = description.robot
  local links = model:forward(model:neutral()).links
  local q = links[base or model:links()[1]].orientation
  if math.abs(q[4]) > 1 - 1e-9 then return nil end
  return { -q[1], -q[2], -q[3], q[4] }
end

--- The parts of a robot's gaze with all values; or nil and a sentence.  `said`: a behavior's settings in
--- place of the robot's file. `note`: a sentence for people on a guess, if it may be unexpected.
function body.of(description, said)
  local why
  local file = ""
  if not said then
    said, why = robots.data(description, "gaze")
    if why then return nil, why end
    if said then file = robots.data_file(description, "gaze") .. ": " end
  end
  local note
  if not said then said, why, note = guess.of(description) end
  if not said then return nil, why end
  why = body.fault(said, description)
  if why then return nil, file .. why end
  return {
    base = said.base, level = level_of(description, said.base), explore = said.explore, note = note,
    eyes = said.eyes and whole_eyes(description, said.eyes),
    head = whole_aim(description, said.head, body.head_defaults, said.base),
    torso = whole_aim(description, said.torso, body.torso_defaults, said.base),
  }
end

return body
