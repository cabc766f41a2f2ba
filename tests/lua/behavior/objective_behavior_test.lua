--- Objectives that a behavior defines in Lua: wanted, reloaded with their file, refused, reported.
local behavior = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "ur3e", start = "one" }
local level = 0.4
local lift = brio.objective "lift" {
  goal = "scalar", params = { link = "link" }, loss = "cartesian",
  residual = function(self, state, goal)
    return state.frames[self.link].position[3] - goal * level
  end,
}
b.one = { wants = { lift { link = "tool", goal = 1, weight = 30 } }, on = { go = "two" } }
b.two = { wants = { brio.want.joint_velocity_minimization {} }, on = { go = "one" } }
return b
]]

local function height(run_)
  local tool = run_.description.roles.tool
  return run_.solver:frames()[tool].position[3]
end

local function weights(run_)
  local out = {}
  for _, known in ipairs(run_.solver:objectives()) do
    out[known.key:match "^%S+" .. (known.key:match "version %d" or "")] = known.weight
  end
  return out
end

test("a behavior wants its own objective, which goes when its state is left", function(t)
  local run_ = t:run("b", { source = behavior })
  run_:advance(3)
  t:near(height(run_), 0.4, 1e-3)
  run_:emit "go"
  run_:advance(1)
  t:equal(weights(run_)["lift(link=tool)"], 0.0)
end)

local function edit(from, to)
  return function(text)
    local first, last = text:find(from, 1, true)
    return text:sub(1, first - 1) .. to .. text:sub(last + 1)
  end
end

test("an objective is reloaded with its file, by name, and only when it changed", function(t)
  local run_ = t:run("b", { source = behavior })
  run_:advance(3)
  t:equal(run_:reload(edit("b.one =", "\n\n-- a remark\nb.one =")), true)
  t:equal(weights(run_), { ["lift(link=tool)"] = 30.0, ["joint_velocity_minimization()"] = 0.0 })
  t:equal(run_:reload(edit("local level = 0.4", "local level = 0.5")), true)
  run_:advance(0.1)
  local now = weights(run_)
  t:near(now["lift(link=tool)"] + now["lift(link=tool)version 2"], 30, 1e-6, "one fades into the other")
  run_:advance(3)
  t:near(height(run_), 0.5, 1e-3)
  t:equal(weights(run_)["lift(link=tool)"], 0.0)
  t:equal(run_:reload(edit("local level = 0.5", "local level = 0.4")), true)
  run_:advance(3)
  t:near(height(run_), 0.4, 1e-3)
end)

test("an objective that cannot work is refused when its file is saved, with the line", function(t)
  local run_ = t:run("b", { source = behavior })
  run_:advance(1)
  local good, why = run_:reload(edit(".position[3]", ".positoin[3]"))
  t:equal(good, nil)
  t:match(why, "objective 'lift' fails: .*attempt to index a nil value.*positoin")
  for _, case in ipairs {
    { 'link = "tool"', 'link = "tol"', "lift: robot 'ur3e' has no link 'tol'" },
    { "goal = 1,", "goal = { 1, 2 },", "goal of lift: a scalar goal must be" },
    { "goal = 1,", "", "lift needs a goal: scalar" },
    { "goal = 1,", "goal = 1, heigth = 2,", "lift has no argument 'heigth'" },
  } do
    good, why = t:run("b", { source = behavior }):reload(edit(case[1], case[2]))
    t:equal(good, nil)
    t:match(why, case[3])
  end
end)

