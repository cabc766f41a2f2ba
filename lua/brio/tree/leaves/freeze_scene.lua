--- The leaf `freeze_scene`: keeps all objects of the scene at their present poses.
return {
  name = "freeze_scene",
  doc = "Lets all objects of the scene stay where they are now, until they are set up again.",
  fields = {},
  owns = function() return {} end,
  seconds = function() return 0 end,
  work = function(site)
    site.host.scene:freeze_all()
    return true
  end,
}
