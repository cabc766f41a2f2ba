--- The feedback of running leaves to viewers: of every kind of leaf, in every tick of their runs.
local trees = require "brio.tree"

--- Query the feedback of all running leaves. Return how often each kind was queried.
local function ask_all(t, run, counts)
  local active = run.run.host.top.current
  local tree = active and active.tree
  for number, record in ipairs(tree and not tree.over and tree.compiled.list or {}) do
    local leaf = trees.kinds[record.is].record
    local unit = tree.units[record.id]
    if leaf and leaf.progress and unit and tree.nodes:status(number) == "running" then
      local said = leaf.progress(tree.site, record.values, tree.memory[unit])
      counts[record.is] = (counts[record.is] or 0) + 1
      for key, value in next, said do
        local words = key == "unit" or key == "text"
        t:ok(type(value) == (words and "string" or "number") and value == value, "%s: %s is %s", record.is,
          key, tostring(value))
      end
    end
  end
end

test("leaves say how they fare, in numbers and words", function(t)
  local counts = {}
  for robot, tree in next, {
    pepper = [[{ "parallel", failures = 99, { "hand", side = "left", grip = "close", velocity = 0.1 }, { "say", text = "One two three four." },
      { "motion", motion = "nod", tolerance = 3 }, { "proximity", b = "nobody" }, { "proximity", a = "head", b = "l_gripper", max = 0.01 },
      { "contains", what = "head", shape = { kind = "sphere", size = 0.01 }, timeout = 3 }, { "contains", what = "nobody", timeout = 3,
      shape = { kind = "sphere", size = 1 } }, { "policy", policy = "x", connect = "unix:/nowhere", moves = { "RHand" }, patience = 0.1 } }]],
    panda = '{ "parallel", failures = 99, { "wrench", force = { 0, 0, 1 } }, \z
      { "hand", grip = "close", success = "movement" } }',
  } do
    local run = t:run("source", { robot = robot, settings = { torque = 5, friction = 0.1 }, source =
      'local brio = require "brio"\nlocal b = brio.behavior "b" { start = "one" }\nb.one = { tree = ' .. tree
        .. " }\nreturn b\n" })
    for _ = 1, 100 do
      run:advance(0.01)
      ask_all(t, run, counts)
    end
    t:equal(run.failed, nil)
  end
  for _, name in ipairs { "hand", "say", "motion", "proximity", "contains", "wrench" } do
    t:ok((counts[name] or 0) > 10, "%s was asked %d times", name, counts[name] or 0)
  end
end)

test("every leaf says what its fields are, and may be asked what is wrong before anything runs", function(t)
  for _, name in ipairs { "hand", "drive", "say", "motion", "wrench", "policy", "proximity", "contains",
      "ask_model", "choose" } do
    local record = trees.kinds[name].record
    for field, about in next, record.fields do
      t:ok(field == "owns" or type(about) == "table" and type(about.doc) == "string",
        "%s: %s says what it is", name, field)
    end
    for _, word in ipairs { "fault", "work", "stop", "progress" } do
      local needed = word ~= "stop" or name ~= "proximity" and name ~= "contains"
      t:ok(not needed or type(record[word]) == "function", "%s.%s", name, word)
    end
  end
end)
