-- The physics of a robot among furniture, where the library is installed.
local physics = require "brio.physics"
local robots = require "brio.robots"
local world = require "brio.world"

local library, why = physics.find "mujoco"
print(library and library.name == "mujoco" or why:find("libmujoco-dev", 1, true) ~= nil)  --> true

-- Simulators that are opened with this world afterwards move the robot's joints by it.
local room = world.new {
  furniture = { { id = "desk", shape = "table", at = { 1, 0 }, size = { 0.6, 1.2, 0.75 } } } }
local pepper = assert(robots.find "pepper")
local simulation = library and assert(physics.new { robot = pepper.robot, world = room, massless = 0.05 })
print(not simulation or simulation:fault() == nil and #simulation:notes() > 0)  --> true
