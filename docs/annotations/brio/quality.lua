---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/math/lua_quality.c by scripts/docs.lua.

---@class brio.quality
local quality = {}

---Smoothness of a movement by the arc length of its speed's spectrum; nearer to 0 is smoother: minimum jerk
---has -1.41, two movements in a row about -2.3. `speed`: at least 0, in any unit, at `rate` Hz. nil: no
---movement.
---@param speed any
---@param rate any
---@return number # number | nil
function quality.sparc(speed, rate) end

---Smoothness by jerk, -ln|dimensionless jerk|: minimum jerk has -5.32, rougher is lower. It counts every bit
---of noise, so use it on commands. nil: no movement.
---@param speed any
---@param rate any
---@return number # number | nil
function quality.ldlj(speed, rate) end

---How a path is bent: its length, straight from end to end, their ratio `arc` (absent where it ends where it
---began), the mean curvature and how fast that changes along the way (absent where nothing moves).
---@param points table
---@param dimensions any
---@return table # {length, chord, arc [, curvature, change]} | nil
function quality.bend(points, dimensions) end

---A move from the first value to the last: by which share of it it first goes the other way and beyond its
---end, and its greatest speed over its mean (linear 1, minimum jerk 1.875). nil: it begins where it ends.
---@param values any
---@param rate any
---@return table # {amplitude, anticipation, overshoot, peak_to_mean} | nil
function quality.move(values, rate) end

---By how much `b` follows `a` (below 0: goes before it), within `most` (0.5) s. nil: one of them does not
---move.
---@param a any
---@param b any
---@param rate any
---@param most? any
---@return number # seconds | nil
function quality.lag(a, b, rate, most) end

---How unlike two motions are whatever their timing: the mean distance of their points, aligned by dynamic
---time warping. `dimensions` (1): numbers of a point; `band`: by how many points the alignment may stray.
---@param a any
---@param b any
---@param dimensions? any
---@param band? any
---@return number # number | nil
function quality.warp(a, b, dimensions, band) end

---Power spectral density by Welch's method: value k (from 1) is at (k - 1) * step Hz, in unit^2/Hz.
---`segment`: a power of two. nil: fewer than 4 values.
---@param values any
---@param rate any
---@param segment? any
---@return any # densities, step | nil
function quality.spectrum(values, rate, segment) end

---How a spectrum falls between two frequencies: beta of 1/f^beta. White noise 0, pink 1, brown 2; what looks
---alive is between pink and brown.
---@param densities any
---@param step any
---@param lowest any
---@param highest any
---@return any # beta | nil
function quality.slope(densities, step, lowest, highest) end

return quality
