-- How a person's motion becomes this robot's (docs/animation/importing.md): the arm dances as the right hand
-- does.
return {
  reach = {
    { "right_hand", link = "panda_hand", at = { 0.35, 0.15, 0.75 }, scale = 0.8 },
  },
  -- for brio import --arm (docs/animation/arms.md): the wrist's path on the whole arm
  arms = {
    { tool = "panda_hand", face = "present" },
  },
}
