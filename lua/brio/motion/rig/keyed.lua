--- Targets of a rig from keyframes: a sequence (docs/animation/sequences.md) whose tracks are targets or
--- joints, with Bézier curves, straight lines, or others between keys.
---
---     pelvis_x, pelvis_y, pelvis_z       m, from where the rig stands
---     pelvis_roll, pelvis_pitch, pelvis_yaw        rad
---     left_foot_x, left_foot_y, left_foot_z, ...   m, from where the foot stands
---     left_leg_length, left_leg_pitch, ...         m, rad, from the virtual leg at home
---     a variable of the robot            rad or m
local clip = require "brio.formats.clip"
local suggest = require "brio.lib.suggest"
local tracks = require "brio.motion.tracks"

local keyed = {}

local axes = { "x", "y", "z" }
local angles = { "roll", "pitch", "yaw" }

--- The names of a rig's targets, sorted, with their values at home.
local function names_of(rig)
  local home = {}
  for axis = 1, 3 do home["pelvis_" .. axes[axis]], home["pelvis_" .. angles[axis]] = 0, 0 end
  for side in next, rig.legs do
    home[side .. "_leg_length"], home[side .. "_leg_pitch"] = 0, 0
    for axis = 1, 3 do home[side .. "_foot_" .. axes[axis]] = 0 end
  end
  for _, variable in ipairs(rig.variables) do home[variable.name] = rig.home.joints[variable.name] end
  return suggest.keys(home), home
end

--- The foot's side of each point: the side whose leg's foot is above its link, or is it.
local function sides(rig)
  local list = {}
  for index, point in ipairs(rig.points) do
    for side, leg in next, rig.legs do
      local link = point.link
      while link do
        if link == leg.foot then list[index] = side end
        link = rig.robot:link(link).parent
      end
    end
  end
  return list
end

--- The targets of a frame from the values of the tracks.
local function target_of(rig, value, size, side_of)
  local function at(name) return size * (value[name] or 0) end
  local made = { feet = {}, legs = {}, joints = {} }
  local offset, turn, moved = {}, {}, false
  for axis = 1, 3 do
    offset[axis], turn[axis] = at("pelvis_" .. axes[axis]), at("pelvis_" .. angles[axis])
    moved = moved or value["pelvis_" .. axes[axis]] or value["pelvis_" .. angles[axis]]
  end
  for side in next, rig.legs do
    local length, pitch = value[side .. "_leg_length"], value[side .. "_leg_pitch"]
    if length or pitch then
      local home = rig.legs_home[side]
      made.legs[side] = { length = length and home.length + size * length,
        pitch = pitch and home.pitch + size * pitch }
    end
  end
  -- a virtual leg says where the pelvis goes, unless that is said
  if moved or not next(made.legs) then made.pelvis = rig:pelvis_at(offset, turn) end
  for index, point in ipairs(rig.stand) do
    made.feet[index] = {}
    for axis = 1, 3 do
      made.feet[index][axis] = point[axis] + at((side_of[index] or "") .. "_foot_" .. axes[axis])
    end
  end
  for _, variable in ipairs(rig.variables) do
    local name, home = variable.name, rig.home.joints[variable.name]
    if value[name] then made.joints[name] = home + size * (value[name] - home) end
  end
  return made
end

--- The times of all keys, rising, each once.
local function key_times(description)
  local seen, list = {}, {}
  for _, track in next, description.tracks do
    for _, key in ipairs(track) do
      if not seen[key[1]] then seen[key[1]], list[#list + 1] = true, key[1] end
    end
  end
  table.sort(list)
  return list
end

--- The targets of a rig, one for each frame, from a sequence. Fails by clip.fail.
---@param rig table
---@param description table a checked sequence
---@param options { rate: number, tempo: number, size: number }
---@return table list of targets
---@return string[] notes
---@return integer[] keys the frames of the keys
function keyed.targets(rig, description, options)
  local names, home = names_of(rig)
  local numbers, dofs = {}, {}
  for index, name in ipairs(names) do
    local variable = rig.variables[rig.number[name] or 0]
    numbers[name] = index
    dofs[index] = { name = name, unit = "rad", lower = variable and variable.lower or -math.huge,
      upper = variable and variable.upper or math.huge, rest = home[name] }
  end
  local compiled, used = tracks.compile(description, numbers, dofs), {}
  for _, name in ipairs(compiled.missing) do
    clip.fail("track '" .. name .. "'", "it is no target of the rig and no variable of the robot%s",
      suggest.hint(name, names))
  end
  for _, name in ipairs(suggest.keys(description.tracks)) do
    if description.tracks[name].active ~= false then used[#used + 1] = name end
  end
  local list, side_of, length = {}, sides(rig), compiled.motion:length()
  for frame = 0, math.floor(length / options.tempo * options.rate + 1e-6) do
    local value, t = {}, math.min(length, frame / options.rate * options.tempo)
    for place, name in ipairs(used) do
      local a, b = compiled.motion:sample(place, t)
      if a then value[name] = a + b * home[name] end
    end
    list[frame + 1] = target_of(rig, value, options.size, side_of)
  end
  local keys, before = {}, 0
  for _, time in ipairs(key_times(description)) do
    local frame = math.floor(time / options.tempo * options.rate + 0.5) + 1
    if frame > before and frame <= #list then keys[#keys + 1], before = frame, frame end
  end
  return list, {}, keys
end

return keyed
