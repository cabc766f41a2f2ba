--- A clip of joints (brio.clip) as a sequence (brio.sequence) for a robot: tracks named as its DOFs, keys that are
--- few, a beginning and an end that lead in and out, and what it asks for that the robot does not have.
local clip = require "brio.clip"
local simplify = require "brio.simplify"
local suggest = require "brio.suggest"

local fit = {}

--- How a clip's ways between keys are called in a sequence.
local curves = { linear = "linear", hold = "hold", monotone = "cubic", bezier = "bezier" }

--- Off by no more than this, in the DOF's unit, where many samples become few keys.
fit.tolerance = 0.002

--- Seconds in which a sequence leads from what is below to its first pose, and back.
fit.lead = 0.6

local function by_name(description)
  local dofs = {}
  for _, dof in ipairs(description.dofs) do
    dofs[dof.name], dofs[dof.name:lower()] = dof, dofs[dof.name:lower()] or dof
  end
  return dofs
end

--- The DOF of a track, with scale and offset: as the mapping says, else by name.
local function target_of(track, dofs, map)
  local spec = map.dofs and map.dofs[track.name]
  if spec == false then return nil, 1, 0, true end
  if type(spec) == "string" then spec = { spec } end
  if spec then
    local dof = dofs[spec[1]]
    if not dof then
      clip.fail(map.file, "the mapping sends '%s' to '%s', which the robot does not have%s", track.name,
        tostring(spec[1]), suggest.hint(tostring(spec[1]), suggest.keys(dofs)))
    end
    return dof, spec.scale or 1, spec.offset or 0
  end
  return dofs[track.name] or dofs[track.name:lower()], 1, 0
end

--- What a track's values are turned by to become the DOF's.
local function unit_scale(track, options)
  if track.unit == nil and options.unit == "deg" then return math.pi / 180 end
  return 1
end

--- A number as a person would write it: to a millionth.
local function short(value)
  local made = tonumber(("%.6f"):format(value))
  return made == 0 and 0 or made -- no -0
end

local function scaled(handle, scale) return handle and { short(handle[1]), short(handle[2] * scale) } or nil end

--- Keys as the author set them.
local function authored_keys(track, scale, offset, shift)
  local keys = {}
  for index, key in ipairs(track.keys) do
    local t = short(key[1] + shift)
    local made = key[2] == "input" and { t, kind = "input" } or { t, short(key[2] * scale + offset) }
    made.curve = index < #track.keys and curves[key[3]] or nil
    made.into, made.out = scaled(key[4], scale), index < #track.keys and scaled(key[5], scale) or nil
    keys[index] = made
  end
  return keys
end

--- Keys for samples: as few as the tolerance lets.
local function sampled_keys(track, scale, offset, shift, tolerance)
  local samples = {}
  for index, key in ipairs(track.keys) do samples[index] = { key[1] + shift, key[2] * scale + offset } end
  return simplify.keys(samples, tolerance)
end

--- Lead in from what is below to the first key, and out after the last.
local function add_leads(keys, lead, last)
  if keys[1].kind ~= "input" and keys[1][1] >= lead then
    table.insert(keys, 1, { short(keys[1][1] - lead), kind = "input", curve = "minimum_jerk" })
  end
  local final = keys[#keys]
  if final.kind ~= "input" then
    final.out = nil
    if final[1] < last - 1e-5 then
      final.curve = "hold"
      keys[#keys + 1] = { short(last), final[2], curve = "minimum_jerk" }
    else
      final.curve = "minimum_jerk"
    end
    keys[#keys + 1] = { short(last + lead), kind = "input" }
  end
end

--- How far a track goes beyond what its DOF can: past its ends, and faster than it.
local function excess(keys, dof)
  local past, fastest, before = 0, 0, nil
  for _, key in ipairs(keys) do
    local value = key[2]
    if type(value) == "number" then
      past = math.max(past, value - (dof.upper or math.huge), (dof.lower or -math.huge) - value)
      if before then fastest = math.max(fastest, math.abs(value - before[2]) / (key[1] - before[1])) end
      before = key
    end
  end
  return past, fastest
end

local function note_excess(notes, keys, dof)
  local past, fastest = excess(keys, dof)
  if past > 1e-6 then clip.note(notes, "%s goes %.3g beyond its end: it will stop there", dof.name, past) end
  if dof.velocity and fastest > dof.velocity then
    clip.note(notes, "%s goes from one key to another at %.3g a second, and it can %.3g: it will be late", dof.name, fastest,
      dof.velocity)
  end
end

local function needs_shift(tracks)
  for _, track in ipairs(tracks) do
    if track.keys[1][2] ~= "input" then return true end
  end
  return false
end

local function add_events(made, clip_, shift)
  for _, event in ipairs(clip_.events or {}) do
    if event[2] == "audio" and event[3] ~= "" then
      made.audio = made.audio or {}
      table.insert(made.audio, { short(event[1] + shift), event[3] })
    else
      made.events = made.events or {}
      table.insert(made.events, { short(event[1] + shift), event[3] ~= "" and event[3] or event[2],
        data = event[2] ~= "label" and { kind = event[2] } or nil })
    end
  end
end

--- The last time of a clip's tracks.
local function last_of(tracks)
  local last = 0
  for _, track in ipairs(tracks) do last = math.max(last, track.keys[#track.keys][1]) end
  return last
end

local function sequence_of(clip_, description, map, options)
  local dofs, notes, unknown = by_name(description), {}, {}
  local lead, tolerance = options.lead or fit.lead, options.tolerance or fit.tolerance
  local shift = needs_shift(clip_.tracks) and lead or 0
  local made = { name = clip_.name, robot = description.name, source = options.source, follow = options.follow, tracks = {} }
  local last = last_of(clip_.tracks) + shift
  for _, track in ipairs(clip_.tracks) do
    local dof, scale, offset, silent = target_of(track, dofs, map)
    if dof and made.tracks[dof.name] then
      clip.fail(nil, "two tracks move %s, the second is '%s': leave one of them out", dof.name, track.name)
    end
    if dof then
      scale = scale * unit_scale(track, options)
      local keys = track.keys[1][3] and authored_keys(track, scale, offset, shift)
        or sampled_keys(track, scale, offset, shift, tolerance)
      note_excess(notes, keys, dof)
      if lead > 0 then add_leads(keys, lead, last) end
      made.tracks[dof.name] = keys
    elseif not silent then
      unknown[#unknown + 1] = track.name
    end
  end
  add_events(made, clip_, shift)
  if next(made.tracks) == nil then
    clip.fail(nil, "nothing in it moves a DOF of %s: its tracks are %s; a mapping (--map) may say which is "
      .. "which", description.name, table.concat(unknown, ", "):sub(1, 300))
  end
  if #unknown > 0 then clip.note(notes, "%s has no %s: left out", description.name, table.concat(unknown, ", "):sub(1, 300)) end
  return made, notes
end

--- The sequence of a clip for a robot (its description, by brio.robots), and notes. `map`: a mapping with
--- dofs = { ["track"] = "DOF" or { "DOF", scale =, offset = } or false }. Options: unit ("deg": of tracks
--- that say none), tolerance, lead (s), follow. Returns nil, sentence, code when nothing of it fits.
function fit.sequence(clip_, description, map, options)
  return clip.try(sequence_of, clip_, description, map, options)
end

return fit
