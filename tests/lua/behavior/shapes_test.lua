--- Obstacles that a behavior adds.
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

--- The distance between a shape and the nearest of the robot's; nil when it is not watched.
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

test("a version that fails leaves none of its shapes behind, and what it moved goes back", function(t)
  local source = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "ur3e", start = "one" }
local function ball(x) return { kind = "sphere", size = { 0.05, 0, 0 }, pose = { position = { x, 0, 0.3 } } } end
b.one = {
  wants = { brio.want.joint_match { joint = "elbow_joint", goal = 0.5 } },
  enter = function(self) self:shape("kept", ball(0.5)) self:shape("gone", ball(0.6)) end,
  tick = function(self) end,
}
return b]]
  local run = t:run("source", { source = source, robot = "ur3e" })
  run:advance(0.1)
  local kept, gone = nearest(run, "kept"), nearest(run, "gone")
  local changed = [[tick = function(self)
    self.memory.n = (self.memory.n or 0) + 1
    self:shape("kept", ball(0.4)) self:shape("gone", nil) self:shape("new", ball(0.55))
    if self.memory.n > 5 then error "no good" end
  end]]
  t:equal(run:reload(function(text) return (text:gsub("tick = function%(self%) end", changed)) end), true)
  run:advance(0.01)
  t:ok(nearest(run, "new") and not nearest(run, "gone") and nearest(run, "kept") < kept,
    "the new version did nothing")
  run:advance(0.1)
  t:equal(run.failed, nil)
  t:equal(nearest(run, "new"), nil)
  t:ok(math.abs(nearest(run, "kept") - kept) < 0.02 and math.abs(nearest(run, "gone") - gone) < 0.02,
    "they are not back")
  t:equal(run:reload(function(text) return text .. "\n-- another" end), true)
  run:advance(0.1)
  t:ok(nearest(run, "kept") and nearest(run, "gone"), "a good version took them away")
end)
