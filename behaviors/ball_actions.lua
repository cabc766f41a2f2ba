--- How the biped handles balls on a bench: parts of trees that several behaviors share. Lengths are in m.
---
--- The palm faces down and the fingers point forward. A held ball is 4.5 cm below the palm and 2 cm in front
--- of it.
local geometry = require "brio.geometry"
local ik = require "brio.ik"

local balls = {}

balls.radius = 0.035

--- Arms move at this share of their limits: hands are then not faster than a person's
--- (docs/behaviors/demonstrations.md has the figures).
balls.speed = 0.4

local palm_down = { right = { -0.5, -0.5, 0.5, 0.5 }, left = { 0.5, -0.5, -0.5, 0.5 } }

--- The pose of the palm that puts the point of grasp `height` above a frame and `forward` in front of it.
function balls.over(side, height, forward)
  return { position = { (forward or 0) - 0.02, 0, height + 0.045 }, orientation = palm_down[side] }
end

--- Move a hand until its point of grasp is `height` above a frame; `more`: other fields of the node.
function balls.go(side, name, frame, height, more)
  local node = { "arm", name = side .. " " .. name, side = side, frame = frame,
    pose = balls.over(side, height),
    speed = balls.speed, position_tolerance = 0.03, orientation_tolerance = 0.6 }
  for key, value in pairs(more or {}) do node[key] = value end
  return node
end

--- The region of a hand: a box in front of the robot, on the hand's own side and a little beyond the middle,
--- in the frame "walking".
function balls.side_of(side)
  local sign = side == "right" and -1 or 1
  return { kind = "box", size = { 0.34, 0.40, 0.4 }, pose = { position = { 0.35, 0.15 * sign, 1.0 } } }
end

--- Find a ball: `object` is its name from then on; `more`: the selection (color, where, select, timeout,
--- ...).
function balls.find(side, object, more)
  local node = { "setup_object", name = "find " .. object, object = object, class = "ball",
    region = balls.side_of(side),
    region_frame = "walking", history = 3, timeout = 1.5 }
  for key, value in pairs(more or {}) do node[key] = value end
  return node
end

--- Grasp `object` and lift it: open the hand on the way, freeze the object before the arm hides it, close the
--- hand around it.
function balls.grasp(side, object)
  return { "sequence", name = side .. " hand gets " .. object,
    { "hand", name = side .. " hand opens", side = side, grip = "open", cutoff = 4, tolerance = 0.2 },
    balls.go(side, "goes over it", object, 0.10, { after = side .. " hand gets " .. object,
      position_tolerance = 0.06 }),
    { "freeze_object", object = object, after = "all" },
    balls.go(side, "goes down to it", object, 0, { position_tolerance = 0.02 }),
    { "hand", name = side .. " hand grasps", side = side, grip = "close", success = "holds", cutoff = 4,
      timeout = 3 },
    balls.go(side, "lifts it", object, 0.12, { position_tolerance = 0.05 }),
    balls.has(side),
  }
end

--- Whether a hand has a ball, measured by its fingers.
function balls.has(side)
  return { "holding", name = side .. " hand has it", hand = side, min = 0.05, max = 0.09 }
end

--- The hand in front of the eyes: fingers up, the palm towards the face.
function balls.show(side)
  local y = side == "right" and -0.14 or 0.14
  return { "arm", name = side .. " hand before the eyes", side = side, frame = "chest", speed = balls.speed,
    position_tolerance = 0.05, orientation_tolerance = 0.8, pose = { position = { 0.36, y, 0.34 },
      orientation = side == "right" and { 0.7071, -0.7071, 0, 0 } or { 0.7071, 0.7071, 0, 0 } } }
end

--- Whether a ball of that color is in the hand, by the detections.
function balls.is_of(side, color)
  return { "setup_object", name = "it is " .. color, object = "in the hand", class = "ball", color = color,
    history = 3,
    timeout = 0.5, region = { kind = "sphere", size = { 0.1 } }, region_frame = side .. "_hand" }
end

--- Drop what the hand holds over a frame, such as that of a bin; fails if the hand is empty.
function balls.drop(side, frame)
  return { "sequence", name = side .. " hand drops it",
    balls.go(side, "goes over the bin", frame, 0.12, { position_tolerance = 0.05 }),
    balls.has(side),
    balls.let_go(side) }
end

