-- The tempo of a run: of a behavior, its states and a person, live, within limits, recorded, and kept over a
-- crash.
local operators = require "brio.operator.desk.operators"
local robots = require "brio.robots"
local snapshot = require "brio.run.snapshot"
local text = require "brio.run.snapshot.text"

local source = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "rest", HEAD
  sequences = { swing = { tracks = {
    LShoulderPitch = { { 0, kind = "input" }, { 0.5, 0.4 }, { 1, 1.2 }, { 1.5, kind = "input" } } } } } }
made.rest = { wants = { want.joint_limits {} }, on = { go = "turn", slow = "slow" } }
local left = { want.joint_match { joint = "HeadYaw", goal = 1.8, weight = 20 } }
made.turn = { wants = left, blend = 0, on = { back = "back" } }
made.back = { wants = { want.joint_match { joint = "HeadYaw", goal = -1.8, weight = 20 } }, blend = 0 }
made.slow = { tempo = 0.25, start = "inner", on = { go = "turn" }, states = {
  inner = { wants = left, blend = 0, on = { quick = "quick" } },
  quick = { tempo = 0.5 },
} }
return made
]]

local function with_prompt(t, options)
  options.operators = assert(operators.read("", "nobody"))
  local run = t:run("made", options)
  local function yes() return true end
  local front = { datagram = function() return nil, 0 end, reply = yes, log = yes,
    stops = function() return 0 end, close = yes }
  run.run.host.front, run.run.front = front, front
  return run
end

local function start(t, head, options)
  options = options or {}
  options.source = source:gsub("HEAD", head or "", 1)
  return with_prompt(t, options)
end

local function say(run, line)
  return run.run.prompt:perform { kind = "say", client = 1, who = "eve", role = "author", device = "prompt",
    id = 1, text = line, received = 0 }
end

local limit = 0
for _, dof in ipairs(assert(robots.find "pepper").dofs) do
  if dof.name == "HeadYaw" then limit = dof.velocity end
end

--- The greatest speed of HeadYaw in this many seconds, per s.
local function speed(run, seconds)
  local most, last = 0, run:command "HeadYaw"
  for _ = 1, math.floor(seconds * 200 + 0.5) do
    run:advance(0.005)
    local now = run:command "HeadYaw"
    most, last = math.max(most, math.abs(now - last) * 200), now
  end
  return most
end

