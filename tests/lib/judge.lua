--- Judges what an arm was told, frame by frame as it arrived, over windows of 50 ms.
---
---     local judge = require "judge"
---     local made = judge.measure(frames, { speed = { 3.14 }, acceleration = { 8 } })
---     print(made.speed, made.acceleration) -- of the limits: 1 is the limit
---
--- Between two frames an arm goes straight.  A gap of more than 20 ms leaves it where it was last told to be:
--- the stop that the gap causes is not counted, all that follows is, from rest at that place.  The first
--- frame of all is judged from the pose in which the arm was found, at rest.
local judge = {}

--- Lengths of time, s: a window, a gap that stops an arm, how long an arm is at rest before a piece begins,
--- how far apart the windows of that rest begin.
local window, gap, rest, grain = 0.05, 0.02, 0.12, 0.002
judge.window, judge.gap = window, gap

--- The pieces of joint i between gaps: lists of {t (s), x (rad or m)}, each with its rest before.
local function pieces_of(frames, i)
  local list, piece, last = {}, nil, nil
  for _, frame in ipairs(frames) do
    local x = frame.goals[i]
    if x then
      if not last or frame.at - last.t > gap then
        local from = last and last.x or frame.places[i]
        piece = {}
        for t = -rest, -grain, grain do piece[#piece + 1] = { t = frame.at + t, x = from } end
        piece[#piece + 1] = { t = frame.at - 1e-4, x = from }
        list[#list + 1] = piece
      end
      last = { t = frame.at, x = x }
      piece[#piece + 1] = last
    end
  end
  return list
end

--- A reader of a piece for times that only grow: read(t) gives x, on the straight line between two frames.
local function reader(piece)
  local k = 1
  return function(t)
    while k < #piece - 1 and piece[k + 1].t <= t do k = k + 1 end
    local a, b = piece[k], piece[k + 1]
    local length = b.t - a.t
    return length > 0 and a.x + (b.x - a.x) * math.min(1, math.max(0, (t - a.t) / length)) or b.x
  end
end

--- Call `found(t, speed, acceleration)` for every window of a piece; those are absolute, per s and per s^2.
local function each_window(piece, found)
  local middle, last, ends = reader(piece), reader(piece), piece[#piece].t
  for k = 1, #piece do
    local t, x = piece[k].t, piece[k].x
    if t + window > ends then return end
    local here = middle(t + window)
    local there = t + 2 * window <= ends and last(t + 2 * window)
    found(t, math.abs(here - x) / window, there and math.abs(there - 2 * here + x) / window ^ 2 or 0)
  end
end

--- How a list of frames { at (s), goals, places (rad or m) } kept `limits` { speed, acceleration }, lists
--- by joint in rad/s and rad/s^2.  Returns { speed, acceleration (the greatest, as shares of the limits),
--- gaps (the most of any joint), windows, worst = { joint, at (s, when that acceleration was) } }.
function judge.measure(frames, limits)
  local made = { speed = 0, acceleration = 0, gaps = 0, windows = 0, worst = nil }
  for i = 1, #limits.speed do
    local pieces = pieces_of(frames, i)
    made.gaps = math.max(made.gaps, #pieces - 1)
    for _, piece in ipairs(pieces) do
      each_window(piece, function(t, speed, acceleration)
        made.windows = made.windows + 1
        made.speed = math.max(made.speed, speed / limits.speed[i])
        local share = acceleration / limits.acceleration[i]
        if share > made.acceleration then made.acceleration, made.worst = share, { joint = i, at = t } end
      end)
    end
  end
  return made
end

--- The strict measure, of the limits: what a measured run keeps or misses.
judge.strict = { speed = 1.05, acceleration = 1.2 }

--- What is kept on any machine, however busy: a frame that was worked out before the machine stood still may
--- be sent after it.
judge.always = { speed = 1.05, acceleration = 3 }

--- What holds where the engine cannot know that what it tells arrives late.
judge.unseen = { speed = 1.05, acceleration = math.huge }

--- What the numbers of a message leave of a speed over a window, of the limit.
local rounding = 1e-3

--- Whether both shares are within `bounds`.
function judge.keeps(made, bounds)
  return made.speed <= bounds.speed + rounding and made.acceleration <= bounds.acceleration
end

--- What was made, in words: the two shares of the limits, and where the strict measure was missed.
function judge.described(made)
  return ("speed %.3f, acceleration %.3f of the limits over 50 ms%s"):format(made.speed, made.acceleration,
    judge.keeps(made, judge.strict) and "" or ": a miss of the strict measure")
end

return judge
