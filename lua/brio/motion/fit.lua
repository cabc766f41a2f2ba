--- Converts a clip of joints (brio.clip) into a sequence (brio.sequence) for a robot: tracks named after its
--- DOFs, few keys, a lead-in and lead-out, and notes on what the robot cannot do.
local clip = require "brio.formats.clip"
local motion = require "brio.motion"
local part = require "brio.motion.fit.part"
local retime = require "brio.motion.fit.retime"
local simplify = require "brio.motion.simplify"
local suggest = require "brio.lib.suggest"

local fit = {}

--- Names in a sequence of a clip's interpolations.
local curves = { linear = "linear", hold = "hold", monotone = "cubic", bezier = "bezier" }

--- Maximum error of keys for samples, in the DOF's unit.
fit.tolerance = 0.002

--- Sample rate, 1/s, of an author's curves if only a part of them is used, or they are fitted.
local sample_rate = 100

--- Duration of the lead to a sequence's first pose, and back, s.
fit.lead = 0.6

local function by_name(description)
  local dofs = {}
  for _, dof in ipairs(description.dofs) do
    dofs[dof.name], dofs[dof.name:lower()] = dof, dofs[dof.name:lower()] or dof
  end
  return dofs
end

--- The DOF of a track, with scale and offset: by the mapping, else by name.
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

--- Factor from a track's values to the DOF's.
local function unit_scale(track, options)
  if track.unit == nil and options.unit == "deg" then return math.pi / 180 end
  return 1
end

--- A number rounded to six decimals.
local function short(value)
  local made = tonumber(("%.6f"):format(value))
  return made == 0 and 0 or made -- no -0
end

local function scaled(handle, scale)
  return handle and { short(handle[1]), short(handle[2] * scale) } or nil
end

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

--- The fewest keys for samples within the tolerance.
local function sampled_keys(samples, shift, tolerance)
  local moved = {}
  for index, sample in ipairs(samples) do moved[index] = { sample[1] + shift, sample[2] } end
  return simplify.keys(moved, tolerance)
end

