--- A rig: how an animation moves a robot that stands. It has a pelvis target, leg pose targets (length and
--- pitch of the virtual leg from hip to foot) and foot targets (points that stand on the ground), and finds
--- the configuration for them. Its file is a Lua file of plain data: docs/animation/feasible.md.
---
---     local rig = assert(rigs.load("behaviors/rigs/h1.lua", "h1.urdf"))
---     local q = rig:pose({ pelvis = rig:pelvis_at({ 0, 0, -0.05 }, { 0, 0.1, 0 }), feet = rig.stand },
---     rig.home)
local data_file = require "brio.io.data_file"
local disk = require "brio.io.files"
local geometry = require "brio.lib.geometry"
local model = require "brio.motion.rig.model"
local paths = require "brio.lib.paths"
local records = require "brio.motion.rig.records"
local retarget = require "brio.motion.retarget.map"
local solve = require "brio.motion.rig.solve"
local suggest = require "brio.lib.suggest"

local rigs = {}

local Rig = {}
Rig.__index = Rig

--- Raise a sentence, which rigs.new catches.
local function refuse(...) error({ rig = string.format(...) }, 0) end

local function known(what, name, list)
  if not suggest.contains(list, name) then
    refuse("%s: the robot has no '%s'%s", what, name, suggest.hint(name, list))
  end
end

--- Check the names of a rig's table against its robot.
local function check_names(self, data)
  local links, names = self.robot:links(), {}
  for index, variable in ipairs(self.variables) do names[index] = variable.name end
  known("pelvis.link", data.pelvis.link, links)
  for _, side in ipairs(suggest.keys(data.legs)) do
    known("legs." .. side .. ".hip", data.legs[side].hip, links)
    known("legs." .. side .. ".foot", data.legs[side].foot, links)
  end
  for _, link in ipairs(suggest.keys(data.feet)) do
    known("feet", link, links)
    if #data.feet[link] == 0 then refuse("feet.%s needs a point", link) end
  end
  if not next(data.feet) then
    refuse("feet: what stands on the ground? A link with its points was expected")
  end
  for _, name in ipairs(suggest.keys(data.home)) do known("home", name, names) end
  for index, equation in ipairs(data.equal or {}) do
    for _, name in ipairs(suggest.keys(equation.joints)) do
      known(("equal[%d].joints"):format(index), name, names)
    end
  end
  for _, field in ipairs { "lower", "upper", "velocity", "effort" } do
    for _, name in ipairs(suggest.keys((data.limits or {})[field] or {})) do
      known("limits." .. field, name, names)
    end
  end
  for _, name in ipairs(data.motors or {}) do known("motors", name, names) end
end

--- The variables with the rig's own limits, and their numbers.
local function variables_of(robot, limits)
  local list, number = {}, {}
  for index, variable in ipairs(robot:variables()) do
    list[index] = { name = variable.name, velocity = variable.velocity, effort = variable.effort,
      lower = variable.lower, upper = variable.upper }
    for _, field in ipairs { "lower", "upper", "velocity", "effort" } do
      list[index][field] = (limits and limits[field] or {})[variable.name] or list[index][field]
    end
    number[variable.name] = index
  end
  return list, number
end

--- The middle of a list of points.
local function middle(points)
  local sum = { 0, 0, 0 }
  for _, p in ipairs(points) do
    for axis = 1, 3 do sum[axis] = sum[axis] + p[axis] / #points end
  end
  return sum
end

--- Where the feet's points are in a configuration, m.
function Rig:feet_at(q)
  local links, list = self.robot:forward(q).links, {}
  for index, foot in ipairs(self.points) do
    list[index] = geometry.within(links[foot.link], { position = foot.point }).position
  end
  return list
end

--- The first configuration: joints as the file says, base level, feet's points on the ground on average.
local function first_home(self, data)
  local q = { base = { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } }, joints = {} }
  for _, variable in ipairs(self.variables) do
    local value = data.home[variable.name] or 0
    q.joints[variable.name] = math.max(variable.lower, math.min(variable.upper, value))
  end
  local at = middle(self:feet_at(q))
  q.base.position = { -at[1], -at[2], -at[3] }
  return q
end

