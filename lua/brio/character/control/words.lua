--- The prompt's words of shared control: take, share, give, joint, level.
local columns = require "brio.lib.columns"
local levels = require "brio.character.control.levels"
local stick = require "brio.devices.stick"
local suggest = require "brio.lib.suggest"

local function control_of(prompt) return prompt.run.host.control end

--- The names in a line, and the number behind them if there is one.
local function names_and_number(rest)
  local names, number = {}, nil
  for word in rest:gmatch "%S+" do
    if tonumber(word) then number = tonumber(word) else names[#names + 1] = word end
  end
  return names, number
end

--- Owners of the parts, as a table.
local function takings_table(control)
  local rows = {}
  for _, taking in ipairs(control.takings) do
    local dofs = {}
    for _, dof in ipairs(taking.dofs) do
      if control.of[dof] == taking then dofs[#dofs + 1] = dof end
    end
    rows[#rows + 1] = { part = taking.name, share = ("%g"):format(taking.share), who = taking.who or "",
      dofs = table.concat(dofs, " ") }
  end
  local parts = table.concat(control:parts(), ", ")
  local said = "parts: " .. (parts ~= "" and parts or "this robot names none")
    .. "; groups, DOFs and links do as well"
  if #rows == 0 then return "nothing is taken; " .. said end
  return columns.text({ "part", "share", "who", "dofs" }, rows) .. "\n" .. said
end

--- Do something for each of some names; the first that fails says why.
local function each(names, work, done)
  for _, name in ipairs(names) do
    local good, why = work(name)
    if not good then return nil, why end
  end
  return done:format(table.concat(names, ", "))
end

local function take(prompt, rest, request)
  local control, names, number = control_of(prompt), names_and_number(rest)
  if #names == 0 then return takings_table(control) end
  if number then return nil, "take PART takes all of it; a share of it: share PART NUMBER" end
  return each(names, function(name) return control:take(name, { who = request.who }) end,
    "%s: yours; it keeps its pose until you move it (joint DOF VALUE, a gamepad, a tracker), give gives \z
      it back")
end

local function share(prompt, rest, request)
  local names, number = names_and_number(rest)
  if #names == 0 or not number then return nil, "say a part and your share of it, as in share head 0.5" end
  return each(names, function(name) return control_of(prompt):share(name, number, { who = request.who }) end,
    ("%%s: %g of it is yours"):format(number))
end

local function give(prompt, rest, request)
  local part, to = rest:match "^(%S+)%s+to%f[%s\0]%s*(.-)$" -- the word, and not the beginning of torso
  if part then return prompt.run.host.operators.locks:hand(part, to, request.who) end
  local names, seconds = names_and_number(rest)
  if #names == 0 then return nil, "say which part, or give all; take lists what is taken" end
  if seconds and not (seconds >= 0 and seconds <= 60) then return nil, "it goes back in 0 to 60 seconds" end
  return each(names, function(name) return control_of(prompt):give(name, seconds, request.who) end,
    "%s: given back")
end

local function joint(prompt, rest, request)
  local name, value = rest:match "^(%S+)%s+(%S+)$"
  local number = tonumber(value or "")
  if value == "off" then
    local good, why = control_of(prompt):give(name, nil, request.who)
    return good and name .. ": given back", why
  end
  if not number then return nil, "say a DOF and a value, as in joint HeadYaw 0.3, or joint HeadYaw off" end
  local good, why = control_of(prompt):move(name, number, request.who)
  return good and ("%s: goes to %g"):format(name, number), why
end

local function level_table(control)
  local rows = {}
  local function add(name)
    rows[#rows + 1] = { of = name, level = ("%.2f"):format(control.levels:of(name)),
      target = ("%g"):format(control.levels:target(name)) }
  end
  add(levels.all)
  for _, name in ipairs(control:faculties()) do add(name) end
  for _, name in ipairs(control.part_order) do add(name) end
  return columns.text({ "of", "level", "target" }, rows)
end

local function level(prompt, rest, request)
  local control = control_of(prompt)
  if rest == "" then return level_table(control) end
  local list = {}
  for word in rest:gmatch "%S+" do list[#list + 1] = word end
  if tonumber(list[1]) then table.insert(list, 1, levels.all) end
  local name, value, seconds = list[1], tonumber(list[2] or ""), tonumber(list[3] or "")
  if not value or list[3] and not seconds or list[4] then
    return nil, "say level VALUE [SECONDS], or level NAME VALUE [SECONDS], as in level gaze 0.3 5"
  end
  local good, why = control:set_level(name, value, seconds, request.who)
  if not good then return nil, why end
  return ("%s: goes to level %g in %g s"):format(name, value, seconds or control.spec.gradual)
end

--- Sticks with their dead zones, and what they do.
local function joystick_table(prompt)
  local control, lines = control_of(prompt), {}
  for _, one in ipairs(prompt.run.gamepad and prompt.run.gamepad.sticks or {}) do
    local of = one.stick
    lines[#lines + 1] = ("%-16s dead zone %.3f, center %.3f %.3f, at %.3f %.3f"):format(one.name, of.dead,
      of.center.x, of.center.y, one.x or 0, one.y or 0)
  end
  if #lines == 0 then lines[1] = "no gamepad with sticks: brio run ... --gamepad standard" end
  local rows = control.joystick and control.joystick:lines() or { "off: joystick on" }
  return table.concat(table.move(rows, 1, #rows, #lines + 1, lines), "\n")
end

--- Set the dead zone of one stick, or of all.
local function set_dead(prompt, name, value)
  local dead, known, count = tonumber(value), {}, 0
  if not (dead and dead >= 0 and dead <= stick.most) then
    return nil, "a dead zone is a share of the way, from 0 to 0.3"
  end
  for _, one in ipairs(prompt.run.gamepad and prompt.run.gamepad.sticks or {}) do
    known[#known + 1] = one.name
    if name == "" or name == one.name then one.stick.dead, count = dead, count + 1 end
  end
  if count > 0 then return ("dead zone %g"):format(dead) end
  return nil, ("there is no stick '%s'%s"):format(name, suggest.hint(name, known))
end

local function joystick(prompt, rest)
  if rest == "" then return joystick_table(prompt) end
  local name, value = rest:match "^dead%s+(%S-)%s*([%d%.]+)$"
  if value then return set_dead(prompt, name, value) end
  if rest ~= "on" and rest ~= "off" then
    return nil, "say joystick on, joystick off, or joystick dead [STICK] SHARE"
  end
  local good, why = control_of(prompt):set_joystick(rest == "on")
  if not good then return nil, why end
  return rest == "on" and joystick_table(prompt) or "off"
end

--- Status of trackers.
local function tracker(prompt)
  local lines = control_of(prompt).tracker:lines()
  return table.concat(lines, "\n")
end

local function says_something(rest) return rest ~= "" end

local words = {
  { name = "take", usage = "take [PART ...]", takes = "part", run = take, changes = says_something,
    example = "take head",
    summary = "take control of a part of the body, a group, DOF or link; alone: list what is taken" },
  { name = "share", usage = "share PART NUMBER", takes = "part", run = share, changes = true,
    example = "share head 0.5", summary = "take a share of the control of a part, 0 to 1; the robot keeps \z
      the rest" },
  { name = "give", usage = "give PART|all [SECONDS|to NAME]", takes = "part", run = give, changes = true,
    example = "give head 2", summary = "give a part back to the robot, or to another person" },
  { name = "joint", usage = "joint DOF VALUE|off", takes = "dof", run = joint, changes = true,
    example = "joint HeadYaw 0.3",
    summary = "move a DOF, and take it if needed; off: give it back" },
  { name = "joystick", usage = "joystick [on|off|dead [STICK] SHARE]", run = joystick,
    changes = says_something, example = "joystick dead stick_left 0.2",
    summary = "let a gamepad move the robot, by the map in its file or the behavior; dead zones, 0 to \z
      0.3; alone: its state" },
  { name = "tracker", usage = "tracker", run = tracker, example = "tracker",
    summary = "the hands and heads that trackers control; accepted and refused datagrams, and why" },
  { name = "level", usage = "level [[NAME] VALUE [SECONDS]]", takes = "level", run = level,
    changes = says_something, example = "level gaze 0.3 5",
    summary = "the level of the robot's autonomy, 0 to 1: overall, of a faculty, or of a part; alone: all \z
      levels" },
}

return words
