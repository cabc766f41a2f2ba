--- The leaf `delete_object`: an object of the scene is none any more, and its name is free.
local objects = require "brio.tree.execution.objects"

local leaf = objects.leaf("delete_object", "Takes an object out of the scene: its frame is gone.",
  function(scene, name) return scene:delete(name) end)
leaf.removes = function(form) return form.object end
return leaf
