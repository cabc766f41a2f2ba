--- A robot's model with what a rig says of it: joints that are rigid, and joints that others lead, where the
--- file leaves them free (springs, rods that a tree cannot have).
local robot = require "brio.robot"
local suggest = require "brio.lib.suggest"

local model = {}

--- A name in a pattern.
local function quoted(name) return (name:gsub("%p", "%%%0")) end

--- The element of a joint of a URDF: where it begins and ends.
local function urdf_joint(text, name)
  local from = text:find("<joint%s[^>]*name%s*=%s*[\"']" .. quoted(name) .. "[\"']")
  local _, to = text:find("</joint%s*>", from or #text + 1)
  if to then return from, to end
end

--- Change the element of a joint of a URDF, by `change(element)`.
local function edit_urdf(text, name, change)
  local from, to = urdf_joint(text, name)
  if not from then return nil, ("the model has no joint '%s'"):format(name) end
  return text:sub(1, from - 1) .. change(text:sub(from, to)) .. text:sub(to + 1)
end

local formats = { urdf = {}, mjcf = {} }

function formats.urdf.rigid(text, name)
  return edit_urdf(text, name, function(element)
    local head, rest = element:match "^(<joint[^>]*>)(.*)$"
    return head:gsub("(%stype%s*=%s*[\"'])%w+", "%1fixed", 1) .. rest:gsub("<mimic[^>]*>", "")
  end)
end

function formats.urdf.mimic(text, name, led)
  local added = ('<mimic joint="%s" multiplier="%.17g" offset="%.17g"/></joint>'):format(led.joint,
    led.scale or 1, led.offset or 0)
  return edit_urdf(text, name, function(element)
    return (element:gsub("<mimic[^>]*>", ""):gsub("</joint%s*>$", "") .. added)
  end)
end

--- Without its joint a body of an MJCF is fixed to its parent. Key frames count all joints, so they go.
function formats.mjcf.rigid(text, name)
  text = text:gsub("<keyframe%s*>.-</keyframe%s*>", "")
  local made, count = text:gsub("<joint%s[^>]-name%s*=%s*[\"']" .. quoted(name) .. "[\"'][^>]*/>", "", 1)
  if count == 0 then return nil, ("the model has no joint '%s'"):format(name) end
  return made
end

--- A row of an MJCF counts from the joints' `ref`: what that makes of an offset of 0, the parser says.
function formats.mjcf.mimic(text, name, led)
  local from = text:find "</mujoco%s*>%s*$"
  if not from then return nil, "the model does not end with </mujoco>" end
  local function with(offset)
    return ('%s<equality><joint joint1="%s" joint2="%s" polycoef="%.17g %.17g 0 0 0"/></equality></mujoco>')
      :format(text:sub(1, from - 1), name, led.joint, offset, led.scale or 1)
  end
  local made, why = robot.parse(with(0), "the model", { base = "fixed" })
  if not made then return nil, why end
  return with((led.offset or 0) - made:joint(name).mimic.offset)
end

--- The text of a model with what a rig says of its joints; or nil and a sentence.
local function edited(text, rig)
  local format, why = text:find "<mujoco" and formats.mjcf or formats.urdf
  for _, name in ipairs(rig.rigid or {}) do
    text, why = format.rigid(text, name)
    if not text then return nil, "rigid: " .. why end
  end
  for _, name in ipairs(suggest.keys(rig.mimic or {})) do
    text, why = format.mimic(text, name, rig.mimic[name])
    if not text then return nil, "mimic: " .. why end
  end
  return text
end

--- The text of a model without its closed loops.
function model.without_loops(text) return (text:gsub("<connect%s[^>]*/>", ""):gsub("<weld%s[^>]*/>", "")) end

--- Load a model twice: with a free base, and fixed for those who pose arms.
---@param text string of a URDF or an MJCF
---@param path string its file
---@param rig table with rigid and mimic
---@return table? free, fixed robots
---@return string? why
function model.load(text, path, rig)
  local made, why = edited(text, rig)
  if not made then return nil, path .. ": " .. why end
  local free, fault = robot.parse(made, path, { base = "free" })
  if not free then return nil, fault end
  return free, assert(robot.parse(made, path, { base = "fixed" }))
end

return model
