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

---Smoothness by jerk, -ln|dimensionless jerk|: minimum jerk has -5.32, rougher is lower. It is sensitive to
---noise, so use it on commands. nil: no movement.
---@param speed any
---@param rate any
---@return number # number | nil
function quality.ldlj(speed, rate) end

---The curvature of a path: its length, the distance of its ends, their ratio `arc` (absent if the ends
---coincide), the mean curvature and its rate of change along the path (absent without motion).
---@param points table
---@param dimensions any
---@return table # {length, chord, arc [, curvature, change]} | nil
function quality.bend(points, dimensions) end

---Measures of a move from the first value to the last: the shares of it by which it first moves in the
---opposite direction and overshoots its end, and its greatest speed over its mean (linear 1, minimum jerk
---1.875). nil: the ends are equal.
---@param values any
---@param rate any
---@return table # {amplitude, anticipation, overshoot, peak_to_mean} | nil
function quality.move(values, rate) end

---The delay of `b` after `a` (below 0: ahead of it), within `most` (0.5) s. nil: one of them does not
---move.
---@param a any
---@param b any
---@param rate any
---@param most? any
---@return number # seconds | nil
function quality.lag(a, b, rate, most) end

---The difference of two motions independent of their timing: the mean distance of their points, aligned by
---dynamic time warping. `dimensions` (1): numbers of a point; `band`: the greatest shift of the alignment in
---points.
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

---The slope of a spectrum between two frequencies: beta of 1/f^beta. White noise has 0, pink 1, brown 2;
---living movement is between pink and brown.
---@param densities any
---@param step any
---@param lowest any
---@param highest any
---@return any # beta | nil
function quality.slope(densities, step, lowest, highest) end

---The principal axes of points: the variance along each, descending, and the axes' directions, unit vectors
---in one flat list. nil: fewer than 2 points.
---@param points table
---@param dimensions any
---@return any # variances, axes | nil
function quality.axes(points, dimensions) end

---The squared Fréchet distance of the normal distributions that fit two sets of vectors (FID, if the vectors
---are features); each set is a flat list of rows. A set with no more rows than dimensions has a singular
---covariance, which is shrunk toward its diagonal by `shrinkage` (0 to 1; Schäfer and Strimmer 2005). nil: no
---memory.
---@param a any
---@param b any
---@param dimensions any
---@return any # distance, shrinkage_a, shrinkage_b | nil
function quality.frechet(a, b, dimensions) end

return quality
