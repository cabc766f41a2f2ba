--- The leaf `clear_scene`: removes all objects of the scene.
return {
  name = "clear_scene",
  doc = "Takes all objects out of the scene: what is seen stays, what was set up is gone.",
  fields = {},
  owns = function() return {} end,
  seconds = function() return 0 end,
  work = function(site)
    site.host.scene:clear()
    return true
  end,
}
