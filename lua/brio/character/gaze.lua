--- The gaze of a character: its attention, and the motion of eyes, head and torso.
---
---     character = { gaze = true }
---     self.gaze:look_at("ann", { seconds = 2, why = "greeting" })
---
--- Each part is a file of its own in the folder gaze: the selection of targets (attention), the people in
--- contact (engagement), small additional motions (layers), and the motion of eyes, head and torso (eyes,
--- aim) on a robot's body. The result goes to the solver as look_at objectives, so limits, collisions and
--- other objectives apply.
local aim = require "brio.character.gaze.aim"
local attention = require "brio.character.gaze.attention"
local body = require "brio.character.gaze.body"
local eyes = require "brio.character.gaze.eyes"
local face = require "brio.character.gaze.interface"
local layers = require "brio.character.gaze.layers"
local random = require "brio.random"
local settings = require "brio.character.gaze.settings"
local suggest = require "brio.lib.suggest"
local vector = require "brio.character.gaze.vector"
local words = require "brio.character.gaze.words"
local engagement = require "brio.character.gaze.engagement"

local Gaze = {}
Gaze.__index = Gaze

--- Interval between two evaluations of all targets, s; at once for some events.
local every = 0.05

--- Blinks accompany large turns of the gaze: never below the first angle, always beyond the second, rad; with
--- a minimum interval, s.  (Evinger et al., "Not looking while leaping", Exp. Brain Research 100, 1994; the
--- numbers are our choice.)
local blinks = { never = 0.3, always = 1.1, apart = 1 }

--- Intensity of surprise from which the eyes are wide open and do not blink, as in idle life.
local surprised = 0.4

--- Role of the link that carries the eyes, or that looks without eyes.
local parts = { "head", "torso" }

-- Set-up ---------------------------------------------------------------------------------------------

