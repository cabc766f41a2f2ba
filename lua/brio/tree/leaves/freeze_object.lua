--- The leaf `freeze_object`: keeps an object of the scene at its present pose, for example before the
--- robot's own arm hides it.
local objects = require "brio.tree.execution.objects"

return objects.leaf("freeze_object",
  "Freezes an object of the scene at its pose until it is set up again.",
  function(scene, name) return scene:freeze(name) end)
