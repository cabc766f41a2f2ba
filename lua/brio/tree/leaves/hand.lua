--- The leaf `hand`: a grip by name, or fingers directly.
local grips = require "brio.robots.grips"
local motion = require "brio.tree.execution.motion"
local setpoints = require "brio.tree.execution.setpoints"
local suggest = require "brio.lib.suggest"

--- Wiggling of a hand: amplitude as a share of each finger's range, and frequency, Hz.
local wiggle_share, wiggle_rate = 0.08, 1.5

--- Position of a finger: measured, or its command if unknown.
local function measured(site, dof)
  local state = site.host.actuator:state(dof)
  return state.valid and state.position or site.host.tracks:told(dof, state.command), state
end

--- The fingers that move, each {name, lower, upper, velocity, unit, goal, tolerance, known = its DOF}.
local function fingers_of(description, hand, goals, form)
  local list = {}
  for _, dof in ipairs(description.dofs) do
    if goals[dof.name] then
      local range, limit = dof.upper - dof.lower, math.min(dof.velocity, 1e3)
      local wanted = form.velocities and form.velocities[dof.name] or form.velocity or hand.velocity or limit
      list[#list + 1] = { name = dof.name, lower = dof.lower, upper = dof.upper, unit = dof.unit,
        goal = goals[dof.name],
        velocity = math.min(wanted, limit), tolerance = form.tolerance or range < math.huge and 0.05 * range
          or 0.1,
        range = range < math.huge and range or 1 }
    end
  end
  return list
end

--- The hand and its fingers for a form; nil and a sentence.
local function read(description, form)
  local hand, name = grips.find(description, form)
  if not hand then return nil, name end
  local goals, why = grips.goals(description, hand, form)
  if not goals then return nil, why end
  for _, dof in ipairs(suggest.keys(form.velocities or {})) do
    local value = form.velocities[dof]
    if not suggest.contains(hand.dofs, dof) then
      return nil, ("velocities: '%s' is none of its fingers%s"):format(dof, suggest.hint(dof, hand.dofs))
    end
    if type(value) ~= "number" or not (value > 0) then
      return nil, ("velocities: %s must be above 0"):format(dof)
    end
  end
  return { hand = hand, name = name, fingers = fingers_of(description, hand, goals, form) }
end

--- Fingers that an object stops keep pressing on it: by this share of their range, not with the full
--- target, so that they open without delay.
local squeeze = 0.4

local function hold_on(memory)
  for d, finger in ipairs(memory.fingers) do
    local more = squeeze * finger.range
    memory.way:lead(d, finger.at + math.max(-more, math.min(more, finger.goal - finger.at)))
  end
  memory.way.kept = false
  memory.motion:settle()
  return true
end

--- End: fingers move to the value of `field` of each, and stay there.
local function finish(memory, field)
  for d, finger in ipairs(memory.fingers) do memory.way:lead(d, finger[field]) end
  memory.way.kept = false
  memory.motion:settle()
  return true
end

local function begin(site, form, memory)
  local found, why = read(site.description, form)
  if not found then return false, why end
  memory.hand, memory.fingers, memory.moved, memory.name = found.hand, found.fingers, 0, found.name
  local start, goals, dofs, there = {}, {}, {}, true
  local motions = motion.of(site.host)
  for d, finger in ipairs(memory.fingers) do
    local at = measured(site, finger.name)
    finger.at, finger.began, finger.place = at, at, d
    there = there and math.abs(at - finger.goal) <= (form.already or finger.tolerance)
    start[d] = math.max(finger.lower, math.min(finger.upper, (motions:at(finger.name))))
    goals[d], dofs[d] = finger.goal, finger.name
  end
  memory.way = setpoints.new(memory.fingers, start, goals, form.cutoff)
  memory.way.kept = true
  memory.motion, why = motions:begin { name = memory.key, dofs = dofs, way = memory.way, state = site.name,
    hold = form.hold, follow = form.follow }
  if not memory.motion then return false, why end
  memory.nominal = setpoints.seconds(memory.fingers, start, goals, form.cutoff)
  return there and form.success == "position" and finish(memory, "goal") or nil
