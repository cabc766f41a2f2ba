--- How the biped goes through doors: parts of trees that several behaviors share.
---
--- A door is learned once, from in front of it, while it is closed: "door" is then the frame of its handle,
--- "shut" that of its panel's center, x through the door, y to the left. "panel" continues to follow the
--- detections. Everything is written for a hinge on the right, as seen on arrival; with hinge = "left" sides
--- and y are mirrored.
local brio = require "brio"

local doors = {}

--- A level frame at the position of `at`. Its x axis is the normal of the panel that points away from the
--- robot, so trees are the same on both sides of a door.
doors.frame = brio.scene_object "doorway" {
  doc = "A level frame in the place of `at` whose x axis goes through the door of a `panel`, away from the \z
    robot.",
  fields = { at = "string", panel = "string" }, needs = { "at", "panel" }, frames = { "at", "panel" },
  work = function(at)
    local place, robot, yaw = at.frames.at.position, at.pose().position, at.yaw(at.frames.panel)
    local x, y = place[1] - robot[1], place[2] - robot[2]
    if x * math.cos(yaw) + y * math.sin(yaw) < 0 then yaw = yaw + math.pi end
    return { position = place, orientation = { 0, 0, math.sin(yaw / 2), math.cos(yaw / 2) } }
  end,
}

--- Steps at a relaxed pace: 35 cm, 0.65 to 0.75 s each.
local pace = { step_length = 0.35, near_swing = 0.5, far_swing = 0.6 }

--- Fingers forward, the palm down.
local palm_down = { left = { 0.5, -0.5, -0.5, 0.5 }, right = { -0.5, -0.5, 0.5, 0.5 } }

--- The differences between a hinge on the right and one on the left: hands and the sign of y.
local function sides(hinge)
  if hinge == "left" then return { near = "right", far = "left", sign = -1 } end
  return { near = "left", far = "right", sign = 1 }
end

local function merged(node, more)
  for key, value in pairs(more or {}) do node[key] = value end
  return node
end

--- A hand moves to a position (m) in a frame; `more`: other fields of the node.
local function reach(side, name, frame, position, seconds, more)
  return merged({ "arm", name = name, side = side, frame = frame, pose = { position = position },
    seconds = seconds,
    position_tolerance = 0.06 }, more)
end

--- The same with the palm down.
local function reach_flat(side, name, frame, position, seconds, more)
  more = merged({ orientation_tolerance = 0.6, position_tolerance = 0.04 }, more)
  local node = reach(side, name, frame, position, seconds, more)
  node.pose.orientation = palm_down[side]
  return node
end

local function rest(side, name, more)
  return merged({ "arm", name = name, side = side, preset = "stand", seconds = 1.4, tolerance = 0.3 }, more)
end

local function walk(name, stance, focal, more)
  return merged({ "walk", name = name, frame = "door", stance = stance, focal = focal, swing = 0.55,
    transfer = 0.15,
    settings = pace }, more)
end

--- Whether a detected door stands still: slower than 0.1 m/s. While its closer shuts it, it does not.
local function still(_, seen)
  local v = seen.velocity
  return v[1] * v[1] + v[2] * v[2] < 0.1 ^ 2
end

--- Learn the nearest door: its handle, of the detector's class `handle`, and its panel. `yaw`: where the head
--- looks for it, rad; given when a door is learned again.
function doors.learn(handle, yaw)
  local known = yaw and "it is learned again" or "it is learned"
  return { "sequence", name = "learn the door",
    { "neck", name = "look at the door", pitch = 0.45, yaw = yaw or 0, seconds = 0.5 },
    { "setup_object", object = "handle", class = handle, within = 3, where = still, timeout = 8 },
    { "setup_object", object = "panel", class = "door_panel", of = "handle", within = 1, timeout = 2 },
    { "setup_object", object = "door", derive = "doorway", with = { at = "handle", panel = "panel" } },
    { "freeze_object", object = "door" },
    { "setup_object", object = "shut", derive = "doorway", with = { at = "panel", panel = "panel" } },
    { "freeze_object", name = known, object = "shut" } }
end

--- Whether anybody is in the doorway or directly behind it, by the detections.
local function somebody_there(self)
  for _, person in ipairs(self.scene:objects "person") do
    local seen = self.scene:pose("door", person.id)
    if seen and seen.position[1] > -0.3 and seen.position[1] < 1.3 and math.abs(seen.position[2]) < 1 then
      return true
    end
  end
  return false
end

--- Wait while anybody is in the doorway, and for a second more; give up after 20 s.
local function wait_until_clear()
  local since = nil
  return { "action", name = "wait until the doorway is clear",
    enter = function() since = nil end,
    tick = function(self, elapsed)
      if somebody_there(self) then
        since = elapsed
        if elapsed >= 20 then return false, "somebody stands in the doorway, for 20 s now" end
        return nil
      end
      if since and elapsed - since < 1 then return nil end
      return true
    end }
end

