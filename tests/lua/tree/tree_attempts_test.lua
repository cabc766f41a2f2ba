--- Retries whose attempts differ, and that abort safely.
local nodes = require "brio.nodes"
local owns = require "brio.tree.model.check"
local robots = require "brio.robots"
local running = require "brio.tree.execution.running"
local trees = require "brio.tree"

--- Run a tree of arms that only record their parameters; `fails(form, count)` decides whether one fails.
local function noted(form, fails)
  local compiled = assert(trees.compile(form))
  local log, now = {}, 0
  local leaves = { arm = { work = function(_, values)
    log[#log + 1] = ("%s %s %g"):format(values.name, values.preset, values.seconds or 0)
    if fails(values, #log) then return false, "no" end
    return true
  end } }
  local tree = running.new(compiled, { name = "one", host = { now = 0, dt = 0.01 } }, nil, leaves)
  local status
  repeat
    now = now + 0.01
    status = tree:work(now)
  until status or now > 5
  return table.concat(log, ", "), status
end

local function arm(name, preset, seconds)
  return { "arm", name = name, preset = preset, seconds = seconds }
end

test("each attempt has its fields, and the last item counts on", function(t)
  local vary = { {}, { reach = { seconds = 2 } },
    { reach = { seconds = 3, preset = "low" }, grip = { preset = "wide" } } }
  local log, status = noted({ "retry", times = 4, vary = vary,
    { "sequence", arm("grip", "closed", 1), arm("reach", "high", 1) } },
    function(values, count) return values.name == "reach" and count < 8 end)
  t:equal(status, "success")
  t:equal(log, "grip closed 1, reach high 1, grip closed 1, reach high 2, grip wide 1, reach low 3, grip \z
    wide 1, reach low 3")
end)

test("a retry that begins anew begins with its first attempt, and inner ones count for themselves",
  function(t)
  local log = noted({ "loop", times = 2,
    { "retry", times = 2, vary = { {}, { a = { seconds = 2 } } }, arm("a", "x", 1) } },
    function(_, count) return count == 1 or count == 3 end)
  t:equal(log, "a x 1, a x 2, a x 1, a x 2")
  log = noted({ "retry", times = 2, vary = { {}, { a = { preset = "y" } } },
    { "retry", times = 2, vary = { { a = { seconds = 5 } }, {} }, arm("a", "x", 1) } },
      function(_, count) return count < 4 end)
  t:equal(log, "a x 5, a x 1, a x 5, a y 1", "the inner one's item stands before that of the outer one")
end)

test("after the last attempt it is aborted safely, and has failed", function(t)
  local log, status = noted({ "fallback",
    try = { { "retry", times = 2, vary = { {}, { reach = { seconds = 2 } } }, arm("reach", "x", 1) } },
    catch = { arm("let go", "open", 1), { "fail", name = "given up" } } },
      function(values) return values.name == "reach" end)
  t:equal(status, "failure")
  t:equal(log, "reach x 1, reach x 2, let go open 1")
end)

test("nodes are named by name or id, also when several have it", function(t)
  local form = { "retry", times = 2, vary = { {}, { [7] = { seconds = 2 } } },
    { "sequence", { "arm", id = 7, name = "a", preset = "x" },
    { "arm", name = "a", preset = "x" } } }
  t:equal(noted(form, function(_, count) return count == 2 end), "a x 0, a x 0, a x 2, a x 0")
  form.vary[2] = { a = { seconds = 2 } }
  t:equal(noted(form, function(_, count) return count == 2 end), "a x 0, a x 0, a x 2, a x 2")
end)

test("what is wrong with what varies is said", function(t)
  local function fault(vary, more)
    local made, faults = trees.compile { "sequence", arm("out", "x"),
      { "retry", vary = vary, { "sequence", arm("reach", "x"), { "wait" } } } }
    return made and (more and more(made) or "nothing") or faults[1].message
  end
  t:equal(fault { {}, { reach = { seconds = 2 } } }, "nothing")
  t:match(fault { { raech = { seconds = 2 } } },
    "attempt 1: there is no node 'raech' inside %(did you mean 'reach'")
  t:match(fault { {}, { out = { seconds = 2 } } }, "attempt 2: there is no node 'out' inside")
  t:match(fault { { reach = { second = 2 } } }, "'reach' %(arm%) has no field 'second' %(did you mean")
  t:match(fault { { reach = { seconds = "2" } } }, "seconds must be a number")
  t:match(fault { { reach = { name = "x" } } }, "name cannot vary")
  t:match(fault { { reach = 2 } }, "'reach' is a table of fields, not a number")
  t:match(fault { { wait = { seconds = 2 } } },
    "'wait' is a wait: fields of leaves that do something can vary")
  t:match(fault { 3 }, "item 1 must be a table")
  local function on_robot(made)
    local list = owns.faults(made, { description = assert(robots.find "ur3e"), name = "one" }, tostring)
    return list[#list].message
  end
  t:match(fault({ {}, { reach = { preset = "raedy" } } }, on_robot), "no pose '")
end)

test("how often a loop has come round, or a retry has failed, can be asked", function(t)
  local tree = nodes.new({ { kind = "retry", parent = 0, times = 5 }, { kind = "call", parent = 1 } },
    function() return false end)
  tree:begin()
  t:equal(tree:turn(1), 0)
  for count = 1, 4 do
    tree:work(count)
    t:equal(tree:turn(1), count)
  end
  tree:work(5)
  t:equal(tree:turn(1), 0, "it is over")
end)
