--- Pepper's hands on the simulator: each tells an object from air, carries it with the wrist, and releases
--- it.
local geometry = require "brio.geometry"
local source = [[
local brio = require "brio"
local hold = brio.behavior "hold" { robot = "pepper", start = "opening", memory = {},
  sequences = { lift = { tracks = { XShoulderPitch = { { 0, kind = "input" }, { 2, 0.9 } } } } } }
local function note(self, data) self.memory.at, self.memory.why = self.now, data and data.why end
local function ends(tree)
  return { tree = tree, on = { lift = "lifting", open = "opening",
    tree_done = function(self, data) note(self, data) return "has" end,
    tree_failed = function(self, data) note(self, data) return "empty" end } }
end
hold.opening = { tree = { "hand", side = "SIDE", grip = "open", hold = "always" }, on = { tree_done = "waiting" } }
hold.waiting = { on = { grasp = "grasping" } }
hold.grasping = ends { "sequence",
  { "hand", side = "SIDE", grip = "close", success = "holds", hold = "always" },
  { "holding", hand = "SIDE", min = 0.04, max = 0.06 } }
hold.lifting = ends { "sequence", { "motion", motion = "lift", hold = true }, { "holding", hand = "SIDE" } }
hold.has, hold.empty = { on = { open = "opening", lift = "lifting" } }, { on = { open = "opening" } }
return hold
]]

local letters = { left = "L", right = "R" }

local function begin(t, side)
  local text = source:gsub("SIDE", side):gsub("X(Shoulder)", letters[side] .. "%1")
  local run = t:run("hold.lua", { source = text,
    world_data = { things = { { id = "ball", kind = "ball", radius = 0.025 } } } })
  run:advance(1.5)
  t:equal(run.state, "waiting")
  return run
end

--- Where a hand would hold an object.
local function grasp_point(run, side)
  local hand = run.description.hands[side]
  return geometry.within(run.scene:frame(hand.link), { position = hand.grasp }).position
end

--- Keep the ball in the open hand until it has closed.
local function offer(run, side)
  run:emit "grasp"
  for _ = 1, 600 do
    local p = grasp_point(run, side)
    run.world:put("ball", { p[1], p[2], p[3] })
    run:advance(0.005)
    if run.world:state "ball".held_by ~= "nobody" then break end
  end
  run:advance(1.5)
end

for _, side in ipairs { "left", "right" } do
  test(("thin air is not held by the %s hand"):format(side), function(t)
    local run = begin(t, side)
    run:emit "grasp"
    run:advance(4)
    t:equal(run.state, "empty")
    t:match(run.memory.why, "hand holds nothing: its fingers went all the way")
    t:near(run:measured(letters[side] .. "Hand"), 0.02, 0.03)
  end)

  test(("a ball is held by the %s hand, carried and let go"):format(side), function(t)
    local run = begin(t, side)
    offer(run, side)
    t:equal(run.state, "has", tostring(run.memory.why))
    t:equal(run.world:state "ball".held_by, side)
    t:near(run:measured(letters[side] .. "Hand"), 0.02 + 0.96 * 0.05 / 0.09, 0.02, "as wide as the ball")
    local before = run.world:pose "ball".position
    run:emit "lift"
    run:advance(3)
    t:equal(run.state, "has", tostring(run.memory.why))
    local after = run.world:pose "ball".position
    t:ok(geometry.distance(before, after) > 0.1, "it was carried")
    t:near(after, grasp_point(run, side), 0.02, "it is in the hand")
    run:emit "open"
    run:advance(2.5)
    t:equal(run.world:state "ball".held_by, "nobody")
    t:equal(run.world:state "ball".on, "floor")
  end)
end

test("both hands are mirror images", function(t)
  local hands = require("brio.robots").find("pepper").hands
  local l, r = hands.left.grasp, hands.right.grasp
  t:equal({ l[1], -l[2], l[3] }, { r[1], r[2], r[3] })
  for _, field in ipairs { "open", "shut", "span", "reach" } do
    t:equal(hands.left[field], hands.right[field])
  end
end)
