-- How a person's motion becomes this robot's (docs/animation/importing.md): the arm dances as the right hand
-- does.
return {
  reach = {
    { "right_hand", link = "joint6_flange", at = { 0.12, 0.06, 0.28 }, scale = 0.25 },
  },
  -- for brio import --arm (docs/animation/arms.md): the wrist's path on the whole arm
  arms = {
    { tool = "joint6_flange", face = "neutral",
      obstacles = { { name = "table", kind = "half_space", size = { 0, 0, 0 },
        pose = { position = { 0, 0, -0.03 } } } } },
  },
}
