--- Ways of a limb that are proven clear: the leaf's own if it is, else a planned one around what blocks it.
---
--- Before the limb moves, the whole of its own way is proven (proof.lua).  If that fails, the limb rests,
--- goals are collected (joint_goals.lua), and brio.joints searches a path to any of them, which is shortened
--- and timed (planned_way.lua), and proven as it will be followed.  While the limb moves, the rest of its way
--- is proven again whenever the solids change (solids.lua): meanwhile it brakes on its way.  Where the rest
--- is not clear, it rests and a path is planned from there: through all waypoints that are left, one search
--- for each.  A limb that rests in contact first goes out of it.  A way that is prescribed is proven: where
--- it leads into something deeper than its tolerance, other joint values are searched for the same way of the
--- limb's end (held_way.lua), and it is refused where there are none.
---
--- All work is counted, not timed, so runs repeat: a slice of each kind takes about a millisecond for an arm.
--- The solver has the last word: it keeps its clearance on the way, whatever was planned.
local held_way = require "brio.tree.execution.held_way"
local joint_goals = require "brio.tree.execution.joint_goals"
local limb_way = require "brio.tree.execution.way"
local motion = require "brio.tree.execution.motion"
local planned_way = require "brio.tree.execution.planned_way"
local proof = require "brio.tree.execution.proof"
local random = require "brio.random"
local solids = require "brio.tree.execution.solids"
local targets = require "brio.tree.execution.targets"

local clear_way = {}
local Clear = {}
Clear.__index = Clear

--- Steps of a proof (all of one), and checks of a search, in a tick.
local proof_slice, search_slice = 150, 1000

--- Checks after which a search gives up: some seconds.
local most_checks = 500000

--- Clearance of the limb's own way, m; distance at which start and goal of a planned path have room, m; the
--- share of the distances at the ends that a way keeps, and the share of that where corners are rounded.
local usual, ample, near_ends, rounded = 0.003, 0.025, 0.8, 0.5

--- How far around an end more room is searched, rad or m, and how often at each.
local excursions, samples = { 0.1, 0.25, 0.5 }, 8

--- Rooms that are tried for a limb that is held otherwise, m: the solver draws it away below 8 mm.
local hold_rooms = { ample, 0.012, usual / near_ends }

--- Distances of points from which a timed way is made, coarse to fine: the finer, the less it rounds corners.
local spacings = { 0.3, 0.1, 0.03, 0.01 }

--- How often a path may be planned for one leaf.
local most_plans = 20

--- How far out of contact a limb goes, m; its share of the limits there, and on a path with less than the
--- clearance `tight`, m, as motors that lag cut its corners.
local room_outside, pace_near, tight = 0.005, 0.2, 0.004

--- Places at which a way that is refused is looked at, for the deepest one.
local looks = 12

--- The rest of a planned way that is blocked is optimized first: its points, configurations measured in a
--- tick, and ticks at most; the share of the pull to the way as it was.
local mended, mend_slice, mend_ticks, mend_close = 24, 200, 25, 5

--- How far commands may be off a planned way, rad or m, and how long they may be farther, s.
local astray, patience = 0.05, 1

-- Proving ---------------------------------------------------------------------------------------------------

--- The joints' commands, in the limb's order.
local function commands(self)
  local values = {}
  for d, name in ipairs(self.limb.dofs) do values[d] = self.site.host.actuator:target(name) end
  return values
end

local function values_at(self, path, time)
  local values = {}
  for d in ipairs(self.limb.dofs) do values[d] = path:value(d, time) end
  return values
end

local function last_of(self, path)
  local values = {}
  for d in ipairs(self.limb.dofs) do values[d] = path:last(d) end
  return values
end

--- How far from everything a way must end, m, where `near` is nearest to it: less only where the limb is as
--- near to the same thing when the leaf begins.
local function end_room(self, near)
  local first = self.near_first
  if not first or not near or first.name ~= near.name or first.link ~= near.link then return usual end
  return math.max(joint_goals.touching, math.min(usual, near_ends * first.distance))
end