end

--- Check the fingers: how far they have moved, the error of each, and its effort. Return the worst one, and
--- one whose effort exceeds its limit.
local function look(site, form, memory)
  local worst, hard
  for _, finger in ipairs(memory.fingers) do
    local at, state = measured(site, finger.name)
    memory.moved = memory.moved + math.abs(at - finger.at)
    finger.at, finger.load = at, state.load
    finger.command = state.valid and state.command or at
    finger.off = math.abs(at - finger.goal)
    if not worst or finger.off / finger.tolerance > worst.off / worst.tolerance then worst = finger end
    if form.load then
      if state.load and state.load == state.load then
        if math.abs(state.load) > form.load then hard = finger end
      elseif not memory.told then
        memory.told = true
        site.host.say("warning", ("'%s': %s reports no load, so its force is not limited"):format(form.name
          or "hand", finger.name))
      end
    end
  end
  return worst, hard
end

--- Oscillate around the goal, to free what is stuck.
local function wiggle(memory, elapsed)
  local swing = math.sin(2 * math.pi * wiggle_rate * (elapsed - memory.wiggles))
  for d, finger in ipairs(memory.fingers) do
    memory.way:lead(d, math.max(finger.lower,
      math.min(finger.upper, finger.goal + swing * wiggle_share * finger.range)))
  end
end

--- A finger stands still while it stays within the first share of the distance that it moves in `hold_time`
--- at its own speed, or within the second share of its range, which is about the resolution of sensors.
local creep, resolved = 0.05, 1e-3

--- Time for which fingers must stand still before an object counts as held, s. It is longer if reports are
--- rare, and until fingers are seen to move, as motors may be late.
local hold_time, longest_hold_time = 0.08, 0.5

--- Restart the time of standing still with the present positions.
local function begin_to_stand(memory, elapsed)
  memory.stands_since = elapsed
  for _, finger in ipairs(memory.fingers) do finger.stood_at = finger.at end
end

--- Whether a finger has moved from its position `from`.
local function is_away(finger, from)
  return math.abs(finger.at - from) > math.max(creep * finger.velocity * hold_time, resolved * finger.range)
end

--- Whether a finger is where it was commanded to be. Then nothing outside stops it: if it is before its goal,
--- the solver keeps it there, for other objectives or for its guard.
local function is_kept(finger) return math.abs(finger.command - finger.at) <= finger.tolerance end

--- Whether all fingers have stood still for long enough before their commands: an object stops them.
local function stand(memory, worst, elapsed)
  local left, had_moved = false, memory.has_moved
  for _, finger in ipairs(memory.fingers) do
    left = left or is_away(finger, finger.stood_at or finger.began)
    memory.has_moved = memory.has_moved or is_away(finger, finger.began)
  end
  if left and had_moved then -- the interval between the last two reports
    memory.between = math.max(memory.between or 0, elapsed - memory.stands_since)
  end
  local follows = math.abs(memory.way.said[worst.place] - worst.at) <= worst.tolerance
  if left or follows or not memory.stands_since then begin_to_stand(memory, elapsed) end
  local enough = memory.between and math.max(hold_time, 2 * memory.between) or longest_hold_time
  return elapsed - memory.stands_since >= math.min(enough, longest_hold_time) and not is_kept(worst)
end

--- Why fingers may have closed completely although there was an object; "" if the robot's file describes
--- the hand.
local function unknown_hand(description, fingers)
  for _, hand in next, description.hands or {} do
    for _, finger in ipairs(fingers) do
      if finger.name == hand.grip then return "" end
    end
  end
  return " (a simulated hand grasps only if the robot's file describes it under `hands`: this one's does not)"
