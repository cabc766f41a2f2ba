--- An animation for a robot that stands, from another program's motion through a rig: configurations by
--- inverse kinematics, each from the one before.
local clip = require "brio.formats.clip"
local keyed = require "brio.motion.rig.keyed"
local person = require "brio.motion.rig.person"

local animation = {}

--- The targets of a clip of joints: its tracks, with the feet where they are.
local function of_joints(rig, clip_, options)
  local description = { tracks = {} }
  for _, track in ipairs(clip_.tracks) do
    local keys = { curve = "linear" }
    for _, key in ipairs(track.keys) do
      if key[2] ~= "input" then keys[#keys + 1] = { key[1], key[2] } end
    end
    if #keys > 0 then description.tracks[track.name] = keys end
  end
  if not next(description.tracks) then clip.fail(nil, "it has no track with a value") end
  local list, notes = keyed.targets(rig, description, options)
  return list, notes
end

local makers = {
  skeleton = person.targets,
  joints = of_joints,
  sequence = function(rig, source, options) return keyed.targets(rig, source.description, options) end,
}

local function make(rig, source, options)
  local full = { rate = rig.data.rate or 25, tempo = options.tempo or 1, size = options.size or 1,
    from = options.from, to = options.to }
  local targets, notes, keys = makers[source.kind](rig, source, full)
  if #targets < 2 then clip.fail(nil, "it lasts less than two frames") end
  local made = { rate = full.rate, frames = {}, keys = keys, feet = {}, hard = {}, notes = notes }
  local q = rig.home
  for frame, target in ipairs(targets) do
    q, made.feet[frame], made.hard[frame] = rig:pose(target, q)
    made.frames[frame] = q
    if options.report and options.report(frame, #targets) == false then return nil, "cancelled" end
  end
  return made
end

--- Make an animation.
---@param rig table of brio.motion.rig
---@param source table a clip (brio.formats.clip), or { kind = "sequence", description = a checked sequence }
---@param options { tempo: number?, size: number?, from: number?, to: number?, report: function? } tempo:
---  faster
---  than 1 is quicker; size: of what differs from where it stands; from, to: s of a skeleton's clip
---@return table? { rate, frames, keys, feet = greatest error of foot targets by frame (m), hard = of what
---  must
---  hold exactly (m or rad), notes }
---@return string? why
function animation.make(rig, source, options) return clip.try(make, rig, source, options or {}) end

return animation