--- The last time in tracks, or in rows with keys.
local function last_of(tracks)
  local last = 0
  for _, track in ipairs(tracks) do last = math.max(last, track.keys[#track.keys][1]) end
  return last
end

--- Lead in to the first key, and out after the last.
local function add_leads(keys, lead, last)
  if keys[1].kind ~= "input" and keys[1][1] >= lead - 1e-5 then
    table.insert(keys, 1, { short(math.max(0, keys[1][1] - lead)), kind = "input", curve = "minimum_jerk" })
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

--- How far a track exceeds its DOF's limits: range and speed.
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
    clip.note(notes, "%s goes from one key to another at %.3g a second, and it can %.3g: it will be late",
      dof.name, fastest, dof.velocity)
  end
end

--- Whether a motion begins with poses, not at the robot's position.
local function needs_shift(rows)
  for _, row in ipairs(rows) do
    if row.samples or row.track.keys[1][2] ~= "input" then return true end
  end
  return false
end

local function add_events(made, events, moved)
  for _, event in ipairs(events or {}) do
    if event[2] == "audio" and event[3] ~= "" then
      made.audio = made.audio or {}
      table.insert(made.audio, { short(moved(event[1])), event[3] })
    else
      made.events = made.events or {}
      table.insert(made.events, { short(moved(event[1])), event[3] ~= "" and event[3] or event[2],
        data = event[2] ~= "label" and { kind = event[2] } or nil })
    end
  end
end

--- Rows of tracks with a DOF: { dof, track, scale, offset }, and the names of tracks without one.
local function rows_of(clip_, description, map, options)
  local dofs, rows, unknown, taken = by_name(description), {}, {}, {}
  for _, track in ipairs(clip_.tracks) do
    local dof, scale, offset, silent = target_of(track, dofs, map)
    if dof and taken[dof.name] then
      clip.fail(nil, "two tracks move %s, the second is '%s'; leave one of them out", dof.name, track.name)
    end
    if dof then
      taken[dof.name] = true
      scale = scale * unit_scale(track, options)
      rows[#rows + 1] = { dof = dof, track = track, scale = scale, offset = offset }
    elseif not silent then
      unknown[#unknown + 1] = track.name
    end
  end
  if #rows == 0 then
    clip.fail(nil, "it moves no DOF of %s: its tracks are %s; use a mapping (--map)", description.name,
      table.concat(unknown, ", "):sub(1, 300))
  end
  return rows, unknown
end

--- Samples of a track, in the unit of its DOF: its own, or those of its curves over the robot's home pose.
local function samples_of(row, description)
  local samples, keys = {}, row.track.keys
  if not keys[1][3] then
    for index, key in ipairs(keys) do samples[index] = { key[1], key[2] * row.scale + row.offset } end
    return samples
  end
  local home = description.poses[description.home].joints[row.dof.name] or row.dof.rest or 0
  keys = authored_keys(row.track, row.scale, row.offset, 0)
  local curve = motion.sequence { dofs = 1, tracks = { { dof = 1, keys = keys } } }
  local first, last = keys[1][1], keys[#keys][1]
  local count = math.max(1, math.ceil((last - first) * sample_rate))
  for index = 0, count do
    local t = first + index / count * (last - first)
    local a, b = curve:sample(1, math.max(first, math.min(last, t)))
    samples[index + 1] = { t, a and a + b * home or home }
  end
  return first < last and samples or { samples[1] }
end

--- The keys of a row, delayed by `shift`.
local function keys_of(row, shift, tolerance)
  if not row.samples and row.track.keys[1][3] then
    return authored_keys(row.track, row.scale, row.offset, shift)
  end
  return sampled_keys(row.samples or samples_of(row), shift, tolerance)
end

--- Leads that every DOF can follow from the robot's home pose, s.
local function lead_for(rows, description, lead)
  local home = description.poses[description.home].joints
  for _, row in ipairs(rows) do
    local below = home[row.dof.name] or row.dof.rest or 0
    for _, key in ipairs { row.keys[1], row.keys[#row.keys] } do
      lead = math.max(lead, retime.lead(row.dof, key[2] - below))
    end
  end
  return lead
end

--- Keep the rows' timing; return a function from an event's time to its new one.
local function keep_times(rows, lead, tolerance, notes)
  local shift = needs_shift(rows) and lead or 0
  for _, row in ipairs(rows) do
    row.keys = keys_of(row, shift, tolerance)
    note_excess(notes, row.keys, row.dof)
  end
  return function(t) return t + shift end
end

--- Fit the rows' keys to the robot; return a function from an event's time to its new one.
local function fit_times(rows, description, lead, tolerance, notes)
  local warp = retime.rows(rows, description.name, tolerance, notes)
  local shift = lead > 0 and short(lead_for(rows, description, lead)) or 0
  for _, row in ipairs(rows) do
    for _, key in ipairs(row.keys) do key[1] = short(key[1] + shift) end
  end
  return function(t) return warp(t) + shift end, shift
end

local function sequence_of(clip_, description, map, options)
  local notes, events = {}, clip_.events
  local lead, tolerance = options.lead or fit.lead, options.tolerance or fit.tolerance
  local rows, unknown = rows_of(clip_, description, map, options)
  rows = part.dofs(rows, description, options.dofs)
  if options.fit or options.from or options.to then
    for _, row in ipairs(rows) do row.samples = samples_of(row, description) end
  end
  if options.from or options.to then
    rows, events = part.rows(rows, events, options, last_of(clip_.tracks))
  end
  local moved
  if options.fit then
    moved, lead = fit_times(rows, description, lead, tolerance, notes)
  else
    moved = keep_times(rows, lead, tolerance, notes)
  end
  local made = { name = clip_.name, robot = description.name, source = options.source,
    follow = options.follow, tracks = {} }
  local whole = not (options.fit or options.from or options.to)
  local last = math.max(last_of(rows), whole and moved(last_of(clip_.tracks)) or 0)
  for _, row in ipairs(rows) do
    if lead > 0 then add_leads(row.keys, lead, last) end
    made.tracks[row.dof.name] = row.keys
  end
  add_events(made, events, moved)
  if #unknown > 0 then
    clip.note(notes, "%s has no %s: left out", description.name, table.concat(unknown, ", "):sub(1, 300))
  end
  return made, notes
end

--- The sequence of a clip for a robot (its description, by brio.robots), and notes. `map`: a mapping with
--- dofs = { ["track"] = "DOF" or { "DOF", scale =, offset = } or false }. Options: unit ("deg": default of
--- tracks), tolerance, lead (s), follow, from and to (s of the clip), dofs (names of DOFs and groups: only
--- these), fit (true: slowed down to the robot's speeds and accelerations, and limited to its ranges). Return
--- nil, sentence, code if none of it fits.
function fit.sequence(clip_, description, map, options)
  return clip.try(sequence_of, clip_, description, map, options)
end

return fit
