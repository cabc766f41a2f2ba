--- Hot reload: what survives by name, what ends, what is refused and why, and what comes back.
local head = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "a", memory = { count = 0, list = {} },
  tune = { far = brio.param(1, "m", 0, 5) } }
]]

local two = head .. [[
made.a = {
  wants = { want.joint_match { joint = "HeadYaw", goal = 0.4, weight = 20 } },
  enter = function(self) self.memory.count = self.memory.count + 1 end,
  exit = function(self) self:emit("left_a") end,
  after = { 3, "b" },
}
made.b = {
  wants = { want.joint_match { joint = "HeadYaw", goal = 0.4, weight = 20 }, want.joint_match { joint = "HeadPitch", goal = 0.2 } },
  after = { 100, "a" },
}
return made
]]

local function replaced(from, to)
  return function(text)
    local first, last = text:find(from, 1, true)
    return text:sub(1, first - 1) .. to .. text:sub(last + 1)
  end
end

local function weight_of(run, joint)
  for _, objective in ipairs(run.solver:objectives()) do
    if objective.key:find(joint, 1, true) then return objective.weight end
  end
  return nil
end

test("state, timers and memory are kept by name", function(t)
  local run = t:run("made", { source = two })
  run:advance(2)
  t:equal(run:reload(replaced("after = { 3,", "after = { 2.5,")), true)
  t:equal(run.state, "a")
  t:equal(run.memory.count, 1)
  run:advance(0.4)
  t:equal(run.state, "a")
  run:advance(0.2)
  t:equal(run.state, "b")
end)

test("a state that is no more ends as if it had been left, and the start follows", function(t)
  local run = t:run("made", { source = two, recorded = true })
  run:advance(4)
  t:equal(run.state, "b")
  t:equal(run:reload(function(text)
    return (text:gsub("made%.b = ", "made.c = "):gsub('"b"', '"c"'))
  end), true)
  t:equal(run.state, "a")
  t:equal(run.memory.count, 2)
  run:advance(0.1)
  t:equal(run:reload(function(text) return (text:gsub("made%.a = ", "made.z = "):gsub('"a"', '"z"')) end), true)
  t:equal(run.state, "z")
  run:finish()
  t:equal(run:sql("SELECT count(*) AS n FROM events WHERE name = 'left_a'")[1].n >= 2, true)
  t:equal(run:sql("SELECT count(*) AS n FROM states WHERE cause = 'reload'")[1].n, 2)
  t:equal(run:sql("SELECT count(*) AS n FROM states WHERE left_at IS NULL")[1].n, 0)
  t:equal(run:sql("SELECT count(DISTINCT version) AS n FROM states")[1].n, 3)
end)

test("a property that both versions have runs on: its weight never dips", function(t)
  local run = t:run("made", { source = two })
  run:advance(2)
  t:near(weight_of(run, "HeadYaw"), 20, 1e-6)
  local least = math.huge
  for n = 1, 5 do
    t:equal(run:reload(function(text) return text .. "\n-- " .. n end), true)
    for _ = 1, 20 do
      run:advance(0.005)
      least = math.min(least, weight_of(run, "HeadYaw"))
    end
  end
  t:near(least, 20, 1e-6)
end)

test("a bad file changes nothing and says why", function(t)
  local run = t:run("made", { source = two, recorded = true })
  run:advance(1)
  local version = run.run.host.version
  for _, bad in ipairs {
    { replaced("made.a = {", "made.a = {{"), "expected" },
    { replaced('"HeadPitch"', '"HeadPich"'), "no joint 'HeadPich'.*HeadPitch" },
    { replaced('"a", memory', '"nowhere", memory'), "no state 'nowhere'" },
    { replaced("return made", 'error("at load")'), "at load" },
    { replaced("return made", "while true do end"), "time budget" },
    { function() return "" end, "must return" },
    { replaced('"pepper"', '"g1"'), "restart" },
  } do
    local before = table.pack(run:reload(function(text) return text end))
    t:equal(before[1], true)
    local good_text = run.edits[run.run.loaded.file]
    local good, why = run:reload(bad[1])
    t:equal(good, nil)
    t:match(why, bad[2])
    run.edits[run.run.loaded.file] = good_text
    t:equal(run.state, "a")
    t:equal(run.run.host.version, version)
  end
  run:advance(1)
  run:finish()
  t:equal(run:sql("SELECT count(*) AS n FROM faults WHERE severity = 'warning' AND version IS NULL")[1].n, 7)
end)

test("a version that fails within its first second is rolled back with its state; later it is not", function(t)
  local run = t:run("made", { source = two, recorded = true })
  run:advance(2)
  run.memory.list[1] = "kept"
  local version = run.run.host.version
  t:equal(run:reload(replaced("after = { 3,", "tick = function(self) self.memory.list = nil; local x = nil + 1 end, after = { 3,")), true)
  run:advance(0.1)
  t:equal(run.failed, nil)
  t:equal(run.state, "a")
  t:equal(run.run.host.version, version)
  t:equal(run.memory, { count = 1, list = { "kept" } })
  run:advance(1)
  t:equal(run.state, "b")
  t:equal(run.memory.count, 1)
  t:equal(run:reload(function() return (two:gsub("made%.b = {", "made.b = { tick = function(self) if self:elapsed() > 5 then error('late') end end,")) end), true)
  run:advance(5)
  t:match(run.failed, "late")
  t:equal(run:reload(function() return two end), true)
  run:advance(0.1)
  t:equal(run.failed, nil)
  t:equal(run.state, "a")
  run:finish()
  t:equal(run:sql("SELECT count(*) AS n FROM events WHERE name = 'rolled_back'")[1].n, 1)
end)

test("memory gets new keys, tuned values stay", function(t)
  local run = t:run("made", { source = two })
  run:advance(1)
  run.run.host.self.tune.far = 3
  run.memory.own = 1
  t:equal(run:reload(replaced("list = {} }", "list = { 1 }, more = { 7 } }")), true)
  t:equal(run.memory, { count = 1, list = {}, own = 1, more = { 7 } })
  t:equal(run.run.host.self.tune.far, 3)
  t:equal(run:reload(replaced('(1, "m", 0, 5)', '(1, "m", 0, 2)')), true)
  t:equal(run.run.host.self.tune.far, 1)
end)
