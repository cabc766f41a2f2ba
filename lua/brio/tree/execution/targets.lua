--- The targets of a leaf: joint values, a preset, a pose of the limb's end in a frame, or a list of these,
--- read from the node and converted into a path of joints (way.lua) in slices.
local fields = require "brio.lib.fields"
local lead = require "brio.tree.execution.lead"
local limbs = require "brio.robots.limbs"
local reach = require "brio.tree.execution.reach"
local suggest = require "brio.lib.suggest"
local tracks = require "brio.motion.tracks"
local way = require "brio.tree.execution.way"

local targets = {}

--- Interval between the points that are sampled from a sequence, s.
local sampling = 0.1

--- Maximum number of points of a path; a longer sequence is sampled at longer intervals.
targets.most = 200

--- A nominal time below this counts as absent, s; files of other programs have such values.
local no_time = 1e-3

--- Default duration of a motion of the base, s.
local base_seconds = 3

--- Maximum number of poses that are solved in a tick, if each is found at once.
targets.at_once = 10

-- Reading ---------------------------------------------------------------------------------------------------

local readers = {}

function readers.joints(said, limb, site, what)
  local values, why = limbs.values(site.description, limb, said, what)
  return values and { values = values }, why
end

function readers.preset(name, limb, site, what)
  local pose = site.description.poses[name == "home" and not site.description.poses.home
    and site.description.home or name]
  if not pose then
    local names = suggest.keys(site.description.poses)
    return nil, ("%s: the robot %s has no pose '%s'%s: it has %s"):format(what, site.description.name,
      tostring(name), suggest.hint(tostring(name), names), table.concat(names, ", "))
  end
  local values = {}
  for _, dof in ipairs(limb.dofs) do values[dof] = pose.joints[dof] end
  return { values = values }
end

function readers.pose(pose, limb, site, what)
  if not limb.link then
    return nil, ("%s: the robot %s has no known link for the end of its %s: give link"):format(what,
      site.description.name, limb.name)
  end
  if not pose.position and not pose.orientation then
    return nil, what .. ": it has no position and no orientation"
  end
  return { pose = pose }
end

--- One target: {joints = ...}, {preset = ...}, {pose = ..., frame = ...}, or a list of joint values.
local function read_one(said, limb, site, what, frame)
  if type(said) ~= "table" then
    return nil, what .. ": must be a table, as { joints = {...} }, not a " .. type(said)
  end
  if type(said[1]) == "number" then said = { joints = said } end
  for _, word in ipairs { "joints", "preset", "pose" } do
    if said[word] ~= nil then
      local target, why = readers[word](said[word], limb, site, what)
      if not target then return nil, why end
      target.frame, target.at = said.frame or frame, said.at
      return target
    end
  end
  return nil, what .. ": needs joints, preset or pose"
end

local item_fields = { at = { "number", unit = "s" }, frame = { "string" }, joints = { "table" },
  pose = { "table" } }
local pose_parts = { position = { "vector", size = 3 }, orientation = { "vector", size = 4 } }

--- The error in the form of a waypoint; nil: none.
local function fault_of_item(said, what)
  if type(said) ~= "table" then return nil end -- read_one says so
  for _, word in ipairs(suggest.keys(item_fields)) do
    local why = said[word] ~= nil and fields.fault(said[word], item_fields[word])
    if why then return ("%s: %s %s"):format(what, word, why) end
  end
  for _, part in ipairs(said.pose and suggest.keys(pose_parts) or {}) do
    local why = said.pose[part] ~= nil and fields.fault(said.pose[part], pose_parts[part])
    if why then return ("%s: pose.%s %s"):format(what, part, why) end
  end
end

--- The values of a limb's joints in a sequence played on the robot: lists of times and of targets.
local function read_sequence(name, limb, site)
  if not site.host then
    local own, robots = site.sequences and site.sequences[name], site.description.sequences or {}
    if own or robots[name] then return {} end
    return nil, ("waypoints: there is no sequence '%s'"):format(name)
  end
  local entry, why = site.host.tracks:find(name)
  if not entry then return nil, "waypoints: " .. why end
  return targets.of_sequence(entry.description, limb, site.description)
end

--- The tracks of a limb's joints in a sequence, each to be sampled, and the times of the first and last key
--- that differ from the value below.
local function tracks_of(description, limb, robot)
  local samples, first, last = {}, math.huge, -math.huge
  local numbers = tracks.numbers(robot)
  for _, dof in ipairs(limb.dofs) do
    local track = description.tracks[dof]
    if track and track.active ~= false then
      samples[dof] = tracks.compile({ tracks = { [dof] = track }, unit = description.unit,
        curve = description.curve }, numbers, robot.dofs).motion
      for _, key in ipairs(track) do
        if key.kind ~= "input" then first, last = math.min(first, key[1]), math.max(last, key[1]) end
      end
    end
  end
  return samples, first, last
end

