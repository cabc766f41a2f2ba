--- Measures of sets of motions: means, diversity, and how alike two sets are.
---
--- A motion is { name, path, values }: a path (brio.motion.measures.path) and its features. The measures are
--- those of RMG (docs/animation/quality.md):
---   Fréchet distance: squared, of the normal distributions of both sets' vectors of features (FID)
---   diversity: mean distance of two motions' vectors (Dist)
---   warp: mean difference of paths by dynamic time warping (DTW), each path moved to its mean position and
---         scaled to a root mean square distance of 1 from it, 12 times a second; the cost of the cheapest
---         alignment over its number of pairs
local features = require "brio.motion.measures.features"
local path = require "brio.motion.measures.path"
local quality = require "brio.quality"

local sets = {}

--- Points between those that dynamic time warping aligns (of paths at 60 Hz: 12 Hz), and the most pairs of
--- motions that are aligned, and whose vectors are compared; of more pairs a part is taken, evenly.
local thin, most_pairs, most_distances = 5, 4000, 200000

--- A motion of a path: its name, path and features; or nil and why it has none. `size`: scale the path to
--- this root mean square distance from its mean position, m; nil: as it is.
function sets.motion(name, one, size)
  local why = features.lacks(one)
  if why then return nil, why end
  one = size and path.normalized(one, size) or one
  local values = features.of(one)
  return { name = name, path = one, values = values, vector = features.vector(values) }
end

--- The pieces of a motion's path, of `seconds` each; what remains at the end is left out.
function sets.pieces(one, seconds)
  local step, list = math.floor(seconds * one.rate + 0.5), {}
  for first = 1, path.count(one) - step, step do list[#list + 1] = path.part(one, first, first + step) end
  return list
end

--- The means of all features of a list of motions, and of seconds, length, sparc and ldlj, over the motions
--- that have them: {name = mean}.
function sets.means(motions)
  local sums, counts = {}, {}
  for _, motion in ipairs(motions) do
    for name, value in next, motion.values do
      sums[name], counts[name] = (sums[name] or 0) + value, (counts[name] or 0) + 1
    end
  end
  for name, count in next, counts do sums[name] = sums[name] / count end
  return sums
end

local function distance(a, b)
  local sum = 0
  for index, value in ipairs(a) do sum = sum + (value - b[index]) ^ 2 end
  return math.sqrt(sum)
end

--- The diversity of a set: the mean distance of two of its motions' vectors; nil: fewer than two motions. Of
--- over 200,000 pairs, evenly taken ones. O(n^2) up to that.
function sets.diversity(motions)
  local count, sum, taken = #motions * (#motions - 1) // 2, 0, 0
  local step, at = math.max(1, count // most_distances), 0
  for first = 1, #motions - 1 do
    -- pairs are counted on over all rows, so that each row begins elsewhere
    for second = first + 1 + (-at) % step, #motions, step do
      sum, taken = sum + distance(motions[first].vector, motions[second].vector), taken + 1
    end
    at = at + #motions - first
  end
  return taken > 0 and sum / taken or nil
end

local function flat(motions)
  local out = {}
  for _, motion in ipairs(motions) do table.move(motion.vector, 1, #motion.vector, #out + 1, out) end
  return out
end

--- The squared Fréchet distance of two sets, and the shrinkage of each one's covariance (0: it has more
--- motions than there are features); nil: a set has fewer than two motions.
function sets.frechet(a, b)
  if #a < 2 or #b < 2 then return nil end
  return quality.frechet(flat(a), flat(b), #features.list)
end

--- The Fréchet distance of two halves of a set, every second of its sources (files) in each: what a set that
--- is no different has with half as many motions; nil: too few.
function sets.halves(motions)
  local halves, place, count = { {}, {} }, {}, 0
  local sources = {}
  for _, motion in ipairs(motions) do
    if not sources[motion.source or motion] then
      count = count + 1
      sources[motion.source or motion] = count
    end
  end
  for index, motion in ipairs(motions) do
    place[index] = count > 1 and sources[motion.source or motion] or index
    table.insert(halves[place[index] % 2 + 1], motion)
  end
  return (sets.frechet(halves[1], halves[2]))
end

--- The difference of two motions by dynamic time warping; nil: their paths have different dimensions.
local function warp(a, b)
  if a.path.dimensions ~= b.path.dimensions then return nil end
  for _, motion in ipairs { a, b } do
    motion.aligned = motion.aligned or path.thinned(path.normalized(motion.path, 1), thin).points
  end
  return quality.warp(a.aligned, b.aligned, a.path.dimensions)
end

--- Pairs of motions with the same name; nil: some motion of the smaller set has no partner.
local function by_name(a, b)
  local few, many, partners, pairs_ = a, b, {}, {}
  if #b < #a then few, many = b, a end
  for _, motion in ipairs(many) do partners[motion.name] = partners[motion.name] or motion end
  for index, motion in ipairs(few) do
    local partner = partners[motion.name]
    if not partner then return nil end
    pairs_[index] = { motion, partner }
  end
  return pairs_
end

--- All pairs of two sets, or evenly taken ones if they are too many.
local function all_pairs(a, b)
  local list, step = {}, math.max(1, #a * #b / most_pairs)
  for k = 0, math.min(#a * #b, most_pairs) - 1 do
    local at = math.floor(k * step)
    list[k + 1] = { a[at // #b + 1], b[at % #b + 1] }
  end
  return list
end

--- The mean difference of two sets' paths by dynamic time warping: of motions with the same name, if each of
--- the smaller set has a partner, else of all pairs. Return it, the number of pairs, and whether they are by
--- name; nil: paths with different dimensions.
function sets.warp(a, b)
  local named = by_name(a, b)
  local list, sum = named or all_pairs(a, b), 0
  for _, pair in ipairs(list) do
    local found = warp(pair[1], pair[2])
    if not found then return nil end
    sum = sum + found
  end
  return sum / #list, #list, named ~= nil
end

--- How the features of two sets differ: a list of { name, unit, a, b, difference } in the order of the
--- features; `difference`: of the means of vectors, in standard deviations of dancing wrists.
function sets.differences(a, b)
  local list, mean_a, mean_b = {}, sets.means(a), sets.means(b)
  for index, feature in ipairs(features.list) do
    local sum = 0
    for _, motion in ipairs(a) do sum = sum - motion.vector[index] / #a end
    for _, motion in ipairs(b) do sum = sum + motion.vector[index] / #b end
    list[index] = { name = feature.name, unit = feature.unit, a = mean_a[feature.name],
      b = mean_b[feature.name], difference = sum }
  end
  return list
end

--- Two sets compared: { frechet, shrinkage_a, shrinkage_b, warp, pairs, by_name, features }.
function sets.compare(a, b)
  local out = { features = sets.differences(a, b) }
  out.frechet, out.shrinkage_a, out.shrinkage_b = sets.frechet(a, b)
  out.warp, out.pairs, out.by_name = sets.warp(a, b)
  return out
end

return sets
