-- How fast a path of joints can be run through.
local timing = require "brio.timing"

-- Two joints through four points, from rest to rest.
local path = timing.path { points = { { 0, 0 }, { 0.5, 0.8 }, { 1.2, 0.9 }, { 1, 0 } },
  names = { "shoulder", "elbow" },
  velocity = { 2, 2.5 }, acceleration = { 8, 10 } }
print(("%.2f s"):format(path:duration()))  --> 1.43 s

-- Where they are, how fast, and what accelerates them, at any time.
local q, qd, qdd = path:at(0.6)
print(("%.3f rad %.2f rad/s %.2f rad/s^2"):format(q[1], qd[1], qdd[1]))  --> 0.732 rad 2.00 rad/s 0.10 rad/s^2

-- Slower, on the same path; faster is impossible.
print(path:set_duration(3))  --> true
print((select(2, path:set_duration(1))))  --> the path takes 1.43123 s at least within its limits, not 1 s

-- From any state to any other within limits of jerk, too: both joints arrive together.
local transfer = timing.transfer { from = { position = { 0, 0 }, velocity = { 0.5, 0 } },
  to = { position = { 1, -0.2 } }, velocity = 1, acceleration = 4, jerk = 40 }
print(("%.2f s  %.2f rad"):format(transfer:duration(), transfer:at(0.5)[1]))  --> 1.23 s  0.44 rad

-- A force that also carries a weight: 2 kg up by 3 m with at most 30 N, and no pulling down.
local weight = 2 * 9.81
local up = timing.path { points = { { 0 }, { 3 } }, velocity = 10, acceleration = 100, rows = 2,
  constraints = function(_, _, slope, curve)
    local a, b = 2 * slope[1], 2 * curve[1]
    return { { a, b, 30 - weight }, { -a, -b, weight } }
  end }
print(("%.2f s"):format(up:duration()))  --> 1.33 s