--- Begin to prove a way from a time on, among the solids as they are now: with the usual clearance, or less
--- where its start has less; its end may have less where it may stay there.
local function prove(self, path, from)
  local enough = usual / near_ends
  local room = self.solids:room(values_at(self, path, from), enough)
  local room_there, near = self.solids:room(last_of(self, path), enough)
  if not self.prescribed and room_there < end_room(self, near) then room_there = enough end
  self.proof = proof.begin(self.solids, path, from, near_ends * math.max(0, math.min(room, room_there)))
end

--- What is said to block a way that does not keep what is kept.
local unkept = "what it keeps"

--- The name of what blocks at these joint values.
local function blocker_at(self, values)
  if self.keep and not self.solids.space:kept(values) then return unkept end
  local near = self.solids:nearest(values)
  return near and near.name or "something"
end

-- Planning --------------------------------------------------------------------------------------------------

local phases = {}

--- A way that brings the joints to rest from their present speeds.
local function resting_way(self)
  local first, last, speeds, longest = {}, {}, {}, 0.1
  for d, name in ipairs(self.limb.dofs) do
    local value, speed = self.motions:at(name, self.before()[name])
    first[d], speeds[d] = value, speed
    longest = math.max(longest, 1.6 * math.abs(speed) / (0.9 * self.rows[d].acceleration))
  end
  for d, row in ipairs(self.rows) do
    last[d] = math.max(row.lower, math.min(row.upper, first[d] + speeds[d] * longest / 2))
  end
  return limb_way.through { dofs = self.rows, points = { first, last }, speeds = speeds }
end

--- Count the waypoints that the limb has passed on a way whose times are known.
local function count_passed(self)
  local moving = self.moving()
  if not moving or moving.way ~= self.timed then return end
  while self.stop < #self.stops and self.stop_times[self.stop]
    and moving.time >= self.stop_times[self.stop] - 1e-6 do self.stop = self.stop + 1 end
end

--- Begin to plan: the limb comes to rest first.
local function begin_plan(self, blocker)
  self.blocker, self.proof = blocker, nil
  self.plans = self.plans + 1
  if self.plans > most_plans then
    return false, ("%s is in its way, and what is around changed %d times while it planned"):format(blocker,
      most_plans)
  end
  if self.moving() then self.moving():wait(true)
  else
    local good, why = self.go(resting_way(self), true)
    if good == false then return false, why end
  end
  self.phase = "rest"
end

