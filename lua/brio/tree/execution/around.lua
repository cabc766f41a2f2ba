--- How leaves that move a limb go around obstacles: the field `plan`, and when its work is needed.
---
--- The work itself is clear_way.lua, which is loaded when a leaf first has something to go around.
local geometry = require "brio.lib.geometry"
local keeps = require "brio.tree.execution.keeps"
local motion = require "brio.tree.execution.motion"
local reach = require "brio.tree.execution.reach"

local around = {}

--- The fields of these leaves.
around.keep = keeps.field
around.field = { "any", value = true,
  doc = "where its own way to its goals is blocked: true: it plans a way around, among the shapes that the \z
    robot keeps clear of, or fails with the reason where its way is prescribed; \"always\": it proves its \z
    own way also where there are none; \"seen\": also \z
    around what the robot sees and knows the size of; false: it stops in front of what blocks it" }

around.touch = { "table", doc = "names of shapes and seen things that the limb may touch, such as what it \z
  holds" }
around.detour = { "boolean", value = false,
  doc = "a straight path of the hand, or a sequence, is left where it is blocked: its end is reached \z
    another way" }
around.improve = { "number", unit = "s", lower = 0, upper = 60, value = 0,
  doc = "how long the search of a way around goes on after the first one, towards the shortest" }

local words = { [true] = true, [false] = true, always = true, seen = true }

--- The error in a form; nil: none.
function around.fault(form)
  for index, name in ipairs(form.touch or {}) do
    if type(name) ~= "string" then return ("touch: item %d must be a name"):format(index) end
  end
  if form.plan == nil or words[form.plan] then
    if form.keep and form.plan == false then return "keep needs a plan: plan is false" end
    return keeps.fault(form)
  end
  return "plan must be true, false, \"always\" or \"seen\""
end

--- Whether there is something to go around, or to keep.
local function needed(leaf)
  local plan = leaf.form.plan
  if leaf.memory.limb.base or not plan then return false end
  if plan ~= true or leaf.form.keep then return true end
  for _, shape in next, leaf.site.host.shapes or {} do
    if shape.physical ~= false and not shape.link then return true end
  end
  return false
end

--- What the limb's end keeps, as bounds for brio.joints: from where its own way begins.
local function kept_by(leaf)
  local form, limb, description = leaf.form, leaf.memory.limb, leaf.site.description
  if not form.keep then return nil end
  if not limb.link then
    return nil, ("the link at the end of the %s is unknown: give link"):format(limb.name)
  end
  if leaf.keep then return leaf.keep end
  local motions = motion.of(leaf.site.host)
  local now = motions:configuration(motions:told())
  for d, name in ipairs(limb.dofs) do now.joints[name] = leaf.planned.way:value(d, 0) end
  local frame, why = reach.frame(description, reach.seen(leaf.site.host), form.frame, now)
  if not frame then return nil, why end
  leaf.keep = keeps.list(form.keep, limb.link, description.robot:forward(now).links[limb.link],
    geometry.within(frame, { position = { 0, 0, 0 }, orientation = { 0, 0, 0, 1 } }).orientation)
  return leaf.keep
end

--- The names that do not count as obstacles: of the frame of the goal, and what may be touched.
local function excepted(form)
  local names = { [form.frame or false] = form.frame and true or nil }
  for _, name in ipairs(form.touch or {}) do names[name] = true end
  return names
end

--- Tell of a way that was planned around something.
local function tell(leaf, clear)
  leaf.site.host:emit("planned_around", { leaf = leaf.memory.key, around = clear.around,
    seconds = clear.path.seconds, length = clear.effort.length, checks = clear.effort.checks,
    plans = clear.plans, bent = clear.bent }, "tree", clear.around)
end

--- Go a way: the first one begins the motion.  `rests`: it only comes to rest on it.
local function go(leaf, path, rests)
  local memory, planned = leaf.memory, leaf.planned
  if memory.motion then
    memory.motion:take(path)
    memory.motion.lead = leaf.lead
    return nil
  end
  motion.of(leaf.site.host).planning[memory] = nil
  local result, why = leaf.begin(leaf.site, leaf.form, memory,
    { way = path, goal = planned.goal, quality = planned.quality })
  if result == nil then leaf.lead = memory.motion.lead end
  if result == nil and rests then memory.motion.lead = nil end
  return result, why
end

--- Begin to prove the leaf's way clear; `blocker`: what is known to block it.  Return false and a sentence if
--- that is impossible and was asked for.
local function prove(leaf, blocker)
  local clear_way = require "brio.tree.execution.clear_way" -- here: most runs have no obstacle
  local memory, form = leaf.memory, leaf.form
  local keep, why = kept_by(leaf)
  if form.keep and not keep then return false, why end
  local clear
  clear, why = clear_way.begin { site = leaf.site, limb = memory.limb, way = leaf.planned.way,
    keep = keep, prescribed = leaf.prescribed, stops = leaf.stops, follows = leaf.follows,
    turn_is_free = leaf.planned.goal and not leaf.planned.goal.orientation
      or (form.orientation_tolerance or 0) >= math.pi,
    tolerances = { position = form.position_tolerance or 0.02,
      orientation = form.orientation_tolerance or 0.1 },
    goal = form.pose and leaf.planned.goal, seconds = form.seconds, speed = form.speed,
    seen = form.plan == "seen", except = excepted(form), touch = form.touch, improve = form.improve,
    blocker = blocker,
    before = function() return memory.before end, moving = function() return memory.motion end,
    go = function(path, rests) return go(leaf, path, rests) end,
    planned = function(made) tell(leaf, made) end }
  memory.clear = clear
  if not clear and (form.keep or form.plan and form.plan ~= true) then
    return false, "nothing can be planned: " .. why
  end
  return clear ~= nil
end

--- There is no way: the limb stays where it rests.
local function give_up(memory, why)
  if memory.motion then
    memory.motion:stay()
    memory.motion:settle()
  end
  return false, memory.complaint and memory.complaint .. "; " .. why or why
end

--- Whether the timeout of a leaf is over that still plans.
local function late(form, memory, elapsed)
  if not form.timeout or elapsed < form.timeout then return nil end
  return give_up(memory, ("it takes longer than its timeout: after %.2f s it %s"):format(elapsed,
    memory.clear:text() or "checks its way"))
end

--- Begin the motion of a leaf, after a proof of its way if there is something to go around: {site, form,
--- memory, planned = {way, goal, quality}, free = whether it may go another way, [stops = values that it goes
--- through, the last one its goal; prescribed = how near what it may touch on its way is at first, m, where
--- it may not; follows = whether then only the way of its end is prescribed], begin = function(site, form,
--- memory, planned)}.  Return nil; false and why.
function around.begin(leaf)
  leaf.memory.around, leaf.version = leaf, leaf.site.host.shapes_version
  if needed(leaf) then
    local good, why = prove(leaf)
    if good == false and why then return false, why end
    if good then return around.await(leaf.form, leaf.memory, 0) end
  end
  motion.of(leaf.site.host).planning[leaf.memory] = nil
  return leaf.begin(leaf.site, leaf.form, leaf.memory, leaf.planned)
end

--- Work of a tick before the limb moves.  Return nil; false and why.
function around.await(form, memory, elapsed)
  local result, why = memory.clear:work()
  if result == false then return give_up(memory, why) end
  if result then return nil end
  return late(form, memory, elapsed)
end

--- Work of a tick while it moves.  Return true when the limb goes a way as it should; nil when it brakes or
--- rests, and nothing is to be judged; false and why.
function around.watch(form, memory, elapsed)
  local leaf = memory.around
  if not memory.clear then
    local version = leaf and leaf.site.host.shapes_version
    if not leaf or version == leaf.version then return true end
    leaf.version = version
    if not needed(leaf) then return true end
    local good, why = prove(leaf)
    if not good then
      if why then return give_up(memory, why) end
      return true
    end
  end
  local ready, why = memory.clear:work()
  if ready == false then return give_up(memory, why) end
  if ready then return true end
  return late(form, memory, elapsed)
end

--- Whether a limb goes its own way, and may go another one.
function around.may(form, memory)
  local leaf = memory.around
  return leaf and leaf.free and form.plan and not memory.clear and not memory.complaint and true or false
end

--- Such a limb has stopped in front of something, with a `complaint`: plan from there.  Return whether it
--- does.
function around.blocked(memory, blocker, complaint)
  memory.complaint = complaint
  return prove(memory.around, blocker) == true
end

return around
