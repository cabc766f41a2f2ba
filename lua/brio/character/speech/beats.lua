--- Gestures that accompany speech: beats of head and hands on important words, and nods at the ends of
--- clauses.
---
--- Each is a bump added to the values below, so that it ends where it began, and avoids DOFs in use (see
--- asked.lua). Its stroke coincides with the word's stressed vowel: beats and stress coincide within a tenth
--- of a second (T. Leonard and F. Cummins, Language and Cognitive Processes 26(10), 2011). A robot's beats
--- are in beats.lua beside its robot.lua: a list of
---
---     { name = "nod", on = "word", dofs = { NeckTilt = 0.1 }, seconds = 0.5, mirror = true, gaze = true }
---
--- on: "word", "end" (of a clause or sentence), or "both"; mirror: also mirrored; gaze: also during a gaze.
local asked = require "brio.character.speech.asked"
local lazy = require "brio.lib.lazy"
local mirror = lazy "brio.motion.mirror"
local random = require "brio.random"
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local beats = {}
local Beats = {}
Beats.__index = Beats

--- Minimum interval between two beats, s; probability of a beat on a word that is not emphasized, and at the
--- end of a clause or sentence. Our choice.
beats.apart, beats.chance, beats.chance_end = 0.9, 0.35, 0.5

--- Random factors of each beat: size and length, from .. to.
beats.size, beats.length = { 0.7, 1.2 }, { 0.85, 1.2 }

--- The share of a beat before its stroke.
beats.rise = 0.45

--- Time in which a beat fades if its DOFs are needed, s. Weight of its joints: that of a state's first
--- property.
beats.give_way, beats.follow = 0.2, 50

--- Interval of the check whether another owner needs its DOFs, s.
beats.look = 0.05

--- The fields of a beat.
beats.fields = {
  name = { "string", needed = true }, about = "string",
  on = { "choice", of = { "word", "end", "both" }, value = "both",
    doc = "a word, the end of a clause or sentence, or both" },
  dofs = { "map", of = "number", needed = true, doc = "how far each DOF goes" },
  seconds = { "number", unit = "s", lower = 0.1, upper = 5, value = 0.6, doc = "its length" },
  mirror = { "boolean", doc = "also the other way round" }, gaze = { "boolean", doc = "over a gaze, too" },
}

local function fault_of_row(row, what, known)
  local fault = schema.fault(row, beats.fields, what)
  if fault then return fault end
  for _, dof in ipairs(suggest.keys(row.dofs)) do
    if not known[dof] then
      return ("%s: the robot has no DOF '%s'%s"):format(what, dof, suggest.hint(dof, suggest.keys(known)))
    end
  end
end

--- The error in a list of beats on a robot: a sentence, or nil.
function beats.fault(list, description)
  if type(list) ~= "table" then return "beats must be a list of gestures" end
  local known = {}
  for _, dof in ipairs(description.dofs) do known[dof.name] = true end
  for index, row in ipairs(list) do
    local fault = fault_of_row(row, ("beats[%d]"):format(index), known)
    if fault then return fault end
  end
end

