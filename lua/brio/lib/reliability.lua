--- Reliability: success rates with confidence intervals, quantiles, and the predicted success rate of a
--- tree from the rates of its leaves.
---
--- Intervals: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", J. Am.
--- Stat. Assoc. 22 (1927) 209-212; C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits
--- illustrated in the case of the binomial", Biometrika 26 (1934) 404-413, by quantiles of F.  Quantiles: R.
--- J. Hyndman, Y. Fan, "Sample quantiles in statistical packages", Am. Stat. 50 (1996) 361-365, definition 7.
---
--- A tree is modeled as a Markov chain: every execution of a leaf succeeds with the leaf's rate,
--- independently of what happened before.
local nodes = require "brio.nodes"
local statistics = require "brio.lib.statistics"

local reliability = {}

--- The quantile of the normal distribution that leaves 2.5 % above it.
local z = 1.959963984540054

--- Wilson's interval of 95 % for `hits` of `count`; nil if count is 0.
function reliability.wilson(hits, count)
  if count == 0 then return nil end
  local p, square = hits / count, z * z
  local middle = (p + square / (2 * count)) / (1 + square / count)
  local half = z / (1 + square / count) * math.sqrt(p * (1 - p) / count + square / (4 * count * count))
  return math.max(0, middle - half), math.min(1, middle + half)
end

--- Clopper and Pearson's interval, which covers at least 95 %; nil if count is 0.
function reliability.exact(hits, count)
  if count == 0 then return nil end
  local misses, low, high = count - hits, 0, 1
  if hits > 0 then
    low = 1 / (1 + (misses + 1) * statistics.f_quantile(0.975, 2 * (misses + 1), 2 * hits) / hits)
  end
  if misses > 0 then
    local f = (hits + 1) * statistics.f_quantile(0.975, 2 * (hits + 1), 2 * misses)
    high = f / (misses + f)
  end
  return low, high
end

