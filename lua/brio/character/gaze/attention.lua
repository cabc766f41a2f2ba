--- Attention of the gaze: all possible targets, their current salience, and the choice of the next one.
---
--- Salience is the weight of a kind, plus positive terms (near, large, moving, speaking, new), minus negative
--- terms: for a target that was looked at for long (habituation), and one that was just left (inhibition of
--- return: Posner and Cohen 1984; Klein, Trends in Cognitive Sciences 4, 2000: it lasts about 3 s). Intervals
--- between changes and the share of glances are those of social robots (../docs/animation/gaze.md lists the
--- sources).
local suggest = require "brio.lib.suggest"
local vector = require "brio.character.gaze.vector"

local attention = {}
local Attention = {}
Attention.__index = Attention

--- Default salience of a kind.
attention.kinds = { person = 1, face = 1 }

--- Terms of a target's salience, each from 0 to 1, with their weights. Our choice.
attention.favor = { near = 0.6, size = 0.3, motion = 0.5, speech = 1, new = 1 }

--- Distance at which nearness is 0.5, m; size as a share of the distance, and speed, m/s, that give 1; time
--- for which a target is new, s.
local half_near, whole_size, whole_speed, news = 1.5, 0.5, 1, 1.5

--- Preempt the current target if the new one's salience exceeds it by `preempts`, after `least_stay` seconds.
attention.preempts, attention.least_stay = 1.4, 0.4

--- A new target gets a glance at once if its salience exceeds that of the current target by this factor; time
--- for which it counts as just arrived, s.
attention.startles, attention.just = 0.5, 0.3

--- A sound attracts for this time, s, with decreasing salience; its assumed distance, m; maximum number of
--- sounds kept.
attention.sound = { lasts = 3, fades = 1.5, distance = 2, most = 8, salience = 1.2 }

--- Memory of a target that is out of sight, s.
local forget = 20

--- Make one: `settings` of gaze.lua, a random stream.
function attention.new(settings, stream)
  return setmetatable({ settings = settings, stream = stream, list = {}, by_key = {}, points = {}, kinds = {},
    sounds = 0, stay = 0, pace = 1 }, Attention)
end

--- Set the salience of a kind of object; nil: as in the settings, 0: none.
function Attention:attend(kind, salience) self.kinds[kind] = salience end

--- Set a place by name; nil removes it.
function Attention:point(name, x, y, z, salience)
  self.points[name] = x and { x = x, y = y, z = z, salience = salience or 0.4 } or nil
end

--- Current salience of the kinds, in the order of their names.
local function counted(self)
  local all = {}
  for _, source in ipairs { attention.kinds, self.settings.attend, self.kinds } do
    for kind, salience in next, source do all[kind] = salience end
  end
  return all, suggest.keys(all)
end

-- Targets --------------------------------------------------------------------------------------------

--- Update a known target, or add a new one.
local function note(self, now, key, kind, name, x, y, z)
  local target = self.by_key[key]
  if not target then
    target = { key = key, kind = kind, name = name, first = now, habit = 0, speaks = -1e9, speed = 0,
      size = 0 }
    self.by_key[key] = target
    self.list[#self.list + 1] = target
  end
  if not target.here then target.first = now end
  target.x, target.y, target.z, target.seen, target.here = x, y, z, now, true
  return target
end

local function note_objects(self, now, scene)
  local all, names = counted(self)
  for _, kind in ipairs(names) do
    if all[kind] > 0 then
      for _, object in ipairs(scene:objects(kind)) do
        local p, v, size = object.position, object.velocity, object.size
        local target = note(self, now, kind .. " " .. object.id, kind, object.id, p[1], p[2], p[3])
        target.base, target.object = all[kind], true
        target.speed = math.sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3])
        target.size = math.max(size[1], size[2], size[3])
      end
    end
  end
end

local function note_points(self, now, points)
  for _, name in ipairs(suggest.keys(points)) do
    local point = points[name]
    note(self, now, "point " .. name, "point", name, point[1] or point.x, point[2] or point.y,
      point[3] or point.z).base =
      point.salience or 0.4
  end
end

--- Update the targets: the objects of the scene, named places; sounds fade. Costs a few microseconds a
--- target.
function Attention:look(now, scene)
  local before = self.looked or now
  self.looked = now
  note_objects(self, now, scene)
  if self.settings.points then note_points(self, now, self.settings.points) end
  if next(self.points) then note_points(self, now, self.points) end
  local list, kept, here = self.list, 0, 0
  for index = 1, #list do
    local target = list[index]
    if target.sound then target.here = now - target.seen < attention.sound.lasts
    elseif target.seen < now then target.here = false end
    local looked_at = target == self.current
    local rate = looked_at and 1 / self.settings.habituation or 1 / self.settings.recovery
    local share = 1 - math.exp(-(now - before) * rate)
    target.habit = target.habit + share * ((looked_at and 1 or 0) - target.habit)
    list[index] = nil
    if target.here or not target.sound and now - target.seen < forget then
      kept = kept + 1
      list[kept] = target
      if target.here then here = here + 1 end
    else
      self.by_key[target.key] = nil
    end
  end
  self.here = here
end

