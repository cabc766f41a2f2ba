--- What a behavior puts in its robot's way.
local head = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "ur3e", start = "calm", memory = { said = {} } }
made.calm = { wants = { brio.want.joint_limits {} }, on = { act = function(self, data) %s end } }
return made
]]

--- Run a behavior that does this at the event `act`; return the run after one such event, with its data.
local function act(t, text, data)
  local run = t:run("made.lua", { source = head:format(text) })
  run:advance(0.01)
  run:emit("act", data)
  run:advance(0.01)
  return run
end

--- Distance of a shape from the nearest of the robot; nil when it is not watched.
local function nearest(run, key)
  local least
  for _, pair in ipairs(run.solver:proximity()) do
    if pair.a == key or pair.b == key then least = math.min(least or math.huge, pair.distance) end
  end
  return least
end

test("a shape is put, moved and taken away", function(t)
  local run = act(t, [[
    local at = data.x and { kind = "sphere", size = { 0.05, 0, 0 }, pose = { position = { data.x, 0, 0.3 } } }
    self.memory.said = { self:shape("ball", at) }
  ]], { x = 0.5 })
  local far = nearest(run, "ball")
  t:ok(far, "it is not watched")
  t:equal(run.memory.said, { true })
  run:emit("act", { x = 0.4 })
  run:advance(0.01)
  t:ok(nearest(run, "ball") < far - 0.05, "it did not come nearer: %g, then %g m", far, nearest(run, "ball"))
  run:emit("act", {})
  run:advance(0.01)
  t:equal(nearest(run, "ball"), nil)
  run:emit("act", {})
  run:advance(0.01)
  t:equal(run.failed, nil)
end)

test("another form replaces it, and a role stands for its link", function(t)
  local run = act(t, [[
    self:shape("thing", { kind = "box", size = data, link = "tool", pose = { position = { 0, 0, 0.1 } } })
  ]], { 0.1, 0.1, 0.1 })
  local small = nearest(run, "thing")
  run:emit("act", { 0.2, 0.2, 0.2 })
  run:advance(0.01)
  t:ok(nearest(run, "thing") < small, "it did not grow: %g, then %g m", small, nearest(run, "thing"))
  t:equal(run.failed, nil)
end)

test("no room for one more is told, and is no failure", function(t)
  local run = act(t, [[
    for i = data, data + 499 do -- a part in each tick: a tick has a budget
      local ball = { kind = "sphere", size = { 0.01, 0, 0 }, pose = { position = { 9, i / 10, 0 } } }
      local good, why, code = self:shape("b" .. i, ball)
      if not good then self.memory.said = { i, why, code } break end
    end
  ]], 1)
  for first = 501, 10001, 500 do
    t:equal(run.memory.said, {})
    run:emit("act", first)
    run:advance(0.005)
  end
  run:advance(0.005)
  t:equal(run.failed, nil)
  t:equal(run.memory.said[1], 10001)
  t:match(run.memory.said[2] or "", "at most 10000 shapes")
  t:equal(run.memory.said[3], "limit")
end)

test("wrong use fails the behavior with its line", function(t)
  for _, case in ipairs {
    { 'self:shape(5, {})', "expects a key" },
    { 'self:shape("x", 5)', "expects a table" },
    { 'self:shape("x", { kind = "cone" })', "kind must be" },
    { 'self:shape("x", { kind = "sphere", size = { 0.1, 0, 0 }, link = "tol" })', "no link" },
    { 'self:shape("x", { kind = "sphere", size = { 0.1, 0, 0 }, poes = {} })', "did you mean 'pose'" },
    { 'self:shape("x", { kind = "sphere", size = { 0 / 0, 0, 0 } })', "number" },
  } do
    local run = act(t, case[1])
    t:match(run.failed or "", case[2])
    t:match(run.failed or "", ":3: ")
  end
end)