test("a person says it, live: what moves slows down, within the limits, and goes on as before", function(t)
  local run = start(t, nil, { recorded = true })
  run:advance(0.1)
  t:match(say(run, "tempo").text, "tempo 1: 1 by a person, 1 by the behavior")
  run:emit "go"
  local began = speed(run, 0.2)
  t:ok(began > 0.25 * limit, "it is on its way, at %.2f of %.2f rad/s", began, limit)
  t:match(say(run, "tempo 0.2").text, "tempo 0.2 from now on")
  speed(run, 0.3)
  t:ok(speed(run, 0.3) <= 0.2 * limit * 1.0001, "within 0.3 s")
  say(run, "tempo 1")
  run:emit "back"
  t:ok(speed(run, 2) > 0.5 * limit, "and up again")
  t:equal(run:close(), "stopped")
  local rows = run:sql [[SELECT json_extract(data, '$.tempo') AS tempo FROM events WHERE name = 'tempo'
    ORDER BY id]]
  t:equal({ #rows, rows[1].tempo, rows[2].tempo }, { 2, 0.2, 1 })
  local acts = run:sql "SELECT group_concat(arguments, ' ') AS said FROM operator WHERE command = 'tempo'"
  t:equal(acts[1].said, '"0.2" "1"', "to ask for it is no act")
end)

test("a state says it, for those inside it too, and the innermost counts; a person's is a factor", function(t)
  local run = start(t, "tempo = 0.8,")
  local tempo = run.run.host.tempo
  run:advance(0.1)
  t:equal(tempo.now, 0.8)
  run:emit "slow"
  run:advance(0.1)
  t:equal({ run.state, tempo.now }, { "slow.inner", 0.25 })
  t:ok(speed(run, 0.5) <= 0.25 * limit * 1.0001)
  run:emit "quick"
  run:advance(0.1)
  t:equal({ run.state, tempo.now }, { "slow.quick", 0.5 })
  say(run, "tempo 0.5")
  run:advance(0.1)
  t:equal(tempo.now, 0.25)
  run:emit "go"
  run:advance(0.1)
  t:equal({ run.state, tempo.now }, { "turn", 0.4 })
  say(run, "tempo 2")
  run:advance(0.1)
  t:equal(tempo.now, 1.6)
  t:ok(speed(run, 1) <= limit * 1.0001, "no limit is passed")
end)

--- The duration of the sequence, s, with the tempo set before it or during it.
local function lasts(t, before, after)
  local run = start(t)
  run:advance(0.1)
  if before then say(run, "tempo " .. before) end
  run:advance(0.1)
  run.run.host.self:play "swing"
  local began = run.run.host.now
  run:advance(0.5)
  if after then say(run, "tempo " .. after) end
  for _ = 1, 1000 do
    run:advance(0.01)
    if not run.run.host.self:plays "swing" then return run.run.host.now - began end
  end
end

test("sequences take as much longer, those that play already too", function(t)
  t:near(lasts(t), 1.5, 0.05)
  t:near(lasts(t, 0.5), 3, 0.05)
  t:near(lasts(t, 2), 0.75, 0.05)
  t:near(lasts(t, nil, 0.5), 0.5 + 2, 0.1)
end)

local lively = [[
local brio = require "brio"
local want = brio.want
local made = brio.behavior "made" { robot = "pepper", start = "rest" }
made.rest = { wants = { want.joint_match { joint = "HeadYaw", goal = 0, weight = 1 },
  want.joint_liveliness { joint = "HeadYaw", goal = 0.2, frequency = 0.8, weight = 10 } } }
return made
]]

test("liveliness is as large as before, and as much slower", function(t)
  local function of(line)
    local run = with_prompt(t, { source = lively })
    run:advance(0.1)
    if line then say(run, line) end
    run:advance(4)
    local turns, way, low, high, last, lead = 0, 0, 1, -1, run:command "HeadYaw", 0
    for _ = 1, 1200 do
      run:advance(0.01)
      local now = run:command "HeadYaw"
      local step = now - last
      way, low, high, last = way + math.abs(step), math.min(low, now), math.max(high, now), now
      if step * lead < 0 then turns = turns + 1 end
      if step ~= 0 then lead = step end
    end
    return way, high - low, turns
  end
  local way, size = of()
  local slower, same = of "tempo 0.4"
  t:ok(slower < 0.6 * way and slower > 0.2 * way, "it goes %.2f rad, not %.2f", slower, way)
  t:ok(same > 0.4 * size, "its size is %.2f, not %.2f", same, size)
end)

test("what is no tempo is said where it is said", function(t)
  local run = start(t)
  run:advance(0.1)
  for _, wrong in ipairs { "0", "-1", "3", "fast", "nan", "0.5 0.5" } do
    local answer = say(run, "tempo " .. wrong)
    t:match(answer.error or answer.why or answer.text, "a tempo is a number from 0.05 to 2", wrong)
  end
  t:equal(run.run.host.tempo.person, 1)
  t:raises(function() start(t, "tempo = 3,") end, "tempo: a tempo is a number from 0.05 to 2")
  t:raises(function() start(t, "tempo = 'slow',") end, "tempo")
  local still = source:gsub("HEAD", "", 1):gsub("tempo = 0.25", "tempo = 0", 1)
  t:raises(function() t:run("made", { source = still }) end,
    "state 'slow': tempo: a tempo is a number from 0.05 to 2, 1 being the robot's own, not 0")
end)

test("what a person says of it stays over a crash", function(t)
  local first = start(t)
  first:advance(0.1)
  say(first, "tempo 0.3")
  first:advance(0.1)
  local told = assert(text.read(assert(snapshot.of(first.run.host))))
  local second = start(t, nil, { resume = { run = 7, t = first.run.host.now, state = told, pose = {} } })
  second:advance(0.1)
  t:equal(second.run.host.tempo.now, 0.3)
end)
