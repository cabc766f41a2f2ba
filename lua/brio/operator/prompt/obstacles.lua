--- The word `obstacle` of the prompt: boxes that a person puts into the robot's way, as a behavior does by
--- self:shape.  The robot keeps clear of them, and arms that plan go around them.
local columns = require "brio.lib.columns"
local geometry = require "brio.lib.geometry"
local shapes = require "brio.behavior.shapes"
local suggest = require "brio.lib.suggest"

local obstacles = {}

--- Maximum size of an edge, m.
local longest = 100

local headings = { "name", "kind", "size", "position", "on" }

local function row_of(key, shape)
  local p, size = (shape.pose or {}).position or { 0, 0, 0 }, {}
  for k = 1, type(shape.size) == "table" and #shape.size or 0 do size[k] = ("%g"):format(shape.size[k]) end
  return { name = columns.cell(key), kind = shape.kind, size = table.concat(size, " "),
    position = ("%.3f %.3f %.3f"):format(p[1], p[2], p[3]),
    on = shape.link and columns.cell(shape.link) or "" }
end

local function listed(host)
  local rows = {}
  for _, key in ipairs(suggest.keys(host.shapes)) do rows[#rows + 1] = row_of(key, host.shapes[key]) end
  return #rows > 0 and columns.text(headings, rows)
    or "none: nothing has been put into the robot's way"
end

--- The numbers and the frame of a text: x y z, three edges, perhaps a yaw; nil and a sentence.
local function read(text)
  local said, frame = text:match "^(.-)%s+in%s+(%S.-)$"
  local numbers = {}
  for word in (said or text):gmatch "%S+" do
    local number = tonumber(word)
    if not number or number - number ~= 0 then return nil, ("'%s' is no finite number"):format(word) end
    numbers[#numbers + 1] = number
  end
  if #numbers < 6 or #numbers > 7 then
    return nil, "say x y z of its middle and its three edges, in m, perhaps a yaw in rad, perhaps `in FRAME`"
  end
  for k = 4, 6 do
    if not (numbers[k] > 0 and numbers[k] <= longest) then
      return nil, ("an edge is above 0 and at most %g m, not %g"):format(longest, numbers[k])
    end
  end
  return numbers, frame
end

--- The pose of a box in the world; nil and a sentence.
local function pose_of(run, numbers, frame)
  local pose = { position = { numbers[1], numbers[2], numbers[3] },
    orientation = geometry.from_rpy(0, 0, numbers[7] or 0) }
  if not frame then return pose end
  local found = run.scene:frame(run.description.roles[frame] or frame)
  if not found then return nil, ("there is no frame '%s'"):format(frame) end
  return geometry.within(found, pose)
end

--- obstacle [NAME [X Y Z EDGE EDGE EDGE [YAW] [in FRAME]|off]]
function obstacles.run(prompt, rest)
  local host = prompt.run.host
  if rest == "" then return listed(host) end
  local name, text = rest:match "^(%S+)%s*(.-)$"
  local shape = host.shapes[name]
  if text == "" or text == "off" then
    if not shape then
      return nil, ("there is no obstacle '%s'%s"):format(name, suggest.hint(name, suggest.keys(host.shapes)))
    end
    if text == "" then return columns.text(headings, { row_of(name, shape) }) end
    shapes.put(host, name, nil)
    return ("'%s' is gone"):format(name)
  end
  local numbers, frame = read(text)
  if not numbers then return nil, frame end
  local pose, why = pose_of(prompt.run, numbers, frame)
  if not pose then return nil, why end
  local good
  good, why = shapes.put(host, name, { kind = "box", size = { numbers[4], numbers[5], numbers[6] },
    pose = pose })
  if not good then return nil, why end
  local p = pose.position
  return ("'%s' is in the way at %.3f %.3f %.3f, until `obstacle %s off`"):format(name, p[1], p[2],
    p[3], name)
end

--- The way back: what was there before.
function obstacles.undo(prompt, rest)
  local host, name = prompt.run.host, rest:match "^(%S+)%s+%S"
  if not name then return nil end
  local before = host.shapes[name]
  return function()
    return function()
      local good, why = shapes.put(host, name, before)
      if not good then return nil, why end
      return before and ("'%s' is as it was"):format(name) or ("'%s' is gone"):format(name)
    end, "obstacle " .. name .. " as before"
  end
end

return obstacles