--- Append corners to the path, by the short way of circular joints: a search keeps these within half a turn
--- of 0.
local function append(self, corners)
  for _, corner in ipairs(corners) do
    local before, far = self.corners[#self.corners], 0
    for d, row in ipairs(self.rows) do
      if row.circular then
        corner[d] = before[d] + (corner[d] - before[d] + math.pi) % (2 * math.pi) - math.pi
      end
      far = math.max(far, math.abs(corner[d] - before[d]))
    end
    -- One that is there already would be a step of no length.
    if far > 1e-9 then self.corners[#self.corners + 1] = corner end
  end
end

--- Begin with the next waypoint, or the goal: its values, and other ones for the pose that is the goal.
local function begin_stop(self, from)
  local last = self.stop_now == #self.stops
  self.ends, self.given = { from }, 0
  self.goals = joint_goals.begin { robot = self.site.description.robot, limb = self.limb, rows = self.rows,
    solids = self.solids, goal = last and self.goal or nil, known = { self.stops[self.stop_now] },
    tolerances = self.tolerances, from = self.motions:configuration(self.motions:expected()),
    kept = self.motions.workspaces, ample = ample, seed = self.plans,
    least = function(near) return end_room(self, near) end }
  self.phase = "goals"
end

--- The limb touches something where it rests: it goes out along the slopes of distances, if it can.
local function go_out(self, start, near)
  local corners
  if not near.fault and not self.been_out then
    self.solids.space:set_clearance(0)
    corners = self.solids.space:out(start, room_outside)
  end
  if not corners then
    if near.fault then return false, "its start does not keep it: " .. near.fault end
    return false, ("its start collides: %s is %.1f mm inside %s"):format(near.link,
      math.max(0, -1e3 * near.distance), near.name)
  end
  self.been_out = true
  self.go(limb_way.through { dofs = self.rows, points = corners, speed = pace_near }, true)
  self.phase = "rest"
end

--- Begin to bend the rest of a planned way, from where the limb rests to its end, which must have room.
--- Return whether it is worth a try: once for each way, and with one goal left.
local function begin_mend(self, start, room)
  local moving = self.moving()
  if moving.way ~= self.timed or self.stop < #self.stops then return false end
  self.timed = nil
  local left, points = moving.way.seconds - moving.time, { start }
  local room_there, near = self.solids:room(last_of(self, moving.way), ample)
  if room_there < end_room(self, near) or left < 0.1 then return false end
  for k = 1, mended - 1 do
    points[k + 1] = values_at(self, moving.way, moving.time + k / (mended - 1) * left)
  end
  self.clearance = near_ends * math.min(room, room_there)
  self.solids.space:set_clearance(self.clearance)
  self.mending = self.solids.space:optimize(points, { closeness = mend_close, margin = 0.005, rounds = 40,
    checks = 0 })
  self.mend_tick, self.phase = 0, "mend"
  return self.mending ~= nil
end

--- The limb comes to rest, and goals begin to be collected from there.
function phases.rest(self)
  if not self.moving():rests() then return nil end
  local good, why = self.solids:renew()
  if not good then return false, why end
  local start = commands(self)
  local room, near = self.solids:room(start, ample)
  if room <= joint_goals.touching then return go_out(self, start, near) end
  count_passed(self)
  self.been_out, self.start, self.corners, self.stop_corners = nil, start, { start }, {}
  self.effort, self.clearance, self.stop_now = { length = 0, checks = 0 }, math.huge, self.stop
  self.stream, self.bent = random.stream(self.plans, "room"), nil
  if begin_mend(self, start, room) then return nil end
  begin_stop(self, { values = start, room = room })
end

--- The rest of the way is bent out of what blocks it; where that fails, a path is searched.
function phases.mend(self)
  local found = self.mending:work(mend_slice)
  self.mend_tick = self.mend_tick + 1
  if found == nil and self.mend_tick < mend_ticks then return nil end
  local path, report = self.mending:path(), self.mending:report()
  self.mending = nil
  if not found then
    self.clearance = math.huge
    begin_stop(self, { values = self.start, room = (self.solids:room(self.start, ample)) })
    return nil
  end
  table.remove(path, 1)
  append(self, path)
  self.effort.length, self.effort.checks, self.bent = report.length, report.looks, true
  self.stop_corners = { #self.corners }
  self.fineness, self.phase = 0, "time"
end

--- Goals are collected.
function phases.goals(self)
  if not self.goals:step() then return nil end
  if #self.goals.list == 0 then
    return false, (#self.stops > 1 and ("waypoint %d: "):format(self.stop_now) or "") .. self.goals:why()
  end
  table.move(self.goals.list, 1, #self.goals.list, 2, self.ends)
  self.phase = "room"
end

--- Values near some given ones, by a straight motion that is clear, where everything is farther apart.
local function roomier(self, from)
  local best = from
  for _, far in ipairs(excursions) do
    for _ = 1, samples do
      local values = {}
      for d, row in ipairs(self.rows) do
        local value = from.values[d] + self.stream:uniform(-far, far)
        values[d] = row.circular and value or math.max(row.lower, math.min(row.upper, value))
      end
      if self.keep then values = self.solids.space:project(values) or from.values end
      local room = self.solids:room(values, ample)
      self.solids.space:set_clearance(near_ends * from.room)
      if room > best.room and self.solids.space:motion(from.values, values) then
        best = { values = values, room = room }
      end
      if best.room >= ample then return best end
    end
  end
  return best
end

--- Start and goals that are near to something are left, or approached, by way of values with more room: one
--- in a tick.  Then the search begins, with as much clearance as they have.
function phases.room(self)
  self.given = self.given + 1
  local one = self.ends[self.given]
  one.by = one.room < ample and roomier(self, one) or one
  if self.ends[self.given + 1] then return nil end
  local most, own, list, why = 0, 0, {}
  for k = 2, #self.ends do most = math.max(most, self.ends[k].by.room) end
  most = math.min(most, self.ends[1].by.room)
  for k = 2, #self.ends do
    own = self.ends[k].by.room >= most and math.max(own, self.ends[k].room) or own
  end
  -- Goals that have room themselves, rather than on the way to them alone.
  self.reached = {}
  for k = 2, #self.ends do
    if self.ends[k].by.room >= most and self.ends[k].room >= near_ends * own then
      list[#list + 1], self.reached[#self.reached + 1] = self.ends[k].by.values, self.ends[k]
    end
  end
  self.solids.space:set_clearance(near_ends * most)
  self.search, why = self.solids.space:search { start = self.ends[1].by.values, goals = list,
    seed = self.plans, checks = most_checks, optimal = (self.improve or 0) > 0 }
  if not self.search then return false, why end
  self.improve_until = nil
  self.phase = "search"
end

--- Whether a search has more to do: until its path is shortened, or, where it is to go on, for so long.
local function goes_on(self, found)
  if self.search:over() then return false end
  if not found or (self.improve or 0) == 0 then return true end
  local now = self.site.host.now
  self.improve_until = self.improve_until or now + self.improve
  return now < self.improve_until
end

--- A path is searched, then shortened; then one to the next waypoint.
function phases.search(self)
  local found, why = self.search:work(search_slice)
  if found == false then return false, why end
  if goes_on(self, found) then return nil end
  local effort = self.search:effort()
  local start, goal = self.ends[1], self.reached[effort.goal]
  self.effort.length, self.effort.checks = self.effort.length + effort.length,
    self.effort.checks + effort.checks
  self.clearance = math.min(self.clearance, near_ends * math.min(start.room, goal.room))
  append(self, self.search:path())
  if goal.by ~= goal then append(self, { table.move(goal.values, 1, #goal.values, 1, {}) }) end
  self.search = nil
  self.stop_corners[#self.stop_corners + 1] = #self.corners
  if self.stop_now < #self.stops then
    self.stop_now = self.stop_now + 1
    begin_stop(self, { values = self.corners[#self.corners], room = goal.room })
  else
    self.fineness, self.phase = 0, "time"
  end
end

--- The path is timed; where its corners were rounded too much before, with points that are nearer.
function phases.time(self)
  self.fineness = self.fineness + 1
  if not spacings[self.fineness] then return false, "its path cannot be followed without a touch" end
  local speed, why = self.speed
  if self.clearance < tight then speed = math.min(speed or pace_near, pace_near) end
  self.path, why = planned_way.through { rows = self.rows, corners = self.corners,
    spacing = spacings[self.fineness], seconds = self.seconds, speed = speed, stops = self.stop_corners }
  if not self.path then return false, why end
  self.proof = proof.begin(self.solids, self.path, 0, rounded * self.clearance)
  self.phase = "prove"
end

--- How far the commands are off a way at a time, at most, and of which joint.
local function stray(self, path, time)
  local most, which = 0, nil
  for d, name in ipairs(self.limb.dofs) do
    local off = math.abs(path:value(d, time) - self.site.host.actuator:target(name))
    if off > most then most, which = off, name end
  end
  return most, which
end

--- The limb goes the planned way, unless something has moved it meanwhile.
local function go_planned(self)
  local off = stray(self, self.path, 0) > astray
  if off and not self.prescribed then return begin_plan(self, self.blocker) end
  self.phase, self.proof, self.around = nil, nil, self.blocker
  self.timed, self.stop_times = self.path, { table.unpack(self.path.stop_times) }
  for _ = 2, self.stop do table.insert(self.stop_times, 1, 0) end
  if self.prescribed then self.way = self.path end
  local good, why = self.go(self.path, false)
  if good ~= false then self.planned(self) end
  return good ~= false, why
end

--- The timed way is proven as it will be followed.
function phases.prove(self)
  local proven = self.proof:work(proof_slice)
  if proven == nil then return nil end
  if not proven then
    self.phase = "time"
    return nil
  end
  if not self.solids:changed() then return go_planned(self) end
  local good, why = self.solids:renew()
  if not good then return false, why end
  prove(self, self.path, 0)
  self.phase = "confirm"
end

--- Something has changed while the path was planned: it is proven once more.
function phases.confirm(self)
  local proven = self.proof:work(proof_slice)
  if proven == nil then return nil end
  if proven then return go_planned(self) end
  return begin_plan(self, blocker_at(self, self.proof.values))
end

-- A leaf's -------------------------------------------------------------------------------------------------

--- What is near at the start of a prescribed way may be touched on it: a thing that is held, a table on which
--- a hand stands.
local function let_touch(self)
  local start = values_at(self, self.way, 0)
  for _ = 1, 20 do
    local near = self.solids:nearest(start)
    if not near or near.other or near.distance > self.prescribed then return true end
    self.solids.touched[near.name] = true
    local good, why = self.solids:renew()
    if not good then return nil, why end
  end
  return true
end

--- A prescribed way is not clear: why it is refused, with the deepest place of several, and what is there;
--- nil: nowhere deeper than the tolerance of the leaf.
local function refusal(self, from)
  local worst, place
  for k = 0, looks do
    local time = from + k / looks * (self.way.seconds - from)
    local room, near = self.solids:room(values_at(self, self.way, time), 1e-6)
    if near and near.fault then
      return ("its way is prescribed, and leaves what it keeps: at %.0f %% of it %s"):format(
        100 * time / self.way.seconds, near.fault)
    end
    if near and (not worst or room < worst.distance) then worst, place = near, time / self.way.seconds end
  end
  if not worst or worst.distance >= -self.tolerances.position then return nil end
  return ("its way is prescribed, and blocked: at %.0f %% of it %s is %.1f mm inside %s"):format(100 * place,
    worst.link, -1e3 * worst.distance, worst.name), worst.name
end

--- A prescribed way is refused, from a time on, as `blocker` is in it: begin to search other joint values for
--- the same way of the end.  Return false and the sentence where that is impossible.
local function begin_hold(self, time, refused, blocker)
  self.plans = self.plans + 1
  local may = self.follows and blocker and held_way.may(self.limb, self.turn_is_free)
  if not may or self.plans > most_plans then return false, refused end
  local start = self.moving() and commands(self) or values_at(self, self.way, time)
  self.try = self.phase == "hold" and self.try + 1 or 1
  self.clearance = near_ends * math.max(0, (self.solids:room(start, hold_rooms[self.try])))
  self.held = held_way.begin { robot = self.site.description.robot, limb = self.limb, rows = self.rows,
    solids = self.solids, way = self.way, time = time, start = start, turn_is_free = self.turn_is_free,
    from = self.motions:configuration(self.motions:expected()), clearance = self.clearance,
    kept = self.motions.workspaces, seed = self.plans }
  self.refused, self.proof, self.blocker = nil, nil, blocker
  self.in_words, self.held_from, self.phase = refused, time, "hold"
end

--- Other joint values are searched for the way of the end.
function phases.hold(self)
  local found = self.held:step()
  if found == nil then return nil end
  if not found and hold_rooms[self.try + 1] then
    return begin_hold(self, self.held_from, self.in_words, self.blocker)
  elseif not found then return false, self.in_words .. ", however it is held" end
  self.path = limb_way.through { dofs = self.rows, points = self.held.points, times = self.held.times }
  self.path.stop_times, self.effort = {}, self.held:effort()
  self.proof = proof.begin(self.solids, self.path, 0, rounded * self.clearance)
  self.phase = "prove_held"
end

--- That way is proven as it will be followed, and once more where something has changed meanwhile.
function phases.prove_held(self)
  local proven = self.proof:work(proof_slice)
  if proven == nil then return nil end
  local changed = self.solids:changed()
  if proven and not changed then return go_planned(self) end
  if not proven and not changed then return false, self.in_words .. ", however it is held" end
  local good, why = self.solids:renew()
  if not good then return false, why end
  if not proven then return begin_hold(self, self.held_from, self.in_words, self.blocker) end
  self.proof = proof.begin(self.solids, self.path, 0, rounded * self.clearance)
end

--- Begin with a limb's own way, before it moves or while it does:
---
---   site, limb, way          the way, from the limb's present position
---   goal, tolerances         pose of its end in the world, or nil: the end of the way is the only goal
---   stops                    values that it goes through, the start first and the goal last, or nil
---   keep                     bounds of its end, see keeps.lua, or nil
---   prescribed               no other way is planned; what is nearer than this at first may be touched, m
---   follows                  of a prescribed way, only that of the limb's end is: its joints may be others;
---   turn_is_free             and the end may be turned as it likes
---   seconds, speed           of a planned way: its least duration, its share of the limits
---   seen, except, touch      see solids.lua
---   improve                  how long the search goes on for a shorter path, s
---   blocker                  the name of what is known to block it
---   before()                 the commands one tick ago
---   moving()                 the limb's motion, or nil
---   go(way, rests)           makes it go a way; `rests`: it plans at its end
---   planned(self)            tells of a planned way, which begins
---
--- Return it; nil and a sentence if nothing can be checked.
function clear_way.begin(parts)
  local self = setmetatable(parts, Clear)
  self.motions, self.plans = motion.of(parts.site.host), 0
  self.rows = targets.rows(parts.site.description, parts.limb.dofs)
  self.last = last_of(self, parts.way)
  self.stops = parts.stops and table.move(parts.stops, 2, #parts.stops, 1, {}) or { self.last }
  self.stop, self.timed, self.stop_times = 1, parts.way, parts.stops and parts.way.times
    and table.move(parts.way.times, 2, #parts.way.times, 1, {}) or {}
  self.solids = solids.new { host = parts.site.host, description = parts.site.description,
    limb = parts.limb, seen = parts.seen, except = parts.except, touch = parts.touch, keep = parts.keep }
  local good, why = self.solids:renew()
  if good and parts.prescribed then good, why = let_touch(self) end
  if not good then return nil, why end
  self.near_first = select(2, self.solids:room(values_at(self, parts.way, 0), usual))
  if parts.blocker then begin_plan(self, parts.blocker)
  else prove(self, parts.way, parts.moving() and parts.moving().time or 0) end
  return self
end

--- The limb's own way before it moves.
local function prove_own(self)
  local proven = self.proof:work(proof_slice)
  if proven == nil then return nil end
  if not proven and not self.prescribed then return begin_plan(self, blocker_at(self, self.proof.values)) end
  if not proven then
    local refused, name = refusal(self, 0)
    if refused then return begin_hold(self, 0, refused, name) end
  end
  self.proof = nil
  local good, why = self.go(self.way, false)
  if good == false then return false, why end
  return true
end

--- Whether something keeps the commands off a planned way, such as the solver at a solid that is not known
--- here: the limb waits for them, but not for long.  A sentence then.
local function is_kept_off(self)
  local off, joint, moving = 0, nil, self.moving()
  if self.around then off, joint = stray(self, moving.way, moving.time) end
  if off <= astray then
    self.off_since = nil
    return false
  end
  self.off_since = self.off_since or self.site.host.now
  if self.site.host.now - self.off_since < patience then return true end
  return true, ("%s is kept %.3g off its planned way around %s"):format(joint, off, self.around)
end

--- The rest of the way while the limb moves on it.
local function watch(self)
  local moving = self.moving()
  if moving:over() then return true end
  if not self.proof and self.solids:changed() then
    local good, why = self.solids:renew()
    if not good then return false, why end
    prove(self, moving.way, moving.time)
  end
  if self.refused then
    if moving:rests() then return begin_hold(self, moving.time, self.refused, self.refused_by) end
    return nil
  end
  local proven = not self.proof or self.proof:work(proof_slice)
  if proven == false and self.prescribed then
    self.refused, self.refused_by = refusal(self, moving.time)
    if self.refused then
      moving:wait(true)
      return nil
    end
    proven = true
  end
  if proven == false then return begin_plan(self, blocker_at(self, self.proof.values)) end
  if proven then self.proof = nil end
  local kept_off, why = is_kept_off(self)
  if why then return false, why end
  moving:wait(not proven or kept_off)
  return true
end

--- Work for a tick.  Return true: the limb goes a way that is proven; nil: it rests or brakes, and nothing is
--- to be judged; false and a sentence: there is no way.
function Clear:work()
  if self.phase then
    local good, why = phases[self.phase](self)
    if good ~= false then return good end
    return false, ("no way %s %s: %s"):format(self.blocker == unkept and "within" or "around",
      self.blocker, why)
  end
  if not self.moving() then return prove_own(self) end
  return watch(self)
end

--- Its state in words, for viewers; nil: it goes its own way.
function Clear:text()
  if self.phase then
    return ("looks for a way %s %s"):format(self.blocker == unkept and "within" or "around", self.blocker)
  end
  return self.around and "planned around " .. self.around
end

return clear_way