--- Whether the panel is `far` (m) or more from its closed pose, by the detections.
local function moved(name, far)
  return { "proximity", name = name, a = "shut", b = "panel", min = far, max = 2, timeout = 0.6 }
end

--- Whether the door was opened, and only the track of its panel was lost. What was learned about the closed
--- door still applies then.
local function stands_open()
  return { "sequence", name = "it stands open",
    { "setup_object", name = "see the panel again", object = "panel", class = "door_panel", of = "door",
      within = 1.2,
      timeout = 1 },
    moved("it is open", 0.2) }
end

--- How each handle of a door that opens away is pressed: positions of the hand in the frame "door", and
--- `aside`, the y at which the robot stands; m.
local pressed = {
  door_lever = { aside = -0.27, above = { 0, 0, 0.07 }, press = { 0, 0, -0.03 }, push = { 0.16, 0, 0 } },
  door_push_bar = { aside = -0.02, above = { -0.1, 0.2, 0 }, press = { 0, 0.2, 0 }, push = { 0.16, 0.2, 0 } },
  door_pull = { aside = -0.27, above = { -0.05, 0, 0.1 }, press = { 0.02, 0, 0.1 }, push = { 0.16, 0, 0.1 } },
}

--- Open a door that opens away and go through: press its handle and push with one hand, then keep it open
--- with the other, or with the same one if the other holds something. `door`: { handle = class, hinge =
--- "right" or "left", carry = true if the hand on the hinge's side holds something }.
function doors.push(door)
  local s, how = sides(door.hinge), pressed[door.handle]
  local function at(place) return { place[1], s.sign * place[2], place[3] } end
  local beside, ahead = { -0.3, s.sign * how.aside, 0 }, { 1, s.sign * how.aside, 0 }
  local keeps = { side = s.far, ahead = { 0.42, s.sign * -0.18, 0.15 }, out = { 0.35, s.sign * -0.38, 0.1 } }
  if door.carry then
    keeps = { side = s.near, ahead = { 0.42, s.sign * 0.02, 0.15 }, out = { 0.38, s.sign * -0.1, 0.12 } }
  end
  local through = { 1.3, s.sign * (how.aside - 0.1), 0 }
  return { "sequence", name = "push the door open",
    doors.learn(door.handle),
    walk("walk up", beside, ahead),
    reach_flat(s.near, "lift a hand", "chest", { 0.26, s.sign * 0.24, 0.1 }, 1.4,
      { after = "it is learned" }),
    reach(s.far, "the other hand before the chest", "chest", { 0.25, s.sign * -0.15, 0.15 }, 1.4,
      { after = "it is learned" }),
    { "sequence", name = "let people pass", after = "all", wait_until_clear() },
    { "fallback", name = "until it gives way",
      try = {
        reach_flat(s.near, "before the handle", "door", at(how.above), 0.7),
        reach_flat(s.near, "press", "door", at(how.press), 0.4),
        reach_flat(s.near, "push", "door", at(how.push), 0.6, { orientation_tolerance = 0.8 }),
        moved("it gives way", 0.04),
      },
      catch = {
        reach(s.near, "take the hand back", "door", at { -0.08, 0, 0.12 }, 0.8),
        { "counter", name = "it opens within four tries", limit = 4 },
        { "wait", name = "wait a little", seconds = 1 },
        { "selector", name = "see whether it is shut again", stands_open(),
          { "sequence", name = "begin anew", doors.learn(door.handle, 0),
            walk("up to it again", beside, ahead) } },
        { "goto", to = "before the handle" },
      } },
    walk("walk through", through, { 3, through[2], 0 }),
    { "sequence", name = "the arm that keeps it open", after = "until it gives way",
      reach(keeps.side, "keep it open", "chest", keeps.ahead, 1.6, { after = "until it gives way" }),
      reach(keeps.side, "push it aside", "chest", keeps.out, 1.8) },
    { "neck", name = "look ahead", pitch = 0, yaw = 0, seconds = 0.4, after = "keep it open" },
    door.carry and { "succeed", name = "the other hand keeps what it has" }
      or rest(s.near, "hand back", { after = "keep it open" }),
    rest(keeps.side, "that arm back", { after = "push it aside" }),
    { "checkpoint", name = "it is through", after = "all" } }
end

--- How each handle of a door that opens towards the robot is turned: `axis`, the distance of its axis of
--- rotation from its center (m), and `turn`, the angle (rad). A pull is not turned.
local turned = {
  door_lever = { axis = 0.06, turn = 0.7 },
  door_knob = { axis = 0, turn = 0.8 },
  door_pull = {},
}

--- Grasp the handle and turn it.
local function grasp_and_turn(door, s)
  local how = turned[door.handle]
  local node = { "sequence", name = "take the handle",
    reach_flat(s.far, "to the handle", "door", { -0.02, 0, 0.05 }, 0.8,
      { orientation_tolerance = 0.4, position_tolerance = 0.02 }),
    { "hand", name = "grasp", side = s.far, grip = "close", success = "holds", cutoff = 4, timeout = 1.5 } }
  if how.turn then
    table.insert(node, { "screw", name = "turn", side = s.far, frame = "door",
      axis = { position = { 0, s.sign * how.axis, 0 } }, rotation = s.sign * how.turn, max_angular = 1.5,
        max_linear = 0.4,
      orientation_tolerance = 0.5, position_tolerance = 0.03 })
  end
  return node
end

--- After the grasp: pull, put the free hand into the gap, move the other one around the edge, and push the
--- panel aside.
local function pull_and_push(s)
  local function at(x, y, z) return { x, s.sign * y, z } end
  return { "sequence", name = "pull it open",
    { "screw", name = "pull", side = s.far, frame = "shut", rotation = s.sign * 0.55, max_angular = 0.6,
      max_linear = 0.5,
      axis = { position = { 0, s.sign * -0.45, 0 }, orientation = { 0, -0.7071, 0, 0.7071 } },
        orientation_tolerance = 1.6,
      position_tolerance = 0.05 },
    moved("it gives way", 0.15),
    reach(s.near, "a hand into the gap", "door", at(-0.2, 0.07, 0.32), 0.9),
    { "hand", name = "let go", side = s.far, grip = "open", cutoff = 0, tolerance = 0.3, timeout = 2 },
    { "arm", name = "around the edge", side = s.far, frame = "door", seconds = 1.4,
      position_tolerance = 0.06, waypoints = {
      { pose = { position = at(-0.5, -0.14, 0.08) } }, { pose = { position = at(-0.5, 0.04, 0.08) } },
      { pose = { position = at(-0.3, 0.14, 0.08) } }, { pose = { position = at(-0.08, 0.11, 0.08) } } } },
    reach(s.far, "push it aside", "door", at(-0.26, -0.12, 0.08), 0.8),
    moved("it is open", 0.2) }
end

--- Take both hands back after a failed attempt.
local function hands_back(s)
  return { "sequence", name = "hands back",
    { "hand", name = "let go again", side = s.far, grip = "open", cutoff = 4, tolerance = 0.3, timeout = 2 },
    reach(s.far, "take the hand back", "door", { -0.2, s.sign * 0.02, 0.1 }, 0.8),
    rest(s.near, "the other one, too", { seconds = 0.8, after = "let go again" }) }
end

--- Stand beside a door that opens towards the robot, facing it, and open it, in at most five attempts.
function doors.open_towards(door)
  local s = sides(door.hinge)
  local beside, before = { -0.37, s.sign * 0.3, 0 }, { 0.59, 0, 0 }
  return { "sequence", name = "pull the door open",
    doors.learn(door.handle),
    walk("walk up", beside, before),
    reach_flat(s.far, "lift a hand", "chest", { 0.26, s.sign * -0.22, 0.1 }, 1.4,
      { after = "it is learned" }),
    { "hand", name = "open the hand", side = s.far, grip = "open", cutoff = 4, after = "it is learned" },
    { "neck", name = "look along the door", pitch = 0.5, yaw = s.sign * -0.5, seconds = 0.6,
      after = "lift a hand" },
    { "fallback", name = "until it is open", after = "all",
      try = { { "sequence", name = "try", grasp_and_turn(door, s), pull_and_push(s) } },
      catch = { hands_back(s), { "counter", name = "it opens within five tries", limit = 5 },
        doors.learn(door.handle, s.sign * -0.5), walk("up to it again", beside, before),
          { "goto", to = "try" } } } }
end

--- Open a door that opens towards the robot and go through.
function doors.pull(door)
  local s = sides(door.hinge)
  local opened = { after = "until it is open" }
  return { "sequence", name = "through a door that opens towards it",
    doors.open_towards(door),
    wait_until_clear(),
    walk("walk through", { 1, s.sign * -0.27, 0 }, { 3, s.sign * -0.27, 0 },
      { waypoints = { { 0.1, s.sign * -0.24 } } }),
    { "neck", name = "look ahead", pitch = 0, yaw = 0, seconds = 0.6, after = "until it is open" },
    rest(s.near, "hand back", opened),
    reach(s.far, "keep it open", "chest", { 0.2, s.sign * -0.4, 0.1 }, 1.2, { after = "until it is open" }),
    { "wait", name = "until the body is through", seconds = 1.8 },
    rest(s.far, "other hand back"),
    { "checkpoint", name = "it is through", after = "all" } }
end

--- The reason of a tree's failure, as a text; `failed`: the data of the event `tree_failed` or `bumped`.
function doors.why(failed)
  if not failed.why then return "the robot walked into something" end
  return ("'%s': %s"):format(failed.node, failed.why)
end

--- If all else failed: the robot stands, its hands at its sides.
function doors.give_up()
  return { "parallel", name = "hands by its side", rest("left", "left hand back"),
    rest("right", "right hand back") }
end

return doors
