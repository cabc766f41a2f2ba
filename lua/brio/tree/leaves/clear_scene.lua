--- The leaf `clear_scene`: removes all objects of the scene.
return {
  name = "clear_scene",
  doc = "Removes all objects of the scene that were set up; persistent detections stay.",
  fields = {},
  owns = function() return {} end,
  seconds = function() return 0 end,
  work = function(site)
    site.host.scene:clear()
    return true
  end,
}
