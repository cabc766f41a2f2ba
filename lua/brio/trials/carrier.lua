--- A tree that is in a file of its own as a behavior, so that it can be run, repeated, planned and previewed.
local carrier = {}

local text = [[
local brio = require "brio"
local carrier = brio.behavior "carrier" { robot = %q, start = "tree" }
carrier.tree = { tree = %q }
return carrier
]]

--- The behavior that a file is, or that has the tree in it as its only state's.  Return its path, and the
--- texts that stand for files (nil: it is one itself).
function carrier.behavior(file, robot)
  if not (file:match "%.json$" or file:match "%.xml$") then return file end
  local path = file .. ".lua"
  return path, { [path] = text:format(robot or "pepper", file:match "[^/]*$") }
end

return carrier
