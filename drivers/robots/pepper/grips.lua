-- What Pepper's hands can do: all fingers of a hand go with one motor, 0.02 closed to 0.98 open. They are
-- weak, and hold what is light.
return {
  left_hand = {
    side = "left", dofs = { "LHand" }, velocity = 2.5, movement = 0.3,
    grips = {
      open = { LHand = 0.98 }, close = { LHand = 0.02 }, relax = { LHand = 0.6 }, flat = { LHand = 0.98 },
      hook = { LHand = 0.35 }, pinch = { LHand = 0.15 },
    },
  },
  right_hand = {
    side = "right", dofs = { "RHand" }, velocity = 2.5, movement = 0.3,
    grips = {
      open = { RHand = 0.98 }, close = { RHand = 0.02 }, relax = { RHand = 0.6 }, flat = { RHand = 0.98 },
      hook = { RHand = 0.35 }, pinch = { RHand = 0.15 },
    },
  },
}
