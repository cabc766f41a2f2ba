-- How a person's motion becomes this robot's (docs/animation/importing.md): the arm dances as the right hand
-- does.
return {
  reach = {
    { "right_hand", link = "tool0", at = { 0.20, 0.20, 0.45 }, scale = 0.45 },
  },
  -- for brio import --arm (docs/animation/arms.md): the wrist's path on the whole arm
  arms = {
    { tool = "tool0", face = "present" },
  },
}
