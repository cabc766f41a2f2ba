--- Wraps a tree file in a behavior, so that it can be run, repeated, planned and previewed.
local carrier = {}

local text = [[
local brio = require "brio"
local carrier = brio.behavior "carrier" { robot = %q, start = "tree" }
carrier.tree = { tree = %q }
return carrier
]]

--- The behavior of a file: the file itself, or one with a single state that has the file's tree.  Return
--- its path, and the texts that replace files (nil: the file is a behavior).
function carrier.behavior(file, robot)
  if not (file:match "%.json$" or file:match "%.xml$") then return file end
  local path = file .. ".lua"
  return path, { [path] = text:format(robot or "pepper", file:match "[^/]*$") }
end

return carrier
