--- The leaf `motion`: plays a whole-body sequence of the behavior or the robot, such as `brio import` makes
--- from recordings; it is checked against the robot first.
local lint = require "brio.motion.sequence_check"
local masks = require "brio.motion.tracks.mask"
local mirror = require "brio.motion.mirror"
local sequence = require "brio.motion.sequence"
local suggest = require "brio.lib.suggest"

--- Interval of checks of the robot's lag, s; the maximum duration of an excessive lag, s.
local look_every, late_for = 0.05, 0.25

--- The description of the sequence for a form; nil and a sentence.
local function find(site, name)
  local own, robots = site.sequences or {}, site.description.sequences or {}
  if own[name] then return own[name].description end
  if robots[name] then
    site.read = site.read or {}
    if not site.read[name] then
      local read, why = sequence.read(robots[name])
      if not read then return nil, why end
      site.read[name] = read
    end
    return site.read[name]
  end
  local names = suggest.keys(own)
  for _, other in ipairs(suggest.keys(robots)) do names[#names + 1] = other end
  return nil, ("there is no motion '%s'%s: %s"):format(name, suggest.hint(name, names),
    #names > 0 and "there are " .. table.concat(names, ", ") or "neither the behavior nor the robot has any")
end

--- Mirrored DOFs of a robot; computed slowly, and cached with the robot's description.
local mirrored = setmetatable({}, { __mode = "k" })

local function other_side(robot)
  mirrored[robot] = mirrored[robot] or mirror.of(robot)
  return mirrored[robot]
end

--- The DOFs of the robot that it moves, and the track that moves each, {DOF = name}: those with tracks,
--- mirrored if requested, restricted to the mask.
local function dofs_of(description, robot, form)
  local names, moved_by, off = {}, {}, {}
  for _, number in ipairs(form.mask and masks.others(robot, form.mask) or {}) do off[number] = true end
  local other = form.mirror and other_side(robot)
  for number, dof in ipairs(robot.dofs) do
    local name = other and other[dof.name].other or dof.name
    local track = description.tracks[name]
    if track and track.active ~= false and not off[number] then
      names[#names + 1], moved_by[dof.name] = dof.name, name
    end
  end
  return names, moved_by
end

--- The error in a mask: a sentence, or nil.
local function mask_fault(form, robot)
  if not form.mask then return nil end
  local good, why = pcall(masks.others, robot, form.mask)
  return not good and tostring(why) or nil
end

--- The faults of a list that concern tracks within the mask.
local function within_mask(list, moved_by)
  local left, kept = {}, {}
  for _, track in next, moved_by do left[track] = true end
  for _, fault in ipairs(list) do
    if left[fault.track] then kept[#kept + 1] = fault end
  end
  return kept
end

--- Why it does not fit the robot; nil: it fits.
local function misfit(form, description, robot)
  local looked = lint.sequence(description, robot)
  local names, moved_by = dofs_of(description, robot, form)
  local list = looked.faults
  if form.fit == "any" then list = {} end
  if form.mask then list = within_mask(list, moved_by) end
  if #list == 0 and form.fit == "strict" then
    list = form.mask and within_mask(looked.warnings, moved_by) or looked.warnings
  end
  if #names == 0 then
    return ("'%s' moves nothing of the robot %s%s"):format(form.motion, robot.name,
      form.mask and " that its mask names" or "")
  end
  if #list == 0 then return nil end
  return ("'%s' does not fit the robot %s: %s%s"):format(form.motion, robot.name, list[1].message,
    #list > 1 and (" (and %d more)"):format(#list - 1) or "")
end

--- The largest lag of the moving DOFs, {name, off}.
local function behind(site, memory)
  local tracks, worst = site.host.tracks, { off = 0 }
  for _, name in ipairs(memory.dofs) do
    local number = tracks.numbers[name]
    local dof, story = site.description.dofs[number], tracks.player:why(number)
    local state = not dof.outside and story.follow > 0 and site.host.actuator:state(name)
    if state and state.valid then
      local asked = math.max(dof.lower, math.min(dof.upper, story.value))
      local off = math.abs(asked - state.position)
      if off > worst.off then worst = { name = name, off = off, unit = dof.unit } end
    end
  end
  return worst
end

local function begin(site, form, memory)
  local description, why = find(site, form.motion)
  if not description then return false, why end
  local wrong = mask_fault(form, site.description)
  if wrong then return false, wrong end
  memory.dofs = dofs_of(description, site.description, form)
  local good, playing, sentence = pcall(site.host.tracks.play, site.host.tracks, form.motion,
    { speed = form.speed,
    amplitude = form.amplitude, mirror = form.mirror, priority = form.priority, hold = form.hold,
      fade = form.fade,
    mask = form.mask }, site.name)
  if not good then return false, tostring(playing) end
  if not playing then return false, sentence end
  memory.playing, memory.looked, memory.length = playing, -math.huge,
    sequence.length(description) / form.speed
  return nil
end

--- Whether it is still playing.
local function on(site, memory) return site.host.tracks.playing[memory.playing.source] == memory.playing end

local function look(site, form, memory, elapsed)
  if elapsed - memory.looked < look_every - 1e-9 then return nil end
  memory.looked, memory.worst = elapsed, behind(site, memory)
  if not form.tolerance or memory.worst.off <= form.tolerance then
    memory.late = nil
    return nil
  end
  memory.late = memory.late or elapsed
  if elapsed - memory.late < late_for then return nil end
  site.host.tracks:stop_source(memory.playing, nil, "off")
  return false, ("%s is %.3g %s off at %.2f s, where %g would do"):format(memory.worst.name, memory.worst.off,
    memory.worst.unit, elapsed, form.tolerance)
end

return {
  name = "motion",
  doc = "Plays a motion of the library, if it fits the robot, and succeeds at its end.",
  fields = {
    motion = { "string", doc = "the name of a sequence, of the behavior's or of the robot's" },
    fit = { "choice", of = { "strict", "plain", "any" }, value = "plain",
      doc = "strict: also its speeds and ends must fit the robot; plain: every DOF is there; any: what is \z
        missing is left out" },
    tolerance = { "number", unit = "rad or m", lower = 1e-4, upper = 100,
      doc = "an error of a joint above this for a quarter of a second is a failure; default: any error is \z
        accepted" },
    speed = { "number", unit = "1", lower = 0.01, upper = 100, value = 1, doc = "how fast it is played" },
    amplitude = { "number", unit = "1", lower = 0, upper = 10, value = 1, doc = "how far it goes" },
    mirror = { "boolean", value = false, doc = "left for right" },
    mask = { "list", of = "string", doc = "the DOFs that it may move, by name or group; default: all" },
    priority = { "number", lower = -1e6, upper = 1e6, doc = "among what plays" },
    hold = { "boolean", doc = "at its end, DOFs stay until the state is left" },
    fade = { "number", unit = "s", lower = 0, upper = 60, doc = "in which it is bridged" },
    timeout = { "number", unit = "s", lower = 0.01, upper = 86400,
      doc = "it has failed when it is not over by then" },
    owns = "table",
  },
  needs = "motion",
  fault = function(form, site)
    local description, why = find(site, form.motion)
    if not description then return why end
    if description.loop and not form.timeout and (description.loop.times or 0) == 0 then
      return ("'%s' loops endlessly: give timeout, or play it by `play`"):format(form.motion)
    end
    return mask_fault(form, site.description) or misfit(form, description, site.description)
  end,
  owns = function(form, site)
    local description = find(site, form.motion)
    if not description or mask_fault(form, site.description) then return {}, true end
    return (dofs_of(description, site.description, form)), true
  end,
  seconds = function(form, site)
    local description = find(site, form.motion)
    return description and sequence.length(description) / form.speed or nil
  end,
  work = function(site, form, memory, fresh, elapsed)
    if fresh then
      local good, why = begin(site, form, memory)
      if good == false then return false, why end
    end
    local playing = memory.playing
    if not on(site, memory) then
      if not playing.why or playing.why == "over" then return true end
      return false, ("it was ended before its time: %s"):format(playing.why)
    end
    if form.hold and elapsed >= memory.length then return true end
    if form.timeout and elapsed >= form.timeout - 1e-9 then
      site.host.tracks:stop_source(playing, nil, "timeout")
      return false, ("it is not over after %g s"):format(form.timeout)
    end
    return look(site, form, memory, elapsed)
  end,
  stop = function(site, _, memory)
    if memory.playing and on(site, memory) then
      site.host.tracks:stop_source(memory.playing, nil, "stopped")
    end
  end,
  pause = function(site, form, memory, held)
    if memory.playing and on(site, memory) then
      site.host.tracks:set(memory.playing, "speed", held and 0 or form.speed)
    end
  end,
  progress = function(_, form, memory)
    local worst = memory.worst or { off = 0 }
    return { value = worst.off, error = worst.off, tolerance = form.tolerance, unit = worst.unit,
      nominal = memory.length, text = worst.name and ("%s is %.3g off"):format(worst.name, worst.off) or nil }
  end,
  mirror = function(form, m)
    local mask = form.mask and m:list(form.mask) or nil
    if form.mirror then return { mask = mask }, { "mirror" } end
    return { mirror = true, mask = mask }
  end,
  inherit = { "fit", "tolerance", "speed" },
}
