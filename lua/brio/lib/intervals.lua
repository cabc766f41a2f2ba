--- Confidence intervals of 95 % for small samples: proportions, differences of proportions, medians and
--- shifts.
---
--- Shares: E. B. Wilson (see reliability.lua).  Differences of two shares: R. G. Newcombe, "Interval
--- estimation for the difference between independent proportions", Stat. Med. 17 (1998) 873-890, method 10.
--- Medians: order statistics, by the binomial distribution.  Shifts: J. L. Hodges, E. L. Lehmann, "Estimates
--- of location based on rank tests", Ann. Math. Stat. 34 (1963) 598-611, with the interval of H. B. Mann and
--- D. R. Whitney's test; its distribution is counted if both groups are small, and approximated by the
--- normal distribution otherwise.  No distribution of the values is assumed, and nothing is random.
local reliability = require "brio.lib.reliability"

local intervals = {}

local z, level = 1.959963984540054, 0.05

--- Wilson's interval for `hits` of `count`: low, high; nil if count is 0.
intervals.share = reliability.wilson

--- The difference of two proportions, the second minus the first: estimate, low, high; nil if a group is
--- empty.
function intervals.share_difference(hits_a, count_a, hits_b, count_b)
  local low_a, high_a = reliability.wilson(hits_a, count_a)
  local low_b, high_b = reliability.wilson(hits_b, count_b)
  if not (low_a and low_b) then return nil end
  local a, b = hits_a / count_a, hits_b / count_b
  local function along(x, y) return math.sqrt(x * x + y * y) end
  return b - a, b - a - along(b - low_b, high_a - a), b - a + along(high_b - b, a - low_a)
end

--- The approximate number of runs in each group that would show a difference of two proportions as large as
--- this one; nil if there is no difference.
function intervals.runs_to_show(a, b)
  if a == b then return nil end
  -- an observed proportion of 0 or 1 counts as 0.05 or 0.95, half a run of ten
  local function inner(p) return math.max(0.05, math.min(0.95, p)) end
  local p, q = inner(a), inner(b)
  return math.ceil(z * z * (p * (1 - p) + q * (1 - q)) / (a - b) ^ 2)
end

--- A sorted copy.
function intervals.sorted(list)
  local copy = table.move(list, 1, #list, 1, {})
  table.sort(copy)
  return copy
end

--- The median of values: estimate, and low, high if there are enough values (six) for 95 %; nil of an empty
--- list.
function intervals.median(list)
  local sorted, count = intervals.sorted(list), #list
  if count == 0 then return nil end
  local estimate = reliability.quantile(sorted, 0.5)
  -- the maximum number of values to leave out at each end: P(Binomial(count, 1/2) < k) <= 2.5 %
  local left, below, chance = 0, 0.0, 0.5 ^ count
  if count > 1000 then
    left = math.floor(count / 2 - z * math.sqrt(count) / 2)
  else
    while below + chance <= level / 2 do
      below, left = below + chance, left + 1
      chance = chance * (count - left + 1) / left
    end
  end
  if left == 0 then return estimate end
  return estimate, sorted[left], sorted[count + 1 - left]
end

-- Shifts ----------------------------------------------------------------------------------------------------

--- Number of differences b - a that are at most `x`, both lists sorted.
local function at_most(a, b, x)
  local count, i = 0, #a
  for j = #b, 1, -1 do
    -- b[j] - a[i] <= x if a[i] >= b[j] - x: all from the first such one on
    while i >= 1 and b[j] - a[i] <= x do i = i - 1 end
    count = count + #a - i
  end
  return count
end

--- The smallest difference b - a above `x` of sorted lists; `x` must be below the largest one.
local function next_above(a, b, x)
  local least, i = math.huge, #a
  for j = #b, 1, -1 do
    while i >= 1 and b[j] - a[i] <= x do i = i - 1 end
    if i >= 1 then least = math.min(least, b[j] - a[i]) end
  end
  return least
end

--- The k-th smallest difference b - a of sorted lists, from 1, by bisection until one difference is left.
--- It is returned exactly: a bound of 1e-30 in place of zero would look like a difference.
local function kth_difference(a, b, k)
  local low, high = b[1] - a[#a], b[#b] - a[1]
  if at_most(a, b, low) >= k then return low end
  for _ = 1, 100 do
    local middle = low + (high - low) / 2
    if middle <= low or middle >= high then break end
    if at_most(a, b, middle) >= k then high = middle else low = middle end
  end
  return next_above(a, b, low)
end

--- Maximum size of groups whose distribution is counted.
local counted_up_to = 20

--- The greatest c with P(U < c) <= 2.5 % for groups of m and n from one distribution: U counts the pairs in
--- which b is less.
local function critical(m, n)
  if m > counted_up_to or n > counted_up_to then
    return math.max(0, math.floor(m * n / 2 - z * math.sqrt(m * n * (m + n + 1) / 12)))
  end
  -- ways[u]: the number of orders of m and n values with that U, built by adding one value after the other
  local ways = { [0] = 1 }
  for i = 1, n do -- the Gaussian binomial coefficient: times (1 - x^(m+i)) / (1 - x^i)
    for u = m * n, m + i, -1 do ways[u] = (ways[u] or 0) - (ways[u - m - i] or 0) end
    for u = i, m * n do ways[u] = (ways[u] or 0) + (ways[u - i] or 0) end
  end
  local all, below, c = 0, 0, 0
  for u = 0, m * n do all = all + (ways[u] or 0) end
  while below + (ways[c] or 0) <= level / 2 * all do below, c = below + (ways[c] or 0), c + 1 end
  return c
end

--- The shift of the values of `b` against those of `a`: estimate, and low, high if there are enough values
--- for 95 % (four of each); nil if a list is empty.
function intervals.shift(a, b)
  if #a == 0 or #b == 0 then return nil end
  a, b = intervals.sorted(a), intervals.sorted(b)
  local pairs_ = #a * #b
  local middle = kth_difference(a, b, (pairs_ + 1) // 2)
  if pairs_ % 2 == 0 then middle = (middle + kth_difference(a, b, pairs_ // 2 + 1)) / 2 end
  local c = critical(#a, #b)
  if c == 0 then return middle end
  return middle, kth_difference(a, b, c), kth_difference(a, b, pairs_ + 1 - c)
end

return intervals
