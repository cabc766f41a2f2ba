--- Shared by tests of runs with bodies: files that a test writes, and robots with more fields.
local disk = require "brio.io.files"
local paths = require "brio.lib.paths"
local physics = require "brio.physics"

local physical = {}

--- Skip the test where the library of physics is not there.
function physical.needs_library(t)
  local library, why = physics.find "mujoco"
  if not library then t:skip(why) end
end

--- The path of a file with this text, which goes with the test.
function physical.written(t, name, text)
  local path = t:temporary("_" .. name)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return path
end

--- The file of an included robot with more fields.
function physical.robot(t, name, fields)
  local folder = "drivers/robots/" .. name .. "/"
  local text = disk.read(folder .. "robot.lua"):gsub('model = "model.urdf",',
    ('model = %q, %s'):format(paths.absolute(folder .. "model.urdf"), fields))
  return physical.written(t, "robot.lua", text)
end

return physical
