--- The leaf `delete_object`: removes an object of the scene, and frees its name.
local objects = require "brio.tree.execution.objects"

local leaf = objects.leaf("delete_object", "Takes an object out of the scene: its frame is gone.",
  function(scene, name) return scene:delete(name) end)
leaf.removes = function(form) return form.object end
return leaf
