--- A live performer's frames: values of DOFs, channels of a face, bodies that are retargeted.
local performer = require "brio.motion.performer"
local robots = require "brio.robots"

local pepper = assert(robots.find "pepper")
local map = dofile "drivers/robots/pepper/retarget.lua"

test("DOFs are taken as they are, within their limits; channels go where the mapping says", function(t)
  local one = performer.new(pepper, { dofs = { jawOpen = { "EyeLedBrightness", scale = 2 },
    head = "HeadYaw" } })
  t:near(assert(one:frame { dofs = { HeadYaw = 0.3, HeadPitch = -9 } }),
    { HeadYaw = 0.3, HeadPitch = -0.7068583470577035 }, 1e-3)
  t:near(assert(one:frame { tracks = { jawOpen = 0.25, head = 0.1, browUp = 1 } }),
    { EyeLedBrightness = 0.5, HeadYaw = 0.1 }, 1e-9)
end)

test("a body is retargeted: a raised arm raises the robot's", function(t)
  local function body(hand_height)
    return { hips = { 0, 0, 1 }, head = { 0, 0, 1.65 }, left_shoulder = { 0, 0.2, 1.45 },
      right_shoulder = { 0, -0.2, 1.45 }, left_elbow = { 0, 0.25, 1.15 }, left_hand = { 0, 0.3, 0.9 },
      right_elbow = { 0.2, -0.25, 1.45 + 0.5 * (hand_height - 1.45) },
        right_hand = { 0.4, -0.3, hand_height } }
  end
  local one, low, high = performer.new(pepper, map), nil, nil
  for _ = 1, 20 do low = assert(one:frame { parts = body(1.0) }) end
  for _ = 1, 20 do high = assert(one:frame { parts = body(1.9) }) end
  t:ok(high.RShoulderPitch < low.RShoulderPitch - 0.5, "from %.2f to %.2f", low.RShoulderPitch,
    high.RShoulderPitch)
  t:near(high.LShoulderPitch, low.LShoulderPitch, 0.05)
end)

test("a frame that is wrong is refused in words, and the next one is taken", function(t)
  local one = performer.new(pepper, map)
  for _, case in ipairs { { 7, "must be an object" }, { {}, "nothing in the frame" },
      { { dofs = 3 }, "dofs: must be an object" },
    { { dofs = { HeadYav = 0 } }, "did you mean 'HeadYaw'" },
      { { dofs = { HeadYaw = 0 / 0 } }, "no finite number" },
    { { parts = { head = { 1, 2 } } }, "parts.head: item 3" },
      { { parts = { head = "up" } }, "expected { part" },
    { { tracks = { jawOpen = 1 } }, "nothing in the frame" } } do
    local values, why = one:frame(case[1])
    t:ok(values == nil and why:find(case[2], 1, true), "%s", tostring(why))
  end
  t:ok(one:frame { dofs = { HeadYaw = 0.1 } })
  t:equal(performer.line("ann", { HeadYaw = 0.25, HeadPitch = -0.1 }),
    "perform ann HeadPitch=-0.1 HeadYaw=0.25")
end)