--- All gestures: each row, and its mirror image if allowed.
local function gestures_of(list, description)
  if not list then return {} end
  local made, other = {}, mirror.of(description)
  for _, row in ipairs(list) do
    local gesture = { name = row.name, on = row.on or beats.fields.on.value, seconds = row.seconds
      or beats.fields.seconds.value, gaze = row.gaze,
      dofs = {} }
    local turned = { name = row.name .. ", mirrored", on = gesture.on, seconds = gesture.seconds,
      gaze = row.gaze, dofs = {} }
    for _, dof in ipairs(suggest.keys(row.dofs)) do
      gesture.dofs[#gesture.dofs + 1] = { dof, row.dofs[dof] }
      turned.dofs[#turned.dofs + 1] = { other[dof].other, row.dofs[dof] * other[dof].sign }
    end
    made[#made + 1] = gesture
    if row.mirror then made[#made + 1] = turned end
  end
  return made
end

function beats.new(host)
  return setmetatable({ host = host, gestures = {}, asked = asked.new(host),
    stream = random.stream(host.seed or 0, "beats"), running = {}, on = {}, free_at = -math.huge }, Beats)
end

--- Set the gestures, a list of rows.
function Beats:use(list)
  if list ~= self.list then self.gestures = gestures_of(list, self.host.description) end
  self.list = list
end

local function is_free(self, gesture)
  for _, row in ipairs(gesture.dofs) do
    if self.asked:is(row[1], gesture.gaze) then return false end
  end
  return true
end

--- Share of each of a gesture's DOFs: 0 if a person has taken it.
local function shares_of(self, gesture)
  local shares = {}
  for index, row in ipairs(gesture.dofs) do shares[index] = self.asked:taken(row[1]) and 0 or 1 end
  return shares
end

--- The possible gestures now: none twice in a row, if there is another.
local function choices(self, place)
  local list = {}
  for _, gesture in ipairs(self.gestures) do
    if (gesture.on == place or gesture.on == "both") and gesture.name ~= self.last
        and is_free(self, gesture) then
      list[#list + 1] = gesture
    end
  end
  return list
end

--- Plan a word, at `now` in the speech's time, with its stroke at `stroke`. A draw decides whether a beat of
--- the size `amount` accompanies it; an emphasized word has one if possible. Return its gesture, or nil.
function Beats:word(word, now, stroke, amount)
  local place = word.ends and "end" or "word"
  local chance = word.emphasis and 1 or (place == "end" and beats.chance_end or beats.chance) * math.min(1,
    amount)
  local drawn = self.stream:uniform(0, 1)
  if amount <= 0 or stroke < self.free_at or drawn >= chance then return end
  local list = choices(self, place)
  if #list == 0 then return end
  local gesture = list[self.stream:whole(#list)]
  local seconds = gesture.seconds * self.stream:uniform(beats.length[1], beats.length[2])
  self.last, self.free_at = gesture.name, stroke + beats.apart
  self.running[#self.running + 1] = { gesture = gesture,
    begins = math.max(now, stroke - beats.rise * seconds), seconds = seconds,
    size = amount * self.stream:uniform(beats.size[1], beats.size[2]), left = 1,
      shares = shares_of(self, gesture) }
  return gesture
end

--- From 0 to 1 with minimum jerk.
local function smooth(s) return s * s * s * (10 + s * (6 * s - 15)) end

--- Amplitude of a beat at share `s` of its time.
local function bump(s)
  if s <= 0 or s >= 1 then return 0 end
  return s < beats.rise and smooth(s / beats.rise) or smooth((1 - s) / (1 - beats.rise))
end

--- The source of all beats, created on first use; nil: there is no room.
local function source_of(self)
  local tracks = self.host.tracks
  if self.source and tracks.playing[self.source.source] ~= self.source then self.source, self.on = nil, {} end
  self.source = self.source or tracks:live("beats", { priority = 5, follow = beats.follow, fade = 0.15 })
  return self.source
end

--- Sum the active beats at `t`: {dof = value}; remove ended ones.
local function sum_up(self, t, dt)
  local sums, kept = {}, {}
  for _, beat in ipairs(self.running) do
    if t >= (beat.due or t) then
      beat.free, beat.goal, beat.due = is_free(self, beat.gesture), shares_of(self, beat.gesture),
        t + beats.look
    end
    if not beat.free then beat.left = math.max(0, beat.left - dt / beats.give_way) end
    local height = beat.size * beat.left * bump((t - beat.begins) / beat.seconds)
    for index, row in ipairs(beat.gesture.dofs) do
      if beat.goal[index] == 0 then
        beat.shares[index] = math.max(0, beat.shares[index] - dt / beats.give_way)
      end
      sums[row[1]] = (sums[row[1]] or 0) + height * row[2] * beat.shares[index]
    end
    if t < beat.begins + beat.seconds and beat.left > 0 then kept[#kept + 1] = beat end
  end
  self.running = kept
  return sums
end

--- Work of a tick at `t` in the speech's time.
function Beats:work(t, dt)
  if #self.running == 0 and not next(self.on) then return end
  local source = source_of(self)
  if not source then return end
  local sums, tracks = sum_up(self, t, dt), self.host.tracks
  for _, dof in ipairs(suggest.keys(self.on)) do -- release DOFs that no beat moves any more
    if not sums[dof] then tracks:say_value(source, dof, nil) end
  end
  for _, dof in ipairs(suggest.keys(sums)) do tracks:say_value(source, dof, sums[dof], true) end
  self.on = sums
end

--- End all beats: fade out the active ones.
function Beats:rest()
  for _, beat in ipairs(self.running) do beat.left = 0 end
end

--- Release everything permanently.
function Beats:stop()
  if self.source then self.host.tracks:stop_source(self.source, 0.15, "over") end
  self.source, self.on, self.running = nil, {}, {}
end

return beats
