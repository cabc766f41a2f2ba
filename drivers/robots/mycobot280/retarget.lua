-- How a person's motion becomes this robot's (docs/animation/importing.md): the arm dances as the right hand
-- does.
return {
  reach = {
    { "right_hand", link = "joint6_flange", at = { 0.12, 0.06, 0.28 }, scale = 0.25 },
  },
}