--- The p-quantile of a sorted list, interpolated linearly between items; nil of an empty list.
function reliability.quantile(sorted, p)
  if #sorted == 0 then return nil end
  local place = 1 + (#sorted - 1) * p
  local below = math.floor(place)
  local above = sorted[below + 1] or sorted[below]
  return sorted[below] + (place - below) * (above - sorted[below])
end

-- Prediction of a tree ------------------------------------------------------------------------------------
--
-- An outcome is { success, failure, [jumps to] = { node = probability } }; the remainder to 1 is the
-- probability that it never ends.

local kinds = {}
for _, row in ipairs(nodes.kinds()) do kinds[row.name] = row end

local Prediction = {}
Prediction.__index = Prediction

local sure = { 1, 0 }

local function outcome_of(rate) return { rate, 1 - rate } end

--- The outcome of `first` and, on its success, `after`.
local function followed(first, after)
  local out = { first[1] * after[1], first[2] + first[1] * after[2] }
  for target, p in next, first.jumps or {} do
    out.jumps = out.jumps or {}
    out.jumps[target] = p
  end
  for target, p in next, after.jumps or {} do
    out.jumps = out.jumps or {}
    out.jumps[target] = (out.jumps[target] or 0) + first[1] * p
  end
  return out
end

--- Exchange success and failure.
local function inverted(outcome) return { outcome[2], outcome[1], jumps = outcome.jumps } end

--- Solve x = b + a x for a few unknowns by Gaussian elimination; an undetermined unknown is 0: it never
--- ends.
local function solved(a, b)
  local n = #b
  for row = 1, n do
    for column = 1, n do a[row][column] = (row == column and 1 or 0) - a[row][column] end
    a[row][n + 1] = b[row]
  end
  for column = 1, n do
    local best = column
    for row = column + 1, n do
      if math.abs(a[row][column]) > math.abs(a[best][column]) then best = row end
    end
    a[column], a[best] = a[best], a[column]
    local pivot = a[column][column]
    for row = 1, n do
      if row ~= column and math.abs(pivot) > 1e-12 then
        local factor = a[row][column] / pivot
        for k = column, n + 1 do a[row][k] = a[row][k] - factor * a[column][k] end
      end
    end
  end
  local x = {}
  for row = 1, n do x[row] = math.abs(a[row][row]) > 1e-12 and a[row][n + 1] / a[row][row] or 0 end
  return x
end

--- The outcome from position `from` of a line to its end, and the jumps within the line by position; the
--- outcome has the jumps to nodes further out.
local function passed(units, from, outcome_at, position_of)
  local reach, out, inner = 1, { 0, 0 }, {}
  for position = from, #units do
    local one = outcome_at(position)
    out[2] = out[2] + reach * one[2]
    for target, p in next, one.jumps or {} do
      local place = position_of(target)
      if place then
        inner[place] = (inner[place] or 0) + reach * p
      else
        out.jumps = out.jumps or {}
        out.jumps[target] = (out.jumps[target] or 0) + reach * p
      end
    end
    reach = reach * one[1]
    if reach == 0 then break end
  end
  out[1] = reach
  return out, inner
end

--- The numbers of a table's keys, in order.
local function numbers_of(map)
  local list = {}
  for key in next, map do list[#list + 1] = key end
  table.sort(list)
  return list
end

--- The outcome of a line with all jumps within it followed: solves the linear system of its positions.
local function settled(starts, found)
  local out, place = {}, {}
  for index, position in ipairs(starts) do place[position] = index end
  local function solve(value_of)
    local a, b = {}, {}
    for row, position in ipairs(starts) do
      a[row], b[row] = {}, value_of(found[position].out)
      for column = 1, #starts do a[row][column] = 0 end
      for target, p in next, found[position].inner do a[row][place[target]] = p end
    end
    return solved(a, b)[1]
  end
  for index = 1, 2 do out[index] = solve(function(one) return one[index] end) end
  local further = {}
  for _, position in ipairs(starts) do
    for target in next, found[position].out.jumps or {} do further[target] = true end
  end
  for _, target in ipairs(numbers_of(further)) do
    out.jumps = out.jumps or {}
    out.jumps[target] = solve(function(one) return one.jumps and one.jumps[target] or 0 end)
  end
  return out
end

--- The outcome of a line: `units`, its nodes in order.
function Prediction:line(units)
  local made = {}
  local function outcome_at(position)
    made[position] = made[position] or self:node(units[position])
    return made[position]
  end
  local function position_of(target)
    for position, unit in ipairs(units) do
      -- an open node that contains this unit: its first unit
      if target < unit and self:above(unit, target) then return position end
      if target >= unit and target < self.past[unit] then return position end
    end
  end
  local starts, known, found = { 1 }, { [1] = true }, {}
  for _, from in ipairs(starts) do -- the list grows in the loop
    local out, inner = passed(units, from, outcome_at, position_of)
    found[from] = { out = out, inner = inner }
    for _, place in ipairs(numbers_of(inner)) do
      if not known[place] then starts[#starts + 1], known[place] = place, true end
    end
  end
  return #starts == 1 and not next(found[1].inner) and found[1].out or settled(starts, found)
end

--- Whether open node `target` contains a unit.
function Prediction:above(unit, target)
  return kinds[self.list[target].kind].open and unit < self.past[target]
end

--- The units of a line under `number`: its children, with open children replaced by their own units.
function Prediction:units(children, into)
  into = into or {}
  for _, child in ipairs(children) do
    if kinds[self.list[child].kind].open then
      self:units(self.children[child], into)
    else
      into[#into + 1] = child
    end
  end
  return into
end

function Prediction:inside(number) return self:line(self:units(self.children[number])) end

--- The share of its executions in which a decorator itself failed.
function Prediction:own(number)
  local own = self.owns and self.owns[number]
  return own and own.count > 0 and own.failed / own.count or 0
end

local rules = {}

function rules.fallback(self, number)
  local parts = { try = {}, catch = {}, finally = {} }
  for _, child in ipairs(self.children[number]) do
    table.insert(parts[self.shape:part(child) or "try"], child)
  end
  local out = self:line(self:units(parts.try))
  if #parts.catch > 0 then
    out = inverted(followed(inverted(out), inverted(self:line(self:units(parts.catch)))))
  end
  if #parts.finally == 0 then return out end
  local finally = self:line(self:units(parts.finally))
  local bad = finally[2]
  local made = { out[1] * finally[1], out[2] * finally[1] + (out[1] + out[2]) * bad, jumps = finally.jumps }
  for target, p in next, out.jumps or {} do
    made.jumps = made.jumps or {}
    made.jumps[target] = (made.jumps[target] or 0) + p * finally[1]
    made[2] = made[2] + p * bad
  end
  return made
end

local function first_of(self, number)
  local out = { 0, 1 }
  for _, child in ipairs(self.children[number]) do
    out = inverted(followed(inverted(out), inverted(self:line(self:units { child }))))
  end
  return out
end

rules.selector, rules.reactive_selector = first_of, first_of

function rules.reactive_sequence(self, number)
  local out = sure
  for _, child in ipairs(self.children[number]) do out = followed(out, self:line(self:units { child })) end
  return out
end

--- Its children in the order of their ends (by their durations), until enough have succeeded or too many
--- failed.
function rules.parallel(self, number)
  local form, children = self.list[number],
    table.move(self.children[number], 1, #self.children[number], 1, {})
  local needed, most = form.successes or 0, form.failures or 1
  if needed == 0 or needed > #children then needed = #children end
  if self.lasts then
    table.sort(children, function(a, b)
      local first, second = self.lasts[a] or 0, self.lasts[b] or 0
      return first < second or first == second and a < b
    end)
  end
  local at, out = { ["0 0"] = { 0, 0, 1 } }, { 0, 0 }
  for _, child in ipairs(children) do
    local p, after = self:line(self:units { child })[1], {}
    for _, state in next, at do
      for success = 0, 1 do
        local good, bad, weight = state[1] + success, state[2] + 1 - success,
          state[3] * (success == 1 and p or 1 - p)
        if good >= needed then out[1] = out[1] + weight
        elseif bad >= most then out[2] = out[2] + weight
        else
          local key = good .. " " .. bad
          after[key] = after[key] or { good, bad, 0 }
          after[key][3] = after[key][3] + weight
        end
      end
    end
    at = after
  end
  for _, state in next, at do out[2] = out[2] + state[3] end
  return out
end

function rules.loop(self, number)
  local once, times = self:inside(number), self.list[number].times or 0
  if times == 0 then return { 0, once[2] > 0 and 1 or 0 } end
  local p = once[1] ^ times
  return { p, 1 - p }
end

function rules.retry(self, number)
  local once, times = self:inside(number), self.list[number].times or 3
  local stays = times == 0 and (once[2] < 1 and 0 or 1) or once[2] ^ times
  local share = once[2] < 1 and (1 - stays) / (1 - once[2]) or 0
  local out = { once[1] * share, times == 0 and 0 or stays }
  for target, p in next, once.jumps or {} do
    out.jumps = out.jumps or {}
    out.jumps[target] = p * share
  end
  return out
end

function rules.invert(self, number) return inverted(self:inside(number)) end

local function decorated(self, number)
  return followed(outcome_of(1 - self:own(number)), self:inside(number))
end

rules.timeout, rules.cooldown, rules.rate = decorated, decorated, decorated

rules["goto"] = function(self, number)
  local target = self.shape:target(number)
  return target and { 0, 0, jumps = { [target] = 1 } } or sure
end

--- The outcome of a recursive routine is its least fixed point: the limit of the outcomes with bounded
--- depth.
function rules.gosub(self, number)
  local target = self.shape:target(number)
  if not target then return sure end
  local before = self.routines[target]
  if before then return before end
  local out = { 0, 1 }
  for _ = 1, 60 do
    self.routines[target] = out
    local once = self:line(self:units { target })
    local p = once[1]
    local settles = math.abs(p - out[1]) < 1e-12
    out = outcome_of(p)
    if settles then break end
  end
  self.routines[target] = nil
  return out
end

local fixed = { succeed = sure, wait = sure, checkpoint = sure, fail = { 0, 1 } }

--- The outcome of a node.
function Prediction:node(number)
  local record = self.list[number]
  local rule = rules[record.kind]
  if rule then return rule(self, number) end
  if kinds[record.kind].leaf then
    local said = self.rates[number]
    if said then return outcome_of(said) end
    if fixed[record.kind] then return fixed[record.kind] end
    self.unknown[#self.unknown + 1] = number
    return sure
  end
  return self:inside(number)
end

--- Predict the outcome of a compiled tree whose leaves succeed with probability `rates`, by node.  `about`:
--- owns, how often decorators themselves failed, {count, failed} by node; lasts, durations of nodes, s.
--- Return the probability of success, that of failure (the remainder to 1: it does not end), and the list
--- of leaves without a rate, which are assumed to succeed.
function reliability.predict(compiled, rates, about)
  local self = setmetatable({ list = compiled.list, shape = compiled.shape, rates = rates, children = {},
    past = {}, unknown = {},
    routines = {}, owns = about and about.owns, lasts = about and about.lasts }, Prediction)
  for number, record in ipairs(self.list) do
    self.children[number] = {}
    if record.parent > 0 then table.insert(self.children[record.parent], number) end
  end
  for number = #self.list, 1, -1 do
    local last = self.children[number][#self.children[number]]
    self.past[number] = last and self.past[last] or number + 1
  end
  local out, seen, unknown = self:line(self:units { 1 }), {}, {}
  for _, number in ipairs(self.unknown) do
    if not seen[number] then unknown[#unknown + 1], seen[number] = number, true end
  end
  table.sort(unknown)
  return out[1], out[2], unknown
end

return reliability
