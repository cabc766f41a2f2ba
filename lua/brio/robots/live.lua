--- The parts of a robot's file that may change while the robot runs: names, poses, roles, and limits that are
--- not wider than at the beginning of the run.  Everything else needs a restart.
local suggest = require "brio.lib.suggest"

local live = {}

--- Parts of a description that must not change, and words for them.
local fixed = {
  { "robot", "model" }, { "point_speed", "point_speed" },
  { "base", "base" }, { "base_range", "base_range" }, { "base_center", "base_center" },
  { "gains", "motors' gains" },
  { "devices", "devices" }, { "couplings", "couplings" }, { "interlocks", "interlocks" },
    { "watch", "watch" },
  { "filters", "filters" }, { "steps", "steps" }, { "control", "control" },
    { "transmissions", "transmissions" },
    { "collisions", "collisions" }, { "balance", "balance" },
    { "stance", "stance" },
    { "on_loss", "on_loss" }, { "inputs", "inputs" },
  { "hands", "hands" }, { "bodies", "bodies" },
}

--- Parts that are replaced as a whole; settings of motors only while they are disarmed.
local parts = { "name", "title", "groups", "parts", "poses", "home", "roles", "dofs", "motors" }
local while_disarmed = { motors = true }

--- A complete text of a value, for comparison.
local function whole(value)
  if type(value) ~= "table" then return type(value) == "userdata" and value:hash() or tostring(value) end
  local items = {}
  for _, key in ipairs(suggest.keys(value)) do items[#items + 1] = key .. "=" .. whole(value[key]) end
  for _, item in ipairs(value) do items[#items + 1] = whole(item) end
  return "{" .. table.concat(items, ",") .. "}"
end

--- Whether two values of a description are the same throughout.
function live.same(a, b) return whole(a) == whole(b) end

--- Limits, and the direction in which they are wider.
local limits = { { "lower", -1 }, { "upper", 1 }, { "velocity", 1 }, { "acceleration", 1 } }

local function fault_of_dof(was, now)
  for _, part in ipairs { "name", "outside", "unit" } do
    if was[part] ~= now[part] then return "its DOFs cannot be changed while it runs: that takes a restart" end
  end
  for _, limit in ipairs(limits) do
    local part, side = limit[1], limit[2]
    if side * now[part] > side * was[part] then
      return ("dofs '%s': %s %g is looser than %g, with which the run began: that takes a restart")
        :format(was.name, part, now[part], was[part])
    end
  end
end

--- The gains of all motors.
local function gains_of(description)
  local gains = {}
  for name, motor in next, description.motors or {} do gains[name] = motor.gains end
  return gains
end

--- Why `now` cannot replace `began`, the description at the beginning of the run: a sentence, or nil.
function live.fault(began, now)
  for _, part in ipairs(fixed) do
    local was, is = began[part[1]], now[part[1]]
    if part[1] == "gains" then was, is = gains_of(began), gains_of(now) end
    if not live.same(was, is) then
      return ("its %s cannot be changed while it runs: that takes a restart"):format(part[2])
    end
  end
  if #began.dofs ~= #now.dofs then return "its DOFs cannot be changed while it runs: that takes a restart" end
  for index, dof in ipairs(began.dofs) do
    local fault = fault_of_dof(dof, now.dofs[index])
    if fault then return fault end
  end
end

--- The changeable part of a description, as plain data.
function live.parts(description)
  local made = {}
  for _, part in ipairs(parts) do made[part] = description[part] end
  return made
end

--- The parts that differ between two descriptions, or parts of such: a list of names.
function live.changed(before, now)
  local names = {}
  for _, part in ipairs(parts) do
    if not while_disarmed[part] and not live.same(before[part], now[part]) then names[#names + 1] = part end
  end
  return names
end

--- A finite limit, or nil.
local function finite(limit) return math.abs(limit) < math.huge and limit or nil end

--- Apply parts to `description`, and their limits to the solver, the robot's variables, and the actuator.
function live.take(description, now, solver, actuator)
  for _, dof in ipairs(now.dofs) do
    local said = { lower = finite(dof.lower), upper = finite(dof.upper), velocity = finite(dof.velocity),
      acceleration = finite(dof.acceleration) }
    local limited = dof.outside and actuator or solver
    limited:set_limits(dof.name, said)
    if not dof.outside then
      description.robot:note_limits(dof.name, said)
      -- for commands that bypass the solver
      actuator:set_limits(dof.name, { lower = said.lower, upper = said.upper })
    end
  end
  for _, part in ipairs(parts) do
    if not while_disarmed[part] then description[part] = now[part] end
  end
end

return live
