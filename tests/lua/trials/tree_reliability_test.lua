--- Success rates: intervals compared with published ones, and predictions for trees compared with runs.
local nodes = require "brio.nodes"
local random = require "brio.random"
local reliability = require "brio.lib.reliability"
local tally = require "brio.trials.tally"
local trees = require "brio.tree"

test("intervals are those of Newcombe's table (Statistics in Medicine 17, 1998, p. 861)", function(t)
  local rows = { -- hits, count, Wilson, Clopper and Pearson
    { 81, 263, 0.2553, 0.3662, 0.2527, 0.3676 }, { 15, 148, 0.0624, 0.1605, 0.0578, 0.1617 },
    { 0, 20, 0, 0.1611, 0, 0.1684 }, { 1, 29, 0.0061, 0.1718, 0.0009, 0.1776 },
  }
  for _, row in ipairs(rows) do
    local low, high = reliability.wilson(row[1], row[2])
    t:near({ low, high }, { row[3], row[4] }, 5.1e-5, "Wilson " .. row[1])
    low, high = reliability.exact(row[1], row[2])
    t:near({ low, high }, { row[5], row[6] }, 5.1e-5, "exact " .. row[1])
    low, high = reliability.exact(row[2] - row[1], row[2])
    t:near({ 1 - high, 1 - low }, { row[5], row[6] }, 5.1e-5, "turned round")
  end
  t:equal(reliability.wilson(0, 0), nil)
  t:equal(reliability.exact(0, 0), nil)
end)

test("quantiles lie between the values", function(t)
  t:equal(reliability.quantile({}, 0.5), nil)
  t:equal(reliability.quantile({ 3 }, 0.95), 3)
  t:near(reliability.quantile({ 1, 2, 3, 4 }, 0.5), 2.5, 1e-12)
  t:near(reliability.quantile({ 1, 2, 3, 4 }, 0.95), 3.85, 1e-12)
end)

--- A leaf of rate p, and the predicted rate of a tree of such leaves.
local function leaf(p, name) return { "action", name = name, tick = function() return p end } end

local function predicted(form)
  local compiled, rates = assert(trees.compile(form)), {}
  for number, record in ipairs(compiled.list) do
    if record.is == "action" then rates[number] = record.form.tick() end
  end
  return reliability.predict(compiled, rates), compiled, rates
end

test("compositions come to what arithmetic says", function(t)
  local seven = { "sequence" }
  for index = 2, 8 do seven[index] = leaf(0.9) end
  local rows = {
    { seven, 0.4782969 }, -- 0.9^7 is 47.8 %, not 48.7 %
    { { "selector", leaf(0.5), leaf(0.2) }, 0.6 },
    { { "fallback", try = { leaf(0.5) }, catch = { leaf(0.2) } }, 0.6 },
    { { "fallback", try = { leaf(0.5) }, catch = { leaf(0.2) }, finally = { leaf(0.5) } }, 0.3 },
    { { "retry", times = 3, leaf(0.5) }, 0.875 },
    { { "retry", times = 0, leaf(0.01) }, 1 },
    { { "retry", times = 0, leaf(0) }, 0 },
    { { "loop", times = 3, leaf(0.5) }, 0.125 },
    { { "loop", leaf(0.5) }, 0 },
    { { "invert", leaf(0.3) }, 0.7 },
    { { "parallel", leaf(0.5), leaf(0.5), leaf(0.5) }, 0.125 },
    { { "parallel", successes = 2, failures = 2, leaf(0.5), leaf(0.5), leaf(0.5) }, 0.5 },
    { { "parallel", successes = 1, failures = 3, leaf(0.5), leaf(0.5), leaf(0.5) }, 0.875 },
    { { "sequence", leaf(0.5), leaf(0.5, "x"), { "checkpoint" }, { "wait" }, { "succeed" } }, 0.25 },
    { { "sequence", { "fallback", try = { leaf(0.25, "turn") },
      catch = { leaf(0.8), { "goto", to = "turn" } } } },
      0.25 / (1 - 0.75 * 0.8) },
    { { "sequence", leaf(0.9, "a"), { "fallback", try = { leaf(0.5) },
      catch = { leaf(0.9), { "goto", to = "a" } } } },
      0.45 / (1 - 0.9 * 0.5 * 0.9) },
    { { "sequence", { "sequence", name = "r", leaf(0.5) }, { "gosub", to = "r" } }, 0.25 },
    { { "sequence", { "goto", to = "end" }, leaf(0), { "sequence", name = "end", leaf(0.7) } }, 0.7 },
    { { "sequence", { "checkpoint", name = "a" }, leaf(0.5), { "goto", to = "a" } }, 0 },
  }
  for index, row in ipairs(rows) do t:near(predicted(row[1]), row[2], 1e-9, "tree " .. index) end
  local p, _, unknown = reliability.predict(assert(trees.compile { "sequence", leaf(0.5), leaf(0.5) }),
    { [2] = 0.5 })
  t:equal(p, 0.5, "what never ran is taken to succeed")
  t:equal(unknown, { 3 })
end)

