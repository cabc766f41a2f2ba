--- An arm with a camera scans a table and puts what it finds into a box, one thing after the other.
---
--- After the use case of Schoen et al., "Lively", 2023, section 4.2.1: a button starts it. While the camera
--- takes pictures and the hand works, the arm has no liveliness; when nothing is left, it returns to its
--- neutral pose, relaxed and lively.
---
--- The button, the camera's view and the grip are simulated. The button is the event `button` (`emit button`
--- at the prompt), or a thing of the kind "button" that the sensor sees. The camera at the tool sees what is
--- below it. Gripped things are kept in memory: nothing moves them in the simulated world.
local brio = require "brio"
local geometry = require "brio.geometry"
local want = brio.want

local down = { 1, 0, 0, 0 } -- the tool points to the table

local neutral = { position = { 0.20, 0.13, 0.36 }, orientation = down }
local views = {
  { position = { 0.28, -0.16, 0.36 }, orientation = down },
  { position = { 0.34, 0.00, 0.40 }, orientation = down },
  { position = { 0.28, 0.16, 0.36 }, orientation = down },
}
local box = { 0.05, 0.33, 0.02 }
local above = 0.22 -- m from a thing to the tool before it goes down to it
local grip = 0.14 -- m from a thing to the tool that grips it: the gripper is between them

--- Refuse a version with a view that the arm cannot reach.
local function views_can_be_reached(about)
  local reach = brio.ik.new(about.robot, { links = { "tool0" } })
  for number, view in ipairs(views) do
    local found, why = reach:solve { goal = view }
    if not found then return nil, ("view %d: %s"):format(number, why) end
  end
  return true
end

local scan = brio.behavior "scan" {
  about = "wait for the button, look over the table, put everything into the box",
  robot = "ur3e",
  world = "scan_world.lua",
  start = "waiting",
  safe = "waiting",
  check = views_can_be_reached,
  memory = { target = false, found = {}, item = false, placed = {} },
  tune = {
    sight = brio.param(1.0, "rad", 0.2, 2.0), -- angle of view of the camera
    stillness = brio.param(0.6, "s", 0.5, 3.0), -- how long it holds still for a picture
  },
}

-- What the arm wants -----------------------------------------------------------------------------

local function target_position(self) return (self.memory.target or neutral).position end
local function target_orientation(self) return (self.memory.target or neutral).orientation end

--- Wants: the tool at its target (`strictness`: factor of the weights), and liveliness of the forearm
--- (`liveliness`: its weight).
local function arm(strictness, liveliness)
  return {
    want.collision_avoidance { weight = 20 },
    want.position_match { link = "tool0", goal = target_position, weight = 50 * strictness },
    want.orientation_match { link = "tool0", goal = target_orientation, weight = 25 * strictness },
    want.position_liveliness { link = "forearm_link", goal = { 0.05, 0.05, 0.03 }, frequency = 0.25,
      weight = liveliness },
    want.smoothness_macro { links = false, weight = 10 },
    want.joint_limits {},
  }
end

local at_work = arm(1, 0)
local at_ease = arm(0.1, 40)

-- What it does, step by step ---------------------------------------------------------------------

local function arrived(self)
  local tool, target = self:where("tool0"), self.memory.target
  return geometry.distance(tool.position, target.position) < 0.004
    and geometry.angle(tool.orientation, target.orientation) < 0.03
end

--- Go to a pose and wait until the tool has arrived; false if it has not within six seconds.
local function go(self, position, orientation)
  self.memory.target = { position = position, orientation = orientation or down }
  return self:await_until(arrived, 6) == true
end

local function over(point, height) return { point[1], point[2], point[3] + height } end

--- Whether a thing is in the view of the camera, which looks straight down.
local function in_sight(self, thing)
  local camera = self:where("tool0").position
  local height = camera[3] - thing.position[3]
  local aside = geometry.distance({ camera[1], camera[2], 0 }, { thing.position[1], thing.position[2], 0 })
  return height > 0 and aside < height * math.tan(self.tune.sight / 2)
end

--- Remember the visible items that were neither found nor put away before.
local function take_picture(self)
  for _, thing in ipairs(self.scene:objects "item") do
    local known = self.memory.placed[thing.id]
    for _, item in ipairs(self.memory.found) do known = known or item.id == thing.id end
    if not known and in_sight(self, thing) then
      table.insert(self.memory.found, { id = thing.id, position = { table.unpack(thing.position) } })
    end
  end
end

-- Obstacles --------------------------------------------------------------------------------------

--- The table, and the camera at the last link: the arm must not touch the table with either.
local function set_up(self)
  self:shape("table", { kind = "box", size = { 1.4, 1.4, 0.04 }, pose = { position = { 0, 0, -0.03 } } })
  self:shape("camera", { kind = "box", size = { 0.09, 0.03, 0.03 }, link = "tool0",
    pose = { position = { 0, -0.06, 0.02 } } })
end

-- When it does what ------------------------------------------------------------------------------

scan.power_on = {
  blend = 0.3,
  wants = at_ease,
  enter = set_up,
  after = { 0.5, "waiting" },
}

scan.waiting = {
  blend = 0.5,
  wants = at_ease,
  enter = function(self) self.memory.target = neutral end,
  on = { button = "scanning", button_appeared = "scanning" },
}

scan.scanning = {
  blend = 0.1,
  wants = at_work,
  enter = function(self) self.memory.found = {} end,
  run = function(self)
    for number, view in ipairs(views) do
      if go(self, view.position, view.orientation) then
        self:wait(self.tune.stillness)
        take_picture(self)
        self:emit("pictured", { view = number, found = #self.memory.found })
      else
        self:log("view %d cannot be reached", number)
      end
    end
    return "choosing"
  end,
}

scan.choosing = {
  blend = 0.1,
  wants = at_work,
  run = function(self)
    self.memory.item = table.remove(self.memory.found, 1) or false
    return self.memory.item and "fetching" or "waiting"
  end,
}

scan.fetching = {
  blend = 0.1,
  wants = at_work,
  run = function(self)
    local item = self.memory.item
    local there = go(self, over(item.position, above)) and go(self, over(item.position, grip))
    if not there then
      self:log("%s cannot be reached", item.id)
      return "choosing"
    end
    self:wait(0.3)
    self:emit("gripped", { id = item.id })
    go(self, over(item.position, above))
    return "placing"
  end,
}

scan.placing = {
  blend = 0.1,
  wants = at_work,
  run = function(self)
    local item = self.memory.item
    go(self, over(box, above + 0.06))
    go(self, over(box, grip + 0.06))
    self:wait(0.3)
    self.memory.placed[item.id] = true
    self:emit("placed", { id = item.id })
    go(self, over(box, above + 0.06))
    return "choosing"
  end,
}

scan.power_off = {
  blend = 0.3,
  wants = arm(0.3, 0),
  enter = function(self) self.memory.target = neutral end,
  lasts = 1.5,
}

return scan
