--- `brio move`: jogs single DOFs from the terminal, within all limits.
local cli = require "brio.terminal.cli"
local jog = require "brio.devices.jog"
local output = require "brio.terminal.output"
local panel = require "brio.terminal.jog_panel"
local uv = require "luv"

local command = {
  name = "move",
  summary = "move single DOFs by keys, by lines, or once, with all limits on",
  usage = "brio move --robot R [DOF VALUE ...] [options]",
  options = {
    { "robot", "R", "a robot that ships, a folder with a robot.lua, or any URDF or MJCF" },
    { "driver", "D", "driver of the DOFs that no device of the robot's file has: sim (default), see `brio \z
      drivers`" },
    cli.drive,
    { "set", "NAME=VALUE", "a setting of the driver, such as port=/dev/ttyUSB0; can be repeated",
      many = true },
    { "speed", "S", "speed of moves, rad/s (m/s, 1/s); default 0.3" },
    { "step", "S", "distance per key press; default 0.05" },
    { "by", nil, "VALUE is relative to the current position" },
    { "arm", nil, "allow commands to real motors; in the terminal the key a does it, too" },
    { "relax", nil, "let the motors go limp at the end; default: they hold their position" },
    cli.trace,
    { "clock", "real|fast", "fast: as quickly as the machine allows, with the simulator; default real" },
    { "packages", "DIR", "where package:// meshes are searched" },
    { "ascii", nil, "only ASCII characters; default if the locale is not UTF-8" },
  },
}

--- Additional time for a move, s; maximum error of a measured position at its end.
local patience, near = 3, 0.05

--- Lag of motors behind their commands, s.
local settle = 0.2

local function say(...)
  print(string.format(...))
  io.stdout:flush()
end

-- Once ------------------------------------------------------------------------------------------------

--- The arguments DOF VALUE ... as a list of {axis, value}; nil on errors (printed).
local function read_goals(self, args)
  local goals = {}
  for index = 1, #args, 2 do
    local axis, why = self:axis(args[index])
    if not axis then return cli.error("%s", why) end
    local value = tonumber(args[index + 1])
    if not value then return cli.error("%s expects a value, not '%s'", axis.name, args[index + 1] or "") end
    goals[#goals + 1] = { axis = axis, value = value }
  end
  return goals
end

local function where(self, axis)
  local state = self.actuator:state(axis.name)
  local place = state.valid and ("%.4f"):format(state.position) or "?"
  return ("%s at %s, command %.4f %s"):format(axis.name, place, state.command, axis.unit)
end

--- Maximum duration of the moves.
local function time_for(goals, speed)
  local longest = 0
  for _, goal in ipairs(goals) do
    longest = math.max(longest, math.abs(goal.axis.aim - goal.axis.at) / math.min(speed, goal.axis.fastest))
  end
  return longest + patience
end

--- Whether a goal is reached, as far as it is measured.
local function reached(self, goal)
  local state = self.actuator:state(goal.axis.name)
  return self:is_there(goal.axis) and not goal.axis.blocked
    and (not state.valid or math.abs(state.position - goal.axis.aim) < near)
end

--- Move once and stop.  Return an exit code.
local function move_once(self, args, options)
  local goals = read_goals(self, args)
  if not goals then return 2 end
  local begun, code, until_time, failed, arrived = false, 0, nil, nil, nil
  local function begin()
    for _, goal in ipairs(goals) do
      local target = args.by and goal.axis.at + goal.value or goal.value
      local good, why = self:go(goal.axis, target, options.speed)
      if not good then
        failed = why
        return false
      end
    end
    until_time = self.now + time_for(goals, options.speed)
    return true
  end
  for _, goal in ipairs(goals) do
    local why = not args.by and self:refusal(goal.axis, goal.value)
    if why then
      cli.error("%s", why)
      return 2
    end
  end
  function self.each(now)
    if not self.began then return true end
    if not self.free then
      if now > patience or begun then
        failed = begun and "the motors were stopped" or select(2, self:may_move())
        return false
      end
      return true
    end
    if not begun then
      begun = true
      return begin()
    end
    if now > until_time then return false end
    local all = true
    for _, goal in ipairs(goals) do all = all and reached(self, goal) end
    arrived = all and (arrived or now) or nil
    return not arrived or now < arrived + settle
  end
  local went, why = self:run(options.fast)
  for _, goal in ipairs(goals) do
    say("%s", where(self, goal.axis))
    if begun and not failed and not reached(self, goal) then
      failed = ("%s did not arrive at %.4f"):format(goal.axis.name, goal.axis.aim)
    end
  end
  if not went or failed then
    cli.error("%s", why or failed)
    code = failed and failed:find "is beyond" and 2 or 1
  end
  return code
end

-- By lines --------------------------------------------------------------------------------------------

local lines_help = [[
DOF VALUE      go there             DOF by D         go so far from where it is
stop           come to rest         panic            stop as hard as it can, until `release`
arm, disarm    let motors be told where to go, or not
relax          let the motors go limp   release      let them move again
speed S        of moves from now on wait S           do nothing for so long
where          where all DOFs are   quit             end; so does the end of input]]

--- Words that are executed at once, even during a move; others wait.
local at_once = { panic = true, stop = true }

local orders = { arm = "arm", disarm = "disarm", release = "release", relax = "relax", panic = "panic" }

local Lines = {}
Lines.__index = Lines

function Lines:tell_all()
  for _, axis in ipairs(self.jog.axes) do say("%s", where(self.jog, axis)) end
end

--- Execute one line.  Return nil and a sentence if that is impossible.
function Lines:obey(line)
  local word, rest = line:match "^(%S+)%s*(.-)%s*$"
  if orders[word] and rest == "" then
    self.jog:order(orders[word])
    self.pause = self.jog.now + 0.05 -- until the motor side has received it
  elseif word == "stop" then self.jog:stop()
  elseif word == "where" then self:tell_all()
  elseif word == "help" then say("%s", lines_help)
  elseif word == "quit" then self.over = true
  elseif word == "speed" or word == "wait" then
    local value = tonumber(rest)
    if not value or value <= 0 then return nil, word .. " expects a number above 0" end
    if word == "speed" then self.speed = value else self.pause = self.jog.now + value end
  else
    local axis, why = self.jog:axis(word)
    if not axis then return nil, why .. "; `help` lists what may be said" end
    local by = rest:match "^by%s+(.*)$"
    local value = tonumber(by or rest)
    if not value then
      return nil, word .. " expects a value, as in `" .. word .. " 0.3` or `" .. word .. " by 0.1`"
    end
    local good, fault = self.jog:go(axis, by and axis.aim + value or value, self.speed)
    if not good then return nil, fault end
    self.moving = axis
    self.give_up = self.jog.now + math.abs(axis.aim - axis.at) / axis.pace + patience
  end
  return true
end

--- Whether the last move has ended; then report it.
function Lines:is_done(now)
  local axis = self.moving
  if not axis then return true end
  if not (self.jog:is_there(axis) or axis.blocked or now > self.give_up) then return false end
  self.settled = self.settled or now
  if now < self.settled + settle then return false end -- motors lag behind their commands
  say("%s", where(self.jog, axis))
  self.moving, self.settled = nil, nil
  return true
end

function Lines:try(line)
  local good, why = self:obey(line)
  if good then return end
  self.failed = true
  cli.error("%s", why)
end

--- Process typed lines: urgent ones are executed at once, others wait.
function Lines:take(text)
  self.rest = self.rest .. text
  for line in self.rest:gmatch "([^\n]*)\n" do
    local word = line:match "^%s*(%S+)"
    if at_once[word] then
      self.queue = {}
      self:try(line:match "^%s*(.*)")
    elseif word then
      self.queue[#self.queue + 1] = line:match "^%s*(.*)"
    end
  end
  self.rest = self.rest:match "[^\n]*$"
end

function Lines:each(now)
  uv.run "nowait"
  if self.over then return false end
  if not self.jog.began or self.pause and now < self.pause or not self:is_done(now) then return true end
  local line = table.remove(self.queue, 1)
  if line then self:try(line)
  elseif self.ended then return false end
  return true
end

--- Read lines of standard input, a pipe or a file.
local function by_lines(self, options)
  local lines = setmetatable({ jog = self, queue = {}, rest = "", speed = options.speed }, Lines)
  local kind = uv.guess_handle(0)
  if kind == "pipe" then
    local pipe = uv.new_pipe(false)
    pipe:open(0)
    pipe:read_start(function(_, text)
      if text then lines:take(text) else lines:take "\n" lines.ended = true end
    end)
  else
    lines:take((io.read "a" or "") .. "\n")
    lines.ended = true
  end
  function self.each(now) return lines:each(now) end
  local went, why = self:run(options.fast)
  if not went then cli.error("%s", why) end
  return went and not lines.failed and 0 or 1
end

-- At a terminal ---------------------------------------------------------------------------------------

local function draw(shown, out)
  local width, height = out:get_winsize()
  if not width or width < 1 then width, height = 80, 24 end
  local parts = {}
  for row, line in ipairs(shown:lines(width, height)) do
    parts[row] = ("\27[%d;1H\27[K%s"):format(row, output.styled(line))
  end
  output.draw(table.concat(parts))
  io.stdout:flush()
end

--- Move by keys until the person leaves.
local function by_keys(self, args, options)
  local input, out = uv.new_tty(0, true), uv.new_tty(1, false)
  local shown = panel.new(self, { speed = options.speed, step = options.step,
    ascii = args.ascii or not cli.shows_utf8(),
    colored = (os.getenv "NO_COLOR" or "") == "" and os.getenv "TERM" ~= "dumb" })
  self.say = function(severity, text) shown:tell(severity, text) end
  input:set_mode(1)
  output.draw("\27[?1049h\27[?25l\27[?7l\27[2J")
  local drawn = -1
  input:read_start(function(fault, bytes)
    if fault or not bytes then shown.left = true else shown:type(bytes, self.now or 0) end
  end)
  function self.each(now)
    uv.run "nowait"
    shown:work(now)
    if now - drawn >= 0.05 then
      draw(shown, out)
      drawn = now
    end
    return not shown.left
  end
  local good, went, why = xpcall(self.run, debug.traceback, self)
  output.draw("\27[?7h\27[?25h\27[?1049l")
  io.stdout:flush()
  uv.tty_reset_mode()
  if good and went then return 0 end
  cli.error("%s", good and why or went)
  return 1
end

-- The command -----------------------------------------------------------------------------------------

local function read_options(args)
  local speed = cli.number(args, "speed", 1e-4, 100, 0.3)
  local step = cli.number(args, "step", 1e-4, 10, 0.05)
  local settings = cli.settings(args, {})
  if not speed or not step or not settings or not cli.clock_is_known(args) then return nil end
  if not args.robot then return cli.error("move expects a robot: %s", command.usage) end
  if #args % 2 == 1 then return cli.error("move expects pairs of a DOF and a value: %s", command.usage) end
  return { speed = speed, step = step, settings = next(settings) and settings or nil,
    fast = args.clock == "fast" }
end

local function open(args, options)
  local description, why = require("brio.robots.catalog").find(args.robot,
    { packages = args.packages and { args.packages } })
  if not description then return nil, why end
  local good, made, fault = pcall(jog.new, description,
    { driver = args.driver, settings = options.settings, arm = args.arm,
    relaxes = args.relax, trace = args.trace, drives = args.drive,
    say = function(severity, text) if severity ~= "info" then cli.error("%s", text) end end })
  if good then return made, fault end
  return nil, (tostring(made):gsub("^.-%.lua:%d+: ", ""))
end

function command.run(args)
  local options = read_options(args)
  if not options then return 2 end
  local self, why = open(args, options)
  if not self then
    cli.error("%s", why)
    return 1
  end
  local code
  if #args > 0 then code = move_once(self, args, options)
  elseif uv.guess_handle(0) == "tty" and uv.guess_handle(1) == "tty" then code = by_keys(self, args, options)
  else code = by_lines(self, options) end
  self:close()
  cli.close_handles()
  return cli.trace_is_whole(args) and code or 1
end

return command