--- A random tree, of kinds whose prediction does not depend on time.
local function random_tree(stream, depth)
  if depth == 0 or stream:uniform(0, 1) < 0.25 then return leaf(stream:uniform(0.2, 1)) end
  local kinds = { "sequence", "selector", "fallback", "retry", "loop", "invert", "parallel" }
  local kind = kinds[stream:whole(#kinds)]
  local form = { kind = kind, children = {} }
  local several = kind ~= "retry" and kind ~= "loop" and kind ~= "invert"
  for index = 1, several and 1 + stream:whole(2) or 1 do
    form.children[index] = random_tree(stream, depth - 1)
  end
  if kind == "retry" or kind == "loop" then form.times = stream:whole(3) end
  if kind == "parallel" then
    form.successes = stream:whole(#form.children) form.failures = #form.children - form.successes + 1
  end
  if kind == "fallback" then
    form.try, form.children = form.children, nil
    form.catch = { random_tree(stream, depth - 1) }
    if stream:uniform(0, 1) < 0.3 then form.finally = { random_tree(stream, depth - 1) } end
  end
  return form
end

test("random trees come to what is predicted when they are run", function(t)
  local stream, worst = random.stream(9, "trees"), 0
  for index = 1, 40 do
    local p, compiled, rates = predicted(random_tree(stream, 3))
    local runs, good, now = 400, 0, 0
    local tree = assert(nodes.new(compiled.list,
      function(node) return stream:uniform(0, 1) < rates[node] end))
    for _ = 1, runs do
      tree:begin()
      local status
      repeat
        now = now + 0.01
        status = tree:work(now)
      until status ~= "running"
      good = good + (status == "success" and 1 or 0)
    end
    local sigma = math.sqrt(math.max(p * (1 - p), 1e-9) / runs)
    worst = math.max(worst, math.abs(good / runs - p) / sigma)
    t:ok(math.abs(good / runs - p) < 4.5 * sigma + 1e-6, "tree %d: predicted %.4f, came to %.4f\n%s", index,
      p, good / runs, trees.print(compiled))
  end
  t:ok(worst > 0.5, "they are random")
end)

test("what a reactive node asks in every tick counts once", function(t)
  local compiled = assert(trees.compile { "reactive_sequence", { "condition", holds = print }, { "wait" } })
  local counted = tally.new(compiled)
  for run = 1, 4 do
    local failed = run == 4
    local list = { { node = 2, started = 0, ended = 0.5, status = "success", times = 100 },
      { node = 3, started = 0, ended = 1, status = failed and "stopped" or "success", times = 1 },
      { node = 1, started = 0, ended = 1, status = failed and "failure" or "success", times = 1 } }
    if failed then
      table.insert(list, 2, { node = 2, started = 1, ended = 1, status = "failure", times = 1, why = "no" })
    end
    counted:add { outcome = failed and "failure" or "success", node = failed and "condition" or nil,
      why = failed and "no" or nil, seconds = 1, executions = list }
  end
  local summary = counted:summary()
  t:equal(summary.nodes[2].runs, 4)
  t:equal(summary.nodes[2].successes, 3)
  t:equal(summary.nodes[3].stopped, 1)
  t:equal(summary.successes, 3)
  t:near(summary.predicted, 0.75, 1e-12)
  t:equal(summary.reasons, { { why = "'condition': no", times = 1 } })
end)
