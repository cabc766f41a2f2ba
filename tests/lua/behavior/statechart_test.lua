--- State machines: targets inside other states, history, and the record of both.
local function machine(t, text, options)
  options = options or {}
  options.robot = "ur3e"
  options.source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = { log = {} }, FIELDS }
local function note(self, what) table.insert(self.memory.log, what) end
]] .. text .. "\nreturn b\n"
  options.source = options.source:gsub("FIELDS", options.fields or "")
  options.fields = nil
  return t:run("source", options)
end

-- How it is told -------------------------------------------------------------------------------------------

test("the story of a run tells causes before effects, and why each state was entered", function(t)
  local run = machine(t, [[
b.one = { enter = function(self) self:emit "e1" end, exit = function(self) self:emit "left_one" end,
  on = { e1 = "two" } }
b.two = { enter = function(self) self:emit "e2" end, on = { e2 = "three" } }
b.three = { run = function(self) self:wait(0.1) return "four" end }
b.four = { tick = function(self) if self:elapsed() > 0.1 then return "five" end end }
b.five = { run = function(self) self:wait(0.1) end, on = { done = "six" } }
b.six = { enter = function(self) self:emit "doomed" error "ouch" end }
b.safe = { enter = function(self) self:emit "safe_now" end }
]], { fields = 'safe = "safe"', recorded = true })
  run:advance(1)
  run:finish()
  local told = {}
  for _, row in ipairs(run:sql "SELECT sentence FROM story WHERE kind <> 'version' ORDER BY place") do
    told[#told + 1] = row.sentence:gsub(" in b: .*", " in b"):gsub("after .*", "after")
  end
  t:equal(told, { "b starts", "b: starts in one", "event e1", "event left_one", "b: one -> two, because e1",
    "event e2",
    "b: two -> three, because e2", "b: three -> four, because its run was over",
      "b: four -> five, because its tick said so",
    "event done", "b: five -> six, because done (the run of five has ended)", "event doomed", "error in b",
      "b ends: failed, after",
    "safe starts", "b: starts in safe, because it failed", "event safe_now", "safe ends: failed, after" })
end)

-- Where transitions lead -----------------------------------------------------------------------------------

local tour = [[
local function noted(name, state)
  state.enter = function(self, data) note(self, "+" .. name .. (data and data.x or "")) end
  state.exit = function(self) note(self, "-" .. name) end
  return state
end
b.one = noted("one", { on = { skip = "tour.bye", deep = "tour.rooms.second", go = "tour",
  arms = "show/arms.up" } })
b.tour = noted("tour", { start = "greet", HISTORY on = { leave = "one", jump = "tour.bye", self = "tour",
  bad = function() return "tour.bey" end },
  states = {
    greet = noted("greet", { on = { next = "rooms", own = "tour.bye" } }),
    rooms = noted("rooms", { start = "first", states = {
      first = noted("first", { on = { more = "second", out = "tour.greet" } }),
      second = noted("second", {}) } }),
    bye = noted("bye", { on = { back = "greet" } }),
  } })
b.show = { regions = {
  arms = { start = "down", states = { up = {}, down = {} } },
  gaze = { start = "left", states = { left = { on = { raise = "show/arms.up" } }, right = {} } } } }
]]

--- A run of the tour with a sequence of events; its log since the last one.
local function toured(t, history, ...)
  local run = machine(t, (tour:gsub("HISTORY", history)))
  run:advance(0.02)
  for _, event in ipairs { ... } do
    for index = #run.memory.log, 1, -1 do run.memory.log[index] = nil end
    run:emit(event, { x = "!" })
    run:advance(0.02)
  end
  return run, table.concat(run.memory.log, " ")
end

test("a path leads into a state inside another one, with the event's data", function(t)
  local run, log = toured(t, "", "skip")
  t:equal({ run.state, log }, { "tour.bye", "-one +tour! +bye!" })
  run, log = toured(t, "", "deep")
  t:equal({ run.state, log }, { "tour.rooms.second", "-one +tour! +rooms! +second!" })
  run = toured(t, "", "skip", "back")
  t:equal(run.state, "tour.greet")
end)

test("what is active around the target stays", function(t)
  local _, log = toured(t, "", "go", "own")
  t:equal(log, "-greet +bye!")
  _, log = toured(t, "", "go", "jump")
  t:equal(log, "-greet +bye!", "from the state around")
  _, log = toured(t, "", "deep", "more")
  t:equal(log, "", "no event of that state")
  _, log = toured(t, "", "go", "next", "more")
  t:equal(log, "-first +second!")
  _, log = toured(t, "", "go", "next", "out")
  t:equal(log, "-first -rooms +greet!")
  _, log = toured(t, "", "go", "self")
  t:equal(log, "-greet -tour +tour! +greet")
end)

test("a path leads into a region, from outside and from the one beside it", function(t)
  local run = toured(t, "", "arms")
  local function active()
    local list = {}
    run.run.host.top:each_outer_first(function(one) list[#list + 1] = one.state.path end)
    return list
  end
  t:equal(active(), { "show", "show/arms.up", "show/gaze.left" })
  run = machine(t, (tour:gsub("HISTORY", "")), { fields = "" })
  run:advance(0.02)
  run.run.host:force(run.run.host.machine.states.show, "ann")
  run:advance(0.02)
  t:equal(active(), { "show", "show/arms.down", "show/gaze.left" })
  run:emit "raise"
  run:advance(0.02)
  t:equal(active(), { "show", "show/arms.up", "show/gaze.left" })
end)

test("a name finds the nearest state: beside it, then further out", function(t)
  local run = machine(t, [[
b.one = { start = "x", states = { x = { on = { go = "y", out = "z" } }, y = { start = "z",
  states = { z = { on = { far = "one.x" } } } } } }
b.y = {}
b.z = {}
]])
  run:advance(0.02)
  for _, step in ipairs { { "go", "one.y.z" }, { "far", "one.x" }, { "out", "z" } } do
    run:emit(step[1])
    run:advance(0.02)
    t:equal(run.state, step[2])
  end
end)

test("a path that leads nowhere is said, before it runs and while it runs", function(t)
  local function why(text) return select(2, pcall(machine, t, text)) end
  t:match(why [[b.one = { on = { x = "tour.gret" } } b.tour = { start = "greet", states = { greet = {} } }]],
    "leads to 'tour.gret', which is no state %(did you mean 'tour.greet'%?%)")
  t:match(why [[b.one = { start = "a.b", states = { ["a.b"] = {} } }]],
    "made of letters, digits, '_' and '%-', not 'a.b'")
  t:match(why [[b.one = { regions = { ["a/b"] = { start = "x", states = { x = {} } } } }]],
    "a region's name is made of")
  t:match(toured(t, "", "go", "bad").failed, "state 'tour' leads to 'tour.bey', which is no state")
end)

test("the safe state may be inside another", function(t)
  local run = machine(t, [[
b.one = { enter = function() error "ouch" end }
b.rest = { start = "up", states = { up = {}, low = {} } }
]], { fields = 'safe = "rest.low"' })
  run:advance(0.05)
  t:equal(run.state, "rest.low")
end)

-- History --------------------------------------------------------------------------------------------------

local kept = [[
b.one = { go = { { on = "work", to = "work" }, { on = "fresh", to = "work", fresh = true },
    { on = "deep", to = "work.b", fresh = true } },
  on = { forget = function(self) self:forget "work" end, inner = function(self) self:forget "work.b" end } }
b.work = { start = "a", history = "HISTORY",
  on = { leave = "one", again = function(self) self:forget "work" return "one" end },
  exit = function(self) if self.memory.clears then self:forget "work" end end,
  states = {
    a = { on = { to_b = "b" } },
    b = { start = "x", history = "HISTORY", on = { to_a = "a" },
      states = { x = { on = { to_y = "y" } }, y = {} } },
  } }
]]

test("a state is entered afresh past its history, and its history can be forgotten", function(t)
  local rows = {
    { "deep", "leave work", "work.b.y" }, { "deep", "leave fresh", "work.a" },
    { "deep", "leave forget work", "work.a" },
    { "deep", "leave inner work", "work.b.x" }, { "deep", "leave deep", "work.b.x" },
    { "deep", "leave fresh leave work", "work.a" },
    { "deep", "to_a to_b", "work.b.y" }, { "deep", "again work", "work.b.y" },
    { "shallow", "leave work", "work.b.y" }, { "shallow", "leave fresh to_b", "work.b.x" },
  }
  for _, row in ipairs(rows) do
    local run = machine(t, (kept:gsub("HISTORY", row[1])))
    run:advance(0.02)
    for event in ("work to_b to_y " .. row[2]):gmatch "%S+" do
      run:emit(event)
      run:advance(0.02)
    end
    t:equal(run.state, row[3], row[1] .. " " .. row[2])
  end
  local run = machine(t, (kept:gsub("HISTORY", "deep")))
  run.memory.clears = true
  for event in ("start work to_b leave work"):gmatch "%S+" do
    run:emit(event)
    run:advance(0.02)
  end
  t:equal(run.state, "work.a", "forgotten as it is left")
  t:match(select(2, pcall(machine, t, [[b.one = { go = { { on = "x", to = "one", fresh = 1 } } }]])),
    "fresh must be a boolean")
  run = machine(t, [[b.one = { enter = function(self) self:forget "two" end }]])
  run:advance(0.02)
  t:match(run.failed, "self:forget: there is no state 'two'")
end)