--- A sound, or another momentary stimulus, at a place.
function Attention:sound(now, name, x, y, z, salience)
  self.sounds = self.sounds % attention.sound.most + 1
  local key = "sound " .. self.sounds
  if self.by_key[key] then self.by_key[key].here = false end
  local target = note(self, now, key, "sound", name, x, y, z)
  target.sound, target.base, target.left = true, salience or attention.sound.salience, nil
end

--- A person speaks.
function Attention:speaks(now, id)
  for _, target in ipairs(self.list) do
    if target.name == id and target.object then target.speaks = now end
  end
end

-- Salience -------------------------------------------------------------------------------------------

--- The salience terms of a target, and the word for the largest.
local function favor_of(self, now, target)
  local favor = attention.favor
  local x, y, z = target.x - self.x, target.y - self.y, target.z - self.z
  local distance = math.sqrt(x * x + y * y + z * z) + 1e-3
  local near = favor.near / (1 + (distance / half_near) ^ 2)
  local size = favor.size * math.min(1, target.size / distance / whole_size)
  local motion = favor.motion * math.min(1, target.speed / whole_speed)
  local speech = now - target.speaks < 2 and favor.speech or 0
  local new = favor.new * math.exp((target.first - now) / news)
  target.near, target.distance = near, distance
  target.word = target.sound and "sounds" or speech > 0 and "speaks" or new > 0.4 and "is new"
    or motion > 0.25 and "moves"
    or near > 0.3 and "is near" or "stands out"
  return 1 + near + size + motion + speech + new
end

--- The salience of a target now; the current target is not inhibited.
function Attention:salience(now, target)
  local settings = self.settings
  local value = target.base * favor_of(self, now, target)
  if target.user then value = value * settings.user end
  if target.sound then value = value * math.exp((target.seen - now) / attention.sound.fades) end
  value = value * (1 - settings.bored * target.habit)
  if target.left and target ~= self.current then
    value = value * (1 - settings.inhibited * math.exp((target.left - now) / settings.inhibition))
  end
  target.salience = value
  return value
end

--- The most salient target other than the current one; of equals, the first.
local function best_other(self, now)
  local best, most = nil, 0.02
  for _, target in ipairs(self.list) do
    if target.here and target ~= self.current then
      local value = self:salience(now, target)
      if value > most then best, most = target, value end
    end
  end
  return best, most
end

--- Whether a target has just arrived, and was not looked at since.
local function just_came(now, target)
  return now - target.first <= attention.just and not (target.left and target.left >= target.first)
end

-- Selection ------------------------------------------------------------------------------------------

local function draw(self, range) return self.stream:uniform(range[1], range[2]) end

local function turn_to(self, now, target, why, stay)
  local before = self.current
  if before and before ~= target then before.left = now end
  self.current, self.why, self.since, self.stay = target, why, now, stay
end

--- Duration of a stay: varies less at a lower level of autonomy.
local function dwell(self, talking)
  return self.pace * draw(self, talking and self.settings.talking or self.settings.dwell)
end

--- The stay at the current target has ended: change to another one, glance at it, or stay.
local function go_on(self, now, other, value, own, talking)
  local main = self.main
  self.main = nil
  if main and main.here then return turn_to(self, now, main, "back from a glance", dwell(self, talking)) end
  if not other then
    self.since, self.stay = now, dwell(self, talking)
  elseif value >= own then
    turn_to(self, now, other, "a change", dwell(self, talking))
  elseif self.stream:uniform() < self.settings.glance then
    self.main = self.current
    turn_to(self, now, other, "a glance", draw(self, self.settings.glance_lasts))
  else
    self.since, self.stay = now, dwell(self, talking)
  end
end

--- The target for now, seen from a place: {key, kind, name, x, y, z, word}, why; nil if there is none.
function Attention:choose(now, x, y, z, talking)
  self.x, self.y, self.z = x, y, z
  local current = self.current
  if current and not current.here then
    current.left, self.current, self.main, current = now, nil, nil, nil
  end
  local own = current and self:salience(now, current) or 0
  local other, value = best_other(self, now)
  if not current then
    if other then turn_to(self, now, other, other.word, dwell(self, talking)) end
  elseif other and value > attention.preempts * own and now - self.since >= attention.least_stay then
    self.main = nil
    turn_to(self, now, other, other.word, dwell(self, talking))
  elseif other and just_came(now, other) and value > attention.startles * own then
    self.main = self.main or current
    turn_to(self, now, other, other.word, draw(self, self.settings.glance_lasts))
  elseif now - self.since >= self.stay then
    go_on(self, now, other, value, own, talking)
  end
  return self.current, self.why
end

--- All targets, the most salient first.
function Attention:targets(now)
  local made = {}
  for index, target in ipairs(self.list) do
    if target.here then
      made[#made + 1] = { target = target.name, kind = target.kind,
        salience = self.x and self:salience(now, target) or 0,
        position = { target.x, target.y, target.z }, place = index }
    end
  end
  table.sort(made, function(a, b)
    if a.salience ~= b.salience then return a.salience > b.salience end
    return a.place < b.place
  end)
  for _, row in ipairs(made) do row.place = nil end
  return made
end

--- The error in a place: {x, y, z}.
function attention.fault_of_place(place, what)
  if type(place) ~= "table" or not vector.finite(place[1], place[2], place[3]) then
    return what .. " must be a place: three finite numbers, in meters"
  end
end

return attention
