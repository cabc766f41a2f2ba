--- Writes the robot.lua of a robot that has only a URDF, for a person to edit: the guesses, their confidence,
--- and the missing parts.
local bare = require "brio.robots.from_urdf"
local suggest = require "brio.lib.suggest"

local write = {}

--- A key of a table in Lua syntax.
local function key(name)
  if name:match "^[%a_][%w_]*$" and load("local " .. name .. " = 0") then return name end
  return ("[%q]"):format(name)
end

--- A number, exact enough to stay within its range.
local function number(value) return ("%.12g"):format(value) end

--- Texts after each other, wrapped at 100 columns.
local function wrapped(pieces, indent)
  local lines, line = {}, indent
  for index, piece in ipairs(pieces) do
    local text = piece .. (index < #pieces and "," or "")
    if #line > #indent and #line + 1 + #text > 100 then
      lines[#lines + 1], line = line, indent
    end
    line = line .. (#line > #indent and " " or "") .. text
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

local function dof_lines(description)
  local group_of, lines = {}, {}
  for _, part in ipairs(suggest.keys(description.parts)) do
    for _, name in ipairs(description.parts[part]) do group_of[name] = part end
  end
  for _, dof in ipairs(description.dofs) do
    local group = group_of[dof.name] and (", group = %q"):format(group_of[dof.name]) or ""
    lines[#lines + 1] = ("    { name = %q%s },"):format(dof.name, group)
  end
  return table.concat(lines, "\n")
end

local function part_lines(description)
  local lines = {}
  for _, part in ipairs(suggest.keys(description.parts)) do
    lines[#lines + 1] = ("    %s = { %q },"):format(key(part), part)
  end
  if #lines == 0 then return "    -- left_arm = { \"left_arm\" },   lists of DOFs or groups" end
  return table.concat(lines, "\n")
end

local function pose_lines(description)
  local lines = {}
  for _, name in ipairs(suggest.keys(description.poses)) do
    local pieces = {}
    for _, dof in ipairs(description.dofs) do
      local value = description.poses[name].joints[dof.name]
      if value ~= dof.rest then pieces[#pieces + 1] = ("%s = %s"):format(key(dof.name), number(value)) end
    end
    lines[#lines + 1] = #pieces == 0 and ("    %s = { joints = {} },"):format(key(name))
      or ("    %s = { joints = {\n%s } },"):format(key(name), wrapped(pieces, "      "))
  end
  return table.concat(lines, "\n")
end

local function role_lines(description)
  local lines, asked = {}, {}
  for _, role in ipairs(bare.roles) do asked[role] = true end
  local list = { table.unpack(bare.roles) }
  for _, role in ipairs(suggest.keys(description.roles)) do
    if not asked[role] then list[#list + 1] = role end
  end
  for _, role in ipairs(list) do
    local one = description.guesses[role]
    lines[#lines + 1] = one and ("    %s = %q, -- %s: %s"):format(key(role), one.link, one.sure, one.why)
      or ("    -- %s = \"LINK\","):format(role)
  end
  return table.concat(lines, "\n")
end

--- How the base of a robot with legs moves, and where it stands.
local function base_lines(description)
  if not (description.roles.left_foot and description.roles.right_foot) then return "" end
  local line = '  base = "fixed", -- "free" for a robot that walks\n'
  if not description.depth then return line end
  return ("%s  base_center = { 0, 0, %s }, -- of the root, m: it stands on the floor in its home pose\n")
    :format(
    line, number(description.depth))
end

--- The text of a robot.lua for a bare model.
---@param description table of robots.find, of a model without a robot.lua
---@param model string the model's path as robot.lua is to have it
---@return string
function write.text(description, model)
  return ([[
-- Written by `brio robot --init`: a beginning, to be edited. Roles are guessed from the model's structure and
-- names, and from an SRDF beside it; behind each stands how sure that is. Look at those that are likely or
-- weak, and name those that are missing. docs/devices/robots.md says what else may stand here.
return {
  name = %q,
  model = %q,
%s
  dofs = { -- label = "what people read", velocity, acceleration, grip = true for what shuts a hand
%s
  },

  -- what people take by name
  parts = {
%s
  },

  home = %q,
  poses = {
%s
  },

  -- links by what they are for
  roles = {
%s
  },
}
]]):format(description.name, model, base_lines(description),
    dof_lines(description), part_lines(description), description.home, pose_lines(description),
    role_lines(description))
end

return write
