--- Weights from rank and priority, and their transition between states.
local weights = require "brio.weights"
local want = require "brio.want"

test("weights from rank are 50 / e^(i/n)", function(t)
  local list = {}
  for index = 1, 4 do list[index] = weights.of_rank(index, 4) end
  t:near(list, { 50, 38.940039, 30.326533, 23.618328 }, 1e-6)
  for n = 1, 40 do
    t:near(weights.of_rank(1, n), 50, 1e-12)
    t:ok(weights.of_rank(n, n) > 50 / math.exp(1), "a list spans no more than e")
    for index = 2, n do
      t:near(weights.of_rank(index, n) / weights.of_rank(index - 1, n), math.exp(-1 / n), 1e-12)
    end
  end
end)

test("a group's priority counts times the weight of its place, the same for all in it", function(t)
  t:equal(weights.priorities, { low = 0.5, standard = 1, high = 5, critical = 50 })
  local function match(joint, weight) return want.joint_match { joint = joint, goal = 0, weight = weight } end
  local list = weights.of_list { match "a", want.group "high" { match "b", match "c" },
    want.group "low" { match "d" }, want.group "critical" { match("e", 7) }, match("f", 0) }
  local got = {}
  for _, item in ipairs(list) do got[item[1].args.joint] = item[2] end
  local rank = function(index) return 50 / math.exp((index - 1) / 5) end
  t:near(got, { a = rank(1), b = 5 * rank(2), c = 5 * rank(2), d = 0.5 * rank(3), e = 7, f = 0 }, 1e-9)
end)

local text = [[
local brio = require "brio"
local want = brio.want
local b = brio.behavior "b" { robot = "panda", start = "one" }
b.one = { wants = { want.joint_match { joint = "panda_joint1", goal = 0.5 }, want.joint_match { joint = "panda_joint2", goal = 0.3 } },
  on = { two = "two" }, blend = 0.2 }
b.two = { wants = { want.joint_match { joint = "panda_joint2", goal = -0.3 }, want.joint_match { joint = "panda_joint3", goal = 0.1 } },
  on = { one = "one", three = "three" }, blend = 0.4 }
b.three = { wants = {}, on = { one = "one" } }
return b
]]

local function known_of(run)
  local out = {}
  for _, known in ipairs(run.solver:objectives()) do out[known.key:match "joint(%d)%)$"] = known end
  return out
end

test("states that differ in goals and weights share objectives, and nothing of a state outlives it",
  function(t)
  local run = t:run("b", { source = text })
  run:advance(2)
  local first = known_of(run)
  t:near({ first["1"].weight, first["2"].weight, first["3"].weight }, { 50, 50 / math.exp(0.5), 0 }, 1e-9)
  run:emit "two"
  run:advance(0.005)
  run:advance(0.4)
  local now = known_of(run)
  t:equal(now["2"].handle, first["2"].handle, "one objective for both")
  local gone = math.exp(-0.405 / 0.4) -- from the tick of the change on
  t:near(now["1"].weight, 50 * gone, 1e-6, "the old goes with the time constant of the new")
  t:near(now["2"].goal, -0.3 + 0.6 * gone, 1e-6)
  t:near(now["2"].weight, 50 + (50 / math.exp(0.5) - 50) * gone, 1e-6)
  run:advance(2)
  now = known_of(run)
  t:equal({ now["1"].weight, now["2"].weight, now["3"].weight }, { 0.0, 50.0, 50 / math.exp(0.5) })
  local before = run.solver:frames().panda_hand.position
  run:emit "three"
  run:advance(2)
  now = known_of(run)
  t:equal({ now["1"].weight, now["2"].weight, now["3"].weight }, { 0.0, 0.0, 0.0 })
  run:advance(1)
  t:near(run.solver:frames().panda_hand.position, before, 1e-3, "nothing pulls any more")
end)

test("any walk through the states ends with what the last one wants", function(t)
  local run = t:run("b", { source = text })
  local random = require("brio.random").stream(5, "walk")
  local leads = { one = { "two" }, two = { "one", "three" }, three = { "one" } }
  local wants = { one = { 50, 50 / math.exp(0.5), 0 }, two = { 0, 50, 50 / math.exp(0.5) },
    three = { 0, 0, 0 } }
  run:advance(0.1)
  for _ = 1, 30 do
    for _ = 1, random:whole(4) do
      local list = leads[run.state]
      run:emit(list[random:whole(#list)])
      run:advance(0.005 * random:whole(20))
    end
    run:advance(2.5)
    local now = known_of(run)
    t:equal({ now["1"].weight, now["2"].weight, now["3"].weight }, wants[run.state], run.state)
  end
end)
