--- Plays the commands of a recorded run on a robot.  They are first checked against the robot's limits; the
--- robot goes to their beginning slowly from where it is, then plays them in time. It moves as `brio move`
--- does (brio.devices.jog): through the solver, which avoids collisions of links, and the motor side with
--- its limits, easing in and watchdog.
---
---     local made = assert(to_robot.open(db, 3, { robot = "pepper" }))
---     local told = made:preview()          -- what the robot could not do
---     local report, why = made:play { driver = "sim", fast = true, say = print }
local jog = require "brio.devices.jog"
local recorded = require "brio.record.reader"
local place = require "brio.robots.place"

local to_robot = {}

local Player = {}
Player.__index = Player

--- Speed of the approach (per s, in each DOF's unit), and how much longer than computed it may take, s.
to_robot.approach_speed = 0.3
local patience = 5

--- Samples are rounded: values beyond a limit by less than this are within it.
local range_tolerance, rate_tolerance = 1e-4, 1.02

--- The DOFs of the run that the robot has, and the names of those that it does not have.
local function shared_dofs(run, description)
  local by_name, list, missing = {}, {}, {}
  for _, dof in ipairs(description.dofs) do by_name[dof.name] = dof end
  for number, dof in ipairs(run.dofs) do
    local own = by_name[dof.name]
    if own then
      list[#list + 1] = { name = dof.name, unit = own.unit or "rad", place = number,
        lower = own.lower or -math.huge,
        upper = own.upper or math.huge, velocity = own.velocity or math.huge,
          acceleration = own.acceleration or math.huge,
        least = math.huge, most = -math.huge, speed = 0, slope = 0 }
    else missing[#missing + 1] = dof.name end
  end
  return list, missing
end

--- Update a DOF's range, maximum speed and maximum change of speed with a command at a time.
local function take(one, t, value)
  if value < one.least then one.least, one.least_at = value, t end
  if value > one.most then one.most, one.most_at = value, t end
  if one.at and t > one.at then
    local speed = (value - one.value) / (t - one.at)
    if math.abs(speed) > one.speed then one.speed, one.speed_at = math.abs(speed), t end
    local slope = one.rate and math.abs(speed - one.rate) / (t - one.at) or 0
    if slope > one.slope then one.slope, one.slope_at = slope, t end
    one.rate = speed
  end
  one.at, one.value = t, value
end

--- Read all commands now, so that no file is read while the robot moves: a string per tick, four bytes for
--- each number.
local function read_commands(self)
  local dofs, row, format = self.dofs, {}, "<" .. ("f"):rep(#self.dofs)
  for t, _, _, commands in self.run:ticks() do
    local whole = true
    for index, one in ipairs(dofs) do
      local value = commands[one.place] or one.value
      if value then take(one, t, value) end
      row[index], whole = value or 0, whole and value ~= nil
    end
    if whole then
      self.times[#self.times + 1], self.rows[#self.rows + 1] = t, format:pack(table.unpack(row, 1, #dofs))
    end
  end
  self.format = format
end

--- A player of a run's commands on a robot. options: robot (default: the run's), from, to, dofs (names;
--- default: all common ones). nil, sentence: there is nothing to play.
---@param db userdata from brio.store
---@param number integer
---@param options { robot: string?, from: number?, to: number?, dofs: string[]? }?
function to_robot.open(db, number, options)
  options = options or {}
  local run, why = recorded.open(db, number, options)
  if not run then return nil, why end
  if not (options.robot or run.run.robot) then
    return nil, ("run %d has no robot: give --robot"):format(number)
  end
  local description, fault = place.find(run.run, options.robot)
  if not description then return nil, fault end
  local self = setmetatable({ run = run, description = description, times = {}, rows = {} }, Player)
  self.dofs, self.missing = shared_dofs(run, description)
  if #self.dofs == 0 then
    return nil, ("%s has none of the DOFs of run %d"):format(description.name, number)
  end
  read_commands(self)
  if #self.times < 2 then return nil, ("run %d kept no commands there"):format(number) end
  self.length = self.times[#self.times] - self.times[1]
  return self
end

local function number(value) return ("%.4g"):format(value) end

--- A sentence on where a DOF would leave its range, or nil.
local function beyond(one)
  local side = one.least < one.lower - range_tolerance and "least" or one.most > one.upper + range_tolerance
    and "most"
  if not side then return nil end
  return ("%s goes to %s %s at %.2f s, but moves from %s to %s"):format(one.name, number(one[side]), one.unit,
    one[side .. "_at"], number(one.lower), number(one.upper))
end

--- What the robot cannot do of the commands: { beyond = sentences (out of a DOF's range), fast = sentences
--- (above its speed or acceleration), slow = the factor by which the motion must be slowed to keep all
--- limits (1: not at all), missing = DOFs of the run that the robot does not have, moving = the number of
--- DOFs that move, length = seconds }.
function Player:preview()
  local told = { beyond = {}, fast = {}, slow = 1, missing = self.missing, moving = 0, length = self.length }
  for _, one in ipairs(self.dofs) do
    told.beyond[#told.beyond + 1] = beyond(one)
    if one.most - one.least > range_tolerance then told.moving = told.moving + 1 end
    if one.speed > one.velocity * rate_tolerance then
      told.fast[#told.fast + 1] = ("%s moves at %s %s/s at %.2f s, above its %s"):format(one.name,
        number(one.speed), one.unit, one.speed_at, number(one.velocity))
      told.slow = math.max(told.slow, one.speed / one.velocity)
    end
    -- Samples are rounded: a change of two millionths in a tick does not count as a change of speed.
    if one.slope > one.acceleration * rate_tolerance + 0.5 then
      told.fast[#told.fast + 1] = ("%s changes its speed by %s %s/s² at %.2f s, above its %s"):format(
        one.name, number(one.slope), one.unit, one.slope_at, number(one.acceleration))
      told.slow = math.max(told.slow, math.sqrt(one.slope / one.acceleration))
    end
  end
  return told
end

--- The reason why the robot must not play it, or nil. `slow`: slowing down is allowed.
local function refusal(told, slow)
  if #told.beyond > 0 then return table.concat(told.beyond, "; ") end
  if #told.fast > 0 and not slow then
    return ("%s: --slow plays it %.2f times as long"):format(table.concat(told.fast, "; "), told.slow)
  end
end

--- The commands at a time of the run, interpolated linearly between ticks, into `out`.
local function commands_at(self, t, out)
  local times, at = self.times, self.at or 1
  while at < #times - 1 and times[at + 1] <= t do at = at + 1 end
  if at ~= self.at then
    self.at = at
    self.before, self.after = { self.format:unpack(self.rows[at]) }, { self.format:unpack(self.rows[at + 1]) }
  end
  local span = times[at + 1] - times[at]
  local share = math.max(0, math.min(1, (t - times[at]) / span))
  for index = 1, #self.dofs do
    out[index] = self.before[index] + share * (self.after[index] - self.before[index])
  end
  return out
end

-- Playing -------------------------------------------------------------------------------------------------

--- The phases: each is a function(self, now, dt) that returns the name of the next one, or nil to stay. A
--- sentence in self.failed ends all.
local phases = {}

--- Wait until motors may move.
function phases.wait(self, now)
  if self.jog.free then return "approach" end
  if now > patience then self.failed = select(2, self.jog:may_move()) or "the motors may not move" end
end

--- Send every axis slowly to a pose; return a sentence if one may not go there.
local function send(self, values, speed)
  local longest = 0
  for index, one in ipairs(self.dofs) do
    local axis = self.jog.by_name[one.name]
    local good, why = self.jog:go(axis, math.max(one.lower, math.min(one.upper, values[index])), speed)
    if not good then return why end
    longest = math.max(longest, math.abs(axis.aim - axis.at) / axis.pace)
  end
  self.give_up = self.now + longest + patience
end

--- Whether all axes have arrived, or one cannot get there (then self.failed is set).
local function arrived(self)
  local all = true
  for _, one in ipairs(self.dofs) do
    local axis = self.jog.by_name[one.name]
    if axis.blocked then
      self.failed = ("%s is held back on its way at %s %s: a link would touch another, or a limit is \z
        tighter there"):format(
        one.name, number(axis.at), axis.unit)
      return false
    end
    all = all and self.jog:is_there(axis)
  end
  if not all and self.now > self.give_up then self.failed = "it did not get there in time" end
  return all
end

--- Go to the beginning of the commands.
function phases.approach(self, now)
  if not self.sent then
    self.sent = true
    self.failed = send(self, commands_at(self, self.times[1], {}), self.approach_speed)
  elseif arrived(self) then
    self.began = now
    return "play"
  end
end

--- Maximum number of ticks by which the commanded value lags the requested one.
local behind = 6

--- Distance between an axis's command now and the range of values requested of it in the last ticks.
local function off_the_way(asked, at, told)
  asked[#asked + 1] = at
  if #asked > behind then table.remove(asked, 1) end
  local least, most = math.min(table.unpack(asked)), math.max(table.unpack(asked))
  return math.max(least - told, told - most, 0)
end

--- Request of every axis its recorded command.
function phases.play(self, now, dt)
  local t = math.min(self.times[1] + (now - self.began) / self.slow, self.times[#self.times])
  local values = commands_at(self, t, self.values)
  for index, one in ipairs(self.dofs) do
    local axis = self.jog.by_name[one.name]
    if axis.blocked then
      self.failed = ("%s is held back at %.2f s of the run"):format(one.name, t)
      return
    end
    local value = math.max(one.lower, math.min(one.upper, values[index]))
    self.asked[index] = self.asked[index] or {}
    self.off = math.max(self.off, off_the_way(self.asked[index], axis.at,
      self.jog.actuator:state(one.name).command))
    axis.speed = (value - axis.at) / dt
    axis.at, axis.aim, axis.pace = value, value, math.max(self.approach_speed, math.abs(axis.speed))
  end
  self.played = t - self.times[1]
  if t >= self.times[#self.times] then return self.finally end
end

--- Stay at the end of the commands.
function phases.hold(self, now)
  self.held = self.held or now
  if now > self.held + 0.3 then return "over" end
end

--- Go to the pose named home.
function phases.rest(self)
  if not self.resting then
    self.resting = true
    local values, home = {}, self.description.poses[self.description.home].joints
    for index, one in ipairs(self.dofs) do values[index] = home[one.name] or self.jog.by_name[one.name].at end
    self.failed = send(self, values, self.approach_speed)
  elseif arrived(self) then return "over" end
end

local function each(self, now, dt)
  self.now = now
  if not self.jog.began then
    if now > patience then self.failed = "it is not known where the robot is" end
  elseif self.phase ~= "wait" and not self.jog.free then
    self.failed = "the motors were stopped"
  else
    self.phase = phases[self.phase](self, now, dt) or self.phase
  end
  return not self.failed and self.phase ~= "over"
end

--- Play it. options: driver, settings, drives, arm, trace (as for `brio play`), slow (slowing down is
--- allowed), relax (motors go limp at the end), rest (go to the pose named home at the end; default: stay
--- where the commands end), speed (of the approach), fast (as fast as the machine allows, with the
--- simulator), say(severity, sentence). Return { played (s of the run), slow (the factor), off (maximum
--- deviation of commands from the recorded path), stopped (ended by a person) }, or nil and a sentence.
function Player:play(options)
  local told = self:preview()
  local why = refusal(told, options.slow)
  if why then return nil, why end
  local good, made, fault = pcall(jog.new, self.description,
    { driver = options.driver, settings = options.settings,
    drives = options.drives, arm = options.arm, trace = options.trace, relaxes = options.relax,
    follows = true, say = options.say })
  if not good then return nil, (tostring(made):gsub("^.-%.lua:%d+: ", "")) end
  if not made then return nil, fault end
  self.jog, self.phase, self.values, self.off, self.played, self.now = made, "wait", {}, 0, 0, 0
  self.slow, self.approach_speed = told.slow, options.speed or to_robot.approach_speed
  self.finally, self.asked = options.rest and "rest" or "hold", {}
  self.failed, self.sent, self.held, self.resting, self.at = nil, nil, nil, nil, nil
  function made.each(now, dt) return each(self, now, dt) end
  local went, sentence = made:run(options.fast)
  made:close()
  if not went or self.failed then return nil, sentence or self.failed end
  return { played = self.played, slow = self.slow, off = self.off, stopped = self.phase ~= "over" }
end

return to_robot
