--- The leaf `motion`: a motion of the whole body out of the library: a sequence of the behavior's or the robot's, as
--- `brio import` makes them of recordings, held against the robot before it is played.
local lint = require "brio.motion.sequence_check"
local sequence = require "brio.motion.sequence"
local suggest = require "brio.lib.suggest"

--- It is looked so often how far the robot is behind, s; and it may be too far for so long.
local look_every, late_for = 0.05, 0.25

--- The description of the sequence that a form names; nil and a sentence.
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

--- The DOFs of the robot that it has tracks for.
local function dofs_of(description, robot)
  local names = {}
  for _, dof in ipairs(robot.dofs) do
    local track = description.tracks[dof.name]
    if track and track.active ~= false then names[#names + 1] = dof.name end
  end
  return names
end

--- Why it does not fit the robot; nil: it does.
local function misfit(form, description, robot)
  local looked = lint.sequence(description, robot)
  local list = looked.faults
  if form.fit == "any" then list = {} end
  if #list == 0 and form.fit == "strict" then list = looked.warnings end
  if #dofs_of(description, robot) == 0 then return ("'%s' moves nothing of the robot %s"):format(form.motion, robot.name) end
  if #list == 0 then return nil end
  return ("'%s' does not fit the robot %s: %s%s"):format(form.motion, robot.name, list[1].message,
    #list > 1 and (" (and %d more)"):format(#list - 1) or "")
end

--- How far the robot is behind what is asked of it: the worst of the DOFs that move, {name, off}.
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
  memory.dofs = dofs_of(description, site.description)
  local good, playing, sentence = pcall(site.host.tracks.play, site.host.tracks, form.motion, { speed = form.speed,
    amplitude = form.amplitude, mirror = form.mirror, priority = form.priority, hold = form.hold, fade = form.fade }, site.name)
  if not good then return false, tostring(playing) end
  if not playing then return false, sentence end
  memory.playing, memory.looked, memory.length = playing, -math.huge, sequence.length(description) / form.speed
  return nil
end

--- Whether it plays, with nothing said of its end.
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
  return false, ("%s is %.3g %s off at %.2f s, where %g would do"):format(memory.worst.name, memory.worst.off, memory.worst.unit,
    elapsed, form.tolerance)
end

return {
  name = "motion",
  doc = "Plays a motion of the whole body out of the library, if it fits the robot, and succeeds when it is over.",
  fields = {
    motion = { "string", doc = "the name of a sequence, of the behavior's or of the robot's" },
    fit = { "choice", of = { "strict", "plain", "any" }, value = "plain",
      doc = "strict: also its speeds and ends must fit the robot; plain: every DOF is there; any: what is missing is left out" },
    tolerance = { "number", unit = "rad or m", lower = 1e-4, upper = 100,
      doc = "how far joints may be off, for a quarter of a second, before it fails; unless said, as far as they like" },
    speed = { "number", unit = "1", lower = 0.01, upper = 100, value = 1, doc = "how fast it is played" },
    amplitude = { "number", unit = "1", lower = 0, upper = 10, value = 1, doc = "how far it goes" },
    mirror = { "boolean", value = false, doc = "left for right" },
    priority = { "number", lower = -1e6, upper = 1e6, doc = "among what plays" },
    hold = { "boolean", doc = "at its end, DOFs stay until the state is left" },
    fade = { "number", unit = "s", lower = 0, upper = 60, doc = "in which it is bridged" },
    timeout = { "number", unit = "s", lower = 0.01, upper = 86400, doc = "it has failed when it is not over by then" },
    owns = "table",
  },
  needs = "motion",
  fault = function(form, site)
    local description, why = find(site, form.motion)
    if not description then return why end
    if description.loop and not form.timeout and (description.loop.times or 0) == 0 then
      return ("'%s' goes round without end: say timeout, or play it by `play`"):format(form.motion)
    end
    return misfit(form, description, site.description)
  end,
  owns = function(form, site)
    local description = find(site, form.motion)
    return description and dofs_of(description, site.description) or {}, true
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
    if memory.playing and on(site, memory) then site.host.tracks:stop_source(memory.playing, nil, "stopped") end
  end,
  pause = function(site, form, memory, held)
    if memory.playing and on(site, memory) then site.host.tracks:set(memory.playing, "speed", held and 0 or form.speed) end
  end,
  progress = function(_, form, memory)
    local worst = memory.worst or { off = 0 }
    return { value = worst.off, error = worst.off, tolerance = form.tolerance, unit = worst.unit, nominal = memory.length,
      text = worst.name and ("%s is %.3g off"):format(worst.name, worst.off) or nil }
  end,
  mirror = function(form)
    if form.mirror then return {}, { "mirror" } end
    return { mirror = true }
  end,
  inherit = { "fit", "tolerance", "speed" },
}
