-- Hands of the biped: fingers straight are 10 cm apart from the palm, bent they touch it.
return {
  left_hand = { side = "left", dofs = { "left_grip" }, velocity = 4, movement = 0.4,
    grips = { open = { left_grip = 0 }, half = { left_grip = -0.4 }, close = { left_grip = -1.2 } } },
  right_hand = { side = "right", dofs = { "right_grip" }, velocity = 4, movement = 0.4,
    grips = { open = { right_grip = 0 }, half = { right_grip = 0.4 }, close = { right_grip = 1.2 } } },
}
