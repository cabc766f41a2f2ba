--- The stages of the Lua half of a tick.
local stages = require "brio.run.stages"
local paths = require "brio.lib.paths"

test("the page of the architecture names the stages, in their order", function(t)
  local names = {}
  for index, stage in ipairs(stages) do names[index] = stage.name end
  local file <close> = assert(io.open(paths.root .. "../docs/engine/architecture.md"))
  local page = file:read("a"):gsub("%s+", " ")
  t:equal(page:match "stages%.lua`%): (.-);", table.concat(names, ", "))
end)