test("an objective that fails while the robot moves is reported, and the behavior goes on", function(t)
  local run_ = t:run("b", { source = (behavior:gsub("return state.frames", [[
    if state.time > 1 then error "too late" end
    return state.frames]])), recorded = true })
  run_:advance(3)
  t:equal(run_.failed, nil)
  t:equal(run_.state, "one")
  run_:finish()
  local faults = run_:sql "SELECT source, message, detail FROM faults"
  t:equal(#faults, 1)
  t:equal(faults[1].source, "lift(link=tool)")
  t:match(faults[1].message, "too late")
  t:match(faults[1].detail, "stack traceback")
end)

test("two objectives of one name are refused; what the sandbox keeps from behaviors it keeps from objectives",
  function(t)
  local twice = edit("b.one =", [[
local again = brio.objective "lift" { goal = "scalar", residual = function() return 0 end }
b.three = { wants = { again { goal = 1 } } }
b.one =]])
  for _, case in ipairs {
    { twice, "two objectives called 'lift'" },
    { edit("return state.frames", "os.exit() return state.frames"), "unknown name 'os'" },
    { edit("return state.frames", 'local e = require "brio.extension" return state.frames'),
      "brio[./]extension" },
  } do
    local good, why = t:run("b", { source = behavior }):reload(case[1])
    t:equal(good, nil)
    t:match(why, case[2])
  end
end)

test("an objective comes from a module that the behavior requires, and is reloaded with that", function(t)
  local module = t:temporary ".lua"
  local file = assert(io.open(module, "w"))
  file:write [[
local brio = require "brio"
return brio.objective "lift" { goal = "scalar", params = { link = "link" },
  residual = function(self, state, goal) return state.frames[self.link].position[3] - goal * 0.4 end }
]]
  file:close()
  local name = module:match "([^/]+)%.lua$"
  local run_ = t:run("b", { source = ([[
local brio = require "brio"
local lift = require "%s"
local b = brio.behavior "b" { robot = "ur3e", start = "one" }
b.one = { wants = { lift { link = "tool", goal = 1, weight = 30 } } }
return b]]):format(name) })
  run_:advance(3)
  t:near(height(run_), 0.4, 1e-3)
  t:equal(run_:reload(edit("goal * 0.4", "goal * 0.5"), module), true)
  run_:advance(3)
  t:near(height(run_), 0.5, 1e-3)
  local good, why = run_:reload(edit("goal * 0.5", "gaol * 0.5"), module)
  t:equal(good, nil)
  t:match(why, "objective 'lift' fails: .*" .. name .. ".*gaol")
end)

test("a fault of an objective or a state's function in a module is laid to its version", function(t)
  local module = t:temporary "_which_has_a_name_that_is_longer_than_what_lua_gives_of_it_in_a_message.lua"
  local file = assert(io.open(module, "w"))
  file:write [[
local brio = require "brio"
return { lift = brio.objective "lift" { residual = function(self, state) return state.time > 1 and nil .. ""
  or 0 end },
  fails = function() error "ouch" end }
]]
  file:close()
  local run_ = t:run("b", { recorded = true, source = ([[
local brio = require "brio"
local own = require "%s"
local b = brio.behavior "b" { robot = "ur3e", start = "one" }
b.one = { wants = { own.lift {} }, after = { 2, "two" } }
b.two = { enter = function() own.fails() end }
return b]]):format(module:match "([^/]+)%.lua$") })
  run_:advance(3)
  run_:finish()
  local rows = run_:sql
    [[SELECT v.name, f.message FROM faults f JOIN versions v ON v.hash = f.version ORDER BY f.id]]
  t:ok(#rows >= 2, "%d faults", #rows)
  for _, row in ipairs(rows) do t:equal(row.name, module) end
  t:match(rows[#rows].message, "ouch")
end)

test("a goal that is a function is asked every tick, also of one's own kind", function(t)
  local run_ = t:run("b", { source = (
    behavior:gsub('goal = 1, weight', 'goal = function(self) return self.now > 2 and 1 or 0.8 \z
    end, weight')) })
  run_:advance(1.5)
  t:near(height(run_), 0.32, 1e-3)
  run_:advance(3)
  t:near(height(run_), 0.4, 1e-3)
end)

test("an objective that runs on in a coroutine of its own is stopped", function(t)
  local run_ = t:run("b", { source = (behavior:gsub("return state.frames", [[
    if state.time > 1 then coroutine.wrap(function() while true do pcall(error) end end)() end
    return state.frames]])), recorded = true })
  run_:advance(3)
  t:equal(run_.state, "one")
  run_:finish()
  local faults = run_:sql "SELECT message FROM faults"
  t:equal(#faults, 1)
  t:match(faults[1].message, "used up its time budget")
end)

test("what an objective uses of brio's does not make it another; what it uses of its file does", function(t)
  local text = behavior:gsub("local level = 0.4", [[
local geometry = require "brio.geometry"
local function helper(x) return brio.version and geometry.turn({ 0, 0, 0, 1 }, { x, 0, 0 })[1] end
local level = 0.4]]):gsub("goal %* level", "helper(goal) * level")
  local run_ = t:run("b", { source = text })
  run_:advance(1)
  local function versions()
    local count = 0
    for _, known in ipairs(run_.solver:objectives()) do
      if known.key:find("lift", 1, true) then count = count + 1 end
    end
    return count
  end
  t:equal(run_:reload(edit('on = { go = "two" }', 'on = { gone = "two" }')), true)
  t:equal(versions(), 1)
  t:equal(run_:reload(edit("{ x, 0, 0 }", "{ x, 0, 1 }")), true)
  t:equal(versions(), 2)
end)
