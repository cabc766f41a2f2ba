--- The leaf `freeze_object`: an object of the scene stays where it is now, as before the robot's own arm
--- hides it.
local objects = require "brio.tree.execution.objects"

return objects.leaf("freeze_object",
  "Lets an object of the scene stay where it is now, until it is set up again.",
  function(scene, name) return scene:freeze(name) end)
