--- The judge of frames (tests/lib/judge.lua), tried on made-up frames: it passes those within the limits and
--- finds the violations in the others.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local judge = require "judge"
local test = harness.test

local limits = { speed = { 3.14 }, acceleration = { 8 } }

--- A trapezoid of 2 rad at the limits: the position of a joint t s after the start.
local function trapezoid(t)
  local v, a, way = limits.speed[1], limits.acceleration[1], 2
  local ramp = v / a
  local whole = way / v + ramp
  t = math.min(math.max(t, 0), whole)
  if t < ramp then return a * t * t / 2 end
  if t < whole - ramp then return v * (t - ramp / 2) end
  return way - a * (whole - t) ^ 2 / 2
end

--- Frames 1 ms apart for `seconds`, with goals by place(t); left out where `silent(t)`.
local function frames_of(seconds, place, silent)
  local frames = {}
  for k = 0, math.floor(seconds * 1000) do
    local t = k / 1000
    local frame = { at = 100 + t, goals = { place(t) }, places = { 0 } }
    if not (silent and silent(t)) then frames[#frames + 1] = frame end
  end
  return frames
end

test("a clean trapezoid keeps the limits", function(t)
  local made = judge.measure(frames_of(2, trapezoid), limits)
  t:check(made.speed <= 1 + 1e-6 and made.speed > 0.99, "speed %g", made.speed)
  t:check(made.acceleration <= 1 + 1e-6 and made.acceleration > 0.99, "acceleration %g", made.acceleration)
  t:equal(made.gaps, 0, "gaps")
  t:check(judge.keeps(made, judge.strict), "it is kept")
end)

test("a leap is found: in motion, at the very first frame, and in the first frame after a gap", function(t)
  local function leap_at(from) return function(at) return trapezoid(at) + (at >= from and 0.1 or 0) end end
  for _, case in ipairs { { 1.5 }, { 0 }, { 1.6, function(at) return at > 1.5 and at < 1.6 end } } do
    local made = judge.measure(frames_of(2, leap_at(case[1]), case[2]), limits)
    t:check(made.acceleration > 4.9, "a leap at %g: acceleration %g", case[1], made.acceleration)
    t:check(not judge.keeps(made, judge.always), "it is not kept")
  end
end)

test("the stop that a gap causes is forgiven; going on with the old speed is not", function(t)
  local function silent(at) return at > 0.5 and at < 0.6 end
  local stood = trapezoid(0.5)
  local function from_rest(at) return at < 0.55 and trapezoid(at) or stood + trapezoid(at - 0.6) end
  local made = judge.measure(frames_of(2.2, from_rest, silent), limits)
  t:check(judge.keeps(made, { speed = 1, acceleration = 1 + 1e-6 }), "speed %g, acceleration %g", made.speed,
    made.acceleration)
  t:equal(made.gaps, 1, "gaps")
  local function runs_on(at) return at < 0.55 and trapezoid(at) or stood + 3 * (at - 0.6) end
  made = judge.measure(frames_of(1, runs_on, silent), limits)
  t:check(made.acceleration > 5, "going on at 3 rad/s: acceleration %g", made.acceleration)
end)

test("joints are judged by their own limits, and one that is told nothing is not judged", function(t)
  local frames = frames_of(2, trapezoid)
  for k, frame in ipairs(frames) do
    frame.goals[2] = k > 500 and k < 900 and 2 * trapezoid(0.001 * (k - 500)) or nil
    frame.places = { 0, 0, 0 }
  end
  local both = { speed = { 3.14, 6.28, 1 }, acceleration = { 8, 16, 1 } }
  local made = judge.measure(frames, both)
  t:check(made.acceleration <= 1 + 1e-6, "acceleration %g", made.acceleration)
  both.acceleration[2] = 4
  made = judge.measure(frames, both)
  t:equal(made.worst.joint, 2, "the joint")
  t:check(math.abs(made.acceleration - 4) < 1e-3, "acceleration %g", made.acceleration)
end)

harness.done()
