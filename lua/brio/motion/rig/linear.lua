--- Least squares with equality constraints: dense matrices as lists of rows, some thirty unknowns.
local linear = {}

--- Replace a symmetric positive definite matrix by its Cholesky factor, below and on the diagonal. O(n^3 /
--- 6).
function linear.factor(a)
  for j = 1, #a do
    local row = a[j]
    for k = 1, j do
      local other, sum = a[k], row[k]
      for i = 1, k - 1 do sum = sum - row[i] * other[i] end
      row[k] = k < j and sum / other[k] or math.sqrt(math.max(sum, 1e-300))
    end
  end
  return a
end

--- Solve L L' x = b with the factor; returns a new list. O(n^2).
function linear.solve(factor, b)
  local n, x = #factor, {}
  for i = 1, n do
    local row, sum = factor[i], b[i]
    for k = 1, i - 1 do sum = sum - row[k] * x[k] end
    x[i] = sum / row[i]
  end
  for i = n, 1, -1 do
    local sum = x[i]
    for k = i + 1, n do sum = sum - factor[k][i] * x[k] end
    x[i] = sum / factor[i][i]
  end
  return x
end

local function dot(a, b)
  local sum = 0
  for i = 1, #a do sum = sum + a[i] * b[i] end
  return sum
end

--- How much rows of constraints that repeat or contradict each other give way, by the greatest of their
--- matrix.
local slack = 1e-12

--- The x that makes x' H x / 2 + g' x least while C x = d; of rows that contradict each other, the least
--- error.
---@param factor table of H, by linear.factor
---@param g number[]
---@param c table rows of C
---@param d number[]
---@return number[] x
function linear.constrained(factor, g, c, d)
  local free, count = linear.solve(factor, g), #c
  if count == 0 then
    for i = 1, #free do free[i] = -free[i] end
    return free
  end
  -- the multipliers: (C H^-1 C') y = -(d + C H^-1 g)
  local back, a, right, most = {}, {}, {}, 0
  for r = 1, count do
    back[r] = linear.solve(factor, c[r])
    a[r] = {}
    for k = 1, r do a[r][k] = dot(c[k], back[r]) end
    most = math.max(most, a[r][r])
    right[r] = -(d[r] + dot(c[r], free))
  end
  for r = 1, count do a[r][r] = a[r][r] + slack * most end
  local y, x = linear.solve(linear.factor(a), right), {}
  for i = 1, #free do
    local sum = -free[i]
    for r = 1, count do sum = sum - y[r] * back[r][i] end
    x[i] = sum
  end
  return x
end

return linear
