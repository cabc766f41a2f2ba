--- The leaf `contact`: waits until the robot touches something, or no longer does.
---
--- What counts is an input (a switch, a foot's sensor), or what an arm's motors feel: their torques less
--- those that carry the arm's weight, and less the same when the leaf began, lead by least squares of the
--- hand's Jacobian to the force on the hand (tree/execution/forces.lua).
local lazy = require "brio.lib.lazy"
local dynamics = lazy "brio.dynamics"
local forces = require "brio.tree.execution.forces"
local motion = require "brio.tree.execution.motion"

--- Averaging time at the beginning, s; time that a device may take until its first report, s.
local listening, patience = 0.1, 0.5

--- The torques of the arm's joints without its weight; or nil and a joint without a report.
local function torques(site, memory)
  local list, silent = forces.torques(site, memory.arm)
  if not list then return nil, silent end
  local motions = motion.of(site.host)
  local weight = memory.dynamics:inverse(motions:configuration(motions:told()))
  for d, dof in ipairs(memory.arm.limb.dofs) do list[d] = list[d] - (weight.joints[dof] or 0) end
  return list
end

--- Average the initial torques.
local function listen(memory, list)
  memory.looks = (memory.looks or 0) + 1
  for n, value in ipairs(list) do
    memory.rest[n] = (memory.rest[n] or 0) + (value - (memory.rest[n] or 0)) / memory.looks
  end
end

--- The force on the hand, N; nil: not known yet; nil and a sentence: it never is.
local function felt_by_arm(site, form, memory, elapsed)
  if not memory.arm then
    local why
    memory.arm, why = forces.arm_of(site.description, form)
    if not memory.arm then return nil, why end
    memory.dynamics, memory.rest = dynamics.new(site.description.robot), {}
  end
  local list, silent = torques(site, memory)
  if not list then
    if elapsed < patience then return nil end
    return nil, ("an arm feels contact only where devices report the load of their motors, and %s reports \z
      none"):format(silent)
  end
  if elapsed < listening or not memory.looks then return listen(memory, list) end
  for n in ipairs(list) do list[n] = list[n] - memory.rest[n] end
  local f = forces.along(table.move(forces.jacobian(site, memory.arm), 1, 3, 1, {}), list)
  return math.sqrt(f[1] * f[1] + f[2] * f[2] + f[3] * f[3])
end

--- The value of the input: a number, or 0 and 1.
local function felt_by_input(site, form)
  local good, value = pcall(function() return site.self.inputs[form.input] end)
  if not good then return nil, (tostring(value):gsub("^.-%.lua:%d+: ", "")) end
  if type(value) == "boolean" then return value and math.huge or 0 end
  if type(value) == "number" then return value end
  if value == nil then return nil end
  return nil, ("the input '%s' is no switch and no number"):format(form.input)
end

local function compared(form, force)
  return ("%.2f, wanted %s than %g"):format(force, form.gone and "no more" or "more", form.force)
end

local function work(site, form, memory, _, elapsed)
  local felt = form.input and felt_by_input or felt_by_arm
  local force, why = felt(site, form, memory, elapsed)
  if why then return false, why end
  memory.force = force
  local there = force and (force > form.force) ~= form.gone
  memory.since = there and (memory.since or elapsed) or nil
  if there and elapsed - memory.since >= form.seconds - 1e-9 then return true end
  if elapsed < form.timeout - 1e-9 then return nil end
  local number = force and force < math.huge
  return false, ("%s after %g s%s"):format(form.gone and "it still touches" or "it touches nothing",
    form.timeout,
    number and ": " .. compared(form, force) or "")
end

return {
  name = "contact",
  doc = "Succeeds when an input, or an arm by the load of its motors, feels contact; or no longer does.",
  fields = {
    input = {
      "string", doc = "a switch or a number, such as the force on a foot; default: what the arm feels" },
    side = { "string", doc = "\"left\" or \"right\", where the robot has two arms" },
    part = { "string", doc = "the part of the robot that feels, if it is not the arm" },
    link = { "string", doc = "the link that touches, if it is not the hand" },
    force = { "number", unit = "N", lower = 0, upper = 1e6, value = 5,
      doc = "more than this is contact; of an input in its own unit" },
    gone = { "boolean", value = false, doc = "true: waits until there is none" },
    seconds = { "number", unit = "s", lower = 0, upper = 3600, value = 0, doc = "how long it must last" },
    timeout = { "number", unit = "s", lower = 0, upper = 1e6, value = 10, doc = "when it fails" },
  },
  fault = function(form, site)
    local row = form.input and (site.description.inputs or {})[form.input]
    if row and (row.kind == "imu" or row.kind == "microphone") then
      return ("the input '%s' is a %s: it feels no contact"):format(form.input, row.kind)
    end
    local arm, why = true, nil
    if not form.input then arm, why = forces.arm_of(site.description, form) end
    return not arm and why or nil
  end,
  owns = function() return {} end,
  seconds = function() return nil end,
  work = work,
  progress = function(_, form, memory)
    local force = memory.force
    if not force or force == math.huge then
      return { text = force and "touches" or "listens", tolerance = 0 }
    end
    return { value = force, unit = not form.input and "N" or nil, nominal = form.timeout, tolerance = 0,
      error = math.max(form.gone and force - form.force or form.force - force, 0),
      text = compared(form, force) }
  end,
  inherit = { "side", "part", "link", "force", "timeout" },
}
