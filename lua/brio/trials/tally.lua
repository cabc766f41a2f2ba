--- Aggregates the results of a tree's nodes over many runs: success rates, reasons of failures, durations,
--- and those of the whole tree.
local nodes = require "brio.nodes"
local reliability = require "brio.lib.reliability"
local suggest = require "brio.lib.suggest"

local tally = {}

local kinds = {}
for _, row in ipairs(nodes.kinds()) do kinds[row.name] = row end

--- The reasons of decorators that fail by themselves, not because of their children.
local own_words = { timeout = "timed out", cooldown = "it still rests" }

local Tally = {}
Tally.__index = Tally

--- An empty tally of a compiled tree.
function tally.new(compiled)
  local self = setmetatable({ compiled = compiled, rows = {}, runs = 0, outcomes = {}, reasons = {},
    reactive = {}, results = {} }, Tally)
  for number, record in ipairs(compiled.list) do
    local around = self.reactive[record.parent]
    self.reactive[number] = record.kind:find "^reactive" and number or around or false
    self.rows[number] = { node = number, kind = record.is, name = record.name,
      leaf = kinds[record.kind].leaf or false,
      runs = 0, success = 0, failure = 0, stopped = 0, why = {}, lasted = {}, own = 0 }
  end
  return self
end

--- Count a finished execution.
function Tally:count(one)
  local row = self.rows[one.node]
  if one.status == "stopped" then
    row.stopped = row.stopped + 1
    return
  end
  row.runs = row.runs + 1
  row[one.status] = row[one.status] + 1
  row.lasted[#row.lasted + 1] = one.ended - one.started
  if one.status == "failure" then
    local why = one.why or "it failed"
    row.why[why] = (row.why[why] or 0) + 1
    if own_words[self.compiled.list[one.node].kind] == one.why then row.own = row.own + 1 end
  end
end

--- Executions in the order of their ends, inner ones first.
local function in_order(executions)
  local list = table.move(executions, 1, #executions, 1, {})
  local place = {}
  for index, one in ipairs(list) do place[one] = index end
  table.sort(list, function(a, b)
    if a.ended ~= b.ended then return a.ended < b.ended end
    if a.node ~= b.node then return a.node > b.node end
    return place[a] < place[b]
  end)
  return list
end

--- Count a run's executions.  A child that a reactive node runs in every tick counts once for each run of
--- that node, with its last result.
function Tally:add(result)
  self.runs, self.results[#self.results + 1] = self.runs + 1, result
  self.outcomes[result.outcome] = (self.outcomes[result.outcome] or 0) + 1
  if result.outcome ~= "success" then
    local reason = ("%s%s"):format(result.node and "'" .. result.node .. "': " or "",
      result.why or result.outcome)
    self.reasons[reason] = (self.reasons[reason] or 0) + 1
  end
  local pending = {}
  for _, one in ipairs(in_order(result.executions)) do
    local around = self.reactive[one.node]
    if around and around ~= one.node then
      pending[around] = pending[around] or {}
      if one.status ~= "stopped" or not pending[around][one.node] then pending[around][one.node] = one end
    else
      for number = 1, #self.rows do
        local inside = pending[one.node] and pending[one.node][number]
        if inside then self:count(inside) end
      end
      pending[one.node] = nil
      self:count(one)
    end
  end
end

--- The keys of a map with their counts, in descending order.
local function ranked(map)
  local list = {}
  for _, word in ipairs(suggest.keys(map)) do list[#list + 1] = { why = word, times = map[word] } end
  table.sort(list, function(a, b) return a.times > b.times or a.times == b.times and a.why < b.why end)
  return list
end

--- The statistics of a node: {node, kind, name, leaf, runs, successes, failures, stopped, rate, low, high,
--- p50, p95, why = list of {why, times}}.
local function summed(row)
  table.sort(row.lasted)
  local low, high = reliability.wilson(row.success, row.runs)
  return { node = row.node, kind = row.kind, name = row.name, leaf = row.leaf, runs = row.runs,
    successes = row.success,
    failures = row.failure, stopped = row.stopped, rate = row.runs > 0 and row.success / row.runs or nil,
      low = low, high = high,
    p50 = reliability.quantile(row.lasted, 0.5), p95 = reliability.quantile(row.lasted, 0.95),
      why = ranked(row.why) }
end

--- All statistics: {runs, successes, rate, low, high (Wilson), least, most (Clopper and Pearson),
--- predicted, unknown = leaves that never ran, p50, p95 (s, of runs that succeeded), nodes = list (see
--- above), reasons = list of {why, times}, alike = whether all runs had the same course}.
function Tally:summary()
  local rates, lasts, owns, made, lasted, alike = {}, {}, {}, {}, {}, true
  for number, row in ipairs(self.rows) do
    made[number] = summed(row)
    if row.leaf then rates[number] = made[number].rate end
    lasts[number] = made[number].p50
    owns[number] = row.own > 0 and { count = row.runs, failed = row.own } or nil
  end
  for _, result in ipairs(self.results) do
    local first = self.results[1]
    if result.outcome == "success" then lasted[#lasted + 1] = result.seconds end
    alike = alike and result.outcome == first.outcome and result.seconds == first.seconds
      and #result.executions == #first.executions
  end
  table.sort(lasted)
  local good = self.outcomes.success or 0
  local low, high = reliability.wilson(good, self.runs)
  local least, most = reliability.exact(good, self.runs)
  local predicted, _, unknown = reliability.predict(self.compiled, rates, { lasts = lasts, owns = owns })
  return { runs = self.runs, successes = good, rate = self.runs > 0 and good / self.runs or nil, low = low,
    high = high,
    least = least, most = most, predicted = predicted, unknown = unknown, nodes = made,
      reasons = ranked(self.reasons),
    outcomes = self.outcomes, alike = alike and self.runs > 1, p50 = reliability.quantile(lasted, 0.5),
    p95 = reliability.quantile(lasted, 0.95) }
end

return tally