--- Arguments of an objective as a text.
local function text_of(kind, arguments)
  local pieces = { kind }
  for _, key in ipairs(suggest.keys(arguments)) do
    local value = arguments[key]
    local said = type(value) == "table" and table.concat(value, " ") or tostring(value)
    pieces[#pieces + 1] = key .. "=" .. said
  end
  return table.concat(pieces, ",")
end

--- A function that adds an objective for a part, once in a run: a gaze that is removed and returns reuses its
--- objective if it is the same.
local function adder(host)
  local known = host.gaze_slots or {}
  host.gaze_slots = known
  return function(name, kind, arguments)
    local key, text = ("gaze(%s)"):format(name), text_of(kind, arguments)
    local own = known[key]
    if own and own.text == text then return own.slot end
    if own then host.solver:remove(own.slot) end
    local slot, why = host.solver:add(key, kind, arguments)
    if not slot then error("the gaze finds no room in the solver: " .. tostring(why), 0) end
    known[key] = { slot = slot, text = text }
    return slot
  end
end

--- Home pose of a link, in the frame of the root.
local function home_of(description, root, link)
  local joints, home = {}, description.poses[description.home].joints
  for _, dof in ipairs(description.dofs) do
    if not dof.outside then joints[dof.name] = home[dof.name] end
  end
  local links = description.robot:forward({ joints = joints }).links
  local from, to = links[root], links[link].position
  local p = from.position
  return { vector.back(from.orientation, to[1] - p[1], to[2] - p[2], to[3] - p[3]) }
end

--- The viewpoint of a gaze straight ahead, in the world: the selection does not depend on where a person has
--- turned the head.
local function look_from(self)
  local root, home, view = self.host.scene:frame(self.root), self.home, self.view or { 0, 0, 0 }
  local p, x, y, z = root.position, vector.turn(root.orientation, home[1], home[2], home[3])
  view[1], view[2], view[3] = p[1] + x, p[2] + y, p[3] + z
  self.view, self.root_pose = view, root
  self.ahead = vector.leveled(root.orientation, self.body.level, self.leveled)
  return view
end

local function make_body(self)
  local host, add = self.host, adder(self.host)
  local said = assert(body.of(host.description, self.settings.body))
  self.body = said
  if said.note then host.say("warning", said.note) end
  self.eyes = said.eyes and eyes.new(host, said.eyes, add)
  self.head = said.head and aim.new(host, said.head, said, add)
  self.torso = said.torso and aim.new(host, said.torso, said, add)
  self.leveled = {}
  self.root = said.base or host.description.robot:links()[1]
  self.home = home_of(host.description, self.root, said.eyes and said.eyes.carrier or said.head.link)
  self.exploring = said.explore and layers.exploring(random.stream(host.seed or 0, "gaze exploring"),
    said.explore)
end

local function new(host, spec)
  local self = setmetatable({ host = host, settings = settings.of(spec), orders = {}, heard = {},
    due_look = 0, told = "" }, Gaze)
  local seed = host.seed or 0
  self.attention = attention.new(self.settings, random.stream(seed, "gaze attention"))
  self.scanning = layers.scanning(random.stream(seed, "gaze scanning"))
  self.aversion = layers.aversion(random.stream(seed, "gaze aversion"))
  self.stream = random.stream(seed, "gaze blinks")
  self.engagement = engagement.new(self.settings,
    function(event, data, about) host:emit(event, data, "gaze", about) end)
  make_body(self)
  self.face = face.of(self)
  return self
end

--- The behavior was reloaded: apply its settings; the target and the memory stay.
function Gaze:use(spec)
  local before = self.settings.body
  settings.of(spec, self.settings)
  if spec.body ~= before then
    self:rest()
    make_body(self)
  end
end

-- Sounds ---------------------------------------------------------------------------------------------

--- The direction of a microphone's sound, if the run has an input for it: yaw, rad.
local function heard_from(self, data)
  local input = type(data.name) == "string" and self.host.inputs.by_name[data.name .. "_direction"]
  return input and input.value or data.yaw
end

--- The position of a sound: from a position, a direction in the world, or yaw and pitch from the robot.
local function place_of_sound(self, data)
  local p, d, yaw = data.position, data.direction, heard_from(self, data)
  if type(p) == "table" and vector.finite(p[1], p[2], p[3]) then return p[1], p[2], p[3] end
  local x, y, z
  if type(d) == "table" and vector.finite(d[1], d[2], d[3]) then
    x, y, z = vector.unit(d[1], d[2], d[3])
  elseif vector.finite(yaw, data.pitch or 0, 0) then
    x, y, z = vector.direction(yaw, data.pitch or 0)
    x, y, z = vector.turn(self.ahead, x, y, z)
  end
  if not x then return nil end
  local from, far = self.view, attention.sound.distance
  return from[1] + far * x, from[2] + far * y, from[3] + far * z
end

function Gaze:hear(event)
  local data = event.data
  if event.source == "perception" then
    self.due_look = 0
  elseif event.source == "speech" then
    if event.name == "speaking" then self.speaks = true
    elseif event.name == "said" then self.speaks = false end
  end
  if type(data) == "table" and self.settings.sounds[event.name] and #self.heard < attention.sound.most then
    self.heard[#self.heard + 1] = event
    self.due_look = 0
  end
end

--- Process the sounds since the last tick, after all inputs of this tick are set.
local function listen(self, now)
  for index, event in ipairs(self.heard) do
    local data = event.data
    local x, y, z = place_of_sound(self, data)
    local who = data.who or data.target
    if type(who) == "string" then self.attention:speaks(now, who) end
    if x then
      self.attention:sound(now, event.name, x, y, z, type(data.salience) == "number" and data.salience or nil)
    end
    self.heard[index] = nil
  end
end

-- Orders ---------------------------------------------------------------------------------------------

--- Look at something until the next order: `order` is {place = function(): x, y, z; name, kind, why,
--- priority, till, by}.
function Gaze:order(order)
  self.count = (self.count or 0) + 1
  order.key, order.number = "order " .. self.count, self.count
  self.orders[#self.orders + 1] = order
  self.due_look = 0
end

--- Remove all orders, or those of one owner.
function Gaze:free(by)
  for index = #self.orders, 1, -1 do
    if not by or self.orders[index].by == by then table.remove(self.orders, index) end
  end
  self.aversion:finish()
  self.due_look = 0
end

--- Look away now, for `seconds`, or for a usual time.
function Gaze:avert(seconds) self.aversion:begin(self.host.now, seconds, self.speaks, true) end

--- The order in force: the newest one of the highest priority.
local function top_order(self, now)
  local top
  for index = #self.orders, 1, -1 do
    local order = self.orders[index]
    if order.till and now >= order.till - 1e-9 then
      table.remove(self.orders, index)
    elseif not top or order.priority > top.priority then
      top = order
    end
  end
  return top
end

-- The target -----------------------------------------------------------------------------------------

--- The position of a target now: from the scene of this tick, else its last one.
local function place_of_target(self, target)
  if target.object and target.here then
    local object = self.host.scene:find(target.name)
    if object then
      local p = object.position
      target.x, target.y, target.z = p[1], p[2], p[3]
    end
  end
  return target.x, target.y, target.z
end

--- Select a target again if it is time.
local function choose(self, now)
  if now < self.due_look - 1e-9 then return end
  self.due_look = now + every
  listen(self, now)
  local from, root = self.view, self.root_pose.position
  self.attention:look(now, self.host.scene)
  self.engagement:work(self.attention.list, root[1], root[2])
  self.drawn, self.why_drawn = self.attention:choose(now, from[1], from[2], from[3], self.speaks)
end

local function tell(self, now, fix)
  local key = (fix and fix.key or "nothing") .. (self.averted and " away" or "")
  if key == self.told then return end
  self.told = key
  local why = self.averted and "looks away" or fix and fix.why or "nothing draws it"
  local data = { kind = fix and fix.kind or "nothing", why = why }
  if fix then
    data.target, data.by = fix.name, fix.by
    data.salience = fix.salience and math.floor(fix.salience * 1000 + 0.5) / 1000
    data.x, data.y, data.z = fix.x, fix.y, fix.z
  end
  if self.averted then data.away = true end
  self.host:emit("gaze", data, "gaze", fix and fix.name or "nothing")
  self.since = now
end

--- Turn to the selected or ordered target once its latency has passed. Return whether it differs from the one
--- before.
local function take_up(self, now, order)
  local drawn = not order and self.drawn
  local key = order and order.key or drawn and drawn.key or nil
  if key ~= self.wanted then
    self.wanted = key
    self.due = order and now or self.due or now + self.settings.latency
  end
  if self.due and now >= self.due - 1e-9 then
    self.due = nil
    if drawn then drawn.why = self.fix and self.fix.place and "free again" or self.why_drawn end
    self.fix = order or drawn or nil
    return true
  end
  return false
end

--- The place of the current target; nil if there is none.
local function place_of_fix(self)
  local fix = self.fix
  if not fix then return nil end
  if not fix.place then return place_of_target(self, fix) end
  local x, y, z = fix.place()
  if vector.finite(x, y, z) then fix.x, fix.y, fix.z = x, y, z end
  return fix.x, fix.y, fix.z
end

--- A position displaced to the left and up, m, as seen from another one.
local function beside(from, x, y, z, side, up)
  local dx, dy, dz = vector.unit(x - from[1], y - from[2], z - from[3])
  if not dx then return x, y, z end
  local level = math.sqrt(dx * dx + dy * dy)
  if level < 1e-6 then return x + side, y, z end
  local lx, ly = -dy / level, dx / level
  local ux, uy, uz = -dz * dx / level, -dz * dy / level, level
  return x + side * lx + up * ux, y + side * ly + up * uy, z + up * uz
end

--- The wandering target without stimuli.
local function wander(self, now)
  if not (self.exploring and self.settings.explore) then return nil end
  local anew, yaw, pitch = self.exploring:work(now)
  local from = self.view
  local x, y, z = vector.turn(self.ahead, vector.direction(yaw, pitch))
  return from[1] + 3 * x, from[2] + 3 * y, from[3] + 3 * z, anew
end

--- The small motions around a target: the eyes' target, whether it differs from the one before, and the
--- head's target.
local function over(self, now, x, y, z, from)
  local with = self.settings.avert and not self.fix.place and self.fix.user
  local averted, yaw, pitch = self.aversion:work(now, with, self.speaks)
  local distance = math.sqrt((x - from[1]) ^ 2 + (y - from[2]) ^ 2 + (z - from[3]) ^ 2)
  local shift = averted ~= (self.averted or false)
  self.averted = averted
  if averted then
    local ex, ey, ez = beside(from, x, y, z, distance * math.tan(yaw), distance * math.tan(pitch))
    return ex, ey, ez, shift
  elseif self.eyes and self.settings.scan then
    local side, up = self.scanning:work(now, self.fix.kind, distance)
    if side ~= self.side or up ~= self.up then shift = true end
    self.side, self.up = side, up
    local ex, ey, ez = beside(from, x, y, z, side, up)
    return ex, ey, ez, shift
  end
  return x, y, z, shift
end

-- Blinks ---------------------------------------------------------------------------------------------

--- Blink with a large turn, if it needs one: by the idle life if there is one, else by the robot's own
--- sequence, with low priority for the lids.
local function blink(self, now, from, x, y, z)
  local lx, ly, lz = self.lx, self.ly, self.lz
  local dx, dy, dz = vector.unit(x - from[1], y - from[2], z - from[3])
  if not dx then return end
  self.lx, self.ly, self.lz = dx, dy, dz
  if not (lx and self.settings.blink) then return end
  local amplitude = vector.angle(lx, ly, lz, dx, dy, dz)
  local chance = (amplitude - blinks.never) / (blinks.always - blinks.never)
  if chance <= 0 or self.stream:uniform() > chance or now - (self.blinked or -9) < blinks.apart then
    return
  end
  self.blinked = now
  local host = self.host
  if host.idle and host.idle.gesture and host.idle:gesture "blink" then return end
  local emotion = host.emotion
  if emotion and emotion.name == "surprised" and emotion.intensity > surprised then return end
  if host.tracks:find "blink" then host.tracks:play("blink", { stage = "random", name = "blink" }, "gaze") end
end

-- A tick ---------------------------------------------------------------------------------------------

--- Whether a person has taken any of the joints that turn a part: then it is not moved, and continues from
--- where it is released.
local function taken(self, part)
  local control = self.host.control
  if not control then return false end
  for _, dof in ipairs(part.said.dofs) do
    if (control:taken(dof) or 0) > 0.99 then return true end
  end
  return false
end

--- The level of autonomy of the gaze, 0 to 1.
local function level_of(self)
  local control = self.host.control
  return control and control:level "gaze" or 1
end

function Gaze:work(now, dt)
  local level = level_of(self)
  self.attention.pace = 1 / math.max(level, 0.1)
  if self.host.power_off or level <= 0 then return self:idle(now) end
  local from = look_from(self)
  choose(self, now)
  local shift = take_up(self, now, top_order(self, now))
  local x, y, z, anew = place_of_fix(self)
  if not x then
    self.fix, self.averted = nil, false
    x, y, z, anew = wander(self, now)
  end
  tell(self, now, self.fix)
  if not x then return self:rest() end
  local ex, ey, ez, hop = x, y, z, anew
  if self.fix then
    if shift then
      self.scanning:reset(now)
      self.aversion:turned()
    end
    ex, ey, ez, hop = over(self, now, x, y, z, from)
    tell(self, now, self.fix)
  end
  if shift then blink(self, now, from, x, y, z) end
  self.rests = false
  self:move(now, dt, x, y, z, ex, ey, ez, shift or hop or false)
end

--- Move: the eyes to the one point, the parts that carry them to the other.  A part that moves the target
--- itself rests.
function Gaze:move(now, dt, x, y, z, ex, ey, ez, shift)
  local slowed = dt * self.host.tempo.now
  local weight, moved = self.settings.weight, self.fix and self.fix.moved
  if self.eyes then self.eyes:work(now, dt, ex, ey, ez, shift, weight) end
  if not self.eyes then x, y, z = ex, ey, ez end
  for _, part in ipairs(parts) do
    local aimed = self[part]
    if aimed and (taken(self, aimed) or moved and moved[part]) then aimed:rest()
    elseif aimed then aimed:work(slowed, x, y, z, weight) end
  end
end

--- There is no target: report it.
function Gaze:idle(now)
  self.fix, self.wanted, self.due, self.averted = nil, nil, nil, false
  tell(self, now)
  self:rest()
end

--- Release everything, smoothly.
function Gaze:rest()
  if self.rests then return end
  self.rests = true
  if self.eyes then self.eyes:stop() end
  if self.head then self.head:rest() end
  if self.torso then self.torso:rest() end
end

--- On hold: orders with a time limit are extended by the duration of the hold.
function Gaze:pause(on)
  if on then
    self.held = self.host.now
    return
  end
  local held = self.host.now - (self.held or self.host.now)
  for _, order in ipairs(self.orders) do order.till = order.till and order.till + held end
  self.due = self.due and self.due + held
end

function Gaze:stop()
  self.engagement:clear("stopped")
  self:rest()
end

return {
  name = "gaze",
  about = "attention, and gaze with eyes, head and torso",
  fields = settings.fields,
  fault = function(spec, description)
    local fault = settings.fault(spec)
    if fault then return fault end
    local good, why = body.of(description, spec.body)
    return not good and "character.gaze: " .. why or nil
  end,
  new = new,
  words = words,
}
