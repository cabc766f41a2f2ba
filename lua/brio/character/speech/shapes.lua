--- The shapes of a speaking mouth, and the transitions between them.
---
--- Each sound has one of 15 shapes: the visemes of MPEG-4 (ISO/IEC 14496-2, table of visemes), including
--- rest. A shape has an opening, 0 to 1, and a width, -1 (round) to 1 (spread): numbers chosen by us from
--- pictures of those visemes. Sounds that are near in time are blended as in M. M. Cohen and D. W. Massaro,
--- "Modeling coarticulation in synthetic visual speech" (Models and Techniques in Computer Animation, 1993):
--- each has a dominance  strength * exp(-|t - middle| / reach), and the result is the mean of all shapes,
--- weighted by dominance.
local shapes = {}

--- {open, wide, strength}: closing lips, and teeth on a lip, must be visible, so they are stronger.
shapes.list = {
  rest = { 0.00, 0.0, 1.0 },
  pbm = { 0.00, 0.0, 4.0 }, fv = { 0.12, 0.1, 3.0 }, th = { 0.25, 0.2, 1.0 }, td = { 0.25, 0.3, 0.8 },
    kg = { 0.35, 0.1, 0.5 },
  ch = { 0.22, -0.5, 1.5 }, sz = { 0.15, 0.5, 1.2 }, nl = { 0.28, 0.2, 0.6 }, r = { 0.25, -0.3, 0.9 },
  a = { 1.00, 0.1, 1.2 }, e = { 0.60, 0.5, 1.0 }, i = { 0.35, 0.8, 1.1 }, o = { 0.65, -0.7, 1.3 },
    u = { 0.30, -1.0, 1.5 },
}

--- Reach of a sound in time, s: the authors' 0.03 per ms.
shapes.reach = 1 / 30

--- Number of neighboring sounds that count: the weight of farther ones is below 1 %.
shapes.neighbors = 3

--- The names of the shapes in a fixed order, so that sums are the same in every run.
shapes.names = { "rest", "pbm", "fv", "th", "td", "kg", "ch", "sz", "nl", "r", "a", "e", "i", "o", "u" }

local numbers = {}
for number, name in ipairs(shapes.names) do numbers[name] = number end

--- The weight of each shape, by its number, at `t`, s of a plan (see plan.lua), at its sound number `index`:
--- written into `mix` and returned; the sum is 1.
function shapes.mix(plan, t, index, mix)
  local sum, list = 0, plan.sounds
  for number = 1, #shapes.names do mix[number] = 0 end
  for place = math.max(1, index - shapes.neighbors), math.min(#list, index + shapes.neighbors) do
    local sound = list[place]
    local away, number = math.max(0, math.abs(t - sound.middle) - sound.hold), numbers[sound.shape]
    local weight = shapes.list[sound.shape][3] * math.exp(-away / shapes.reach)
    mix[number] = mix[number] + weight
    sum = sum + weight
  end
  if sum <= 0 then -- no sound is near: the mouth rests
    mix[1], sum = 1, 1
  end
  for number = 1, #mix do mix[number] = mix[number] / sum end
  return mix
end

--- Opening and width of a mixed mouth.
function shapes.look(mix)
  local open, wide = 0, 0
  for number, name in ipairs(shapes.names) do
    open, wide = open + mix[number] * shapes.list[name][1], wide + mix[number] * shapes.list[name][2]
  end
  return open, wide
end

return shapes
