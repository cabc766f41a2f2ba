--- Hot reload: what is kept by name, what ends, what is refused and why, and what is restored.

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
  t:equal(run:reload(function(text) return (text:gsub("made%.a = ", "made.z = "):gsub('"a"', '"z"')) end),
    true)
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

test("a version that fails within its first second is rolled back with its state; later it is not",
function(t)
  local run = t:run("made", { source = two, recorded = true })
  run:advance(2)
  run.memory.list[1] = "kept"
  local version = run.run.host.version
  t:equal(run:reload(replaced("after = { 3,",
    "tick = function(self) self.memory.list = nil; local x = nil + 1 end, after = { 3,")), true)
  run:advance(0.1)
  t:equal(run.failed, nil)
  t:equal(run.state, "a")
  t:equal(run.run.host.version, version)
  t:equal(run.memory, { count = 1, list = { "kept" } })
  run:advance(1)
  t:equal(run.state, "b")
  t:equal(run.memory.count, 1)
  t:equal(run:reload(function() return (two:gsub("made%.b = {",
    "made.b = { tick = function(self) if self:elapsed() > 5 then error('late') end end,")) end), true)
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

local checked = two:gsub("tune = {", [[check = function(about)
    assert(about.robot:variables()[1] and about.poses.stand and about.roles.head and about.memory.count == 0)
    if about.tune.far > 2 then return false, "far is too far" end
  end,
  tune = {]], 1)

test("a behavior's own check may refuse a version; what is wrong with it refuses it too", function(t)
  local run = t:run("made", { source = checked })
  run:advance(0.1)
  local version = run.run.host.version
  for _, bad in ipairs {
    { replaced('(1, "m", 0, 5)', '(3, "m", 0, 5)'), "its check refuses it: far is too far" },
    { replaced("if about.tune.far > 2 then", "if true then return false end if true then"),
      "refuses it: without a reason" },
    { replaced("if about.tune.far > 2 then", "if true then return nil, 'no' end if true then"),
      "refuses it: no" },
    { replaced("if about.tune.far", "if about.tuned.far"),
      "%.lua:%d+: its check fails: attempt to index a nil value" },
    { replaced("if about.tune.far", "while true do pcall(error) end if about.tune.far"),
      "its check fails: .*time budget" },
    { replaced("check = function", "check = 1 or function"), "check must be a function" },
  } do
    local good, why = run:reload(function() return bad[1](checked) end)
    t:equal(good, nil)
    t:match(why, bad[2])
    t:equal(run.run.host.version, version)
  end
  t:equal(run:reload(function() return checked .. "--" end), true)
  t:equal(run:reload(function() return (checked:gsub("if about.tune.far > 2 then",
    "do return true end if true then", 1)) end), true)
  local good, why = pcall(t.run, t, "made",
    { source = (checked:gsub('%(1, "m", 0, 5%)', '(3, "m", 0, 5)', 1)) })
  t:equal(good, false)
  t:match(tostring(why), "its check refuses it: far is too far")
end)

-- Runs under way ----------------------------------------------------------------------------------

local line = head .. [[
made.a = {
  run = function(self)
    self:wait(1)
    self:emit("half")
    self:wait(1)
    return "b"
  end,
}
made.b = { after = { 100, "a" } }
return made
]]

local function events_of(run)
  local names = {}
  for _, row in ipairs(run:sql("SELECT name FROM events WHERE source <> 'perception' ORDER BY id")) do
    names[#names + 1] = row.name
  end
  return table.concat(names, " ")
end

test("a run whose text is the same goes on, wherever it stands in the file", function(t)
  local run = t:run("made", { source = line, recorded = true })
  run:advance(1.5)
  t:equal(run:reload(replaced("made.a", "\n\n-- moved\nmade.a")), true)
  run:advance(0.6)
  t:equal(run.state, "b")
  run:finish()
  t:equal(events_of(run), "half")
end)

test("a run whose text changed is cut short, and begins anew where nobody says otherwise", function(t)
  local run = t:run("made", { source = line, recorded = true })
  run:advance(1.5)
  t:equal(run:reload(replaced('self:emit("half")', 'self:emit("other")')), true)
  run:advance(0.6)
  t:equal(run.state, "a")
  run:advance(1.5)
  t:equal(run.state, "b")
  run:finish()
  t:equal(events_of(run), "half replaced other")
end)

test("the state and those around it are told that a run was replaced", function(t)
  local run = t:run("made", { source = line:gsub("made%.a = {", 'made.a = { on = { replaced = "b" },', 1) })
  run:advance(1.5)
  t:equal(run:reload(replaced("self:wait(1)\n    return", "self:wait(2)\n    return")), true)
  run:advance(0.02)
  t:equal(run.state, "b")
end)

test("with finish a run finishes as it began, and its failure in the first second brings the old version \z
      back",
function(t)
  local run = t:run("made",
    { source = line:gsub("made%.a = {", "made.a = { finish = true,", 1), recorded = true })
  run:advance(0.5)
  t:equal(run:reload(replaced('self:emit("half")', 'error("new")')), true)
  run:advance(2)
  t:equal(run.state, "b")
  t:equal(run.failed, nil)
  run:finish()
  t:equal(events_of(run), "half")
  run = t:run("made", { source = line, recorded = true })
  run:advance(0.5)
  t:equal(run:reload(replaced("self:wait(1)", 'self:wait(0.2) error("new")')), true)
  run:advance(0.4)
  t:equal(run.failed, nil)
  run:advance(1.5)
  t:equal(run.state, "b")
end)

-- Modules, motion, growth -------------------------------------------------------------------------

test("a module and what requires it swap together", function(t)
  local run = t:run("made", { source = two })
  local file = run.run.loaded.file
  local parts = file:match("^(.*)/") .. "/brio_reload_parts.lua"
  t:equal(run.run.reloader:by_hand {
    [parts] = "return { goal = 0.3 }",
    [file] = 'local parts = require "brio_reload_parts"\n' .. two:gsub("goal = 0.4", "goal = parts.goal"),
  }, true)
  local host = run.run.host
  t:equal(host.sources[parts], "return { goal = 0.3 }")
  local version = host.version
  t:equal(run.run.reloader:by_hand { [parts] = "return { aim = 0.3 }" }, nil)
  t:equal(host.sources[parts], "return { goal = 0.3 }")
  t:equal(run.run.reloader:by_hand {
    [file] = run.run.host.sources[file]:gsub("parts%.goal", "parts.aim") .. "" }, true)
  t:equal(host.sources[parts], "return { aim = 0.3 }")
  t:ok(host.version ~= version)
  t:equal(run.run.reloader:by_hand { [parts] = "return { aim = 0.2 }" }, true)
  local ran = run.run.reloader:versions()
  t:equal(#ran, 4)
  t:equal({ #ran[4].changed, ran[4].changed[1].name, ran[4].runs }, { 1, parts, true })
  t:equal(run.run.reloader:rollback(), true)
  t:equal(host.sources[parts], "return { aim = 0.3 }")
  t:equal(run.run.reloader:rollback(ran[4].changed[1].hash:sub(1, 9)), true)
  t:equal(host.sources[parts], "return { aim = 0.2 }")
end)

test("commanded acceleration stays within limits across swaps, also when much changes", function(t)
  local run = t:run("made", { source = two })
  local limits, before = {}, {}
  for _, variable in ipairs(run.description.robot:variables()) do limits[variable.name] = variable end
  local dt, worst = 1 / 200, 0
  for n = 1, 400 do
    if n % 20 == 0 then
      local goal = ("goal = %.2f, weight = %d"):format(math.sin(n) * 1.5, 5 + n % 40)
      t:equal(run:reload(function() return (two:gsub("goal = 0.4, weight = 20", goal)) end), true)
    end
    run:advance(dt)
    for name, limit in next, limits do
      local now, last = run:command(name), before[name] or {}
      local speed = last.at and (now - last.at) / dt
      if last.speed then worst = math.max(worst, math.abs(speed - last.speed) / dt / limit.acceleration) end
      before[name] = { at = now, speed = speed }
    end
  end
  t:ok(worst > 0.1 and worst <= 1.001, "acceleration reached %.4f of its limit", worst)
end)

--- Memory in use, kB, and objectives; the test's own copy of the log is deleted first.
local function used(t, run)
  t.said = {}
  for _ = 1, 3 do collectgarbage() end
  return collectgarbage "count", #run.solver:objectives()
end

test("hundreds of reloads, half of them broken, leave nothing behind", function(t)
  local scale = tonumber(os.getenv "BRIO_TEST_SCALE" or "1")
  local run = t:run("made", { source = two })
  local breaks = { "oops(", "return 1",
    "local x = want.joint_match { joint = 'Nose', goal = 0 } made.c = { wants = { x } }", "error 'no'" }
  local memory, objectives
  local rounds = math.floor(300 * math.min(scale, 34))
  for n = 1, rounds do
    local joint = n % 3 == 0 and "HeadPitch" or n % 3 == 1 and "LElbowYaw" or "RElbowYaw"
    local good = run:reload(function()
      local made = two:gsub("HeadPitch", joint) .. "-- " .. n
      return n % 2 == 0 and made
        or made:gsub("return made", breaks[n // 2 % #breaks + 1] .. " return made", 1)
    end)
    t:equal(good, n % 2 == 0 and true or nil)
    run:advance(0.02)
    if n == rounds // 3 then
      run:advance(4)
      run:reload(function() return two end)
      run:advance(4)
      run:reload(function() return two .. "--" end)
      memory, objectives = used(t, run)
    end
  end
  run:advance(4)
  run:reload(function() return two end)
  run:advance(4)
  run:reload(function() return two .. "--" end)
  local memory_after, objectives_after = used(t, run)
  t:equal(objectives_after, objectives)
  t:ok(memory_after < memory * 1.05 + 100, "Lua holds %.0f kB, %.0f kB before", memory_after, memory)
  t:equal(run.failed, nil)
  t:equal(run.memory.count >= 1, true)
end)

local function world_text(x)
  return ("return { people = { { id = 'ann', path = { { 0, %s, 0 }, { 100, %s, 0 } } } } }"):format(x, x)
end

local function world_file(path, x)
  local handle = assert(io.open(path, "w"))
  handle:write(world_text(x))
  handle:close()
  return path
end

test("a world's file changes who walks where, from now on", function(t)
  local world = t:temporary ".lua"
  local run = t:run("made", { source = two, world = world_file(world, "1"), recorded = true })
  run:advance(1)
  t:near(run.run.world:pose("ann").position[1], 1, 1e-9)
  t:equal(run.run.reloader:by_hand { [world] = world_text "2" }, true)
  run:advance(0.1)
  t:near(run.run.world:pose("ann").position[1], 2, 1e-9)
  local good, why = run.run.reloader:by_hand { [world] = "return { peple = {} }" }
  t:equal(good, nil)
  t:match(why, "peple")
  t:near(run.run.world:pose("ann").position[1], 2, 1e-9)
  t:equal(run.run.reloader:by_hand { [world] = "return {}" }, true)
  run:advance(0.1)
  t:equal(run.run.world:pose "ann", nil)
  run:close()
  t:equal(run:sql("SELECT count(*) AS n FROM versions WHERE source LIKE '%ann%'")[1].n, 2)
end)

-- Any edits ---------------------------------------------------------------------------------------

--- A behavior made from choices: its states, their depth, and their contents.
local function composed(choices)
  local parts = { head }
  for index, name in ipairs { "a", "b", "c", "d" } do
    if choices.states[name] then
      local inner = choices.inner[name]
        and ([[ states = { x = { after = { %g, "y" } }, y = { after = { %g, "x" } } }, start = "x",
        history = "deep",]]):format(choices.inner[name], choices.inner[name]) or ""
      local target = choices.states[choices.to[name]] and choices.to[name] or "a"
      parts[#parts + 1] = ([[made.%s = { %s
  wants = { want.joint_match { joint = "HeadYaw", goal = %g } },
  enter = function(self) self.memory.count = self.memory.count + 1 end,
  exit = function(self) self:emit("left", { state = "%s" }) end,
  after = { %g, "%s" },
}]]):format(name, inner, index / 10, name, choices.after[name], target)
    end
  end
  parts[#parts + 1] = "return made\n"
  return table.concat(parts, "\n")
end

local function random_choices(stream)
  local choices = { states = { a = true }, inner = {}, to = {}, after = {} }
  for _, name in ipairs { "a", "b", "c", "d" } do
    choices.states[name] = name == "a" or stream:uniform() < 0.6
    choices.inner[name] = stream:uniform() < 0.5 and 0.05 + stream:uniform() * 0.3 or nil
    choices.to[name] = ({ "a", "b", "c", "d" })[stream:whole(4)]
    choices.after[name] = 0.1 + stream:uniform()
  end
  return choices
end

test("whatever is edited: what is still there goes on, what is not was left, and all stays are closed",
  function(t)
  local scale = tonumber(os.getenv "BRIO_TEST_SCALE" or "1")
  for seed = 1, math.floor(scale > 1 and 6 * scale or 3) do -- make test takes a sample
    local stream = require("brio.random").stream(seed, "edits")
    local run = t:run("made", { source = composed(random_choices(stream)), recorded = true })
    run:advance(0.01)
    for step = 1, 25 do
      run:advance(stream:uniform() * 0.5)
      local host, choices = run.run.host, random_choices(stream)
      local top = host.top.current
      local outer, entered, inside = top.state.name, top.entered, run.state
      local count = run.memory.count
      t:equal(run:reload(function() return composed(choices) end), true,
        ("seed %d step %d"):format(seed, step))
      local stays = choices.states[outer]
      t:equal(host.top.current.state.name, stays and outer or "a",
        ("seed %d step %d: the state"):format(seed, step))
      t:equal(run.memory.count, stays and count or count + 1, ("seed %d step %d: memory"):format(seed, step))
      if stays then
        t:equal(host.top.current.entered, entered)
        if choices.inner[outer] and inside ~= outer then t:equal(run.state, inside) end
      end
      if #t.faults > 0 then return end
    end
    t:equal(run.failed, nil)
    run:finish()
    t:equal(run:sql("SELECT count(*) AS n FROM states WHERE left_at IS NULL")[1].n, 0)
    t:equal(run:sql("SELECT count(*) AS n FROM states s JOIN states o ON o.run = s.run AND o.id <> s.id AND \z
      o.entered < s.left_at"
      .. " AND s.entered < o.left_at AND (instr(s.state, '.') > 0) = (instr(o.state, '.') > 0)")[1].n, 0)
    run:close()
  end
end)

test("a thousand functions are swapped in within a millisecond", function(t)
  local parts = { head, "local f = {}" }
  for n = 1, 1000 do parts[#parts + 1] = ("function f.f%d(self) return self.now * %d end"):format(n, n) end
  parts[#parts + 1] = "made.a = { tick = function(self) self.memory.x = f.f1(self) end }\nreturn made\n"
  local whole = table.concat(parts, "\n")
  local run = t:run("made", { source = whole })
  run:advance(0.1)
  local host, clock = run.run.host, require "brio.clock"
  local swap, best = host.swap, math.huge
  function host.swap(self, prepared)
    local began = clock.cpu()
    swap(self, prepared)
    best = math.min(best, clock.cpu() - began)
  end
  for n = 1, 20 do t:equal(run:reload(function() return whole .. "-- " .. n end), true) end
  print(("# swap of a version with 1000 functions: %.3f ms"):format(best * 1000))
  t:ok(best < 0.001, "the swap took %.2f ms", best * 1000)
end)

--- A checker of a run's behavior that counts its checks, and a function that saves a text for it.
local function counting_checker(tried)
  local checker, run = require "brio.run.checker", tried.run
  local made, file = checker.new(checker.settings(run, run.reloader.options)), run.loaded.file
  local judge = made.judge
  made.count = 0
  function made:judge(...)
    self.count = self.count + 1
    return judge(self, ...)
  end
  function made:save(text) self.edits[file] = text end
  return made, run.loaded.sources[file]
end

test("what is judged while it settles is said when it has settled, and not judged twice", function(t)
  local checker, text = counting_checker(t:run("made", { source = two }))
  t:equal(checker:step(0), nil)
  checker:save(text .. "-- new")
  checker:glance()
  t:equal(checker.count, 1)
  t:equal(#checker.pending, 0, "nothing is said before it has settled")
  local news = checker:step(0)
  t:equal(news[1], "behavior")
  t:equal(news[5], text .. "-- new")
  t:equal(checker.count, 1)
  t:equal(checker:step(0), nil)
end)

test("what changes again while it settles is judged again, and only that is said", function(t)
  local checker, text = counting_checker(t:run("made", { source = two }))
  checker:save(text .. "-- half")
  checker:glance()
  checker:save(text .. "-- whole")
  local news = checker:step(0)
  t:equal(news[5], text .. "-- whole")
  t:equal(checker:step(0), nil)
  checker:save(text .. "-- half")
  checker:glance()
  checker:save(text .. "-- whole") -- as it runs
  t:equal(checker:step(0), nil)
end)

test("what is wrong while it settles has its patience before it is refused", function(t)
  local checker, text = counting_checker(t:run("made", { source = two }))
  checker:save(text .. "broken(")
  local again = checker:glance()
  t:ok(again >= 0 and again <= require("brio.run.checker").patience)
  local held = checker.held
  held.since = math.huge -- no timeout ends, however long this takes
  t:equal(checker:step(0), nil)
  held.since = -math.huge
  t:equal(checker:step(0)[1], "refused")
  t:equal(checker.count, 1)
end)
