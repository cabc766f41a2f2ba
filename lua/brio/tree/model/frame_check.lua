--- Checks the frames that leaves of trees name: links, roles, walking frames, objects that leaves set up.
--- Other names may be ids of detections, so they give warnings, not faults.
local limbs = require "brio.robots.limbs"
local suggest = require "brio.lib.suggest"
local trees = require "brio.tree.model.tree"

local frame_check = {}

--- Fields with names of frames, in all leaves that have them.
local common = { "frame", "link" }

--- Maximum number of frames of a leaf, some of which may be nil.
local most_frames = 8

--- Nodes that change the order in which leaves run.
local elsewhere = { ["goto"] = true, gosub = true, loop = true, retry = true }

local function record_of(node)
  local kind = trees.kinds[node.is]
  return kind and kind.record or {}
end

--- The names of the frames that a node uses: a list without holes.
local function used_by(node)
  local record, form, list = record_of(node), node.values or node.form, {}
  local function add(name)
    if type(name) == "string" then list[#list + 1] = name end
  end
  for _, field in ipairs(common) do
    if record.fields and record.fields[field] then add(form[field]) end
  end
  local more = record.frames and record.frames(form) or {}
  for index = 1, most_frames do add(more[index]) end
  return list
end

--- Names that exist before a tree runs: those of a robot, and given ones (ids in a world).
local function known_on(description, ids)
  local known = { world = true, walking = true, base = true }
  for _, name in ipairs(description.robot:links()) do known[name] = true end
  for role in next, description.roles do known[role] = true end
  for id in next, ids or {} do known[id] = true end
  known[limbs.root(description.robot)] = true
  return known
end

--- The nodes that provide a frame: {name = number of the first}, and whether leaves run in document order.
local function provided_by(compiled)
  local first, in_order = {}, true
  for number, node in ipairs(compiled.list) do
    local record = record_of(node)
    local name = record.provides and record.provides(node.values or node.form)
    if type(name) == "string" and not first[name] then first[name] = number end
    if elsewhere[node.is] then in_order = false end
  end
  return first, in_order
end

--- Warnings about frames of some compiled trees of one behavior: a list of {tree =, node =, message =}.
--- `ids`: a set of ids of detections.
function frame_check.warnings(list, description, ids)
  local known, made, names, everywhere = known_on(description, ids), {}, nil, {}
  for _, compiled in ipairs(list) do
    for name in next, (provided_by(compiled)) do everywhere[name] = true end
  end
  for index, compiled in ipairs(list) do
    local first, in_order = provided_by(compiled)
    for number, node in ipairs(compiled.list) do
      for _, name in ipairs(used_by(node)) do
        local message
        if not known[name] and not everywhere[name] then
          if not names then
            names = suggest.keys(known)
            for other in next, everywhere do names[#names + 1] = other end
            table.sort(names)
          end
          message = ("'%s' (%s): no leaf sets up the frame '%s', and the robot has none of \z
            that name%s"):format(node.name, node.is, name, suggest.hint(name, names))
        elseif not known[name] and in_order and first[name] and first[name] > number and #list == 1 then
          message = ("'%s' (%s): the frame '%s' is set up only behind it, by '%s'"):format(node.name, node.is,
            name, compiled.list[first[name]].name)
        end
        if message then made[#made + 1] = { tree = index, node = number, message = message } end
      end
    end
  end
  return made
end

--- The ids in a world's data, as a set.
function frame_check.ids(data, found, depth)
  found, depth = found or {}, depth or 0
  if type(data) ~= "table" or depth > 8 then return found end
  for key, value in next, data do
    if key == "id" and type(value) == "string" then found[value] = true end
    frame_check.ids(value, found, depth + 1)
  end
  return found
end

return frame_check