function balls.let_go(side)
  return { "hand", name = side .. " hand lets go", side = side, grip = "open", cutoff = 4, tolerance = 0.12,
    already = 0.01 }
end

--- Raise an arm close to the body and then forward, so that the hand moves over the edge of a bench and does
--- not hit it.
local function raise(side)
  local out = side == "right" and -0.15 or 0.15
  return { "arm", name = side .. " arm up", side = side, waypoints = {
    { joints = { 0.5, out, 0, -2.2, 0, 0, 0 }, at = 0.7 },
      -- shoulder pitch, roll and yaw, elbow, wrist yaw, roll and pitch
    { preset = "ready", at = 1.2 } } }
end

--- Both hands over the bench.
function balls.ready() return { "parallel", name = "arms up", raise "right", raise "left" } end

--- Whether a ball is at a position where one was given up.
local function was_left(self, ball)
  for _, place in ipairs(self.memory.left) do
    if self.perception.distance(ball.position, place) < 0.05 then return true end
  end
  return false
end

--- The skills that sorting needs. Balls that were given up are recognized by their positions. The behavior's
--- memory needs `left` (these positions) and `sorted` (a count).
balls.skills = {
  worth_it = function(self, ball) return not was_left(self, ball) end,
  count = function(self)
    self.memory.sorted = self.memory.sorted + 1
    return true
  end,
  leave_it = { params = { object = "string" }, tick = function(self, _, with)
    local ball = self.scene:object(with.object)
    if ball then table.insert(self.memory.left, ball.position) end
    return true
  end },
  none_left = function(self) -- and none has rolled to a position that no hand has tried
    local walking = self.scene:frame "walking"
    -- a robot that does not walk has no such frame, so what lies in front of it is unknown
    if not walking then return #self.memory.left == 0 end
    local back = geometry.inverse(walking)
    for _, ball in ipairs(self.scene:objects "ball") do
      local p = geometry.within(back, { position = ball.position }).position
      local lies = p[1] > 0.1 and p[1] < 0.8 and math.abs(p[2]) < 0.35 and math.abs(p[3] - 0.95) < 0.05
      if lies and not was_left(self, ball) then table.insert(self.memory.left, ball.position) end
    end
    return #self.memory.left == 0
  end,
}

--- A hand puts balls of a color into the bin of that color, one after the other, until none is in reach. A
--- ball that slips, is taken away or rolls on is tried again, three times; then it is given up.
function balls.sort(side, color)
  local ball = color .. " ball"
  local function find(timeout)
    return balls.find(side, ball, { color = color, where = "worth_it", timeout = timeout })
  end
  local try = { "sequence", name = "the " .. ball,
    find(0.5), balls.grasp(side, ball), balls.drop(side, color .. " bin"), { "action", does = "count" } }
  local one = { "fallback", name = side .. " hand sorts one",
    try = { { "retry", name = side .. " hand tries", times = 3, try } },
    catch = { { "action", does = "leave_it", with = { object = ball } } } }
  return { "fallback", name = side .. " hand sorts",
    try = { { "loop", name = side .. " hand, ball after ball",
      { "sequence", name = "one " .. ball, find(2), one } } },
    catch = { { "arm", name = side .. " arm rests", side = side, preset = "ready", speed = balls.speed } } }
end

local spaces = {}

--- The joint values of an arm for a grasp at a position of the world, by inverse kinematics: {joint = rad},
--- or nil if it is out of reach.
function balls.reach(self, side, position)
  local palm = self.roles[side .. "_hand"]
  if not spaces[side] then
    local held = {}
    for _, variable in ipairs(self.robot:variables()) do
      local own = variable.name:match("^" .. side .. "_shoulder")
        or variable.name:match("^" .. side .. "_elbow")
        or variable.name:match("^" .. side .. "_wrist")
      if not own then held[#held + 1] = variable.name end
    end
    spaces[side] = ik.new(self.robot, { links = { palm }, held = held, seed = 1 })
  end
  local grasp = balls.over(side, 0).position
  local found = spaces[side]:solve { seed = { joints = self.poses.ready.joints,
    base = self.scene:frame "pelvis" },
    max_starts = 12, max_iterations = 1500, goal = { position = { position[1] + grasp[1], position[2],
      position[3] + grasp[3] },
      orientation = palm_down[side], position_tolerance = 0.015, orientation_tolerance = 0.5 } }
  return found and found.joints
end

return balls
