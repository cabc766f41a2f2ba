-- What the Panda's hand can do: two fingers that move as one, each up to 0.04 m from the middle.
return {
  hand = {
    dofs = { "panda_finger_joint1" }, velocity = 0.05, movement = 0.01,
    grips = {
      open = { panda_finger_joint1 = 0.04 }, close = { panda_finger_joint1 = 0 },
        relax = { panda_finger_joint1 = 0.035 },
      pinch = { panda_finger_joint1 = 0.005 },
    },
  },
}
