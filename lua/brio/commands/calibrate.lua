--- `brio calibrate`: guides a person through zero and direction of every motor, and writes the measurements.
local actuator = require "brio.actuator"
local calibration = require "brio.devices.calibration"
local cli = require "brio.terminal.cli"
local file = require "brio.robots.file"
local suggest = require "brio.lib.suggest"
local uv = require "luv"

local command = {
  name = "calibrate",
  summary = "measure zero and direction of every motor, step by step; or a camera's lens by pictures of a \z
    board",
  usage = "brio calibrate ROBOT [options]\n       brio calibrate camera PICTURE ... [options]",
  options = {
    { "driver", "D", "driver of the DOFs that no device of the robot's file has: sim (default), see `brio \z
      drivers`" },
    { "set", "NAME=VALUE", "a setting of the driver, such as port=/dev/ttyUSB0; can be repeated",
      many = true },
    cli.trace,
    { "only", "NAME", "only this DOF or group; can be repeated", many = true },
    { "write", "FILE", "the output file; default: the robot's calibration, calibration.lua beside its \z
      robot.lua" },
    { "packages", "DIR", "where package:// meshes are searched" },
    { "columns", "N", "of a camera's board (`brio camera board`): tags in a row, 5" },
    { "rows", "N", "of the board, 7" },
    { "size", "M", "side of the board's tags, m, measured on the print; 0.03" },
    { "spacing", "M", "between the board's tags, m; a fifth of the size" },
    { "family", "NAME", "of the board's tags; tag36h11" },
    { "radial", "N", "coefficients of radial distortion, 0 to 3; 2" },
  },
}

local instructions = [[
Motors are limp unless you turn one. For each DOF:
  bring it to zero, by hand or with + and - (as in +0.1, -0.02; + alone is a small step), then press Enter;
  where zero cannot be reached, say where it is instead: at 0.5
  then move it the way its values grow, and press Enter; `at VALUE` there measures the scale, too.
  ? reads it again, s leaves it as it is, q goes to the end, Ctrl-C leaves everything as it was.
]]

--- Duration of a small step, and time limit for a motor, s.
local period, patience = 0.01, 5

local Session = {}
Session.__index = Session

local function say(...)
  print(string.format(...))
  io.stdout:flush()
end

--- Advance the time: motors move.
function Session:pass(seconds)
  for _ = 1, math.ceil(seconds / period) do
    local good, why = self.actuator:step(period)
    if not good then return nil, why end
    if self.real then uv.sleep(math.floor(period * 1000)) end
  end
  return true
end

--- Position of a motor, raw; nil and the reason if it is not reported.
function Session:read(name)
  for _ = 1, 50 do
    local good, why = self:pass(2 * period)
    if not good then self.why = why end
    local state = self.actuator:state(name)
    if state.valid then return state.position end
  end
  return nil, self.why or "its motor reports nothing"
end

--- Turn a motor by an amount, raw.
function Session:turn(name, by)
  local at, why = self:read(name)
  if not at then return nil, why end
  if not self.holds then
    self.actuator:enable(name, true)
    local good, fault = self.actuator:power()
    if not good then return nil, fault end
    self.holds = name
  end
  local goal = self.actuator:target(name) + by
  self.actuator:target(name, goal)
  local before, still = at, 0
  for _ = 1, math.ceil(patience / 0.05) do
    local good, fault = self:pass(0.05)
    if not good then return nil, fault end
    local state = self.actuator:state(name)
    local there = state.valid and math.abs(state.command - goal) < 1e-6
      and math.abs(state.position - before) < 2e-4
    still, before = there and still + 1 or 0, state.valid and state.position or before
    if still == 3 then break end
  end
  return true
end

--- Let the turned motor go limp.
function Session:let_go()
  if not self.holds then return end
  self.actuator:enable(self.holds, false)
  self.actuator:power()
  self.holds = nil
end

local small_step = 0.05

--- Ask until the motor is at the required position.  Return "here" with the reading and the entered value,
--- "skip" or "quit".
function Session:ask(item, question)
  local name = item.dof.name
  while true do
    local at, why = self:read(name)
    say("  motor at %s. %s", at and ("%.4f"):format(at) or "? (" .. why .. ")", question)
    io.stdout:write("> ")
    io.stdout:flush()
    local line = io.read "l"
    if not line then return "end" end
    line = line:match "^%s*(.-)%s*$"
    local sign, size = line:match "^([+-])%s*([%d.]*)$"
    local value = tonumber(line:match "^at%s+(%S+)$")
    if value and not (math.abs(value) < math.huge) then value = nil end -- 1e999 is infinite
    if sign and (size == "" or tonumber(size)) then
      local good, fault = self:turn(name, (sign == "-" and -1 or 1) * (tonumber(size) or small_step))
      if not good then say("  it cannot be turned: %s", fault) end
    elseif line == "s" then return "skip"
    elseif line == "q" then return "quit"
    elseif line == "" or value then
      at, why = self:read(name)
      if at then return "here", at, value end
      say("  %s", why)
    elseif line ~= "?" then
      say("  that is none of: Enter, +, -, +0.1, at VALUE, ?, s, q")
    end
  end
end

--- Measure one DOF.  Return its numbers, or nil and the next action: "skip", "quit" or "end".
function Session:measure(item)
  local what, zero, value = self:ask(item, "Bring it to 0: Enter")
  if what ~= "here" then return nil, what end
  value = value or 0
  if item.coupled then return calibration.measure(item, value, zero) end
  while true do
    local further, reached
    what, further, reached = self:ask(item, "Move it the way its values grow: Enter")
    if what ~= "here" then return nil, what end
    local made, why = calibration.measure(item, value, zero, further, reached)
    if made then return made end
    say("  %s", why)
  end
end

--- Measure all DOFs.  Return the measurements by name, and their number; nil if the person left.
function Session:walk(plan)
  local measured, count = {}, 0
  for index, item in ipairs(plan) do
    say("\n%s%s, %d of %d%s", item.dof.name,
      item.dof.label ~= item.dof.name and " (" .. item.dof.label .. ")" or "", index, #plan,
      item.coupled and ", moved by several motors: their zero, with all its DOFs at 0" or "")
    local made, what
    if item.refused then say("  %s", item.refused) else made, what = self:measure(item) end
    self:let_go()
    if what == "end" then return nil end
    if what == "quit" then break end
    if made then
      measured[item.dof.name], count = made, count + 1
      say("  polarity %d, offset %.6g%s", made.polarity, made.offset,
        made.scale and (", scale %.6g"):format(made.scale) or "")
    end
  end
  return measured, count
end

-- Files -------------------------------------------------------------------------------------------

local function write(description, measured, path)
  local before = { motors = {} }
  if (uv.fs_stat(path) or {}).type == "file" then
    local read, why = file.read_calibration(path)
    if not read then return nil, why end
    before = read
  end
  return require("brio.file").replace(path,
    calibration.text(description, measured, before.motors, os.date "!%Y-%m-%d"))
end

-- The command ---------------------------------------------------------------------------------------

--- The DOFs of --only; nil if one does not exist (printed).
local function chosen(plan, only)
  if not only then return plan end
  local list, names = {}, {}
  for _, wanted in ipairs(only) do
    local before = #list
    for _, item in ipairs(plan) do
      names[#names + 1] = item.dof.name
      if item.dof.name == wanted or item.dof.group == wanted then list[#list + 1] = item end
    end
    if #list == before then
      return cli.error("the robot has no DOF or group '%s'%s", wanted, suggest.hint(wanted, names))
    end
  end
  return list
end

local function is_real(options)
  local used = { [options.driver] = true }
  for _, device in ipairs(options.devices or {}) do used[device.driver] = true end
  for _, kind in ipairs(actuator.drivers()) do
    if not kind.simulated and (used[kind.name] or kind.alias and used[kind.alias]) then return true end
  end
  return false
end

--- Open the devices with their motors limp.
local function open(description, plan, args, settings)
  local options = calibration.options(plan)
  local good, said = pcall(require("brio.devices.motors").actuator_options, description)
  if not good then return nil, tostring(said) end
  options.driver, options.settings, options.devices = args.driver or "sim", settings, said.devices
  if args.trace then
    local traced, unable = require("brio.devices.motors").trace(options, args.trace)
    if not traced then return nil, unable end
  end
  local opened, why
  good, opened, why = pcall(actuator.open, options)
  if not good then return nil, (tostring(opened):gsub("^.-%.lua:%d+: ", "")) end
  if not opened then return nil, why end
  for _, name in ipairs(opened:axes()) do opened:enable(name, false) end
  return setmetatable({ actuator = opened, real = is_real(options) }, Session)
end

--- Ask for confirmation, and write. Return an exit code.
local function finish(description, measured, count, path)
  if count == 0 then
    say "\nNothing was measured, nothing is written."
    return 0
  end
  io.stdout:write(("\n%d measured. Write %s? [y/n] "):format(count, path))
  io.stdout:flush()
  local answer = io.read "l"
  if not (answer and answer:match "^%s*[yY]") then
    say "Nothing is written."
    return answer and 0 or 1
  end
  local good, why = write(description, measured, path)
  if not good then
    cli.error("the calibration cannot be written: %s", why)
    return 1
  end
  say("Written. `brio run` takes it from there; `brio calibrate %s --only NAME` measures one again.",
    description.name)
  return 0
end

function command.run(args)
  if args[1] == "camera" then return require("brio.commands.camera.calibrate").run(args) end
  if #args ~= 1 then
    cli.error("calibrate expects one robot: %s", command.usage)
    return 2
  end
  local settings = cli.settings(args, {})
  if not settings then return 2 end
  local description, why = require("brio.robots.catalog").find(args[1],
    { packages = args.packages and { args.packages }, bare = true })
  if not description then
    cli.error("%s", why)
    return 1
  end
  local path = args.write or description.calibration
  if not path then
    cli.error("%s is a bare model: give --write FILE, and name that file in its robot.lua", args[1])
    return 2
  end
  local all = calibration.plan(description)
  local plan = chosen(all, args.only)
  if not plan then return 2 end
  local session
  session, why = open(description, all, args, settings)
  if not session then
    cli.error("%s", why)
    return 1
  end
  say("%s, %d DOFs.\n%s", description.title, #plan, instructions)
  local measured, count = session:walk(plan)
  session.actuator:close()
  if not cli.trace_is_whole(args) then say "" end
  if not measured then
    say "\nLeft before the end: nothing is written."
    return 1
  end
  return finish(description, measured, count, path)
end

return command