--- The pelvis's pose in a configuration.
function Rig:pelvis_of(q)
  local pose = self.robot:forward(q).links[self.pelvis.link]
  return { position = pose.position, orientation = pose.orientation }
end

--- Have the robot stand: feet on the ground where they are, loops closed, the centre of mass over the middle
--- of the feet.
local function stand_up(self, data)
  local q = first_home(self, data)
  self.stand = self:feet_at(q)
  for _, point in ipairs(self.stand) do point[3] = 0 end
  local center, pelvis = middle(self.stand), self:pelvis_of(q)
  local feet, hard
  for _ = 1, 4 do
    q, feet, hard = self:pose({ pelvis = pelvis, feet = self.stand }, q)
    local com = self.robot:center_of_mass(q)
    for axis = 1, 2 do
      pelvis.position[axis] = pelvis.position[axis] + center[axis] - com[axis]
    end
  end
  if hard > 1e-4 then
    refuse("home: closed loops and equations do not hold there, by %.2g (rad or m)", hard)
  elseif feet > 0.02 then
    refuse("home: the feet do not reach the ground with the centre of mass over them, by %.3f m", feet)
  end
  self.home, self.pelvis_home = q, self:pelvis_of(q)
  self.legs_home = self:legs_of(q)
end

--- Find the configuration for targets, from another one: solve.pose.
function Rig:pose(targets, before) return solve.pose(self, targets, before) end

--- A pose of the pelvis: at home, moved by `offset` (m) and turned by roll, pitch and yaw (rad).
function Rig:pelvis_at(offset, turn)
  local home = self.pelvis_home
  local made = { position = {}, orientation = geometry.times(geometry.from_rpy(turn[1], turn[2], turn[3]),
    home.orientation) }
  for axis = 1, 3 do made.position[axis] = home.position[axis] + offset[axis] end
  return made
end

--- The virtual legs in a configuration: { left = { length (m), pitch (rad, backward is positive) } }.
function Rig:legs_of(q)
  local links, made = self.robot:forward(q).links, {}
  for side, leg in next, self.legs do
    local length, pitch = solve.leg(self, links, leg)
    made[side] = { length = length, pitch = pitch }
  end
  return made
end

--- Least and greatest of an axis of points.
local function range(points, axis)
  local least, most = math.huge, -math.huge
  for _, p in ipairs(points) do least, most = math.min(least, p[axis]), math.max(most, p[axis]) end
  return least, most
end

