--- Statistics of questionnaires and of coding: means, Cronbach's alpha, effect sizes and kappa, with their
--- confidence intervals.
---
--- Alpha: L. J. Cronbach, "Coefficient alpha and the internal structure of tests", Psychometrika 16 (1951)
--- 297-334. Its interval: L. S. Feldt, D. J. Woodruff, F. A. Salih, "Statistical inference for coefficient
--- alpha", Applied Psychological Measurement 11 (1987) 93-103: (1 - true alpha) / (1 - alpha) is distributed
--- as F with n - 1 and (n - 1)(k - 1) degrees of freedom.  The incomplete beta function by its continued
--- fraction (Abramowitz and Stegun 26.5.8, Lentz's method), the logarithm of the gamma function by Lanczos's
--- series.
local statistics = {}

--- The arithmetic mean of a list; nil of an empty one.
function statistics.mean(list)
  local sum = 0
  for _, value in ipairs(list) do sum = sum + value end
  return #list > 0 and sum / #list or nil
end

--- The covariance of two lists of numbers (divided by n - 1); nil of fewer than two.
local function covariance(a, b)
  if #a < 2 then return nil end
  local mean_a, mean_b, sum = statistics.mean(a), statistics.mean(b), 0
  for index, value in ipairs(a) do sum = sum + (value - mean_a) * (b[index] - mean_b) end
  return sum / (#a - 1)
end

local function variance(list) return covariance(list, list) end

--- The standard deviation of a sample (divided by n - 1); nil of fewer than two.
function statistics.deviation(list)
  local found = variance(list)
  return found and math.sqrt(found)
end

--- Pearson's correlation; nil if a list has no variance.
function statistics.correlation(a, b)
  local both = covariance(a, b)
  local scale = both and math.sqrt(variance(a) * variance(b))
  return scale and scale > 0 and both / scale or nil
end

--- One column of a list of rows.
local function column(rows, index)
  local list = {}
  for n, row in ipairs(rows) do list[n] = row[index] end
  return list
end

--- The sum of each row, without column `but` if it is given.
local function sums(rows, but)
  local list = {}
  for n, row in ipairs(rows) do
    list[n] = 0
    for index, value in ipairs(row) do
      if index ~= but then list[n] = list[n] + value end
    end
  end
  return list
end

--- Cronbach's alpha of rows of k numbers, without column `but` if it is given; nil and the reason if it is
--- not defined.
function statistics.alpha(rows, but)
  local k, within = 0, 0
  if #rows < 2 then return nil, "fewer than two complete answers" end
  if #rows[1] - (but and 1 or 0) < 2 then return nil, "one item alone" end
  for index = 1, #rows[1] do
    if index ~= but then k, within = k + 1, within + variance(column(rows, index)) end
  end
  local total = variance(sums(rows, but))
  if total <= 0 then return nil, "everybody's sum is the same" end
  return k / (k - 1) * (1 - within / total)
end

--- For each column: its correlation with the sum of the others, and alpha without it (nil if not defined).
function statistics.items(rows)
  local list = {}
  for index = 1, #(rows[1] or {}) do
    list[index] = {
      rest = #rows[1] > 1 and statistics.correlation(column(rows, index), sums(rows, index)) or nil,
      without = statistics.alpha(rows, index) or nil,
    }
  end
  return list
end

--- The mean correlation between columns; nil if there is none.
function statistics.between(rows)
  local list = {}
  for first = 1, #(rows[1] or {}) - 1 do
    for second = first + 1, #rows[1] do
      list[#list + 1] = statistics.correlation(column(rows, first), column(rows, second))
    end
  end
  return statistics.mean(list)
end

-- The F distribution ---------------------------------------------------------------------------------

local lanczos = { 76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155,
  0.1208650973866179e-2, -0.5395239384953e-5 }

local function log_gamma(x)
  local t, sum = x + 5.5, 1.000000000190015
  for index, c in ipairs(lanczos) do sum = sum + c / (x + index) end
  return (x + 0.5) * math.log(t) - t + math.log(2.5066282746310005 * sum / x)
end

local tiny = 1e-300

local function not_zero(x) return math.abs(x) < tiny and tiny or x end

--- The continued fraction of the incomplete beta function.
local function fraction(x, a, b)
  local c, d = 1, 1 / not_zero(1 - (a + b) * x / (a + 1))
  local h = d
  for m = 1, 500 do
    local even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
    d, c = 1 / not_zero(1 + even * d), not_zero(1 + even / c)
    h = h * d * c
    local odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    d, c = 1 / not_zero(1 + odd * d), not_zero(1 + odd / c)
    h = h * d * c
    if math.abs(d * c - 1) < 1e-15 then break end
  end
  return h
end

--- The regularized incomplete beta function of x in [0, 1].
local function beta(x, a, b)
  if x <= 0 then return 0 elseif x >= 1 then return 1 end
  local front = math.exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * math.log(x) + b *
    math.log(1 - x))
  if x < (a + 1) / (a + b + 2) then return front * fraction(x, a, b) / a end
  return 1 - front * fraction(1 - x, b, a) / b
end

--- The quantile of F with these degrees of freedom at probability p, by bisection.
function statistics.f_quantile(p, df1, df2)
  local low, high = 0, 1 -- of x = df1 F / (df1 F + df2)
  for _ = 1, 200 do
    local middle = (low + high) / 2
    if middle == low or middle == high then break end
    if beta(middle, df1 / 2, df2 / 2) < p then low = middle else high = middle end
  end
  local x = (low + high) / 2
  return df2 * x / (df1 * (1 - x))
end

--- Feldt's interval of an alpha of k items and n persons, at a level such as 0.95.
function statistics.interval(alpha, n, k, level)
  local df1, df2, half = n - 1, (n - 1) * (k - 1), (1 - level) / 2
  return 1 - (1 - alpha) * statistics.f_quantile(1 - half, df1, df2),
    1 - (1 - alpha) * statistics.f_quantile(half, df1, df2)
end

-- Means and their differences -----------------------------------------------------------------------------

--- The quantile of Student's t at probability p above 0.5: t squared has the distribution of F with 1 and
--- df degrees of freedom.
function statistics.t_quantile(p, df) return math.sqrt(statistics.f_quantile(2 * p - 1, 1, df)) end

--- A mean with Student's interval at a level such as 0.95: { n, mean, sd, lower, upper }; sd and the
--- interval are nil of fewer than two numbers.
function statistics.mean_interval(list, level)
  local made = { n = #list, mean = statistics.mean(list), sd = statistics.deviation(list) }
  if made.sd then
    local half = statistics.t_quantile((1 + level) / 2, made.n - 1) * made.sd / math.sqrt(made.n)
    made.lower, made.upper = made.mean - half, made.mean + half
  end
  return made
end

--- The difference of the means of two independent samples (a - b) with Welch's interval: { n_a, n_b, mean,
--- df, lower, upper }; no interval if a sample has fewer than two numbers or neither varies. B. L. Welch,
--- Biometrika 34 (1947) 28-35.
function statistics.welch(a, b, level)
  local made = { n_a = #a, n_b = #b }
  if #a == 0 or #b == 0 then return made end
  made.mean = statistics.mean(a) - statistics.mean(b)
  if #a < 2 or #b < 2 then return made end
  local of_a, of_b = variance(a) / #a, variance(b) / #b
  if of_a + of_b <= 0 then return made end
  made.df = (of_a + of_b) ^ 2 / (of_a ^ 2 / (#a - 1) + of_b ^ 2 / (#b - 1))
  local half = statistics.t_quantile((1 + level) / 2, made.df) * math.sqrt(of_a + of_b)
  made.lower, made.upper = made.mean - half, made.mean + half
  return made
end

--- Cohen's d of two independent samples: the difference of their means (a - b) over the pooled SD; nil if
--- nothing varies.  This and d_z: D. Lakens, "Calculating and reporting effect sizes to facilitate
--- cumulative science", Frontiers in Psychology 4 (2013) 863.
function statistics.d(a, b)
  if #a < 2 or #b < 2 then return nil end
  local pooled = ((#a - 1) * variance(a) + (#b - 1) * variance(b)) / (#a + #b - 2)
  return pooled > 0 and (statistics.mean(a) - statistics.mean(b)) / math.sqrt(pooled) or nil
end

--- Cohen's d_z: the mean of differences over their SD; nil if nothing varies.
function statistics.d_z(differences)
  local sd = statistics.deviation(differences)
  return sd and sd > 0 and statistics.mean(differences) / sd or nil
end

-- Agreement -----------------------------------------------------------------------------------------------

local MANY = 1e6 -- degrees of freedom with which Student's distribution is the normal one to 3e-6

--- The large-sample standard error of kappa, from shares[i][j] of the items, the shares `rows` and
--- `columns` of each coder's classes, and `made`. J. L. Fleiss, J. Cohen, B. S. Everitt, "Large sample
--- standard errors of kappa and weighted kappa", Psychological Bulletin 72 (1969) 323-327.
local function kappa_error(shares, rows, columns, made)
  local rest, sum = 1 - made.kappa, 0
  for i, row in ipairs(shares) do
    for j, share in ipairs(row) do
      local weight = i == j and 1 - (rows[i] + columns[i]) * rest or (columns[i] + rows[j]) * rest
      sum = sum + share * weight ^ 2
    end
  end
  local variance_of = (sum - (made.kappa - made.expected * rest) ^ 2) / made.n
  return math.sqrt(math.max(0, variance_of)) / (1 - made.expected)
end

--- Cohen's kappa of two coders: counts[i][j] is the number of items that the first put into class i and the
--- second into class j. Return { n, observed, expected, kappa, error, lower, upper }: its standard error,
--- and its interval at a level such as 0.95 (no level: no interval), for large n; kappa is nil if chance
--- alone gives full agreement (one class) or nothing was coded. J. Cohen, "A coefficient of agreement for
--- nominal scales", Educational and Psychological Measurement 20 (1960) 37-46.
function statistics.kappa(counts, level)
  local n, rows, columns, shares = 0, {}, {}, {}
  for _, row in ipairs(counts) do
    for _, count in ipairs(row) do n = n + count end
  end
  local made = { n = n }
  if n == 0 then return made end
  made.observed, made.expected = 0, 0
  for i, row in ipairs(counts) do
    shares[i], rows[i] = {}, 0
    for j, count in ipairs(row) do
      shares[i][j] = count / n
      rows[i], columns[j] = rows[i] + count / n, (columns[j] or 0) + count / n
    end
    made.observed = made.observed + shares[i][i]
  end
  for i = 1, #counts do made.expected = made.expected + rows[i] * columns[i] end
  if made.expected > 1 - 1e-12 then return made end
  made.kappa = (made.observed - made.expected) / (1 - made.expected)
  made.error = kappa_error(shares, rows, columns, made)
  if level then
    local half = statistics.t_quantile((1 + level) / 2, MANY) * made.error
    made.lower, made.upper = math.max(-1, made.kappa - half), math.min(1, made.kappa + half)
  end
  return made
end

return statistics