--- The targets of a sequence's description, sampled ten times a second.
function targets.of_sequence(description, limb, robot)
  local samples, first, last = tracks_of(description, limb, robot)
  if last < first then return nil, ("waypoints: the sequence moves no joint of the %s"):format(limb.name) end
  local count, list = math.max(1, math.min(targets.most - 1, math.ceil((last - first) / sampling - 1e-9))), {}
  for place = 0, last > first and count or 0 do
    local at = first + place / count * (last - first)
    local target = { values = {}, at = at, over = {} }
    for dof, motion in next, samples do
      local value, below = motion:sample(1, at)
      target.values[dof] = below == 0 and value or nil
      target.over[dof] = below ~= 0 and { value, below } or nil
    end
    list[place + 1] = target
  end
  return list
end

--- The targets of a form: a list {values = {joint = value}, or pose and frame; at = s}; nil and a sentence.
function targets.read(form, limb, site)
  local said = {}
  for _, word in ipairs { "joints", "preset", "pose", "waypoints" } do
    if form[word] ~= nil then said[#said + 1] = word end
  end
  if #said ~= 1 then
    return nil, #said == 0 and "it has no goal: give joints, preset, pose or waypoints"
      or ("it has several goals, %s: give one of them"):format(table.concat(said, " and "))
  end
  if said[1] ~= "waypoints" then
    local one, why = read_one(form, limb, site, said[1], form.frame)
    return one and { one }, why
  end
  if type(form.waypoints) == "string" then return read_sequence(form.waypoints, limb, site) end
  if type(form.waypoints) ~= "table" then
    return nil, "waypoints must be a list, or the name of a sequence"
  end
  local list, timed = {}, 0
  if #form.waypoints == 0 then return nil, "waypoints: there is none" end
  if #form.waypoints > targets.most then
    return nil, ("waypoints: %d are more than a leaf may have (%d): make a sequence of them"):format(
      #form.waypoints, targets.most)
  end
  for index, item in ipairs(form.waypoints) do
    local what, target = ("waypoints[%d]"):format(index), nil
    local why = fault_of_item(item, what)
    if not why then target, why = read_one(item, limb, site, what, form.frame) end
    if not target then return nil, why end
    list[index] = target
    if target.at then timed = timed + 1 end
  end
  if timed > 0 and timed < #list then return nil, "waypoints: either all of them have `at`, or none" end
  return list
end

-- Making a path ---------------------------------------------------------------------------------------------

local Plan = {}
Plan.__index = Plan

--- The value of a continuous joint that equals `value` modulo 2 pi and is nearest to `before`.
local function nearest_turn(value, before)
  return before + (value - before + math.pi) % (2 * math.pi) - math.pi
end

--- The rows of a limb's joints, with their present limits.
function targets.rows(description, dofs)
  local known, rows, circular = {}, {}, {}
  for _, dof in ipairs(description.dofs) do known[dof.name] = dof end
  for _, variable in ipairs(description.robot:variables()) do circular[variable.name] = variable.circular end
  for index, name in ipairs(dofs) do
    local dof = known[name]
    rows[index] = { name = name, lower = dof.lower, upper = dof.upper,
      velocity = math.max(1e-3, math.min(dof.velocity, 1e3)), circular = circular[name],
      acceleration = math.max(1e-3, math.min(dof.acceleration, 1e5)) }
  end
  return rows
end

--- Begin to plan: {description, limb, list = targets, start = {joint = {value, speed}}, configuration = the
--- robot's at the start, tolerances, kept, [scene, seconds, speed, shapes]}.  With `steady`, in equal steps
--- from target to target in `seconds`; with `leap`, the maximum change of a joint in one step.
function targets.plan(parts)
  local self = setmetatable(parts, Plan)
  self.rows = targets.rows(self.description, self.limb.dofs)
  if self.seconds and self.seconds < no_time and not self.steady then self.seconds = nil end
  local first, speeds, joints = {}, {}, {}
  for name, value in next, self.configuration.joints do joints[name] = value end
  for d, name in ipairs(self.limb.dofs) do
    first[d], speeds[d] = self.start[name][1], self.start[name][2]
    joints[name] = first[d]
  end
  self.points, self.speeds, self.joints, self.index, self.quality = { first }, speeds, joints, 1, 0
  return self
end

--- Add a point: these values, and the previous values of all others.
function Plan:add(values)
  local before, point = self.points[#self.points], {}
  for d, name in ipairs(self.limb.dofs) do
    local row = self.rows[d]
    point[d] = math.max(row.lower, math.min(row.upper, values[name] or before[d]))
    self.joints[name] = point[d]
  end
  self.points[#self.points + 1] = point
  self.index = self.index + 1
end

--- The value of a key that is relative to the value below it: the joint's previous position.
local function with_below(self, target)
  for d, name in ipairs(self.limb.dofs) do
    local over = target.over and target.over[name]
    if over then target.values[name] = over[1] + over[2] * self.points[1][d] end
  end
  return target.values
end

--- The number of the target among several, in words.
local function place_words(self)
  if #self.list == 1 then return "" end
  if self.steady then return ("at %.0f %% of the way "):format(100 * self.index / #self.list) end
  return ("waypoint %d: "):format(self.index)
end

--- The largest change of a joint from the previous point.
local function leap_to(self, joints)
  local far, joint = 0, nil
  for _, name in ipairs(self.limb.dofs) do
    local way_ = math.abs(joints[name] - self.joints[name])
    if way_ > far then far, joint = way_, name end
  end
  return far, joint
end

--- Solve the next pose, for a slice.  Return false and the reason if there is no solution.
function Plan:reach(target)
  if not self.job then
    local frame, why = reach.frame(self.description, self.scene, target.frame, self.configuration)
    if not frame then return false, why, "no_frame" end
    self.goal = reach.goal(frame, target.pose)
    if self.limb.base then -- the solver moves it
      self:add {}
      return true
    end
    self.job = reach.begin { robot = self.description.robot, link = self.limb.link, dofs = self.limb.dofs,
      goal = self.goal,
      from = { joints = self.joints, base = self.configuration.base }, tolerances = self.tolerances,
        kept = self.kept,
      shapes = self.shapes, steady = self.steady }
  end
  local found = self.job:step()
  if not found then return nil end
  self.job = nil
  if found.quality > 1 then
    return false, ("%sthe %s cannot get there: it comes as near as %s"):format(place_words(self),
      self.limb.name, reach.words(found, self.tolerances))
  end
  for d, name in ipairs(self.limb.dofs) do
    if self.rows[d].circular then found.joints[name] = nearest_turn(found.joints[name], self.joints[name]) end
  end
  local far, joint = leap_to(self, found.joints)
  if self.leap and far > self.leap then
    return false, ("%sthe %s would have to be held otherwise there: %s turns by %.3g rad at once"):format(
      place_words(self), self.limb.name, joint, far)
  end
  self.quality = math.max(self.quality, found.quality)
  if self.straight and #self.list == 1 and not target.pose.height then
    return self:begin_straight(found.joints)
  end
  self:add(found.joints)
  return true
end

--- Begin a straight path of the end to the pose with these joint values.
function Plan:begin_straight(joints)
  local from = {}
  for name, value in next, self.joints do from[name] = value end
  self.line = lead.straight { robot = self.description.robot, limb = self.limb, kept = self.kept,
    tolerances = self.tolerances,
    from = { joints = from, base = self.configuration.base }, to = joints, goal = self.goal,
      share = self.straight }
  return nil
end

--- Solve some points of the straight path in this tick.
function Plan:straighten()
  for _ = 1, targets.at_once do
    if self.line:step() then
      for _, point in ipairs(self.line.points) do self:add(point) end
      self.times = self.line:times()
      return self:finish()
    end
  end
  return nil
end

--- Work for a slice.  Return nil: not finished; {way, goal = pose of the end in the world, if the target is
--- a pose, quality, points = values that it goes through}; or false, why and a code.
function Plan:step()
  if self.line then return self:straighten() end
  local easy = 0
  while self.list[self.index] and easy < targets.at_once do
    local target = self.list[self.index]
    if target.pose then
      local good, why, code = self:reach(target)
      if good == false then return false, why, code end
      if good == nil then return nil end
      easy = easy + 1
    else
      self.goal = nil
      self:add(with_below(self, target))
    end
  end
  if self.list[self.index] then return nil end
  return self:finish()
end

--- Speeds and accelerations of joint d at points in equal steps of dt, except the first and the last step
--- of 2 dt: central differences.
local function steady_speeds(points, d, dt)
  local v, a = { 0 }, { 0 }
  for k = 2, #points - 1 do
    local before, now, after = points[k - 1][d], points[k][d], points[k + 1][d]
    v[k], a[k] = (after - before) / (2 * dt), (after - 2 * now + before) / (dt * dt)
  end
  v[#points], a[#points] = 0, 0
  return { v = v, a = a }
end

--- A path through its points in equal time steps, except the first and the last, which take two.
function Plan:finish_steady()
  local dt, times, said = self.seconds / (#self.points + 1), { 0 }, {}
  for k = 2, #self.points do times[k] = k == #self.points and self.seconds or k * dt end
  for d in ipairs(self.rows) do said[d] = steady_speeds(self.points, d, dt) end
  return { way = way.through { dofs = self.rows, points = self.points, times = times, speeds = self.speeds,
    said = said }, goal = self.goal, quality = self.quality }
end

function Plan:finish()
  if self.steady then return self:finish_steady() end
  if self.limb.base then self.seconds = self.seconds or base_seconds end
  local times, first = self.times or self.list[1].at and { 0 } or nil, self.list[1].at
  for index, target in ipairs(first and self.list or {}) do
    times[index + 1] = target.at - math.min(0, first)
    -- the time to the first point
    if times[index + 1] <= times[index] then times[index + 1] = times[index] + 0.2 end
  end
  return { way = way.through { dofs = self.rows, points = self.points, times = times, seconds = self.seconds,
    free = self.times ~= nil, speed = self.speed, speeds = self.speeds }, goal = self.goal,
      quality = self.quality, points = self.points }
end

return targets
