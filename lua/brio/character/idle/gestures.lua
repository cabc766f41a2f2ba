--- Idle gestures: sequences at random intervals, and after events, never the same twice in a row.
---
--- They play in the stage `random`, so they leave DOFs of other sequences and keys alone, and continue with
--- the others. Requested gestures (`on`, :ask) use a random stream of their own: a request changes only the
--- times of later random ones.
local life = require "brio.motion.random_sequences"
local random = require "brio.random"
local rows = require "brio.character.idle.rows"
local sequence = require "brio.motion.sequence"

local gestures = {}
local Gesture = {}
Gesture.__index = Gesture

--- A row's gestures on a host. The first is due after an interval.
function gestures.new(host, name, row)
  local self = setmetatable({ host = host, name = name, count = 0 }, Gesture)
  self.due = random.stream(host.seed or 0, "idle gesture " .. name)
  self.asked = random.stream(host.seed or 0, "idle gesture on request " .. name)
  self.chance = random.stream(host.seed or 0, "idle gesture chance " .. name)
  self:use(row)
  return self
end

--- The row has changed: due times stay.
function Gesture:use(row)
  if self.row == row then return end
  self.row, self.rules = row, {}
  if row.play[self.last or 1] == nil then self.last = nil end
  for index, rule in ipairs(row.unless or {}) do
    self.rules[index] = { emotion = rule.emotion, above = rule.above or 0.5,
      dofs = rows.numbers(rule.dofs, self.host.description) }
  end
end

--- Select one of the row's sequences by their odds, different from the last one.
function Gesture:choose(stream)
  local play, odds, total = self.row.play, self.row.odds or {}, 0
  for index in ipairs(play) do
    if index ~= self.last then total = total + (odds[index] or 1) end
  end
  local at, chosen = stream:uniform(0, total), nil
  for index in ipairs(play) do
    if index ~= self.last and at >= 0 then
      at, chosen = at - (odds[index] or 1), index
    end
  end
  self.last = chosen
  return play[chosen]
end

--- Exclude DOFs that are switched off, `taken(number)`, and those that a rule keeps free while an emotion is
--- strong.
local function keep_off(self, mood)
  local player, source = self.host.tracks.player, self.playing.source
  if mood.taken then
    for dof = 1, #self.host.description.dofs do
      if mood.taken(dof) then player:mask(source, dof, true) end
    end
  end
  for _, rule in ipairs(self.rules) do
    if mood.felt(rule.emotion) > rule.above then
      for _, dof in ipairs(rule.dofs) do player:mask(source, dof, true) end
    end
  end
end

--- Play one now, drawn from `stream`.  Return its length, s.
function Gesture:play(stream, mood)
  local row, tracks = self.row, self.host.tracks
  local amplitude, speed = life.draw(stream, row.amplitude) or 1, life.draw(stream, row.speed) or 1
  local mirror = row.mirror == "random" and stream:whole(2) == 1 or row.mirror == true
  local chosen = self:choose(stream)
  if not row.fixed then amplitude = amplitude * mood.size end
  local playing = tracks:play(chosen, { stage = "random", priority = row.priority, amplitude = amplitude,
    speed = speed, mirror = mirror, fade = row.fade }, "idle")
  self.count, self.playing = self.count + 1, playing
  if not playing then return 0 end
  keep_off(self, mood)
  return sequence.length(playing.entry.description) / speed
end

--- Draw the time of the next one, at least `length` from now.
function Gesture:plan(now, length, mood)
  local row = self.row
  local wait = life.draw_interval(self.due, mood.talks and row.talking or row.every)
  if not row.fixed then wait = wait * mood.wait end
  self.next = now + math.max(length + 0.05, wait)
end

--- Process an event: a draw decides whether it triggers a gesture.
function Gesture:hear(event)
  local chance = self.row.on and self.row.on[event]
  if chance and self.chance:uniform() < chance then self.wanted = true end
end

--- Work of a tick. `level` of this row from 0 to 1: at 0 no gesture begins, and due ones wait.
function Gesture:work(now, dt, level, mood)
  if not self.next then self:plan(now, 0, mood) end
  local wanted = self.wanted
  self.wanted = nil
  if self:busy() then keep_off(self, mood) end
  if level <= 0 then
    self.next = self.next + dt
  elseif now >= self.next then
    self:plan(now, self:play(self.due, mood), mood)
  elseif wanted and not self:busy() then
    self:plan(now, self:play(self.asked, mood), mood)
  end
end

--- Whether one plays now.
function Gesture:busy()
  local playing = self.playing
  return playing ~= nil and self.host.tracks.playing[playing.source] == playing
end

--- Play one in the next tick, whatever is due.
function Gesture:ask() self.wanted = true end

--- Shift by a time in which the clock stood still.
function Gesture:wait(seconds) self.next = self.next and self.next + seconds end

--- Stop the playing one, smoothly.
function Gesture:stop()
  if self:busy() then self.host.tracks:stop_source(self.playing, 0.2) end
  self.playing, self.next = nil, nil
end

return gestures
