--- The ends of actions: one row for each word of the prompt, which detects when it has ended and which DOFs
--- move because of it.
---
---   begin(host, request, rest)   the object to follow, directly after the word: a table; nil: it has ended
---                                at once
---   look(host, it)               nil while it continues, else "done", or "interrupted" and why; and when
---                                (s), if known
---   moves(host, it, rest)        names of DOFs; `all`: any of them. Without it no motion is expected
---
--- A word without a row ends at once, and moves nothing.
local vector = require "brio.character.gaze.vector"

local endings = {}

--- Any DOF may move.
endings.all = "all"

local function any() return endings.all end

-- Playback ------------------------------------------------------------------------------------------------

local source = {}

function source.begin(host)
  local playing = host.tracks.newest
  return playing and { playing = playing } or nil
end

function source.look(host, it)
  local playing = it.playing
  local why = playing.why
  if host.tracks.playing[playing.source] == playing then
    if why then return "interrupted", why end
    return nil
  end
  if why and why ~= "over" then return "interrupted", why end
  return "done"
end

--- The DOFs that the source has moved so far.
function source.moves(_, it) return it and it.playing.moved or {} end

-- States --------------------------------------------------------------------------------------------------

local go = { moves = any }

function go.begin(host)
  return host.forced and { state = host.forced.state, since = host.now } or nil
end

--- The time at which a state was entered; nil: it is not active.
local function entered(host, state)
  local found
  if host.top then
    host.top:each_outer_first(function(active)
      if active.state.path == state.path then found = active.entered end
    end)
  end
  return found
end

function go.look(host, it)
  if host.forced then
    if host.forced.state == it.state then return nil end
    return "interrupted", "sent elsewhere"
  end
  local at = entered(host, it.state)
  if at and at >= it.since then return "done", nil, at end
  return "interrupted", host.halted and "the behavior failed" or "it was left at once"
end

-- Gaze ----------------------------------------------------------------------------------------------------

--- Angle to the target within which the gaze has arrived, rad; additional angle that a head leaves to the
--- eyes, rad; time after which it counts as arrived in any case, s.
local near, latest = 0.1, 5

local look = { moves = any }

function look.begin(host, _, rest)
  local gaze = host.gaze
  if not gaze or not rest:match "^at%s" then return nil end
  return { order = gaze.orders[#gaze.orders], since = host.now }
end

--- Angle between a link's axis and the direction to a point, rad.
local function off(host, link, axis, x, y, z)
  local pose = host.scene:frame(link)
  local p = pose.position
  local dx, dy, dz = vector.unit(x - p[1], y - p[2], z - p[3])
  if not dx then return 0 end
  local ax, ay, az = vector.turn(pose.orientation, axis[1], axis[2], axis[3])
  return vector.angle(ax, ay, az, dx, dy, dz)
end

--- Error of the gaze beyond its tolerance, rad.
local function left(host, gaze)
  local fix, eyes, head = gaze.fix, gaze.eyes and gaze.eyes.said, gaze.head and gaze.head.said
  if eyes and eyes.links and eyes.links[1] then
    return off(host, eyes.links[1], eyes.axis or { 1, 0, 0 }, fix.x, fix.y, fix.z) - near
  end
  if head then
    return off(host, head.link, head.axis or { 1, 0, 0 }, fix.x, fix.y, fix.z) - near - (head.threshold or 0)
  end
  return 0
end

function look.look(host, it)
  local gaze = host.gaze
  local ordered = false
  for _, order in ipairs(gaze and gaze.orders or {}) do ordered = ordered or order == it.order end
  if not ordered then
    if it.order.till and host.now >= it.order.till - 1e-9 then return "done", "its time was over" end
    return "interrupted", "it looks elsewhere"
  end
  if gaze.fix == it.order and it.order.x and left(host, gaze) <= 0 then return "done" end
  if host.now - it.since > latest then return "done", "as far as it goes" end
end

-- Speech --------------------------------------------------------------------------------------------------

local say = { moves = any }

function say.begin(host)
  local speech = host.speech
  return { item = speech.queue[#speech.queue] or speech.current }
end

function say.look(_, it)
  local over = it.item.over
  if not over then return nil end
  if over ~= "over" then return "interrupted", over end
  return "done"
end

-- Shared control ------------------------------------------------------------------------------------------

local joint = {}

--- Distance at which a DOF has arrived: a share of its range, with a minimum and maximum in its unit.
local share, least, most = 0.002, 0.001, 0.01

--- Time after the end of its command's motion in which a DOF may still arrive, s; distance to the target
--- above which it has not arrived then, in its unit.
local settles, astray = 2, 0.05

--- Distance of a DOF to its target, by its device's report, else by its command; and whether it has arrived.
local function distance_of(host, name, aim)
  local limits, state = host.actuator:limits(name), host.actuator:state(name)
  local range = limits.upper - limits.lower
  local near_enough = math.max(least, math.min(most, range < math.huge and share * range or most))
  local distance = math.abs((state.valid and state.position or state.command) - aim)
  return distance, distance <= near_enough
end

--- The command has arrived, but the DOF has not: wait a while, then report this.
local function come_to_rest(host, it, distance)
  it.rests = it.rests or host.now
  if host.now - it.rests < settles then return nil end
  local why = ("rests %.3g off"):format(distance)
  if distance > astray then return "interrupted", why end
  return "done", why, it.rests
end

function joint.begin(_, request, rest)
  local name, value = rest:match "^(%S+)%s+(%S+)$"
  return value ~= "off" and { dof = name, who = request.who } or nil
end

function joint.look(host, it)
  local taking, aim = host.control.of[it.dof], host.control.aims.rows[it.dof]
  if not taking or not aim or taking.who ~= it.who then
    return "interrupted", taking and "taken over" or "given back"
  end
  if aim.aim ~= (it.aim or aim.aim) then return "interrupted", "sent elsewhere" end
  it.aim = aim.aim
  local distance, there = distance_of(host, it.dof, aim.aim)
  if there then return "done" end
  if not aim.going then return come_to_rest(host, it, distance) end
end

function joint.moves(_, _, rest) return { (rest:match "^%S+") } end

local function of_part(host, _, rest)
  local list = {}
  for name in rest:gmatch "%S+" do
    for _, dof in ipairs(host.control and host.control:find(name) or {}) do list[#list + 1] = dof end
  end
  return list
end

local level = {}

function level.begin(host, _, rest)
  local name = rest:match "^%S+"
  local row = host.control.levels.rows[tonumber(name) and "all" or name]
  return row and { row = row, to = row.to } or nil
end

function level.look(_, it)
  if it.row.to ~= it.to then return "interrupted", "set to another level" end
  if it.row.gone >= it.row.length then return "done" end
end

-- The rows ------------------------------------------------------------------------------------------------

endings.rows = {
  play = source, key = source, go = go, look = look, say = say, joint = joint, level = level,
  give = { moves = of_part }, share = { moves = of_part }, emit = { moves = any }, goal = { moves = any },
  weight = { moves = any }, act = { moves = any }, feel = { moves = any }, lua = { moves = any },
}

return endings
