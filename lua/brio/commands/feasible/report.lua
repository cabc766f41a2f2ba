--- The written report of `brio feasible`: what was broken, what was made of it, and both drawn over time.
local chart = require "brio.draw.chart"
local feasible = require "brio.motion.feasible"
local geometry = require "brio.lib.geometry"
local html_page = require "brio.draw.html_page"

local report = {}

--- How many joints are drawn.
local most_joints = 6

--- Points over time: {t, value, ...}.
local function points(times, value)
  local list = {}
  for index, t in ipairs(times) do list[2 * index - 1], list[2 * index] = t, value(index) end
  return list
end

--- A panel with a line for each take; `value(configuration)`.
local function panel(takes, title, unit, value)
  local lines = {}
  for index, take in ipairs(takes) do
    lines[index] = { label = take.name, color = take.color,
      points = points(take.times, function(at) return value(take.configurations[at]) end) }
  end
  return { title = title, unit = unit, lines = lines }
end

--- The joints that move most in the original.
local function liveliest(rig, take)
  local list = {}
  for _, variable in ipairs(rig.variables) do
    local least, most = math.huge, -math.huge
    for _, q in ipairs(take.configurations) do
      local value = q.joints[variable.name]
      least, most = math.min(least, value), math.max(most, value)
    end
    list[#list + 1] = { name = variable.name, range = most - least, place = #list }
  end
  table.sort(list, function(a, b) return a.range > b.range or a.range == b.range and a.place < b.place end)
  return table.move(list, 1, math.min(most_joints, #list), 1, {})
end

--- The panels that compare takes: pelvis, centre of mass, joints.
local function panels(rig, takes)
  local function base(axis) return function(q) return q.base.position[axis] end end
  local function turn(index)
    return function(q) return (select(index, geometry.rpy(q.base.orientation))) end
  end
  local function com(axis) return function(q) return rig.robot:center_of_mass(q)[axis] end end
  local list = {
    panel(takes, "pelvis forward", "m", base(1)), panel(takes, "pelvis left", "m", base(2)),
    panel(takes, "pelvis up", "m", base(3)), panel(takes, "pelvis roll", "rad", turn(1)),
    panel(takes, "pelvis pitch", "rad", turn(2)), panel(takes, "pelvis yaw", "rad", turn(3)),
    panel(takes, "centre of mass forward", "m", com(1)), panel(takes, "centre of mass left", "m", com(2)),
  }
  for _, joint in ipairs(liveliest(rig, takes[1])) do
    list[#list + 1] = panel(takes, joint.name, "rad", function(q) return q.joints[joint.name] end)
  end
  return list
end

--- The greatest share of its limit that each motor needs over time.
local function torque_panel(rig, takes)
  local lines = {}
  for index, take in ipairs(takes) do
    lines[index] = take.motion and { label = take.name, color = take.color,
      points = points(take.times, function(at)
        local most = 0
        for _, variable in ipairs(rig.variables) do
          most = math.max(most, math.abs(take.motion[at].torque[variable.name] or 0) / variable.effort)
        end
        return most
      end) } or nil
  end
  return { title = "greatest torque by its limit", unit = "1", lines = lines }
end

local function first_section(page, made)
  page:heading "The animation as it is"
  if #made.reasons == 0 then return page:text("It breaks nothing.", "good") end
  page:text "It cannot be done:"
  local rows = {}
  for index, one in ipairs(made.reasons) do rows[index] = { one.what, one.time, one.frames, one.text } end
  page:table({ "constraint", "worst at (s)", "frames or places", "what" }, rows)
end

--- The report as HTML.
---@param made table { rig, title, animation, reasons, result, takes, verdict, good, simulated, falls }
function report.html(made)
  local page = html_page.new { title = made.title,
    about = ("%s, %d frames at %g a second"):format(made.rig.name,
    #made.animation.frames, made.animation.rate) }
  first_section(page, made)
  page:heading "What the robot can do"
  page:text(made.verdict, made.good and "good" or "bad")
  for _, sentence in ipairs(feasible.broken(made.result, made.animation)) do page:text(sentence, "bad") end
  for _, sentence in ipairs(made.simulated) do page:text(sentence, made.falls and "bad" or nil) end
  local off = feasible.difference(made.rig, made.animation, made.result.motion)
  page:facts {
    { "ended", made.result.finish }, { "cost", made.result.cost }, { "violation (scaled)",
      made.result.violation },
    { "seconds of computing", made.result.seconds }, { "greatest difference of a joint (rad, m)", off.joint },
    { "of the joint", off.joint_name }, { "mean difference of joints", off.mean },
    { "greatest difference of the base (m)", off.base }, { "its rotation (rad)", off.turn },
  }
  local rows = {}
  for index, window in ipairs(made.result.windows) do
    rows[index] = { index, window.first, window.last, window.finish, window.iteration, window.stretch,
      window.violation }
  end
  page:table({ "window", "from frame", "to frame", "ended", "iterations", "stretched", "violation" }, rows)
  local list = panels(made.rig, made.takes)
  list[#list + 1] = torque_panel(made.rig, made.takes)
  local to = 0
  for _, take in ipairs(made.takes) do to = math.max(to, take.times[#take.times]) end
  page:heading "Side by side"
  page:chart({ from = 0, to = to, panels = list }, "each in its own time")
  page:heading "Notes"
  page:list(made.notes)
  return page:finish()
end

--- Colors of the takes, those of charts: by name, and of the simulated ones by number.
report.colors = { original = chart.colors[2], feasible = chart.colors[3], chart.colors[5], chart.colors[1] }

return report
