--- Judges the targets that an arm received, frame by frame as they arrived, over windows of 50 ms.
---
---     local judge = require "judge"
---     local made = judge.measure(frames, { speed = { 3.14 }, acceleration = { 8 } })
---     print(made.speed, made.acceleration) -- of the limits: 1 is the limit
---
--- Between two frames an arm moves in a straight line.  In a gap of more than 20 ms it stays at the last
--- target: the stop that the gap causes is not counted; all that follows is, from rest at that position.  The
--- first frame is judged from the pose in which the arm was found, at rest.
local judge = {}

--- Durations, s: a window, a gap that stops an arm, the rest before a piece begins, the distance between the
--- windows of that rest.
local window, gap, rest, grain = 0.05, 0.02, 0.12, 0.002
judge.window, judge.gap = window, gap

--- The pieces of joint i between gaps: lists of {t (s), x (rad or m)}, each preceded by its rest.
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
      table.insert(piece, last)
    end
  end
  return list
end

--- A reader of a piece for increasing times: read(t) gives x, interpolated linearly between two frames.
local function reader(piece)
  local k = 1
  return function(t)
    while k < #piece - 1 and piece[k + 1].t <= t do k = k + 1 end
    local a, b = piece[k], piece[k + 1]
    local length = b.t - a.t
    return length > 0 and a.x + (b.x - a.x) * math.min(1, math.max(0, (t - a.t) / length)) or b.x
  end
end

--- Call `found(t, speed, acceleration)` for every window of a piece; both are magnitudes, per s and per s^2.
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
--- by joint in rad/s and rad/s^2.  Returns { speed, acceleration (the maxima, as shares of the limits),
--- gaps (the maximum over joints), windows, worst = { joint, at (s, time of that acceleration) } }.
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

--- The strict measure, as shares of the limits: a measured run keeps it or misses it.
judge.strict = { speed = 1.05, acceleration = 1.2 }

--- The bound on any machine, however busy: a frame that was computed before the machine stalled may be sent
--- after the stall.
judge.always = { speed = 1.05, acceleration = 3 }

--- The bound where the engine cannot know that its commands arrive late.
judge.unseen = { speed = 1.05, acceleration = math.huge }

--- The rounding error of a message's numbers in a speed over a window, as a share of the limit.
local rounding = 1e-3

--- Whether both shares are within `bounds`.
function judge.keeps(made, bounds)
  return made.speed <= bounds.speed + rounding and made.acceleration <= bounds.acceleration
end

--- The result in words: both shares of the limits, and where the strict measure was missed.
function judge.described(made)
  return ("speed %.3f, acceleration %.3f of the limits over 50 ms%s"):format(made.speed, made.acceleration,
    judge.keeps(made, judge.strict) and "" or ": a miss of the strict measure")
end

return judge