--- A foot as a sole where a configuration has it, if its points span an area; nil: they are a point or a
--- line.
--- The sole's frame is that of the world at home.
local function sole_of(self, link, links)
  local at = {}
  for index, foot in ipairs(self.points) do
    if foot.link == link then at[#at + 1] = self.stand[index] end
  end
  local x0, x1 = range(at, 1)
  local y0, y1 = range(at, 2)
  if #at < 3 or x1 - x0 < 0.005 or y1 - y0 < 0.005 then return nil end
  local pose = self.robot:forward(self.home).links[link]
  local point = geometry.within(geometry.inverse(pose),
    { position = { (x0 + x1) / 2, (y0 + y1) / 2, 0 }, orientation = { 0, 0, 0, 1 } })
  return { link = link, sole = { x1 - x0, y1 - y0 }, point = point, at = geometry.within(links[link], point) }
end

--- The contacts of the robot that stands in a configuration, as brio.standing has them: soles, or points.
function Rig:contacts(q)
  local list, links, places = {}, self.robot:forward(q).links, self:feet_at(q)
  for _, link in ipairs(suggest.keys(self.data.feet)) do
    local sole = sole_of(self, link, links)
    if sole then list[#list + 1] = sole end
    for index, foot in ipairs(self.points) do
      if not sole and foot.link == link then
        list[#list + 1] = { link = link, point = foot.point, at = places[index] }
      end
    end
  end
  return list
end

--- The share of a joint's greatest torque that costs 1 where the rig gives no `scale`: that of Cassie's
--- motors.
local cheap = 1 / 12

--- The torque of each joint that costs 1, N m or N.
function Rig:scale()
  local made = {}
  for _, variable in ipairs(self.variables) do
    local said = (self.data.scale or {})[variable.name]
    made[variable.name] = said or variable.effort < math.huge and math.max(0.01, cheap * variable.effort)
      or nil
  end
  return made
end

--- The robot for physics, which knows no closed loops: { robot, fixed, variables }, of the rig's `replay`
--- where it has one; or nil and a sentence.
function Rig:open_model()
  local said = self.data.replay
  if not said and self.loops[1] then
    return nil, ("physics knows no closed loops, such as '%s', and the rig has no `replay`")
      :format(self.loops[1].name)
  elseif not said then
    return { robot = self.robot, fixed = self.fixed, variables = self.variables }
  end
  local rigid, mimic = table.move(self.data.rigid or {}, 1, #(self.data.rigid or {}), 1, {}), {}
  table.move(said.rigid or {}, 1, #(said.rigid or {}), #rigid + 1, rigid)
  for _, list in ipairs { self.data.mimic or {}, said.mimic or {} } do
    for name, led in next, list do mimic[name] = led end
  end
  local free, fixed = model.load(model.without_loops(self.text), self.path, { rigid = rigid, mimic = mimic })
  if not free then return nil, "replay: " .. fixed end
  return { robot = free, fixed = fixed, variables = (variables_of(free, self.data.limits)) }
end

--- A description of the robot for a mapping (brio.motion.retarget), which moves joints of the upper body.
function Rig:description()
  local dofs, joints = {}, {}
  for index, variable in ipairs(self.variables) do
    dofs[index], joints[variable.name] = { name = variable.name }, self.home.joints[variable.name]
  end
  return { name = self.name, robot = self.fixed, dofs = dofs, home = "home",
    poses = { home = { joints = joints } } }
end

local function build(data, text, path)
  local free, fixed = model.load(text, path, data)
  if not free then refuse("%s", fixed) end
  local self = setmetatable({ data = data, robot = free, fixed = fixed, name = data.name or free:name(),
    text = text, path = path, pelvis = data.pelvis, legs = data.legs, equal = data.equal or {},
      loops = free:loops(), points = {} }, Rig)
  for _, equation in ipairs(self.equal) do equation.value = equation.value or 0 end
  self.variables, self.number = variables_of(free, data.limits)
  check_names(self, data)
  for _, link in ipairs(suggest.keys(data.feet)) do
    for _, point in ipairs(data.feet[link]) do
      self.points[#self.points + 1] = { link = link, point = point }
    end
  end
  stand_up(self, data)
  return self
end

--- Make a rig of its table and the text of a model.
---@param data table records.rig
---@param text string the URDF or MJCF
---@param path string the model's file, for messages
---@return table? rig
---@return string? why
function rigs.new(data, text, path)
  local good, made = pcall(build, data, text, path)
  if good then return made end
  if type(made) ~= "table" or not made.rig then error(made, 0) end
  return nil, made.rig
end

--- The rig's table in a file, checked.
---@return table? data
---@return string? why
function rigs.read(path)
  local data, why = data_file.read(path, records.rig, { pi = math.pi })
  if not data then return nil, why end
  local wrong = retarget.fault { joints = data.joints, limbs = data.limbs, reach = data.reach,
    nodes = data.nodes }
  if wrong then return nil, path .. ": " .. wrong end
  for _, side in ipairs(suggest.keys(data.legs)) do
    if side ~= "left" and side ~= "right" then
      return nil, ("%s: legs: '%s' is no side: left and right were expected"):format(path, side)
    end
  end
  return data
end

--- The files of the rigs that ship, and their names.
function rigs.folder() return paths.behaviors() .. "/rigs" end

--- Load a rig.
---@param path string the rig's file
---@param model_path? string the robot's URDF or MJCF; that of the rig
---@return table? rig
---@return string? why
function rigs.load(path, model_path)
  local data, why = rigs.read(path)
  if not data then return nil, why end
  local file = model_path or data.model and paths.beside(path, data.model)
  if not file then return nil, path .. ": it names no model, and none was given" end
  local text, fault = disk.read(file)
  if not text then return nil, fault end
  local rig, wrong = rigs.new(data, text, file)
  if not rig then return nil, path .. ": " .. wrong end
  return rig
end

return rigs