end

--- The criteria of success: true, or nil and the missing condition, in words, or false and the reason of a
--- failure.
local criteria = {
  position = function(_, _, worst)
    if worst.off <= worst.tolerance then return true end
    return nil, ("%s is %.3g %s off its goal, where %.3g would do"):format(worst.name, worst.off, worst.unit,
      worst.tolerance)
  end,
  movement = function(form, memory, worst)
    local enough = form.movement or memory.hand.movement or 0.25 * worst.range
    if memory.moved >= enough then return true end
    return nil, ("its fingers went %.3g %s together, where %.3g would do"):format(memory.moved, worst.unit,
      enough)
  end,
  holds = function(_, memory, worst, elapsed, description)
    if worst.off <= worst.tolerance then
      local perhaps = unknown_hand(description, memory.fingers)
      return false, "its fingers went all the way: nothing is between them" .. perhaps
    end
    if stand(memory, worst, elapsed) then return true end
    if elapsed - memory.stands_since < longest_hold_time then return nil, "its fingers still move" end
    return nil, ("%s is %.3g %s off its goal, as commanded: other objectives or a limit keep it there, \z
      nothing that it holds"):format(worst.name, worst.off, worst.unit)
  end,
  time = function(form, memory, _, elapsed) return elapsed >= (form.seconds or memory.nominal) - 1e-9 or nil,
    "it waits" end,
}

--- The node was edited while it runs: fingers that are still in it move to their new goals.
local function take(site, form, memory)
  memory.form = form
  local found = read(site.description, form)
  for _, finger in ipairs(found and found.fingers or {}) do
    for d, own in ipairs(memory.fingers) do
      if own.name == finger.name then
        own.goal, own.tolerance, own.velocity = finger.goal, finger.tolerance, finger.velocity
        memory.way:lead(d, finger.goal)
      end
    end
  end
end

local function work(site, form, memory, fresh, elapsed)
  if not fresh and memory.form ~= form then take(site, form, memory) end
  if fresh then
    memory.form = form
    local done, why = begin(site, form, memory)
    if done ~= nil then return done, why end
  end
  local moving = memory.motion
  if moving.lost then return false, ("%s was taken by %s"):format(moving.lost.joint, moving.lost.to) end
  if not moving:on() then return false, "its motion was stopped by somebody" end
  local worst, hard = look(site, form, memory)
  memory.worst = worst
  if hard then
    for d, finger in ipairs(memory.fingers) do finger.told = memory.way.said[d] end
    -- the commands, not the measured positions: otherwise a held object would be released
    return finish(memory, "told")
  end
  local done, why = criteria[form.success](form, memory, worst, elapsed, site.description)
  if done == false then
    moving:settle()
    return false, ("the %s holds nothing: %s"):format(memory.name:gsub("_", " "), why)
  end
  if done and form.success == "holds" then return hold_on(memory) end
  if done and not fresh then return finish(memory, "goal") end
  if elapsed >= math.max(form.timeout, form.seconds or 0) - 1e-9 then
    moving:stop()
    return false, ("after %g s the %s is not done: %s"):format(form.timeout, memory.name:gsub("_", " "), why)
  end
  if form.wiggle and elapsed >= form.wiggle_after then
    memory.wiggles = memory.wiggles or elapsed
    wiggle(memory, elapsed)
  end
  return nil
end

local function seconds(form, site)
  if form.success == "time" and form.seconds then return form.seconds end
  local found = read(site.description, form)
  if not found then return nil end
  local home = site.description.poses[site.description.home].joints
  local start, goals = {}, {}
  for d, finger in ipairs(found.fingers) do
    start[d], goals[d] = site.host and measured(site, finger.name) or home[finger.name], finger.goal
  end
  return setpoints.seconds(found.fingers, start, goals, form.cutoff)
end

return {
  name = "hand",
  doc = "Moves the fingers of a hand to a named grip of the robot, or each to its own value.",
  fields = {
    side = { "choice", of = { "left", "right" }, doc = "which hand, where there are two" },
    hand = { "string", doc = "which hand, by its name in grips.lua" },
    grip = { "string", doc = "a grip of that hand, as open or close" },
    fingers = { "table", doc = "where each finger goes, by DOF or as a list: counts over a grip" },
    velocity = { "number", unit = "rad/s or m/s", lower = 1e-4, upper = 1000,
      doc = "speed of the fingers; default: that of the robot's file" },
    velocities = { "table", doc = "the same of single fingers, by DOF" },
    cutoff = { "number", unit = "Hz", lower = 0, upper = 100, value = 1,
      doc = "of the filter of their set points; 0: none" },
    success = { "choice", of = { "position", "movement", "holds", "time" }, value = "position",
      doc = "what counts: each finger's place, how far all have moved together, that something stops them \z
        before they are there, "
        .. "or only the time" },
    tolerance = { "number", unit = "rad or m", lower = 0, upper = 100,
      doc = "how far each may be off; else a twentieth of its range" },
    already = { "number", unit = "rad or m", lower = 0, upper = 100,
      doc = "if the fingers are this close at the start, it succeeds at once; default: as tolerance" },
    movement = { "number", unit = "rad or m", lower = 0, upper = 1000,
      doc = "how far all have to move together" },
    seconds = { "number", unit = "s", lower = 0, upper = 3600,
      doc = "how long it takes where only the time counts" },
    load = { "number", unit = "1", lower = 0.01, upper = 1,
      doc = "share of its greatest torque at which a finger goes no further, and the hand holds something: \z
        of devices that "
        .. "report load" },
    wiggle = { "boolean", value = false, doc = "wiggle when it does not get there" },
    wiggle_after = { "number", unit = "s", lower = 0, upper = 3600, value = 5, doc = "when it begins to" },
    timeout = { "number", unit = "s", lower = 0, upper = 3600, value = 10, doc = "when it fails" },
    hold = { "any", value = true,
      doc = "true: fingers stay until other leaves take them or the state is left; false: they return; \z
        \"always\"" },
    follow = { "number", unit = "1", lower = 0.01, upper = 1e6, doc = "how hard they are followed" },
    owns = "table",
  },
  fault = function(form, site)
    if form.hold ~= "always" and type(form.hold) ~= "boolean" then
      return "hold is true, false or \"always\""
    end
    local found, why = read(site.description, form)
    return not found and why or nil
  end,
  owns = function(form, site)
    local found, dofs = read(site.description, form), {}
    for d, finger in ipairs(found and found.fingers or {}) do dofs[d] = finger.name end
    return dofs, true
  end,
  seconds = seconds,
  work = work,
  stop = function(_, _, memory) if memory.motion then memory.motion:stop() end end,
  pause = function(_, _, memory, on) if memory.motion then memory.motion:rest(on) end end,
  progress = function(_, _, memory)
    local worst = memory.worst
    if not worst then return { nominal = memory.nominal } end
    return { value = worst.at, error = worst.off, tolerance = worst.tolerance, unit = worst.unit,
      nominal = memory.nominal, text = worst.load and ("load %.2f"):format(worst.load) or nil }
  end,
  capture = function(form, site)
    local hand, why = grips.find(site.description, form)
    if not hand then return nil, why end
    local fingers = {}
    for _, dof in ipairs(hand.dofs) do fingers[dof] = tonumber(("%.4g"):format((measured(site, dof)))) end
    return { fingers = fingers }
  end,
  mirror = function(form, m)
    local by_name = type(form.fingers) == "table" and #form.fingers == 0
    return { hand = form.hand and m:name(form.hand), fingers = by_name and m:joints(form.fingers) or nil }
  end,
  inherit = { "side", "hand", "velocity", "success", "tolerance", "timeout" },
}
