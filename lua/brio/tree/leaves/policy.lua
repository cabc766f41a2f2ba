--- The leaf `policy`: a controller outside of brio sets targets of DOFs for a while, within the robot's
--- limits.
local link = require "brio.io.stream"
local motion = require "brio.tree.execution.motion"
local parts = require "brio.robots.parts"
local policies = require "brio.tree.execution.policies"
local setpoints = require "brio.tree.execution.setpoints"

--- The DOFs that it may move, as rows of the description; nil and a sentence.
local function dofs_of(description, form)
  local index, has, rows = parts.index(description), {}, {}
  for _, name in ipairs(form.moves) do
    local found, why = parts.find(index, name)
    if not found then return nil, why end
    for _, dof in ipairs(found) do has[dof] = true end
  end
  for _, dof in ipairs(description.dofs) do
    if has[dof.name] then rows[#rows + 1] = dof end
  end
  if #rows == 0 then return nil, "moves names no DOF" end
  return rows
end

--- Begin to move the DOFs, from their present positions.
local function take_over(site, form, memory)
  local rows, start, goals, names = {}, {}, {}, {}
  local motions = motion.of(site.host)
  for d, dof in ipairs(memory.dofs) do
    rows[d] = { lower = dof.lower, upper = dof.upper, velocity = form.speed * math.min(dof.velocity, 1e3) }
    start[d] = math.max(dof.lower, math.min(dof.upper, (motions:at(dof.name))))
    goals[d], names[d] = start[d], dof.name
  end
  memory.way = setpoints.new(rows, start, goals, form.cutoff)
  memory.way.kept = true
  local why
  memory.motion, why = motions:begin { name = memory.key, dofs = names, way = memory.way, state = site.name,
    hold = form.hold, follow = form.follow }
  return memory.motion, why
end

--- The end: disconnect the policy; the robot holds its position, or returns.
local function leave(memory, why)
  if memory.policy then memory.policy:leave(why) end
  if memory.motion and memory.motion:on() then memory.motion:stop() end
end

local function begin(site, form, memory)
  local address = link.address(form.connect)
  if form.command and not site.host.programs then
    return false, ("it would start the program '%s', but this run does not allow programs of trees: give \z
      --allow-programs"):format(
      form.command[1])
  end
  local why
  memory.dofs, why = dofs_of(site.description, form)
  if not memory.dofs then return false, why end
  memory.policy, why = policies.of(site.host):enter { name = form.policy, address = address,
    command = form.command,
    dofs = memory.dofs, rate = form.rate, parameters = form.parameters or {}, patience = form.patience,
      silence = form.silence }
  if not memory.policy then return false, why end
  return nil
end

--- Work of a tick. Return nil to continue, true, or false and why.
local function go_on(site, form, memory, elapsed)
  local done, why = memory.policy:work()
  if done ~= nil then return done, why end
  if memory.policy.begun and not memory.motion then
    local moving
    moving, why = take_over(site, form, memory)
    if not moving then return false, why end
  end
  local moving = memory.motion
  if moving then
    if moving.lost then return false, ("%s was taken by %s"):format(moving.lost.joint, moving.lost.to) end
    if not moving:on() then return false, "its motion was stopped by somebody" end
    for name, value in next, memory.policy.targets do memory.way:lead(memory.policy.numbers[name], value) end
  end
  if form.seconds and elapsed >= form.seconds - 1e-9 then return true end
  if form.timeout and elapsed >= form.timeout - 1e-9 then
    return false, ("the policy '%s' is not done after %g s"):format(form.policy, form.timeout)
  end
end

return {
  name = "policy",
  doc = "Enters a controller outside of brio, which leads DOFs within their limits, and leaves it again \z
    whatever happens.",
  fields = {
    policy = { "string", doc = "name of the policy, sent on entry" },
    connect = { "string", doc = "where it listens: \"tcp://HOST:PORT\" or \"unix:PATH\"" },
    command = { "list", of = "string", doc = "a program and its words, started before and ended after it" },
    parameters = { "table", doc = "parameters, sent on entry" },
    moves = { "list", of = "string", doc = "parts, groups, links or DOFs that it may move" },
    seconds = { "number", unit = "s", lower = 0.01, upper = 86400,
      doc = "time after which it is exited with success" },
    timeout = { "number", unit = "s", lower = 0.01, upper = 86400,
      doc = "it has failed when it is not done by then" },
    rate = { "number", unit = "Hz", lower = 0.1, upper = 1000, value = 50,
      doc = "rate of the robot's states that it gets" },
    patience = { "number", unit = "s", lower = 0.05, upper = 600, value = 5,
      doc = "maximum time until its first targets" },
    silence = { "number", unit = "s", lower = 0.02, upper = 60, value = 0.5,
      doc = "maximum time between targets afterwards" },
    speed = { "number", unit = "1", lower = 0.01, upper = 1, value = 1,
      doc = "share of each DOF's greatest speed" },
    cutoff = { "number", unit = "Hz", lower = 0, upper = 1000, value = 0,
      doc = "cutoff of a filter of its targets; 0: none" },
    follow = { "number", unit = "1", lower = 0.01, upper = 1e6, doc = "how hard DOFs are followed" },
    hold = { "any", value = true,
      doc = "true: DOFs stay afterwards until other leaves take them or the state is left; false: they \z
        return; \z
        \"always\"" },
    owns = "table",
  },
  needs = { "policy", "connect", "moves" },
  fault = function(form, site)
    if form.hold ~= "always" and type(form.hold) ~= "boolean" then
      return "hold is true, false or \"always\""
    end
    local address, wrong = link.address(form.connect)
    if not address then return "connect: " .. wrong end
    if form.command and #form.command == 0 then return "command: names no program" end
    local dofs, why = dofs_of(site.description, form)
    return not dofs and "moves: " .. why or nil
  end,
  owns = function(form) return form.moves end,
  seconds = function(form) return form.seconds end,
  work = function(site, form, memory, fresh, elapsed)
    local done, why
    if fresh then done, why = begin(site, form, memory) end
    if done == nil then done, why = go_on(site, form, memory, elapsed) end
    if done ~= nil then leave(memory, done and "done" or why) end
    return done, why
  end,
  stop = function(_, _, memory) leave(memory, "stopped") end,
  pause = function(_, _, memory, on)
    if memory.motion then memory.motion:rest(on) end
    if memory.policy then memory.policy.heard = not on and memory.policy.host.now or memory.policy.heard end
  end,
  progress = function(_, form, memory)
    local policy = memory.policy
    return { nominal = form.seconds, text = not policy and "" or not policy.open and "looks for it"
      or not policy.begun
      and "waits for its first targets" or "leads" }
  end,
  mirror = function(form, m)
    return { moves = m:list(type(form.moves) == "table" and form.moves or {}) }
  end,
  inherit = { "connect", "command", "moves", "rate", "silence", "speed" },
}
